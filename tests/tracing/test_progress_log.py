"""Spacer's progress log, as recorded text and live."""

import numpy as np
import pytest
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing import progress_log
from chcfuzz.tracing.progress_log import ProgressLog, sequence_of, trace_of
from chcfuzz.tracing.trace import NOTHING, START, Trace

LEMMA = """
** add-lemma: 0 exprID: 497 pobID: 279
p
(< p_1_n 1)
"""

# From Z3 5.4.0, shortened.
LOG = """
* LEVEL 1

** expand-pob: query!0 level: 1 depth: 0 exprID: 1 pobID: none
true

** expand-pob: p level: 0 depth: 1 exprID: 279 pobID: 1
(> p_1_n 4)

** add-lemma: 0 exprID: 497 pobID: 279
p
(< p_1_n 1)

Propagating

** add-lemma: oo exprID: 816 pobID: 279
p
(< p_1_n 5)
"""


def read(log: str) -> Trace:
    return trace_of(log.encode())


def steps(found: Trace) -> set[tuple[int, int]]:
    return {(int(key) >> 16, int(key) & 0xFFFF) for key in found.keys}


def kinds(found: Trace) -> set[int]:
    """The kinds of steps that come after another: 0 obligation, 1 lemma, 2 level, 3 propagation."""
    return {after >> 14 for _, after in steps(found)}


def test_every_kind_of_line_is_an_event() -> None:
    found = read(LOG)
    assert found.length == 6
    assert found.complete
    assert kinds(found) == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("log", "kind"),
    [
        ("** expand-pob: p level: 0 depth: 0 exprID: 1 pobID: none\ntrue\n", 0),
        (LEMMA, 1),
        ("* LEVEL 1\n", 2),
        ("Propagating\n", 3),
    ],
)
def test_each_kind_alone(log: str, kind: int) -> None:
    found = read(log)
    assert (found.length, kinds(found)) == (1, {kind})
    assert {before for before, _ in steps(found)} == {START}


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Something else",
        " * LEVEL 2",
        "* LEVEL two",
        "** expand-pob: p",
        "** block-pob: p level: 1 depth: 0 x",
        "\x00\xff",
    ],
)
def test_lines_of_no_known_kind_are_skipped(line: str) -> None:
    assert trace_of(line.encode("latin-1") + b"\n" + LOG.encode()).hash == read(LOG).hash
    assert read(line).length == 0


def test_an_empty_log_is_no_steps() -> None:
    assert read("").hash == NOTHING.hash


def test_formulas_and_numbers_of_expressions_do_not_matter() -> None:
    other = LOG.replace("279", "4711").replace("497", "5").replace("(< p_1_n 1)", "(or a b)")
    assert other != LOG
    assert read(other).hash == read(LOG).hash


@pytest.mark.parametrize(
    "name", ["a", "query!0_", "|a b|", "|x level: 3 depth: 2 y|", "|Propagating|", "|* LEVEL 7|", "ünï"]
)
def test_a_renamed_predicate_changes_nothing(name: str) -> None:
    renamed = LOG.replace("pob: p ", f"pob: {name} ").replace("\np\n", f"\n{name}\n")
    assert renamed != LOG
    assert read(renamed).hash == read(LOG).hash
    assert np.array_equal(read(renamed).keys, read(LOG).keys)


def test_which_predicate_a_step_is_about_matters() -> None:
    other = LOG.replace("279\np\n", "279\nanother\n")
    assert other != LOG
    assert read(other).hash != read(LOG).hash


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("p level: 0 depth: 1", "p level: 1 depth: 1"),
        ("p level: 0 depth: 1", "p level: 0 depth: 2"),
        ("p level: 0 depth: 1", "p level: oo depth: 1"),
        ("add-lemma: 0", "add-lemma: 1"),
        ("add-lemma: 0", "add-lemma: oo"),
        ("LEVEL 1", "LEVEL 2"),
        ("Propagating", "Propagating\nPropagating"),
    ],
)
def test_levels_depths_and_repetitions_change_the_hash(old: str, new: str) -> None:
    assert old in LOG
    assert read(LOG.replace(old, new)).hash != read(LOG).hash


def test_transitions_see_classes_of_levels_and_the_hash_sees_levels() -> None:
    third, fourth, fifth = (read(f"* LEVEL {level}\n") for level in (3, 4, 5))
    assert third.hash != fourth.hash
    assert steps(third) == steps(fourth) != steps(fifth)


@pytest.mark.parametrize("level", ["62", "63", "64", "99999999999999999999"])
def test_huge_levels_are_not_taken_for_infinity(level: str) -> None:
    huge, infinite = (read(LEMMA.replace("lemma: 0", f"lemma: {text}")) for text in (level, "oo"))
    assert huge.hash != infinite.hash


def test_huge_levels_and_depths_do_not_spill_into_other_fields() -> None:
    found = read("** expand-pob: p level: 123456789 depth: 123456789 exprID: 1 pobID: none\n")
    assert kinds(found) == {0}
    assert found.hash == read("** expand-pob: p level: 62 depth: 4095 exprID: 1 pobID: none\n").hash


def test_more_predicates_than_a_step_can_distinguish_are_still_read() -> None:
    lines = [f"** expand-pob: p{i} level: 1 depth: 1 exprID: 1 pobID: none\n" for i in range(300)]
    found = read("".join(lines))
    assert found.length == 300
    assert {after >> 8 for _, after in steps(found)} == {1 << 3 | 1}
    assert {after & 0xFF for _, after in steps(found)} == set(range(64))


def test_a_log_cut_anywhere_is_a_beginning_of_the_trace() -> None:
    lengths = [trace_of(LOG.encode()[:size]).length for size in range(len(LOG) + 1)]
    assert lengths == sorted(lengths)
    assert (lengths[0], lengths[-1]) == (0, 6)


def test_a_log_longer_than_the_limit_is_cut_and_incomplete(monkeypatch: pytest.MonkeyPatch) -> None:
    source = ProgressLog()
    path = dict(source.options())["fp.spacer.trace_file"]
    with open(path, "w") as log:
        log.write(LOG)
    assert source.read().complete
    monkeypatch.setattr(progress_log, "MAX_LOG", len(LOG) // 2)
    cut = source.read()
    assert not cut.complete
    assert 0 < cut.length < 6


def test_a_recording_forgets_the_last_log() -> None:
    source = ProgressLog()
    with open(dict(source.options())["fp.spacer.trace_file"], "w") as log:
        log.write(LOG)
    assert source.read().length == 6
    with source.recording():
        assert source.read().hash == NOTHING.hash


def test_two_sources_do_not_share_a_log() -> None:
    one, other = ProgressLog(), ProgressLog()
    assert one.options() != other.options()


def live(predicate: str, rlimit: int = 1_000_000) -> tuple[Trace, Status]:
    text = f"""(set-logic HORN)(declare-fun {predicate} (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) ({predicate} x y))))
        (assert (forall ((x Int) (y Int)) (=> (and ({predicate} x y) (< x 5)) ({predicate} (+ x 1) (+ y 2)))))
        (assert (forall ((x Int) (y Int)) (=> (and ({predicate} x y) (> y 10)) false)))"""
    outcome = Spacer(ProgressLog(), Watchdog(60)).solve(text, [], rlimit)
    return outcome.trace, outcome.status


def test_the_log_that_spacer_writes_is_read() -> None:
    found, status = live("p")
    assert status is Status.SAT
    assert found.complete
    assert found.length > 20
    assert kinds(found) == {0, 1, 2, 3}


@pytest.mark.parametrize("name", ["inv", "|two words|", "|x level: 3 depth: 2 y|", "|;|"])
def test_a_live_log_is_about_two_predicates_whatever_they_are_called(name: str) -> None:
    """The system's own and Spacer's query. The order of lemmas may depend on a name inside of Z3, so no hash here."""
    found, status = live(name)
    assert status is Status.SAT
    assert {after & 0xFF for _, after in steps(found)} == {0, 1}
    assert kinds(found) == {0, 1, 2, 3}


def test_an_execution_that_was_cut_off_shows_the_beginning() -> None:
    whole, (begun, status) = live("p")[0], live("p", rlimit=8_000)
    assert status is Status.LIMIT
    assert 0 < begun.length < whole.length


def test_a_sequence_labels_each_event_in_order_with_its_predicate() -> None:
    found = sequence_of(LOG.encode(), 100)
    assert [found.labels[int(number)] for number in found.numbers] == [
        "level 1 begins",
        "expand-pob of query!0 at level 1, depth 0",
        "expand-pob of p at level 0, depth 1",
        "add-lemma of p at level 0",
        "propagate",
        "add-lemma of p at any level",
    ]
    assert found.kinds[int(found.numbers[2])] == "expand-pob at level 0, depth 1"
    assert found.start == 0


def test_a_sequence_is_the_same_under_other_names_but_for_its_words() -> None:
    found, other = (sequence_of(log.encode(), 100) for log in (LOG, LOG.replace("p\n", "q\n").replace(": p ", ": q ")))
    assert found.numbers.tolist() == other.numbers.tolist()
    assert found.kinds == other.kinds
    assert found.labels != other.labels


def test_a_sequence_is_cut_after_so_many_events() -> None:
    assert sequence_of(LOG.encode(), 2).numbers.tolist() == sequence_of(LOG.encode(), 100).numbers.tolist()[:2]


def test_the_kinds_of_a_sequence_are_coarse() -> None:
    def kind(level: int | str) -> str:
        (found,) = sequence_of(f"** add-lemma: {level} exprID: 1 pobID: 1\np\n".encode(), 9).kinds.values()
        return found

    assert kind(3) == kind(4) == "add-lemma at level 3-4"
    assert kind(3) != kind(5)
    assert kind("oo") == "add-lemma at any level"
