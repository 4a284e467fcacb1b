"""Search for the smallest input that passes an opaque test: the part that all reductions share.

A reduction is a sequence of passes. A pass lists the *edits* that an input allows, and can apply any part of that list
at once. `until_minimal` tries parts of half the length each time, down to single edits, and repeats this until the test
refuses every single edit of every pass: the result is 1-minimal for every pass.

This is delta debugging without its tests of complements and without repeating parts that were tried before. Leaving
these out is the reason why ProbDD is fast (Zhang et al., "Toward a Better Understanding of Probabilistic Delta
Debugging", arXiv 2408.04735); its probabilities add nothing to a schedule of lengths. HornFuzz and Lithium use the same
lengths. picire, a library for delta debugging, does not fit: it drops items of a fixed list, but an edit changes the
list here, and its parallel mode takes the test that finishes first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

_TURNS = 3  # edits of each pass in `edits_in_turns`, at most, spread evenly over its list

S = TypeVar("S")
E = TypeVar("E")
T = TypeVar("T")


@dataclass(frozen=True)
class InputTest(Generic[S]):
    """The test of a reduction.

    `first` returns the index of the first candidate that passes, or None. It gets at most `width` candidates at a time.
    It must give equal candidates the same result, because no candidate is tested twice.
    """

    first: Callable[[Sequence[S]], int | None]
    width: int = 1


@dataclass(frozen=True)
class CandidateCounts:
    """Numbers of candidates, which do not depend on the width of the test.

    Attributes:
        tested: Candidates that were tested.
        passed: Candidates that passed.
        known: Candidates that were skipped because they had failed before.
        refused: Candidates that were skipped because they were not smaller or not well-formed.
    """

    tested: int = 0
    passed: int = 0
    known: int = 0
    refused: int = 0


class Pass(Protocol[S]):
    """A pass of a reduction: a kind of edit, whose uses in an input it lists and applies.

    A pass must be stateless, and must list the edits of equal inputs in the same order: then a reduction gives the same
    result every time. It does not have to make inputs smaller or keep them well-formed; the search refuses candidates
    that are not. It must only list edits that change something, or the search wastes time on them.
    """

    @property
    def name(self) -> str:
        """Description of the edit."""

    def candidates(self, best: S, start: int, length: int) -> Sequence[Callable[[], S | None]]:
        """Return functions that build candidates: each applies the next `length` edits, beginning with edit `start`.

        A function returns None if its edits cannot be combined. Candidates are built one by one, because building all
        of them costs more than the search needs after an early success.
        """

    def number(self, best: S) -> int:
        """Return the number of edits that the input allows."""


@dataclass(frozen=True)
class Edits(Generic[S, E]):
    """A `Pass` made of two functions: `find` lists the edits of an input, and `apply` applies some of them."""

    name: str
    find: Callable[[S], Sequence[E]]
    apply: Callable[[S, Sequence[E]], S | None]

    def number(self, best: S) -> int:
        """Return the number of edits, as `Pass.number` does."""
        return len(self.find(best))

    def candidates(self, best: S, start: int, length: int) -> Sequence[Callable[[], S | None]]:
        """Return functions that build candidates, as `Pass.candidates` does."""
        found = self.find(best)
        parts = [found[place : place + length] for place in range(start, len(found), length)]
        return [lambda part=part: self.apply(best, part) for part in parts]  # type: ignore[misc]


@dataclass(frozen=True)
class _Waiting(Generic[S]):
    """A candidate that waits for its test; `counts` are those at the time when it was built."""

    number: int
    candidate: S
    digest: bytes
    counts: CandidateCounts


class Search(Generic[S]):
    """The best input so far, and the candidates that failed.

    Candidates are built on the assumption that all candidates before them fail. So if several are tested at a time, the
    candidates after the first one that passes are ignored, and the result is the same for every width.
    """

    def __init__(
        self,
        start: S,
        test: InputTest[S],
        text: Callable[[S], str],
        admits: Callable[[S, S], bool] = lambda _best, _candidate: True,
        on_progress: Callable[[CandidateCounts], None] = lambda _counts: None,
    ) -> None:
        """Begin with `start`, which is assumed to pass.

        `text` identifies a candidate: equal texts are tested once. `admits` decides whether a candidate may replace the
        best input at all. `on_progress` is called after each test.
        """
        self.best = start
        self.counts = CandidateCounts()
        self._test = test
        self._text = text
        self._admits = admits
        self._on_progress = on_progress
        self._failed: set[bytes] = set()

    def improve(self, candidates: Iterable[Callable[[], S | None]]) -> int | None:
        """Replace the best input by the first candidate that passes, and return its index; None if all fail."""
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
            if len(waiting) == self._test.width:
                hit = self._run_test(waiting)
                if hit is not None:
                    return hit
                waiting = []
        return self._run_test(waiting) if waiting else None

    def _run_test(self, waiting: Sequence[_Waiting[S]]) -> int | None:
        place = self._test.first([one.candidate for one in waiting])
        failed = waiting[:place]
        self._failed.update(one.digest for one in failed)
        passed = 0
        counts = self.counts
        if place is not None:
            passed = 1
            self.best = waiting[place].candidate
            counts = waiting[place].counts  # candidates that were built after it do not count
        tested = self.counts.tested + len(failed) + passed
        self.counts = replace(counts, tested=tested, passed=self.counts.passed + passed)
        self._on_progress(self.counts)
        return None if place is None else waiting[place].number


def until_minimal(search: Search[S], passes: Sequence[Pass[S]]) -> Iterator[str]:
    """Run the passes in turn until none of them finds anything, and yield the name of the pass after each success.

    At the end, the test refuses every single edit of every pass on `search.best`. A caller may stop at any time:
    `search.best` is the best input so far.
    """
    improved = True
    while improved:
        improved = False
        for one in passes:
            for name in _sweep(search, one):
                improved = True
                yield name


def _sweep(search: Search[S], one: Pass[S]) -> Iterator[str]:
    length = one.number(search.best)
    while length:
        start = 0
        # A success changes the list of edits, so the sweep continues with a new list. It continues at the place of the
        # success: edits before that failed, and are tried again only in the next sweep.
        while (hit := search.improve(one.candidates(search.best, start, length))) is not None:
            start += hit * length
            yield one.name
        length = 0 if length == 1 else max(1, min(length, one.number(search.best)) // 2)


def one_by_one(passes: Callable[[S], bool]) -> InputTest[S]:
    """Return the test that runs `passes` on one candidate after the other, and stops at the first that passes."""

    def first(candidates: Sequence[S]) -> int | None:
        return next((number for number, candidate in enumerate(candidates) if passes(candidate)), None)

    return InputTest(first)


def in_parallel(passes: Callable[[T], bool], executor: Executor, convert: Callable[[S], T], width: int) -> InputTest[S]:
    """Return the test that runs `passes` on `width` candidates at a time, in the processes or threads of an executor.

    The result is the one of `one_by_one`; an exception that `one_by_one` would not have reached is dropped. `convert`
    turns a candidate into a value that another process can receive: for a system, its text.
    """

    def first(candidates: Sequence[S]) -> int | None:
        results = [executor.submit(passes, convert(candidate)) for candidate in candidates]
        try:
            return next((number for number, result in enumerate(results) if result.result()), None)
        finally:
            for result in results:
                result.cancel()

    return InputTest(first, width)


def edits_in_turns(problem: S, passes: Sequence[Pass[S]], is_sound: Callable[[S], bool]) -> Iterator[tuple[str, S]]:
    """Yield sound problems after single edits, each with the name of the edit; the passes take turns."""
    for turn in range(_TURNS):
        for one in passes:
            number = one.number(problem)
            place = number * turn // _TURNS
            if number and (turn == 0 or place > number * (turn - 1) // _TURNS):
                candidate = one.candidates(problem, place, 1)[0]()
                if candidate is not None and is_sound(candidate):
                    yield f"{one.name} ({place + 1} of {number})", candidate
