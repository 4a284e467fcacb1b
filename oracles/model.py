"""The model, clause by clause: a negated clause must be unsatisfiable under it.

Two steps, because a false alarm costs more than a missed bug. First every clause is evaluated under the model in the
context that made it, one solver for all, and what evaluation leaves open is decided there. Only if a clause fails is it
written down as plain SMT-LIB (the model as `define-fun`s, the clause negated: the community's rule for models of CHC
systems), and a fresh context has to find that satisfiable, at values at which our own evaluator does not find it true.
"""

from __future__ import annotations

import re

import z3
from chcfuzz.grammar.printer import print_datatypes, print_term
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import System
from chcfuzz.oracles import counterexample
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome
from chcfuzz.solvers.spacer import Model

_GIVE_UP_AFTER = 3  # clauses that could not be decided


def check(system: System, outcome: Outcome, rlimit: int) -> Verdict:
    """Check the outcome's model, at most `rlimit` a clause; PASS if every clause holds under it.

    UNDECIDED if there is no model, a clause could not be decided, or the two steps disagree.
    """
    model = outcome.model
    if model is None:
        return Verdict("model", VerdictKind.UNDECIDED, "no model")
    try:
        return _checked(system, model, rlimit)
    except z3.Z3Exception as error:
        return Verdict("model", VerdictKind.UNDECIDED, f"Z3 raises: {error}")


def _checked(system: System, model: Model, rlimit: int) -> Verdict:
    solver = z3.Solver(ctx=model.context)
    solver.set("rlimit", rlimit)
    undecided: list[str] = []
    for number, assertion in enumerate(model.assertions):
        value = model.model.eval(assertion, model_completion=True)
        if z3.is_true(value):
            continue
        solver.push()
        solver.add(z3.Not(value))
        answer = solver.check()
        if answer == z3.sat:
            return _confirmed(system, model, number, rlimit)
        solver.pop()
        if answer == z3.unknown:
            undecided.append(f"clause {number + 1}: {solver.reason_unknown()}")
            if len(undecided) == _GIVE_UP_AFTER:
                break
    if undecided:
        return Verdict("model", VerdictKind.UNDECIDED, "; ".join(undecided))
    return Verdict("model", VerdictKind.PASS)


def _confirmed(system: System, model: Model, number: int, rlimit: int) -> Verdict:
    """The clause fails by evaluation: see whether it fails as a script in a fresh context too."""
    script = evidence(system, model, number)
    solver = z3.Solver(ctx=z3.Context())
    solver.set("rlimit", 10 * rlimit)
    solver.from_string(script)
    answer = solver.check()
    if answer != z3.sat:
        return Verdict(
            "model", VerdictKind.UNDECIDED, f"clause {number + 1} fails by evaluation, its script is {answer}"
        )
    clause = system.clauses[number]
    values = counterexample.completed(system, clause.variables, counterexample.values_of(solver.model()))
    if values is None:
        return Verdict("model", VerdictKind.WRONG_MODEL, f"clause {number + 1} is false under the model", script)
    at = counterexample.words(values)
    if counterexample.truth(system, definitions(system, model), clause, values):
        told = f"Z3 finds clause {number + 1} false at {at}, our evaluator finds it true"
        return Verdict("model", VerdictKind.UNDECIDED, told)
    where = f" at {at}" if at else ""
    return Verdict("model", VerdictKind.WRONG_MODEL, f"clause {number + 1} is false under the model{where}", script)


def evidence(system: System, model: Model, number: int) -> str:
    """Plain SMT-LIB that is satisfiable exactly if the clause is false under the model for some values."""
    clause = system.clauses[number]
    lines = [f"; The model, and the negation of clause {number + 1}: satisfiable, so the model is wrong."]
    lines += [print_datatypes(group) for group in system.datatypes]
    lines += definitions(system, model)
    variables = clause.variables
    lines += [f"(declare-const {quoted(v.name)} {v.sort})" for v in variables]
    for member in clause.body:
        lines.append(f"(assert {print_term(member)})")
    lines.append(f"(assert (not {print_term(clause.head)}))")
    return "\n".join([*lines, "(check-sat)", "(get-model)", ""])


def definitions(system: System, model: Model) -> list[str]:
    """A `define-fun` for each predicate, and for what they use before it."""
    lines = _ordered(model.definitions)
    defined = model.defined
    for predicate in system.predicates:  # what a model does not mention may be anything: Z3 prints no false ones
        if predicate.name not in defined:
            parameters = " ".join(f"(x!{i} {sort})" for i, sort in enumerate(predicate.parameters))
            lines.append(f"(define-fun {quoted(predicate.name)} ({parameters}) Bool false)")
    return lines


def _ordered(text: str) -> list[str]:
    """Definitions, each after those that it uses (Z3 prints auxiliary functions in any order)."""
    found = {_name(piece): piece for piece in _top_level(text)}
    ordered: list[str] = []

    def add(name: str) -> None:
        definition = found.pop(name)
        for used in sorted(set(_SYMBOL.findall(definition)) & set(found)):
            if used in found:
                add(used)
        ordered.append(definition)

    while found:
        add(next(iter(found)))
    return ordered


_SYMBOL = re.compile(r"\|[^|]*\||[^\s()|]+")


def _name(definition: str) -> str:
    return str(_SYMBOL.findall(definition)[1])


def _top_level(text: str) -> list[str]:
    """The parenthesized expressions of a text, quoted symbols respected."""
    pieces, depth, start, quote = [], 0, 0, False
    for position, character in enumerate(text):
        if character == "|":
            quote = not quote
        elif quote:
            continue
        elif character == "(":
            if depth == 0:
                start = position
            depth += 1
        elif character == ")":
            depth -= 1
            if depth == 0:
                pieces.append(text[start : position + 1])
    return pieces
