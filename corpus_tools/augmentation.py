"""More files to train on: mutants of a file that differ in a term, and equivalent forms of it.

Both follow LaST (2023), section III-C: at most ten for each file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import islice

from chcfuzz.execution.child_process import ChildError, run_in_child
from chcfuzz.execution.domain import load
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Problem
from chcfuzz.learning.data import problems
from chcfuzz.mutators.mutation import Mutation, Promise
from chcfuzz.solvers.tactics import TACTICS, applied

MOST = 10  # files that are made of one
_TRIES = 3 * MOST
_FAMILIES = ("smt_subterm", "smt_operator", "smt_numbers")


@cache
def _rows() -> Sequence[Mutation]:
    """Return the mutations of SMT problems."""
    solving = Solving(domain="smt")
    return load(solving.domain).registry(solving).mutations


class Diversity:
    """Function from a file to mutants: a term replaced, added, dropped or converted, or an operator exchanged by type.

    CHC systems get none: a replaced term rarely leaves a Horn clause.
    """

    def __call__(self, content: bytes) -> Sequence[bytes]:
        """Return the mutants of a file."""
        made = [row for family in _FAMILIES for row in _rows() if row.id.startswith(f"{family}.")]
        return list(islice(_mutants(content, [row for row in made if not row.takes_system]), MOST))


class Equivalents:
    """Function from a file to equivalent problems, by the rows that promise equivalence and by tactics of Z3."""

    def __call__(self, content: bytes) -> Sequence[bytes]:
        """Return the equivalent forms of a file."""
        stated = _stated(content)
        if stated is None:
            return []
        own = [row for row in _rows() if row.promise is Promise.EQUIVALENT and not row.takes_system]
        ours = islice(_mutants(content, own), MOST - len(TACTICS))
        return [*ours, *_by_tactics(print_problem(stated))]


def _stated(content: bytes) -> Problem | None:
    """Return the last problem of a file; None for a CHC system."""
    try:
        found = problems(content)
    except ChcfuzzError:
        return None
    return found[-1] if found and isinstance(found[-1], Problem) else None


def _mutants(content: bytes, among: Sequence[Mutation]) -> Iterator[bytes]:
    """Yield different problems, each one step from the file's; equal files have equal mutants."""
    stated = _stated(content)
    if stated is None:
        return
    seen = {stated}
    key = hashlib.blake2b(content, digest_size=16).digest()
    for number in range(_TRIES):
        choices = Choices(b"", key + number.to_bytes(2, "little"))
        fitting = [row for row in among if row.applies(stated)]
        if not fitting:
            return
        try:
            made = choices.pick(fitting).rewrite(stated, choices)
        except ChcfuzzError:  # a limit
            continue
        if made is not None and made not in seen:
            seen.add(made)
            yield print_problem(made).encode()


def _by_tactics(text: str) -> Iterator[bytes]:
    """Yield the results of tactics, which run in a child process: some texts crash Z3."""
    for tactic in TACTICS:
        try:
            found = run_in_child(partial(applied, text, tactic))
        except ChildError:
            continue
        if found is not None:
            yield found.encode()
