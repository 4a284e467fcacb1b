"""Running a solver under limits, and its result as a value.

The room promises that each way to end is a `Status` of an `Outcome`, also if the solver crashes, hangs, prints nonsense
or fills the memory. `solver` is the protocol. Solvers of this room are commands (`command`, and `solver_session` for
those that stay alive); `dialect` and `dialects` describe the options, models and errors of known ones. Solvers that run
in this process belong to a domain and are in `domains/<domain>/solvers`.

`z3_release` decides which Z3 a process has. Importing a module that needs z3 before `activate` was called there is a
mistake, since a process can load only one.

Forbidden here:

- An execution that influences the next: each one has a new context, or a new process. A solver that keeps state between
  executions is found out (`oracles.outcome_checks`), and the finding would accuse the wrong unit.
- A wall clock as the limit. Resource counts decide, so that an outcome can be repeated; the clock behind them protects
  the campaign (`watchdog`), and outcomes that it cut are called HANG.
- A limit of this machine as a fault of a solver. A full disk or a missing process is an error from outside
  (`machine_limits`).
- Files of a solver outside of its folder: each run of a command has a new one, which is removed with everything in it.

To add a solver that reads SMT-LIB, write a row in `dialects`; CONTRIBUTING.md has the steps for one in this process.

Odd on purpose: the memory of a command is sampled and not limited by the kernel, because a Java machine reserves more
address space than any sensible limit. Unknown parameters are left out and named in the outcome, not refused: a corpus
meets older releases, which lack some of them.
"""
