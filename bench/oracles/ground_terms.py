"""Compare the evaluator with Z3 and cvc5 on drawn ground terms of every theory.

python -m bench.oracles.ground_terms --terms 100000

The terms are those of tests/grammar/evaluation/test_evaluate.py. A difference is printed with its term, and the exit
code is 1.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence

import cvc5
import z3
from chcfuzz.domains.chc.oracles.evidence import values_script
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import UNDETERMINED, as_term
from chcfuzz.grammar.printing.printer import print_datatypes, print_term
from chcfuzz.grammar.terms import Term, apply, negation

from tests.grammar.evaluation.test_evaluate import SORTS, SYSTEM, drawn_term

_BATCH = 200  # terms in one script
_RLIMIT = 1_000_000  # for a claim
_RLIMIT_CVC5 = 500_000  # for a claim, in cvc5's own units


def claim(number: int) -> Term | None:
    """Return the equation of the drawn term with its value; None if the value is undetermined."""
    name, term = drawn_term(number)
    value = evaluate(term, {})
    if value is UNDETERMINED:
        return None
    return apply("=", term, as_term(value, SORTS[name]))


def answers_of_z3(claims: Sequence[Term]) -> Iterator[str]:
    """Yield the answers to the negations of the claims: unsat each time if the evaluator is right."""
    lines = [*map(print_datatypes, SYSTEM.datatypes), *(f"(assert {print_term(each)})" for each in claims)]
    solver = z3.SimpleSolver(ctx=z3.Context())
    solver.set("rlimit", _RLIMIT)
    for formula in z3.parse_smt2_string("\n".join(lines), ctx=solver.ctx):
        solver.push()
        solver.add(z3.Not(formula))
        yield str(solver.check())
        solver.pop()


class Cvc5:
    """cvc5, with a new solver after each claim that it does not read: to make a solver takes longer than a claim."""

    def __init__(self) -> None:
        self._solver: cvc5.Solver | None = None

    def answers(self, claims: Sequence[Term]) -> Iterator[str]:
        """Yield the answers to the negations of the claims: "refused" for one that it does not read."""
        for each in claims:
            try:
                found = self._answer(negation(each))
            except RuntimeError:
                found, self._solver = "refused", None
            yield found if found in ("sat", "unsat", "refused") else "unknown"

    def _answer(self, formula: Term) -> str:
        solver = self._solver or self._started()
        (assertion,) = (line for line in values_script(SYSTEM, (), (), [formula]).splitlines() if "(assert " in line)
        return self._said(solver, f"(push 1)\n{assertion}\n(check-sat)\n(pop 1)\n")

    def _started(self) -> cvc5.Solver:
        solver = self._solver = cvc5.Solver(cvc5.TermManager())
        for option, value in (("rlimit-per", str(_RLIMIT_CVC5)), ("arrays-exp", "true"), ("incremental", "true")):
            solver.setOption(option, value)
        self._symbols = cvc5.SymbolManager(solver)
        self._said(solver, "\n".join(["(set-logic ALL)", *map(print_datatypes, SYSTEM.datatypes)]))
        return solver

    def _said(self, solver: cvc5.Solver, script: str) -> str:
        parser = cvc5.InputParser(solver, self._symbols)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "claim")
        found = ""
        while not (command := parser.nextCommand()).isNull():
            found = str(command.invoke(solver, self._symbols)).strip() or found
        return found


def main() -> None:
    """Print how many terms each solver confirms."""
    flags = argparse.ArgumentParser(description=__doc__)
    flags.add_argument("--terms", type=int, default=10_000, metavar="N")
    flags.add_argument("--first", type=int, default=0, metavar="N", help="number of the first term")
    given = flags.parse_args()
    tally: Counter[str] = Counter()
    second = Cvc5()
    differences = 0
    for start in range(given.first, given.first + given.terms, _BATCH):
        made = map(claim, range(start, min(start + _BATCH, given.first + given.terms)))
        claims = [each for each in made if each is not None]
        tally["terms with a value"] += len(claims)
        for solver, said in (("Z3", answers_of_z3(claims)), ("cvc5", second.answers(claims))):
            for each, answer in zip(claims, said, strict=True):
                tally[f"{solver} answers {answer}"] += 1
                if answer == "sat":
                    differences += 1
                    print(f"{solver} contradicts {print_term(each)}")
    for row, number in sorted(tally.items()):
        print(f"{row:<24} {number}")
    raise SystemExit(differences > 0)


if __name__ == "__main__":
    main()
