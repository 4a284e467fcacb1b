"""The `chcfuzz` command: everything around a campaign that needs no fuzzing engine."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from chcfuzz.campaign.options import DEFAULT_RLIMIT, UsageError
from chcfuzz.grammar.errors import ChcfuzzError, GrammarError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one sub-command; the exit code is 0, 1 where it has something bad to tell, 2 for bad use."""
    given = _parser().parse_args(arguments)
    try:
        return int(given.run(given))
    except ChcfuzzError as error:
        print(f"chcfuzz: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # somebody's `| head`
        sys.stderr.close()
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="chcfuzz",
        description="Work with CHC systems, recipes and findings; `python fuzz_targets/spacer.py CORPUS` runs a campaign.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    check = commands.add_parser("check", help="parse .smt2 files and say what is refused, and why")
    check.add_argument("files", nargs="+", type=Path, metavar="FILE")
    check.set_defaults(run=_check)

    show = commands.add_parser("show", help="print a unit's or a finding's mutant and its chain in words")
    show.add_argument("input", type=Path, metavar="INPUT")
    show.add_argument("--smt2", action="store_true", help="the mutant alone")
    show.add_argument("--z3", metavar="VERSION", help="apply Z3's rewrites with this released z3-solver")
    show.set_defaults(run=_show)

    replay = commands.add_parser("replay", help="run a unit or a finding again and print every verdict")
    replay.add_argument("input", type=Path, metavar="INPUT")
    replay.add_argument("--json", action="store_true", help="for machines")
    replay.add_argument("--z3", metavar="VERSION", help="with this released z3-solver")
    replay.add_argument("--rlimit", type=int, default=DEFAULT_RLIMIT, metavar="N")
    replay.add_argument("--wall-seconds", type=float, default=60.0, metavar="S")
    replay.set_defaults(run=_replay)

    importer = commands.add_parser("import", help="make a corpus from folders of .smt2 and .smt2.gz files")
    importer.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    importer.add_argument(
        "--into", type=Path, default=Path("imported"), metavar="DIR", help="the corpus (default: %(default)s)"
    )
    importer.add_argument("--z3", metavar="VERSION", help="decide with this released z3-solver")
    importer.add_argument(
        "--rlimit",
        type=int,
        default=DEFAULT_RLIMIT,
        metavar="N",
        help="refuse what Spacer does not decide within this resource limit (default: %(default)s)",
    )
    importer.add_argument(
        "--max-bytes",
        type=int,
        default=64 * 1024,
        metavar="N",
        help="refuse larger files (default: %(default)s)",
    )
    importer.set_defaults(run=_import)

    mutations = commands.add_parser("mutations", help="print every mutation and parameter as a table")
    mutations.add_argument("--z3", metavar="VERSION", help="as this released z3-solver has them")
    mutations.set_defaults(run=_mutations)
    return parser


def _check(given: argparse.Namespace) -> int:
    from chcfuzz.grammar.parse import parse

    refused = 0
    for path in given.files:
        try:
            parse(_read(path).decode("utf-8", "replace"), str(path))
        except GrammarError as error:
            print(error)
            refused += 1
    total = len(given.files)
    print(f"{total - refused} of {total} files are CHC systems" + (f", {refused} refused" if refused else ""))
    return 1 if refused else 0


def _show(given: argparse.Namespace) -> int:
    from chcfuzz.solvers.z3_release import activate

    data = _unit(given.input)
    activate(given.z3)
    from chcfuzz.campaign.execution import Pipeline, describe
    from chcfuzz.mutators.recipe import decode

    recipe = decode(data)
    description = describe(recipe, Pipeline().mutant(recipe))
    if not given.smt2:
        for line in words(description):
            print(f"; {line}")
    print(description["mutant"], end="")
    return 0


def _replay(given: argparse.Namespace) -> int:
    from chcfuzz.solvers.z3_release import activate

    data = _unit(given.input)
    activate(given.z3)
    from chcfuzz.campaign.execution import Pipeline, describe, report
    from chcfuzz.mutators.recipe import decode

    pipeline = Pipeline(given.rlimit, given.wall_seconds)
    recipe = decode(data)
    mutant = pipeline.mutant(recipe)
    described = describe(recipe, mutant)
    reported = report(pipeline.execute(recipe, mutant))
    if given.json:
        print(json.dumps({**reported, "expected": described["expected"], "z3": described["z3"]}))
        return 0
    for line in words(described):
        print(line)
    print(
        f"z3 {described['z3']} answers {reported['status']}"
        + (f" ({reported['reason']})" if reported["reason"] else "")
    )
    print(f"trace {reported['trace_hash']}, {reported['events']} events; {reported['cost']} resource units")
    for verdict in reported["verdicts"]:
        print(f"{verdict['oracle']}: {verdict['kind']}" + (f": {verdict['detail']}" if verdict["detail"] else ""))
    return 0


def words(description: dict[str, object]) -> list[str]:
    """A description (`execution.describe`) for people, a line each."""
    return []


def _import(given: argparse.Namespace) -> int:
    from chcfuzz.campaign.importer import import_folders

    return import_folders(given)


def _mutations(given: argparse.Namespace) -> int:
    from chcfuzz.solvers.z3_release import activate

    activate(given.z3)
    from chcfuzz.mutators import registry

    print(registry().table())
    return 0


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {str(path)!r}: {error.strerror}") from error


def _unit(path: Path) -> bytes:
    """The unit in a file, or in a finding's folder."""
    if path.is_dir():
        recipe = path / "recipe"
        if not recipe.is_file():
            raise UsageError(f"{str(path)!r} is no finding: it holds no file `recipe`")
        path = recipe
    return _read(path)
