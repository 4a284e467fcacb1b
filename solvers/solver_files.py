"""The contents of the files that a solver consists of, so that a rebuilt solver is a different solver.

A path and a date do not identify a program: a rebuilt one keeps its path, and a reproducible build keeps its date. A
digest covers the bytes of the program, of the shared libraries that it loads at its start, of the files that a shell
script names, and of the modules that a Python script imports. It cannot see files that a program opens by a name that
it computes.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers.process_group import run_program

_MOST_FILES = 1000  # of one program
_MOST_SCRIPT = 1 << 16  # bytes of a shell script that are searched for names of files
_SECONDS = 20.0  # for `ldd`
_ELF, _SHEBANG = b"\x7fELF", b"#!"
_IN_A_FOLDER = (".class", ".jar", ".so", ".py")  # files of a program in a folder of its command line: a class path
_INSTALLED = ("site-packages", "dist-packages")  # libraries that pip installed
_VARIABLE = re.compile(r"\$\([^)]*\)|\$\{[^}]*\}|\$\w+|`[^`]*`")
_WORD = re.compile(r"[\w.+@%*/-]+")
_LIBRARY = re.compile(r"(?:=> )?(/\S+) \(0x")


def digest_of_command(words: tuple[str, ...]) -> str:
    """Return a digest of the files that a command runs, and of their contents."""
    given = [Path(part) for word in words for part in re.split(r"[=:]", word) if part.startswith("/")]
    return digest_of_files(_closure([*_files_in(given), *(path for path in given if path.is_file())]))


def digest_of_module(name: str) -> str:
    """Return a digest of a Python module and of the modules beside it that it imports; the module is not run."""
    first, _, rest = name.partition(".")
    with suppress(ImportError, ValueError):
        found = importlib.util.find_spec(first)
        if found is not None:
            packages = map(Path, found.submodule_search_locations or ())
            files = [Path(found.origin)] if found.origin is not None else []
            return digest_of_files(_closure([*files, *(_modules(rest, packages) if rest else ())]))
    return digest_of_files(())


def digest_of_files(paths: Iterable[Path]) -> str:
    """Return a digest of the names and contents of files, in any order and in any place."""
    digest = hashlib.sha256()
    for line in sorted(f"{path.parent.name}/{path.name}\0{_content(path)}\n" for path in set(paths)):
        digest.update(line.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:16]


def _content(path: Path) -> str:
    """Return a digest of a file's content; empty if it cannot be read."""
    with suppress(OSError):
        return _digest_of_content(_version(path))
    return ""


@dataclass(frozen=True)
class _Version:
    """A file as it was at one time. The time of the last change of its inode, unlike a date, cannot be set."""

    path: str
    size: int
    modified: int
    changed: int


def _version(path: Path) -> _Version:
    status = path.stat()
    return _Version(str(path), status.st_size, status.st_mtime_ns, status.st_ctime_ns)


@functools.lru_cache(maxsize=4096)
def _digest_of_content(version: _Version) -> str:
    with open(version.path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _closure(paths: Iterable[Path]) -> set[Path]:
    """Return files with all files that they name, import or load, at most `_MOST_FILES`."""
    found: set[Path] = set()
    waiting = [path.resolve() for path in paths]
    programs = []
    while waiting and len(found) < _MOST_FILES:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        head = _head(path)
        if head.startswith(_ELF):
            programs.append(path)
        elif path.suffix == ".py" or (head.startswith(_SHEBANG) and b"python" in head.partition(b"\n")[0]):
            waiting += (each.resolve() for each in _imported(path))
        elif head.startswith(_SHEBANG):
            waiting += (each.resolve() for each in _named(path))
    return found.union(_libraries(tuple(map(_version, sorted(programs)))))


def _head(path: Path) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(256)
    except OSError:
        return b""


def _files_in(folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the parts of a program that lie directly in folders or in their subfolders."""
    for folder in folders:
        if folder.is_dir():
            yield from (Path(here, name) for here, _, names in _walk(folder) for name in names if _is_part(name))


def _walk(folder: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    for number, each in enumerate(os.walk(folder)):
        if number == _MOST_FILES:
            return
        yield each


def _is_part(name: str) -> bool:
    return name.endswith(_IN_A_FOLDER)


@functools.lru_cache(maxsize=64)
def _libraries(programs: tuple[_Version, ...]) -> set[Path]:
    """Return the shared libraries that the loader finds for ELF programs; empty without `ldd`."""
    ldd = shutil.which("ldd")
    if not programs or ldd is None:
        return set()
    command = [ldd, *(program.path for program in programs)]
    with suppress(OSError, ChcfuzzError):
        done = run_program(command, _SECONDS, ChcfuzzError)
        return {Path(name).resolve() for name in _LIBRARY.findall(done.out)}
    return set()


def _named(script: Path) -> Iterator[Path]:
    """Yield the existing files that a shell script names: on PATH, absolutely, or relative to the script's folder.

    The value of a variable is not known. `$HERE/lib/x.jar` is taken to be relative to the script's folder.
    """
    text = script.read_bytes()[:_MOST_SCRIPT].decode(errors="replace")
    for word in sorted(set(_WORD.findall(_VARIABLE.sub("", text)))):
        program = None if "/" in word else shutil.which(word)
        if program is not None:
            yield Path(program)
        elif Path(word).is_absolute() and os.path.isfile(word):  # a word may be longer than a name can be
            yield Path(word)
        else:
            yield from _beside(script.parent, word.strip("/"))


def _beside(folder: Path, word: str) -> list[Path]:
    """Return the files of this name, or pattern, in a folder."""
    if not word or "**" in word:
        return []
    try:
        return [path for path in folder.glob(word) if path.is_file()] if "*" in word else _existing(folder / word)
    except (OSError, ValueError, NotImplementedError):
        return []


def _existing(path: Path) -> list[Path]:
    return [path] if path.is_file() else []


def _imported(script: Path) -> Iterator[Path]:
    """Yield the modules that a Python file imports from its own folder, its package, or PYTHONPATH."""
    try:
        tree = ast.parse(script.read_bytes())
    except (OSError, ValueError, SyntaxError):
        return
    named = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    folders = [*([] if script.parent.name in _INSTALLED else [script.parent]), *map(Path, named)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _modules(alias.name, folders)
        elif isinstance(node, ast.ImportFrom):
            where = [script.parents[node.level - 1]] if 0 < node.level <= len(script.parents) else folders
            for alias in node.names:
                yield from _modules(".".join(filter(None, (node.module, alias.name))), where)


def _modules(name: str, folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the files of a module, and of the packages that it is in, from the first folder that has it."""
    first, *rest = name.split(".")
    for folder in folders:
        files = [*_existing(folder / f"{first}.py"), *sorted(folder.glob(f"{first}.*so"))]
        package = _existing(folder / first / "__init__.py")
        if not files and not package and not (rest and (folder / first).is_dir()):
            continue
        yield from (*files, *package)
        if rest:
            yield from _modules(".".join(rest), [folder / first])
        return
