"""Location of a bug: parameters, steps, events, code, releases.

The room promises comparisons and not explanations: each line of a location is a difference between a run that fails and
a run that passes, and the two are as similar as possible. `neighbours` makes such runs, by one edit or one mutation;
`observer` runs one of them in a process that it may kill (`pool`, `worker`, `messages`).

`locating` is the order of the steps: single parameters (`parameters`), the first step of the chain with the finding,
the first event at which runs diverge (`events`, `first_difference`), functions by their suspiciousness (`spectrum`,
`ranking`, `source_lines`), releases (`versions`, `tested_releases`, `changed_sources`), and the assertion that fails in
a debug build (`assertion`).

Forbidden here: a run that counts as passing without evidence that its answer is right (`Side.NEITHER`), and the
assumption that a bug has one first release: it may come, go and come back.

To add a step, add its result to `triage.findings.location`, with a default, and call it in `locating`. Measure with
`bench.triage.location` and `bench.triage.repaired` whether it helps to find the function that was repaired.

Odd on purpose: a release is good only if it is right on variants with other names, orders and random seeds, because a
bug may need one name of a predicate to show.
"""
