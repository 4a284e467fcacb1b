"""Questions made from other seeds.

Each satisfiable seed of `corpus-smt/` whose witness gives a value to every symbol gets a question to some part; the
model of the question is the witness. Drawn questions to every part in each theory come after them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from chcfuzz.domains.parts.drawing import drawn_question_problem, drawn_subjects
from chcfuzz.domains.parts.oracles.violating_values import values_in
from chcfuzz.domains.parts.question import PARTS, PartProblem, PartQuestion
from chcfuzz.domains.parts.question_text import printed
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.small_formulas.assignments import is_model
from chcfuzz.grammar.small_formulas.templates import THEORIES

from seeds.files import ROOT, Seed, seeds_of

WITNESSES = ROOT / "seeds" / "smt" / "witnesses"
FOLDERS = ("smt", "drawn")
_MOST_NODES = 60
THEORIES_OF_SEEDS = ("adt/", "arrays/", "bool/", "bv/", "lia/", "lra/", "mixed/", "mixtures/", "nia/", "nra/", "uf/")


@dataclass(frozen=True)
class DerivedQuestion:
    """A file of the corpus: its path without the suffix, and its text."""

    name: str
    text: str


def derived() -> Iterator[DerivedQuestion]:
    """Yield all seeds that come from elsewhere."""
    yield from _of_smt()
    yield from _drawn()


def _of_smt() -> Iterator[DerivedQuestion]:
    for seed in seeds_of("corpus-smt"):
        problem = _with_model(seed) if seed.name.startswith(THEORIES_OF_SEEDS) else None
        if problem is not None:
            found = _question(problem, seed.name)
            words = f"; A question about corpus-smt/{seed.name}.smt2, with its witness as the model."
            yield DerivedQuestion(f"smt/{found.question.part}-{_flat(seed.name)}", f"{words}\n{printed(found)}")


def _question(problem: PartProblem, name: str) -> PartProblem:
    """Return a question to a part that takes the problem; the name of the seed chooses it, and not its place."""
    choices = Choices(b"", name.encode())
    parts = tuple(part for part in PARTS.values() if part.generation == 0)  # which keeps the parts of earlier seeds
    for number in choices.permutation(len(parts)):
        part = parts[number]
        subjects = drawn_subjects(part, problem, choices)
        found = problem.asking(replace(problem.question, part=part.name, subjects=subjects))
        if found.is_askable:
            return found
    raise ValueError(f"no part takes {name}")


def _with_model(seed: Seed) -> PartProblem | None:
    """Return a question about a seed with its witness; None if that does not fit."""
    file = WITNESSES / f"{seed.name}.model"
    if seed.status != "sat" or not file.is_file():
        return None
    problem: Problem = parse.problem(seed.text, seed.name)
    values = values_in(problem, file.read_text(encoding="ascii"))
    has_all = all(function.name in values for function in problem.functions)
    if not has_all or not values or problem.nodes > _MOST_NODES or not is_model(problem, values):
        return None
    pairs = tuple((function.name, values[function.name]) for function in problem.functions)
    return PartProblem.of(problem.with_header((), ()), PartQuestion("implicant", (), pairs))


def _drawn() -> Iterator[DerivedQuestion]:
    for part in PARTS.values():
        for theory in THEORIES:
            choices = Choices(b"", f"{part.name} {theory}".encode())
            found = drawn_question_problem(choices, part.name, theory)
            if found.question.part == part.name:
                words = f"; A drawn question to {part.name}: {theory}."
                yield DerivedQuestion(f"drawn/{part.name}-{theory}", f"{words}\n{printed(found)}")


def _flat(name: str) -> str:
    return name.replace("/", "-")
