"""Benchmarks; README.md lists them by question.

Each module answers one question with one command, which its first lines state, and prints a table. Raw results are kept
in `data/`; pages of `docs/` have the tables and the conclusions. A benchmark uses the package as a user does: it starts
campaigns (`campaigns`), trials (`experiments`) or the functions of a room. It runs arms in turn, so that a varying load
of the machine affects all of them, and its seeds are fixed.

Forbidden here: code that the package needs, and a benchmark that will not run again. A question that was answered
once, for a choice that has been made, stays in the page with the commit whose program measured it, and its program
ends.
"""
