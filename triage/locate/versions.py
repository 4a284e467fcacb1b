"""Bisection of releases: the first bad release, the last good one before it, the first good one after it.

A bug may appear, disappear and appear again, so the search does not assume monotonicity. It tests both ends, bisects
between a bad and a good release, and then tests all releases that need no download. A result that contradicts the
search restarts it between that release and the finding's own; contradictions that remain are reported.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from chcfuzz.triage.findings.location import Versions

BAD, GOOD = "bad", "good"
ReleaseTest = Callable[[str], str]  # from a release to `BAD`, `GOOD`, or the reason why it could not be tested
Progress = Callable[[int, int], None]  # number of tested releases, number of all releases


class VersionSearch:
    """Search around the finding's `own` release, which shows it; `tested` holds all results so far."""

    def __init__(self, versions: Sequence[str], own: str, test: ReleaseTest) -> None:
        """Prepare to search among `versions`, the oldest first, which contain `own`."""
        self._versions = list(versions)
        self._own = self._versions.index(own)
        self._test = test
        self._on_progress: Progress = lambda _done, _total: None
        self.tested: dict[str, str] = {own: BAD}

    def run(self, cached: Collection[str], on_progress: Progress = lambda _done, _total: None) -> Versions:
        """Search to the end; releases in `cached` need no download. `on_progress` is called after each test."""
        self._on_progress = on_progress
        older, newer = self._sides()
        for side in (older, newer):
            self._narrow(side)
        for version in self._versions:
            if version in cached:
                self._result(version)
                self._narrow(older if version in older else newer)
        return self.found()

    def found(self) -> Versions:
        """Return the result so far."""
        older, newer = self._sides()
        last_good, first_good = (self._nearest_good(side) for side in (older, newer))
        bad = [version for version in self._between(older, last_good) if self.tested.get(version) == BAD]
        tested = tuple((version, self.tested[version]) for version in self._versions if version in self.tested)
        return Versions((bad or [self._versions[self._own]])[-1], last_good, first_good, tested)

    def exceptions(self) -> list[str]:
        """Return the bad releases beyond a good one: with them, the results are not monotone."""
        found = self.found()
        return [
            version
            for side, good in zip(self._sides(), (found.last_good, found.first_good), strict=True)
            if good is not None
            for version in side[side.index(good) :]
            if self.tested.get(version) == BAD
        ]

    def _sides(self) -> tuple[list[str], list[str]]:
        """Return the older and the newer releases, the nearest first."""
        return self._versions[: self._own][::-1], self._versions[self._own + 1 :]

    def _result(self, version: str) -> str:
        if version not in self.tested:
            self.tested[version] = self._test(version)
            self._on_progress(len(self.tested), len(self._versions))
        return self.tested[version]

    def _nearest_good(self, side: Sequence[str]) -> str | None:
        return next((version for version in side if self.tested.get(version) == GOOD), None)

    @staticmethod
    def _between(side: Sequence[str], good: str | None) -> Sequence[str]:
        """Return the releases nearer than a good one, or all without a `good` one."""
        return side if good is None else side[: side.index(good)]

    def _narrow(self, side: Sequence[str]) -> None:
        """Test until no untested release is left between a bad release and the nearest good one."""
        if side:
            self._test_end(side)
        good = self._nearest_good(side)
        while good is not None:
            near = self._between(side, good)
            bad = max((number for number, version in enumerate(near) if self.tested.get(version) == BAD), default=-1)
            untested = [version for version in near[bad + 1 :] if version not in self.tested]
            if not untested:
                return
            self._result(untested[len(untested) // 2])
            good = self._nearest_good(side)

    def _test_end(self, side: Sequence[str]) -> None:
        """Test from the far end on, until a release is bad or good: the oldest ones may lack a parameter."""
        for version in reversed(side):
            if self._result(version) in (BAD, GOOD):
                return


def number_of(version: str) -> tuple[int, ...]:
    """Return the numbers of a version, for ordering: 4.8.9 is older than 4.8.12."""
    return tuple(map(int, version.split(".")))
