"""Ends of helper processes: deaths that are the solver's, failures that are not, and processes that are ended."""

import os
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest
from chcfuzz.execution.channel import Channel
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import Helper, HelperError, HelperProcess, ProcessPool

from tests.execution.test_worker_pool import Reply


class First(msgspec.Struct):
    """The first message of the parent."""

    greeting: str


class Order(msgspec.Struct):
    """A query to the helper process below: code that it executes before it replies."""

    code: str = ""


class Parts(Reply, omit_defaults=True):
    """A reply in two parts."""

    greeting: str = ""
    last: str = ""


HELPER = """
import os, signal, sys, time
from chcfuzz.execution.worker_pool import helper
from tests.execution.test_helper_deaths import First, Order, Parts

helper = helper()
greeting = helper.receive(First).greeting
helper.ready(Parts(os.getpid(), greeting=greeting))
for order in helper.queries(Order, lambda: order.code == "lost"):
    helper.send(Parts(os.getpid(), greeting=greeting))
    exec(order.code if order.code != "lost" else "")
    helper.send(Parts(last="done"))
"""

Make = Callable[..., HelperProcess]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Function that makes a helper process; it has neither a Z3 nor a domain, so it starts quickly."""
    (tmp_path / "obeying.py").write_text(HELPER)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{os.environ['PYTHONPATH']}")
    made: list[HelperProcess] = []

    def process(first: object = First("hello"), fresh: bool = False) -> HelperProcess:
        made.append(HelperProcess("obeying", Solving(), first, fresh))
        return made[-1]

    yield process
    for each in made:
        each.end()


def test_the_first_message_reaches_the_process_before_any_query(make: Make) -> None:
    process = make()
    assert process.ready(Parts) == Parts()
    process.start()
    assert process.ready(Parts) == Parts(process.pid, greeting="hello")
    assert process.request(Order(), Parts) == Parts(process.pid, greeting="hello", last="done")


@pytest.mark.parametrize(
    ("code", "death"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "it dies of signal 11"),
        ("os._exit(114)", "it ends the process with exit code 114"),
    ],
)
def test_a_death_of_the_solver_keeps_the_parts_before_it_and_the_next_query_has_a_new_process(
    make: Make, code: str, death: str
) -> None:
    process = make()
    before = process.pid
    assert process.request(Order(code), Parts) == Parts(before, death, "hello")
    assert process.last_exit.as_death == death
    after = process.request(Order(), Parts)
    assert (after.last, after.death) == ("done", "")
    assert after.process != before


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("print('noise', file=sys.stderr); sys.exit('chcfuzz: a reason')", "a reason"),
        ("os._exit(1)", "it exited with code 1"),
        ("os._exit(0)", "it exited with code 0"),
        ("raise ValueError('of ours')", "ValueError: of ours"),
    ],
)
def test_a_process_that_fails_for_another_reason_is_an_error_of_one_line(make: Make, code: str, reason: str) -> None:
    process = make()
    with pytest.raises(HelperError) as caught:
        process.request(Order(code), Parts)
    assert str(caught.value) == f"the helper process obeying failed: {reason}"
    assert process.request(Order(), Parts).last == "done"


def test_a_process_whose_parent_has_ended_ends_without_a_message() -> None:
    parent, own = socket.socketpair()
    parent.close()
    channel = Channel(own)
    with pytest.raises(SystemExit) as ended:
        Helper(Solving(), channel).receive(First)
    channel.close()
    assert ended.value.code is None


def test_a_process_that_is_killed_while_a_thread_waits_dies_without_being_started_again(
    make: Make, tmp_path: Path
) -> None:
    process = make()
    before = process.pid
    order = Order(f"open({str(tmp_path / 'waits')!r}, 'w').close(); time.sleep(600)")
    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(process.request, order, Parts)
        while not (tmp_path / "waits").exists():
            time.sleep(0.01)
        process.kill()
        assert waiting.result() == Parts(before, "it dies of signal 9", "hello")


def test_a_process_that_died_between_two_queries_is_started_again(make: Make) -> None:
    process = make()
    before = process.pid
    os.kill(before, 9)
    reply = process.request(Order(), Parts)
    assert reply.last == "done"
    assert reply.process != before


@pytest.mark.parametrize(("fresh", "code"), [(True, ""), (False, "lost")])
def test_a_fresh_process_and_one_that_lost_memory_answer_one_query(make: Make, fresh: bool, code: str) -> None:
    process = make(fresh=fresh)
    first, second = (process.request(Order(code), Parts) for _ in range(2))
    assert (first.last, second.last) == ("done", "done")
    assert first.process != second.process


def test_a_process_answers_many_queries(make: Make) -> None:
    process = make()
    assert len({process.request(Order(), Parts).process for _ in range(3)}) == 1


def test_leaving_a_pool_ends_its_processes(make: Make) -> None:
    with ProcessPool(make, 2) as pool:
        codes = ["print('text', flush=True)", "time.sleep(0.2)"]
        replies = list(pool.each(lambda code: pool.request(Order(code), Parts), codes))
        assert {reply.last for reply in replies} == {"done"}
        numbers = [process.pid for process in pool.processes]
        assert pool.ready(Parts).process == numbers[0]
        assert len(set(numbers)) == 2
    for number in numbers:
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)
    assert "text" in "".join(process.output for process in pool.processes)


def test_a_process_that_is_killed_from_outside_gets_the_query_again_once(make: Make, tmp_path: Path) -> None:
    process, file = make(), tmp_path / "first"
    once = f"import pathlib; p = pathlib.Path({str(file)!r}); p.exists() or (p.touch(), os.kill(os.getpid(), 9))"
    assert process.request(Order(once), Parts).last == "done"
    assert file.exists()
    with pytest.raises(HelperError, match=r"was killed by signal 9 \(Killed\), from outside"):
        process.request(Order("os.kill(os.getpid(), 9)"), Parts)
    assert process.request(Order(), Parts).last == "done"
