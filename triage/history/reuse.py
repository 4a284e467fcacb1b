"""Objects of a traced build in the cache, for builds of other commits: the folder that `launcher` reads.

Compiling Z3 takes an hour and more of processor time. A commit near a release shares most of its objects. ccache 4.7
with a base directory shares none of them: the precompiled header has the full paths of its build tree.
"""

from __future__ import annotations

import filecmp
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

from chcfuzz.execution.files import write_whole
from chcfuzz.triage.fix.build import BuildTree

LAUNCHER = Path(__file__).with_name("launcher.py")
_READ = ("src", "scripts", "cmake")  # folders that the build reads


def write_reuse(base: BuildTree, source: Path, folder: Path) -> str:
    """Write the folder that lets `launcher` copy objects of `base` for `source`; return CMake's launcher command."""
    (folder / "objects").mkdir(parents=True, exist_ok=True)
    paths = "\n".join(map(str, (base.source, base.tree.resolve().parent, source))) + "\n"
    if not (folder / "paths").is_file() or (folder / "paths").read_text() != paths:
        _write_objects(base, folder)
    write_whole(folder / "changed", "".join(f"{name}\n" for name in differing(base.source, source)).encode())
    write_whole(folder / "paths", paths.encode())
    write_whole(folder / LAUNCHER.name, LAUNCHER.read_bytes())
    return ";".join((sys.executable, "-IS", str(folder / LAUNCHER.name), str(folder)))


def _write_objects(base: BuildTree, folder: Path) -> None:
    """Write the command of each object and the files that it includes, but those of the system."""
    commands = {words[words.index("-o") + 1]: words for words in _commands(base)}
    for target, files in _included(base):
        if target in commands:
            text = "\n".join((*commands[target], "", *files))
            (folder / "objects" / target.replace("/", "!")).write_text(text + "\n")


def _commands(base: BuildTree) -> Iterator[list[str]]:
    for line in base.query("commands", (base.tree / "libz3.so").resolve().name):
        if " -c " in line and " -MF " in line:
            yield shlex.split(line)


def _included(base: BuildTree) -> Iterator[tuple[str, list[str]]]:
    folders = (f"{base.source}/", f"{base.tree.resolve().parent}/")
    target, files = "", list[str]()
    for line in base.query("deps"):
        if line and not line.startswith(" "):
            target, files = line.partition(": #deps")[0], []
        elif line.strip().startswith(folders):
            files.append(line.strip())
        elif not line and target.endswith(".o"):
            yield target, files


def differing(old: Path, new: Path) -> list[str]:
    """Return the names of files that differ between two sources, or that only one of them has."""
    files = {
        path.relative_to(root)
        for root in (old, new)
        for folder in _READ
        for path in (root / folder).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    return sorted({file.name for file in files if not _is_same(old / file, new / file)})


def _is_same(one: Path, other: Path) -> bool:
    return one.is_file() and other.is_file() and filecmp.cmp(one, other, shallow=False)
