"""The folder of a campaign for what nobody keeps: gone at its end, or at the next start where its owner was killed.

Everything that processes of a campaign put under TMPDIR lies there too, libFuzzer's own files among them. The owner
holds a lock on the file `owner`; the kernel lets it go however that process ends, so a folder without a locked owner is
nobody's, whatever process has its number by now.
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

from chcfuzz.campaign.console import tell
from chcfuzz.execution.solving import UsageError

PREFIX = "chcfuzz-campaign-"
_OWNER = "owner"
_TEMPORARY = "tmp"


@contextlib.contextmanager
def folder(rescue: Callable[[Path], str]) -> Iterator[Path]:
    """Inside, a fresh folder, which holds TMPDIR of this process and of what it starts; afterwards it is gone.

    What campaigns that were killed have left is removed before. `rescue` first takes out of it what is worth that, and
    says so. Raises `UsageError` where no file can be made.
    """
    try:
        base = Path(tempfile.gettempdir())
        _sweep(base, rescue)
        made = Path(tempfile.mkdtemp(prefix=PREFIX, dir=base))
    except OSError as error:
        raise UsageError(f"no temporary folder can be made: {error}; name one that can be written in TMPDIR") from error
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
    tempfile.tempdir = None  # else the first answer stays
    if temporary is None:
        os.environ.pop("TMPDIR", None)
    else:
        os.environ["TMPDIR"] = temporary


@contextlib.contextmanager
def _owned(made: Path) -> Iterator[None]:
    with open(made / f"{_OWNER}-to-be", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        os.rename(file.name, made / _OWNER)  # a file of this name is locked from the beginning
        yield


def _sweep(base: Path, rescue: Callable[[Path], str]) -> None:
    for left in sorted(base.glob(f"{PREFIX}*")):
        if _is_nobodys(left):
            tell(f"chcfuzz: {str(left)!r} is of a campaign that was killed; {rescue(left)}removed")
            shutil.rmtree(left, ignore_errors=True)


def _is_nobodys(left: Path) -> bool:
    try:
        if left.stat().st_uid != os.geteuid():
            return False
        with open(left / _OWNER) as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False  # its owner lives, is just making it, or has just removed it
    return True


def end_with_owner(campaign: Path) -> None:
    """Let this process be killed when the owner of a campaign's folder ends.

    Not by PR_SET_PDEATHSIG alone: libFuzzer starts its jobs through a shell, which is then the parent, and lives on.
    """
    threading.Thread(target=_wait_for_owner, args=(campaign / _OWNER,), name="owner", daemon=True).start()


def _wait_for_owner(owner: Path) -> None:
    with contextlib.suppress(FileNotFoundError), open(owner) as file:
        fcntl.flock(file, fcntl.LOCK_SH)
    os.kill(os.getpid(), signal.SIGKILL)
