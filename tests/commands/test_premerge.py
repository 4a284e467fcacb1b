"""`premerge` judges whether a branch is worse than its base, with one exit code; a campaign ends when it is quiet."""

import argparse
import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.supervisor.status import is_quiet
from chcfuzz.commands import main
from chcfuzz.commands.premerge import BranchVerdict, _waiting, markdown
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.execution.flags import duration
from chcfuzz.execution.solving import Solving
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.suspicions import Suspicions

from tests.campaign.supervisor.test_status import progress
from tests.commands.test_chcfuzz import chcfuzz
from tests.targets import ROOT

SEEN = {"words": "", "wrong_answer": "", "wrong_model": "", "error": "", "cost": 0, "trace": ""}


def a_record(change: str) -> dict[str, object]:
    changed = {
        "unit": "corpus/a.smt2", "expected": "unsat", "change": change,
        "old": {"answer": "unsat", **SEEN}, "new": {"answer": "sat", **SEEN},
    }  # fmt: skip
    counts = {"contradiction": 1, "same": 5}
    return {"old": "./old", "new": "./new", "units": 6, "counts": counts, "changes": [changed], "known": []}


def without_running(
    monkeypatch: pytest.MonkeyPatch, **effects: Callable[[dict[str, str]], None]
) -> dict[str, list[str]]:
    """Replace the commands that `premerge` runs by their effects; `regress` finds no change. Return their arguments."""
    called: dict[str, list[str]] = {}

    def fake(*words: str) -> None:
        called[words[0]] = [*words[1:]]
        named = dict(word.partition("=")[::2] for word in words)
        if words[0] == "regress":
            Path(named["--json"]).write_text(json.dumps({**a_record("gained"), "changes": []}))
        if words[0] in effects:
            effects[words[0]](named)

    monkeypatch.setattr("chcfuzz.commands.premerge._chcfuzz", fake)
    return called


def test_a_change_for_the_worse_fails_and_one_for_the_better_does_not() -> None:
    worse, better = (BranchVerdict(a_record(change), (), frozenset()) for change in ("contradiction", "gained"))
    assert worse.fails
    assert not better.fails
    assert BranchVerdict(a_record("gained"), (), frozenset({"crash-0"})).fails
    text = markdown(worse)
    assert "**worse than the base**" in text
    assert "contradiction: `a.smt2`, unsat before, sat now; expected: unsat" in text
    assert "not worse" in markdown(better)


def test_suspicions_that_the_campaign_had_no_time_to_examine_are_named(tmp_path: Path) -> None:
    branch = Solving(command="./my solver {}")
    assert _waiting(tmp_path, branch) == ""
    Suspicions(tmp_path).add(Suspicion(b"unit", "wrong-model", "model"))
    waiting = _waiting(tmp_path, branch)
    command = f"chcfuzz confirm {tmp_path} --command './my solver {{}}'"
    assert waiting == f"1 suspicion was not examined: 1 wrong model; `{command}`"
    text = markdown(BranchVerdict(a_record("gained"), (), frozenset(), waiting=waiting))
    assert "### chcfuzz: not worse than the base, as far as examined\n" in text
    assert f"  - {waiting}\n" in text


@pytest.mark.parametrize(("text", "seconds"), [("90", 90), ("10m", 600), ("2h", 7200), ("1.5s", 1.5)])
def test_a_duration_is_a_number_with_a_unit(text: str, seconds: float) -> None:
    assert duration(text) == seconds


@pytest.mark.parametrize("text", ["", "m", "-1", "10 d", "0"])
def test_another_duration_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is not a time; write"):
        duration(text)


def test_a_campaign_is_quiet_when_less_than_one_trace_is_expected_and_no_signature_is_new() -> None:
    counts = {Counter.OBSERVED: 10_000}
    assert is_quiet(progress(counts, seconds=1000.0, sightings=(0, 5)), 600)
    assert not is_quiet(progress(counts, seconds=1000.0, sightings=(500, 50)), 600), "many traces were seen once"
    assert not is_quiet(progress(counts, seconds=500.0, sightings=(0, 5)), 600), "too early"
    assert not is_quiet(progress(counts, seconds=1000.0, sightings=(0, 5), bucket_age=60.0), 600), "a new signature"
    assert not is_quiet(progress(counts, seconds=1000.0, sightings=(0, 5), reading=(3, 9)), 600), "the corpus is read"
    assert not is_quiet(progress({}, seconds=1000.0), 600), "no mutant was observed"


def test_an_existing_folder_and_a_solver_that_cannot_start_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert main.main(["premerge", "--base", "5.4.1.0", "--branch", "5.4.1.0", "--into", str(tmp_path)]) == 2
    assert "exists; remove it" in capsys.readouterr().err
    assert main.main(["premerge", "--base", "/no/solver", "--branch", "5.4.1.0", "--into", str(tmp_path / "x")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("words", [["--markdown=no/file"], ["--findings=no"], ["no-corpus"]])
def test_paths_are_checked_before_anything_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main.main(["premerge", "--base=/bin/cat", "--branch=/bin/cat", *words]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not (tmp_path / "premerge").exists()


@pytest.mark.slow
def test_a_branch_that_answers_sat_everywhere_is_worse_and_has_new_findings(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus/unsat.smt2").write_text(BUILT_IN[1])
    for name, answer in (("old", "unsat"), ("new", "sat")):
        (tmp_path / name).write_text(f"#!/bin/sh\necho {answer}\n")
        (tmp_path / name).chmod(0o755)
    flags = ("--base", "./old", "--branch", "./new", "--minutes", "0.3", "--markdown", "comment.md", "corpus")
    done = chcfuzz(tmp_path, "premerge", *flags)
    assert done.returncode == 1, done.stderr
    assert "contradiction: `unsat.smt2`, unsat before, sat now; expected: unsat" in done.stdout
    assert (tmp_path / "comment.md").read_text() == done.stdout
    assert (tmp_path / "premerge/regression.json").is_file()


def test_the_commands_of_the_workflow_have_flags_that_exist() -> None:
    text = (ROOT / "docs/z3-regress.yml").read_text()
    lines = [line.partition("run: ")[2] for line in text.splitlines() if "run: chcfuzz " in line]
    assert [main.build_parser().parse_args(shlex.split(line)[1:]).command_module.NAME for line in lines] == ["premerge"]


@pytest.mark.parametrize("waits", [False, True])
def test_suspicions_that_wait_after_the_campaign_are_examined_for_as_long_as_it_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waits: bool
) -> None:
    def campaign(named: dict[str, str]) -> None:
        if waits:
            Suspicions(Path(named["--run-dir"]) / "findings").add(Suspicion(b"unit", "wrong-model", "model"))

    called = without_running(monkeypatch, fuzz=campaign)
    (tmp_path / "unsat.smt2").write_text(BUILT_IN[1])
    into = tmp_path / "into"
    words = ["--base", "/bin/cat", "--branch", "/bin/true", "--into", str(into), "--minutes", "7"]
    assert main.main(["premerge", *words, str(tmp_path / "unsat.smt2")]) == 0
    assert ("confirm" in called) == waits
    if waits:
        confirm = main.build_parser().parse_args(["confirm", *called["confirm"]])
        assert (confirm.minutes, confirm.command, confirm.folders) == (7, "/bin/true", [into / "run" / "findings"])


@pytest.mark.parametrize("touched", [0, 2])
def test_with_a_checkout_the_campaign_begins_with_the_units_near_changed_functions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], touched: int
) -> None:
    def near_units(named: dict[str, str]) -> None:
        Path(named["--into"]).mkdir()
        for number in range(touched):
            (Path(named["--into"]) / str(number)).write_text("")

    called = without_running(monkeypatch, corpus=near_units)
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus/unsat.smt2").write_text(BUILT_IN[1])
    into = tmp_path / "into"
    words = ["--base", "/bin/cat", "--branch", "/bin/cat", "--into", str(into), str(tmp_path / "corpus")]
    assert main.main(["premerge", *words, "--checkout", str(tmp_path), "--since", "HEAD~3"]) == 0
    assert {f"--checkout={tmp_path}", "--since=HEAD~3", str(tmp_path / "corpus")} <= {*called["corpus"]}
    assert called["fuzz"][-1] == str(into / "near" if touched else tmp_path / "corpus")
    assert f"its seeds: {touched} units with changed functions" in capsys.readouterr().out
