"""Looking for the smallest input that passes an opaque test: what every reduction here has in common.

A reduction is a sequence of passes. A pass lists the *edits* that an input allows, and applies any part of that
list at once. `until_minimal` tries parts of half the length each time, down to single edits, and repeats this until
no single edit of any pass is left that the test lets pass: the result is 1-minimal for every pass.

The list is delta debugging's, without its tests of complements and of parts that were tried before: leaving these
out is what makes ProbDD fast (Zhang et al., "Toward a Better Understanding of Probabilistic Delta Debugging",
arXiv 2408.04735), and its probabilities bring nothing that a schedule of lengths does not. HornFuzz and Lithium use
the same lengths. picire, a library for delta debugging, is not used: it drops items of a fixed list, but ours is
another one after every success, and its parallel tests take what finishes first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

S = TypeVar("S")
E = TypeVar("E")
T = TypeVar("T")
First = Callable[[Sequence[S]], int | None]  # the number of the first candidate that passes, None if none does


@dataclass(frozen=True)
class Counts:
    """`asked`: candidates that the test judged, of which `passed` did.

    `known` were not asked about because they had failed before, `refused` because they were not smaller or not well
    formed. None of these depends on how many candidates are judged at once.
    """

    asked: int = 0
    passed: int = 0
    known: int = 0
    refused: int = 0


class Pass(Protocol[S]):
    """A kind of edit. It has no state: the edits of equal inputs are equal, in the same order."""

    @property
    def name(self) -> str:
        """What is done, for people."""

    def candidates(self, best: S, start: int, length: int) -> Sequence[Callable[[], S | None]]:
        """Ways to make the input smaller: each applies the next `length` edits, from edit number `start` on.

        None stands for edits that do not go together.
        """

    def number(self, best: S) -> int:
        """How many edits the input allows."""


@dataclass(frozen=True)
class Edits(Generic[S, E]):
    """A `Pass` from its two functions: which edits an input allows, and the input after some of them."""

    name: str
    find: Callable[[S], Sequence[E]]
    apply: Callable[[S, Sequence[E]], S | None]

    def number(self, best: S) -> int:
        """As `Pass.number`."""
        return len(self.find(best))

    def candidates(self, best: S, start: int, length: int) -> Sequence[Callable[[], S | None]]:
        """As `Pass.candidates`."""
        found = self.find(best)
        parts = [found[place : place + length] for place in range(start, len(found), length)]
        return [lambda part=part: self.apply(best, part) for part in parts]  # type: ignore[misc]


@dataclass(frozen=True)
class _Waiting(Generic[S]):
    """A candidate to be asked about; `counts` are those when it was made."""

    number: int
    candidate: S
    digest: bytes
    counts: Counts


class Search(Generic[S]):
    """The best input so far, and what is known of others.

    `first` is the test. It gets at most `width` candidates at a time, made on the assumption that all before them
    fail; what it does with those after the first that passes changes nothing. `text` names a candidate: equal texts are
    tested once. `admits` says whether a candidate may take the place of the best at all.
    """

    def __init__(
        self,
        start: S,
        first: First[S],
        text: Callable[[S], str],
        admits: Callable[[S, S], bool] = lambda _best, _candidate: True,
        width: int = 1,
        told: Callable[[Counts], None] | None = None,
    ) -> None:
        self.best = start
        self.counts = Counts()
        self._first = first
        self._text = text
        self._admits = admits
        self._width = width
        self._told = told
        self._failed: set[bytes] = set()

    def improve(self, candidates: Iterable[Callable[[], S | None]]) -> int | None:
        """Let the first candidate that passes be the best; its number, None if none passes."""
        waiting: list[_Waiting[S]] = []
        for number, make in enumerate(candidates):
            candidate = make()
            if candidate is not None:
                digest = hashlib.blake2b(self._text(candidate).encode(), digest_size=16).digest()
                if digest in self._failed or any(digest == other.digest for other in waiting):
                    self.counts = replace(self.counts, known=self.counts.known + 1)
                elif not self._admits(self.best, candidate):
                    self.counts = replace(self.counts, refused=self.counts.refused + 1)
                else:
                    waiting.append(_Waiting(number, candidate, digest, self.counts))
            if len(waiting) == self._width:
                hit = self._ask(waiting)
                if hit is not None:
                    return hit
                waiting = []
        return self._ask(waiting) if waiting else None

    def _ask(self, waiting: Sequence[_Waiting[S]]) -> int | None:
        place = self._first([one.candidate for one in waiting])
        failed = waiting[:place]
        self._failed.update(one.digest for one in failed)
        passed = 0
        counts = self.counts
        if place is not None:
            passed = 1
            self.best = waiting[place].candidate
            counts = waiting[place].counts  # what was made after it was made in vain
        asked = self.counts.asked + len(failed) + passed
        self.counts = replace(counts, asked=asked, passed=self.counts.passed + passed)
        if self._told is not None:
            self._told(self.counts)
        return None if place is None else waiting[place].number


def until_minimal(search: Search[S], passes: Sequence[Pass[S]]) -> Iterator[str]:
    """Run the passes in turn until none of them finds anything; after each success the name of its pass.

    Then every single edit of every pass on `search.best` is one that the test refuses. `search.best` holds what has
    been reached whenever the caller stops.
    """
    improved = True
    while improved:
        improved = False
        for one in passes:
            for name in _swept(search, one):
                improved = True
                yield name


def _swept(search: Search[S], one: Pass[S]) -> Iterator[str]:
    length = one.number(search.best)
    while length:
        start = 0
        while True:
            hit = search.improve(one.candidates(search.best, start, length))
            if hit is None:
                break
            start += hit * length  # what came before failed, and is not tried again in this sweep
            yield one.name
        length = 0 if length == 1 else max(1, min(length, one.number(search.best)) // 2)


def one_by_one(keeps: Callable[[S], bool]) -> First[S]:
    """The test that asks about one candidate after the other, and no further than it must."""

    def first(candidates: Sequence[S]) -> int | None:
        return next((number for number, candidate in enumerate(candidates) if keeps(candidate)), None)

    return first


def side_by_side(keeps: Callable[[T], bool], executor: Executor, sent: Callable[[S], T]) -> First[S]:
    """The test that asks about all candidates at once, in the processes or threads of an executor.

    The answer is the one that `one_by_one` gives. `sent` makes of a candidate what another process can be given: terms
    are no such thing, their text is. An exception of a test that `one_by_one` would not have reached is dropped.
    """

    def first(candidates: Sequence[S]) -> int | None:
        asked = [executor.submit(keeps, sent(candidate)) for candidate in candidates]
        try:
            return next((number for number, answer in enumerate(asked) if answer.result()), None)
        finally:
            for answer in asked:
                answer.cancel()

    return first
