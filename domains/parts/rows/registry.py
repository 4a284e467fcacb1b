"""The rows for part problems: their own, and those for SMT problems, after which the model is true again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chcfuzz.domains.parts.question import VARIABLES, PartProblem, PartQuestion
from chcfuzz.domains.parts.rows import questions
from chcfuzz.domains.smt.rows import registry as smt_rows
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.small_formulas.assignments import is_model, oriented
from chcfuzz.mutators.mutation import Mutation, Needs, Parameter, Promise
from chcfuzz.mutators.registry import Registry

OFFERED = (Needs.FORMULAS, Needs.ASSERTIONS)


def rows(parts: Sequence[str] = ()) -> tuple[Mutation, ...]:
    """Return the mutations of all families; questions go to some `parts`, or to all."""
    shared = (row for row in smt_rows.rows() if row.needs in OFFERED and not row.takes_system)
    return (*questions.mutations(parts), *map(_asked_again, shared))


def _asked_again(row: Mutation) -> Mutation:
    """Return a row for SMT problems, after which the question fits and its model is true."""

    def rewrite(problem: PartProblem, choices: Choices) -> PartProblem | None:
        mutant = row.rewrite(problem, choices)
        return None if mutant is None else fitting(problem, mutant)

    promise = row.promise if row.promise is Promise.EQUIVALENT else Promise.NOTHING
    return replace(row, rewrite=rewrite, promise=promise)


def fitting(before: PartProblem, mutant: Problem) -> PartProblem | None:
    """Return a mutant with the question of the problem before it; None if it does not fit the mutant."""
    question = _renamed(before, mutant)
    found = PartProblem.of(mutant, question)
    model = dict(found.question.model)
    if model and not is_model(found, model):
        turned = oriented(found, model)
        if turned is None:
            return None
        found = turned
    return found if found.is_askable and found.assertions else None


def _renamed(before: PartProblem, mutant: Problem) -> PartQuestion:
    """Return the question under the names of the mutant, whose functions may be those before with other names.

    Functions are compared by position, so two of the same sorts may exchange their names.
    """
    question = before.question
    pairs = list(zip(before.functions, mutant.functions, strict=False))
    is_same = len(before.functions) == len(mutant.functions)
    if not is_same or any(a.parameters != b.parameters or a.result is not b.result for a, b in pairs):
        return question
    names = {old.name: new.name for old, new in pairs}
    subjects = question.subjects
    if question.kind.subjects == VARIABLES:
        subjects = tuple(names.get(name, name) for name in subjects)
    return replace(question, subjects=subjects, model=tuple((names[name], value) for name, value in question.model))


def registry(parts: Sequence[str] = (), parameters: Sequence[Parameter] = ()) -> Registry:
    """Return the mutations of all families for questions to some parts, or to all."""
    return Registry(rows(parts), parameters)
