"""Training on folders: limits, copies, refusals, processes, fine-tuning, odd files."""

import gzip
import importlib
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.learning import model_file
from chcfuzz.learning.counts import Counts
from chcfuzz.learning.data import FileLimits, Sources, contents
from chcfuzz.learning.places import MASKS
from chcfuzz.learning.training import Augment, Given, TrainingOptions, train

from tests.learning.test_formula_model import AND, OR

HORN = """(set-logic HORN)(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (= x 0) (p x))))
(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))(check-sat)"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two problems, a CHC system, and files that are left out."""
    here = tmp_path / "files"
    (here / "below").mkdir(parents=True)
    (here / "a.smt2").write_text(AND)
    (here / "copy.smt2").write_text(AND)
    (here / "renamed.smt2").write_text(AND.replace("p", "r"))
    (here / "below" / "b.smt2.gz").write_bytes(gzip.compress(OR.encode()))
    (here / "below" / "horn.smt2").write_text(HORN)
    (here / "bad.smt2").write_text("(assert (foo))")
    (here / "cut.smt2.gz").write_bytes(gzip.compress(OR.encode())[:20])
    (here / "empty.smt2").write_text("")
    (here / "large.smt2").write_text(OR + " " * 6000)
    (here / "long.smt2").write_text(f"(declare-const p Bool)(assert {'(not ' * 1200}p{')' * 1200})"[:7000])
    (here / "text.txt").write_text(OR)
    (here / "loop").symlink_to(here)
    (here / "folder.smt2").mkdir()
    return here


def equal(one: Counts, other: Counts) -> bool:
    return np.array_equal(one.numbers, other.numbers) and np.array_equal(one.times, other.times)


def test_files_are_read_once_and_others_are_counted_by_reason(folder: Path) -> None:
    counts, about = train(Given([folder]), TrainingOptions(limits=FileLimits(bytes=5500)))
    assert about.left_out == {
        "copies": 1,
        "not read: unexpected here": 1,
        "nothing asserted": 1,
        "same after normalizing": 1,
        "too large": 2,
        "unreadable": 1,
    }
    (source,) = about.trained_on
    assert (source.name, source.files) == ("files", 7)
    assert len(counts.numbers) > 20


def test_long_problems_are_left_out(folder: Path) -> None:
    (folder / "long.smt2").write_text(f"(declare-const p Bool)(assert {'(not ' * 30}p{')' * 30})")
    _, about = train(Given([folder]), TrainingOptions(limits=FileLimits(nodes=20)))
    assert about.left_out["too many productions"] == 1


def test_problems_with_operators_that_are_not_drawn_are_left_out(folder: Path) -> None:
    for number, formula in enumerate(("(= s (seq.rev s))", "(= s (seq.map (lambda ((n Int)) (+ n 1)) s))")):
        (folder / f"seq-{number}.smt2").write_text(f"(declare-const s (Seq Int))(assert {formula})")
    _, about = train(Given([folder]), TrainingOptions())
    assert about.left_out["operators that are not drawn"] == 2


def test_numbers_of_thousands_of_digits_are_learned(tmp_path: Path) -> None:
    bits = "a" * 4000
    (tmp_path / "a.smt2").write_text(f"(declare-const x (_ BitVec 16000))(assert (= x #x{bits}))")
    (tmp_path / "b.smt2").write_text(f"(declare-const x (_ BitVec 16000))(assert (= x #x{bits[1:]}b))")
    _, about = train(Given([tmp_path]), TrainingOptions())
    assert (about.nodes, about.left_out) == (6, {})


def test_a_comment_does_not_make_a_file_a_chc_system(tmp_path: Path) -> None:
    (tmp_path / "a.smt2").write_text("; unlike (set-logic HORN)\n" + AND)
    _, about = train(Given([tmp_path]), TrainingOptions())
    assert (about.nodes, about.left_out) == (6, {})


def test_reasons_have_no_text_of_the_files(tmp_path: Path) -> None:
    """A model names the reasons for which files were left out, and may be published."""
    for number, name in enumerate(("secret", "|a secret|", "|secret|", "secret" * 300)):
        for text in (
            "(declare-fun {0} (Int) Int)(assert (> ({0} true) 1))",
            "(declare-sort {0} 0)(declare-const x {0})(assert (= x 1))",
            "(declare-sort {0} 0)(declare-const x {0})(assert x)",
            "(assert ((_ {0} 1) 1))",
        ):
            (tmp_path / f"{number}{len(text)}.smt2").write_text(text.format(name))
    (tmp_path / "good.smt2").write_text(AND)
    _, about = train(Given([tmp_path]), TrainingOptions())
    assert "secret" not in " ".join(about.left_out)
    assert sum(about.left_out.values()) == 16
    assert len(about.left_out) <= 8, about.left_out


def test_every_folder_has_a_name_that_can_be_stored(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = folder / "below" / os.fsdecode(b"\xff")
    odd.mkdir()
    (odd / "a.smt2").write_text(AND)
    monkeypatch.chdir(folder / "below")
    counts, about = train(Given([Path(), Path(".."), odd]), TrainingOptions())
    assert sorted(source.name for source in about.trained_on) == ["\\udcff", "below", "files"]
    assert model_file.decode(model_file.encode(counts, about), "a").about == about


def test_processes_and_repetition_do_not_change_the_counts(folder: Path) -> None:
    one, about = train(Given([folder]), TrainingOptions())
    again, about_again = train(Given([folder]), TrainingOptions(jobs=2))
    assert equal(one, again)
    assert about == about_again


INTERRUPTS = "import os, signal\ndef augment(_): os.kill(os.getpid(), signal.SIGINT); return []\n"
DIES = "import os\ndef augment(_): os._exit(1)\n"


@pytest.fixture
def augment(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Augment:
    """A function that other processes can import."""
    (tmp_path / "augmenting.py").write_text(request.param)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "augmenting", raising=False)
    found: Augment = importlib.import_module("augmenting").augment
    return found


@pytest.mark.slow
@pytest.mark.parametrize("augment", [INTERRUPTS], indirect=True)
def test_an_interrupt_is_for_the_main_process_and_the_others_print_nothing(
    folder: Path, augment: Augment, capfd: pytest.CaptureFixture[str]
) -> None:
    _, about = train(Given([folder]), TrainingOptions(jobs=2, augment=augment))
    assert about.nodes > 0
    assert capfd.readouterr().err == ""


@pytest.mark.slow
@pytest.mark.parametrize("augment", [DIES], indirect=True)
def test_a_training_whose_process_dies_ends_in_one_line(folder: Path, augment: Augment) -> None:
    with pytest.raises(ChcfuzzError, match="a process was killed"):
        train(Given([folder]), TrainingOptions(jobs=2, augment=augment))


def test_the_sum_over_a_folder_depends_on_names_and_contents(folder: Path) -> None:
    def total() -> str:
        sources = Sources()
        list(contents(folder, FileLimits(), sources))
        return sources.sums[str(folder)]

    first = total()
    assert first == total()
    (folder / "a.smt2").rename(folder / "c.smt2")
    second = total()
    (folder / "c.smt2").write_text(AND + "\n")
    assert len({first, second, total()}) == 3


def test_triggers_change_the_two_deepest_contexts_only(folder: Path, tmp_path: Path) -> None:
    triggers = tmp_path / "triggers"
    triggers.mkdir()
    (triggers / "t.smt2").write_text("(declare-const x Int)(assert (= (mod x 3) 2))")
    plain, _ = train(Given([folder]), TrainingOptions())
    fine, about = train(Given([folder], [triggers]), TrainingOptions(weight=50))
    every, _ = train(Given([folder], [triggers]), TrainingOptions(weight=50, all_contexts=True))
    deep = MASKS[3][1]
    assert equal(shallow(plain, deep), shallow(fine, deep))
    assert (fine.times[fine.numbers >= deep] == 50).any()
    assert not equal(shallow(plain, deep), shallow(every, deep))
    assert about.triggers[0].weight == 50


def shallow(counts: Counts, deep: int) -> Counts:
    return Counts(counts.numbers[counts.numbers < deep], counts.times[counts.numbers < deep])


def test_counts_are_added_to_those_of_a_base(folder: Path, tmp_path: Path) -> None:
    base, _ = train(Given([folder]), TrainingOptions())
    empty = tmp_path / "empty"
    empty.mkdir()
    same, _ = train(Given([empty], base=base), TrainingOptions())
    assert equal(same, base)
    twice, _ = train(Given([folder], base=base), TrainingOptions())
    assert np.array_equal(twice.times, 2 * base.times)


def test_the_training_of_a_base_is_named(folder: Path) -> None:
    base, about = train(Given([folder]), TrainingOptions())
    _, both = train(Given([], [folder], base, about), TrainingOptions(weight=3))
    assert (both.trained_on, both.triggers[0].weight) == (about.trained_on, 3)
    assert both.nodes == 2 * about.nodes


def test_a_model_of_thousands_of_folders_can_be_read(folder: Path, tmp_path: Path) -> None:
    folders = [tmp_path / f"{'x' * 100}{number}" for number in range(2500)]
    for each in folders:
        each.mkdir()
    (folders[-1] / "a.smt2").write_text(AND)
    counts, about = train(Given([folder, *folders]), TrainingOptions())
    assert model_file.decode(model_file.encode(counts, about), "own").about == about
    assert about.trained_on[-1].name == "2401 other folders"


@pytest.mark.slow
def test_one_file_many_times_and_a_deep_term_end_quickly(tmp_path: Path) -> None:
    for number in range(2000):
        (tmp_path / f"{number}.smt2").write_text(AND)
    (tmp_path / "deep.smt2").write_text(f"(declare-const p Bool)(assert {'(not ' * 10_000}p{')' * 10_000})")
    lets = "".join(f"(let ((v{n + 1} (and v{n} v{n}))) " for n in range(100))
    (tmp_path / "wide.smt2").write_text(f"(declare-const v0 Bool)(assert {lets}v100{')' * 100})")
    counts, about = train(Given([tmp_path]), TrainingOptions(limits=FileLimits(bytes=1 << 20)))
    assert about.left_out == {"copies": 1999, "too many productions": 1}
    assert about.nodes == 6 + 201
    assert len(counts.numbers) < 100
