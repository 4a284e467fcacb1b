"""Rows of CHC systems that draw with a model: it is consulted with the place, and steps hold what was drawn."""

from collections.abc import Iterator, Sequence

import pytest
from chcfuzz.domains.chc.rows.learned import MUTATIONS
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.weights import TermPlace
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.learning import active
from chcfuzz.learning.vocabulary import START
from chcfuzz.mutators.mutation import Mutation

from tests.mutators.judge import draws
from tests.mutators.systems import SYSTEMS

ROWS = {row.id.partition(".")[2]: row for row in MUTATIONS}
HEAD = "(set-logic HORN)(declare-fun p (Int) Bool)"
CLAUSE = "(forall ((x Int) (y Int)) (=> (and (p x) (< x (* 2 y))) (p (+ x 1))))"
PREFIX = "(forall ((x Int) (y Int)) "


@pytest.fixture(autouse=True)
def builtin() -> Iterator[None]:
    """Draw with the shipped model."""
    active.activate(active.BUILT_IN)
    yield
    active.activate(active.NONE)


def system(*clauses: str) -> System:
    return parse(HEAD + "".join(f"(assert {clause})" for clause in clauses))


def data_for(row: Mutation, before: System, number: int = 0) -> bytes | None:
    assert row.data_for is not None
    return row.data_for(before, Choices(b"", str(number).encode()))


class Recorder:
    """Weights that note the places for which they are consulted, and always take the first production."""

    def __init__(self) -> None:
        self.places: list[TermPlace] = []

    def pick(self, names: Sequence[str], place: TermPlace, _choices: Choices) -> str:
        self.places.append(place)
        return names[0]


@pytest.mark.parametrize(
    ("row", "places"),
    [
        (
            "strengthen",
            {
                TermPlace("Bool", "and.2", 1, "=>.2", "and.2", "forall.2"),  # beside the whole body
                TermPlace("Bool", "and.2", 1, "and.2", "predicate.1", "=>.2"),  # beside (p x)
                TermPlace("Bool", "and.2", 1, "and.2", "<.2", "=>.2"),
            },
        ),
        (
            "specialize",
            {
                TermPlace("Int", "predicate.1", 0, "and.2", START, "=>.2"),  # x
                TermPlace("Int", "*.2", 1, "<.2", "literal.small", "and.2"),  # y
            },
        ),
        (
            "add-clause",
            {
                TermPlace("Int", "predicate.1", 0, "forall.1", START, START),  # of a fact
                TermPlace("Int", "predicate.1", 0, "=>.2", START, "forall.1"),  # of another head
                TermPlace("Bool", "=>.2", 0, "forall.1", START, START),  # the only member of a body
                TermPlace("Bool", "and.2", 1, "=>.2", "predicate.1", "forall.1"),
            },
        ),
    ],
)
def test_the_model_is_consulted_with_the_place(
    monkeypatch: pytest.MonkeyPatch, row: str, places: set[TermPlace]
) -> None:
    found: set[TermPlace] = set()
    for number in range(60):
        recorder = Recorder()
        monkeypatch.setattr(active, "drawn", lambda _choices, recorder=recorder: recorder)
        data_for(ROWS[row], system(CLAUSE), number)
        found.update(recorder.places[:1])
    assert places <= found
    if row != "add-clause":
        assert places == found


def test_drawn_steps_change_systems_and_read_back() -> None:
    found = list(draws(MUTATIONS, SYSTEMS, range(1, 3)))
    assert {each.row.id for each in found} == {row.id for row in MUTATIONS}
    assert len(found) > len(SYSTEMS)
    assert [str(each) for each in found if parse(print_system(each.after)) != each.after] == []


@pytest.mark.parametrize("name", ROWS)
def test_a_stored_step_means_the_same_without_a_model(name: str) -> None:
    before = system(CLAUSE)
    data = data_for(ROWS[name], before)
    assert data is not None
    with_model = ROWS[name].rewrite(before, Choices(data, b"key"))
    active.activate(active.NONE)
    assert data_for(ROWS[name], before) is None
    assert ROWS[name].rewrite(before, Choices(data, b"another key")) == with_model
    assert with_model not in (None, before)


@pytest.mark.parametrize(
    ("row", "text", "after"),
    [
        ("strengthen", "(= x 3)", [PREFIX + "(=> (and (and (p x) (< x (* 2 y))) (= x 3)) (p (+ x 1))))"]),
        ("weaken", "(= y 3)", [PREFIX + "(=> (or (and (p x) (< x (* 2 y))) (= y 3)) (p (+ x 1))))"]),
        ("specialize", "(- y)", ["(forall ((y Int)) (=> (and (p (- y)) (< (- y) (* 2 y))) (p (+ (- y) 1))))"]),
        ("add-clause", "(p 7)", ["(p 7)", CLAUSE]),
    ],
)
def test_the_place_and_the_term_are_those_of_the_step(row: str, text: str, after: list[str]) -> None:
    assert ROWS[row].rewrite(system(CLAUSE), Choices(bytes(4) + text.encode())) == system(*after)


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize(
    "data", [b"", b"\0", bytes(4), bytes(4) + b"(", bytes(4) + b"(= z 1)", bytes(4) + b"(or (p 0) (p 1))", b"\xff" * 9]
)
def test_damaged_steps_and_clauses_that_are_not_horn_change_nothing(name: str, data: bytes) -> None:
    before = system(CLAUSE, "(p 0)")
    after = ROWS[name].rewrite(before, Choices(data, b"key"))
    assert after is None or (data.endswith(b"(p 1))") and name in ("strengthen", "weaken"))


def test_a_seed_with_the_answer_that_a_row_does_not_preserve_is_declined() -> None:
    for status, names in (("unsat", ("strengthen", "specialize")), ("sat", ("weaken", "add-clause"))):
        before = parse(f"(set-info :status {status}){HEAD}(assert {CLAUSE})")
        assert [name for name, row in ROWS.items() if not row.applies(before)] == list(names)
