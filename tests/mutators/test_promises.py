"""The promise of every row, judged on systems of all theories, and properties of every result."""

from collections import Counter
from collections.abc import Sequence
from itertools import islice

import pytest
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.mutators.mutation import Kind, Promise
from chcfuzz.mutators.registry import Registry

from tests.mutators import judge
from tests.mutators.judge import Draw, Judgment, draw, draws
from tests.mutators.systems import SYSTEMS

PARTS, DRAWS = 12, 4  # parts of the corpus, one for each row, and draws on a hard system, in the slow variant
EVERY = 20  # draws in the exhaustive one
CHANGED = 3  # systems that a row changes by default; each row starts at another system


@pytest.fixture(
    scope="module", params=[pytest.param(False, id="few"), pytest.param(True, id="all", marks=pytest.mark.slow)]
)
def drawn(request: pytest.FixtureRequest, rows: Registry, texts: dict[str, str]) -> Sequence[Draw]:
    """Every row on the hard systems: once, or many times, and then on a part of the corpus too."""
    return all_draws(rows, texts, PARTS, DRAWS) if request.param else few_draws(rows)


@pytest.fixture(
    scope="module", params=[pytest.param(False, id="few"), pytest.param(True, id="all", marks=pytest.mark.exhaustive)]
)
def judged(request: pytest.FixtureRequest, rows: Registry, texts: dict[str, str]) -> Sequence[Draw]:
    """The same draws, on all of the corpus; to judge all of them takes many minutes a test."""
    return all_draws(rows, texts, 1, EVERY) if request.param else few_draws(rows)


def all_draws(rows: Registry, texts: dict[str, str], parts: int, draws_of_each: int) -> list[Draw]:
    """Return draws on the hard systems, and on one part of the corpus for each row in turn."""
    corpus = [parse(text, name) for name, text in texts.items()]
    found: list[Draw] = []
    for number, row in enumerate(rows.mutations):
        part = dict(list(zip(texts, corpus, strict=True))[number % parts :: parts])
        is_rewrite = row.kind is Kind.REWRITE
        found += draws([row], SYSTEMS, range(1, 2) if is_rewrite else range(draws_of_each))
        found += draws([row], part, range(1, 2) if is_rewrite else range(2))
    return found


def few_draws(rows: Registry) -> list[Draw]:
    found: list[Draw] = []
    for number, row in enumerate(rows.mutations):
        start = number % len(SYSTEMS)
        turned = dict([*islice(SYSTEMS.items(), start, None), *islice(SYSTEMS.items(), start)])
        found += islice(draws([row], turned, range(1, 2)), 1 if row.kind is Kind.REWRITE else CHANGED)
    return found


def test_every_own_row_and_most_rewrites_change_some_system(drawn: Sequence[Draw], rows: Registry) -> None:
    changed_rows = {each.row.id for each in drawn}
    assert {row.id for row in rows.of_kind(Kind.OWN)} <= changed_rows
    assert len(changed_rows & {row.id for row in rows.of_kind(Kind.REWRITE)}) > len(rows.of_kind(Kind.REWRITE)) / 2


def test_a_row_that_changes_a_system_applies_to_it(drawn: Sequence[Draw]) -> None:
    assert not [str(each) for each in drawn if not each.row.applies(each.before)]


def test_a_result_is_never_equal_to_what_it_was_made_from(drawn: Sequence[Draw]) -> None:
    assert not [str(each) for each in drawn if each.after == each.before]


@pytest.mark.slow
def test_every_result_reads_back_as_itself_and_so_is_horn(drawn: Sequence[Draw]) -> None:
    assert not [str(each) for each in drawn if parse(print_system(each.after)) != each.after]


def test_header_and_data_types_of_a_seed_are_kept(drawn: Sequence[Draw]) -> None:
    for each in drawn:
        assert (each.after.info, each.after.options) == (each.before.info, each.before.options)
        assert each.after.datatypes[: len(each.before.datatypes)] == each.before.datatypes


@pytest.mark.slow
def test_the_same_choices_give_the_same_result_in_any_order(rows: Registry) -> None:
    own = [(row, name, system) for row in rows.of_kind(Kind.OWN) for name, system in SYSTEMS.items()]
    once = [draw(*each, 1) for each in own]
    again = [draw(*each, 1) for each in reversed(own)]
    assert once == again[::-1]
    for row, _, system in own:
        assert row.rewrite(system, Choices(b"\x03\x01\x02")) == row.rewrite(system, Choices(b"\x03\x01\x02"))


def test_no_promise_is_broken(judged: Sequence[Draw]) -> None:
    """All rows, whatever their family, so that a new one is judged from its start."""
    output = Counter[Judgment]()
    for each in judged:
        judgment = judge.promise(each)
        assert judgment is not Judgment.BROKEN, str(each)
        if each.row.promise is Promise.EQUIVALENT or each.row.promise.expected(judge.decision(each.before)):
            output[judgment] += 1
    assert output[Judgment.KEPT] > 100
    assert output[Judgment.OPEN] <= 0.05 * output.total()


@pytest.mark.slow
def test_clauses_are_equivalent_for_cvc5(judged: Sequence[Draw]) -> None:
    """A sample, because Z3 should not be the only judge of its own rewrites: a few a row, until one is decided."""
    output: dict[str, list[Judgment]] = {}
    for each in judged:
        before = output.setdefault(each.row.id, [])
        if each.row.promise is Promise.EQUIVALENT and Judgment.KEPT not in before and len(before) < 4:
            before.append(judge.equivalence(each, ask_cvc5=True))
            assert before[-1] is not Judgment.BROKEN, str(each)
    kept = [row for row, found in output.items() if Judgment.KEPT in found]
    assert len(kept) >= 0.95 * len([row for row, found in output.items() if found]) > 50


def test_models_are_converted_to_models(judged: Sequence[Draw]) -> None:
    output = Counter[tuple[str, Judgment]]()
    for each in judged:
        judgment = judge.carries_model(each)
        assert judgment is not Judgment.BROKEN, str(each)
        output[each.row.id, judgment] += 1
    assert sum(number for (_, judgment), number in output.items() if judgment is Judgment.KEPT) > 20


def test_refutations_are_converted_to_refutations(judged: Sequence[Draw]) -> None:
    """Facts are only a hint, so one that leads nowhere breaks nothing; a row that gives no good ones does."""
    output: dict[str, Counter[Judgment]] = {}
    for each in judged:
        output.setdefault(each.row.id, Counter())[judge.carries_refutation(each)] += 1
    message = {row: (found[Judgment.KEPT], found[Judgment.BROKEN]) for row, found in output.items()}
    assert {row: numbers for row, numbers in message.items() if numbers[1] > max(1, numbers[0] // 5)} == {}
    assert sum(kept for kept, _ in message.values()) > 20


def test_what_is_sat_has_a_system_to_show_it_and_so_has_what_is_unsat() -> None:
    answers = Counter(map(judge.decision, SYSTEMS.values()))
    assert answers["sat"] >= 5
    assert answers["unsat"] >= 5
    assert answers[None] == 0
