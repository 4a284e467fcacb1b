"""Outcomes that are not computed twice: the same to libFuzzer, and never in the way."""

import contextlib
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.worker import outcomes
from chcfuzz.campaign.worker.outcomes import FILE, CachedOutcome, OutcomeTable
from chcfuzz.campaign.worker.target import Target
from chcfuzz.execution import own_secret
from chcfuzz.execution.signed_tables import FOLDER, key_of
from chcfuzz.mutators.recipe import Recipe, Step, canonical, decode, encode
from chcfuzz.solvers.outcome import Status
from chcfuzz.tracing.edges import NO_EDGES, Edges
from chcfuzz.tracing.trace import Trace, make_trace

from tests.campaign.conftest import FORGETFUL, MORE_SAT, doubled
from tests.users import BecomeUser

UNIT = "unit"
TRACE = make_trace(np.array([3, 1, 2], np.uint32), np.array([1, 1, 2], np.uint16))
SHOWN = CachedOutcome(b"key", "seed", Status.SAT, TRACE, 4711, "wrong-model", "1-a-wrong-model-b.json")


def edges(counts: list[int]) -> Edges:
    return Edges(np.array(counts, np.uint8), np.zeros((len(counts), 2), np.uintp))


def fields(shown: CachedOutcome | None) -> tuple[object, ...] | None:
    if shown is None:
        return None
    trace = shown.trace
    said = (shown.key, shown.seed, shown.status, shown.cost, shown.finding, shown.suspicion)
    return *said, trace.hash, trace.length, trace.keys.tolist(), trace.counts.tolist()


@pytest.mark.parametrize(
    "counts",
    [
        [],
        [0] * 9,
        [0, 7, 0, 255],
        [1, 2, 3, 0, 0, 0, 0, 8],
        [0, 1] * 8 + [255],
        [0] * 254 + [1, *[0] * 254, 2, *[0] * 255, 3],
    ],
)
def test_what_one_process_put_another_gets_with_the_edges_reached(tmp_path: Path, counts: list[int]) -> None:
    OutcomeTable(tmp_path, "setting", edges(counts)).put(UNIT, SHOWN)
    mine = edges([9] * len(counts))
    assert fields(OutcomeTable(tmp_path, "setting", mine).get(UNIT)) == fields(SHOWN)
    assert mine.counters.tolist() == counts
    (kept,) = outcomes.everything(tmp_path)
    assert kept.edges.tolist() == [at for at, count in enumerate(counts) if count]
    assert kept.counts.tolist() == [count for count in counts if count]


def test_a_unit_that_is_got_with_its_size_shows_what_no_other_has_shown(tmp_path: Path) -> None:
    table = OutcomeTable(tmp_path, "setting", mine := edges([1, 0, 9, 3]))
    table.put("first", SHOWN)
    mine.counters[:] = [1, 1, 4, 3]
    table.put("second", SHOWN)
    seen = []
    for unit, size in (("first", 10), ("second", 10), ("first", 10), ("first", 9), ("second", None)):
        assert fields(table.get(unit, size)) == fields(SHOWN)
        seen.append(mine.counters.tolist())
    assert seen == [[1, 0, 9, 3], [0, 1, 4, 0], [0, 0, 0, 0], [1, 0, 9, 3], [1, 1, 4, 3]]


def test_nothing_is_known_of_another_unit_or_under_another_setting(tmp_path: Path) -> None:
    OutcomeTable(tmp_path, "setting", NO_EDGES).put(UNIT, SHOWN)
    mine = edges([9])
    assert OutcomeTable(tmp_path, "setting", mine).get("other") is None
    assert OutcomeTable(tmp_path, "another setting", mine).get(UNIT) is None
    assert mine.counters.tolist() == [9]


def test_the_first_outcome_stays(tmp_path: Path) -> None:
    table = OutcomeTable(tmp_path, "setting", NO_EDGES)
    table.put(UNIT, SHOWN)
    table.put(UNIT, CachedOutcome(b"another", "seed", Status.UNSAT, TRACE, 1))
    assert fields(table.get(UNIT)) == fields(SHOWN)


def test_a_trace_that_was_cut_short_is_not_kept(tmp_path: Path) -> None:
    cut = Trace(TRACE.hash, TRACE.length, TRACE.keys, TRACE.counts, complete=False)
    table = OutcomeTable(tmp_path, "setting", NO_EDGES)
    table.put(UNIT, CachedOutcome(b"key", "seed", Status.SAT, cut, 1))
    assert table.get(UNIT) is None


@pytest.mark.parametrize("content", [b"no table at all" * 100, b"SQLite format 3\0" + bytes(84)])
def test_a_damaged_table_is_told_and_begun_anew(
    tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / FILE).write_bytes(content)
    table = OutcomeTable(tmp_path, "setting", NO_EDGES)
    table.put(UNIT, SHOWN)
    assert fields(table.get(UNIT)) == fields(SHOWN)
    (line,) = capsys.readouterr().err.splitlines()
    assert FILE in line
    assert "is damaged" in line


@pytest.mark.parametrize(
    "damage",
    [
        "trace = x'00'",
        "trace = 'text'",
        "seed = null",
        "seed = x'ff'",
        "status = 'maybe'",
        "status = 'unsat'",
        "cost = cost + 1",
        "finding = null",
        "edges = x''",
        "signature = null",
    ],
)
def test_a_damaged_row_is_told_solved_again_and_written_anew(
    tmp_path: Path, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    table = OutcomeTable(tmp_path, "setting", edges([0, 7]))
    table.put(UNIT, SHOWN)
    with sqlite3.connect(tmp_path / FOLDER / FILE) as connection:
        assert connection.execute(f"update {outcomes.TABLE} set {damage}").rowcount == 1
    connection.close()
    assert table.get(UNIT) is None
    (line,) = capsys.readouterr().err.splitlines()
    assert f"unit {UNIT} is damaged" in line
    table.put(UNIT, SHOWN)
    assert fields(table.get(UNIT)) == fields(SHOWN)


@pytest.mark.parametrize("old", ["outcomes", "executed"])
def test_a_table_of_an_older_version_gives_way(tmp_path: Path, old: str) -> None:
    (tmp_path / FOLDER).mkdir()
    with sqlite3.connect(tmp_path / FOLDER / FILE) as connection:
        connection.execute(f"create table {old} (setting text, unit text)")
    connection.close()
    table = OutcomeTable(tmp_path, "setting", NO_EDGES)
    table.put(UNIT, SHOWN)
    assert fields(table.get(UNIT)) == fields(SHOWN)


def test_a_fresh_folder_is_made_without_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = OutcomeTable(tmp_path / "not" / "yet", "setting", NO_EDGES)
    table.put(UNIT, SHOWN)
    assert fields(table.get(UNIT)) == fields(SHOWN)
    assert capsys.readouterr().err == ""


def test_a_folder_that_cannot_be_made_is_as_good_as_no_table(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    table = OutcomeTable(tmp_path / "file", "setting", NO_EDGES)
    table.put(UNIT, SHOWN)
    assert table.get(UNIT) is None


def test_a_link_to_another_table_is_not_followed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    OutcomeTable(tmp_path / "elsewhere", "setting", NO_EDGES).put(UNIT, SHOWN)
    (tmp_path / "findings").mkdir()
    (tmp_path / "findings" / FOLDER).symlink_to(tmp_path / "elsewhere" / FOLDER)
    assert OutcomeTable(tmp_path / "findings", "setting", NO_EDGES).get(UNIT) is None
    assert "links are not followed" in capsys.readouterr().err


def forge(folder: Path, change: str) -> None:
    """Change the row of a table as somebody without the secret can."""
    with contextlib.closing(sqlite3.connect(folder / FOLDER / FILE)) as table, table:
        assert table.execute(f"update {outcomes.TABLE} set {change}").rowcount == 1


@pytest.mark.parametrize("change", ["finding = null", "status = 'unsat'", "unit = 'other'", "expected = 'sat'"])
def test_a_forged_row_is_neither_believed_nor_signed_again(tmp_path: Path, change: str) -> None:
    table = OutcomeTable(tmp_path, "setting", NO_EDGES)
    table.put(UNIT, SHOWN)
    forge(tmp_path, change)
    unit = "other" if change.startswith("unit") else UNIT
    table.judge(unit, SHOWN)
    assert list(outcomes.everything(tmp_path)) == []
    assert table.get(unit) is None
    table.put(unit, SHOWN)
    assert fields(table.get(unit)) == fields(SHOWN)


def test_a_row_of_another_configuration_does_not_move_to_this_one(tmp_path: Path) -> None:
    OutcomeTable(tmp_path, "setting", NO_EDGES).put(UNIT, SHOWN)
    forge(tmp_path, f"setting = '{key_of('another')}'")
    assert OutcomeTable(tmp_path, "another", NO_EDGES).get(UNIT) is None


def test_outcomes_of_another_machine_need_its_secret(tmp_path: Path, become_user: BecomeUser) -> None:

    def moved_to(machine: str) -> None:
        become_user(tmp_path / machine)

    findings = tmp_path / "findings"
    moved_to("here")
    OutcomeTable(findings, "setting", NO_EDGES).put(UNIT, SHOWN)
    assert outcomes.describe_foreign(findings) == ""
    moved_to("there")
    assert OutcomeTable(findings, "setting", NO_EDGES).get(UNIT) is None
    assert "docs/clusters.md" in outcomes.describe_foreign(findings)
    shutil.copy(tmp_path / "here" / "chcfuzz" / own_secret.FILE, tmp_path / "there" / "chcfuzz" / own_secret.FILE)
    moved_to("there")
    assert fields(OutcomeTable(findings, "setting", NO_EDGES).get(UNIT)) == fields(SHOWN)
    assert outcomes.describe_foreign(findings) == ""


def in_a_session(asked: Options, folder: Path, units: list[bytes]) -> tuple[list[bytes], Session]:
    """Return the counters that libFuzzer sees after each unit, in a session of its own."""
    folder.mkdir()
    session = Session(folder)
    target = Target(asked, session)
    seen = []
    for unit in units:
        target.test_one_input(unit)
        seen.append(target.counters.counters.tobytes())
    return seen, session


def test_a_second_process_shows_the_same_without_solving(options: Callable[..., Options], tmp_path: Path) -> None:
    asked = options()
    asked.findings.mkdir()
    units = [MORE_SAT.encode(), doubled()]
    first, one = in_a_session(asked, tmp_path / "one", units)
    second, two = in_a_session(asked, tmp_path / "two", units)
    assert first == second
    assert len(set(first)) == 2
    assert (one.counters.totals()[Counter.REPEATED], two.counters.totals()[Counter.REPEATED]) == (0, 2)
    assert two.counters.totals()[Counter.SOLVER_TIME] == 0


def test_the_end_of_a_chain_is_stored_beside_its_outcome(tmp_path: Path) -> None:
    table = OutcomeTable(tmp_path, "setting", NO_EDGES)
    table.put(UNIT, SHOWN, "(assert true)")
    table.put("seed", SHOWN)
    again = OutcomeTable(tmp_path, "setting", NO_EDGES)
    assert (again.end_of(UNIT), again.end_of("seed"), again.end_of("other")) == ("(assert true)", None, None)
    assert fields(again.get(UNIT)) == fields(SHOWN)
    assert OutcomeTable(tmp_path, "another setting", NO_EDGES).end_of(UNIT) is None


def test_a_second_process_reads_the_end_of_a_costly_chain_and_makes_the_same_mutants(
    options: Callable[..., Options], tmp_path: Path
) -> None:
    asked = options()
    asked.findings.mkdir()
    rows = ("unfolding.unfold-predicate", "simplify.plain")  # this opens a trace, so it is stored
    unit = encode(canonical(Recipe(MORE_SAT, tuple(Step(row, b"", b"key") for row in rows))))
    made, steps = [], []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        session = Session(tmp_path / name)
        target = Target(asked, session)
        for each in (MORE_SAT.encode(), unit):
            target.test_one_input(each)
        made.append([target.mutate(unit, 1 << 20, seed, lambda data, _: data) for seed in range(30)])
        made[-1].append(target.context.pipeline.mutant(decode(unit)).text.encode())
        target.context.update_totals()
        totals = session.counters.totals()
        steps.append((int(totals[Counter.STEPS]), int(totals[Counter.READ])))
    assert made[0] == made[1]
    assert (steps[0][1], steps[1][1]) == (0, 1)
    assert steps[1][0] < steps[0][0]


def test_another_solver_solves_again(options: Callable[..., Options], tmp_path: Path) -> None:
    asked = options()
    asked.findings.mkdir()
    in_a_session(asked, tmp_path / "one", [MORE_SAT.encode()])
    _, two = in_a_session(options(FORGETFUL), tmp_path / "two", [MORE_SAT.encode()])
    assert two.counters.totals()[Counter.REPEATED] == 0
    assert two.counters.totals()[Counter.SUSPICIONS] == 1


def test_a_full_table_keeps_what_was_used_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcomes, "_MOST", 10)
    monkeypatch.setattr(outcomes, "_USES_WRITTEN", 1)
    table = OutcomeTable(tmp_path, "setting", NO_EDGES)
    for number in range(50):
        table.put(f"unit {number}", SHOWN)
        assert table.get("unit 0") is not None
    known = [number for number in range(50) if table.get(f"unit {number}") is not None]
    assert known == [0, *range(41, 50)]
    again = OutcomeTable(tmp_path, "another setting", NO_EDGES)  # the next start finds it full
    for number in range(5):
        again.put(f"unit {number}", SHOWN)
    assert all(again.get(f"unit {number}") is not None for number in range(5))
    assert [number for number in range(50) if table.get(f"unit {number}") is not None] == [*range(45, 50)]


def test_a_corpus_larger_than_the_table_is_known_when_it_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outcomes, "_MOST", 10)
    units = [f"unit {number}" for number in range(50)]
    for known in (0, 50):  # at the first start, and at the next
        table = OutcomeTable(tmp_path, "setting", NO_EDGES, lambda: len(units))
        assert sum(table.get(unit) is not None for unit in units) == known
        for unit in units:
            table.put(unit, SHOWN)
    for number in range(200):
        table.put(f"not kept {number}", SHOWN)
    (rows,) = sqlite3.connect(tmp_path / FOLDER / FILE).execute(f"select count(*) from {outcomes.TABLE}").fetchone()
    assert rows <= 2 * len(units)


def test_uses_that_wait_to_be_written_count_when_room_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcomes, "_MOST", 10)
    table = OutcomeTable(tmp_path, "setting", NO_EDGES)
    for number in range(10):
        table.put(f"unit {number}", SHOWN)
    assert table.get("unit 0") is not None
    table.put("unit 10", SHOWN)
    assert [number for number in range(11) if table.get(f"unit {number}") is None] == [1]


def test_a_use_that_cannot_be_written_loses_no_outcome(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcomes, "_MOST", 1)
    monkeypatch.setattr(outcomes, "_USES_WRITTEN", 1)
    monkeypatch.setattr(outcomes, "PATIENCE", 0.0)
    table = OutcomeTable(tmp_path, "setting", NO_EDGES)
    table.put("unit", SHOWN)
    with contextlib.closing(sqlite3.connect(tmp_path / FOLDER / FILE, isolation_level=None)) as other:
        other.execute("begin immediate")
        assert table.get("unit") is not None
    assert table.get("unit") is not None


def test_a_table_that_stays_locked_at_the_start_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(outcomes, "PATIENCE", 0.0)
    (tmp_path / FOLDER).mkdir()
    with contextlib.closing(sqlite3.connect(tmp_path / FOLDER / FILE, isolation_level=None)) as other:
        other.execute("begin exclusive")
        table = OutcomeTable(tmp_path, "setting", NO_EDGES)
    assert "cannot be used (database is locked); every unit is solved" in capfd.readouterr().err
    table.put("unit", SHOWN)
    assert table.get("unit") is None


def test_two_processes_fill_one_table_and_it_stays_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcomes, "_MOST", 20)
    tables = [OutcomeTable(tmp_path, "setting", NO_EDGES) for _ in range(2)]
    for number in range(100):
        tables[number % 3 % 2].put(f"unit {number}", SHOWN)
    known = [number for number in range(100) if tables[0].get(f"unit {number}") is not None]
    assert 15 <= len(known) <= 40
    assert known[-5:] == [95, 96, 97, 98, 99]
