"""Compare the evaluator with Z3 and cvc5 on drawn ground terms of every theory: `ground_terms.py --terms 100000`.

The terms are those of tests/grammar/test_evaluate.py. A difference is printed with its term, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import z3
from chcfuzz.grammar.evaluate import UNDETERMINED, as_term, evaluate
from chcfuzz.grammar.printer import print_datatypes, print_term
from chcfuzz.grammar.terms import Term, apply

from tests.grammar.test_evaluate import SORTS, SYSTEM, answers_of_cvc5, drawn_term

_BATCH = 200  # terms in one script
_RLIMIT = 1_000_000  # for a claim


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


def main() -> None:
    """Print how many terms each solver confirms."""
    flags = argparse.ArgumentParser(description=__doc__)
    flags.add_argument("--terms", type=int, default=10_000, metavar="N")
    flags.add_argument("--first", type=int, default=0, metavar="N", help="number of the first term")
    given = flags.parse_args()
    tally: Counter[str] = Counter()
    differences = 0
    for start in range(given.first, given.first + given.terms, _BATCH):
        made = map(claim, range(start, min(start + _BATCH, given.first + given.terms)))
        claims = [each for each in made if each is not None]
        tally["terms with a value"] += len(claims)
        for solver, said in (("Z3", answers_of_z3(claims)), ("cvc5", answers_of_cvc5(claims))):
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
