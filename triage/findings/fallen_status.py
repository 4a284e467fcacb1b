"""Consequences of another status of a seed than the known one, by a witness or by two other projects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from chcfuzz.execution.files import read_plain
from chcfuzz.execution.seed_answers import SeedAnswer
from chcfuzz.mutators.recipe import encode
from chcfuzz.oracles.verdict import ANSWER, VerdictKind
from chcfuzz.triage.examine.suspicion import Suspicion


def wrong_answer_to_seed(suspicion: Suspicion, before: SeedAnswer, answer: SeedAnswer) -> Suspicion:
    """Return a suspicion of the solver's own answer to the seed of a suspicion, which was the known one before."""
    unit, kind = encode(suspicion.recipe.seed_alone), VerdictKind.WRONG_ANSWER.value
    detail = f"answers {before.status}, but {answer.status} is shown by {answer.backing}"
    made = Suspicion(unit, kind, ANSWER.name, str(before.status), answer.status, detail, answer)
    return replace(made, solving=suspicion.solving, solver=suspicion.solver, theories=suspicion.theories)


def implied_contradictions(folder: Path, seed: str, answer: SeedAnswer) -> Iterator[tuple[str, Suspicion]]:
    """Yield the contradictions in a findings folder that another status of a seed than this one implied, by name."""
    for path in sorted(folder.glob(f"{VerdictKind.CONTRADICTION.value}-*/suspicion.json")):
        suspicion = Suspicion.read(read_plain(path))
        if suspicion is None or not suspicion.rests_on_promise or suspicion.recipe.seed != seed:
            continue
        if suspicion.seed is not None and suspicion.seed.status != answer.status:
            yield path.parent.name, suspicion
