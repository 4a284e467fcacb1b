"""`chcfuzz corpus`: what is in a corpus, out of it, and between two."""

from pathlib import Path

import pytest
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.commands.main import main
from chcfuzz.execution.seed_answers import Ground, SeedAnswer, SeedAnswers
from chcfuzz.grammar.reading.parse import parse, problem
from chcfuzz.mutators.recipe import Recipe, canonical, encode, read

from tests.campaign.conftest import MORE_SAT, UNSAT, doubled
from tests.commands.test_chcfuzz import chcfuzz, refused


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Three mutants in four units, two of them of one seed, one without a status."""
    folder = tmp_path / "units"
    (folder / "below").mkdir(parents=True)
    (folder / "more.smt2").write_text(MORE_SAT)
    (folder / "again").write_bytes(encode(Recipe(MORE_SAT)))
    (folder / "doubled").write_bytes(doubled(seed=MORE_SAT, parameters=(("fp.spacer.ctp", "false"),)))
    (folder / "below" / "silent.smt2").write_text(UNSAT.replace("(set-info :status unsat)\n", ""))
    (folder / "broken.smt2").write_text("(set-logic HORN)(assert (<")
    return folder


def test_stats_count_units_mutants_and_what_they_are_made_of(tmp_path: Path, corpus: Path) -> None:
    done = chcfuzz(tmp_path, "corpus", "stats", corpus)
    assert done.returncode == 0, done.stderr
    rows = {line.split()[0]: " ".join(line.split()[1:]) for line in done.stdout.splitlines()}
    assert rows["units"] == "4, 3 different mutants of 2 seeds"
    assert rows["steps"] == "0 to 1, median 0"
    assert rows["expected"] == "sat 3, nothing 1"
    assert rows["rows"] == "boolean.dup-and 1"
    assert rows["parameters"] == "fp.spacer.ctp 1"
    assert "broken.smt2' is not a valid CHC system" in done.stderr


@pytest.mark.parametrize("is_run", [True, False])
def test_a_status_that_a_campaign_has_corrected_is_that_of_its_corpus(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], is_run: bool
) -> None:
    run = RunFolder(tmp_path / "run")
    run.begin("spacer", [])
    (run.corpus / "wrong.smt2").write_text(MORE_SAT.replace(":status sat", ":status unsat"))
    seed = canonical(read(next(run.corpus.iterdir()).read_bytes()).recipe).seed
    SeedAnswers(run.findings).note(seed, SeedAnswer("sat", Ground.WITNESS, "a model"))
    words = ["corpus", "stats", str(run.corpus)]
    if not is_run:
        run.corpus.rename(tmp_path / "moved")
        words = ["corpus", "stats", str(tmp_path / "moved")]
        assert main(words) == 0
        assert "expected    unsat 1\n" in capsys.readouterr().out
        words.append(f"--findings={run.findings}")
    assert main(words) == 0
    assert "expected    sat 1\ncorrected   1 seed, whose declared status is wrong\n" in capsys.readouterr().out


def test_export_writes_each_mutant_once_as_a_script_with_its_status(tmp_path: Path, corpus: Path) -> None:
    done = chcfuzz(tmp_path, "corpus", "export", corpus, "--into=plain")
    assert done.stdout == "3 problems in 'plain'\n", done.stderr
    systems = [parse(path.read_text(), path.name) for path in sorted((tmp_path / "plain").iterdir())]
    assert sorted(str(system.status) for system in systems) == ["None", "sat", "sat"]
    assert sorted(system.options for system in systems) == [(), (), (("fp.spacer.ctp", "false"),)]


def test_a_second_export_writes_the_same_files_beside_others(tmp_path: Path) -> None:
    name = "|a\r\nb|"
    (tmp_path / "a.smt2").write_bytes(f"(declare-const {name} Int)(assert (> {name} 1))(check-sat)".encode())
    words = ["corpus", "export", str(tmp_path / "a.smt2"), f"--into={tmp_path / 'plain'}", "--domain=smt"]
    for _ in range(2):
        assert main(words) == 0
        assert [path.name for path in (tmp_path / "plain").iterdir()] == ["a.smt2"]
    (tmp_path / "plain" / "a.smt2").write_bytes(b"\xff")
    assert main(words) == 0
    assert len(list((tmp_path / "plain").iterdir())) == 2


def test_units_near_a_change_do_not_join_those_near_another_one(
    tmp_path: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "near").mkdir()
    (tmp_path / "near/00001-old").touch()
    words = ["corpus", "near", str(corpus), f"--checkout={tmp_path}", f"--into={tmp_path / 'near'}"]
    assert main(words) == 2
    assert capsys.readouterr().err.endswith("has files, perhaps units near another change; name a new folder\n")


def test_export_for_z3_puts_the_answer_beside_each_file(tmp_path: Path, corpus: Path) -> None:
    done = chcfuzz(tmp_path, "corpus", "export", corpus, "--into=plain", "--for-z3")
    assert done.stdout == "2 problems in 'plain'\n", done.stderr
    files = sorted((tmp_path / "plain").iterdir())
    assert {path.with_suffix("").with_suffix("").name for path in files} == {path.stem for path in files[1::2]}
    assert {path.read_text() for path in files if path.suffix == ".out"} == {"sat\n"}


SMT = """(set-logic ALL)
(set-info :status unsat)
(declare-const a (_ BitVec 4))
(assert (bvnego a))
(assert (= a #x3))
(check-sat)
"""
REALS = "(set-info :status sat)(declare-const a Real)(assert (< a 0.0))(check-sat)"


@pytest.mark.parametrize(
    ("suite", "names", "head", "listed"),
    [
        ("z3", {"a.smt2", "a.expected.out", "b.smt2", "b.expected.out"}, "(set-logic ALL)\n", None),
        ("cvc5", {"a.smt2", "b.smt2", "NEW_TESTS"}, "; EXPECT: unsat\n(set-option :decision internal)\n", "  a.smt2"),
        ("bitwuzla", {"a.smt2", "a.expect", "NEW_TESTS"}, "(set-logic ALL)\n", "  ['a.smt2'],"),
    ],
)
def test_export_uses_the_layout_of_a_suite(
    tmp_path: Path, suite: str, names: set[str], head: str, listed: str | None
) -> None:
    units = tmp_path / "units"
    units.mkdir()
    (units / "a.smt2").write_bytes(encode(Recipe(SMT, (), (("cvc5.decision", "internal"), ("solver", "z3")))))
    (units / "b.smt2").write_text(REALS)
    done = chcfuzz(tmp_path, "corpus", "export", units, "--into=plain", f"--for={suite}", "--domain=smt")
    assert done.returncode == 0, done.stderr
    assert {path.name for path in (tmp_path / "plain").iterdir()} == names
    text = (tmp_path / "plain" / "a.smt2").read_text()
    assert text.startswith(head)
    assert problem(text).with_header((), ()) == problem(SMT).with_header((), ())
    if listed is not None:
        assert listed in (tmp_path / "plain" / "NEW_TESTS").read_text().splitlines()


def test_export_refuses_a_suite_without_systems(tmp_path: Path) -> None:
    (tmp_path / "unsat.smt2").write_text(UNSAT)
    done = chcfuzz(tmp_path, "corpus", "export", "unsat.smt2", "--into=plain", "--for=cvc5")
    refused(done, "--for 'cvc5': its suite has no problem like a CHC system; name one of z3")


@pytest.mark.slow
def test_two_corpora_of_the_same_mutants_do_not_differ(tmp_path: Path, corpus: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "more").write_bytes(encode(Recipe(MORE_SAT)))
    (other / "unsat.smt2").write_text(UNSAT)
    same = chcfuzz(tmp_path, "corpus", "diff", corpus, corpus)
    assert (same.returncode, same.stdout) == (0, "")
    done = chcfuzz(tmp_path, "corpus", "diff", corpus, other)
    assert done.returncode == 1
    assert [line.split("/")[-1] for line in done.stdout.splitlines()] == ["doubled"]


def test_a_corpus_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    done = chcfuzz(tmp_path, "corpus", "stats", "nowhere")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "chcfuzz: no such file or folder: 'nowhere'\n"
