"""The campaign: one supervisor, libFuzzer workers, and the state that they share.

The room promises that a death of a worker loses nothing. Every number, seed and trace that processes share is in a
mapped file of the session, and every finding is on disk before the next execution begins.

`options` and `command_line` make the flags a value that no process changes. `session` has the shared state,
`supervisor` starts workers, confirms suspicions and prints the status, `worker` executes units, and `runs` keeps a
campaign on disk for a later comparison. A worker does not import the supervisor: they meet in `session`.

Forbidden here:

- Knowledge about a domain or a solver. A campaign uses the interface `Domain`, and a test checks every import.
- A message on standard output that is not a result. Progress goes to standard error, one line for each event.
- An exception that reaches libFuzzer, which would call it a crash of the solver (`worker/internal_errors.py`).
- An exit handler. Workers die at any time: libFuzzer leaves by `_Exit`, and a solver may take the process along.
- A cache that changes the course of a campaign. libFuzzer sees the same counters for a cached outcome and a solved one.
- A file in the findings folder without a format (`CONTRIBUTING.md`), or one that a second campaign cannot share.

To add a flag, add a field to `Options` with its help text; to add a number of the status, add a `Counter`, count it in
the worker, and print it in `supervisor/status.py`.

Odd on purpose: while a corpus is read, half of the solver's work goes into mutants of units that were read, because
libFuzzer reads the whole corpus before it mutates, and a short campaign would execute seeds alone. A worker whose Z3
has leaked memory is replaced. The supervisor and the workers are the same program, started again.
"""
