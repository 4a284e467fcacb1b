"""The process that starts workers and reports on the campaign.

The room promises that the campaign outlives its workers, and that each death has a consequence: `worker_exit`
interprets an exit code, `crash_reports` makes a suspicion of the unit that was in flight and denies it to all workers,
and `workers` starts the next worker in the same slot with the rest of the runs and of the time.

`supervisor` joins the parts. `monitor` is the view of the running campaign: it reads the session, `status` makes
numbers of it, and `status_line`, `summary`, `metrics` and `recording` print, export or store them. `corpus_keeper`
completes the corpus that a full disk or a killed job left behind.

Forbidden here:

- Loading a solver, or executing a unit. The supervisor must not die of one; confirmation happens in a process of its
  own (`triage.findings`).
- A second place that interprets exit codes, or one that starts a process without `solvers.process_group`: a signal to
  the supervisor has to end all of them.
- A wait without a limit. A program of the user (`bucket_hook`) may hang.

To add a number to the status, count it in the worker (`campaign/session`) and add it to `status.Progress`, from which
the status line, the summary and the metrics are made.

Odd on purpose: a worker is never requested to stop. It is killed, and the supervisor takes everything
from the session's files, because that is the case that must work anyway.
"""
