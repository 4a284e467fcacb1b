"""Spacer on rules that a question states: the cover of a rule, the states that it has reached, and ground facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import z3
from chcfuzz.domains.parts.solvers.z3_question import CORE, Z3Question
from chcfuzz.domains.parts.solvers.z3_search_calls import conclusion, proof_steps
from chcfuzz.solvers.z3_errors import message

_STATES, _COPIES = "chcfuzz!states", "chcfuzz!copies"
_SPACER = {
    "engine": "spacer",
    "xform.slice": False,
    "xform.inline_linear": False,
    "xform.inline_eager": False,
}


def _cover(asked: Z3Question) -> tuple[str, ...]:
    """Return Spacer's answer about a rule, its cover of the states that it derives, and those that it has reached.

    The formula is the body of the rule, and the other constants are its state. The query is whether a state is derived
    at which the formula is false with the model's values of the variables.
    """
    rest = _rest(asked)
    states = z3.Function(_STATES, *(each.sort() for each in rest), z3.BoolSort(asked.context))
    engine = _engine(asked)
    engine.register_relation(states)
    engine.declare_var(*(term for term, _ in asked.values))
    engine.rule(states(*rest), asked.formula)
    known = [pair for pair in asked.values if not any(pair[0].eq(each) for each in rest)]
    query = z3.And(states(*rest), z3.Not(z3.substitute(asked.formula, *known)))
    answer = engine.query(z3.Exists(rest, query) if rest else query)
    found = [engine.get_cover_delta(-1, states), _reached(engine, states, asked.context)]
    return (str(answer), *(str(z3.substitute_vars(each, *rest).sexpr()) for each in found))


def _ground(asked: Z3Question) -> tuple[str, ...]:
    """Return Spacer's answer about two rules, then each ground fact of its sequence, and of its refutation.

    The formula is the body of the first rule, and the second one copies its states. Before each fact is its source.
    """
    rest = _rest(asked)
    sorts = (*(each.sort() for each in rest), z3.BoolSort(asked.context))
    states, copies = (z3.Function(name, *sorts) for name in (_STATES, _COPIES))
    engine = _engine(asked)
    engine.register_relation(states, copies)
    engine.declare_var(*(term for term, _ in asked.values))
    engine.rule(states(*rest), asked.formula)
    engine.rule(copies(*rest), states(*rest))
    answer = engine.query(z3.Exists(rest, copies(*rest)) if rest else copies(*rest))
    if answer != z3.sat:
        return (str(answer),)
    steps = proof_steps(engine.get_answer())
    refuted = (fact for step in steps if not z3.is_false(fact := conclusion(step)))  # the last one refutes the query
    sources = (("refutation", refuted), ("answer", _conjuncts(engine.get_ground_sat_answer())))
    found = ((source, _as_state(fact, rest)) for source, facts in sources for fact in facts)
    return (str(answer), *(text for pair in found if pair[1] for text in pair))


def _as_state(fact: Any, rest: Sequence[Any]) -> str:
    """Return a ground fact as a formula about the state; empty for one about another predicate than the two."""
    if z3.is_false(fact):
        return "false"
    if not z3.is_app(fact) or fact.decl().name() not in (_STATES, _COPIES):
        return ""
    equations = [each == value for each, value in zip(rest, fact.children(), strict=True)]
    return str(z3.And(*equations).sexpr()) if equations else "true"


def _conjuncts(formula: Any) -> Sequence[Any]:
    return list(formula.children()) if z3.is_and(formula) else [formula]


def _rest(asked: Z3Question) -> Sequence[Any]:
    """Return the constants that are not eliminated."""
    eliminated = {each.get_id() for each in asked.variables}
    return [term for term, _ in asked.values if term.get_id() not in eliminated]


def _engine(asked: Z3Question) -> Any:
    """Return Spacer with all rules as they are."""
    engine = z3.Fixedpoint(ctx=asked.context)
    engine.set(**_SPACER)
    engine.set("rlimit", asked.query.rlimit)
    return engine


def _reached(engine: Any, states: Any, context: Any) -> Any:
    """Return the states that Spacer has reached: none where its facts have variables of their own, which it refuses."""
    try:
        return _reachable(engine, states, context)
    except z3.Z3Exception as error:
        if "not implemented" not in message(error):
            raise
        return z3.BoolVal(False, context)


def _reachable(engine: Any, states: Any, context: Any) -> Any:
    return z3.BoolRef(CORE.Z3_fixedpoint_get_reachable(context.ref(), engine.fixedpoint, states.ast), context)


CALLS: Mapping[str, Callable[[Z3Question], tuple[str, ...]]] = {"cover": _cover, "ground": _ground}
