"""Folders of tasks on the local disk of a worker: one for each attempt, which nothing else uses as long as it lives."""

from __future__ import annotations

import fcntl
import itertools
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
from chcfuzz.execution.solving import UsageError

# Kinds of file systems that several machines share; SQLite's locks are unreliable there.
_SHARED = ("nfs", "cifs", "smb", "lustre", "gpfs", "beegfs", "ceph", "afs", "glusterfs", "fuse.", "9p", "orangefs")
_RUNNING = "running"
DAYS = 7


@dataclass(frozen=True)
class ClaimedFolder:
    """A folder that belongs to one attempt, and the descriptor of its lock, which the attempt's processes inherit."""

    folder: Path
    lock: int

    @property
    def is_new(self) -> bool:
        """Whether the folder holds nothing of an earlier task."""
        return {path.name for path in self.folder.iterdir()} <= {_RUNNING}


def scratch(named: Path | None, name: str) -> Path:
    """Return the folder for the attempts of one job on this machine, below the one that the user names or /tmp.

    Raises `UsageError` unless it is on a local disk and belongs to this user.
    """
    base = (named or Path(tempfile.gettempdir())).absolute()
    kind = kind_of(base, [(Path(each.mountpoint), each.fstype) for each in psutil.disk_partitions(all=True)])
    if kind.startswith(_SHARED):
        raise UsageError(f"{str(base)!r} is on a file system that machines share ({kind}); name a local --scratch")
    folder = base / f"chcfuzz-cluster-{os.getuid()}" / name
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.utime(folder)
        owner = folder.parent.lstat().st_uid
    except OSError as error:
        raise UsageError(f"cannot use {str(folder)!r}: {error.strerror}; name another --scratch") from error
    if owner != os.getuid():
        raise UsageError(f"{str(folder.parent)!r} belongs to another user; name another --scratch")
    _delete_old(folder.parent)
    return folder


def _delete_old(folder: Path) -> None:
    """Delete the folders of jobs that have not started a task for `DAYS` days."""
    for path in folder.iterdir():
        with suppress(FileNotFoundError):  # another worker deletes it, too
            if time.time() - path.stat().st_mtime > DAYS * 86_400:
                shutil.rmtree(path, ignore_errors=True)


def kind_of(path: Path, mounts: Sequence[tuple[Path, str]]) -> str:
    """Return the kind of the file system that holds a path, given the mounted ones; empty if none holds it."""
    real = path.resolve()
    holding = [(len(mount.parts), number) for number, (mount, _) in enumerate(mounts) if real.is_relative_to(mount)]
    return mounts[max(holding)[1]][1] if holding else ""


@contextmanager
def claimed(scratch: Path, preferred: int = 0) -> Iterator[ClaimedFolder]:
    """Claim a folder that no attempt uses: the one with the preferred number, else another that exists, else a new one.

    It stays for the next attempt if the `with` block ends well; one in which an attempt has died is emptied. The kernel
    releases the lock when all processes that have the descriptor have ended, so what a dead worker has left running
    keeps its folder.
    """
    present = sorted(int(path.stem) for path in scratch.glob("*.lock"))
    order = sorted(present, key=lambda number: number != preferred)
    for number in itertools.chain(order, itertools.count()):
        descriptor = os.open(scratch / f"{number}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            continue
        break
    folder = scratch / str(number)
    try:
        if (folder / _RUNNING).exists():
            shutil.rmtree(folder)
        folder.mkdir(exist_ok=True)
        (folder / _RUNNING).touch()
        yield ClaimedFolder(folder, descriptor)
        (folder / _RUNNING).unlink()
    finally:
        os.close(descriptor)
