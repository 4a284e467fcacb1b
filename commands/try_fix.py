"""`chcfuzz try-fix`."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from chcfuzz.commands import json_output
from chcfuzz.commands.subcommand import Uses
from chcfuzz.execution.flags import positive, positive_float
from chcfuzz.execution.recorded_flags import allowed
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printable import printable
from chcfuzz.grammar.problem import Pairs
from chcfuzz.solvers import z3_release

if TYPE_CHECKING:
    from chcfuzz.corpus_tools.fix_trial import FixTrial
    from chcfuzz.triage.findings.fix import FindingEffect, Fix

NAME, HELP, USES = "try-fix", "build Z3 with a patch, and run findings and a corpus on it", Uses.INSTALLED
EXAMPLES = (
    "chcfuzz try-fix findings/wrong-answer-default-ed6a4b-3649edca70db --patch fix.patch --corpus corpus/",
    "chcfuzz try-fix wrong-sat-Arrays-1a2b3c --buckets findings/buckets.json --patch fix.patch",
    "chcfuzz try-fix --patch tracing/native/facts.patch",
)
FACTOR = 2.0  # ratio of costs


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument(
        "finding",
        nargs="?",
        metavar="FINDING|BUCKET",
        help="a finding's folder, or the name of a bucket; without one, Z3 is only built, and its folder printed",
    )
    parser.add_argument("--patch", type=Path, required=True, metavar="FILE", help="a unified diff of Z3's sources")
    parser.add_argument(
        "--buckets",
        type=Path,
        metavar="FILE",
        help="the file with the buckets (default: buckets.json beside the finding, or in findings)",
    )
    parser.add_argument(
        "--corpus",
        action="append",
        default=[],
        type=Path,
        metavar="CORPUS",
        help="a folder of units or of any SMT-LIB files, or one of them, for the comparison; can be repeated. SMT-LIB "
        "files also run as they are, under the parameters of the findings, and through both front ends of Z3",
    )
    parser.add_argument(
        "--jobs", type=positive, default=1, metavar="N", help="number of parallel compilers and units (default: 1)"
    )
    parser.add_argument(
        "--factor",
        type=positive_float,
        default=FACTOR,
        metavar="X",
        help="ratio of costs (the solver's own counts) that counts as a change (default: %(default)s)",
    )
    Solving.add_flags(parser)


@dataclass(frozen=True)
class ChosenFolders:
    """Folders of findings: those of the bucket that the patch should cure, and others."""

    same: tuple[Path, ...]
    others: tuple[Path, ...]


def run(given: argparse.Namespace) -> int:
    """Build the patched solver, print the effects and store them in the bucket's findings; 1 unless all are cured."""
    from chcfuzz.campaign.corpus_folder import check_corpora
    from chcfuzz.triage.findings import folder as finding_folder
    from chcfuzz.triage.findings.fix import compared, in_words, read_fix, write_fix
    from chcfuzz.triage.fix.build import build_tree, patched_build
    from chcfuzz.triage.fix.patch import read_patch

    if given.corpus:
        check_corpora(given.corpus)
    chosen = None if given.finding is None else chosen_findings(given)
    if chosen is None and given.corpus:
        raise UsageError("--corpus: a comparison needs a finding; name one, or leave the corpus out")
    base = _any_build(given) if chosen is None else _base_build(_solving(chosen.same[0], given), chosen.same[0])
    tree = build_tree(base)
    patch = read_patch(given.patch, tree.source)
    build = patched_build(tree, patch, given.jobs, log)
    if chosen is None:
        _show_build(given, build)
        return 0
    log(f"to fuzz beyond this bug: --z3-library {shlex.quote(str(build))}")
    fix = _effects(given, chosen, base, build, (patch.digest, patch.files))
    lines = [f"patch {patch.digest}: {', '.join(patch.files)}", *in_words(fix)]
    earlier = read_fix(chosen.same[0])
    if earlier is not None and earlier.patch != fix.patch:
        lines.append(compared(fix, earlier))
    if given.json:
        json_output.show(msgspec.to_builtins(fix))
    else:
        print("\n".join(map(printable, lines)))
    for folder in chosen.same:
        write_fix(folder, fix, patch.content)
        finding_folder.rewrite(folder)
    return 0 if fix.cures_all else 1


def _show_build(given: argparse.Namespace, build: Path) -> None:
    if given.json:
        json_output.show({"z3_library": str(build)})
    else:
        print(printable(f"--z3-library {shlex.quote(str(build))}"))


def log(line: str) -> None:
    """Print a line on the progress to stderr."""
    print(printable(f"chcfuzz: {line}"), file=sys.stderr, flush=True)


def chosen_findings(given: argparse.Namespace) -> ChosenFolders:
    """Return the findings to run; raises `ChcfuzzError` for an unknown name."""
    from chcfuzz.triage.buckets.buckets import FILE, bucketed, read_buckets
    from chcfuzz.triage.buckets.report import representative, siblings_of
    from chcfuzz.triage.findings.store import finding_folders

    named = Path(given.finding)
    file = given.buckets or (named.resolve().parent if named.is_dir() else Path("findings")) / FILE
    buckets, folder = bucketed(read_buckets(file)), file.parent
    if not named.is_dir():
        named = representative(given.finding, buckets, folder)
    same = [named, *siblings_of(named, buckets, folder)]
    names = {path.resolve().name for path in same}
    others = [path for path in finding_folders(folder) if path.name not in names]
    return ChosenFolders(tuple(same), tuple(others))


def _solving(folder: Path, given: argparse.Namespace) -> Solving:
    """Return the flags of a finding, without a recorded build: the trial chooses the build by itself."""
    from chcfuzz.triage.findings.record import Finding

    recorded = (word for word in Finding.read(folder).record.solving if not word.startswith("--z3-library="))
    return Solving.parsed(allowed(tuple(recorded), given.words))


def _base_build(solving: Solving, folder: Path) -> Path:
    """Return the traced build to be patched; raises `UsageError` if it does not exist."""
    from chcfuzz.triage.findings.record import Finding

    if not solving.uses_z3:
        raise UsageError(f"{str(folder)!r} is a finding of a command; try-fix needs a traced build of Z3")
    return _traced_build(solving, Finding.read(folder).record.z3)


def _any_build(given: argparse.Namespace) -> Path:
    """Return the traced build to be patched without a finding; raises `UsageError` if it does not exist."""
    return _traced_build(Solving.parsed(given.words), z3_release.PINNED[0])


def _traced_build(solving: Solving, usual: str) -> Path:
    """Return the traced build that flags name, or that of the usual release."""
    release = solving.z3 or usual
    build = solving.z3_library or z3_release.build_in_cache(release, "trace")
    if build is None:
        advice = f"run {z3_release.build_command(release)}, or name a build with --z3-library"
        raise UsageError(f"a traced build of Z3 {release} is missing in the cache; {advice}")
    return build


def _effects(
    given: argparse.Namespace, chosen: ChosenFolders, base: Path, build: Path, patch: tuple[str, Sequence[str]]
) -> Fix:
    from chcfuzz.corpus_tools.fix_trial import FixTrial, costs, effects
    from chcfuzz.corpus_tools.script_trial import files_in
    from chcfuzz.triage.findings.fix import Fix

    files = files_in(given.corpus)
    units = _units(given.corpus, files)
    trial = FixTrial(base, build, log)
    found, left = on_findings(given, chosen, trial)
    release = z3_release.chosen(None, base)
    assert release is not None
    fix = Fix(patch[0], tuple(patch[1]), release.version, tuple(found))
    if left:
        log("the patched solver hangs; the other findings and the corpus are not run")
        return replace(fix, left_out=left + len(units))
    settings = _settings(chosen.same)
    runs, scripts = trial.on_scripts(files, Solving.parsed(given.words), given.jobs, settings) if files else (0, [])
    names = tuple(", ".join(f"{name}={value}" for name, value in one) or "default parameters" for one in settings)
    fix = replace(fix, settings=names if runs else (), runs=runs, scripts=tuple(scripts))
    results = trial.on_corpus(units, Solving.parsed(given.words), given.jobs, given.factor) if units else []
    if len(results) < len(units):
        log("the patched solver hangs; the rest of the corpus is not run")
    left = len(units) - len(results)
    return replace(fix, units=len(results), corpus=effects(results), costs=costs(results), left_out=left)


def _units(corpora: Sequence[Path], files: Sequence[Path]) -> list[Path]:
    """Return the units of corpora; raises `UsageError` if they have neither units nor SMT-LIB files."""
    from chcfuzz.campaign.corpus_folder import units_in

    try:
        return units_in(corpora)[0] if corpora else []
    except UsageError:
        if not files:
            raise
        return []


def _settings(folders: Sequence[Path]) -> list[Pairs]:
    """Return the default parameters, and those of each finding, once each."""
    from chcfuzz.triage.findings.record import Finding

    found: list[Pairs] = [()]
    for finding in map(Finding.read, folders):
        given = (finding.smallest.reduction or finding.record).parameters
        found.append(tuple(sorted(given.items())))
    return list(dict.fromkeys(found))


def on_findings(given: argparse.Namespace, chosen: ChosenFolders, trial: FixTrial) -> tuple[list[FindingEffect], int]:
    """Return the effects on findings, and the number of findings that were not run because the solver hangs."""
    from chcfuzz.corpus_tools.fix_trial import MOST_HANGS
    from chcfuzz.triage.findings.fix import Effect

    found: list[FindingEffect] = []
    folders = (*chosen.same, *chosen.others)
    for number, folder in enumerate(folders):
        if sum(one.effect is Effect.HANGS for one in found) == MOST_HANGS:
            return found, len(folders) - number
        log(f"{folder.name}: running it without and with the patch ({number + 1} of {len(folders)})")
        try:
            found.append(trial.on_finding(folder, _solving(folder, given), folder in chosen.same))
        except ChcfuzzError as error:
            log(f"{folder.name} was not run: {error}")
            continue
        log(f"{folder.name}: {found[-1].effect}; {found[-1].before} -> {found[-1].after}")
    return found, 0
