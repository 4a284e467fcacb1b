"""Source distributions of z3-solver in the cache, unpacked as `build_z3_traced.sh` unpacks them."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import sys
import tarfile
import tempfile
import zlib
from pathlib import Path

from chcfuzz.solvers import python
from chcfuzz.solvers.process_group import run_program
from chcfuzz.solvers.z3_release import DOWNLOAD_SECONDS, ReleaseError, cache_folder

_VERSION = re.compile(r"\d+(\.\d+){2,3}")
_DIGITS = 8  # of an archive's hash in the name of its sources
_CORE = "core"  # folder with Z3's own tree below the folder of a source distribution


def check_version(version: str) -> None:
    """Raise `ReleaseError` for a text that cannot be a version of z3-solver; nothing is fetched."""
    if not _VERSION.fullmatch(version):
        raise ReleaseError(f"{version!r} is neither a folder nor a version of z3-solver; write it like 4.8.14.0")


def sources_of(version: str) -> Path:
    """Return the folder with the sources of a release, which is downloaded unless the cache has it.

    Raises `ReleaseError`.
    """
    check_version(version)
    cache = cache_folder() / "z3-traced"
    (cache / "download").mkdir(parents=True, exist_ok=True)
    with open(cache / "download" / f"{version}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        archive = _archive(version, cache / "download")
        folder = cache / "source" / f"{version}-{hashlib.sha256(archive.read_bytes()).hexdigest()[:_DIGITS]}"
        if not folder.is_dir():
            _unpack(archive, folder)
    return folder


def _archive(version: str, folder: Path) -> Path:
    found = _archives(version, folder)
    if not found:
        print(f"chcfuzz: fetching the sources of z3-solver {version}", file=sys.stderr, flush=True)
        # pip prepares the metadata of the sources, which needs setuptools and nothing else.
        pip = python.command("-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps")
        words = [*pip, "--no-binary", "z3-solver", "--dest", str(folder), f"z3-solver=={version}"]
        done = run_program(words, DOWNLOAD_SECONDS, ReleaseError, python.environment())
        found = _archives(version, folder)
        if not found:
            reason = done.reason
            raise ReleaseError(f"pip finds no source distribution of z3-solver {version!r}: {reason}; name a folder")
    return found[0]


def _archives(version: str, folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob(f"z3?solver-{version}.*") if path.name.endswith((".tar.gz", ".zip")))


def _unpack(archive: Path, folder: Path) -> None:
    """Unpack Z3's own tree; raises `ReleaseError` for an archive without it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}-"))
    try:
        try:
            with tarfile.open(archive) as file:
                file.extractall(work, filter="data")
        except (tarfile.TarError, EOFError, zlib.error) as error:
            raise ReleaseError(f"cannot unpack {str(archive)!r}: {error}; remove it, and try again") from error
        found = sorted(work.glob(f"*/{_CORE}"))
        if not found:
            raise ReleaseError(f"{str(archive)!r} does not have the folder {_CORE!r} with Z3's sources; name a folder")
        os.rename(found[0], folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
