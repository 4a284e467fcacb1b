"""A build of the traced Z3 with a patch, which compiles only the files that the patch changes or is included by.

`build_z3_traced.sh` leaves its build tree in the cache. Ninja knows the command of each object there, and the headers
that each object includes. The commands run again with the patched files in an overlay of clang's virtual file system
(`-ivfsoverlay`), so all paths stay the same, and the new objects are linked with the objects of the tree, into the
library and the z3 program. Nothing is written into the tree or the sources. The result is a folder like that of a
traced build, named by the patch.
"""

from __future__ import annotations

import fcntl
import filecmp
import json
import os
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.grammar.printable import counted
from chcfuzz.solvers.process_group import kill_all, run_program
from chcfuzz.solvers.z3_release import cache_folder
from chcfuzz.triage.fix.patch import Patch, PatchError

INFO = "BUILD_INFO"
_SECONDS, _COMPILER_SECONDS = 600.0, 7200.0  # for Ninja's tools, and for a compiler or linker
_LIBRARY = "libz3.so"
_LINKED = {_LIBRARY: "lib", "z3": "bin"}  # the targets, and their folders in a result
_PRECOMPILED = ".pch"  # end of the object of a precompiled header

Log = Callable[[str], None]


@dataclass(frozen=True)
class BuildTree:
    """The build of a traced Z3 (`result`), the build tree that it was made in, and its sources."""

    result: Path
    tree: Path
    source: Path

    @property
    def linked(self) -> list[str]:
        """The library, and the z3 program if the build has it."""
        return [name for name, folder in _LINKED.items() if (self.result / folder / name).is_file()]

    @property
    def ninja(self) -> Path:
        """The Ninja that made the tree."""
        return cache_folder() / "z3-traced" / "tools" / "bin" / "ninja"

    def query(self, *words: str) -> Iterator[str]:
        """Yield the lines that a tool of Ninja prints; `-n` keeps Ninja from writing its logs."""
        command = [str(self.ninja), "-n", "-C", str(self.tree), "--quiet", "-t", *words]
        yield from map(str.rstrip, run_program(command, _SECONDS, PatchError).out.splitlines())

    def command_of(self, target: str) -> list[str]:
        """Return the command that makes a target, as words; raises `PatchError`."""
        lines = list(self.query("commands", "-s", target))
        if not lines:
            raise PatchError(f"Ninja has no command for {target!r} in {str(self.tree)!r}; run ./build_z3_traced.sh")
        words = shlex.split(lines[-1])
        return [word for word in words if word not in (":", "&&")]  # CMake's empty steps before and after linking

    def including(self, files: Sequence[str]) -> list[str]:
        """Return the targets that include one of these files of the sources, as the tree has them."""
        paths = {str(self.source / name) for name in files}
        found: list[str] = []
        target = ""
        for line in self.query("deps"):
            if line and not line.startswith(" "):
                target = line.partition(": #deps")[0]
            elif line.strip() in paths and found[-1:] != [target]:
                found.append(target)
        return found


def build_tree(result: Path) -> BuildTree:
    """Return the build tree of the traced build in a folder; raises `PatchError` if it does not exist any more."""
    advice = "run ./build_z3_traced.sh again"
    try:
        lines = (result / INFO).read_text().splitlines()
    except OSError as error:
        raise PatchError(f"no traced Z3 in {str(result)!r}: {error.strerror}: {INFO}; {advice}") from error
    source = Path(dict(line.partition("=")[::2] for line in lines).get("source", ""))
    library = result / "lib" / _LIBRARY
    for made in sorted((cache_folder() / "z3-traced" / "build").glob(f"*/build/{_LIBRARY}")):
        if (source / "src").is_dir() and filecmp.cmp(made, library, shallow=False):
            return BuildTree(result.resolve(), made.parent, source)
    raise PatchError(f"the build tree or the sources of {str(result)!r} are gone; {advice}")


def patched_build(base: BuildTree, patch: Patch, jobs: int, log: Log) -> Path:
    """Return the folder of a traced build with a patch; it is built unless the cache has it.

    Raises `PatchError` if the patch does not fit or does not compile.
    """
    folder = cache_folder() / "z3-traced" / "patched" / f"{base.result.name}-{patch.digest}"
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        info = (base.result / INFO).read_text() + f"patch={patch.digest}\n"
        missing = [name for name in base.linked if not (folder / _LINKED[name] / name).is_file()]
        if not missing and (folder / INFO).is_file() and (folder / INFO).read_text() == info:
            return folder
        (folder / INFO).unlink(missing_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix="objects-") as work:
            _Compilation(base, patch, Path(work), log).run(jobs, folder)
        shutil.copytree(base.result / "python", folder / "python", dirs_exist_ok=True)
        (folder / "fix.patch").write_bytes(patch.content)
        (folder / "new").write_text(info)
        os.rename(folder / "new", folder / INFO)
    return folder


class _Compilation:
    """The compilation of the objects that a patch concerns, in a temporary folder, and the links."""

    def __init__(self, base: BuildTree, patch: Patch, work: Path, log: Log) -> None:
        self._base = base
        self._patch = patch
        self._work = work
        self._log = log
        patch.apply(base.source, work / "patched")
        overlay = {"version": 0, "use-external-names": False, "roots": [*self._roots()]}
        (work / "overlay.yaml").write_text(json.dumps(overlay))
        (work / "objects").mkdir()

    def _roots(self) -> Iterator[dict[str, str]]:
        for name in self._patch.files:
            copy = self._work / "patched" / name
            yield {"type": "file", "name": str(self._base.source / name), "external-contents": str(copy)}

    def run(self, jobs: int, folder: Path) -> None:
        targets = self._base.including(self._patch.files)
        objects = [target for target in targets if target.endswith(".o")]
        if not objects:
            raise PatchError(f"no object of {str(self._base.tree)!r} includes {', '.join(self._patch.files)}")
        plain = any(target.endswith(_PRECOMPILED) for target in targets)
        self._log(f"compiling {counted(len(objects), 'file')} with {self._patch.path.name}")
        made = {target: self._work / "objects" / f"{number}.o" for number, target in enumerate(objects)}
        with ThreadPoolExecutor(jobs) as pool:
            try:
                list(pool.map(lambda target: self._compile(target, made[target], plain), objects))
            except BaseException:  # also an interrupt: the other compilers must not delay the end
                pool.shutdown(wait=False, cancel_futures=True)
                kill_all()
                raise
        self._log("linking")
        for name in self._base.linked:
            self._link(name, made, folder / _LINKED[name])

    def _compile(self, target: str, into: Path, plain: bool) -> None:
        words = self._base.command_of(target)
        words[words.index("-o") + 1] = str(into)
        words[words.index("-MF") + 1] = f"{into}.d"
        if plain:
            words = without_precompiled(words)
        words += ["-ivfsoverlay", str(self._work / "overlay.yaml"), "-fno-color-diagnostics"]
        self._execute(words, f"does not compile in {Path(target).stem}")

    def _link(self, name: str, made: dict[str, Path], folder: Path) -> None:
        target = (self._base.tree / name).resolve().name
        words = [str(made.get(word, word)) for word in self._base.command_of(target)]
        words[words.index("-o") + 1] = str(self._work / name)
        self._execute(words, "does not link")
        folder.mkdir(exist_ok=True)
        os.replace(self._work / name, folder / name)

    def _execute(self, words: Sequence[str], fault: str) -> None:
        done = run_program(words, _COMPILER_SECONDS, PatchError, folder=self._base.tree)
        if done.code != 0:
            lines = [line for line in done.err.splitlines() if "error" in line] or ["the compiler failed"]
            reason = lines[0].replace(f"{self._base.source}/", "")
            raise PatchError(f"{str(self._patch.path)!r} {fault}: {reason}; change the patch")


def without_precompiled(words: Sequence[str]) -> list[str]:
    """Return a compile command without its precompiled header, which a patch of a header invalidates.

    CMake passes it as `-Xclang -include-pch -Xclang FILE -Xclang -include -Xclang FILE`.
    """
    kept, index = list(words), 0
    while index < len(kept):
        if kept[index] == "-Xclang" and kept[index + 1] in ("-include-pch", "-include"):
            del kept[index : index + 4]
        else:
            index += 1
    return kept
