"""Reader of the table of known wrong answers of SMT solvers (`smt.toml`), and their releases."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.solvers.z3_release import ReleaseError, released

_FOLDER = Path(__file__).parent
SOLVER = {"z3-solver": "z3", "cvc5": "cvc5", "bitwuzla": "bitwuzla"}


@dataclass(frozen=True)
class KnownSmt:
    """A row of the table, which describes its fields."""

    name: str
    package: str
    release: str
    first_good: str
    answer: str
    change: tuple[str, str]
    changed: str
    good_before: str | None = None
    fix: str | None = None
    issue: int | None = None
    without: tuple[str, ...] = ()

    @property
    def seed(self) -> str:
        """The clean seed."""
        return (_FOLDER / "smt" / f"{self.name}.smt2").read_text(encoding="ascii")

    @property
    def trigger(self) -> str:
        """The seed with the change that shows the wrong answer."""
        return self.seed.replace(*self.change)


def table() -> tuple[KnownSmt, ...]:
    """Return every row, in the order of the file."""
    rows = tomllib.loads((_FOLDER / "smt.toml").read_text(encoding="ascii"))
    return tuple(
        KnownSmt(name=name, **{**row, "change": tuple(row["change"]), "without": tuple(row.get("without", ()))})
        for name, row in rows.items()
    )


def release_argument(package: str, version: str) -> str | None:
    """Return what `smt_answering.py` needs to run a release: the version of a Z3, the folder of another wheel.

    Wheels come from the cache or from the package index; None if neither has it.
    """
    if package == "z3-solver":
        try:
            released(version)
        except ReleaseError:
            return None
        return version
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "chcfuzz" / "wheels" / package / version
    return str(folder) if folder.is_dir() or _fetched(f"{package}=={version}", folder) else None


def _fetched(requirement: str, folder: Path) -> bool:
    with tempfile.TemporaryDirectory() as into:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "-d", into]
        done = subprocess.run([*command, requirement], capture_output=True, check=False)
        wheels = sorted(Path(into).glob("*.whl"))
        if done.returncode != 0 or not wheels:
            return False
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as beside:
            with zipfile.ZipFile(wheels[0]) as archive:
                archive.extractall(Path(beside) / "wheel")
            (Path(beside) / "wheel").rename(folder)
    return True
