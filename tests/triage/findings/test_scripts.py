"""The programs in a finding's folder, run as `show.sh` runs them."""

import subprocess
import sys
from pathlib import Path

import pytest
from chcfuzz.triage.findings.folder import rewrite
from chcfuzz.triage.findings.scripts import ASK_CVC5

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
