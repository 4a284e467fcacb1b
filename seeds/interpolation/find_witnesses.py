"""Find what shows that each interpolation seed is unsat and not trivial, and write it to unsat.toml.

    python -m seeds.interpolation.find_witnesses              for every file in corpus-itp/
    python -m seeds.interpolation.find_witnesses NAME...      only for these, e.g. written/between

A line lists at least two solvers that answer unsat (`cvc5 OPTION` is cvc5 with this option on). A seed is trivial if
Z3 finds one side of a cut unsat alone.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from chcfuzz.grammar.interpolation.group_text import read
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Assertion

from seeds.files import seeds_of
from seeds.smt.solvers import SOLVERS, cvc5_answer, z3_answer

UNSAT = Path(__file__).resolve().parent / "unsat.toml"
CVC5_OPTIONS = ("enum-inst", "finite-model-find", "mbqi")


def main() -> None:
    """Find the witnesses of the named seeds, or of all."""
    parser = argparse.ArgumentParser(description="Find what shows that each interpolation seed is unsat.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a seed, such as written/between")
    names = set(parser.parse_args().names)
    seeds = seeds_of("corpus-itp")
    found = {name: words for name, words in read_witnesses().items() if names and name in {s.name for s in seeds}}
    failed = 0
    for seed in (seed for seed in seeds if not names or seed.name in names):
        stated = read(seed.text, seed.name)
        found[seed.name] = list(refutations(print_problem(stated.problem)))
        what = "fewer than two solvers answer unsat" if not is_shown(found[seed.name]) else trivial_cut(stated)
        if what:
            print(f"{seed.name}: {what}")
            failed += 1
    lines = [f'"{name}" = [{", ".join(repr(word) for word in words)}]' for name, words in sorted(found.items())]
    text = "# What shows that a seed is unsat; see find_witnesses.py.\n" + "\n".join(lines) + "\n"
    UNSAT.write_text(text.replace("'", '"'), encoding="ascii")
    sys.exit(1 if failed else 0)


def read_witnesses() -> Mapping[str, list[str]]:
    """Return what shows that seeds are unsat, by their names."""
    return tomllib.loads(UNSAT.read_text(encoding="ascii")) if UNSAT.is_file() else {}


def is_shown(words: Sequence[str]) -> bool:
    """Determine whether two different solvers are listed."""
    return len({word.split()[0] for word in words}) >= 2


def refutations(text: str) -> Iterator[str]:
    """Yield the solvers that answer unsat, until there are two."""
    shown: list[str] = []
    for name, answer in SOLVERS.items():
        if answer(text) == "unsat":
            shown.append(name)
        elif name == "cvc5":
            shown += [f"cvc5 {each}" for each in CVC5_OPTIONS if cvc5_answer(text, **{each: "true"}) == "unsat"][:1]
        if len(shown) == 2:
            break
    yield from shown


def trivial_cut(stated: Interpolation) -> str | None:
    """Return the side of a cut that is unsat alone, in words; None if each side of each cut is satisfiable."""
    for cut in range(stated.cuts):
        for side, formulas in zip("AB", stated.sides(cut), strict=True):
            alone = stated.problem.with_assertions([Assertion(formula) for formula in formulas])
            if z3_answer(print_problem(alone)) == "unsat":
                return f"the side {side} of cut {cut} is unsat alone"
    return None


if __name__ == "__main__":
    main()
