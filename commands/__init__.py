"""The `chcfuzz` command: one module for each subcommand, with its flags and its output; `main` joins them.

The room promises that arguments are checked before anything is fetched, built or started (`Subcommand.check`), that an
error from outside is one line with the next action, and that the exit code is 0, 1 for a bad result, or 2 for invalid
arguments (`help_texts` lists them). A command prints results on standard output and progress on standard error.

A module has the names of `subcommand.Subcommand`. It reads arguments, calls one function of a lower room, and prints
what that returns; `inputs` reads units and findings, `own_file` takes a file in place of a finding, `tables` prints.

Forbidden here:

- Work that another program could want. It belongs to `corpus_tools`, `experiments` or `triage`, with a result that
  `--json` can print.
- Importing Z3, or a module that does, at the top of a module: `main` selects the Z3 first, as `USES` demands.

To add a subcommand, write its module, add it to `COMMANDS` in `main` at the place where `--help` should list it, and
describe it in the README's table of commands. Each of its `EXAMPLES` is parsed by a test.

Odd on purpose: flags of the solver are hidden from `--help`, except for the few that most users need; `--help-solver`
prints all.
"""
