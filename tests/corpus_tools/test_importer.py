"""`chcfuzz import`: folders of benchmarks become a corpus; refused files are listed, and results are kept."""

import gzip
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from chcfuzz.commands.import_ import summary
from chcfuzz.corpus_tools import importer
from chcfuzz.corpus_tools.importer import IMPORTED, KNOWN, ImportOptions, RefusedError, import_folders
from chcfuzz.execution.cached_outcome import outcome_in
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.seed_answers import Ground, declared
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.solvers.process import state_of

from tests.campaign.conftest import MORE_SAT, SAT, UNSAT
from tests.fuzz_targets.solvers import MARK
from tests.targets import SAFETY_NET, comes_true

CHCFUZZ = Path(sys.executable).parent / "chcfuzz"
SLOW_NOT_DECIDED = SAT  # takes some 200,000 resource units


def imported(cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(CHCFUZZ), "import", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=SAFETY_NET, check=False)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Two systems of one name in different folders, one packed, and all that cannot be imported."""
    files = {
        "one/loop.smt2": MORE_SAT,
        "two/loop.smt2": UNSAT,
        "one/broken.smt2": "(set-logic HORN)\n(assert (< x 1))\n",
        "one/binary.smt2": None,
        "one/disputed.smt2": MORE_SAT.replace("status sat", "status unsat"),
        "one/undecided.smt2": SLOW_NOT_DECIDED,
        "one/large.smt2": MORE_SAT + "; padding\n" * 1000,
        "one/readme.txt": "no system",
    }
    for name, text in files.items():
        path = tmp_path / "bench" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"\xff\xfe" if text is None else text.encode())
    (tmp_path / "bench/one/packed.smt2.gz").write_bytes(gzip.compress(UNSAT.encode()))
    (tmp_path / "bench/one/torn.smt2.gz").write_bytes(gzip.compress(SAT.encode())[:40])
    return tmp_path


FLAGS = ("bench", "--rlimit=60000", "--max-bytes=5000")


@pytest.mark.slow
def test_a_folder_becomes_a_corpus_and_every_refusal_is_listed(tree: Path) -> None:
    done = imported(tree, *FLAGS)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "4 files have problems in imported (4 new, 0 known already)",
        "1 of the new declare a status that a checked witness contradicts: the status of the witness is used",
        "5 left out: 2 no CHC system, 1 too large (over 5,000 bytes, see --max-bytes), 1 undecided, 1 unreadable; "
        "see imported.refused.tsv next to it",
    ]
    corpus = tree / "imported"
    assert sorted(file.name.rpartition("-")[0] for file in corpus.iterdir()) == ["disputed", "loop", "loop", "packed"]
    assert {file.suffix for file in corpus.iterdir()} == {".smt2"}
    rows = [line.split("\t") for line in (tree / "imported.refused.tsv").read_text().splitlines()[1:]]
    assert [(row[0], row[1]) for row in rows] == [
        ("bench/one/binary.smt2", "no CHC system"),
        ("bench/one/broken.smt2", "no CHC system"),
        ("bench/one/disputed.smt2", "wrong status"),
        ("bench/one/large.smt2", "too large"),
        ("bench/one/torn.smt2.gz", "unreadable"),
        ("bench/one/undecided.smt2", "undecided"),
    ]
    assert "bench/one/broken.smt2:2:" in rows[1][2]
    assert rows[2][2] == "the file declares unsat, but a checked witness proves sat, which is used"


@pytest.mark.slow
def test_what_was_imported_remembers_its_execution(tree: Path) -> None:
    imported(tree, *FLAGS)
    pipeline = Pipeline(Solving(rlimit=60000))
    for file in (tree / "imported").iterdir():
        text = file.read_text()
        known = outcome_in(text, pipeline.setting)
        assert known is not None
        status, cost, trace = known
        assert parse(text, file.name).status == status.value
        again = pipeline.execute(pipeline.mutant(Recipe(text))).outcome
        assert (again.status, again.trace.hash) == (status, trace.hash)
        assert cost > 0


@pytest.mark.slow
def test_no_imported_text_claims_that_a_witness_was_checked(tree: Path) -> None:
    imported(tree, *FLAGS)
    grounds = {file.name.rpartition("-")[0]: declared(file.read_text()) for file in (tree / "imported").iterdir()}
    assert {name: answer and answer.ground for name, answer in grounds.items()} == {
        "disputed": Ground.DECLARED,
        "loop": Ground.DECLARED,
        "packed": Ground.DECLARED,
    }


@pytest.mark.slow
def test_a_file_that_kills_the_solver_ends_no_import_and_is_left_to_a_campaign(tmp_path: Path) -> None:
    (tmp_path / "bench").mkdir()
    (tmp_path / "bench/a.smt2").write_text(MORE_SAT.replace("even", MARK))
    (tmp_path / "bench/b.smt2").write_text(MORE_SAT)
    done = imported(tmp_path, "bench", "--solver=tests.fuzz_targets.solvers:DyingSpacer")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "2 files have problems in imported (2 new, 0 known already)",
        "1 of the new are in doubt: a campaign will examine them",
        "see imported.refused.tsv next to it",
    ]
    (row,) = (tmp_path / "imported.refused.tsv").read_text().splitlines()[1:]
    assert "Spacer dies of signal 11 (Segmentation fault); a campaign will examine it" in row


def options(tmp_path: Path, *folders: str) -> ImportOptions:
    return ImportOptions(tuple(tmp_path / folder for folder in folders), tmp_path / "imported", 5000)


@pytest.mark.slow
@pytest.mark.parametrize("imports", [(("2023/LIA", "2024/LIA"),), (("2023/LIA",), ("2024/LIA",))], ids=["one", "two"])
def test_files_of_one_name_in_two_folders_of_one_name_are_two(
    tmp_path: Path, imports: tuple[tuple[str, ...], ...]
) -> None:
    for year, text in (("2023", MORE_SAT), ("2024", UNSAT)):
        (tmp_path / year / "LIA").mkdir(parents=True)
        (tmp_path / year / "LIA" / "loop.smt2").write_text(text)
    for expected in (IMPORTED, KNOWN):
        for folders in imports:
            chosen = options(tmp_path, *folders)
            assert import_folders(chosen, Pipeline(Solving())) == {expected: len(folders)}
    found = {parse(file.read_text(), file.name).status for file in chosen.into.iterdir()}
    assert found == {"sat", "unsat"}


@pytest.mark.slow
def test_a_refused_file_is_read_again_once_it_has_changed(tmp_path: Path) -> None:
    file = tmp_path / "bench" / "a.smt2"
    file.parent.mkdir()
    for text, expected in (("(assert (< x 1))", "no CHC system"), (MORE_SAT, IMPORTED), (UNSAT, IMPORTED)):
        file.write_text(text)
        for result in (expected, KNOWN if expected == IMPORTED else expected):
            assert import_folders(options(tmp_path, "bench"), Pipeline(Solving())) == {result: 1}
    assert len(list((tmp_path / "imported").iterdir())) == 2
    assert len((tmp_path / "imported.refused.tsv").read_text().splitlines()) == 2, "the header, and the first content"


def test_a_file_with_several_problems_is_continued_after_one_was_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bench").mkdir()
    (tmp_path / "bench" / "a.smt2").write_text(MORE_SAT)
    first, second = parse(SAT), parse(MORE_SAT)
    monkeypatch.setattr(importer, "_problems", lambda *_: (first, second))
    results: Iterator[object] = iter((KeyboardInterrupt(), "text"))

    def decided(problem: object, _pipeline: Pipeline) -> tuple[str, None]:
        if problem == first:
            raise RefusedError("undecided", "too hard")
        result = next(results)
        if isinstance(result, KeyboardInterrupt):
            raise result
        return str(result), None

    monkeypatch.setattr(importer, "_decided_in_child", decided)
    with pytest.raises(KeyboardInterrupt):
        import_folders(options(tmp_path, "bench"), Pipeline(Solving()))
    assert import_folders(options(tmp_path, "bench"), Pipeline(Solving())) == {IMPORTED: 1}
    assert [file.read_text() for file in (tmp_path / "imported").iterdir()] == ["text"]
    assert len((tmp_path / "imported.refused.tsv").read_text().splitlines()) == 2, "the header, and the first problem"


@pytest.mark.slow
def test_a_second_import_does_nothing_again(tree: Path) -> None:
    imported(tree, *FLAGS)
    before = {file: file.stat().st_mtime_ns for file in (tree / "imported").iterdir()}
    journal = (tree / "imported.refused.tsv").read_text()
    done = imported(tree, *FLAGS)
    assert done.stdout.startswith("4 files have problems in imported (0 new, 4 known already)\n5 left out: ")
    assert {file: file.stat().st_mtime_ns for file in (tree / "imported").iterdir()} == before
    assert (tree / "imported.refused.tsv").read_text() == journal


@pytest.mark.slow
def test_other_limits_give_the_refused_another_chance(tree: Path) -> None:
    imported(tree, *FLAGS)
    done = imported(tree, "bench", "--max-bytes=50000")
    assert done.stdout.startswith("6 files have problems in imported (2 new, 4 known already)\n3 left out: ")


@pytest.mark.slow
def test_a_killed_import_goes_on_where_it_stopped(tmp_path: Path) -> None:
    bench = tmp_path / "bench"
    bench.mkdir()
    for number in range(10):
        name = MARK if number == 5 else "even"
        (bench / f"{number}.smt2").write_text(MORE_SAT.replace("even", f"{name}{number}"))
    corpus = tmp_path / "imported"
    solver = ("--solver=tests.fuzz_targets.solvers:DeafSpacer", "--wall-seconds=1000")
    process = subprocess.Popen([str(CHCFUZZ), "import", "bench", *solver], cwd=tmp_path, stderr=subprocess.DEVNULL)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    try:
        assert comes_true(lambda: len(list(corpus.glob("*.smt2"))) == 5 and bool(children.read_text()))
        child = int(children.read_text())
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert comes_true(lambda: state_of(child) in ("", "Z")), "nothing of it stays"
    whole = {file: file.read_bytes() for file in corpus.glob("*.smt2")}
    done = imported(tmp_path, "bench")
    assert done.stdout == "10 files have problems in imported (5 new, 5 known already)\n"
    assert all(file.read_bytes() == content for file, content in whole.items())
    assert all(parse(file.read_text(), file.name).status == "sat" for file in corpus.glob("*.smt2"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-such-folder"], "no such file or folder: 'no-such-folder'"),
        (["empty"], "no .smt2 or .smt2.gz file in 'empty'"),
        (["bench", "--into=/proc/corpus"], "'/proc/corpus'"),
        (["bench", "--into=file"], "'file'"),
        (["bench", "--rlimit=none"], "'none'"),
    ],
)
def test_bad_use_is_one_line(tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "bench").mkdir()
    (tmp_path / "bench/a.smt2").write_text(MORE_SAT)
    done = imported(tmp_path, *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert message in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_journal_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "bench").mkdir()
    (tmp_path / "bench/a.smt2").write_text(MORE_SAT)
    (tmp_path / "imported.refused.tsv").mkdir()
    done = imported(tmp_path, "bench")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "imported.refused.tsv" in done.stderr


@pytest.mark.slow
def test_commands_that_solvers_do_not_get_are_in_the_journal(tmp_path: Path) -> None:
    (tmp_path / "bench").mkdir()
    text = "(set-option :timeout 5){}(set-logic HORN)(declare-fun p () Bool)(assert p)(check-sat)(get-model)"
    for name, more in (("one", ""), ("two", "(set-option :fp.print_answer true)")):
        (tmp_path / "bench" / f"{name}.smt2").write_text(text.format(more))
    done = imported(tmp_path, "bench")
    assert "2 files have problems in imported (2 new, 0 known already)\n" in done.stdout
    assert "2 of the new have commands that solvers do not get\n" in done.stdout
    one, two = (tmp_path / "imported.refused.tsv").read_text().splitlines()[1:]
    assert one.split("\t")[1:3] == ["left out", "(set-option :timeout 5): chcfuzz has limits of its own"]
    assert "; (set-option :fp.print_answer true): it may write a file, print, or run a program" in two


@pytest.mark.slow
def test_a_journal_of_other_making_is_begun_anew(tmp_path: Path) -> None:
    (tmp_path / "bench").mkdir()
    (tmp_path / "bench/a.smt2").write_text(MORE_SAT)
    (tmp_path / "imported.refused.tsv").write_bytes(b"\xff\xff no journal\nbench/a.smt2\ttoo large\tmore\n")
    done = imported(tmp_path, "bench")
    assert done.stdout == "1 file has problems in imported (1 new, 0 known already)\n", done.stderr


@pytest.mark.slow
def test_a_full_disk_is_one_line_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    (tmp_path / "bench").mkdir()
    (tmp_path / "bench/a.smt2").write_text(MORE_SAT)
    corpus = tmp_path / "imported"
    corpus.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(corpus)], check=False).returncode:
        pytest.skip("needs the right to mount a tmpfs")
    try:
        disk = os.statvfs(corpus)
        (corpus / "filler").write_bytes(bytes(disk.f_bavail * disk.f_frsize))
        done = imported(tmp_path, "bench")
        assert done.returncode == 2
        assert "No space left on device" in done.stderr.splitlines()[-1]
        assert "Traceback" not in done.stderr
        assert [file.name for file in corpus.iterdir()] == ["filler"]
    finally:
        subprocess.run(["umount", str(corpus)], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", [b"m\xff.smt2", b"m" * 249 + b".smt2", b"m\nn\t.smt2", b"\x1b]0;m\x07.smt2"])
@pytest.mark.parametrize("content", [MORE_SAT, "(set-logic HORN)\n(assert (< x 1))\n"])
def test_a_file_name_that_is_no_text_or_too_long_does_not_end_an_import(
    tmp_path: Path, name: bytes, content: str
) -> None:
    folder = tmp_path / "bench"
    folder.mkdir()
    for other in ("a.smt2", "z.smt2"):
        (folder / other).write_text(MORE_SAT)
    (folder / os.fsdecode(name)).write_text(content)
    for new in ("new, 0 known", "new, 2 known", "new, 3 known")[:: 2 if content == MORE_SAT else 1][:2]:
        done = imported(tmp_path, "bench")
        assert done.returncode == 0, done.stderr
        assert new in done.stdout
        assert "\x1b" not in done.stdout + done.stderr
    corpus = list((tmp_path / "imported").iterdir())
    assert len(corpus) == (3 if content == MORE_SAT else 2)
    assert all(file.name.isprintable() for file in corpus)
    lines = (tmp_path / "imported.refused.tsv").read_text().splitlines()[1:]
    assert [len(line.split("\t")) for line in lines] == [4] * (3 - len(corpus))


@pytest.mark.slow
def test_an_import_does_not_read_its_own_results(tmp_path: Path) -> None:
    folder = tmp_path / "bench"
    (folder / "one").mkdir(parents=True)
    (folder / "one" / "a.smt2").write_text(MORE_SAT)
    for known in (0, 1):
        done = imported(tmp_path, "bench", "--into", "bench/corpus")
        assert f"({1 - known} new, {known} known already)" in done.stdout
    same = imported(tmp_path, "bench", "--into", "bench")
    assert same.returncode == 2
    assert "apart from the corpus 'bench'" in same.stderr


def test_the_last_line_names_what_was_left_out_and_the_limit_of_the_size() -> None:
    options = ImportOptions((), Path("into"), 65_536)
    lines = summary(Counter({IMPORTED: 3, "too large": 4025, "no CHC system": 2}), options)
    assert lines[-1] == (
        "4027 left out: 2 no CHC system, 4025 too large (over 65,536 bytes, see --max-bytes); "
        "see into.refused.tsv next to it"
    )
