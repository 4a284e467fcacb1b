"""The programs in a finding's folder, run as `show.sh` runs them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.domains.interpolation.finding_script import ASK_ITP
from chcfuzz.triage.findings.folder import rewrite
from chcfuzz.triage.findings.scripts import ASK_CVC5, ASK_SESSION, CVC5_PROGRAM

from tests.targets import SAFETY_NET, ends
from tests.triage.records import a_record, write_record


@pytest.mark.parametrize(
    ("model", "printed", "complaint"),
    [
        ("(define-fun p ((x Real)) Bool (>= x 1.0))", "unsat\n", ""),
        (
            "(define-fun p ((x Real)) Bool (>= false 1.0))",
            "",
            "cvc5 refuses the script: expecting an arithmetic subterm",
        ),
    ],
)
def test_a_script_that_cvc5_refuses_leads_to_one_line(tmp_path: Path, model: str, printed: str, complaint: str) -> None:
    (tmp_path / "ask_cvc5.py").write_text(ASK_CVC5)
    (tmp_path / "evidence.smt2").write_text(f"(set-logic ALL)\n{model}\n(assert (not (p 1.0)))\n(check-sat)\n")
    words = [sys.executable, "ask_cvc5.py", "evidence.smt2"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == (printed, bool(complaint))
    assert done.stderr.startswith(complaint)
    assert done.stderr.count("\n") == bool(complaint)


@pytest.mark.parametrize(
    ("flags", "is_read"),
    [([], False), (["--arrays-exp"], True), (["--arrays-exp=true"], True), (["--no-arrays-exp"], False)],
)
def test_cvc5_runs_as_its_program_does(tmp_path: Path, flags: list[str], is_read: bool) -> None:
    text = "(set-logic ALL)(declare-const a (Array Int Int))(assert (= a ((as const (Array Int Int)) 0)))(check-sat)"
    (tmp_path / "input.smt2").write_text(text)
    words = [sys.executable, "-c", CVC5_PROGRAM, *flags, "input.smt2"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ("Try --arrays-exp" in done.stdout) is not is_read, done.stderr
    assert (done.stdout == "sat\n") is is_read


@pytest.mark.parametrize(
    ("kind", "witness_for", "words"),
    [
        ("wrong-answer", "sat", "unsat was seen here, sat is right:"),
        ("contradiction", None, "unsat was seen here, sat is expected:"),
        ("broken-promise", "sat", "unsat was seen here, sat is expected:"),
    ],
)
def test_the_script_calls_an_answer_right_only_if_a_witness_decides(
    tmp_path: Path, kind: str, witness_for: str | None, words: str
) -> None:
    write_record(tmp_path, a_record(kind, answer="unsat", expected="sat", witness_for=witness_for))
    (tmp_path / "mutant.smt2").write_text("")
    rewrite(tmp_path)
    assert f"printf '%s\\n' 'mutant.smt2: {words}'" in (tmp_path / "show.sh").read_text()


@pytest.fixture
def hanging(tmp_path: Path) -> Path:
    """A solver that never ends, and starts a process that never ends either."""
    path = tmp_path / "hangs"
    path.write_text(f"#!/bin/sh\nsleep 1000 &\necho $! > {tmp_path}/child\nwait\n")
    path.chmod(0o755)
    return path


def run_to_its_limit(words: list[str], folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program whose solver hangs; what the solver has started ends with it."""
    done = subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=SAFETY_NET,
    )
    child = int((folder / "child").read_text())
    assert ends(child)
    return done


@pytest.mark.parametrize(
    "releases", [{}, {"solvers": {"mine": "", "other": ""}, "solving": ("--domain=smt",)}], ids=["one", "several"]
)
def test_a_script_ends_a_command_that_hangs(tmp_path: Path, hanging: Path, releases: dict[str, Any]) -> None:
    write_record(tmp_path, a_record(command=(str(hanging), "{}"), **releases))
    (tmp_path / "mutant.smt2").write_text("(check-sat)")
    rewrite(tmp_path)
    (tmp_path / "ask_smt.py").write_text("print('the other solver')")
    done = run_to_its_limit(["sh", "show.sh"], tmp_path, LIMIT="1", Z3="z3", PYTHON=sys.executable)
    assert "it has not ended after 1 s" in done.stdout
    assert ("the other solver" in done.stdout) is bool(releases), "the script continues"


def test_a_session_that_hangs_ends(tmp_path: Path, hanging: Path) -> None:
    (tmp_path / "ask_session.py").write_text(ASK_SESSION.replace("signal.alarm(300)", "signal.alarm(1)"))
    (tmp_path / "session.json").write_text(json.dumps({"server": False, "requests": [["(check-sat)", []]]}))
    done = run_to_its_limit([sys.executable, "ask_session.py", str(hanging)], tmp_path)
    assert done.stderr == "the process has not ended after five minutes\n"
    assert done.returncode == 1


def test_an_interpolating_command_that_hangs_ends(tmp_path: Path) -> None:
    (tmp_path / "ask_itp.py").write_text(ASK_ITP.replace("SECONDS = 300", "SECONDS = 1"))
    (tmp_path / "mutant.smt2").write_text("(assert (! false :interpolation-group g0))(check-sat)")
    words = [sys.executable, "ask_itp.py", "mine", "mutant.smt2", "mutant.smt2", "sleep", "1000"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=SAFETY_NET)
    assert (done.stderr, done.returncode) == ("the solver has not ended after 1 s\n", 1)
