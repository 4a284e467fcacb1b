"""A copy of the project as in a new clone."""

import shutil
import subprocess
from pathlib import Path

from tests.targets import ROOT


def copied(folder: Path) -> Path:
    """Copy all files of the project that git does not ignore to a folder, and return it."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
    for file in filter(None, files):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, folder / file)
    return folder
