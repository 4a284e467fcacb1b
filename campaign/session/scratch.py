"""The temporary folder of a campaign, deleted at its end, or by the next campaign if its owner was killed.

It also holds the TMPDIR of the campaign's processes, with libFuzzer's own files. The owner locks the file `owner`. The
kernel releases the lock however the owner ends, so the owner of a folder whose file is not locked is dead, even if a
new process has its process id.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from chcfuzz.execution.console import print_error
from chcfuzz.execution.solving import UsageError

PREFIX = "chcfuzz-campaign-"
_OWNER = "owner"
_TEMPORARY = "tmp"


@contextlib.contextmanager
def folder(rescue: Callable[[Path], str]) -> Iterator[Path]:
    """Create a folder that holds the TMPDIR of this process and its children, and delete it after the `with`.

    Delete the folders of killed campaigns first; `rescue` saves units from such a folder and returns half a sentence
    about that. Raises `UsageError` if files cannot be created.
    """
    try:
        base = Path(tempfile.gettempdir())
        _sweep(base, rescue)
        made = Path(tempfile.mkdtemp(prefix=PREFIX, dir=base))
    except OSError as error:
        raise UsageError(f"cannot create a temporary folder: {error}; name another one in TMPDIR") from error
    before = os.environ.get("TMPDIR")
    with _owned(made):
        (made / _TEMPORARY).mkdir()
        _use(str(made / _TEMPORARY))
        try:
            yield made
        finally:
            _use(before)
            shutil.rmtree(made, ignore_errors=True)


def _use(temporary: str | None) -> None:
    tempfile.tempdir = None  # the module caches it
    if temporary is None:
        os.environ.pop("TMPDIR", None)
    else:
        os.environ["TMPDIR"] = temporary


@contextlib.contextmanager
def _owned(made: Path) -> Iterator[None]:
    with open(made / f"{_OWNER}-to-be", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        os.rename(file.name, made / _OWNER)  # so that a file of this name is always locked
        yield


def _sweep(base: Path, rescue: Callable[[Path], str]) -> None:
    for left in sorted(base.glob(f"{PREFIX}*")):
        with contextlib.ExitStack() as inside:
            try:
                if left.stat().st_uid != os.geteuid():
                    continue
                owner = inside.enter_context(open(left / _OWNER))
                fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)  # so that no other new campaign rescues it too
            except OSError:
                continue  # its owner lives, is creating the folder, or has just deleted it
            print_error(f"chcfuzz: {str(left)!r} belongs to a killed campaign; {rescue(left)}it is deleted")
            shutil.rmtree(left, ignore_errors=True)


def end_with_owner(campaign: Path) -> None:
    """Kill this process when the owner of a campaign's folder ends.

    PR_SET_PDEATHSIG does not suffice: libFuzzer starts its jobs through a shell, which is their parent and survives.
    """
    threading.Thread(target=_wait_for_owner, args=(campaign / _OWNER,), name="owner", daemon=True).start()


def _wait_for_owner(owner: Path) -> None:
    with contextlib.suppress(FileNotFoundError), open(owner) as file:
        fcntl.flock(file, fcntl.LOCK_SH)
    os.kill(os.getpid(), signal.SIGKILL)
