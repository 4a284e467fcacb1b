"""Bitwuzla as an interpolating solver in this process: `get_interpolants` gives sequences that are inductive.

Bitwuzla keeps a set of assertions. A formula that several groups assert counts for the first of them, which is right:
the interpolants for fewer assertions are interpolants for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import bitwuzla
from chcfuzz.domains.interpolation.solvers.interpolator import Interpolator, refusal, with_features
from chcfuzz.domains.smt.solvers.bitwuzla import UNITS_OF_A_CALL, Terminator, model_of, refused_options, statistics_of
from chcfuzz.domains.smt.solvers.engine import OUT_OF_MEMORY, Answer, one_line, with_own
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.printing.printer import print_problem, print_term
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.solver_names import is_allowed, is_harmless
from chcfuzz.tracing.source import Parameters

NAME = "bitwuzla"
_UNSUPPORTED = ("support", "mixed lemma", "cannot interpolate")


class BitwuzlaInterpolator(Interpolator):
    """Bitwuzla with settings of its own."""

    def __init__(
        self, settings: Sequence[tuple[str, str]] = (), name: str = NAME, has_self_checks: bool = False
    ) -> None:
        """Allow options with which Bitwuzla checks its own results only if `has_self_checks`."""
        self.name = name
        self.version = str(bitwuzla.version())
        self._settings = tuple(settings)
        self._is_settable = is_allowed if has_self_checks else is_harmless

    def interpolate(self, interpolation: Interpolation, parameters: Parameters, rlimit: int) -> Outcome:
        """Return Bitwuzla's interpolants; see `Interpolator.interpolate`."""
        if interpolation.is_tree:
            return refusal("trees of groups are not supported")
        answer = Answer()
        options = bitwuzla.Options()
        answer.left_out = refused_options(options, with_own(self._settings, parameters), self._is_settable)
        options.set(bitwuzla.Option.PRODUCE_INTERPOLANTS, True)
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
        terminator = Terminator(rlimit // UNITS_OF_A_CALL)
        interpolants: tuple[str, ...] = ()
        try:
            interpolants = _run(interpolation, options, terminator, answer)
        except MemoryError:
            answer.ends(Status.LIMIT, OUT_OF_MEMORY)
        except bitwuzla.BitwuzlaException as error:
            reason = one_line(error)
            is_refused = any(part in reason.lower() for part in _UNSUPPORTED)
            answer.ends(Status.UNSUPPORTED if is_refused else Status.ERROR, reason)
        answer.cost = terminator.calls * UNITS_OF_A_CALL
        outcome = answer.outcome
        return with_features(outcome, interpolants, outcome.trace)


def _run(interpolation: Interpolation, options: Any, terminator: Terminator, answer: Answer) -> tuple[str, ...]:
    """Read the problem, check it and return the interpolants."""
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    declarations = replace(interpolation.problem, assertions=(), info=(), options=())
    try:
        parser.parse(print_problem(declarations).replace("(check-sat)", ""), True, False)
        groups = _groups(interpolation, parser)
    except bitwuzla.BitwuzlaException as error:
        answer.ends(Status.UNSUPPORTED, one_line(error))
        return ()
    solver = parser.bitwuzla()
    solver.configure_terminator(terminator)
    for group in groups:
        for term in group:
            solver.assert_formula(term)
    found = solver.check_sat()
    if found == bitwuzla.Result.SAT:
        answer.ends(Status.SAT)
        answer.model = model_of(parser, solver)
        return ()
    if found != bitwuzla.Result.UNSAT:
        answer.ends(Status.LIMIT if terminator.has_stopped else Status.UNKNOWN)
        return ()
    if not all(groups[: interpolation.cuts]):
        answer.ends(Status.UNSUPPORTED, "a group repeats formulas of the groups before it")
        return ()
    interpolants = _interpolants(interpolation, solver, groups)
    answer.ends(Status.UNSAT)
    answer.statistics = statistics_of(solver)
    return tuple(map(str, interpolants))


def _groups(interpolation: Interpolation, parser: Any) -> list[list[Any]]:
    """Return the terms of each group, each in the first group that asserts it; axioms are a last one."""
    seen: set[Any] = set()
    groups = []
    for members in (*interpolation.groups, interpolation.axioms):
        terms = {}
        for member in members:
            term = parser.parse_term(print_term(interpolation.formulas[member]))
            if term.id() not in seen:
                seen.add(term.id())
                terms[term.id()] = term
        groups.append(list(terms.values()))
    return groups


def _interpolants(interpolation: Interpolation, solver: Any, groups: Sequence[Sequence[Any]]) -> list[Any]:
    return list(solver.get_interpolants([list(group) for group in groups[: interpolation.cuts]]))
