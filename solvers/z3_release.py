"""Which Z3 a process has: the installed z3-solver wheel, another released one, or a library of one's own.

Decided once, before anything imports z3. Each release's own bindings belong with its library, so another release is
fetched as a wheel and unpacked whole into a cache, `$XDG_CACHE_HOME/chcfuzz/z3/<version>`.

A build with sanitizers needs their runtime before anything else is loaded, which takes a new process: this one is
replaced by itself with `LD_PRELOAD` set, and everything that it starts later inherits that.
"""

from __future__ import annotations

import builtins
import fcntl
import functools
import importlib.resources
import os
import re
import shutil
import sys
import tempfile
import threading
import types
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from subprocess import PIPE

from chcfuzz.solvers import python
from chcfuzz.solvers.process_group import ProcessGroup, Streams, run_program
from chcfuzz.solvers.z3_build import OLDEST, Build, build_in
from chcfuzz.solvers.z3_build import ReleaseError as ReleaseError

_SIZE = re.compile(r"^\s*(Downloading) \S+ \(([\d.]+ [kMG]?B)\)")  # a line of pip
DOWNLOAD_SECONDS, _INDEX_SECONDS = 1800.0, 120.0  # for pip
PINNED = ("5.4.0.0", "4.13.4.0", "4.8.14.0")  # releases whose hash build_z3_traced.sh knows
_PACKAGE = "z3-solver"
_VERSION = re.compile(r"\d+(\.\d+){2,3}")
_AVAILABLE = re.compile(r"^Available versions: (.*)$", re.MULTILINE)
# Options of sanitizers; those of the user come later and win. An error of AddressSanitizer ends the process by a
# signal, as a crash of the solver does; what UndefinedBehaviorSanitizer finds is printed, once for each place, since
# most of it is harmless. Python leaks at exit, and Z3 takes a refused allocation as its own limit.
_SANITIZER_OPTIONS = {
    "ASAN_OPTIONS": ("abort_on_error=1", "detect_leaks=0", "allocator_may_return_null=1"),
    "UBSAN_OPTIONS": ("print_stacktrace=1",),
}


@dataclass(frozen=True)
class Release:
    """The Z3 of this process: its `version`; `folder` holds its bindings, `executable` is its command or None.

    `own` is its library if that is a build of the user, and `is_traced` if `build_z3_traced.sh` made it.
    """

    version: str
    folder: Path
    executable: Path | None
    own: Path | None = None
    is_traced: bool = False

    @property
    def traced(self) -> Path | None:
        """The library of a traced build, or None."""
        return self.own if self.is_traced else None

    @property
    def library_folder(self) -> Path:
        """Where libz3.so is."""
        return self.own.parent if self.own else self.folder / "z3" / "lib"


_active: Release | None = None


def activate(version: str | None = None, build: Path | None = None) -> Release:
    """Make `import z3` mean this release (None: the installed one), and never a module in the current directory.

    Fetches it if it is not in the cache. `build` is a folder with a build: its library and bindings are used then, and
    if it has sanitizers, this process restarts itself with their runtime. Another call for the same release returns the
    same value. Raises `ReleaseError` for an unknown version of z3-solver or one before 4.8.12, and for a folder without
    a build.
    """
    global _active
    installed()
    if _active is None:
        if build is not None:
            own = build_in(build)
            if own.preload:
                _start_again_with(own.preload)
            _active = _built(own)
        else:
            _active = _fetched(_full(version)) if version is not None else installed()
        if _active is None:
            raise ReleaseError("no z3-solver is installed; run `pip install z3-solver` or name a release")
        _prepare_import(_active)
    elif version is not None and _full(version) != _active.version:
        raise ReleaseError(f"this process already has Z3 {_active.version}; start another one for {version!r}")
    return _active


def chosen_release() -> Release | None:
    """Return the release that `activate` chose, or None before."""
    return _active


def active() -> Release:
    """Return the release that `activate` chose."""
    if _active is None:
        raise RuntimeError("z3_release.activate was not called")
    return _active


def released(version: str) -> Release:
    """Return a released Z3 for other processes; it is fetched if it is not in the cache.

    Raises `ReleaseError` like `activate`.
    """
    return _fetched(_full(version))


def chosen(version: str | None, build: Path | None) -> Release | None:
    """Return the release that `activate` would use, without loading it; raises `ReleaseError`."""
    if build is not None:
        return _built(build_in(build))
    return installed() if version is None else _cached(_full(version))


def check_named(version: str | None, build: Path | None) -> None:
    """Raise `ReleaseError` for a text that is not a version, or a folder without a build; nothing is fetched."""
    if build is not None:
        build_in(build)
    elif version is not None:
        _full(version)


def ensure_available(version: str, flag: str) -> None:
    """Fetch a released Z3 if it is not in the cache; raises `ReleaseError` that names the flag."""
    try:
        released(version)
    except ReleaseError as error:
        raise ReleaseError(f"{flag} {version}: {error}") from error


def in_cache() -> tuple[str, ...]:
    """Return the released versions in the cache, the oldest first."""
    folders = (cache_folder() / "z3").glob("*")
    return _ordered(folder.name for folder in folders if folder.is_dir())


def on_offer() -> tuple[str, ...]:
    """Return the released versions from 4.8.12 on for this machine, the oldest first; empty without a network."""
    return _ordered(versions_on_offer(_PACKAGE))


def versions_on_offer(package: str) -> tuple[str, ...]:
    """Return the released versions of a package for this machine in pip's order; empty without a network."""
    pip = python.command("-m", "pip", "index", "versions", "--disable-pip-version-check")
    words = [*pip, "--only-binary", ":all:", package]
    try:
        done = run_program(words, _INDEX_SECONDS, ReleaseError, python.environment())
    except ReleaseError:
        return ()
    found = _AVAILABLE.search(done.out)
    return tuple(found[1].split(", ")) if found and done.code == 0 else ()


def _ordered(versions: Iterable[str]) -> tuple[str, ...]:
    full = {tuple(map(int, version.split("."))): version for version in versions if _VERSION.fullmatch(version)}
    return tuple(full[numbers] for numbers in sorted(full) if numbers[:3] >= OLDEST)


def build_command(version: str) -> str:
    """Return the command that builds a release with traces, as the repository's script accepts it."""
    return f"./build_z3_traced.sh --version {version}{'' if version in PINNED else ' --unpinned'}"


def build_in_cache(version: str, profile: str) -> Path | None:
    """Return the folder with a build of a release by `build_z3_traced.sh`, if it exists."""
    folder = cache_folder() / "z3-traced" / f"{version}-{profile}"
    return folder if (folder / "BUILD_INFO").is_file() else None


def _full(version: str) -> str:
    if not _VERSION.fullmatch(version):
        raise ReleaseError(f"{version!r} is no version of z3-solver; write it like 4.8.14.0")
    numbers = tuple(map(int, version.split(".")))
    if numbers[:3] < OLDEST:
        raise ReleaseError(f"z3-solver {version!r} is too old; 4.8.12.0 is the oldest that this fuzzer works with")
    return ".".join(map(str, (*numbers, 0)[:4]))


@functools.cache
def installed() -> Release | None:
    """Return the installed z3-solver, even if this process uses another one; None if it is not installed.

    Call it before another release is first in the search path, as `activate` does.
    """
    try:
        distribution = metadata.distribution("z3-solver")
    except metadata.PackageNotFoundError:
        return None
    folder = Path(str(distribution.locate_file("z3"))).parent
    executable = Path(sys.executable).parent / "z3"
    return Release(distribution.version, folder, executable if executable.exists() else None)


def _built(build: Build) -> Release:
    """Return a build with its bindings, or with those of the release of its version, which may be fetched."""
    folder = build.bindings
    if folder is None:
        same = installed()
        try:
            folder = (same if same and same.version == build.version else _fetched(build.version)).folder
        except ReleaseError as error:
            raise ReleaseError(
                f"{str(build.library)!r} has no Python bindings, and no release of z3-solver has its version"
                f" {build.version}; build Z3 with -DZ3_BUILD_PYTHON_BINDINGS=ON"
            ) from error
    return Release(build.version, folder, build.program, build.library, build.is_traced)


def _start_again_with(preload: str) -> None:
    """Replace this process by itself with a runtime loaded first; nothing happens where it is."""
    already = os.environ.get("LD_PRELOAD", "")
    if preload in already.split(":"):
        return
    if any(sign in preload for sign in " :"):
        raise ReleaseError(f"LD_PRELOAD cannot hold the runtime {preload!r}: use a path without spaces")
    if not Path(preload).is_file():
        raise ReleaseError(f"the runtime {preload!r} of this build is gone; run ./build_z3_traced.sh --install-deps")
    environment = {**os.environ, "LD_PRELOAD": f"{preload}:{already}" if already else preload}
    beside = (parent / "bin" / "llvm-symbolizer" for parent in Path(preload).parents)
    symbolizer = next(filter(Path.exists, beside), None)
    for name, options in _SANITIZER_OPTIONS.items():
        ours = [*options, f"external_symbolizer_path={symbolizer}"] if symbolizer else options
        environment[name] = ":".join(filter(None, (*ours, os.environ.get(name))))
    python.start_again(environment)


def cache_folder() -> Path:
    """Return the folder that caches downloads and build results between campaigns."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "chcfuzz"


def _fetched(version: str) -> Release:
    fetch_wheel(_PACKAGE, version, cache_folder() / "z3" / version)
    return _cached(version)


def _cached(version: str) -> Release:
    """Return a release as its folder in the cache has it, whether it was fetched or not."""
    folder = cache_folder() / "z3" / version
    executables = sorted(folder.glob("z3_solver-*.data/*/bin/z3"))
    return Release(version, folder, executables[0] if executables else None)


def fetch_wheel(package: str, version: str, folder: Path) -> None:
    """Unpack the wheel of a release into `folder`, unless that exists; processes that come together wait.

    The wheel is unpacked beside the folder, which is renamed. Raises `ReleaseError`.
    """
    if folder.is_dir():
        return
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with open(folder.parent / f"{version}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if folder.is_dir():
                return
            print(f"chcfuzz: fetching {package} {version} into {folder}", file=sys.stderr, flush=True)
            temporary = Path(tempfile.mkdtemp(prefix=f".{version}-", dir=folder.parent))
            try:
                _unpack(_download(package, version, temporary), temporary / "unpacked")
                os.rename(temporary / "unpacked", folder)
            finally:
                shutil.rmtree(temporary, ignore_errors=True)
    except OSError as error:
        raise ReleaseError(f"cannot write the cache of releases {str(folder.parent)!r}: {error.strerror}") from error


def _download(package: str, version: str, into: Path) -> Path:
    pip = python.command("-m", "pip", "download", "--progress-bar=off", "--disable-pip-version-check")
    chosen = ["--no-deps", "--only-binary", ":all:", "--dest", str(into), f"{package}=={version}"]
    code, said = _run_pip([*pip, *chosen], into / "errors")
    wheels = sorted(into.glob("*.whl"))
    if code != 0 or not wheels:
        raise ReleaseError(f"pip finds no wheel of {package} {version!r} for this machine: {said[-1] if said else ''}")
    return wheels[0]


def _run_pip(words: Sequence[str], errors: Path) -> tuple[int, list[str]]:
    """Run pip, and print the size of what it downloads; return its exit code and the lines of its errors."""
    with (
        open(errors, "wb") as file,
        ProcessGroup(words, Streams(stdout=PIPE, stderr=file), python.environment()) as pip,
    ):
        timer = threading.Timer(DOWNLOAD_SECONDS, pip.kill)
        timer.start()
        try:
            for line in pip.output:
                print_size(line.decode(errors="replace"))
            pip.wait()
        finally:
            timer.cancel()
        return pip.close(), errors.read_text(errors="replace").strip().splitlines()


def print_size(line: str) -> None:
    """Print the size of a wheel when pip begins to download it."""
    found = _SIZE.search(line)
    if found is not None:
        print(f"chcfuzz: {found[1].lower()} {found[2]}", file=sys.stderr, flush=True)


def _unpack(wheel: Path, folder: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    for executable in folder.glob("z3_solver-*.data/*/bin/z3"):
        executable.chmod(0o755)


def _prepare_import(release: Release) -> None:
    if "z3" in sys.modules:
        raise RuntimeError("z3 was imported before its release was chosen")
    # Z3's loader searches the current directory first, unless Z3_LIB_DIRS names the library's folder.
    library = release.library_folder
    builtins.Z3_LIB_DIRS = [str(library)]  # type: ignore[attr-defined]
    sys.path.insert(0, str(release.folder))
    # Bindings of 4.8 import a module of setuptools that new versions lack; Z3_LIB_DIRS overrules its result.
    resources = types.ModuleType("pkg_resources")
    resources.resource_filename = lambda *_: str(library)  # type: ignore[attr-defined]
    sys.modules.setdefault("pkg_resources", resources)
    sys.modules.setdefault("importlib_resources", importlib.resources)  # imported by the bindings of 4.12.3


def environment_of(release: Release) -> dict[str, str] | None:
    """Return the environment in which another Python imports this Z3; None if that would load another library.

    Z3's loader prefers the library beside the bindings: a build without bindings takes those of a release.
    """
    if release.own is not None and (release.folder / "z3" / "lib").is_dir():
        return None
    return {"PYTHONPATH": str(release.folder), "Z3_LIBRARY_PATH": str(release.library_folder)}
