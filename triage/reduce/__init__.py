"""Reduction of findings.

The room promises that each file it writes shows the finding, for the same cause. It is never enough that two answers
still differ: `judge` establishes the finding's own witness again for every candidate, and that the configurations
that cured it still cure it (`condition`). Otherwise most reductions would end in the most frequent bug of the solver.

`reduction` has the order: parameters, then the chain, then the problem, with the passes of `triage.shrink`. Candidates
run in processes that they may kill (`pool`, `worker`, `messages`), and `result_writer` keeps the best one so far, so
that an interrupted reduction is worth its time.

Forbidden here: a test whose result depends on the number of processes or on what was judged before. To reduce a new
kind of finding, give it a condition; the passes stay.

Odd on purpose: cheap checks come first in `judge`, even those that decide least, because most candidates fail.
"""
