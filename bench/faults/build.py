"""Build one traced Z3 with many faults; a process turns on one of them at a time.

python -m bench.faults.build --jobs 2          # two thousand faults; prints the folder for --z3-library
python -m bench.faults.build --number 300      # fewer

The base is the traced build of `build_z3_traced.sh`, whose build tree must still be in the cache, with the patches of
`reports/z3`, so that the bugs that we know do not hide what faults do. The faults are one more patch: only the files
that it changes are compiled again. FOLDER/faults.jsonl lists the faults; fault N is line N. Sites whose schema does not
compile are left out. For four thousand faults, choosing takes 12 minutes on two processors, and compiling three. Needs
`pip install -e '.[yardstick]'`.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from shutil import copytree

import msgspec
from chcfuzz.execution.files import write_whole
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers.z3_release import cache_folder
from chcfuzz.triage.fix.build import INFO, BuildTree, build_tree, patched_build, without_precompiled
from chcfuzz.triage.fix.patch import Patch, PatchError, read_patch

from bench.campaigns import ROOT
from bench.faults.drawing import drawn
from bench.faults.sites import GUARD, Site, error_lines, parsed, schema, sites_of

FILES = (
    "muz/spacer/*.cpp",
    "muz/transforms/*.cpp",
    "muz/base/*.cpp",
    "qe/*.cpp",
    "qe/mbp/*.cpp",
    "ast/proofs/*.cpp",
    "ast/rewriter/ar*_rewriter.cpp",
    "model/*.cpp",
    "smt/smt_conflict_resolution.cpp",
)
LIST = "faults.jsonl"
FIXES = ROOT / "reports" / "z3" / "all-fixes.patch"
ACTIVE, REACHED = "chcfuzz_active_fault", "chcfuzz_reached_faults"
MOST = 1 << 14  # faults of a build
_DIGITS = 8
_CHOOSING = ("build.py", "drawing.py", "sites.py")  # modules that decide which faults a build has
_EXPORTED = '__attribute__((visibility("default")))'
_DECLARATION = (
    f'extern "C" {{ extern {_EXPORTED} volatile int {ACTIVE}; extern {_EXPORTED} unsigned char {REACHED}[{MOST}]; }} '
    f"static __attribute__((always_inline)) inline bool {GUARD}(int n) "
    f"{{ {REACHED}[n] = 1; return {ACTIVE} == n; }} "
)
_DEFINITION = f'extern "C" {{ {_EXPORTED} volatile int {ACTIVE}; {_EXPORTED} unsigned char {REACHED}[{MOST}]; }} '
_TARGET = re.compile(r"^(?P<folder>src/.*)/CMakeFiles/[^/]+/(?P<file>[^/]+\.cpp)\.o: ")


@dataclass(frozen=True)
class Sources:
    """A copy of Z3's sources in a folder, with the known bugs fixed, and the build that compiles the originals."""

    base: BuildTree
    folder: Path

    @cached_property
    def objects(self) -> Mapping[str, str]:
        """The object of each file that may get faults, by the file's name below src/."""
        targets = filter(None, map(_TARGET.match, self.base.query("targets", "all")))
        objects = {f"{found['folder']}/{found['file']}": found[0].rpartition(": ")[0] for found in targets}
        names = sorted(
            {str(file.relative_to(self.folder)) for each in FILES for file in (self.folder / "src").glob(each)}
        )
        return {name.removeprefix("src/"): objects[name] for name in names if name in objects}

    def path(self, name: str) -> Path:
        """Return the copy of a file."""
        return self.folder / "src" / name

    def arguments(self, name: str) -> list[str]:
        """Return the arguments with which libclang reads a file as the build's compiler does."""
        words = without_precompiled(self.base.command_of(self.objects[name]))
        words = [word.replace(str(self.base.source), str(self.folder)) for word in words]
        kept = [word for word in words if word.startswith(("-I", "-D", "-std", "-stdlib"))]
        quoted = [part for at, word in enumerate(words) if word == "-iquote" for part in (word, words[at + 1])]
        asked = subprocess.run([words[0], "-print-resource-dir"], capture_output=True, text=True, check=True)
        return [*kept, *quoted, "-resource-dir", asked.stdout.strip(), "-w", "-ferror-limit=0"]


def fixed_sources(base: BuildTree, folder: Path) -> Sources:
    """Copy Z3's sources, and fix the bugs of `reports/z3`."""
    copytree(base.source / "src", folder / "src")
    read_patch(FIXES, folder).apply(folder, folder)
    return Sources(base, folder)


def with_faults(text: bytes, faults: Mapping[int, Site], *, defines: bool = False) -> bytes:
    """Return a file's content with the schemata of its faults, by number. Line numbers stay."""
    for number, site in sorted(faults.items(), key=lambda row: row[1].begin, reverse=True):
        text = text[: site.begin] + schema(site, number, text) + text[site.end :]
    return (_DECLARATION + (_DEFINITION if defines else "")).encode() + text


def _sites(sources: Sources, name: str) -> list[Site]:
    unit = parsed(sources.path(name), sources.arguments(name))
    errors = error_lines(unit)
    if errors:
        line, reason = next(iter(errors.items()))
        raise PatchError(f"libclang cannot read {name}:{line}: {reason}; install the clang that made the build")
    return sites_of(unit, name)


def _compiling(sources: Sources, faults: Mapping[str, Mapping[int, Site]], name: str) -> dict[int, Site]:
    """Return those faults of a file whose schemata compile: sites on lines with errors are left out, until none is."""
    kept, path, arguments = dict(faults[name]), sources.path(name), sources.arguments(name)
    text = path.read_bytes()
    while kept:
        errors = error_lines(parsed(path, arguments, with_faults(text, kept)))
        good = {
            number: site for number, site in kept.items() if not any(line in errors for line in _lines_of(site, text))
        }
        if len(good) == len(kept):
            return good if not errors else {}
        kept = good
    return kept


def _lines_of(site: Site, text: bytes) -> range:
    return range(site.line, site.line + text.count(b"\n", site.begin, site.end) + 1)


def chosen(sources: Sources, number: int, jobs: int) -> list[Site]:
    """Return the faults of a build: fault N is at N - 1."""
    with ProcessPoolExecutor(jobs) as pool:
        every = [site for found in pool.map(partial(_sites, sources), sources.objects) for site in found]
        print(f"{len(every)} sites in {len(sources.objects)} files", file=sys.stderr, flush=True)
        spare = [site for _, site in zip(range(number + number // 4), drawn(every), strict=False)]
        by_file: dict[str, dict[int, Site]] = {}
        for place, site in enumerate(spare):
            by_file.setdefault(site.file, {})[place] = site
        compiling = pool.map(partial(_compiling, sources, by_file), by_file)
        good = dict(sorted(pair for found in compiling for pair in found.items()))
    print(f"{len(good)} of {len(spare)} compile", file=sys.stderr, flush=True)
    return list(good.values())[:number]


def patch_of(sources: Sources, faults: Sequence[Site]) -> bytes:
    """Return the patch that fixes the known bugs and plants the faults."""
    by_file: dict[str, dict[int, Site]] = {}
    for number, site in enumerate(faults, 1):
        by_file.setdefault(site.file, {})[number] = site
    first = min(by_file)
    changed = dict(_fixed(sources))
    for name, planted in by_file.items():
        text = with_faults(sources.path(name).read_bytes(), planted, defines=name == first)
        changed[f"src/{name}"] = text
    diffs = (_diff(name, (sources.base.source / name).read_bytes(), text) for name, text in sorted(changed.items()))
    return b"".join(diffs)


def _fixed(sources: Sources) -> Iterator[tuple[str, bytes]]:
    for file in sorted((sources.folder / "src").rglob("*")):
        name = str(file.relative_to(sources.folder))
        if file.suffix in (".cpp", ".h") and file.read_bytes() != (sources.base.source / name).read_bytes():
            yield name, file.read_bytes()


def _diff(name: str, old: bytes, new: bytes) -> bytes:
    lines = (text.decode(errors="surrogateescape").splitlines(keepends=True) for text in (old, new))
    before, after = (
        [line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in each] for each in lines
    )
    return "".join(difflib.unified_diff(before, after, f"a/{name}", f"b/{name}")).encode(errors="surrogateescape")


def build(base: BuildTree, number: int, jobs: int) -> Path:
    """Return the folder of the build with this number of faults; it is built unless the cache has it."""
    listed = cache_folder() / "z3-traced" / f"{base.result.name}-{number}-faults-{_key(base)}.patch"
    sites = listed.with_suffix(".jsonl")
    if not sites.exists():
        with tempfile.TemporaryDirectory(prefix="chcfuzz-faults-") as folder:
            sources = fixed_sources(base, Path(folder))
            faults = chosen(sources, number, jobs)
            write_whole(listed, patch_of(sources, faults))
        write_whole(sites, b"".join(msgspec.json.encode(site) + b"\n" for site in faults))
    patch: Patch = read_patch(listed, base.source)
    made = patched_build(base, patch, jobs, lambda line: print(line, file=sys.stderr, flush=True))
    (made / LIST).write_bytes(sites.read_bytes())
    return made


def _key(base: BuildTree) -> str:
    """Return digits for everything that decides which faults a build has: the base, the fixes, and this program."""
    files = [base.result / INFO, FIXES, *(Path(__file__).with_name(name) for name in _CHOOSING)]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()[:_DIGITS]


def read_faults(folder: Path) -> list[Site]:
    """Return the faults of a build; raises `PatchError` for a build without faults."""
    try:
        lines = (folder / LIST).read_bytes().splitlines()
    except OSError as error:
        advice = "make one with `python -m bench.faults.build`"
        raise PatchError(f"{str(folder)!r} is not a build with faults: {error.strerror}: {LIST}; {advice}") from error
    return [msgspec.json.decode(line, type=Site) for line in lines]


def main() -> None:
    """Choose faults, build, and print the folder of the build."""
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = cache_folder() / "z3-traced" / "5.4.0.0-trace"
    flags.add_argument(
        "--base", type=Path, default=default, metavar="DIR", help="a traced build (default: %(default)s)"
    )
    flags.add_argument("--number", type=int, default=2000, metavar="N", help="faults (default: %(default)s)")
    flags.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    given = flags.parse_args()
    if not 0 < given.number < MOST:
        raise SystemExit(f"--number {given.number} is not between 1 and {MOST - 1}")
    try:
        print(build(build_tree(given.base), given.number, given.jobs))
    except ChcfuzzError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
