"""A solver in a child process: its death is an outcome, and the next problem is solved as if nothing had happened."""

import os
import signal
from collections.abc import Iterator

import pytest
from chcfuzz.domains.smt.solvers.bitwuzla import Bitwuzla
from chcfuzz.domains.smt.solvers.deaths import death, is_out_of_memory
from chcfuzz.domains.smt.solvers.isolation import Isolated
from chcfuzz.domains.smt.solvers.selection import selected
from chcfuzz.execution.child_process import run_in_child
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import KilledError
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog

from tests.domains.smt.solvers.planted import SOURCE, problem
from tests.domains.smt.solvers.problems import BITS, INTEGERS, NO_BITS

RLIMIT = 1_000_000


def isolated(name: str, seconds: float = 60) -> Isolated:
    (one,) = selected([name])
    return Isolated(one, Solving(memory_megabytes=1024), Watchdog(seconds))


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Isolated]:
    """Bitwuzla with planted faults, in a child process."""
    folder = tmp_path_factory.mktemp("planted")
    (folder / "bitwuzla.py").write_text(SOURCE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        engine = isolated("bitwuzla")
        yield engine
        engine.close()


def test_a_child_answers_as_a_solver_in_this_process(planted: Isolated) -> None:
    here = Bitwuzla()
    for text in (BITS, NO_BITS, INTEGERS, BITS):
        mine, its = here.solve(text, (), RLIMIT), planted.solve(text, (), RLIMIT)
        assert (its.status, its.reason, its.cost) == (mine.status, mine.reason, mine.cost)
        assert its.trace.hash == mine.trace.hash
        assert (its.model and its.model.definitions) == (mine.model and mine.model.definitions)


@pytest.mark.parametrize(
    ("symbol", "status", "reason"),
    [
        ("abort", Status.CRASH, "dies of an assertion: Fatal failure within f() at theory.cpp:7 Check failure x == y"),
        ("divide", Status.CRASH, "dies of a division by zero"),
        ("allocate", Status.LIMIT, "out of memory"),
        pytest.param("segfault", Status.CRASH, "dies of signal SIGSEGV", marks=pytest.mark.slow),
        pytest.param("overflow", Status.CRASH, "dies of a stack overflow", marks=pytest.mark.slow),
    ],
)
def test_a_death_is_an_outcome_with_its_class_and_the_next_problem_is_solved(
    planted: Isolated, symbol: str, status: Status, reason: str
) -> None:
    outcome = planted.solve(problem(symbol), (), RLIMIT)
    assert (outcome.status, outcome.reason) == (status, reason)
    assert planted.solve(NO_BITS, (), RLIMIT).status is Status.UNSAT


def test_the_wall_clock_ends_a_solver_that_ignores_its_limits(
    planted: Isolated, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planted, "_watchdog", Watchdog(0.3))
    outcome = planted.solve(problem("loop"), (), RLIMIT)
    assert (outcome.status, outcome.reason, outcome.trace.length) == (Status.HANG, "wall clock", 0)
    monkeypatch.undo()
    assert planted.solve(problem("good"), (), RLIMIT).status is Status.SAT


def test_a_child_that_is_killed_from_outside_is_replaced(planted: Isolated) -> None:
    assert planted.version
    os.kill(planted.pid, signal.SIGKILL)
    assert planted.solve(problem("good"), (), RLIMIT).status is Status.SAT


@pytest.mark.slow
def test_a_problem_whose_child_is_always_killed_is_undecided_and_some_of_them_in_turn_are_an_error(
    planted: Isolated,
) -> None:
    def undecided() -> None:
        outcome = planted.solve(problem("killed"), (), RLIMIT)
        assert (outcome.status, outcome.trace.length) == (Status.HANG, 0)
        assert "was killed by signal 9 (Killed), from outside" in outcome.reason

    for _ in range(2):
        undecided()
        undecided()
        assert planted.solve(problem("good"), (), RLIMIT).status is Status.SAT, "after which they are counted again"
    undecided()
    undecided()
    with pytest.raises(KilledError, match="free memory"):
        planted.solve(problem("killed"), (), RLIMIT)


def test_a_child_that_dies_in_a_fork_is_replaced_in_the_fork_and_here(planted: Isolated) -> None:
    assert planted.version  # forks share the child
    assert run_in_child(lambda: planted.solve(problem("abort"), (), RLIMIT).status.value) == Status.CRASH.value
    assert run_in_child(lambda: planted.solve(problem("good"), (), RLIMIT).status.value) == Status.SAT.value
    assert planted.solve(NO_BITS, (), RLIMIT).status is Status.UNSAT


@pytest.mark.slow
def test_cvc5_runs_with_its_self_checks_only_in_a_child() -> None:
    engine = isolated("cvc5:check-models=true")
    outcome = engine.solve(BITS, (), RLIMIT)
    engine.close()
    assert (outcome.status, outcome.left_out) == (Status.SAT, ())


@pytest.mark.parametrize(
    ("number", "printed", "reason"),
    [
        (signal.SIGFPE, "", "dies of a division by zero"),
        (signal.SIGSEGV, "some line", "dies of signal SIGSEGV"),
        (signal.SIGABRT, "a\nbitwuzla: /x/src/solver.cpp:12: f: Assertion `a < b' failed.\n", None),
        (
            signal.SIGABRT,
            "terminate called after throwing an instance of 'std::bad_variant_access'\n"
            "  what():  std::get: wrong index\n",
            "dies of an uncaught exception: std::bad_variant_access: std::get: wrong index",
        ),
        (signal.SIGABRT, "free(): invalid pointer\n", "dies of signal SIGABRT: free(): invalid pointer"),
    ],
)
def test_deaths_are_told_apart(number: int, printed: str, reason: str | None) -> None:
    found = death(number, printed)
    assert found == (reason or "dies of an assertion: bitwuzla: solver.cpp:12: f: Assertion `a < b' failed.")


def test_an_exhausted_memory_is_not_a_crash() -> None:
    assert is_out_of_memory("terminate called after throwing an instance of 'std::bad_alloc'")
    assert not is_out_of_memory("Check failure")
