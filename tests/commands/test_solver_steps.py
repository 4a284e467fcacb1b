"""`chcfuzz replay --solver-steps` as users type it."""

import json
from pathlib import Path

import pytest

from tests.commands.test_chcfuzz import chcfuzz, refused
from tests.targets import ROOT

WRONG = ROOT / "reports/z3/19-hypothesis-of-the-base-level/input.smt2"
INLINED = "04-unfolding-past-the-tail/input-b"
COUNTER = """(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))(assert (forall ((x Int)) (=> (p x) (distinct x 7))))(check-sat)"""


@pytest.mark.slow
def test_every_step_is_printed_with_its_judgement_and_the_first_wrong_one_with_its_witness(tmp_path: Path) -> None:
    done = chcfuzz(tmp_path, "replay", "--solver-steps", WRONG)
    lines = done.stdout.splitlines()
    assert "9: lemma of p at all levels: wrong (it excludes a fact of height 0): false" in lines
    assert "  derived: (p (store ((as const (Array Int Int)) 0) 1 1) 2)" in lines
    totals = next(line for line in lines if line.startswith("solver steps: "))
    assert "4 lemma right, 1 lemma wrong, 3 obligation open, 1 obligation right, " in totals
    first = chcfuzz(tmp_path, "replay", "--solver-steps", "--first-wrong", WRONG).stdout.splitlines()
    assert not any(line.startswith("2: ") for line in first)
    assert any(line.startswith("the first wrong step is 9: ") for line in first)
    assert "  made by: generalizer; right without iuc_solver" in first
    found = json.loads(chcfuzz(tmp_path, "replay", "--solver-steps", "--json", WRONG).stdout)["solver_steps"]
    assert [step["number"] for step in found if step["judgement"] == "wrong"] == [9]


@pytest.mark.slow
@pytest.mark.parametrize(("bug", "change"), [("05-array-blast-shared-array/input", "gained"), (INLINED, "lost")])
def test_a_wrong_transform_is_the_first_wrong_step(tmp_path: Path, bug: str, change: str) -> None:
    """The transforms of bugs 5 and 6: one makes a query reachable, the other one makes it unreachable."""
    file = ROOT / "reports/z3" / f"{bug}.smt2"
    lines = chcfuzz(tmp_path, "replay", "--solver-steps", "--first-wrong", file).stdout.splitlines()
    option = "array_blast" if change == "gained" else "unfold_rules"
    words = f"0: transform of fp.xform.{option}: wrong (a fact is {change}): the clauses of the file"
    assert f"the first wrong step is {words}" in lines
    assert "  made by: transform" in lines


@pytest.mark.slow
@pytest.mark.parametrize("release", ["4.8.12.0", "4.13.4.0"])
def test_facts_of_releases_whose_fixedpoints_have_no_resource_limit_are_judged(tmp_path: Path, release: str) -> None:
    (tmp_path / "counter.smt2").write_text(COUNTER.replace("(distinct x 7)", "(distinct x 4)"))
    found = chcfuzz(tmp_path, "replay", "--solver-steps", "--z3", release, "--json", "counter.smt2").stdout
    steps = [step for step in json.loads(found)["solver_steps"] if step["kind"] == "fact"]
    assert len(steps) >= 2
    assert {step["judgement"] for step in steps} == {"right"}


@pytest.mark.slow
def test_steps_of_another_solver_are_read_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "counter.smt2").write_text(COUNTER)
    (tmp_path / "steps.txt").write_text("lemma p 0 (= p_0_n 0)\nlemma p 1 (< p_0_n 2)\n")
    lines = chcfuzz(tmp_path, "replay", "--solver-steps-from", "steps.txt", "counter.smt2").stdout.splitlines()
    assert "2: lemma of p at level 1: wrong (it excludes a fact of height 1): (< p_0_n 2)" in lines
    (tmp_path / "steps.txt").write_text("fact p (= p_0_n 2)\n")
    done = chcfuzz(tmp_path, "replay", "--solver-steps-from", "steps.txt", "counter.smt2")
    assert "  finding: wrong-fact" in done.stdout.splitlines()
    assert done.returncode == 1
    (tmp_path / "steps.txt").write_text("fact p (= p_0_n 0)\n")
    assert chcfuzz(tmp_path, "replay", "--solver-steps-from", "steps.txt", "counter.smt2").returncode == 0
    (tmp_path / "steps.txt").write_text("lema p 0 true\n")
    done = chcfuzz(tmp_path, "replay", "--solver-steps-from", "steps.txt", "counter.smt2")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "chcfuzz: steps.txt:1:1: no rule, lemma, obligation, fact, answer, declaration or comment, at `lema p 0 true`"
    ]


def solver_that_prints(folder: Path, *lines: str) -> tuple[str, ...]:
    """Return the words that judge the steps of a shell program, which prints these lines by `echo` and answers sat."""
    program = folder / "solver"
    program.write_text("\n".join(["#!/bin/sh", *(f"{line} >&2" for line in lines), "echo sat"]))
    program.chmod(0o755)
    (folder / "counter.smt2").write_text(COUNTER)
    return ("replay", "--solver-steps-from", "stderr", "--command", "./solver", "counter.smt2")


@pytest.mark.slow
def test_steps_on_standard_error_are_judged_among_warnings_and_a_cut_line_is_not(tmp_path: Path) -> None:
    lies = ("echo 'warning: no lemma p 0'", "echo 'lemma p 0 (= p_0_n 0)'", "echo 'lemma p oo false'")
    words = solver_that_prints(tmp_path, *lies, "printf 'lemma p 1 fal'")
    lines = chcfuzz(tmp_path, *words).stdout.splitlines()
    assert "1: lemma of p at level 0: right: (= p_0_n 0)" in lines
    assert "2: lemma of p at all levels: wrong (it excludes a fact of height 0): false" in lines
    assert "solver steps: 2 lemma right, 1 lemma wrong" in lines
    words = solver_that_prints(tmp_path, "echo 'lemma p 0 (= p_0_n 0)'", "echo 'lemma p 1 '")
    refused(chcfuzz(tmp_path, *words), "stderr:2:1: a lemma has a level, a number or `oo`, and a formula")


def test_the_line_of_a_step_that_a_warning_breaks_is_refused(tmp_path: Path) -> None:
    broken = ("printf 'lem'", "echo 'warning: slow'", "echo 'ma p 0 (= p_0_n 0)'", "echo 'lemma p oo false'")
    done = chcfuzz(tmp_path, *solver_that_prints(tmp_path, *broken))
    refused(done, "stderr:2:1: a part of a step, whose line other output has broken, at `ma p 0 (= p_0_n 0)`")


@pytest.mark.slow
def test_a_solver_that_prints_a_megabyte_claims_nothing_in_bounded_time(tmp_path: Path) -> None:
    noise = r"head -c 1000000 /dev/zero | tr '\0' x"
    words = solver_that_prints(tmp_path, noise, "echo", f'echo "lemma p 0 $({noise})"', "echo 'fact p (= p_0_n 0)'")
    lines = chcfuzz(tmp_path, *words).stdout.splitlines()
    assert "solver steps: 1 fact right, 1 lemma open, 1 lemma unproved" in lines


def test_steps_that_cannot_be_judged_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "counter.smt2").write_text(COUNTER)
    refused(chcfuzz(tmp_path, "replay", "--first-wrong", "counter.smt2"), "--first-wrong: it needs --solver-steps")
    refused(chcfuzz(tmp_path, "replay", "--solver-steps-from", "stderr", "counter.smt2"), "it needs --command")
    words = ("replay", "--solver-steps-from", "missing.txt", "counter.smt2")
    refused(chcfuzz(tmp_path, *words), "cannot read 'missing.txt': No such file or directory; name another file")
