"""Compare our values of floating-point terms with those of Z3, cvc5 and Bitwuzla.

python -m bench.oracles.ground_floats --exhaustive       # all values of small formats, in every rounding mode
python -m bench.oracles.ground_floats --terms 200000     # drawn values of larger formats

A difference is printed with the solver, the term and our value, and the exit code is 1. Terms whose value SMT-LIB
leaves open are counted, and not compared.
"""

from __future__ import annotations

import argparse
import random
from itertools import chain, islice

from tests.grammar.theories.float_terms import Comparison, drawn_terms, engines, small_terms


def main() -> None:
    """Print how many terms each solver confirms."""
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--exhaustive", action="store_true", help="all values of small formats")
    flags.add_argument("--terms", type=int, default=0, metavar="N", help="number of drawn terms")
    flags.add_argument("--seed", type=int, default=0)
    given = flags.parse_args()
    comparison = Comparison(engines())
    drawn = islice(drawn_terms(random.Random(given.seed)), given.terms)
    comparison.compare(chain(small_terms() if given.exhaustive else (), drawn))
    for row, number in sorted(comparison.tally.items()):
        print(f"{row:<24} {number}")
    print("\n".join(comparison.differences[:200]))
    raise SystemExit(bool(comparison.differences))


if __name__ == "__main__":
    main()
