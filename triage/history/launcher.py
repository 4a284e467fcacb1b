"""Run a compiler, or copy the object that it would make from an older build tree.

CMake calls this program in place of the compiler (`CMAKE_CXX_COMPILER_LAUNCHER`), with the compiler's command after its
own folder. `reuse` writes the folder; this program runs once for each file of Z3, so it imports nothing of chcfuzz.

An object is copied if its command is the same but for the paths of sources and build tree, no file that it includes
differs between the sources, and the generated files that it includes are the same but for these paths.
"""

import os
import shutil
import sys
from pathlib import Path


def main() -> None:
    """Make the object; the arguments are the folder and the compiler's command."""
    folder, command = Path(sys.argv[1]), sys.argv[2:]
    if not copied(folder, command):
        os.execvp(command[0], command)


def copied(folder: Path, command: list[str]) -> bool:
    """Copy the object that a command makes, with its list of dependencies, if an older tree has it."""
    if "-o" not in command or "-MF" not in command:
        return False
    target, listed = command[command.index("-o") + 1], command[command.index("-MF") + 1]
    entry = folder / "objects" / target.replace("/", "!")
    if not entry.is_file():
        return False
    paths = Paths((folder / "paths").read_text().splitlines())
    words, _, files = entry.read_text().partition("\n\n")
    if paths.mapped(words).split("\n") != command:
        return False
    names = set((folder / "changed").read_text().splitlines())
    included = files.splitlines()
    if not all(paths.is_same(file, names) for file in included):
        return False
    shutil.copyfile(f"{paths.tree}/build/{target}", target)
    lines = " \\\n ".join(paths.mapped(file).replace(" ", "\\ ") for file in included)
    Path(listed).write_text(f"{target}: \\\n {lines}\n")
    return True


class Paths:
    """Folders of the old sources, the old tree and the new sources; the new tree is the parent of this process's."""

    def __init__(self, lines: list[str]) -> None:
        """Take the three paths."""
        self.source, self.tree, self.new_source = lines
        self.new_tree = os.path.dirname(os.getcwd())

    def mapped(self, text: str) -> str:
        """Return a text with the new folders in place of the old ones."""
        return text.replace(self.source, self.new_source).replace(self.tree, self.new_tree)

    def is_same(self, file: str, changed: set[str]) -> bool:
        """Return whether an included file is the same in both; `changed` are names of files that differ."""
        if file.startswith(f"{self.source}/"):
            return os.path.basename(file) not in changed
        try:
            return self.mapped(Path(file).read_text()) == Path(self.mapped(file)).read_text()
        except OSError:
            return False


if __name__ == "__main__":
    main()
