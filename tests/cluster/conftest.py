"""Fixtures of the tests of `chcfuzz cluster`."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from chcfuzz.cluster import child
from chcfuzz.cluster.slices import Slice
from distributed import Client, LocalCluster

from tests.targets import ROOT, TAME, WALL, comes_true

CHCFUZZ = Path(sys.executable).parent / "chcfuzz"
WRONG = "--solver=tests.cluster.planted:RareSpacer"
FLAGS = (WALL, "--second-opinion=0", "--finish-seconds=900", "--per-bucket=1", TAME)
Cluster = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def chcfuzz(tmp_path: Path) -> Cluster:
    """Function that runs `chcfuzz cluster` in a new folder, with attempts below it."""

    def run(*words: object, **environment: str) -> subprocess.CompletedProcess[str]:
        command = [str(CHCFUZZ), "cluster", *map(str, words)]
        variables = {**os.environ, "TMPDIR": str(tmp_path), **environment}
        return subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)

    return run


@pytest.fixture
def make_slice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Slice]:
    """Function that returns a slice of a campaign with the store `store` and the attempts below `scratch`."""
    monkeypatch.setattr(child, "SECONDS", 0.2)

    def make(lane: int, number: int, inputs: str, *words: str, shared: int = 0, scratch: str = "scratch") -> Slice:
        (tmp_path / scratch).mkdir(exist_ok=True)
        flags = (*FLAGS, *words)
        return Slice(
            str(tmp_path / "store"), lane, number, 0, flags, inputs, shared, tmp_path, tmp_path / scratch, "stop/1"
        )

    return make


@pytest.fixture
def seeds(tmp_path: Path) -> Path:
    """A folder with three cheap seeds; `WRONG` gives one of them a wrong model."""
    folder = tmp_path / "seeds"
    folder.mkdir()
    files = sorted((ROOT / "corpus").rglob("*.smt2"), key=lambda file: (file.stat().st_size, file.name))
    for file in [file for file in files if "(set-info :status sat)" in file.read_text()][:3]:
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """A client of a cluster of two threads in this process."""
    with (
        LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster) as connected,
    ):
        yield connected


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a store in an S3 server on this machine, which this process and all that it starts can reach."""
    import s3fs

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for name, value in (
        ("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}"),
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("AWS_DEFAULT_REGION", "us-east-1"),
    ):
        monkeypatch.setenv(name, value)

    def answers() -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", port)) == 0

    command = [sys.executable, "-m", "moto.server", "-p", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            assert comes_true(answers)
            s3fs.S3FileSystem.clear_instance_cache()  # clients of an earlier server
            s3fs.S3FileSystem().mkdir("bucket")
            yield "s3://bucket/run"
        finally:
            server.send_signal(signal.SIGKILL)
