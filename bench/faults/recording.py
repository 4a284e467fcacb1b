"""The runs of a campaign as lines of a file: `bench.faults.solver:Recorder` writes it, `bench.faults.score` reads it.

This module does not import Z3, so that its readers can choose a release first.
"""

from __future__ import annotations

import msgspec

RECORD = "CHCFUZZ_FAULTS_RECORD"  # variable with the path of the file


class Made(msgspec.Struct, frozen=True, array_like=True):
    """A run: what was solved, and the faults whose sites it is the first run of its process to reach."""

    text: str
    parameters: tuple[tuple[str, str], ...]
    first: tuple[int, ...]

    @property
    def is_system(self) -> bool:
        """Whether the text has predicates. A mutant may have lost them, and checks of models lack them."""
        return "(declare-fun" in self.text
