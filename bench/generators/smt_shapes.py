"""Statistics of the shapes of SMT problems, from which `grammar/drawing/draw_problem.py` takes its sizes and weights.

    python -m bench.generators.smt_shapes FOLDER ...

reads every `.smt2` file below the folders that our grammar accepts, and prints quartiles of sizes, and the shares of
theories, arities, operators and leaves. Files above `--max-bytes` are left out.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import quantiles

from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.terms import Apply, Call, Quantifier, Term, Value, Variable, postorder, subterms
from chcfuzz.grammar.theory import split_operator

_MOST_SHOWN = 24  # rows of a table of shares
_QUANTILES = 8


class Shapes:
    """The statistics of problems that were added."""

    def __init__(self) -> None:
        self.problems = 0
        self.sizes: dict[str, list[int]] = {}
        self.shares: dict[str, Counter[str]] = {}

    def add(self, problem: Problem) -> None:
        """Add a problem."""
        self.problems += 1
        constants = [each for each in problem.functions if not each.parameters]
        functions = [each for each in problem.functions if each.parameters]
        self._size("assertions", len(problem.assertions))
        self._size("constants", len(constants))
        self._size("functions", len(functions))
        self._size("nodes of a problem", problem.nodes)
        for theory in sorted(problem.theories) or ["Bool"]:
            self._count("theories", theory)
        for function in functions:
            self._count("arities", str(len(function.parameters)))
        for each in problem.functions:
            self._count("results", _kind(each.result))
        for formula in problem.formulas:
            self._size("nodes of an assertion", formula.size)
            self._size("depth of an assertion", _depth(formula))
            self._size("quantifiers of an assertion", sum(isinstance(t, Quantifier) for t in subterms(formula)))
            for term in subterms(formula):
                self._add_term(term)

    def _add_term(self, term: Term) -> None:
        if isinstance(term, Quantifier):
            self._count("quantified variables", str(len(term.variables)))
            self._count("nodes by kind", term.kind)
        elif isinstance(term, Variable | Value) or not term.children:
            self._count("leaves", type(term).__name__ if not isinstance(term, Apply) else "Constructor")
            self._count("nodes by kind", "leaf")
        elif isinstance(term, Call):
            self._count("nodes by kind", "call")
            for child in term.children:
                is_formula = child.sort.name == "Bool"
                self._count(
                    "arguments of functions",
                    "a formula" if is_formula else "a leaf" if not child.children else "a term",
                )
        elif isinstance(term, Apply):
            name = split_operator(term.operator)[0]
            self._count("nodes by kind", "operator")
            self._count(
                f"operators that give {_kind(term.sort)}", name if not name.startswith("(") else name.split()[0]
            )
            self._count("arguments of operators", str(min(6, len(term.children))))

    def _size(self, name: str, value: int) -> None:
        self.sizes.setdefault(name, []).append(value)

    def _count(self, name: str, value: str) -> None:
        self.shares.setdefault(name, Counter())[value] += 1

    def lines(self) -> Iterator[str]:
        """Yield the tables."""
        yield f"{self.problems} problems"
        for name, values in self.sizes.items():
            cuts = [round(cut) for cut in quantiles(values, n=_QUANTILES)] if len(values) > 1 else values
            yield f"{name}: {min(values)} | {' '.join(map(str, cuts))} | {max(values)}"
        for name, counts in sorted(self.shares.items()):
            total = counts.total()
            shown = [f"{value} {100 * number / total:.1f}%" for value, number in counts.most_common(_MOST_SHOWN)]
            yield f"{name} ({total}): {', '.join(shown)}"


def _kind(sort: Sort) -> str:
    if sort.datatype:
        return "data type"
    return "uninterpreted" if sort.is_uninterpreted else sort.name


def _depth(formula: Term) -> int:
    depths: dict[Term, int] = {}
    for term in postorder(formula):
        depths[term] = 1 + max((depths[child] for child in term.children), default=0)
    return depths[formula]


def files(folders: Iterable[Path], most: int) -> Iterator[Path]:
    """Yield the files below the folders that are not larger than the limit."""
    for folder in folders:
        for file in sorted(folder.rglob("*.smt2")):
            if file.stat().st_size <= most:
                yield file


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the statistics of the folders on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--max-bytes", type=int, default=20_000)
    options = parser.parse_args(arguments)
    shapes, refused = Shapes(), 0
    for file in files(options.folders, options.max_bytes):
        try:
            shapes.add(parse.problem(file.read_text(errors="replace"), file.name))
        except GrammarError:
            refused += 1
    print("\n".join(shapes.lines()))
    print(f"{refused} files refused")


if __name__ == "__main__":
    main()
