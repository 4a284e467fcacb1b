r"""Steps in a text format that any PDR or IC3 solver can print, one step in a line.

::

    ; comments and other lines that begin with ";"
    (declare-fun q (Int) Bool)             a predicate that the solver introduced
    rule (forall ((x Int)) (=> (p x) (q x)))   a rule that it solves, instead of those of the file
    lemma p 2 (<= 0 p_0_n)                 excludes no fact with a derivation of height at most 2; `oo`: none at all
    obligation p 1 (< p_0_n 0) of 4        each state leads by one rule into the fourth step, an obligation
    fact p (= p_0_n 0)                     each state follows from earlier facts by one rule
    answer sat                             the answer; lemmas at level `oo` claim something only if it is sat or unsat

`p_i_n` is argument i of p, from 0, as in Spacer's log. Without rules, those of the file count; a clause with the head
`false` has the head `query!` then. Names with other characters are written between bars.

A solver that prints steps to its standard error may print other lines there, too: those that do not begin with one of
these words. If one of them has `p_i_n`, or looks like a step behind other output, it is a part of a step whose line was
broken, and the text is refused. A line that is broken inside its formula is an open step.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from chcfuzz.domains.chc.solver_steps.spacer_rules import RealRules
from chcfuzz.domains.chc.solver_steps.steps import Lemma, Obligation, ReachFact, SolverStep, level_of
from chcfuzz.grammar.errors import ChcfuzzError, GrammarError
from chcfuzz.grammar.horn import Shape
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.reading.sexpr import sexprs
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import FALSE, Atom, Predicate, Quantifier, Term, conjunction, implication, negation
from chcfuzz.solvers.outcome import Status

MOST_STEPS = 100_000
_ANSWERS = {f"answer {status.value}": status for status in (Status.SAT, Status.UNSAT, Status.UNKNOWN)}
_DECLARATIONS = ("(declare-fun ", "(declare-rel ")
_OWN = ("(declare-", "rule ", "lemma ", "obligation ", "fact ", "answer ")  # beginnings of lines
_STEP = re.compile(r"(?P<kind>lemma|obligation|fact) (?:\|(?P<quoted>[^|]*)\||(?P<plain>[^\s|]+)) (?P<rest>.+)")
_NAME = r"(\|[^|]*\||[^\s|()]+)"
_BROKEN = re.compile(rf"_\d+_n\b|\b(lemma|obligation) {_NAME} (\d{{1,9}}|oo) \S|\bfact {_NAME} (\(|true\b|false\b)")
_WITH_LEVEL = re.compile(r"(?P<level>\d{1,9}|oo) (?P<formula>.+)")
_WITH_PARENT = re.compile(r"(?P<formula>.+) of (?P<parent>\d{1,9})")


def own_lines(printed: str, name: str) -> str:
    """Return the standard error of a solver with only the lines of this format; others become empty.

    Raises `GrammarError` for another line with an argument of a predicate, or with a step behind other output, which
    has broken the line of the step: it would be missing, so that the numbers of later ones would be others.
    """
    found = []
    for number, line in enumerate(printed.split("\n"), 1):
        is_own = line.lstrip().startswith((*_OWN, ";"))
        if not is_own and _BROKEN.search(line):
            raise GrammarError(name, number, 1, "a part of a step, whose line other output has broken", line)
        found.append(line if is_own else "")
    return "\n".join(found)


def check_end(text: str, name: str) -> None:
    """Raise `GrammarError` if the last line of a file may be cut: a step without the end of its line."""
    number, last = text.count("\n") + 1, text.rpartition("\n")[2]
    if last.startswith(_OWN):
        raise GrammarError(name, number, 1, "the last line may be cut, as it does not end with a line break", last)


def read_steps(text: str, system: System, name: str) -> tuple[RealRules, tuple[SolverStep, ...], Status]:
    """Return the rules, the steps and the answer in a text about a system; raises `GrammarError` with the line."""
    steps: list[SolverStep] = []
    status = Status.UNKNOWN
    stated: dict[int, str] = {}  # declarations and rules, by their lines
    for number, line in enumerate(map(str.strip, text.split("\n")), 1):
        if line.startswith("(declare-"):
            if not line.startswith(_DECLARATIONS):
                raise GrammarError(name, number, 1, "only predicates are declared; sorts are those of the file", line)
            stated[number] = line
        elif line.startswith("rule "):
            stated[number] = line
        elif line in _ANSWERS:
            status = _ANSWERS[line]
        elif line and not line.startswith(";"):
            steps.append(_step(line, steps, name, number))
        if len(steps) > MOST_STEPS:
            raise GrammarError(name, number, 1, f"more than {MOST_STEPS} steps", line)
    return _rules(system, stated, name), tuple(steps), status


def _step(line: str, before: Sequence[SolverStep], name: str, number: int) -> SolverStep:
    found = _STEP.fullmatch(line)
    if found is None:
        raise GrammarError(name, number, 1, "no rule, lemma, obligation, fact, answer, declaration or comment", line)
    predicate = found["plain"] if found["quoted"] is None else found["quoted"]
    if found["kind"] == "fact":
        return ReachFact(predicate, found["rest"])
    rest = _WITH_LEVEL.fullmatch(found["rest"])
    if rest is None:
        raise GrammarError(name, number, 1, f"a {found['kind']} has a level, a number or `oo`, and a formula", line)
    level, formula = level_of(rest["level"]), rest["formula"]
    if found["kind"] == "lemma":
        return Lemma(predicate, level, formula)
    child = _WITH_PARENT.fullmatch(formula)
    if child is None:
        return Obligation(predicate, level, formula)
    parent = before[int(child["parent"]) - 1] if 0 < int(child["parent"]) <= len(before) else None
    if not isinstance(parent, Obligation):
        raise GrammarError(name, number, 1, f"step {child['parent']} is not an obligation before this one", line)
    return Obligation(predicate, level, child["formula"], ((parent.predicate, parent.formula),), is_exact=True)


def _rules(system: System, stated: Mapping[int, str], name: str) -> RealRules:
    if stated:
        has_rules = any(line.startswith("rule ") for line in stated.values())
        kept = () if has_rules else system.clauses
        head = print_system(replace(system, clauses=kept, info=(), options=())).rpartition("(check-sat)")[0]
        lines = head.split("\n")
        places = dict(enumerate((number for number in stated for _ in range(2)), len(lines) + 1))
        commands = [_command(line, name, number) for number, line in stated.items()]
        try:
            system = parse("\n".join([*lines, *commands]), name)
        except GrammarError as error:
            raise GrammarError(name, places.get(error.line, error.line), 1, error.what, error.text) from None
    return without_queries(system)


def _command(line: str, name: str, number: int) -> str:
    """Return the command of a declaration or a rule, one expression that may have a comment behind it, in two lines."""
    text = line.removeprefix("rule ")
    try:
        is_one = len(sexprs(text)) == 1
    except ChcfuzzError:  # of parentheses
        is_one = False
    if not is_one:
        raise GrammarError(name, number, 1, "a rule or a declaration is one expression in its line", line)
    return f"(assert {text}\n)" if line.startswith("rule ") else f"{text}\n"


def without_queries(system: System) -> RealRules:
    """Return the clauses of a system as rules, with a predicate as the head of its queries.

    Each is an implication or a fact: Z3's fixedpoints refuse a rule of another shape.
    """
    query = Predicate(fresh_name("query!", [*system.declared_names]), ())
    clauses = tuple(_as_rule(clause, Atom(query)) for clause in system.clauses)
    return RealRules(replace(system, predicates=(*system.predicates, query), clauses=clauses), query.name)


def _as_rule(clause: Clause, query: Term) -> Clause:
    head, body = clause.head, clause.body
    if clause.is_query:
        head, body = query, body if head is FALSE else (*body, negation(head))
    elif clause.shape in (Shape.IMPLICATION, Shape.FACT):
        return clause
    formula = implication(conjunction(*body), head)
    return Clause(Quantifier("forall", clause.variables, formula) if clause.variables else formula)
