"""The programs in a finding's folder, run as `show.sh` runs them."""

import subprocess
import sys
from pathlib import Path

import pytest
from chcfuzz.triage.findings.scripts import ASK_CVC5


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
def test_what_cvc5_cannot_read_is_told_in_one_line(tmp_path: Path, model: str, printed: str, complaint: str) -> None:
    (tmp_path / "ask_cvc5.py").write_text(ASK_CVC5)
    (tmp_path / "evidence.smt2").write_text(f"(set-logic ALL)\n{model}\n(assert (not (p 1.0)))\n(check-sat)\n")
    words = [sys.executable, "ask_cvc5.py", "evidence.smt2"]
    said = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (said.stdout, said.returncode) == (printed, bool(complaint))
    assert said.stderr.startswith(complaint)
    assert said.stderr.count("\n") == bool(complaint)
