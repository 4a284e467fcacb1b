"""Experiments: trials of campaigns, and the statistics that compare them.

The room promises that a comparison is refused where it would show nothing (`campaign_groups`): too few campaigns, no
mutants, a campaign that is named twice or copied. Each difference has an effect size and a test, corrected for the
number of tests, as Klees et al. and Arcuri and Briand require (`statistics`).

`trials` runs campaigns that differ in their seed alone, `comparison` compares groups at the same time or the same
number of executions, and `paper_files` writes tables and curves.

Forbidden here: dropping a trial that found nothing. It is censored: its value counts as larger than all others. A trial
that failed is run again and not counted.

To add a measure, add it to `comparison` with its kind of test. Benchmarks in `bench/` use this room for their trials.

Odd on purpose: the bootstrap has a fixed seed of its own, so that the same sample has the same interval everywhere.
"""
