"""Files of the project, and a copy of it as in a new clone."""

import shutil
import subprocess
from pathlib import Path

from tests.targets import ROOT

FILE_LIST = "chcfuzz.egg-info/SOURCES.txt"


def listed(root: Path = ROOT) -> list[Path]:
    """Return the files of the project, relative to its root: those that git tracks, or those of the package's list.

    A virtual environment of any name, a build or a corpus in the same folder is not among them.
    """
    if (root / ".git").exists():
        output = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True, text=True).stdout
        names = output.split("\0")
    else:  # a source distribution
        names = (root / FILE_LIST).read_text().splitlines()
    return sorted(Path(name) for name in names if name and (root / name).is_file())


def copied(folder: Path) -> Path:
    """Copy all files of the project to a folder, and return it."""
    for file in listed():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, folder / file)
    return folder
