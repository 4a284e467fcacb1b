"""A copy of the project as somebody has it who clones it."""

import shutil
import subprocess
from pathlib import Path

from tests.targets import ROOT


def copied(folder: Path) -> Path:
    """The same folder, with everything in it that is not ignored."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
    for file in filter(None, files):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, folder / file)
    return folder
