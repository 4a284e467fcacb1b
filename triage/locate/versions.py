"""Which releases show a finding: the first bad one, the last good one before it, the first good one after it.

Bugs come, go and come again, so nothing is taken for granted: both ends are asked, the place between a bad and a good
release is looked for by halves, and then those are asked that cost no download. What does not fit starts the search
anew between there and the finding's own release; what still does not fit is told.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from chcfuzz.triage.findings.location import Versions

BAD, GOOD = "bad", "good"
Ask = Callable[[str], str]  # what is to be said of a release: `BAD`, `GOOD`, or why neither can be

Told = Callable[[int, int], None]


class VersionSearch:
    """A search for the releases around a finding's `own`, which shows it. `asked` holds all that is known so far."""

    def __init__(self, versions: Collection[str], own: str, ask: Ask) -> None:
        self._versions = sorted({*versions, own}, key=number_of)
        self._own = self._versions.index(own)
        self._ask = ask
        self._told: Told = lambda _asked, _most: None
        self.asked: dict[str, str] = {own: BAD}

    def run(self, at_hand: Collection[str], told: Told = lambda _asked, _most: None) -> Versions:
        """Search to the end; `at_hand` are the releases that cost no download.

        `told` hears after each how many were asked, of how many at most.
        """
        self._told = told
        older, newer = self._sides()
        for side in (older, newer):
            self._narrow(side)
        for version in self._versions:
            if version in at_hand:
                self._is(version)
                self._narrow(older if number_of(version) < number_of(self._versions[self._own]) else newer)
        return self.found()

    def found(self) -> Versions:
        """What is known so far."""
        older, newer = self._sides()
        last_good, first_good = (self._nearest_good(side) for side in (older, newer))
        bad = [version for version in self._between(older, last_good) if self.asked.get(version) == BAD]
        asked = tuple((version, self.asked[version]) for version in self._versions if version in self.asked)
        return Versions((bad or [self._versions[self._own]])[-1], last_good, first_good, asked)

    def exceptions(self) -> list[str]:
        """Releases that are bad again on the far side of a good one: then the answers are not monotone."""
        found = self.found()
        return [
            version
            for side, good in zip(self._sides(), (found.last_good, found.first_good), strict=True)
            if good is not None
            for version in side[side.index(good) :]
            if self.asked.get(version) == BAD
        ]

    def _sides(self) -> tuple[list[str], list[str]]:
        """The older and the newer releases, the nearest first."""
        return self._versions[: self._own][::-1], self._versions[self._own + 1 :]

    def _is(self, version: str) -> str:
        if version not in self.asked:
            self.asked[version] = self._ask(version)
            self._told(len(self.asked), len(self._versions))
        return self.asked[version]

    def _nearest_good(self, side: Sequence[str]) -> str | None:
        return next((version for version in side if self.asked.get(version) == GOOD), None)

    @staticmethod
    def _between(side: Sequence[str], good: str | None) -> Sequence[str]:
        """The releases nearer than a good one; all where there is none."""
        return side if good is None else side[: side.index(good)]

    def _narrow(self, side: Sequence[str]) -> None:
        """Ask until nothing that could be asked is left between a bad release and the nearest good one."""
        if side:
            self._end(side)
        good = self._nearest_good(side)
        while good is not None:
            near = self._between(side, good)
            bad = max((number for number, version in enumerate(near) if self.asked.get(version) == BAD), default=-1)
            open_ones = [version for version in near[bad + 1 :] if version not in self.asked]
            if not open_ones:
                return
            self._is(open_ones[len(open_ones) // 2])
            good = self._nearest_good(side)

    def _end(self, side: Sequence[str]) -> None:
        """Ask from the far end on, until one says something: the oldest may lack a parameter."""
        for version in reversed(side):
            if self._is(version) in (BAD, GOOD):
                return


def number_of(version: str) -> tuple[int, ...]:
    """For ordering: 4.8.9 is older than 4.8.12."""
    return tuple(map(int, version.split(".")))
