"""Systems with a rule some of whose variables Spacer projects, and a query at values of the others.

Spacer projects when it derives a state of the rule's head. Preprocessing solves a single rule without a projection, so
there are several forms, and it depends on the formula which of them reach the projection.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from chcfuzz.grammar.printing.printer import print_datatypes, print_term
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.small_formulas.assignments import Values, some_value
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Function, conjunction


@dataclass(frozen=True)
class SystemForm:
    """A form of a system: rules for the eliminated variables, another state before that of the query, a second rule.

    The state before the query's is that of the model, or any state: the formula that Spacer keeps for it answers for
    the state of the query, too. A second rule stops inlining.
    """

    has_source: bool
    has_any_state: bool
    has_second_rule: bool


FORMS = tuple(SystemForm(*switches) for switches in product((False, True), repeat=3))


@dataclass(frozen=True)
class ProjectingRule:
    """A rule with the formula of a problem, from which some constants are eliminated; its model has all of them."""

    problem: Problem
    eliminated: Sequence[Function]
    model: Values

    def system(self, values: Values, status: str, form: SystemForm) -> System:
        """Return the system in a form; `status` is declared unless it is empty.

        The query is at `values` of the constants that stay. The problem must not have functions with parameters.
        """
        problem, gone = self.problem, self.eliminated
        rest = [each for each in problem.functions if each not in gone]
        taken = {*problem.declared_names, *problem.signature}
        reached, source, tag = (fresh_name(name, taken) for name in ("reached", "source", "n"))

        def state(number: str, texts: Sequence[str]) -> str:
            return _applied(reached, [number, *texts])

        last = state("0", _texts(rest, values))
        body = [print_term(conjunction(*problem.formulas))]
        lines = [f"(declare-fun {reached} ({' '.join(('Int', _sorts(rest)))}) Bool)"]
        if form.has_source:
            first = _applied(source, [print_term(some_value(each.result) or self.model[each.name]) for each in gone])
            body.insert(0, _applied(source, _names(gone)))
            lines += [
                f"(declare-fun {source} ({_sorts(gone)}) Bool)",
                f"(assert (forall (({tag} Int)) (=> (> {tag} 0) {first})))",
                f"(assert {_closed(gone, f'(=> {first} {body[0]})')})",
            ]
        rule = f"(=> (and {' '.join(body)}) {state('0', _names(rest))})"
        lines.append(f"(assert {_closed(problem.functions, rule)})")
        if form.has_second_rule:
            second = state(tag, _texts(rest, values))
            lines.append(f"(assert (forall (({tag} Int)) (=> (> {tag} 0) {second})))")
        before = state("0", _names(rest) if form.has_any_state else _texts(rest, self.model))
        lines += [f"(assert {_closed(rest, f'(=> (and {before} {last}) false)')})", "(check-sat)"]
        header = [f"(set-info :status {status})"] if status else []
        header += map(print_datatypes, problem.datatypes)
        return parse.parse("\n".join(["(set-logic HORN)", *header, *lines]), "the system")


def _texts(functions: Sequence[Function], values: Values) -> list[str]:
    return [print_term(values[each.name]) for each in functions]


def _names(functions: Sequence[Function]) -> list[str]:
    return [quoted(function.name) for function in functions]


def _sorts(functions: Sequence[Function]) -> str:
    return " ".join(str(function.result) for function in functions)


def _applied(predicate: str, arguments: Sequence[str]) -> str:
    return f"({predicate} {' '.join(arguments)})" if arguments else predicate


def _closed(functions: Sequence[Function], formula: str) -> str:
    bound = " ".join(f"({quoted(each.name)} {each.result})" for each in functions)
    return f"(forall ({bound}) {formula})" if bound else formula
