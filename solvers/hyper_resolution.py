"""The facts through which Spacer reached false, from the hyper-resolution proof of its fixedpoint interface.

`(set-logic HORN)` gives no proof (5.4.0), `Fixedpoint.get_answer` does: ground facts in the order of their derivation,
without the values of the rules' variables (spacer_sat_answer.cpp; Z3 issue 4863).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import z3
from chcfuzz.grammar.printer import print_system, print_term
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import fresh_name
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog

# With these transforms the proof speaks of fewer predicates than the system has.
TRANSFORMS_OFF = {
    f"xform.{name}": False for name in ("inline_eager", "inline_linear", "slice", "subsumption_checker", "coi")
}


@dataclass(frozen=True)
class Derived:
    """A ground atom as SMT-LIB text (None: false), and the numbers of those it follows from."""

    fact: str | None
    premises: tuple[int, ...]


@dataclass(frozen=True)
class Answer:
    """Spacer's answer with its transforms off; `derived` ends with false, or is empty where there is no proof."""

    status: Status
    reason: str
    derived: tuple[Derived, ...] = ()


def facts(system: System, rlimit: int, watchdog: Watchdog) -> Answer:
    """Solve a system with Spacer's transforms off, and read its proof of false. Never raises for what Z3 does."""
    context = z3.Context()
    with watchdog.guard(context):
        try:
            return _solved(system, rlimit, context)
        except z3.Z3Exception as error:
            return Answer(Status.ERROR, str(error))


def _solved(system: System, rlimit: int, context: Any) -> Answer:
    false = fresh_name("false!", {predicate.name for predicate in system.predicates})
    declarations = print_system(system.with_clauses(())).splitlines()
    text = [line for line in declarations if line.startswith("(declare")]
    text += [f"(declare-fun {false} () Bool)", *(_rule(clause, false) for clause in system.clauses)]
    rules = z3.parse_smt2_string("\n".join(text), ctx=context)
    solver = z3.Fixedpoint(ctx=context)
    solver.set(engine="spacer", rlimit=rlimit, ctrl_c=False, **TRANSFORMS_OFF)
    query = z3.Bool(false, context)
    predicates = {false: query.decl()} | {p.name(): p for rule in rules for p in _predicates(rule)}
    for predicate in predicates.values():
        solver.register_relation(predicate)
    for rule in rules:
        solver.add_rule(rule)
    answer = solver.query(query)
    if answer == z3.unknown:
        return Answer(Status.UNKNOWN, str(solver.reason_unknown()))
    if answer == z3.unsat:  # of the query: false is not reachable
        return Answer(Status.SAT, "")
    return Answer(Status.UNSAT, "", _derived(solver.get_answer(), false, predicates))


def _derived(proof: Any, false: str, predicates: dict[str, Any]) -> tuple[Derived, ...]:
    """The steps of a proof, each after those it follows from; none if the proof does not say what we look for."""
    last = proof
    while _fact(last, predicates) != false:  # Spacer goes on from our false to its own
        following = [child for child in last.children() if _is_step(child)]
        if not following:
            return ()
        last = following[0]
    numbers: dict[str, int] = {}
    found: list[Derived] = []
    open_steps = [last]
    while open_steps:
        step = open_steps[-1]
        premises = {_fact(child, predicates): child for child in step.children()[1:-1]}
        premises.pop("", None)
        missing = [child for fact, child in premises.items() if fact not in numbers]
        if missing:
            open_steps += missing
            continue
        fact = _fact(step, predicates)
        if fact not in numbers:
            numbers[fact] = len(numbers)
            found.append(Derived(None if fact == false else fact, tuple(numbers[p] for p in premises)))
        open_steps.pop()
    return tuple(found)


def _fact(step: Any, predicates: dict[str, Any]) -> str:
    """What a proof step concludes, as text; nothing if that is no ground atom of the system."""
    fact = step.children()[-1] if step.num_args() else step
    return re.sub(r"\s+", " ", fact.sexpr()) if z3.is_app(fact) and fact.decl().name() in predicates else ""


def _is_step(term: Any) -> bool:
    return bool(z3.is_app(term)) and term.decl().name() == "hyper-res"


def _predicates(rule: Any) -> Iterator[Any]:
    if z3.is_quantifier(rule):
        yield from _predicates(rule.body())
    elif z3.is_app(rule):
        if z3.is_bool(rule) and rule.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            yield rule.decl()
        for child in rule.children():
            yield from _predicates(child)


def _rule(clause: Clause, false: str) -> str:
    """The clause with a predicate in its head, as the fixedpoint interface wants it."""
    members = [print_term(member) for member in clause.body]
    if clause.is_query:
        members.append(f"(not {print_term(clause.head)})")
    head = false if clause.is_query else print_term(clause.head)
    rule = f"(=> (and true {' '.join(members)}) {head})"
    bound = " ".join(f"({print_term(variable)} {variable.sort})" for variable in clause.variables)
    return f"(assert (forall ({bound}) {rule}))" if bound else f"(assert {rule})"
