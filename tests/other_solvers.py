"""Golem and Eldarica as their scripts leave them, and their sources, where they are; else a visible skip."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.targets import ROOT

SOURCES = ROOT.parent / "shared" / "solvers"
BASH = shutil.which("bash") or "/bin/bash"

needs_sources = pytest.mark.skipif(not SOURCES.is_dir(), reason="needs the solvers' sources in ../shared/solvers")


def run_script(
    script: Path, *arguments: object, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """A script of the top folder, in an environment of its own if one is given. One at a time: they share a cache."""
    words = [BASH, str(script), *map(str, arguments)]
    with (Path(tempfile.gettempdir()) / f"chcfuzz-tests-{os.getuid()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
