"""cvc5 in a process of its own: its answers, and what becomes of us where it gives none."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.oracles import second_solver
from chcfuzz.oracles.second_solver import answers

from tests.targets import comes_true

TWO = """(declare-const x Int)
(push 1)
(assert (> x 3))
(check-sat)
(pop 1)
(assert (and (> x 3) (< x 4)))
(check-sat)
"""


def test_every_check_sat_has_an_answer() -> None:
    assert answers(TWO) == ("sat", "unsat")


def test_a_script_without_a_question_has_no_answer() -> None:
    assert answers("(declare-const x Int)\n(assert (> x 3))\n") == ()


def test_what_it_prints_beside_answers_is_none() -> None:
    script = "(set-option :produce-models true)\n(declare-const |sat| Bool)\n(check-sat)\n(get-model)\n"
    assert answers(script) == ("sat",)


@pytest.mark.parametrize(
    "hard",
    [
        "(declare-fun f (Int) Int)\n(assert (forall ((x Int)) (> (f x) (f (f (+ x 1))))))",
        "(declare-const x Int)\n(declare-const y Int)\n(declare-const z Int)\n"
        "(assert (= (+ (* x x x) (* y y y) (* z z z)) 114))",
    ],
    ids=["incomplete", "resources"],
)
def test_what_it_cannot_decide_is_unknown_whatever_its_reason(hard: str) -> None:
    script = f"(check-sat)\n(push 1)\n{hard}\n(check-sat)\n(pop 1)\n(check-sat)\n"
    assert answers(script) == ("sat", "unknown", "sat")


@pytest.mark.parametrize(
    "refused", ["(assert (> x 3))", "(assert (", "(assert (= (_ as-array k!0) 1))", "(no-such-command)"]
)
def test_a_script_that_it_refuses_has_the_answers_before_that(refused: str) -> None:
    assert answers(f"(declare-const y Int)\n(check-sat)\n{refused}\n(check-sat)\n") == ("sat",)


def test_datatypes_arrays_and_vectors_are_read() -> None:
    script = """(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
    (define-fun p ((l List) (a (Array Int (_ BitVec 8)))) Bool (and ((_ is cons) l) (= (select a (head l)) #x0f)))
    (declare-const l List)
    (declare-const a (Array Int (_ BitVec 8)))
    (assert (p l a))
    (assert (= a ((as const (Array Int (_ BitVec 8))) #x0f)))
    (check-sat)
    (assert (= l nil))
    (check-sat)
    """
    assert answers(script) == ("sat", "unsat")


HUGE = """(check-sat)
(declare-const x (_ BitVec 3000))
(assert (= (bvmul x x x) (_ bv77 3000)))
(check-sat)
"""


def test_it_ends_where_its_own_limit_does_not_see_what_memory_it_takes() -> None:
    program = "from chcfuzz.oracles import second_solver\nsecond_solver._MEMORY = 50 << 20\nsecond_solver.main()\n"
    command = [sys.executable, "-P", "-c", program]
    done = subprocess.run(command, input=HUGE, capture_output=True, text=True, env=dict(os.environ), check=False)
    assert done.returncode != 0
    assert second_solver.answers_in(done.stdout) == ("sat",)


def test_it_exits_with_its_parent() -> None:
    program = f"from chcfuzz.oracles.second_solver import answers\nanswers({HUGE!r})\n"
    with subprocess.Popen([sys.executable, "-P", "-c", program]) as asking:
        children = Path(f"/proc/{asking.pid}/task/{asking.pid}/children")
        assert comes_true(lambda: bool(children.read_text()))
        limits = Path(f"/proc/{int(children.read_text())}/limits")
        assert comes_true(lambda: re.search(r"Max address space +\d", limits.read_text()) is not None)
        asking.kill()
    assert comes_true(lambda: not limits.exists())


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Put another program in the place of cvc5's process."""

    def replaced(body: str) -> None:
        program = tmp_path / "program"
        program.write_text(f"#!{sys.executable}\n{body}\n")
        program.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(program))

    return replaced


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", ()),
        ("import os, signal; print('unsat', flush=True); os.kill(os.getpid(), signal.SIGSEGV)", ("unsat",)),
        ("raise SystemExit('cvc5 is not there')", ()),
        ("print('sat or so'); print('(error \"sat\")'); print('unknown')", ("unknown",)),
        ("import sys; sys.stdout.buffer.write(b'\\xff\\xfe\\nsat\\n')", ("sat",)),
    ],
)
def test_a_process_that_dies_or_babbles_is_no_exception(process: Any, body: str, result: tuple[str, ...]) -> None:
    process(body)
    assert answers(TWO) == result


def test_a_process_that_does_not_end_has_no_answer(process: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_solver, "_SECONDS", 1.0)
    process("import time; print('sat', flush=True); time.sleep(600)")
    assert answers(TWO) == ()


def test_the_process_is_a_command_of_its_own() -> None:
    command = [sys.executable, "-m", "chcfuzz.oracles.second_solver"]
    done = subprocess.run(command, input=TWO, capture_output=True, text=True, env=dict(os.environ), check=True)
    assert done.stdout.split() == ["sat", "unsat"]


def test_a_script_in_other_letters_is_read() -> None:
    assert answers("(declare-const |größer| Int)\n(assert (> |größer| 1))\n(check-sat)\n") == ("sat",)
