"""The reduction of an SMT problem under a test: assertions, functions, subterms, sorts, constants, names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

from chcfuzz.domains.smt import patterns, sorts, symbols
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.form import ALL, ONCE, Checks
from chcfuzz.grammar.logics import has_own_logic
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.written_checks import removable
from chcfuzz.triage.shrink import simplify, terms, variables
from chcfuzz.triage.shrink.result import Shrunk, improve
from chcfuzz.triage.shrink.search import CandidateCounts, Edits, InputTest, Search, edits_in_turns
from chcfuzz.triage.shrink.sites import edited
from chcfuzz.triage.shrink.size import Size, size_of_problem
from chcfuzz.triage.shrink.variants import Order, names, varied

ProblemPass = Edits[Problem, Any]
AnyProblem = TypeVar("AnyProblem", bound=Problem)


def _notes(problem: Problem) -> list[tuple[str, int]]:
    named = [("name", number) for number, each in enumerate(problem.assertions) if each.name is not None]
    return [("header", 0)] * bool(problem.info or problem.options) + named


def _without_notes(problem: Problem, gone: Sequence[tuple[str, int]]) -> Problem:
    assertions = [
        replace(each, name=None) if ("name", number) in gone else each for number, each in enumerate(problem.assertions)
    ]
    changed = problem.with_assertions(assertions)
    return changed.with_header((), ()) if ("header", 0) in gone else changed


def _definitions(problem: Problem) -> Sequence[int]:
    return range(len(problem.form.definitions))


def _expanded(problem: Problem, gone: Sequence[int]) -> Problem:
    left = [each for number, each in enumerate(problem.form.definitions) if number not in set(gone)]
    return replace(problem, form=replace(problem.form, definitions=tuple(left)))


def _more_checks(problem: Problem) -> Sequence[int]:
    return range(problem.form.checks.kind != ONCE)


def _with_one_check(problem: Problem, _gone: Sequence[int]) -> Problem:
    return replace(problem, form=replace(problem.form, checks=Checks()))


def _events(problem: Problem) -> Sequence[tuple[int, ...]]:
    return removable(problem.form.checks.events)


def _without_events(problem: Problem, gone: Sequence[tuple[int, ...]]) -> Problem:
    numbers = {number for each in gone for number in each}
    left = tuple(event for number, event in enumerate(problem.form.checks.events) if number not in numbers)
    checks = replace(problem.form.checks, events=left)
    return replace(problem, form=replace(problem.form, checks=checks))


def _queries(problem: Problem) -> Sequence[int]:
    return range(len(problem.form.queries))


def _without_queries(problem: Problem, gone: Sequence[int]) -> Problem:
    left = tuple(each for number, each in enumerate(problem.form.queries) if number not in set(gone))
    return replace(problem, form=replace(problem.form, queries=left))


def _matches(problem: Problem) -> Sequence[int]:
    return range(problem.form.has_match)


def _without_match(problem: Problem, _gone: Sequence[int]) -> Problem:
    return replace(problem, form=replace(problem.form, has_match=False))


def _lets(problem: Problem) -> Sequence[int]:
    return range(problem.form.has_let)


def _without_let(problem: Problem, _gone: Sequence[int]) -> Problem:
    return replace(problem, form=replace(problem.form, has_let=False))


def _options(problem: Problem) -> Sequence[int]:
    return range(len(problem.form.options))


def _without_options(problem: Problem, gone: Sequence[int]) -> Problem:
    left = tuple(each for number, each in enumerate(problem.form.options) if number not in set(gone))
    return replace(problem, form=replace(problem.form, options=left))


def _logics(problem: Problem) -> Sequence[int]:
    return range(has_own_logic(problem))


def _in_all(problem: Problem, _gone: Sequence[int]) -> Problem:
    return replace(problem, form=replace(problem.form, logic=ALL, beyond=frozenset()))


def _assertions(problem: Problem) -> Sequence[int]:
    return range(len(problem.assertions))


def _without_assertions(problem: Problem, gone: Sequence[int]) -> Problem:
    left = [each for number, each in enumerate(problem.assertions) if number not in set(gone)]
    return problem.with_assertions(left)


PASSES: tuple[ProblemPass, ...] = (
    Edits("drop notes", _notes, _without_notes),
    Edits("drop options", _options, _without_options),
    Edits("logic ALL", _logics, _in_all),
    Edits("check once", _more_checks, _with_one_check),
    Edits("drop levels and checks", _events, _without_events),
    Edits("drop queries", _queries, _without_queries),
    Edits("no match", _matches, _without_match),
    Edits("no let", _lets, _without_let),
    Edits("expand definitions", _definitions, _expanded),
    Edits("drop assertions", _assertions, _without_assertions),
    Edits("drop patterns", patterns.with_patterns, patterns.without_patterns),
    Edits("drop unused functions", symbols.unused_functions, symbols.without_functions),
    Edits("drop unused sorts", symbols.unused_sorts, symbols.without_sorts),
    Edits("functions to values", symbols.values, symbols.replaced),
    Edits("functions to constants", symbols.constants, symbols.replaced),
    Edits("merge functions", symbols.merges, symbols.replaced),
    Edits("shared terms", terms.shared, terms.with_shared),
    Edits("drop arguments", symbols.arguments, symbols.without_arguments),
    Edits("simplify", simplify.foldable, edited),
    Edits("drop members", terms.members, edited),
    Edits("formulas to true", terms.TO_TRUE, edited),
    Edits("formulas to false", terms.TO_FALSE, edited),
    Edits("bound variables to constants", terms.bound_values, edited),
    Edits("drop bound variables", symbols.unused_variables, edited),
    Edits("repeated terms", terms.repeated_terms, terms.with_terms),
    Edits("terms to subterms", terms.nearest, edited),
    Edits("terms to constants", terms.values(variables.zero), edited),
    Edits("terms to 1", terms.values(variables.one), edited),
    Edits("simpler sorts", sorts.simpler_sorts, sorts.with_sorts),
    Edits("constants everywhere", terms.shared_constants, terms.with_constants),
    Edits("constants", terms.constants, edited),
    Edits("names", sorts.misnamed, sorts.named),
)


def size(problem: Problem) -> Size:
    """Return the size of a problem."""
    return size_of_problem(problem, sorts.foreign_names(problem))


def is_sound(problem: Problem) -> bool:
    """Return whether the problem has an assertion, and its text parses back to it."""
    try:
        return bool(problem.assertions) and parse.problem(print_problem(problem), "problem") == problem.in_its_form
    except ChcfuzzError:
        return False


def shrink(
    problem: Problem, test: InputTest[Problem], on_progress: Callable[[CandidateCounts], None]
) -> Iterator[Shrunk[Problem]]:
    """Yield ever smaller problems that pass the test, the given one first and a 1-minimal one last."""
    problem = parse.problem(print_problem(problem), "problem")

    def admits(best: Problem, candidate: Problem) -> bool:
        return size(candidate) < size(best) and is_sound(candidate)

    search = Search(problem, test, print_problem, admits, on_progress)
    yield from improve(search, PASSES, size)


def single_edits(problem: Problem) -> Iterator[tuple[str, Problem]]:
    """Yield well-formed problems after single edits, each with the name of the edit."""
    return edits_in_turns(problem, PASSES, is_sound)


def variants(problem: AnyProblem, is_sound: Callable[[AnyProblem], bool]) -> Iterator[tuple[str, AnyProblem]]:
    """Yield well-formed problems with other names of functions and other orders of assertions, each with its name."""

    def renamed(before: AnyProblem, letters: Sequence[str]) -> AnyProblem:
        return cast(AnyProblem, sorts.with_function_names(before, names(letters, len(before.functions))))

    def ordered(before: AnyProblem, order: Order) -> AnyProblem:
        return before.with_assertions(order(before.assertions))

    return varied(problem, renamed, ordered, is_sound)
