"""`chcfuzz replay`."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from chcfuzz.commands import json_output
from chcfuzz.commands.inputs import answers_of, bytes_of, is_of_wrong_step, print_any_bytes, recipe_of
from chcfuzz.commands.show import summary
from chcfuzz.commands.subcommand import Uses
from chcfuzz.execution.child_process import ChildError, ProcessExit, run_in_child
from chcfuzz.execution.codec import converted
from chcfuzz.execution.domain import load
from chcfuzz.execution.exit_codes import EXIT_STUCK
from chcfuzz.execution.reports import RunReport, VerdictReport
from chcfuzz.execution.solver_steps import STANDARD_ERROR, SolverStepReport, first_wrong, totals
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.printable import counted, printable, shortened
from chcfuzz.grammar.problem import Pairs
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.outcome import Status
from msgspec import UNSET

if TYPE_CHECKING:
    from chcfuzz.execution.pipeline import Pipeline
    from chcfuzz.mutators.chain import Mutant
    from chcfuzz.mutators.recipe import Recipe
    from chcfuzz.tracing.source import TraceSource

_MOST_EVENTS = 100_000
UNDECIDED = 125  # `git bisect run` skips a commit for it

NAME, HELP, USES = "replay", "execute a unit or a finding again, and print every verdict", Uses.GIVEN
EXAMPLES = (
    "chcfuzz replay findings/wrong-model-ed2298-7c8717863a1e",
    "chcfuzz replay mutant.smt2 --z3 4.13.4.0 --json",
    "chcfuzz replay -",
    "chcfuzz replay findings/crash-1 --z3-library build/ --exit-code",
    "chcfuzz replay findings/wrong-answer-3f7c21-90b1d8e6a7f4 --domain smt --solver cvc5",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("input", type=Path, metavar="INPUT", help="a unit, a finding, or - for standard input")
    json_output.add_flag(parser)
    parser.add_argument(
        "--exit-code",
        action="store_true",
        help="exit with 125 if the solver does not decide, so that `git bisect run` skips the commit",
    )
    parser.add_argument(
        "--events", action="store_true", help="also print the trace: the solver's events in order, one in a line"
    )
    parser.add_argument(
        "--solver-steps",
        action="store_true",
        help="also judge each lemma, proof obligation and answer of Spacer against the rules that it solves",
    )
    parser.add_argument(
        "--solver-steps-from",
        metavar="FILE|stderr",
        help="judge the steps in this file, or on the command's standard error (format: docs/solver-steps.md)",
    )
    parser.add_argument(
        "--first-wrong",
        action="store_true",
        help="with --solver-steps, print only the first wrong step, and its witness",
    )
    Solving.add_flags(parser)


def check(given: argparse.Namespace) -> None:
    """Check the unit, and the solver under test."""
    if given.first_wrong and not _judges_steps(given):
        raise UsageError("--first-wrong: it needs --solver-steps or --solver-steps-from FILE")
    if given.solver_steps_from == STANDARD_ERROR and given.solving.command is None:
        raise UsageError(
            "--solver-steps-from stderr: it needs --command, the solver that prints steps; write ./stderr for a file"
        )
    recipe_of(given)
    print_any_bytes(given)
    load(given.solving.domain).selected(given.solving)


def run(given: argparse.Namespace) -> int:
    """Execute the input, and print the verdict of every oracle."""
    from chcfuzz.execution.pipeline import Pipeline, describe, event_source

    recipe = recipe_of(given)
    load(given.solving.domain).check_usable(given.solving)
    source = event_source(given.solving)
    pipeline = Pipeline(
        given.solving,
        events=source if given.events else None,
        answers=answers_of(given.input, recipe.seed),
        judges_steps=is_of_wrong_step(given.input) and not _judges_steps(given),
    )
    recipe = _with_selection(recipe, pipeline.domain.selected(given.solving))
    mutant = pipeline.mutant(recipe)
    named = _given_steps(given, mutant)
    described = describe(recipe, mutant)
    reported = reported_in_child(lambda: _report(pipeline, mutant))
    events = _events(pipeline, source, mutant) if given.events and reported.trace_hash is not None else []
    is_refusable = named is not None  # a line of these steps may be refused, before anything is printed
    steps = _solver_steps(given, pipeline, mutant, named) if is_refusable else ()
    if not given.json:
        selection = pipeline.domain.tested(given.solving, mutant.parameters)
        key = pipeline.domain.solver_key(given.solving, selection, described.z3) if selection else f"z3 {described.z3}"
        lines = [*summary(described), *_run_lines(reported, shlex.join(reported.command) or key, events)]
        print("\n".join(map(printable, lines)))  # what follows may take minutes
    steps = steps if is_refusable else _solver_steps(given, pipeline, mutant, named)
    sentences, is_finding = _verdict(given, recipe, reported)
    code = _exit_code(reported, is_finding or first_wrong(steps) is not None, given.exit_code)
    if given.json:
        trace = {"trace": events} if given.events else {}
        judged = {"solver_steps": msgspec.to_builtins(steps)} if _judges_steps(given) else {}
        texts = {"expected": described.expected, "z3": described.z3, "verdict": sentences}
        json_output.show({**msgspec.to_builtins(reported), **trace, **judged, **texts})
        return code
    shown = _step_lines(steps, given.first_wrong) if _judges_steps(given) else ()
    with suppress(BrokenPipeError):  # the reader, such as `head`, has ended; the exit code is right nevertheless
        print("\n".join(map(printable, [*shown, "", *sentences])))
    return code


def _run_lines(reported: RunReport, solver: str, events: Sequence[str]) -> Iterator[str]:
    """Yield lines on a run: the answer, what it rests on, the trace with these events, and the verdicts of oracles."""
    reason = f" ({reported.reason})" if reported.reason else ""
    others = "".join(f"; {name} {status}" for name, status in (reported.others or {}).items())
    yield f"{solver} answers {reported.status}{reason}{others}"
    for query, result in reported.results or ():
        yield f"{shortened(query)}: {shortened(result)}"
    if reported.left_out:
        yield f"not set, because the solver does not have it or its value: {', '.join(reported.left_out)}"
    if reported.trace_hash is not None:
        counts = f"{counted(reported.events, 'event')}; {counted(reported.cost, 'resource unit')}"
        yield f"trace {reported.trace_hash}, {counts}"
    yield from (f"  {event}" for event in events)
    for verdict in reported.verdicts:
        detail = f": {shortened(verdict.detail)}" if verdict.detail else ""
        yield f"oracle {verdict.oracle}: {verdict.kind}{detail}"


def _report(pipeline: Pipeline, mutant: Mutant) -> RunReport:
    """Execute a mutant; return the report with the results of its queries."""
    from chcfuzz.execution.pipeline import report

    execution = pipeline.execute(mutant)
    results = pipeline.domain.results(mutant.problem, execution.outcome)
    return replace(report(execution), results=tuple(results) or UNSET)


def _verdict(given: argparse.Namespace, recipe: Recipe, reported: RunReport) -> tuple[list[str], bool]:
    """Return the verdict in sentences, and whether it is a finding.

    The answer to a file of the user is examined unless its witness was checked.
    """
    from chcfuzz.mutators.recipe import encode, read
    from chcfuzz.triage.findings.own_file import examine
    from chcfuzz.triage.findings.own_file_text import is_settled, without_examination

    if given.exit_code or read(given.unit).text is None or is_settled(reported):
        return [without_examination(reported)], bool(reported.faults)
    examined = examine(encode(recipe), given.solving)
    return examined.lines, examined.is_finding


def _judges_steps(given: argparse.Namespace) -> bool:
    return given.solver_steps or given.solver_steps_from is not None


def _solver_steps(
    given: argparse.Namespace, pipeline: Pipeline, mutant: Mutant, named: tuple[str, str] | None
) -> Sequence[SolverStepReport]:
    """Return the judgements on the solver's steps, or on those in a text; empty if they were not requested."""
    if not _judges_steps(given):
        return ()
    return pipeline.domain.solver_steps(given.solving, mutant.text, mutant.parameters, named)


def _given_steps(given: argparse.Namespace, mutant: Mutant) -> tuple[str, str] | None:
    """Return the name and the text of steps in a file, or on the standard error of the command, with its answer.

    A last line of standard error without its end may be cut, and is left out. None if the steps are those of Spacer.
    """
    name: str | None = given.solver_steps_from
    if name is None:
        return None
    if name != STANDARD_ERROR:
        return name, bytes_of(Path(name)).decode(errors="replace")
    outcome, printed = given.solving.solver_command().solve_printing(mutant.text, mutant.parameters)
    answer = f"answer {outcome.status.value}\n" if outcome.status.is_decided else ""
    whole = printed.err[: printed.err.rfind("\n") + 1]
    return name, whole + answer


def _step_lines(steps: Sequence[SolverStepReport], only_first_wrong: bool) -> Iterator[str]:
    """Yield a line for each step, the witness of the first wrong step, and the totals."""
    if not only_first_wrong:
        yield from (step.line for step in steps)
    wrong = first_wrong(steps)
    if wrong is not None:
        yield f"the first wrong step is {wrong.line}"
        yield f"  finding: {wrong.finding}"
        if wrong.maker:
            yield f"  made by: {wrong.maker}"
        yield from (f"  derived: {fact}" for fact in wrong.facts)
        yield "each `check-sat` of this script is unsat:"
        yield from wrong.script.splitlines()
    yield f"solver steps: {totals(steps) or 'none'}"


def _events(pipeline: Pipeline, source: TraceSource, mutant: Mutant) -> list[str]:
    """Return the events of another execution, which has the same trace, since the oracles may run the solver, too."""
    from chcfuzz.tracing.source import SequenceSource

    if not isinstance(source, SequenceSource):
        raise UsageError("--events: the traces of this solver are not sequences of events; leave it out")

    def labels() -> list[str]:
        pipeline.solve(mutant.text, mutant.parameters)
        sequence = source.sequence(_MOST_EVENTS)
        return [sequence.labels[number] for number in sequence.numbers.tolist()]

    return converted(run_in_child(labels), list[str])


def _with_selection(recipe: Recipe, selection: Pairs) -> Recipe:
    """Return the recipe with the solver of `--solver` under test, where several solvers run."""
    return replace(recipe, parameters=tuple(sorted({**dict(recipe.parameters), **dict(selection)}.items())))


def _exit_code(reported: RunReport, is_finding: bool, skips_undecided: bool) -> int:
    """Return 1 for a finding, and for `git bisect run` another code for an undecided unit, which cannot be tested."""
    if is_finding:
        return 1
    return UNDECIDED if skips_undecided and not Status(reported.status).is_decided else 0


def reported_in_child(execute: Callable[[], RunReport]) -> RunReport:
    """Return the report on an execution in a child process, which the solver may kill."""
    try:
        return converted(run_in_child(lambda: msgspec.to_builtins(execute())), RunReport)
    except ChildError as death:
        if not ProcessExit(death.code).is_solver_death:
            raise SystemExit(death.code) from death
        if death.code == EXIT_STUCK:
            return RunReport(status=Status.HANG.value, reason="it does not return when its time is over")
        verdict = VerdictReport("process", VerdictKind.CRASH.value, str(death), evidence="")
        return RunReport(status=Status.CRASH.value, reason=str(death), verdicts=(verdict,))
