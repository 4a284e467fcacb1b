"""The order and the cut of assertions and declarations: swapped, shuffled, joined, split, repeated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.terms import conjunction, is_operator
from chcfuzz.mutators.mutation import Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.places import swapped

T = TypeVar("T")


def _shuffled(items: Sequence[T], choices: Choices) -> list[T]:
    return [items[i] for i in choices.permutation(len(items))]


def _of_assertions(mix: Callable[[Sequence[Assertion], Choices], list[Assertion]]) -> Callable[..., Problem | None]:
    def rewrite(problem: Problem, choices: Choices) -> Problem | None:
        if not _has_two(problem):
            return None
        return _if_changed(problem.with_assertions(mix(problem.assertions, choices)), problem)

    return rewrite


def _shuffle_declarations(problem: Problem, choices: Choices) -> Problem | None:
    return _if_changed(replace(problem, functions=tuple(_shuffled(problem.functions, choices))), problem)


def _if_changed(new: Problem, old: Problem) -> Problem | None:
    return None if new == old else new


def _has_two(problem: Problem) -> bool:
    return any(each != problem.assertions[0] for each in problem.assertions)


def _conjunctions(problem: Problem) -> list[int]:
    return [number for number, formula in enumerate(problem.formulas) if is_operator(formula, "and")]


def _split(problem: Problem, choices: Choices) -> Problem | None:
    """Assert the members of a conjunction one by one."""
    found = _conjunctions(problem)
    if not found:
        return None
    number = choices.pick(found)
    members = [Assertion(member) for member in problem.formulas[number].children]
    return problem.with_assertions((*problem.assertions[:number], *members, *problem.assertions[number + 1 :]))


def _join(problem: Problem, choices: Choices) -> Problem | None:
    """Assert a conjunction in place of two neighbouring assertions."""
    if len(problem.assertions) < 2:
        return None
    number = choices.index(len(problem.assertions) - 1)
    both = conjunction(*problem.formulas[number : number + 2])
    return problem.with_assertions(
        (*problem.assertions[:number], Assertion(both), *problem.assertions[number + 2 :]),
    )


def _repeat(problem: Problem, choices: Choices) -> Problem | None:
    if not problem.assertions:
        return None
    again = Assertion(choices.pick(problem.formulas))
    place = choices.index(len(problem.assertions) + 1)
    return problem.with_assertions((*problem.assertions[:place], again, *problem.assertions[place:]))


_SOURCE = "answers depend on the order of assertions and declarations, as in Z3 issue 5714"


def _row(
    name: str,
    summary: str,
    rewrite: Callable[[Problem, Choices], Problem | None],
    applies: Callable[[Problem], bool],
) -> Mutation:
    return Mutation(
        f"smt_order.{name}", Promise.EQUIVALENT, summary, _SOURCE, rewrite, applies, light=True, needs=Needs.ASSERTIONS
    )


MUTATIONS = (
    _row("swap-assertions", "two assertions are swapped", _of_assertions(swapped), _has_two),
    _row("shuffle-assertions", "all assertions are shuffled", _of_assertions(_shuffled), _has_two),
    _row(
        "shuffle-declarations",
        "all functions are declared in another order",
        _shuffle_declarations,
        lambda problem: len(problem.functions) > 1,
    ),
    _row(
        "split",
        "the members of a conjunction are asserted one by one",
        _split,
        lambda problem: bool(_conjunctions(problem)),
    ),
    _row(
        "join",
        "two assertions become one conjunction",
        _join,
        lambda problem: len(problem.assertions) > 1,
    ),
    _row("repeat", "an assertion appears twice", _repeat, lambda problem: bool(problem.assertions)),
)
