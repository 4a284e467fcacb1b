"""Campaigns on local clusters, with kills in the middle: nothing is lost, and nothing counts twice."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from chcfuzz.cluster.connection import make_certificates
from chcfuzz.cluster.store import Store

from tests.cluster.conftest import CHCFUZZ, FLAGS, WRONG, Cluster
from tests.cluster.planted import GATE
from tests.targets import comes_true, ends

RUNS = 8


def campaign(store: str, *words: str) -> tuple[str, ...]:
    """The flags of a campaign of two slices for each worker."""
    return ("--slices=2", "--into=out", f"--store={store}", "--", f"-runs={RUNS}", *FLAGS, WRONG, *words, "seeds")


@contextmanager
def started(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Start a command whose errors can be read, with attempts below the folder."""
    environment = {**os.environ, "TMPDIR": str(folder)}
    with subprocess.Popen(
        words, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def workers(coordinator: int) -> list[psutil.Process]:
    """The workers of a local cluster that run a slice."""
    return [child for child in psutil.Process(coordinator).children() if runs_slice(child)]


def runs_slice(worker: psutil.Process) -> bool:
    """Whether a worker has a child under a guard; one of them may end meanwhile."""
    try:
        return any("chcfuzz.cluster.guard" in child.cmdline() for child in worker.children())
    except psutil.NoSuchProcess:
        return False


def check_result(
    done: subprocess.CompletedProcess[str], folder: Path, store: Store, lanes: int, found: set[str]
) -> None:
    """Check that each slice counts once, and that every finding is in the result."""
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert (result["slices"], result["executions"]) == (2 * lanes, 2 * lanes * RUNS)
    assert found <= set(result["findings"]) == {path.parent.name for path in folder.glob("out/findings/*/record.json")}
    assert result["units"] == len(list((folder / "out" / "corpus").iterdir())) > 0
    assert len(store.names("slices")) == 2 * lanes


@pytest.mark.slow
@pytest.mark.usefixtures("seeds")
def test_killing_a_worker_and_the_coordinator_loses_nothing_in_a_bucket_of_s3(
    tmp_path: Path, chcfuzz: Cluster, bucket: str
) -> None:
    store = Store(bucket)
    (tmp_path / GATE).touch()
    with started(tmp_path, str(CHCFUZZ), "cluster", "fuzz", "--local=2", *campaign(bucket)) as coordinator:
        assert comes_true(lambda: bool(store.names("findings")) and bool(workers(coordinator.pid)))
        victim = workers(coordinator.pid)[0]
        its = [victim.pid, *(process.pid for process in victim.children(recursive=True))]
        victim.kill()
        assert all(map(ends, its))
        (tmp_path / GATE).unlink()
        assert comes_true(lambda: bool(store.names("slices")) and bool(workers(coordinator.pid)))
        found = set(store.names("findings"))
        everything = [process.pid for process in psutil.Process(coordinator.pid).children(recursive=True)]
        coordinator.kill()
        assert all(map(ends, everything))
    check_result(chcfuzz("fuzz", "--local=2", "--json", *campaign(bucket)), tmp_path, store, 2, found)
    other = chcfuzz("fuzz", "--local=1", *campaign(bucket, "--rows=order.*"))
    assert other.returncode == 2
    assert re.search(r"the store '.*' holds a campaign with other flags; name another --store\n$", other.stderr)


@pytest.mark.slow
@pytest.mark.usefixtures("seeds")
def test_killing_the_scheduler_loses_nothing(tmp_path: Path, chcfuzz: Cluster) -> None:
    make_certificates(tmp_path / "tls")
    store = Store(str(tmp_path / "store"))
    file = tmp_path / "scheduler.json"
    (tmp_path / GATE).touch()
    tls = ("--protocol=tls", "--tls-ca-file=tls/ca.pem", "--tls-cert=tls/cert.pem", "--tls-key=tls/key.pem")
    words = (*tls, "--no-dashboard", f"--scheduler-file={file}")
    scheduler = (sys.executable, "-m", "distributed.cli.dask_scheduler", *words, "--port=0", "--host=127.0.0.1")
    worker = (sys.executable, "-m", "distributed.cli.dask_worker", *words, "--nthreads=1", "--memory-limit=0")
    fuzz = ("fuzz", f"--scheduler={file}", "--tls=tls", "--json", *campaign("store"))
    with (
        started(tmp_path, *scheduler) as first,
        started(tmp_path, *worker) as its,
        started(tmp_path, str(CHCFUZZ), "cluster", *fuzz) as coordinator,
    ):
        assert comes_true(lambda: bool(store.names("findings")))
        found = set(store.names("findings"))
        everything = [process.pid for process in psutil.Process(its.pid).children(recursive=True)]
        first.kill()
        assert coordinator.wait() == 2
        assert coordinator.stderr is not None
        last = coordinator.stderr.read().strip().splitlines()[-1]
        assert last == "chcfuzz: the scheduler is lost; start it again, and run the same command to continue"
        its.terminate()
        its.wait()
        assert all(map(ends, everything))
    file.unlink()
    (tmp_path / GATE).unlink()
    with started(tmp_path, *scheduler), started(tmp_path, *worker):
        assert comes_true(file.exists)
        check_result(chcfuzz(*fuzz), tmp_path, store, 1, found)
