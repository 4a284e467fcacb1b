"""Files of the project, and a copy of it as in a new clone."""

import shutil
import subprocess
from pathlib import Path

from tests.targets import ROOT


def listed(*flags: str) -> list[Path]:
    """Return the files that `git ls-files` lists, relative to the root; without flags, these are the tracked files."""
    command = ["git", "ls-files", "-z", *flags]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return [Path(name) for name in output.split("\0") if name]


def copied(folder: Path) -> Path:
    """Copy all files of the project that git does not ignore to a folder, and return it."""
    for file in listed("--cached", "--others", "--exclude-standard"):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, folder / file)
    return folder
