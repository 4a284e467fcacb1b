"""cvc5 in a process of its own: its answers, and what becomes of us where it gives none."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest
from chcfuzz.execution.child_process import run_in_child
from chcfuzz.oracles import second_solver
from chcfuzz.oracles.second_solver import answers, refutes

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


def test_a_script_whose_last_question_is_not_reached_refutes_nothing() -> None:
    first = "(set-logic ALL)(push 1)(assert false)(check-sat)(pop 1)\n"
    assert refutes(first)
    assert answers(f"{first}(assert (foo))(check-sat)") == ("unsat",)
    assert not refutes(f"{first}(assert (foo))(check-sat)")


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


def serving(setting: str, *scripts: str) -> list[str]:
    """Return the replies of a server with another limit to scripts."""
    program = f"from chcfuzz.oracles import second_solver\n{setting}\nsecond_solver.main()\n"
    command = [sys.executable, "-P", "-c", program, "--serve"]
    lines = "".join(json.dumps([script, []]) + "\n" for script in scripts)
    done = subprocess.run(command, input=lines, capture_output=True, text=True, env=dict(os.environ), check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_more_memory_than_its_own_limit_sees_costs_the_rest_of_one_script() -> None:
    replies = serving("second_solver._MEMORY = 50 << 20", HUGE, TWO)
    assert [second_solver.answers_in(reply) for reply in replies] == [("sat",), ("sat", "unsat")]


def test_a_script_that_does_not_end_has_no_answer() -> None:
    assert serving("second_solver._SECONDS = 0.5", HUGE) == [""]


def test_a_dead_server_has_no_answer_and_the_next_script_gets_another() -> None:
    assert answers(TWO) == ("sat", "unsat")
    (server,) = [child for child in children(os.getpid()) if b"--serve" in Path(f"/proc/{child}/cmdline").read_bytes()]
    os.kill(server, signal.SIGSTOP)
    waiting = threading.Timer(0.2, os.kill, (server, signal.SIGKILL))
    waiting.start()
    assert answers(TWO) == ()
    waiting.join()
    assert answers(TWO) == ("sat", "unsat")


def test_a_server_that_does_not_reply_has_no_answer_and_the_next_script_gets_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert answers(TWO) == ("sat", "unsat")
    (server,) = [child for child in children(os.getpid()) if b"--serve" in Path(f"/proc/{child}/cmdline").read_bytes()]
    monkeypatch.setattr(second_solver, "_SECONDS", 0.0)
    monkeypatch.setattr(second_solver, "_START_SECONDS", 0.2)
    os.kill(server, signal.SIGSTOP)
    assert answers(TWO) == ()
    monkeypatch.undo()
    assert answers(TWO) == ("sat", "unsat")


def test_it_exits_with_its_parent() -> None:
    program = f"from chcfuzz.oracles.second_solver import answers\nanswers({HUGE!r})\n"
    with subprocess.Popen([sys.executable, "-P", "-c", program]) as asking:
        assert comes_true(lambda: len(children(asking.pid)) == 1)
        (server,) = children(asking.pid)
        assert comes_true(lambda: len(children(server)) == 1)
        (solving,) = children(server)
        limits = Path(f"/proc/{solving}/limits")
        assert comes_true(lambda: re.search(r"Max address space +\d", limits.read_text()) is not None)
        asking.kill()
    assert comes_true(lambda: not limits.exists())


def children(pid: int) -> list[int]:
    return [child.pid for child in psutil.Process(pid).children()]


@pytest.mark.parametrize(
    "body",
    [
        "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
        "raise SystemExit('cvc5 is not there')",
        "print('sat')",
        "print('[]')",
        "import sys; sys.stdout.buffer.write(b'\\xff\\xfe\\nsat\\n')",
    ],
)
def test_a_process_that_is_no_server_has_no_answer(body: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program, script = tmp_path / "program", tmp_path / "script.py"
    script.write_text(body)
    program.write_text(f"#!/bin/sh\nexec {shlex.quote(sys.executable)} {script}\n")
    program.chmod(0o755)
    monkeypatch.setattr(second_solver, "_server", None)
    monkeypatch.setattr(sys, "executable", str(program))
    assert answers(TWO) == ()


def test_a_fork_of_a_process_with_a_server_starts_its_own() -> None:
    assert answers(TWO) == ("sat", "unsat")
    assert run_in_child(lambda: answers(TWO)) == ["sat", "unsat"]
    assert answers(TWO) == ("sat", "unsat")


def test_the_process_is_a_command_of_its_own() -> None:
    command = [sys.executable, "-m", "chcfuzz.oracles.second_solver"]
    done = subprocess.run(command, input=TWO, capture_output=True, text=True, env=dict(os.environ), check=True)
    assert done.stdout.split() == ["sat", "unsat"]


def test_a_script_in_other_letters_is_read() -> None:
    assert answers("(declare-const |größer| Int)\n(assert (> |größer| 1))\n(check-sat)\n") == ("sat",)
