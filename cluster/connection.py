"""A client of Dask.distributed: for workers on this machine, or for a scheduler that runs already; with TLS."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import dask
from chcfuzz.execution.files import write_whole
from chcfuzz.execution.solving import UsageError
from distributed import Client, LocalCluster
from distributed.security import Security

SECONDS, FIRST_SECONDS, WORKER_SECONDS = 30.0, 30.0, 600.0  # to reach a scheduler, and until it has a worker
CA, CERTIFICATE, KEY = "ca.pem", "cert.pem", "key.pem"
# Dask stops workers whose process needs much memory; solvers run in children, which it does not see.
_SETTINGS = {"distributed.worker.memory.terminate": False, "distributed.admin.tick.limit": "1h"}
# On a busy machine, a worker that starts again needs more than Dask's 30 s; without it, a task would wait for ever.
_LOCAL_SETTINGS = {**_SETTINGS, "distributed.comm.timeouts.connect": "300s"}


@dataclass(frozen=True)
class Where:
    """The workers that a user names: `local` of them here, or those of a scheduler, with a folder of certificates."""

    local: int = 0
    scheduler: str = ""
    tls: Path | None = None
    insecure: bool = False

    def check(self) -> None:
        """Raise `UsageError` for a scheduler to which everybody who reaches its port could send programs."""
        if not self.scheduler or self.insecure:
            return
        if self.scheduler.startswith("tcp://"):
            problem = f"{self.scheduler!r} is without TLS: everybody who reaches it can run programs as you"
            raise UsageError(f"{problem}; start the scheduler with certificates, or add --insecure")
        if self.tls is None:
            raise UsageError(f"{self.scheduler!r} needs --tls DIR with {CA}, {CERTIFICATE} and {KEY}, or --insecure")

    @property
    def security(self) -> Security:
        """The certificates. Raises `UsageError`."""
        if self.insecure or self.tls is None:
            return Security()
        paths = {name: self.tls / name for name in (CA, CERTIFICATE, KEY)}
        missing = next((path for path in paths.values() if not path.is_file()), None)
        if missing is not None:
            raise UsageError(f"no certificate {str(missing)!r}; `chcfuzz cluster fuzz --slurm FILE` makes all three")
        ca, certificate, key = (str(path) for path in paths.values())
        names = {
            f"tls_{role}_{part}": file
            for role in ("client", "worker", "scheduler")
            for part, file in (("cert", certificate), ("key", key))
        }
        return Security(require_encryption=True, tls_ca_file=ca, **names)


@contextmanager
def connected(where: Where, report: Callable[[str], None] = lambda _line: None) -> Iterator[Client]:
    """Return a client, and end local workers after the `with` block. Raises `UsageError`.

    `report` receives a line if the first worker takes long.
    """
    where.check()
    with dask.config.set(_LOCAL_SETTINGS if where.local else _SETTINGS):
        if where.local:
            with _local(where.local) as cluster, Client(cluster) as client:
                yield client
            return
        file = where.scheduler if where.scheduler.endswith(".json") else None
        address = {"scheduler_file": file} if file else {"address": where.scheduler}
        try:
            client = Client(**address, security=where.security, timeout=SECONDS)
        except (OSError, TimeoutError, ValueError) as error:
            reason = str(error).splitlines()[0] if str(error) else "no answer"
            advice = "check the address, and that it has the same certificates"
            raise UsageError(f"cannot reach the scheduler {where.scheduler!r}: {reason}; {advice}") from error
        with client:
            _ensure_ready(client, report)
            yield client


def _ensure_ready(client: Client, report: Callable[[str], None]) -> None:
    """Wait for the first worker; raise `UsageError` if none comes, or if one has another version of chcfuzz."""
    if not _has_worker(client, FIRST_SECONDS):
        report(f"no worker after {FIRST_SECONDS:g} s; waiting for {WORKER_SECONDS:g} s; {worker_advice(client)}")
        if not _has_worker(client, WORKER_SECONDS):
            raise UsageError(f"no worker in {WORKER_SECONDS:g} s; {worker_advice(client)}")
    own = metadata.version("chcfuzz")
    # A lambda travels by value: workers do not need chcfuzz to run it, and would never return a function of chcfuzz.
    found = client.run(lambda: metadata.version("chcfuzz"), on_error="return")
    wrong = next((worker for worker, version in sorted(found.items()) if version != own), None)
    if wrong is not None:
        has = found[wrong] if isinstance(found[wrong], str) else "no chcfuzz"
        raise UsageError(f"the worker {wrong} has {has} instead of chcfuzz {own}; install the same version everywhere")


def _has_worker(client: Client, seconds: float) -> bool:
    """Wait for the first worker for some seconds; return whether there is one."""
    try:
        client.wait_for_workers(1, timeout=seconds)
    except TimeoutError:
        return False
    return True


def worker_advice(client: Client) -> str:
    """Return the advice to start a worker."""
    address = client.scheduler.address
    return f"start one with `dask worker {address} --nthreads 1 --memory-limit 0`, with the same certificates"


@contextmanager
def _local(number: int) -> Iterator[LocalCluster]:
    """Start workers here, with certificates that exist only in memory; Ctrl-C is for this process alone."""
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)  # which the new processes inherit
    try:
        cluster = LocalCluster(
            n_workers=number,
            threads_per_worker=1,
            processes=True,
            memory_limit=0,
            dashboard_address="127.0.0.1:0",  # without a port, Dask serves its status at 8787 to all
            security=Security.temporary(),
            protocol="tls://",
            silence_logs="ERROR",
        )
    finally:
        signal.signal(signal.SIGINT, handler)
    with cluster:
        yield cluster


def make_certificates(folder: Path) -> None:
    """Write new certificates into a folder, which only this user can read, unless it has some. Raises `OSError`."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if (folder / KEY).exists():
        return
    made = Security.temporary()
    for name, content in ((CA, made.tls_ca_file), (CERTIFICATE, made.tls_worker_cert), (KEY, made.tls_worker_key)):
        write_whole(folder / name, str(content).encode())
