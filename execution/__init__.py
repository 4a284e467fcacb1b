"""The one way from a recipe to verdicts, for campaigns, examinations and replays.

The room promises that a unit has the same verdicts wherever it is executed. `Pipeline` is this way: it applies the
chain, runs the solver and calls each oracle. `domain` is the interface with the rows, solvers and oracles, and
`solving` holds the flags that a campaign hands on to all its processes. The other modules serve processes:
`child_process` starts one, `channel` exchanges typed messages with it, `worker_pool` keeps several. `identity` is the
key of everything that is cached. Rows and lines in `signed_tables` and `signed_lines` count only if a process of this
user has written them.

Forbidden here:

- A second way to solve and judge. Code that needs an outcome under other limits calls `Pipeline.execute` with them.
- A decision that neither the flags nor the unit explain. The text of a mutant decides whether it gets a second opinion.
- Reading an output of a solver as a message. Helpers talk over a socket of their own, and a solver may print anything.
- Running code that a record names. It may come from somebody else (`recorded_flags`).

To add a flag for the solver, add a field to `Solving`; if it changes outcomes, `Identity` must cover it, or old
outcomes would be taken for new ones. To add a file that several processes write, use `files` and `signed_lines`, which
write completely or not at all.

Odd on purpose: a process that is killed from outside is not a solver crash, so a pool sends the query a second time.
Helpers end with their parent however that ends, since a killed supervisor cannot clean up. The identity is a digest of
files and not a version, because developers rebuild Z3 without changing its number.
"""
