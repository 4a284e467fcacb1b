"""Resource limits that follow the seeds: what an execution may cost, by the cost of its seed and the work done so far.

A mutant costs about as much as its seed. Under `--rlimit` alone, none of the mutants of a seed that needs more would be
decided. So a seed that was not decided is tried again with four times as much, up to `most`, and its mutants may cost
twice as much as the seed. Trials that fail are at most a quarter of a worker's work: many public benchmarks need more
than the default, and many of these are never decided. If few seeds are decided, there is little else to do, so `FREE`
times `--rlimit` may go into trials at the start.
Work is the solver's resource count, so a campaign with one worker depends only on libFuzzer's seed.
"""

from __future__ import annotations

LEAST = 50_000  # of a mutant, however cheap its seed is
FREE = 64  # times `--rlimit`: a single seed can be tried with all of the three larger limits
_SHARE = 4  # one unit of work in this number
_MORE = 4  # times as much as in the last trial of a seed
_TWICE = 2
_TURN = 4  # one mutant in this number is preceded by a trial


class ResourceLimits:
    """The limits of one worker: `usual` is `--rlimit`, `most` that of a seed that needs more.

    `factor` is the most that a mutant may cost, in costs of its seed, within `usual`; with 0, every limit is `usual`.
    """

    def __init__(self, usual: int, most: int, factor: int) -> None:
        self.usual = usual
        self.follow_seeds = factor > 0
        self._most = most if factor else usual
        self._factor = factor
        self._work = self._waste = self._mutants = 0

    def spent(self, cost: int) -> None:
        """Count the work of an execution."""
        self._work += cost

    def spent_on_failure(self, cost: int) -> None:
        """Count the work of a trial that has not decided its seed."""
        self._work += cost
        self._waste += cost

    def is_turn(self) -> bool:
        """Return whether the mutant that is executed next is one before which a seed may be tried again."""
        self._mutants += 1
        return self._mutants % _TURN == 1

    def of_trial(self, tried: int, is_urgent: bool = False) -> int | None:
        """Return the limit of a seed that was not decided within `tried` units; None if it is not tried again now.

        It is urgent if few seeds are decided.
        """
        limit = min(self._most, _MORE * tried)
        free = FREE * self.usual if is_urgent else 0
        return limit if tried < limit <= max(free, self._work // _SHARE) - self._waste else None

    def of_mutant(self, cost: int | None) -> int:
        """Return the limit of a mutant of a seed with this cost; None if it is unknown, or more than a limit."""
        if not self.follow_seeds or cost is None:
            return self.usual
        more = min(self._most, _TWICE * cost)
        return more if more > self.usual else min(self.usual, max(LEAST, self._factor * cost))
