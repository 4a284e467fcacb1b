"""An Alethe proof of unsat, as Golem prints one (`--proof-format=alethe`): does each step follow from those it names?

    (assume t0 (! (forall ((x Int)) (loop x)) :named @a0))
    (step t1 (cl (or (not @a0) (loop 1))) :rule forall_inst :args (1))
    (step t2 (cl (not @a0) (loop 1)) :rule or :premises (t1))

An assumption has to be a clause of the system. A step is a disjunction, and Z3 has to show that it follows from its
premises, whatever the predicates are; its rule, which asks for more than that, is not looked at. So a step that is
called wrong here follows by no rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import z3
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.parse import parse_term
from chcfuzz.grammar.printer import print_datatypes
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import System
from chcfuzz.solvers.derivation import expressions
from chcfuzz.solvers.model_text import pieces
from chcfuzz.solvers.spacer import message
from chcfuzz.solvers.watchdog import Watchdog

_UNKNOWN = "unknown constant"
_MOST_EXPANDED = 1_000_000  # characters, with what is named written out


@dataclass(frozen=True)
class Checked:
    """`steps` were found right. If `wrong`, one is not, and `evidence` is satisfiable, or names what nothing declares.

    Otherwise `words` say why nobody could tell; empty where all are right and the last is the empty clause.
    """

    steps: int
    words: str = ""
    wrong: bool = False
    evidence: str = ""


def check(system: System, text: str, rlimit: int, watchdog: Watchdog) -> Checked:
    """Check a proof, at most `rlimit` for each step. Never raises for what Z3 does."""
    formulas = {clause.formula for clause in system.clauses}
    declared = "".join(f"{print_datatypes(group)}\n" for group in system.datatypes)
    for predicate in system.predicates:
        declared += f"(declare-fun {quoted(predicate.name)} ({' '.join(map(str, predicate.parameters))}) Bool)\n"
    named: dict[str, str] = {}
    known: dict[str, str] = {}  # what each step says, as a formula
    last = ""
    for number, (label, parts) in enumerate(_steps(text)):
        try:
            said, premises = _said(parts, named)
        except (ValueError, IndexError):
            return Checked(number, f"step {label} cannot be read")
        if sum(map(len, named.values())) > _MOST_EXPANDED:
            return Checked(number, "its names stand for too much")
        if parts[0] == "assume":
            try:
                if parse_term(said, (), system) not in formulas:
                    return Checked(number, f"assumption {label} is not found among the clauses")
            except ChcfuzzError as error:
                return Checked(number, f"assumption {label}: {error}")
        else:
            absent = [premise for premise in premises if premise not in known]
            if absent:
                return Checked(number, f"step {label} follows from {absent[0]}, which is not before it", wrong=True)
            name = f"{label} ({_rule(parts)})"
            found = _follows(declared, name, said, [known[premise] for premise in premises], rlimit, watchdog)
            if found is not None:
                return Checked(number, found.words, found.wrong, found.evidence)
        known[label] = last = said
    if last != "false":
        return Checked(len(known), "the last step is not the empty clause", wrong=True)
    return Checked(len(known))


def _follows(
    declared: str, label: str, said: str, premises: list[str], rlimit: int, watchdog: Watchdog
) -> Checked | None:
    """None where a step follows; else what speaks against it."""
    script = declared + "".join(f"(assert {premise})\n" for premise in premises) + f"(assert (not {said}))\n"
    told = f"; Step {label} does not follow: what it names and its negation are satisfiable.\n(set-logic ALL)\n"
    told += f"{script}(check-sat)\n"
    context = z3.Context()
    with watchdog.guard(context):
        solver = z3.Solver(ctx=context)
        solver.set("rlimit", rlimit)
        try:
            solver.from_string(script)
            answer = solver.check()
        except z3.Z3Exception as error:
            why = message(error)
            if _UNKNOWN not in why:
                return Checked(0, f"step {label}: Z3 raises: {why}")
            name = why.partition(_UNKNOWN)[2].split('"')[0].strip()
            return Checked(0, f"step {label} names {name}, which nothing declares", wrong=True, evidence=told)
    if answer == z3.unsat:
        return None
    if answer == z3.sat:
        return Checked(0, f"step {label} does not follow from what it names", wrong=True, evidence=told)
    return Checked(0, f"nobody can tell whether step {label} follows")


def _steps(text: str) -> Iterator[tuple[str, list[str]]]:
    """The parts of each command, after its label."""
    for piece in pieces(text):
        parts = expressions(piece[1:-1])
        if len(parts) > 2 and parts[0] in ("assume", "step"):
            yield parts[1], [parts[0], *parts[2:]]


def _said(parts: list[str], named: dict[str, str]) -> tuple[str, list[str]]:
    """What a command says, as a formula without names of its own, and the labels of its premises."""
    if parts[0] == "assume":
        return _expanded(parts[1], named), []
    literals = [_expanded(literal, named) for literal in expressions(parts[1][1:-1])[1:]]
    premises = expressions(parts[parts.index(":premises") + 1][1:-1]) if ":premises" in parts else []
    return f"(or {' '.join(literals)})" if len(literals) > 1 else literals[0] if literals else "false", premises


def _rule(parts: list[str]) -> str:
    return parts[parts.index(":rule") + 1] if ":rule" in parts[:-1] else "no rule"


def _expanded(text: str, named: dict[str, str]) -> str:
    """A term with what its names stand for; takes note of those that it gives."""
    if not text.startswith("("):
        return named.get(text, text)
    parts = expressions(text[1:-1])
    if parts and parts[0] == "!" and len(parts) == 4 and parts[2] == ":named":
        named[parts[3]] = _expanded(parts[1], named)
        return named[parts[3]]
    return f"({' '.join(_expanded(part, named) for part in parts)})"
