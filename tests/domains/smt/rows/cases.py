"""Applies rows for SMT problems to the text of assertions."""

from collections.abc import Sequence

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_clause
from chcfuzz.grammar.reading.parse import problem
from chcfuzz.mutators.mutation import Mutation

HEAD = """
(declare-sort U 0)
(declare-datatypes ((C 0)) (((red)(green)(mixed (part Int)))))
(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)
(declare-const x Int)(declare-const y Int)(declare-const s Real)
(declare-const a (_ BitVec 4))(declare-const b (_ BitVec 4))
(declare-const u U)(declare-const c C)
(declare-fun f (Int) Bool)(declare-fun g (Int) Bool)(declare-fun h (Int Bool) Int)
"""


def results(rows: Sequence[Mutation], row_id: str, text: str, draws: int = 60) -> set[str]:
    """Return the assertions that draws of a row make of these; each result must read back as itself."""
    given = problem(HEAD + text)
    row = next(row for row in rows if row.id == row_id)
    found = set()
    for number in range(draws):
        made = row.rewrite(given, Choices(b"", str(number).encode()))
        if made is not None:
            assert row.applies(given)
            found.add(" ".join(" ".join(print_clause(each).split()) for each in made.assertions))
    return found
