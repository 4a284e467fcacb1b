"""The facts through which Spacer reached false, from the hyper-resolution proof of its fixedpoint interface.

`(set-logic HORN)` gives no proof (5.4.0), `Fixedpoint.get_answer` does: ground facts in the order of their derivation,
without the values of the rules' variables (spacer_sat_answer.cpp; Z3 issue 4863).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import z3
from chcfuzz.domains.chc.solvers.derivation import Derived
from chcfuzz.grammar.printing.printer import print_datatypes, print_term
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import Clause, System
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_errors import OUT_OF_RESOURCES, message

# With these transforms the proof speaks of fewer predicates than the system has.
TRANSFORMS_OFF = {
    f"xform.{name}": False for name in ("inline_eager", "inline_linear", "slice", "subsumption_checker", "coi")
}


@dataclass(frozen=True)
class HyperResolutionAnswer:
    """Spacer's answer with its transforms off; `derived` ends with false, or is empty without a proof."""

    status: Status
    reason: str
    derived: tuple[Derived, ...] = ()


def facts(system: System, rlimit: int, watchdog: Watchdog) -> HyperResolutionAnswer:
    """Solve a system with Spacer's transforms off, and read its proof of false. Never raises for what Z3 does."""
    context = z3.Context(rlimit=rlimit)
    with watchdog.guard(context):
        try:
            return _solved(system, context)
        except z3.Z3Exception as error:
            reason = message(error)
            return HyperResolutionAnswer(Status.LIMIT if reason in OUT_OF_RESOURCES else Status.ERROR, reason)


def _solved(system: System, context: Any) -> HyperResolutionAnswer:
    asked = Question(system, context, engine="spacer", **TRANSFORMS_OFF)
    answer = asked.answer()
    if answer.status is not Status.UNSAT:
        return answer
    return HyperResolutionAnswer(Status.UNSAT, "", _derived(asked.solver.get_answer(), asked.false, asked.predicates))


class Question:
    """A query to Z3's fixedpoint interface: whether false, the head of every query clause, is reachable.

    The context has the resource limit, because this interface lacks one in older releases.
    """

    def __init__(self, system: System, context: Any, **settings: Any) -> None:
        taken = {predicate.name for predicate in system.predicates} | system.signature.keys()
        self.false = fresh_name("false!", taken)
        text = [print_datatypes(group) for group in system.datatypes]
        for declared in system.predicates:
            text.append(f"(declare-fun {quoted(declared.name)} ({' '.join(map(str, declared.parameters))}) Bool)")
        text += [f"(declare-fun {self.false} () Bool)", *(_rule(clause, self.false) for clause in system.clauses)]
        reader = z3.Solver(ctx=context)  # `parse_smt2_string` has sorts of its own, `List` among them
        reader.from_string("\n".join(text))
        rules = reader.assertions()
        self.solver = z3.Fixedpoint(ctx=context)
        self.solver.set(ctrl_c=False, **settings)
        self._query = z3.Bool(self.false, context)
        self.predicates = {self.false: self._query.decl(), **_predicates(rules)}
        for predicate in self.predicates.values():
            self.solver.register_relation(predicate)
        for rule in rules:
            self.solver.add_rule(rule)

    def answer(self) -> HyperResolutionAnswer:
        """Return the answer of `(set-logic HORN)`, which is the opposite of this interface's."""
        answer = self.solver.query(self._query)
        if answer == z3.unknown:
            reason = str(self.solver.reason_unknown())
            return HyperResolutionAnswer(Status.LIMIT if reason in OUT_OF_RESOURCES else Status.UNKNOWN, reason)
        return HyperResolutionAnswer(Status.SAT if answer == z3.unsat else Status.UNSAT, "")


def _derived(proof: Any, false: str, predicates: dict[str, Any]) -> tuple[Derived, ...]:
    """Return the steps of a proof in an order of inference; empty if the proof lacks them."""
    last = proof
    while _fact(last, predicates) != false:  # Spacer continues from this false to its own
        following = [child for child in last.children() if _is_step(child)]
        if not following:
            return ()
        last = following[0]
    numbers: dict[str, int] = {}
    found: list[Derived] = []
    open_steps = [last]
    while open_steps:
        step = open_steps[-1]
        premises = _premises(step, predicates)
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


def _premises(step: Any, predicates: dict[str, Any]) -> dict[str, Any]:
    """Return the premises of a step, by their facts.

    Z3 names a disjunction in a body by a predicate: the premises of its steps replace them.
    """
    found: dict[str, Any] = {}
    seen: set[int] = set()
    stack = step.children()[-2:0:-1]
    while stack:
        child = stack.pop()
        fact = _fact(child, predicates)
        if fact:
            found[fact] = child
        elif _is_step(child) and child.get_id() not in seen:
            seen.add(child.get_id())
            stack += child.children()[-2:0:-1]
    return found


def _fact(step: Any, predicates: dict[str, Any]) -> str:
    """Return the conclusion of a proof step as text; empty unless it is a ground atom of the system."""
    children = step.children()
    fact = children[-1] if children else step
    return str(fact.sexpr()) if z3.is_app(fact) and fact.decl().name() in predicates else ""


def _is_step(term: Any) -> bool:
    return bool(z3.is_app(term)) and term.decl().name() == "hyper-res"


def _predicates(rules: Iterable[Any]) -> dict[str, Any]:
    """Return the uninterpreted predicates in the rules, by name."""
    found: dict[str, Any] = {}
    seen: set[int] = set()
    stack = list(rules)
    while stack:
        term = stack.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        if z3.is_app(term) and z3.is_bool(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found[term.decl().name()] = term.decl()
        stack += term.children()  # of a quantifier: its body
    return found


def _rule(clause: Clause, false: str) -> str:
    """Return the clause with a predicate in its head, as the fixedpoint interface requires."""
    members = [print_term(member) for member in clause.body]
    if clause.is_query:
        members.append(f"(not {print_term(clause.head)})")
    head = false if clause.is_query else print_term(clause.head)
    rule = f"(=> (and true {' '.join(members)}) {head})"
    bound = " ".join(f"({print_term(variable)} {variable.sort})" for variable in clause.variables)
    return f"(assert (forall ({bound}) {rule}))" if bound else f"(assert {rule})"
