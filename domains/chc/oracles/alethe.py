"""Check an Alethe proof of unsat as Golem prints it (`--proof-format=alethe`): each step must follow from its premises.

    (assume t0 (! (forall ((x Int)) (loop x)) :named @a0))
    (step t1 (cl (or (not @a0) (loop 1))) :rule forall_inst :args (1))
    (step t2 (cl (not @a0) (loop 1)) :rule or :premises (t1))

An assumption must be a clause of the system. A step is a disjunction, and Z3 must show that it follows from its
premises under every interpretation of the predicates. The rule of a step, which requires more than that, is ignored. A
step that is reported as wrong is therefore wrong under every rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import z3
from chcfuzz.domains.chc.solvers.derivation import expressions
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printing.printer import print_datatypes
from chcfuzz.grammar.reading.parse import parse_term
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import System
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.model_text import pieces
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_errors import message as error_message

_UNKNOWN = "unknown constant"
_MOST_EXPANDED = 1_000_000  # characters, with every name replaced by its term


@dataclass(frozen=True)
class CheckedProof:
    """The result of a check: `steps` is the number of correct steps.

    If `wrong`, a step does not follow, and `evidence` is satisfiable or uses an undeclared name. `message`
    describes the wrong step, or the reason why the check is undecided; it is empty for a correct proof. `fault` is the
    class of a wrong step.
    """

    steps: int
    message: str = ""
    wrong: bool = False
    evidence: str = ""
    fault: str = FaultClass.STEP


def check(system: System, text: str, rlimit: int, watchdog: Watchdog) -> CheckedProof:
    """Check a proof with at most `rlimit` for each step. Never raises because of Z3."""
    formulas = {clause.formula for clause in system.clauses}
    declared = "".join(f"{print_datatypes(group)}\n" for group in system.datatypes)
    for predicate in system.predicates:
        declared += f"(declare-fun {quoted(predicate.name)} ({' '.join(map(str, predicate.parameters))}) Bool)\n"
    prover = _Prover(declared, rlimit, watchdog)
    named: dict[str, str] = {}
    known: dict[str, str] = {}  # the formula of each step
    last = ""
    for number, (label, parts) in enumerate(_steps(text)):
        try:
            formula, premises = _formula(parts, named)
        except (ValueError, IndexError):
            return CheckedProof(number, f"step {label} cannot be read")
        if sum(map(len, named.values())) > _MOST_EXPANDED:
            return CheckedProof(number, f"its terms are longer than {_MOST_EXPANDED} characters without names")
        if parts[0] == "assume":
            try:
                if parse_term(formula, (), system) not in formulas:
                    return CheckedProof(number, f"assumption {label} is not found among the clauses")
            except ChcfuzzError as error:
                return CheckedProof(number, f"assumption {label}: {error}")
        else:
            absent = [premise for premise in premises if premise not in known]
            if absent:
                message = f"step {label} follows from {absent[0]}, which is not before it"
                return CheckedProof(number, message, wrong=True, fault=FaultClass.ALETHE_ORDER)
            found = prover.rejects(label, _rule(parts), formula, [known[premise] for premise in premises])
            if found is not None:
                return replace(found, steps=number)
        known[label] = last = formula
    if last != "false":
        return CheckedProof(len(known), "the last step is not the empty clause", wrong=True)
    return CheckedProof(len(known))


@dataclass(frozen=True)
class _Prover:
    """Z3 with the declarations of a system, and the limits of a query."""

    declared: str
    rlimit: int
    watchdog: Watchdog

    def rejects(self, label: str, rule: str, formula: str, premises: list[str]) -> CheckedProof | None:
        """Return None if a step follows, and otherwise the reason why it does not, or why that is unknown."""
        label, rule = f"{label} ({rule})", _without_numbers(rule)
        script = (
            self.declared + "".join(f"(assert {premise})\n" for premise in premises) + f"(assert (not {formula}))\n"
        )
        evidence = f"; Step {label} does not follow: what it names and its negation are satisfiable.\n(set-logic ALL)\n"
        evidence += f"{script}(check-sat)\n"
        context = z3.Context()
        with self.watchdog.guard(context):
            solver = z3.Solver(ctx=context)
            solver.set("rlimit", self.rlimit)
            try:
                solver.from_string(script)
                answer = solver.check()
            except z3.Z3Exception as error:
                why = error_message(error)
                if _UNKNOWN not in why:
                    return CheckedProof(0, f"step {label}: Z3 raises: {why}")
                name = why.partition(_UNKNOWN)[2].split('"')[0].strip()
                message = f"step {label} names {name}, which nothing declares"
                return CheckedProof(0, message, True, evidence, FaultClass.ALETHE_NAME.of(rule, _without_numbers(name)))
        if answer == z3.unsat:
            return None
        if answer == z3.sat:
            message = f"step {label} does not follow from what it names"
            return CheckedProof(0, message, True, evidence, FaultClass.ALETHE_STEP.of(rule))
        return CheckedProof(0, f"Z3 does not decide whether step {label} follows")


def _steps(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the label of each command and its other parts."""
    for piece in pieces(text):
        parts = expressions(piece[1:-1])
        if len(parts) > 2 and parts[0] in ("assume", "step"):
            yield parts[1], [parts[0], *parts[2:]]


def _formula(parts: list[str], named: dict[str, str]) -> tuple[str, list[str]]:
    """Return the formula of a command, with names replaced, and the labels of its premises."""
    if parts[0] == "assume":
        return _expanded(parts[1], named), []
    literals = [_expanded(literal, named) for literal in expressions(parts[1][1:-1])[1:]]
    premises = expressions(parts[parts.index(":premises") + 1][1:-1]) if ":premises" in parts else []
    return f"(or {' '.join(literals)})" if len(literals) > 1 else literals[0] if literals else "false", premises


def _without_numbers(name: str) -> str:
    return re.sub(r"\bt\d+|/?\d+", "0", name)


def _rule(parts: list[str]) -> str:
    return parts[parts.index(":rule") + 1] if ":rule" in parts[:-1] else "no rule"


def _expanded(text: str, named: dict[str, str]) -> str:
    """Return a term with names replaced by their terms; record the names that it introduces."""
    if not text.startswith("("):
        return named.get(text, text)
    parts = expressions(text[1:-1])
    if parts and parts[0] == "!" and len(parts) == 4 and parts[2] == ":named":
        named[parts[3]] = _expanded(parts[1], named)
        return named[parts[3]]
    return f"({' '.join(_expanded(part, named) for part in parts)})"
