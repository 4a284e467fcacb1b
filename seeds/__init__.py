"""Proofs of the statuses of the seeds, the programs that search them, and the seeds that come from other seeds.

The folder promises that no status of a seed rests on the solver under test: each has a witness that `tests/corpus`
checks without it. `find_witnesses` searches those of `corpus/`, and `smt`, `interpolation` and `parts` have the
programs for the other corpora. A witness that was written by hand begins with `; by hand`, and is kept.

The corpora are files, written and changed by hand. Programs write only `corpus-parts/`, and the part of `corpus-itp/`
that comes from other corpora; `--check` compares the files with them.

To add a seed, follow CONTRIBUTING.md. Text of other projects never enters a corpus.
"""
