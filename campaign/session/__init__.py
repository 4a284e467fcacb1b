"""The state that the processes of a campaign share.

The room promises that a number survives the death of its writer at any instruction. Each worker writes mapped files of
its own (`shared`), and the supervisor adds them up, so no process waits for another one, and no lock is held by a dead
one. `session` lists the files and their classes.

There are three kinds of state. Numbers: `counters`, whose names are known in advance, and `tallies`, whose names are
not. Sets: `seen` and the tables of hashes in `shared`; an entry is added once, by the first worker. Notes: small files
that one process writes and another one finds (`marks`, `denylist`, `unmerged`). `in_flight` is the note about the unit
that runs, written before it runs, so that a death has a unit.

Forbidden here:

- Python objects in a shared file. A worker may be killed in the middle of a write, so a file has numbers of fixed size,
  or is renamed when it is complete.
- A number that only one process may add to, if workers of `-fork` and `-jobs` count it, too.
- The supervisor and the workers: they import this room, and it imports neither.

To add a number, add a member to `Counter`; the tables, the sums and the run folder take it from there.

Odd on purpose: a set may lose an entry if two workers insert into one slot at the same instant, until it is inserted
again. That is cheaper than a lock for each trace, and changes no verdict.
"""
