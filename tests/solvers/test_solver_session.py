"""A solver that stays alive: Z3 over a pipe, and Eldarica's protocol with a server that is a script."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.process import MEMORY, WALL_CLOCK, Clock, members
from chcfuzz.solvers.solver_session import ELDARICA, SMT_LIB, STANDARD_INPUT, SolverSession, session
from chcfuzz.solvers.z3_release import installed

LONG = 60.0
LARGE = 4096
SYSTEM = """(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (= x {})) false)))
(check-sat)
"""


@pytest.fixture
def z3() -> Path:
    release = installed()
    assert release is not None
    assert release.executable is not None
    return release.executable


@pytest.fixture
def pipe(z3: Path) -> Iterator[SolverSession]:
    made = session(SMT_LIB, (str(z3), STANDARD_INPUT), 3, LARGE)
    yield made
    made.close()


def file(folder: Path, text: str) -> Path:
    path = folder / "system.smt2"
    path.write_text(text)
    return path


def test_one_process_solves_many_systems_and_is_started_again_after_so_many(
    pipe: SolverSession, tmp_path: Path
) -> None:
    started = pipe.starts
    answers = [pipe.run(file(tmp_path, SYSTEM.format(number % 2)), (), LONG).out.strip() for number in range(7)]
    assert answers == ["unsat", "sat"] * 3 + ["unsat"]
    assert pipe.starts - started == 3


def test_a_process_that_dies_gives_its_code_and_the_next_request_a_new_one(pipe: SolverSession, tmp_path: Path) -> None:
    ended = pipe.run(file(tmp_path, f"{SYSTEM.format(1)}(exit)\n"), (), LONG)
    assert (ended.code, ended.out.strip()) == (0, "sat")
    assert pipe.run(file(tmp_path, SYSTEM.format(0)), (), LONG).out.strip() == "unsat"


def test_an_error_does_not_stay_for_the_next_system(pipe: SolverSession, tmp_path: Path) -> None:
    assert "(error" in pipe.run(file(tmp_path, "(declare-fun p (Nothing) Bool)\n"), (), LONG).out
    assert pipe.run(file(tmp_path, SYSTEM.format(0)), (), LONG).out.strip() == "unsat"


def test_a_session_gives_the_answers_of_fresh_processes(z3: Path) -> None:
    alive = Command.of([str(z3)], LONG, dialect="z3", requests=10)
    assert alive.can_stay_alive
    for number in (0, 1, 0):
        text = SYSTEM.format(number)
        warm, fresh = alive.solve(text, rlimit=1_000_000), alive.solve_afresh(text, rlimit=1_000_000)
        assert warm.status is fresh.status is (Status.SAT if number else Status.UNSAT)
        assert (warm.trace.hash, warm.command) == (fresh.trace.hash, fresh.command)
        assert (warm.model and warm.model.definitions) == (fresh.model and fresh.model.definitions)


def test_an_interrupted_request_does_not_answer_the_next_one(
    pipe: SolverSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Clock, "reached", interrupted)
        with pytest.raises(KeyboardInterrupt):
            pipe.run(file(tmp_path, SYSTEM.format(1)), (), LONG)
    assert pipe.run(file(tmp_path, SYSTEM.format(0)), (), LONG).out.strip() == "unsat"


QUICK = """
import os, sys, time
os.write(1, b"; a banner\\n")
time.sleep(0.2)
unread = b""
while piece := os.read(0, 1 << 20):
    unread += piece
    script, end, rest = unread.partition(b'(echo "chcfuzz-end-of-answer")')
    if end:
        os.write(1, b"sat\\n" if len(script) > 1000 else script)
        os.write(1, b"chcfuzz-end-of-answer\\n")
        unread = rest
"""


def test_a_reset_is_not_lost_if_the_answer_comes_with_the_last_piece_of_the_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "quick.py"
    program.write_text(QUICK)
    made = session(SMT_LIB, (sys.executable, str(program)), 100, LARGE)
    reached = Clock.reached

    def busy(clock: Clock, process: int) -> str:
        time.sleep(0.4)
        return reached(clock, process)

    monkeypatch.setattr(Clock, "reached", busy)
    pipe_size = 1 << 16
    try:
        made.run(file(tmp_path, "a" * (pipe_size - len('\n(echo "chcfuzz-end-of-answer")'))), (), LONG)
        assert made.run(file(tmp_path, "second"), (), LONG).out.split() == ["(reset)", "second"]
    finally:
        made.close()


SERVER = """
import os, socket, struct, sys, time
listening = socket.create_server(("localhost", 0))
print(listening.getsockname()[1], flush=True)
print("a ticket", flush=True)
while True:
    link, _ = listening.accept()
    lines = link.makefile("r")
    assert lines.readline() == "a ticket\\n"
    words = []
    while (word := lines.readline().strip()) != "PROVE_AND_EXIT":
        words.append(word)
    text = open(words[-1]).read()
    if "hang" in text:
        time.sleep(3600)
    if "die" in text:
        os._exit(3)
    if "overflow" in text:
        link.sendall(b'(error "stack overflow")\\n')
    else:
        link.sendall(f"{' '.join(words[:-1])}\\nsat {os.getpid()}\\n".encode())
    if "reset" in text:  # what was not read yet is lost
        link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        time.sleep(0.5)
    lines.close()
    link.close()
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[SolverSession]:
    program = tmp_path / "server.py"
    program.write_text(SERVER)
    made = session(ELDARICA, (sys.executable, str(program)), 100, LARGE)
    yield made
    made.close()


def test_a_server_gets_the_arguments_and_its_answer_comes_back(server: SolverSession, tmp_path: Path) -> None:
    first, second = (server.run(file(tmp_path, "x"), ("-ssol", "-abstract:oct"), LONG) for _ in range(2))
    assert first.out.startswith(f"-log:0 -t:{LONG:g} -ssol -abstract:oct\nsat ")
    assert (first.out, first.code, first.stopped) == (second.out, 0, ""), "the same process"
    assert server.starts == 1


def test_an_answer_whose_connection_breaks_is_incomplete_and_the_server_continues(
    server: SolverSession, tmp_path: Path
) -> None:
    assert server.run(file(tmp_path, "reset"), (), LONG).is_cut
    assert not server.run(file(tmp_path, "x"), (), LONG).is_cut
    assert server.starts == 1


@pytest.mark.parametrize("text", ["die", "overflow"])
def test_after_a_fault_a_server_is_started_again(server: SolverSession, tmp_path: Path, text: str) -> None:
    before = server.run(file(tmp_path, "x"), (), LONG).out
    ended = server.run(file(tmp_path, text), (), LONG)
    assert ended.code == (3 if text == "die" else 0)
    after = server.run(file(tmp_path, "x"), (), LONG).out
    assert before.startswith("-log:0")
    assert after.startswith("-log:0")
    assert after != before


@pytest.mark.slow
def test_a_server_that_does_not_come_back_is_ended_at_the_wall_clock(server: SolverSession, tmp_path: Path) -> None:
    ended = server.run(file(tmp_path, "hang"), (), 0.1)
    assert (ended.stopped, ended.out) == (WALL_CLOCK, "")
    assert server.run(file(tmp_path, "x"), (), LONG).out.startswith("-log:0")


def test_memory_is_a_limit_of_a_session_too(tmp_path: Path) -> None:
    program = tmp_path / "server.py"
    program.write_text(SERVER.replace("time.sleep(3600)", "held = bytearray(300 << 20); time.sleep(3600)"))
    made = session(ELDARICA, (sys.executable, str(program)), 100, 200)
    try:
        assert made.run(file(tmp_path, "hang"), (), LONG).stopped == MEMORY
    finally:
        made.close()


@pytest.mark.parametrize(
    ("program", "message"),
    [("print('no')", "says no port and ticket"), ("print('no'); print('port')", "prints 'no' instead of a port")],
)
def test_a_server_that_does_not_start_is_reported(tmp_path: Path, program: str, message: str) -> None:
    made = session(ELDARICA, (sys.executable, "-c", program), 100, LARGE)
    with pytest.raises(OSError, match=message):
        made.run(file(tmp_path, "x"), (), LONG)


def test_no_solver_outlives_its_owner(tmp_path: Path) -> None:
    """Workers leave by _Exit, so nothing of theirs can end it."""
    program = tmp_path / "server.py"
    program.write_text(SERVER)
    owner = (
        "import os, sys; from pathlib import Path; from chcfuzz.solvers.solver_session import *;"
        f"s = session(ELDARICA, (sys.executable, {str(program)!r}), 9, 4096);"
        f"print(s.run(Path({str(file(tmp_path, 'x'))!r}), (), 60.0).out.split()[-1], flush=True); os._exit(0)"
    )
    pid = int(subprocess.run([sys.executable, "-c", owner], capture_output=True, text=True, check=True).stdout)
    while members(pid):
        time.sleep(0.05)
