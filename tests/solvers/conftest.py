"""Solvers as small scripts, and a system for them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.outcome import Status

SYSTEM = "(set-logic HORN)\n(declare-fun inv (Int) Bool)\n(assert (inv 0))\n(check-sat)\n"
DEFINITION = "(define-fun inv ((x Int)) Bool (>= x 0))"
LONG = 60.0

Made = Callable[..., Command]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """A command whose program is a shell script."""

    def make(script: str, *words: str, name: str = "solver", wall_seconds: float = LONG, **fields: object) -> Command:
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return Command.of([str(path), *words], wall_seconds, **fields)  # type: ignore[arg-type]

    return make


def result(command: Command, text: str = SYSTEM) -> tuple[Status, str]:
    outcome = command.solve(text)
    return outcome.status, outcome.reason
