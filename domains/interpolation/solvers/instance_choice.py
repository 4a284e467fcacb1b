"""Fewer and simpler quantifier instances, which give smaller interpolants: CSIsat's options of the same purpose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cvc5
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printing.printer import print_problem, print_term
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.reading.parse import parse_term
from chcfuzz.grammar.terms import Term

MOST_TRIED = 64  # instances that are left out one by one, the last ones first
Instance = tuple[int, Term]  # with its side


def needed(stated: Problem, instances: Sequence[Instance], fixed: int, rlimit: int) -> list[Instance]:
    """Return instances that are still contradictory; the first `fixed` ones are conjuncts of the problem and stay."""
    kept = list(instances)
    for one in list(reversed(kept[fixed:]))[:MOST_TRIED]:
        fewer = [each for each in kept if each != one]
        if _is_unsat(stated.with_assertions([Assertion(term) for _, term in fewer]), rlimit):
            kept = fewer
    return kept


def simplified(stated: Problem, instances: Sequence[Instance]) -> list[Instance]:
    """Return the instances after cvc5's rewriting; one that is not read afterwards stays as it is."""
    solver, parser = _reader(stated.with_assertions(()))
    found = []
    for side, term in instances:
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, print_term(term), "instance")
        try:
            new = parse_term(str(solver.simplify(parser.nextTerm())), (), stated, "instance")
        except (ChcfuzzError, RuntimeError):
            new = term
        found.append((side, new))
    return found


def _is_unsat(problem: Problem, rlimit: int) -> bool:
    try:
        solver, _ = _reader(problem, ("rlimit", str(rlimit)))
        return bool(solver.checkSat().isUnsat())
    except RuntimeError:
        return False


def _reader(problem: Problem, *options: tuple[str, str]) -> tuple[Any, Any]:
    """Return a solver with the declarations and assertions of a problem, and its parser."""
    solver = cvc5.Solver(cvc5.TermManager())
    for name, value in (("arrays-exp", "true"), ("dag-thresh", "0"), *options):
        solver.setOption(name, value)
    parser = cvc5.InputParser(solver)
    text = print_problem(problem.with_header((), ())).replace("(check-sat)", "")
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "problem")
    while not (command := parser.nextCommand()).isNull():
        command.invoke(solver, parser.getSymbolManager())
    return solver, parser
