"""`Mutation.applies`: what it refuses is never changed, and what it lets pass nearly always can be."""

import pytest
from chcfuzz.domains.chc.rows.interrogation import MUTATIONS as INTERROGATION
from chcfuzz.domains.chc.rows.registry import registry
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.mutators.mutation import Kind, Mutation
from chcfuzz.mutators.registry import Registry

from tests.mutators.judge import draw

OWN = [row for row in registry().mutations if row.kind is Kind.OWN]
DRAWS = 12
HEAD = "(set-logic HORN)(declare-fun p (Int) Bool)"


def changes(row: Mutation, system: System) -> int:
    """Number of draws that change the system."""
    if row.data_for is not None:
        return sum(draw(row, "", system, number) is not None for number in range(DRAWS))
    draws = (Choices(bytes(8), str(number).encode()) for number in range(DRAWS // 2))
    random = (Choices(b"", str(number).encode()) for number in range(DRAWS // 2))
    return sum(row.rewrite(system, choices) is not None for choices in (*draws, *random))


@pytest.mark.parametrize("row", OWN, ids=lambda row: row.id)
def test_a_row_changes_what_it_applies_to_and_nothing_else(small_seeds: dict[str, System], row: Mutation) -> None:
    verdicts = [(row.applies(system), changes(row, system)) for system in small_seeds.values()]
    assert [changed for applies, changed in verdicts if not applies and changed] == []
    assert [changed for applies, changed in verdicts if applies and not changed] == []


@pytest.mark.parametrize(
    ("ids", "text"),
    [
        (("plug-in-atom", "plug-in-predicate", "strengthen-atom", "widen-atom"), "(assert (p 0))"),
        (("rules-to-fact",), "(assert (=> (p 0) false))"),
        (("fact-for-subtree",), "(assert (p 0))(assert (not (= 0 0)))"),
        (("instance",), "(assert (p 0))(assert (=> (p 0) false))"),
        (
            tuple(row.id.partition(".")[2] for row in INTERROGATION),
            "(assert (p " + "(+ 1 " * 10_000 + "1" + ")" * 10_001 + ")",
        ),
    ],
)
def test_no_witness_is_searched_that_a_row_cannot_use(rows: Registry, ids: tuple[str, ...], text: str) -> None:
    system = parse(HEAD + text)
    assert [name for name in ids if rows.applies(f"interrogation.{name}", system)] == []


def test_parameters_always_apply(rows: Registry) -> None:
    system = parse(HEAD)
    assert rows.applies("parameter.fp.spacer.ctp", system)
    assert not rows.applies("boolean.swap-and", system)
    assert not rows.applies("simplify.plain", system)
