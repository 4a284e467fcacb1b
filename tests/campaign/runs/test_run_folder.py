"""A run folder is begun once, held by one process, and read however the last one ended."""

import os
from collections import Counter as Tally
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from chcfuzz.campaign.command_line import default_corpus, parse
from chcfuzz.campaign.runs.run_folder import TRACES, RunFolder, build_of, make_room
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.mutators import seeds
from chcfuzz.mutators.seeds import own_seeds


def hashes(*numbers: int) -> "np.ndarray[tuple[int], np.dtype[np.uint64]]":
    return np.array(numbers, np.uint64)


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    made = RunFolder(tmp_path / "run")
    made.begin("spacer", ["--workers=2", "-seed=1", str(tmp_path)])
    return made


def test_traces_are_kept_by_build_and_a_torn_one_is_not(run: RunFolder) -> None:
    run.add_seen(TRACES, "one", hashes(5, 1 << 63))
    with open(run.path / "traces" / "one", "ab") as file:
        file.write(b"\1\2\3")
    assert run.seen(TRACES, "one").tolist() == [5, 1 << 63]
    run.add_seen(TRACES, "one", hashes(7, 5))
    assert run.seen(TRACES, "one").tolist() == [5, 7, 1 << 63]
    assert run.seen(TRACES, "another").tolist() == []
    assert (run.path / "traces" / "one").stat().st_size == 4 * 8


def test_tables_survive_being_written(run: RunFolder) -> None:
    assert run.tables() == {}
    run.write_tables(Tally({("cost", "sat", "3"): 2}))
    assert run.tables() == {("cost", "sat", "3"): 2}


def test_another_build_or_other_events_are_other_traces() -> None:
    plain = Solving()
    others = [replace(plain, trace_tags=("spacer",)), replace(plain, command="true"), replace(plain, solver="a:B")]
    assert len({build_of(solving) for solving in (plain, *others)}) == 4
    assert build_of(plain) == build_of(replace(plain, rlimit=7))


def test_one_process_at_a_time_writes(run: RunFolder) -> None:
    with run.locked(), pytest.raises(UsageError, match="another campaign runs"), RunFolder(run.path).locked():
        pytest.fail("held twice")
    with run.locked():
        pass


def test_a_campaign_goes_on_with_its_flags_and_later_ones_win(run: RunFolder, tmp_path: Path) -> None:
    options = parse([f"--resume={run.path}", "-seed=7", "--rlimit", "5000"])
    assert options.workers == 2
    assert options.flag("seed") == "7"
    assert options.solving.rlimit == 5000
    assert options.inputs == (run.corpus, tmp_path)
    assert options.findings == run.findings


def test_another_z3_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    run = RunFolder(tmp_path / "run")
    run.begin("spacer", parse([f"--run-dir={run.path}", "--z3=4.13.4.0"]).begun_with)
    assert parse(["--resume", str(run.path)]).solving.z3 == "4.13.4.0"
    other = parse(["--resume", str(run.path), f"--z3-library={tmp_path}"]).solving
    assert (other.z3, other.z3_library) == (None, tmp_path)


def test_what_a_campaign_was_begun_with_means_the_same_in_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "seeds").mkdir()
    monkeypatch.chdir(tmp_path)
    words = ["--run-dir=run", "--json=numbers.json", "--cross=golem", "-seed=1", "seeds"]
    begun = parse(words)
    run = begun.run
    assert run is not None
    run.begin("spacer", begun.begun_with)
    same = parse(["--resume=run", *words[1:]])
    assert (same.solving, len(same.inputs)) == (begun.solving, 2), "nothing counts twice"
    monkeypatch.chdir("/")
    again = parse([f"--resume={tmp_path / 'run'}"])
    assert again.inputs == (tmp_path / "run" / "corpus", tmp_path / "seeds")
    assert again.json == tmp_path / "numbers.json"
    assert again.solving.cross == ("golem",)
    assert not any(word.startswith(("--findings", "--run-dir", "--resume")) for word in begun.begun_with)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--run-dir={run}"], "--resume={run}"),
        (["--resume={run}", "--findings=x"], "with --run-dir, findings are in"),
        (["--resume={run}", "-merge=1"], "leave out -merge"),
        (["--resume={run}/nowhere"], "is not a run folder"),
        (["--resume={run}", "--run-dir=other"], "not allowed with"),
    ],
)
def test_what_makes_no_sense_is_told(run: RunFolder, words: list[str], told: str) -> None:
    with pytest.raises(UsageError) as error:
        parse([word.format(run=run.path) for word in words])
    assert told.format(run=run.path) in str(error.value)


@pytest.mark.parametrize("content", ["{", '{"format": "chcfuzz-run 2"}', "[]"])
def test_a_damaged_or_newer_folder_is_told_in_one_line(run: RunFolder, content: str) -> None:
    (run.path / "run.json").write_text(content)
    with pytest.raises(UsageError, match=r"run\.json"):
        parse([f"--resume={run.path}"])


def test_numbers_that_a_power_cut_replaced_by_zeros_may_be_removed(run: RunFolder) -> None:
    (run.path / "tables.json").write_bytes(b"\0" * 100)
    with pytest.raises(UsageError, match=r"tables\.json.*; remove it"):
        run.tables()
    (run.path / "tables.json").unlink()
    run.tables()


def test_a_corpus_that_is_too_large_loses_its_largest_units(tmp_path: Path) -> None:
    for number in range(10):
        (tmp_path / str(number)).write_bytes(b"x" * 100 * (number + 1))
    make_room(tmp_path, 5500, 10)
    assert len(list(tmp_path.iterdir())) == 10
    make_room(tmp_path, 5000, 10)
    assert sorted(path.name for path in tmp_path.iterdir()) == [str(number) for number in range(9)]


def test_a_corpus_of_too_many_units_loses_its_oldest(tmp_path: Path) -> None:
    for number in range(21):
        (tmp_path / str(number)).write_bytes(b"x" * (21 - number))
        os.utime(tmp_path / str(number), ns=(0, number))
    make_room(tmp_path, 1000, 21)
    assert len(list(tmp_path.iterdir())) == 21
    make_room(tmp_path, 1000, 20)
    assert {path.name for path in tmp_path.iterdir()} == {str(number) for number in range(21)} - {"0", "1", "2"}


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="name another --run-dir"), RunFolder(tmp_path / "file" / "run").locked():
        pytest.fail("held")


def test_without_a_clone_a_run_folder_is_fed_with_the_projects_seeds(tmp_path: Path) -> None:
    run = str(tmp_path / "run")
    assert default_corpus(["--run-dir", run, "-runs=3"]) == [str(own_seeds())]
    assert default_corpus(["--resume", run, "-runs=3"]) == []
    assert default_corpus([f"--run-dir={run}", str(tmp_path)]) == []


def test_a_run_folder_names_packaged_corpora_so_that_a_moved_environment_finds_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = parse([f"--run-dir={tmp_path / 'run'}", str(own_seeds() / "lia"), str(tmp_path)])
    run = RunFolder(tmp_path / "run")
    run.begin("spacer", begun.begun_with)
    assert str(own_seeds()) not in (run.path / "run.json").read_text()
    moved = tmp_path / "moved" / "corpus"
    (moved / "lia").mkdir(parents=True)
    monkeypatch.setattr(seeds, "own_seeds", lambda: moved)
    assert parse([f"--resume={run.path}"]).inputs == (run.corpus, moved / "lia", tmp_path)
