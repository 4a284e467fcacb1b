"""`chcfuzz try-fix`: invalid use, and a real patch of a real bug."""

import argparse
import re
from pathlib import Path

import pytest
from chcfuzz.commands import try_fix
from chcfuzz.commands.main import main
from chcfuzz.corpus_tools.fix_trial import FixTrial
from chcfuzz.execution.seed_answers import Ground, SeedAnswer, SeedAnswers
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.recipe import Recipe, encode
from chcfuzz.solvers import z3_release
from chcfuzz.triage.buckets.buckets import FILE, Member, bucketed, write_buckets
from chcfuzz.triage.buckets.traits import read_traits
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.confirmation_queue import ConfirmationQueue
from chcfuzz.triage.findings.fix import Effect, FindingEffect, read_fix
from chcfuzz.triage.findings.store import FindingStore
from chcfuzz.triage.fix import build, patch
from chcfuzz.triage.fix.build import BuildTree, build_tree

from tests.targets import ROOT
from tests.traced import TRACED, needs_build_tree
from tests.triage.fix.changes import UNIQUE_VALUES, Replacement, diff
from tests.triage.records import a_record, write_record
from tests.users import BecomeUser

SAME_ARRAY = """(set-logic HORN)
(declare-fun p ((Array Int Bool)) Bool)
(assert (p (store ((as const (Array Int Bool)) false) 0 false)))
(assert (=> (p ((as const (Array Int Bool)) false)) false))
(check-sat)
"""


@pytest.fixture
def same_array(tmp_path: Path) -> Path:
    """Bug 1 of docs/z3-5.4.0.md as a finding: sat for an unsat system."""
    queue = ConfirmationQueue(FindingStore(tmp_path / "findings", 1), SeedAnswers(), lambda *_: None)
    unit, seed = encode(Recipe(SAME_ARRAY)), SeedAnswer("unsat", Ground.DECLARED)
    seen = Suspicion(unit, "wrong-answer", "answer", "sat", "unsat", "", seed, Solving().arguments)
    queue.suspicions.add(seen)
    finding = queue.process(seen.name)
    assert finding is not None
    return finding


@pytest.mark.slow
@needs_build_tree
def test_a_fix_of_a_wrong_answer_cures_it_and_changes_nothing_else(
    same_array: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    patch = tmp_path / "fix.patch"
    patch.write_text(diff(build_tree(TRACED).source, UNIQUE_VALUES))
    buckets = bucketed([Member(read_traits(same_array))])
    write_buckets(same_array.parent / FILE, buckets)
    words = ["--patch", str(patch), "--z3-library", str(TRACED), "--corpus", str(ROOT / "corpus" / "bool")]
    file = ["--buckets", str(same_array.parent / FILE)]
    assert main(["try-fix", buckets[0].name, *file, *words]) == 0
    printed, progress = capsys.readouterr()
    assert "cures 1 of 1 findings of the bucket" in printed
    folder = re.search(r"to fuzz beyond this bug: --z3-library (.*)", progress)
    assert folder is not None
    assert (Path(folder[1]) / "lib" / "libz3.so").is_file()
    assert f"{same_array.name}: sat, wrong -> unsat, right (cured)" in printed
    fix = read_fix(same_array)
    assert fix is not None
    assert fix.cures_all
    assert (fix.units > 0, fix.answers) == (True, [])
    assert fix.settings == ("default parameters",)
    assert (fix.runs, fix.scripts) == (2 * fix.units, ())
    assert "fix.patch" in (same_array / "README.txt").read_text()

    nothing = Replacement(
        "src/muz/base/dl_rule.cpp", "rule_manager::is_fact(", "unsigned num_args", "unsigned  num_args"
    )
    patch.write_text(diff(build_tree(TRACED).source, (nothing,)))
    assert main(["try-fix", str(same_array), *words[:4]]) == 1
    printed = capsys.readouterr().out
    assert "cures 0 of 1" in printed
    assert f"the earlier patch {fix.patch} cures 1 of 1" in printed


def test_a_build_that_is_missing_is_bad_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], become_user: BecomeUser
) -> None:
    become_user(tmp_path / "cache")
    monkeypatch.delenv("CHCFUZZ_Z3_LIBRARY", raising=False)
    for release, command in (("5.4.0.0", "--version 5.4.0.0"), ("5.4.1.0", "--version 5.4.1.0 --unpinned")):
        write_record(tmp_path / release, a_record(z3=release))
        assert main(["try-fix", str(tmp_path / release), "--patch", "x"]) == 2
        assert f"run ./build_z3_traced.sh {command}, or name a build" in capsys.readouterr().err


def test_the_script_that_builds_z3_knows_the_hashes_of_these_releases() -> None:
    script = (ROOT / "build_z3_traced.sh").read_text()
    assert tuple(re.findall(r"^    \[([\d.]+)\]=[0-9a-f]{64}$", script, re.MULTILINE)) == z3_release.PINNED


def test_without_a_finding_the_solver_is_built_and_a_corpus_is_bad_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(build, "build_tree", lambda base: BuildTree(base, tmp_path, tmp_path))
    monkeypatch.setattr(build, "patched_build", lambda base, *_: base.result / "patched")
    monkeypatch.setattr(patch, "read_patch", lambda *_: None)
    monkeypatch.delenv("CHCFUZZ_Z3_LIBRARY", raising=False)
    monkeypatch.setattr(z3_release, "build_in_cache", lambda *_: tmp_path / "a b")
    assert main(["try-fix", "--patch", "x"]) == 0
    assert capsys.readouterr().out == f"--z3-library '{tmp_path}/a b/patched'\n"
    assert main(["try-fix", "--patch", "x", "--corpus", str(ROOT / "corpus" / "bool")]) == 2
    assert "a comparison needs a finding" in capsys.readouterr().err


def test_a_finding_of_a_command_is_bad_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_record(tmp_path / "finding", a_record())
    assert main(["try-fix", str(tmp_path / "finding"), "--patch", "x", "--command", "true"]) == 2
    assert "needs a traced build of Z3" in capsys.readouterr().err


def test_the_build_that_a_finding_was_recorded_with_is_not_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Findings of traced campaigns name a build; the trial takes the one in the cache."""
    monkeypatch.delenv("CHCFUZZ_Z3_LIBRARY", raising=False)
    write_record(tmp_path / "finding", a_record(solving=("--z3-library=/build/of/a/campaign",)))
    asked: list[str] = []
    monkeypatch.setattr(z3_release, "build_in_cache", lambda release, _: asked.append(release))
    assert main(["try-fix", str(tmp_path / "finding"), "--patch", "x"]) == 2
    assert asked == ["5.4.0.0"]
    assert "a traced build of Z3 5.4.0.0 is missing in the cache" in capsys.readouterr().err


@pytest.mark.parametrize("hangs", [3, 9])
def test_a_patched_solver_that_hangs_ends_the_trial_after_a_few_findings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], hangs: int
) -> None:
    for number in range(5):
        write_record(tmp_path / str(number), a_record())
    parser = argparse.ArgumentParser()
    try_fix.add_flags(parser)
    given = parser.parse_args([str(tmp_path / "0"), "--patch", "x"])
    given.words = []
    monkeypatch.setattr(
        "chcfuzz.corpus_tools.fix_trial.FixTrial.on_finding",
        lambda _trial, folder, *_: FindingEffect(
            folder.name,
            True,
            "sat, wrong",
            "does not end in 5 s",
            Effect.HANGS if int(folder.name) < hangs else Effect.STILL,
        ),
    )
    trial = FixTrial(tmp_path, tmp_path, print)
    found, left = try_fix.on_findings(given, try_fix.chosen_findings(given), trial)
    assert (len(found), left) == (3, 2)
    assert "0: running it without and with the patch (1 of 5)" in capsys.readouterr().err


def test_all_other_findings_of_the_folder_are_run_with_or_without_buckets(tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_record(tmp_path / name, a_record())
    parser = argparse.ArgumentParser()
    try_fix.add_flags(parser)
    chosen = try_fix.chosen_findings(parser.parse_args([str(tmp_path / "one"), "--patch", "x"]))
    assert (chosen.same, chosen.others) == ((tmp_path / "one",), (tmp_path / "other",))
