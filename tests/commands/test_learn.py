"""`chcfuzz learn`: models that are written whole or not at all, shown, and used for scores."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from chcfuzz.commands.main import main
from chcfuzz.corpus_tools import learning
from chcfuzz.learning import model_file
from chcfuzz.learning.counts import Counts
from chcfuzz.learning.model_file import TrainingRecord

from tests.commands.test_chcfuzz import CHCFUZZ, chcfuzz, refused
from tests.learning.test_formula_model import AND, OR

MANY = "(declare-const x{0} Int)(assert (< (+ x{0} {0}) (* {0} x{0})))"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a few problems."""
    here = tmp_path / "files"
    here.mkdir()
    (here / "and.smt2").write_text(AND)
    (here / "bad.smt2").write_text("(assert")
    (here / "or.smt2").write_text(OR)
    for number in range(20):
        (here / f"n{number}.smt2").write_text(MANY.format(number))
    return here


@pytest.mark.slow
def test_a_model_is_trained_shown_and_used(folder: Path, tmp_path: Path) -> None:
    done = chcfuzz(tmp_path, "learn", folder, "-o", "a.model")
    assert (done.returncode, done.stderr) == (0, "")
    assert "23 files" in done.stdout
    assert "left out: 1 not read" in done.stdout
    shown = chcfuzz(tmp_path, "learn", "--show", "a.model", "--sort", "Bool")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "23 files of files" in shown.stdout
    assert "<.2" in shown.stdout
    scored = chcfuzz(tmp_path, "learn", "--score", "a.model", folder)
    lines = scored.stdout.splitlines()
    bits = [float(line.split()[0]) for line in lines if "left out" not in line]
    assert bits == sorted(bits, reverse=True)
    assert lines[0].endswith(("and.smt2", "or.smt2"))  # unlike the others
    values = json.loads(chcfuzz(tmp_path, "learn", "--score", "a.model", folder, "--json").stdout)
    assert len(values) == 22
    (tmp_path / "none").mkdir()
    refused(chcfuzz(tmp_path, "learn", "none", "--base", "a.model", "-o", "b.model"), "no file to learn from")


@pytest.mark.slow
def test_the_same_files_give_the_same_model(folder: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert main(["learn", str(folder), "-o", str(tmp_path / name), "--diversity"]) == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    plain = tmp_path / "plain"
    assert main(["learn", str(folder), "-o", str(plain)]) == 0
    assert model_file.read(tmp_path / "a").about.nodes > 3 * model_file.read(plain).about.nodes


@pytest.mark.slow
def test_training_and_drawing_give_the_same_bytes_in_every_process(folder: Path, tmp_path: Path) -> None:
    found = []
    for name in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": name}
        for words in (
            ["learn", folder, "-o", f"{name}.model"],
            ["generate", "-n", "100", "--seed", "7", "--model", "builtin", "-o", name],
        ):
            subprocess.run([CHCFUZZ, *words], cwd=tmp_path, env=environment, capture_output=True, check=True)
        drawn = {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
        found.append(((tmp_path / f"{name}.model").read_bytes(), drawn))
    assert found[0] == found[1]
    assert len(found[0][1]) == 100


def test_a_model_does_not_replace_a_device_or_a_pipe(folder: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    refused(chcfuzz(tmp_path, "learn", folder, "-o", "pipe"), "'pipe': it is not a plain file")
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.slow
def test_equivalent_forms_of_triggers_are_learned(folder: Path, tmp_path: Path) -> None:
    for name, flags in (("a", ["--equivalents"]), ("b", [])):
        words = ["learn", str(folder), "--triggers", str(folder), "-o", str(tmp_path / name), *flags]
        assert main(words) == 0
    more, plain = (model_file.read(tmp_path / name).about for name in "ab")
    assert more.nodes > plain.nodes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["-o", "x"], "no folder to train on"),
        (["files"], "-o FILE"),
        (["files/and.smt2", "-o", "x"], "not a folder"),
        (["--triggers", "files", "-o", "x"], "no folder to train on"),
        (["--base", "files/or.smt2", "-o", "x"], "no folder to train on"),
        (["files", "--triggers", "files", "--weight", "9" * 18, "-o", "x"], "--weight 9999"),
        (["files", "--equivalents", "-o", "x"], "--triggers"),
        (["files", "--show", "x"], "--show"),
        (["none", "-o", "x"], "no file to learn from"),
        (["files", "-o", "gone/x"], "cannot write"),
        (["--show", "files/and.smt2"], "not a model"),
        (["--score", "gone", "files"], "cannot read"),
        (["files", "-o", "x", "--base", "files/or.smt2"], "not a model"),
    ],
)
def test_bad_use_is_refused_in_one_line(folder: Path, tmp_path: Path, words: list[str], told: str) -> None:
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "bad.smt2").write_text("(assert")
    refused(chcfuzz(tmp_path, "learn", *words), told)
    assert folder.is_dir()
    assert not (tmp_path / "x").exists()


def test_a_model_of_another_table_is_adapted_without_files(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = tmp_path / "old.model", tmp_path / "new.model"
    with monkeypatch.context() as patch:
        patch.setattr(model_file, "digest", lambda: "another")
        assert main(["learn", str(folder), "-o", str(old)]) == 0
    assert main(["generate", "--model", str(old), "-o", str(tmp_path / "drawn")]) == 2
    assert f"`chcfuzz learn --base {old} --refit -o FILE`" in capsys.readouterr().err
    assert main(["learn", "--base", str(old), "--refit", "-o", str(new)]) == 0
    assert main(["learn", str(folder), "-o", str(old)]) == 0
    assert new.read_bytes() == old.read_bytes()


def test_a_file_that_cannot_be_written_is_refused_before_the_training(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning, "train", None)
    assert main(["learn", str(folder), "-o", str(tmp_path / "gone" / "x")]) == 2


def test_a_folder_that_is_named_twice_counts_once(folder: Path, tmp_path: Path) -> None:
    assert main(["learn", str(folder), f"{folder}/", "-o", str(tmp_path / "x")]) == 0
    assert [source.files for source in model_file.read(tmp_path / "x").about.trained_on] == [23]


def test_a_failed_write_keeps_the_old_model(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "a.model"
    assert main(["learn", str(folder), "-o", str(old)]) == 0
    before = old.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(learning, "write_whole", full)
    assert main(["learn", str(folder), "-o", str(old), "--diversity"]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert old.read_bytes() == before


def test_an_interrupted_training_keeps_the_old_model(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    old = tmp_path / "a.model"
    old.write_text("old")
    monkeypatch.setattr(learning, "train", interrupted)
    assert main(["learn", str(folder), "-o", str(old)]) == 130
    assert "interrupted" in capsys.readouterr().err
    assert old.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.model", "files"]


@pytest.mark.slow
def test_two_trainings_into_one_file_leave_one_whole_model(folder: Path, tmp_path: Path) -> None:
    command = list(map(str, (CHCFUZZ, "learn", folder, "-o", tmp_path / "a.model")))
    both = [subprocess.Popen([*command, *more], stdout=subprocess.DEVNULL) for more in ((), ("--diversity",))]
    assert [process.wait() for process in both] == [0, 0]
    assert model_file.read(tmp_path / "a.model").about.nodes > 0


def test_the_model_of_a_campaign_is_shown_with_its_nodes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "learned.model"
    kept.write_bytes(model_file.encode(Counts.none(), TrainingRecord(nodes=7)))
    assert main(["learn", "--show", str(kept)]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == [
        f"{kept}: 0 counts of 7 nodes",
        "  units of a campaign; a node counts as often as its unit weighs",
    ]
