"""What commands read: units, findings, and how the solver was started that they are of."""

from __future__ import annotations

import argparse
import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from chcfuzz.execution.seed_answers import Ground, SeedAnswer, SeedAnswers
from chcfuzz.execution.solving import UsageError

if TYPE_CHECKING:
    from chcfuzz.mutators.recipe import Recipe


def bytes_of(path: Path) -> bytes:
    """The content of a file; raises `UsageError`."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {str(path)!r}: {error.strerror}") from error


def unit_in(path: Path) -> bytes:
    """The unit in a file, or in a finding's folder; raises `GrammarError` for a text that is no system."""
    from chcfuzz.mutators.recipe import refusal_of

    if path.is_dir():
        recipe = path / "recipe"
        if not recipe.is_file():
            raise UsageError(f"{str(path)!r} is no finding: it holds no file `recipe`")
        path = recipe
    unit = bytes_of(path)
    refused = refusal_of(unit, str(path))
    if refused is not None:
        raise refused
    return unit


def recipe_of(given: argparse.Namespace) -> Recipe:
    """The recipe of the unit that was read; raises `UsageError` for one that is not what it begins as."""
    from chcfuzz.mutators.recipe import read

    unit = read(given.unit)
    if unit.fault is not None:
        raise UsageError(f"{str(given.input)!r} {unit.fault}")
    return unit.recipe


def answers_of(path: Path, seed: str) -> SeedAnswers:
    """What a finding's record says of its seed's answer."""
    answers = SeedAnswers()
    with suppress(OSError, ValueError, KeyError, TypeError):
        said = json.loads((path / "record.json").read_text())["seed"]
        answers.note(seed, SeedAnswer(said["status"], Ground(said["ground"])))
    return answers


def findings_folder(path: Path) -> Path:
    """The folder, which has to be there; raises `UsageError`."""
    if not path.is_dir():
        raise UsageError(f"no findings folder {str(path)!r}; run a campaign, or name its --findings")
    return path


def recorded(path: Path) -> list[str]:
    """How the solver was started that a finding is of: flags."""
    try:
        return list(json.loads((path / "record.json").read_text())["solving"])
    except (OSError, ValueError, KeyError, TypeError):
        return []  # no finding of this version: the flags given are all there is
