"""Interpolants of quantified formulas by instances, as CSIsat with quantifiers computes them.

cvc5 proves the problem unsatisfiable and lists the terms by which it instantiated each quantifier. The ground
instances, without mixed terms (`purification`), go to a ground solver, and its interpolant gets quantifiers for the new
constants. Each stage may end the computation; the outcome has its reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import cvc5
from chcfuzz.domains.interpolation.solvers.instance_choice import Instance, needed, simplified
from chcfuzz.domains.interpolation.solvers.interpolator import Interpolator, refusal, with_features
from chcfuzz.domains.interpolation.solvers.purification import Purification
from chcfuzz.domains.interpolation.solvers.selection import NEEDED_ONLY, SIMPLIFY
from chcfuzz.domains.interpolation.solvers.skolem import Skolemization
from chcfuzz.domains.smt.solvers.engine import one_line
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.interpolation.grouped import Interpolation, symbols_of
from chcfuzz.grammar.interpolation.splitting import members
from chcfuzz.grammar.printing.printer import print_problem, print_term
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.reading.parse import parse_term
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.terms import Function, Quantifier, Term, Variable
from chcfuzz.solvers.model_text import members as words_in
from chcfuzz.solvers.model_text import pieces
from chcfuzz.solvers.outcome import Outcome, Status, texts_of
from chcfuzz.tracing.source import Parameters

NAME = "instances"
_OPTIONS = (
    ("enum-inst", "true"),
    ("print-inst-full", "true"),
    ("dag-thresh", "0"),
    ("produce-models", "false"),
    ("arrays-exp", "true"),
    # cvc5 otherwise replaces quantifiers by formulas without them, or by others, before it has instances:
    ("miniscope-quant", "off"),
    ("var-elim-quant", "false"),
    ("var-ineq-elim-quant", "false"),
    ("cond-var-split-quant", "off"),
    ("dt-var-exp-quant", "false"),
    ("quant-dsplit", "none"),
    ("ite-lift-quant", "none"),
)
_UNITS = 10  # of the ground solver for one of cvc5
_PREFIX = "inst"
_MOST_INSTANCES = 2000


@dataclass(frozen=True)
class _Part:
    """A conjunct of a side, 0 or 1, without quantifiers; `variables` are universal."""

    side: int
    variables: tuple[Variable, ...]
    body: Term


class _StageError(ChcfuzzError):
    """A stage that cannot continue."""

    def __init__(self, status: Status, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Instances(Interpolator):
    """Interpolation of pairs by quantifier instances, with another interpolator for ground problems."""

    def __init__(self, ground: Interpolator, name: str = NAME, settings: Sequence[tuple[str, str]] = ()) -> None:
        """Let `ground` interpolate the instances; `settings` are some of `SETTINGS`."""
        self.name = name
        self._settings = tuple(settings)
        self.version = str(cvc5.__version__)
        self._ground = ground

    def interpolate(self, interpolation: Interpolation, parameters: Parameters, rlimit: int) -> Outcome:
        """Return an interpolant with quantifiers; see `Interpolator.interpolate`."""
        if interpolation.cuts != 1:
            return refusal("only pairs are supported")
        try:
            return self._interpolated(interpolation, parameters, rlimit)
        except _StageError as error:
            return replace(refusal(str(error)), status=error.status)
        except ChcfuzzError as error:
            return refusal(str(error))

    def _interpolated(self, problem: Interpolation, parameters: Parameters, rlimit: int) -> Outcome:
        own = dict((*self._settings, *parameters))
        skolem, parts = _parts(problem)
        printed = _proved(_numbered(problem, skolem, parts), rlimit // _UNITS)
        instances = list(_instances(problem, skolem, parts, printed))
        if len(instances) > _MOST_INSTANCES:
            raise _StageError(Status.UNSUPPORTED, f"{len(instances)} instances; {_MOST_INSTANCES} are interpolated")
        axioms = symbols_of(*problem.axiom_formulas)
        sides = ([part.body for part in parts if part.side == side] for side in (0, 1))
        a, b = (symbols_of(*formulas) | axioms for formulas in sides)
        functions = (*problem.functions, *skolem)
        instances = self._chosen(replace(problem.problem, functions=functions), instances, parts, own, rlimit)
        pure = Purification((a, b), {function.name for function in functions})
        ground = [(side, pure.pure(term, side)) for side, term in instances]
        ground += [(side, term) for side in (0, 1) for term in pure.definitions[side]]
        reading = replace(problem.problem, functions=(*functions, *pure.constants), info=(), options=())
        stated = reading.with_assertions([Assertion(term) for _, term in ground])
        pair = Interpolation.of(stated, [side for side, _ in ground])
        if pair.cuts != 1:
            raise _StageError(Status.UNKNOWN, "one side has no instances")
        outcome = self._ground.interpolate(pair, (), rlimit)
        if outcome.status is Status.SAT:
            raise _StageError(Status.UNKNOWN, "the instances are not enough")
        if outcome.status is not Status.UNSAT:
            return replace(outcome, reason=f"the ground solver: {outcome.reason}")
        interpolant = pure.quantified(parse_term(texts_of(outcome)[0], (), pair.problem))
        return with_features(outcome, (print_term(interpolant),), outcome.trace)

    def _chosen(
        self,
        stated: Problem,
        instances: Sequence[Instance],
        parts: Sequence[_Part],
        own: Mapping[str, str],
        rlimit: int,
    ) -> list[Instance]:
        """Return the instances after the settings `own`."""
        chosen, fixed = list(instances), sum(not part.variables for part in parts)
        if own.get(NEEDED_ONLY) == "true":
            chosen = needed(stated, chosen, fixed, rlimit // _UNITS)
        return simplified(stated, chosen) if own.get(SIMPLIFY) == "true" else chosen


def _parts(problem: Interpolation) -> tuple[list[Function], list[_Part]]:
    """Return the Skolem functions and the conjuncts of both sides; raises `ChcfuzzError` for quantifiers in terms."""
    skolemization = Skolemization({*problem.declared_names, *problem.signature})
    sides = enumerate(problem.sides(0))
    conjuncts = ((side, each) for side, formulas in sides for formula in formulas for each in members(formula))
    found = [_Part(side, *skolemization.matrix(conjunct)) for side, conjunct in conjuncts]
    return skolemization.functions, found


def _variable(number: int, place: int, variable: Variable) -> Variable:
    return Variable(f"{_PREFIX}!{number}!{place}", variable.sort)


def _numbered(problem: Interpolation, skolem: Sequence[Function], parts: Sequence[_Part]) -> str:
    """Return the script of all parts; a bound variable has the number of its part and its place in its name."""
    formulas = []
    for number, part in enumerate(parts):
        new = {old: _variable(number, place, old) for place, old in enumerate(part.variables)}
        body = substitute(part.body, new)
        formulas.append(Quantifier("forall", tuple(new.values()), body) if new else body)
    plain = replace(problem.problem, functions=(*problem.functions, *skolem), info=(), options=())
    return print_problem(plain.with_assertions([Assertion(formula) for formula in formulas]))


def _proved(script: str, rlimit: int) -> str:
    """Return the instantiations that cvc5 prints for a script that it finds unsatisfiable; raises `_StageError`."""
    solver = cvc5.Solver(cvc5.TermManager())
    for name, value in (*_OPTIONS, ("rlimit", str(rlimit))):
        solver.setOption(name, value)
    parser = cvc5.InputParser(solver)
    try:
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script.replace("(check-sat)", ""), "script")
        while not (command := parser.nextCommand()).isNull():
            printed = str(command.invoke(solver, parser.getSymbolManager())).strip()
            if printed.startswith("(error"):
                raise _StageError(Status.UNSUPPORTED, f"cvc5: {printed}")
        answer = solver.checkSat()
        if answer.isSat():
            raise _StageError(Status.SAT, "")
        if not answer.isUnsat():
            raise _StageError(Status.UNKNOWN, "cvc5 does not prove it")
        found = solver.getInstantiations()
    except RuntimeError as error:  # cvc5 raises no more specific class
        raise _StageError(Status.UNSUPPORTED, f"cvc5: {one_line(error)}") from error
    return found.decode() if isinstance(found, bytes) else str(found)


def _instances(
    problem: Interpolation, skolem: Sequence[Function], parts: Sequence[_Part], printed: str
) -> Iterator[tuple[int, Term]]:
    """Yield the ground conjuncts and the instances of the others, each with its side."""
    reading = replace(problem.problem, functions=(*problem.functions, *skolem))
    for part in parts:
        if not part.variables:
            yield part.side, part.body
    seen: set[tuple[int, Term]] = set()
    for block in pieces(printed):
        inside = pieces(block[1:-1])
        if not inside or not inside[0].startswith("(forall "):
            continue
        bound = pieces(inside[0][len("(forall ") : -1])[0]
        places = [(int(n), int(k)) for n, k in re.findall(rf"{_PREFIX}!(\d+)!(\d+)", bound)]
        for row in inside[1:]:
            values = words_in(row)
            if len(values) != len(places) or not places:
                continue
            part = parts[places[0][0]]
            try:
                terms = {
                    part.variables[k]: parse_term(v, (), reading) for (_, k), v in zip(places, values, strict=True)
                }
            except ChcfuzzError:
                continue  # a term of cvc5's own
            found = part.side, substitute(part.body, terms)
            if len(terms) == len(part.variables) and found not in seen:
                seen.add(found)
                yield found
