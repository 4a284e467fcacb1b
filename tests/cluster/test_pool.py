"""Tasks on workers of Dask: equal ones run again, lost ones elsewhere; only a child runs a solver."""

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from chcfuzz.cluster import absence, child, connection
from chcfuzz.cluster.absence import Absence
from chcfuzz.cluster.child import LostError
from chcfuzz.cluster.connection import Where, connected
from chcfuzz.cluster.folders import claimed
from chcfuzz.cluster.jobs import Job
from chcfuzz.cluster.pool import Pool
from chcfuzz.cluster.store import Store
from chcfuzz.execution.solving import UsageError
from chcfuzz.grammar.errors import ChcfuzzError
from distributed import Client, LocalCluster

from tests.targets import ROOT, comes_true


@dataclass(frozen=True)
class Written:
    """A task that adds a line to a file."""

    name: str
    folder: Path


def add_line(task: Written) -> str:
    with (task.folder / "lines").open("a") as file:
        file.write("line\n")
    return task.name


def lose_twice(task: Written) -> str:
    add_line(task)
    if lines(task.folder) < 3:
        raise LostError("a child was killed")
    return task.name


def die_at_first(task: Written) -> str:
    add_line(task)
    if lines(task.folder) <= 4:  # Dask gives up a task after four dead workers
        os._exit(1)
    return task.name


def child_dies(task: Written) -> str:
    add_line(task)
    with claimed(task.folder) as claim:
        child.run(["-c", "import os; os.kill(os.getpid(), 11)"], claim, (0,), task.folder)
    return task.name


def lines(folder: Path) -> int:
    return len((folder / "lines").read_text().splitlines())


def test_equal_tasks_run_each_time(client: Client, tmp_path: Path) -> None:
    pool = Pool(client, add_line, pytest.fail)
    for _ in range(3):
        pool.submit(Written("tasks/1", tmp_path))
    assert [name for _, name in pool.results()] == ["tasks/1"] * 3
    assert lines(tmp_path) == 3


def test_a_lost_task_is_submitted_again_and_a_hopeless_one_given_up(client: Client, tmp_path: Path) -> None:
    reported: list[str] = []
    pool = Pool(client, lose_twice, reported.append)
    pool.submit(Written("tasks/1", tmp_path))
    assert [name for _, name in pool.results()] == ["tasks/1"]
    assert reported == ["tasks/1 was lost, and is submitted again"] * 2
    hopeless = Pool(client, child_dies, reported.append)
    hopeless.submit(Written("tasks/2", tmp_path))
    with pytest.raises(ChcfuzzError, match=r"^tasks/2 was lost 5 times \(the child of a task was killed .*\); see"):
        list(hopeless.results())


@pytest.fixture(scope="module")
def local() -> Iterator[Client]:
    """A client of a local cluster of one worker, as `--local 1` starts it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(ROOT), *sys.path])  # from which workers import this module
        with connected(Where(local=1)) as client:
            yield client


@pytest.mark.slow
def test_a_task_that_kills_its_workers_is_tried_again_and_a_child_that_dies_kills_none(
    local: Client, tmp_path: Path
) -> None:
    assert local.scheduler.address.startswith("tls://")
    before = local.run(os.getpid)
    pool = Pool(local, child_dies, lambda _line: None)
    pool.submit(Written("tasks/1", tmp_path))
    with pytest.raises(ChcfuzzError, match="was lost 5 times"):
        list(pool.results())
    assert local.run(os.getpid) == before
    (tmp_path / "lines").unlink()
    reported: list[str] = []
    pool = Pool(local, die_at_first, reported.append)
    pool.submit(Written("tasks/2", tmp_path))
    assert [name for _, name in pool.results()] == ["tasks/2"]
    assert len([line for line in reported if "was lost" in line]) == 1  # others are on slow starts of workers
    assert lines(tmp_path) == 5


@pytest.mark.slow
def test_nobody_without_the_certificate_reaches_local_workers(local: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "SECONDS", 2.0)
    plain = local.scheduler.address.replace("tls://", "tcp://")
    with (
        pytest.raises(UsageError, match=r"^cannot reach the scheduler 'tcp://.*check the address"),
        connected(Where(scheduler=plain, insecure=True)),
    ):
        pass


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Absence of workers is reported at once."""
    monkeypatch.setattr(absence, "CHECK_SECONDS", 0.05)
    monkeypatch.setattr(absence, "FIRST_SECONDS", 0.1)


@pytest.mark.slow
@pytest.mark.usefixtures("_impatient")
def test_a_job_whose_local_workers_are_all_dead_ends(local: Client, tmp_path: Path) -> None:
    assert isinstance(local.cluster, LocalCluster)
    local.cluster.scale(0)
    assert comes_true(lambda: not local.nthreads())
    pool = Pool(local, add_line, lambda _line: None)
    pool.submit(Written("tasks/1", tmp_path))
    with pytest.raises(ChcfuzzError, match=r"^all local workers are dead, .*; run the command again$"):
        list(pool.results())
    local.cluster.scale(1)  # for the other tests
    local.wait_for_workers(1)


@pytest.mark.usefixtures("_impatient")
def test_a_job_without_workers_says_so_once_and_goes_on_when_one_comes(tmp_path: Path) -> None:
    reported: list[str] = []

    def report(line: str) -> None:
        reported.append(line)
        cluster.scale(1)

    with (
        LocalCluster(n_workers=0, processes=False, dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster.scheduler_address) as client,
    ):
        pool = Pool(client, add_line, report, "press Ctrl-C: nothing is lost")
        pool.submit(Written("tasks/1", tmp_path))
        assert [name for _, name in pool.results()] == ["tasks/1"]
        line = reported[0]
    assert re.fullmatch(r"no worker has been connected to \S+ for \d+ s; waiting; start one with `dask worker .*", line)
    assert line.endswith("or press Ctrl-C: nothing is lost")


def test_absence_is_reported_rarely_and_its_end_once(monkeypatch: pytest.MonkeyPatch) -> None:
    now, threads = [1.0], {"worker": 1}
    monkeypatch.setattr(absence, "time", SimpleNamespace(monotonic=lambda: now[0]))
    reported: list[str] = []
    scheduler = SimpleNamespace(address="tls://host:1")
    client = SimpleNamespace(nthreads=lambda: threads, cluster=None, scheduler=scheduler)
    watched = Absence(cast(Client, client), reported.append)
    for second in range(1, 2000):
        now[0] = float(second)
        threads = {} if 100 <= second < 1900 else {"worker": 1}
        watched.check()
    assert len(reported) == 4, reported  # after 30 s, 630 s and 1,230 s, and the end
    assert reported[-1] == "a worker is connected again; the tasks continue"


def test_a_scheduler_without_tls_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"without TLS: everybody who reaches it can run programs"):
        Where(scheduler="tcp://10.0.0.1:8786").check()
    with pytest.raises(UsageError, match=r"needs --tls DIR with ca\.pem"):
        Where(scheduler="scheduler.json").check()
    Where(scheduler="tcp://10.0.0.1:8786", insecure=True).check()
    folder = tmp_path / "tls"
    with pytest.raises(UsageError, match=r"no certificate '.*ca\.pem'"):
        _ = Where(scheduler="tls://10.0.0.1:8786", tls=folder).security
    connection.make_certificates(folder)
    key = (folder / "key.pem").read_text()
    assert (folder / "key.pem").stat().st_mode & 0o77 == 0
    assert Where(scheduler="tls://10.0.0.1:8786", tls=folder).security.require_encryption
    connection.make_certificates(folder)
    assert (folder / "key.pem").read_text() == key


def test_two_thousand_units_are_some_batches(client: Client, tmp_path: Path) -> None:
    job = Job(client, Store(str(tmp_path)), tmp_path, None, pytest.fail)
    batches = job.batches(range(2000))
    assert [len(batch) for batch in batches] == [200] * 10
    assert [item for batch in batches for item in batch] == list(range(2000))
    assert [len(batch) for batch in job.batches(range(400))] == [50] * 8
    assert [len(batch) for batch in job.batches(range(30))] == [20, 10]
    assert job.batches([]) == []
