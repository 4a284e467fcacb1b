"""A wrong solver for the tests of clusters, which waits where a test has to kill something."""

import time
from collections.abc import Sequence
from pathlib import Path

from chcfuzz.solvers.outcome import Outcome

from tests.quality.planted import ForgetfulSpacer

GATE = "closed"  # a file in the folder of the user


class RareSpacer(ForgetfulSpacer):
    """Spacer with wrong models for one of the seeds: few suspicions are examined, which takes most of the time.

    While the gate exists, it waits at a seed that is larger, and is executed later.
    """

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """Solve as `Spacer.solve` does, with the bug."""
        while "tree" in text and Path(GATE).exists():
            time.sleep(0.05)
        solve = super().solve if "loop" in text else super(ForgetfulSpacer, self).solve
        return solve(text, parameters, rlimit)
