"""The `chcfuzz` command: everything around a campaign that needs no fuzzing engine."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chcfuzz.execution.flags import positive
from chcfuzz.execution.own_process import DiedError, apart
from chcfuzz.execution.seed_answers import Ground, SeedAnswer, SeedAnswers
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.errors import ChcfuzzError, GrammarError
from chcfuzz.grammar.reading import read_system
from chcfuzz.solvers import python, z3_release

if TYPE_CHECKING:
    from chcfuzz.mutators.recipe import Recipe


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one sub-command; the exit code is 0, 1 where it has something bad to tell, 2 for bad use."""
    python.forget_current_folder()
    words = list(sys.argv[1:] if arguments is None else arguments)
    given = _parser().parse_args(words)
    try:
        if "input" in given:
            given = _parser().parse_args([words[0], *_chosen(_recorded(given.input), words[1:])])
            given.unit = _unit(given.input)
        given.words = words[1:]
        if "z3" in given and given.run not in (_confirm, _reduce):  # which start processes for it
            given.solving = Solving.of(given)
            given.solving.activate()
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
        description="Work with CHC systems, recipes and findings; fuzz_targets/spacer.py runs a campaign.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    check = commands.add_parser("check", help="parse .smt2 files and say what is refused, and why")
    check.add_argument("files", nargs="+", type=Path, metavar="FILE")
    check.set_defaults(run=_check)

    show = commands.add_parser("show", help="print a unit's or a finding's mutant and its chain in words")
    show.add_argument("input", type=Path, metavar="INPUT")
    show.add_argument("--smt2", action="store_true", help="the mutant alone")
    Solving.add_flags(show)
    show.set_defaults(run=_show)

    replay = commands.add_parser("replay", help="run a unit or a finding again and print every verdict")
    replay.add_argument("input", type=Path, metavar="INPUT")
    replay.add_argument("--json", action="store_true", help="for machines")
    Solving.add_flags(replay)
    replay.set_defaults(run=_replay)

    importer = commands.add_parser("import", help="make a corpus from folders of .smt2 and .smt2.gz files")
    importer.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    importer.add_argument(
        "--into", type=Path, default=Path("imported"), metavar="DIR", help="the corpus (default: %(default)s)"
    )
    Solving.add_flags(importer)
    importer.add_argument(
        "--max-bytes",
        type=int,
        default=64 * 1024,
        metavar="N",
        help="refuse larger files (default: %(default)s)",
    )
    importer.set_defaults(run=_import)

    cover = commands.add_parser("coverage", help="say which lines and functions of Z3 a corpus reaches")
    cover.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS", help="folders of units, or units")
    cover.add_argument("--into", type=Path, default=Path("coverage"), metavar="DIR", help="(default: %(default)s)")
    Solving.add_flags(cover)
    cover.set_defaults(run=_coverage)

    stats = commands.add_parser("stats", help="print what campaigns have learned about mutations, as a table")
    stats.add_argument("state", nargs="?", type=Path, default=Path("findings/state.json"), metavar="FILE")
    stats.set_defaults(run=_stats)

    findings = commands.add_parser("findings", help="list the findings in a folder, the grave ones first")
    findings.add_argument("folder", nargs="?", type=Path, default=Path("findings"), metavar="DIR")
    findings.add_argument(
        "--scope",
        choices=("all", "maintainers"),
        default="all",
        help="maintainers: only what Spacer's maintainers ask to hear of (default: %(default)s)",
    )
    findings.set_defaults(run=_findings)

    confirming = commands.add_parser(
        "confirm", help="look into what waits in a findings folder, and again into its contradictions"
    )
    confirming.add_argument("folder", nargs="?", type=Path, default=Path("findings"), metavar="DIR")
    confirming.add_argument(
        "--per-bucket", type=positive, default=5, metavar="N", help="findings kept of one cause (default: %(default)s)"
    )
    Solving.add_flags(confirming)
    confirming.set_defaults(run=_confirm)

    reducing = commands.add_parser("reduce", help="make a finding small: its parameters, its chain, its system")
    reducing.add_argument("input", type=Path, metavar="FINDING")
    reducing.add_argument(
        "--mode",
        choices=("finding", "equivalent"),
        default="finding",
        help="equivalent: each clause stays equivalent; finding: only the finding stays (default: %(default)s)",
    )
    reducing.add_argument(
        "--jobs", type=positive, default=1, metavar="N", help="candidates judged at once (default: %(default)s)"
    )
    Solving.add_flags(reducing)
    reducing.set_defaults(run=_reduce)

    mutations = commands.add_parser("mutations", help="print every mutation and parameter as a table")
    Solving.add_flags(mutations)
    mutations.set_defaults(run=_mutations)
    return parser


def _check(given: argparse.Namespace) -> int:
    refused = 0
    for path in given.files:
        try:
            read_system(_read(path), str(path))
        except GrammarError as error:
            print(error)
            refused += 1
    total = len(given.files)
    print(f"{total - refused} of {total} files are CHC systems" + (f", {refused} refused" if refused else ""))
    return 1 if refused else 0


def _show(given: argparse.Namespace) -> int:
    from chcfuzz.execution.pipeline import Pipeline, describe

    recipe = _recipe(given)
    pipeline = Pipeline(given.solving, answers=_answers(given.input, recipe.seed))
    described = describe(recipe, pipeline.mutant(recipe))
    if not given.smt2:
        print("\n".join(f"; {line}" for line in words(described)))
    print(described["mutant"], end="")
    return 0


def _replay(given: argparse.Namespace) -> int:
    from chcfuzz.execution.pipeline import Pipeline, describe, report

    recipe = _recipe(given)
    pipeline = Pipeline(given.solving, answers=_answers(given.input, recipe.seed))
    mutant = pipeline.mutant(recipe)
    described = describe(recipe, mutant)
    reported = _reported(lambda: report(pipeline.execute(mutant)))
    if given.json:
        print(json.dumps({**reported, "expected": described["expected"], "z3": described["z3"]}))
        return 0
    solver = shlex.join(reported["command"]) if reported.get("command") else f"z3 {described['z3']}"
    print("\n".join(words(described)))
    reason = f" ({reported['reason']})" if reported["reason"] else ""
    print(f"{solver} answers {reported['status']}{reason}")
    print(f"trace {reported['trace_hash']}, {reported['events']} events; {reported['cost']} resource units")
    for verdict in reported["verdicts"]:
        detail = f": {verdict['detail']}" if verdict["detail"] else ""
        print(f"oracle {verdict['oracle']}: {verdict['kind']}{detail}")
    return 0


def _reported(execute: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What an execution reports; a solver that dies of it is reported too."""
    try:
        reported: dict[str, Any] = apart(execute)
    except DiedError as death:
        if death.code > 0:
            raise SystemExit(death.code) from death
        verdict = {"oracle": "process", "kind": "crash", "detail": str(death), "evidence": ""}
        nothing = {"model_holds": False, "trace_hash": None, "events": 0, "cost": 0}
        return {"status": "crash", "reason": str(death), "verdicts": [verdict], **nothing}
    return reported


def words(described: dict[str, Any]) -> list[str]:
    """A unit's description (`execution.describe`) for people, a line each."""
    chain = described["chain"]
    lines = [f"{len(chain)} steps from the seed" if chain else "the seed itself"]
    for number, step in enumerate(chain, 1):
        lines.append(f"  {number}. {step['mutation']}: {step['words']}")
    for name, value in described["parameters"]:
        lines.append(f"  {name} = {value}")
    expected = described["expected"]
    lines.append(f"promise: {described['promise']}; expected: {expected or 'nothing, the seed has no status'}")
    return lines


def _import(given: argparse.Namespace) -> int:
    from chcfuzz.campaign.importer import ImportOptions, import_folders, told
    from chcfuzz.execution.pipeline import Pipeline
    from rich.console import Console

    options = ImportOptions(tuple(given.folders), given.into, given.max_bytes)
    try:
        tally = import_folders(options, Pipeline(given.solving), Console(stderr=True))
    except KeyboardInterrupt:
        print("chcfuzz: interrupted; the same command goes on where this one stopped", file=sys.stderr)
        return 130
    print("\n".join(told(tally, options)))
    return 0


def _coverage(given: argparse.Namespace) -> int:
    from chcfuzz.campaign.coverage import measured
    from chcfuzz.tracing import solver_coverage

    found, python, units = measured(given.corpora, given.solving)
    solver_coverage.write(found, given.into.resolve(), python)
    rows = solver_coverage.table(found)
    for file, lines, all_lines, functions, all_functions in rows:
        if lines:
            print(f"{lines:6} of {all_lines:6} lines  {functions:5} of {all_functions:5} functions  {file}")
    print(
        f"{sum(row[1] for row in rows)} of {sum(row[2] for row in rows)} lines in {len(rows)} files, by {units} units"
    )
    print(f"coverage html --rcfile={given.into / solver_coverage.SETTINGS}  (or lcov, json, report) shows them")
    return 0


def _stats(given: argparse.Namespace) -> int:
    from chcfuzz.campaign.learning import read_state

    state = read_state(given.state)
    if state is None:
        raise UsageError(f"no state of a campaign in {str(given.state)!r}; run one, or name its state.json")
    rows = sorted(state["rows"].items(), key=lambda item: (-item[1][1] / item[1][0], item[0]))
    width = max((len(row) for row, _ in rows), default=0)
    print(f"{'mutation':<{width}}  tried  opened  probability of a new trace")
    for row, (tried, opened) in rows:
        print(f"{row:<{width}}  {tried:5}  {opened:6}  {opened / tried:.3f}")
    return 0


def _findings(given: argparse.Namespace) -> int:
    from chcfuzz.triage.findings import kept
    from chcfuzz.triage.scope import Severity

    if not given.folder.is_dir():
        raise UsageError(f"no findings folder {str(given.folder)!r}; run a campaign, or name its --findings")
    order = list(Severity)
    rows = sorted(kept(given.folder), key=lambda row: (order.index(Severity(row[1]["scope"]["severity"])), row[0]))
    wanted = [row for row in rows if given.scope == "all" or row[1]["scope"]["maintainers"]]
    for folder, record in wanted:
        parameters = ", ".join(f"{name}={value}" for name, value in record["parameters"].items())
        solver = shlex.join(record.get("command", [])) or f"z3 {record['z3']}"
        print(f"{folder.name}\n  {solver}, {parameters or 'default parameters'}: {record['witness']}")
        print(f"  {record['scope']['words']}")
    print(f"{len(wanted)} of {len(rows)} findings")
    return 0


def _confirm(given: argparse.Namespace) -> int:
    from chcfuzz.triage.again import confirm_again

    if not given.folder.is_dir():
        raise UsageError(f"no findings folder {str(given.folder)!r}; run a campaign, or name its --findings")
    told = confirm_again(
        given.folder, lambda seen: Solving.parsed(_chosen(seen.solving, given.words)), given.per_bucket
    )
    print("\n".join(told.lines()))
    return 1 if told.waiting else 0


def _reduce(given: argparse.Namespace) -> int:
    z3_release.activate()  # proofs of ours are no matter of the solver under test, which runs in other processes
    from chcfuzz.triage.reduce_command import reduce_finding

    return reduce_finding(given.input, Solving.of(given), given.mode, given.jobs)


def _mutations(given: argparse.Namespace) -> int:
    from chcfuzz.mutators import registry

    dialect = given.solving.command_dialect
    print(registry(dialect.name if dialect else None).table())
    return 0


def _answers(path: Path, seed: str) -> SeedAnswers:
    """What a finding's record says of its seed's answer."""
    answers = SeedAnswers()
    with suppress(OSError, ValueError, KeyError, TypeError):
        said = json.loads((path / "record.json").read_text())["seed"]
        answers.note(seed, SeedAnswer(said["status"], Ground(said["ground"])))
    return answers


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {str(path)!r}: {error.strerror}") from error


def _recorded(path: Path) -> list[str]:
    """How the solver was started that a finding is of: flags."""
    try:
        return list(json.loads((path / "record.json").read_text())["solving"])
    except (OSError, ValueError, KeyError, TypeError):
        return []  # no finding of this version: the flags given are all there is


def _chosen(recorded: Sequence[str], words: Sequence[str]) -> list[str]:
    """Recorded flags and then words; of those that name a Z3 only the words', if they do."""
    chosen = any(word.startswith("--z3") for word in words)
    return [*(flag for flag in recorded if not (chosen and flag.startswith("--z3"))), *words]


def _recipe(given: argparse.Namespace) -> Recipe:
    """The recipe of the unit that was read; raises `UsageError` for one that is not what it begins as."""
    from chcfuzz.mutators.recipe import read

    unit = read(given.unit)
    if unit.fault is not None:
        raise UsageError(f"{str(given.input)!r} {unit.fault}")
    return unit.recipe


def _unit(path: Path) -> bytes:
    """The unit in a file, or in a finding's folder; raises `GrammarError` for a text that is no system."""
    from chcfuzz.mutators.recipe import refusal_of

    if path.is_dir():
        recipe = path / "recipe"
        if not recipe.is_file():
            raise UsageError(f"{str(path)!r} is no finding: it holds no file `recipe`")
        path = recipe
    unit = _read(path)
    refused = refusal_of(unit, str(path))
    if refused is not None:
        raise refused
    return unit
