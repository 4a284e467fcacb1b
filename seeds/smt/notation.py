"""Notation of the SMT seeds, and its translation to SMT-LIB.

A pair is two problems that differ in the values of the placeholders ``{...}``:

    Pair(
        "lia/between",
        "an integer between {low} and 7",
        names="x Int; (f Int) Int",
        assertions="(< {low} x 7) (= (f x) x)",
        sat={"low": "5"},
        unsat={"low": "6"},
    )

These are ``lia/between-sat`` and ``lia/between-unsat``. `names` declares constants, and functions as ``(f Int)`` in
front of their result. Each expression of `assertions` is asserted; a `define-fun` or `define-sort` stays as it is.
"""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass

from seeds.expressions import expressions

_WIDTH = 100
_VERBATIM = ("(define-fun ", "(define-sort ", "(define-const ")


@dataclass(frozen=True)
class Seed:
    """A problem: `name` is its path below corpus-smt/ without the suffix, `text` the contents of the file."""

    name: str
    status: str
    text: str


@dataclass(frozen=True)
class Pair:
    """A problem whose iterator yields its two versions: `name`-sat and `name`-unsat.

    `sat` and `unsat` are the values of the placeholders; a version without values is left out.
    """

    name: str
    story: str
    _: KW_ONLY
    assertions: str
    names: str = ""
    sorts: str = ""
    datatypes: str = ""
    sat: Mapping[str, str] | None = None
    unsat: Mapping[str, str] | None = None

    def __iter__(self) -> Iterator[Seed]:
        for status, values in (("sat", self.sat), ("unsat", self.unsat)):
            if values is not None:
                yield Seed(f"{self.name}-{status}", status, self._text(status, values))

    def _text(self, status: str, values: Mapping[str, str]) -> str:
        def filled(text: str) -> str:
            return textwrap.dedent(text).strip("\n").rstrip().format(**values)

        lines = [
            *(f"; {line}".rstrip() for line in filled(self.story).splitlines()),
            "(set-logic ALL)",
            f"(set-info :status {status})",
            *(f"(declare-sort {name} 0)" for name in self.sorts.split()),
            *(_laid_out(each) for each in expressions(filled(self.datatypes))),
            *_declarations(filled(self.names)),
            *(_laid_out(_command(each)) for each in expressions(filled(self.assertions))),
            "(check-sat)",
        ]
        return "\n".join(lines) + "\n"


def _command(expression: str) -> str:
    return expression if expression.startswith((";", *_VERBATIM)) else f"(assert {expression})"


def _declarations(text: str) -> Iterator[str]:
    """Yield the declarations of ``x y Int; (f Int Int) Bool``."""
    for group in filter(str.strip, text.split(";")):
        *declared, sort = expressions(group)
        for each in declared:
            name, *parameters = expressions(each[1:-1]) if each.startswith("(") else [each]
            yield f"(declare-fun {name} ({' '.join(parameters)}) {sort})"


def _laid_out(expression: str, indent: int = 0) -> str:
    """Return the expression on one line if it fits, otherwise with its arguments on separate lines."""
    if indent + len(expression) <= _WIDTH or not expression.startswith("("):
        return expression
    head, *rest = expressions(expression[1:-1])
    return f"({head} {_column([_laid_out(part, indent + 2) for part in rest], indent + 2)})"


def _column(parts: Sequence[str], indent: int) -> str:
    return ("\n" + " " * indent).join(parts)
