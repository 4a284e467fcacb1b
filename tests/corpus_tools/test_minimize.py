"""A smaller corpus with the same features, at less cost, and the summary."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from chcfuzz.campaign.worker import outcomes
from chcfuzz.campaign.worker.outcomes import CachedOutcome, OutcomeTable, StoredOutcome
from chcfuzz.commands import main
from chcfuzz.corpus_tools.minimize import BOTH, EDGES, TRACES, features, minimize
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.execution.signed_tables import FOLDER
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.mutators.recipe import Recipe, Step, digest, encode
from chcfuzz.solvers.outcome import Status
from chcfuzz.tracing.edges import Edges
from chcfuzz.tracing.trace import NOTHING

from tests.targets import WALL
from tests.traced import TRACED, needs_traced_build

SOLVING = Solving.parsed([WALL])


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Seeds, each again under other names and with a line break in its file name, and a file that is not a unit."""
    folder = tmp_path / "with space"
    folder.mkdir()
    for number, seed in enumerate(BUILT_IN[:3]):
        (folder / f"{number}.smt2").write_text(seed)
        renamed = Step("names.rename-predicate", bytes([number] * 8))
        (folder / f"renamed\n{number}").write_bytes(encode(Recipe(seed, (renamed,))))
    (folder / "notes").write_text("(assert")
    return folder


@pytest.mark.slow
def test_one_unit_stays_for_each_trace_and_the_cheapest(corpus: Path, tmp_path: Path) -> None:
    result = minimize(corpus, tmp_path / "small", SOLVING, TRACES)
    kept = {path.name for path in (tmp_path / "small").iterdir()}
    assert kept == {each.unit for each in result.chosen}
    assert kept <= {digest(path.read_bytes()) for path in corpus.iterdir()}
    assert (result.units, len(result.refused)) == (6, 1)
    assert 0 < len(result.chosen) == result.merged < 6
    assert result.cost <= result.merged_cost
    assert len(result.chosen) + result.alike + result.undecided + result.silent == result.units
    assert all(each.traces == 1 for each in result.chosen)
    again = minimize(tmp_path / "small", tmp_path / "smaller", SOLVING, TRACES)
    assert [each.unit for each in again.chosen] == [each.unit for each in result.chosen]


def test_each_unit_belongs_to_one_part_of_the_work(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[list[str]] = []
    monkeypatch.setattr("chcfuzz.corpus_tools.minimize._merged", lambda units, *_: given.append([*units]) or {*units})
    results = [minimize(corpus, tmp_path / str(number), SOLVING, TRACES, (number, 4)) for number in range(1, 5)]
    assert [result.units for result in results] == [len(units) for units in given] == [2, 2, 1, 1]
    whole = minimize(corpus, tmp_path / "whole", SOLVING, TRACES)
    assert whole.units == 6
    assert sorted(unit for units in given[:4] for unit in units) == sorted(given[4])
    assert {path.name for path in (tmp_path / "1").iterdir()} == {*given[0]}


@pytest.mark.slow
def test_the_command_says_what_it_kept_and_why(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    into, numbers = tmp_path / "small", tmp_path / "numbers.json"
    assert main.main(["minimize", str(corpus), str(into), WALL, f"--json={numbers}"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("6 units: 5 traces\n")
    assert "1 file without a unit; the first:" in out
    written = json.loads(numbers.read_text())
    assert (written["format"], written["by"]) == ("chcfuzz-minimized 1", "traces")
    assert len(written["chosen"]) == len(list(into.iterdir()))
    assert main.main(["minimize", str(corpus), str(into), WALL]) == 2
    assert "not empty" in capsys.readouterr().err
    assert main.main(["minimize", str(corpus), str(tmp_path / "other"), WALL, "--by=edges"]) == 2
    assert "--z3-library" in capsys.readouterr().err


def test_a_missing_corpus_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file or folder"):
        minimize(tmp_path / "nowhere", tmp_path / "small", SOLVING, TRACES)


def test_edges_count_in_libfuzzers_classes() -> None:
    kept = StoredOutcome("u", Status.SAT, 1, NOTHING, np.array([3, 9], np.uint32), np.array([4, 200], np.uint8))
    other = StoredOutcome("v", Status.SAT, 1, NOTHING, np.array([3, 9], np.uint32), np.array([7, 128], np.uint8))
    more = StoredOutcome("w", Status.SAT, 1, NOTHING, np.array([3, 9], np.uint32), np.array([8, 128], np.uint8))
    assert features(kept, EDGES) == features(other, EDGES) == {3 * 8 + 3, 9 * 8 + 7}
    assert len(features(kept, EDGES) | features(more, EDGES)) == 3
    assert features(kept, TRACES) == {-1 - NOTHING.hash}
    assert features(kept, BOTH) == features(kept, TRACES) | features(kept, EDGES)


def test_all_that_a_table_of_outcomes_holds_can_be_read(tmp_path: Path) -> None:
    edges = Edges(np.zeros(50, np.uint8), np.zeros((50, 2), np.uintp))
    table = OutcomeTable(tmp_path, "a setting", edges)
    edges.counters[[4, 7]] = 3, 255
    table.put("f" * 40, CachedOutcome(b"key", "seed", Status.UNSAT, NOTHING, 77))
    (kept,) = outcomes.everything(tmp_path)
    assert (kept.unit, kept.status, kept.cost, kept.trace.hash) == ("f" * 40, Status.UNSAT, 77, NOTHING.hash)
    assert (kept.edges.tolist(), kept.counts.tolist()) == ([4, 7], [3, 255])
    assert list(outcomes.everything(tmp_path / "nowhere")) == []


def test_a_table_of_an_earlier_version_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    with closing(sqlite3.connect(tmp_path / FOLDER / outcomes.FILE)) as table, table:
        table.execute("create table shown (setting text, unit text)")
    assert list(outcomes.everything(tmp_path)) == []


@pytest.mark.slow
@needs_traced_build
@pytest.mark.parametrize("by", [EDGES, BOTH])
def test_with_a_traced_build_edges_stay(corpus: Path, tmp_path: Path, by: str) -> None:
    result = minimize(corpus, tmp_path / "small", Solving.parsed([WALL, f"--z3-library={TRACED}"]), by)
    assert sum(each.edges for each in result.chosen) > 100
    assert result.chosen[0].edges > 0
    assert result.cost <= result.merged_cost or len(result.chosen) > result.merged
