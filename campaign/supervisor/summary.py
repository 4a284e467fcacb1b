"""The summary that a campaign prints at its end."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path

from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.supervisor.status import Progress, describe_kinds, describe_stability
from chcfuzz.campaign.worker.hung_units import HANGS
from chcfuzz.execution.seed_answers import Ground
from chcfuzz.grammar.printable import counted
from chcfuzz.triage.findings.examiner import FAILED, OTHERS, STATUSES

_LABEL = 12  # columns of a label, at least
_NARROWEST = 40  # columns at which lines are wrapped, at least


def summary(progress: Progress, findings_folder: str, columns: int | None = None) -> str:
    """Return the summary, several lines, which are wrapped at `columns`."""
    shares = ", ".join(
        f"{name} {progress.share(time):.1%}"
        for name, time in (
            ("mutate", Counter.MUTATE_TIME),
            ("decode", Counter.DECODE_TIME),
            ("apply", Counter.APPLY_TIME),
            ("print", Counter.PRINT_TIME),
            ("oracles", Counter.CHECK_TIME),
            ("trace", Counter.TRACE_TIME),
            ("confirm", Counter.CONFIRM_TIME),
            ("cache", Counter.CACHE_TIME),
            ("learn", Counter.LEARN_TIME),
            ("recheck", Counter.RECHECK_TIME),
            ("free", Counter.FREE_TIME),
            ("libFuzzer", Counter.LIBFUZZER_TIME),
            ("other", Counter.OTHER_TIME),
        )
    )
    rows = [
        (
            "executions",
            f"{progress[Counter.EXECUTIONS]} in {progress.seconds:.1f} s; "
            f"{progress.solved} solved, {progress.solved_per_second:.1f} a second" + _finishing(progress),
        ),
        ("mutants", progress.mutants),
        ("time", f"solver {progress.solver_share:.1%}, {shares}"),
        (
            "answers",
            f"sat {progress[Counter.SAT]}, unsat {progress[Counter.UNSAT]}, unknown {progress[Counter.UNKNOWN]}, "
            f"resource limit {progress[Counter.LIMIT]}, error {progress[Counter.ERROR]}, "
            f"hang {progress[Counter.HANG]}{_hung_units(progress, findings_folder)}"
            + (f", result {progress[Counter.RESULT]}" if progress[Counter.RESULT] else ""),
        ),
        (
            "not solved",
            f"{counted(progress[Counter.REPEATED], 'cached outcome')}, "
            f"{counted(progress[Counter.IDLE], 'step')} that changed nothing, "
            f"{counted(progress[Counter.REFUSED], 'unit')} rejected, "
            f"{counted(progress[Counter.UNSUPPORTED], 'system')} unsupported",
        ),
        *_model(progress),
        (
            "traces",
            f"{progress.unique_traces} unique, {progress.keys}, {progress[Counter.CUT_TRACES]} cut short",
        ),
        (
            "stability",
            f"{describe_stability(progress.stability)} of {counted(progress[Counter.RECHECKED], 'execution')} repeated"
            if progress[Counter.RECHECKED]
            else describe_stability(None),
        ),
        (
            "models",
            f"{progress[Counter.MODELS]} checked, {progress[Counter.MODELS_UNDECIDED]} of them undecided"
            + _in_part(progress),
        ),
        (
            "proofs",
            f"{progress[Counter.PROOFS]} checked, {progress[Counter.PROOFS_UNDECIDED]} of them undecided",
        ),
        (
            "others",
            f"{progress[Counter.SECOND_OPINIONS]} second opinions, "
            f"{progress[Counter.SECOND_UNDECIDED]} of them undecided",
        ),
        *_reserves(progress),
        *_solver_steps(progress),
        (
            "findings",
            f"{progress.found}, in {findings_folder}" if progress.findings or progress.before else "none",
        ),
        (
            "suspicions",
            ", ".join([f"{progress[Counter.SUSPICIONS]} in total", *_other_results(progress)]),
        ),
        ("seeds", describe_seeds(progress.seeds) + _at_limit(progress)),
        *((solver.name, solver.description()) for solver in progress.solvers),
        ("scope", _scope(progress)),
        ("next hour", progress.outlook.description()),
    ]
    if progress[Counter.OWN_ERRORS]:
        rows.append(("errors", f"{progress[Counter.OWN_ERRORS]} internal errors, in {findings_folder}/ours"))
    width = max(_LABEL, *(len(name) + 1 for name, _ in rows))
    lines = [f"  {name:<{width}}{text}" for name, text in rows]
    if columns is not None:
        indentation = " " * (width + 2)
        wrapping = textwrap.TextWrapper(
            max(columns, _NARROWEST), subsequent_indent=indentation, break_long_words=False, break_on_hyphens=False
        )
        lines = [wrapping.fill(line) for line in lines]
    return "\n".join(["chcfuzz: summary", *lines])


def _finishing(progress: Progress) -> str:
    return f"; then {progress.finishing_seconds:.1f} s of confirmation and triage" if progress.has_finished else ""


def _hung_units(progress: Progress, findings_folder: str) -> str:
    folder = Path(findings_folder, HANGS)
    return f" (units in {str(folder)!r})" if progress[Counter.HANG] and folder.is_dir() else ""


def _in_part(progress: Progress) -> str:
    number = progress[Counter.MODELS_IN_PART]
    return f", because all clauses cost more than solving: {number}" if number else ""


def _reserves(progress: Progress) -> list[tuple[str, str]]:
    """Return the row of the solvers in reserve, if there are answers that nothing else decides."""
    answers, queried = progress[Counter.RESERVE_ANSWERS], progress[Counter.RESERVE_QUERIED]
    used = f"queried for {queried} of {counted(answers, 'answer')} that nothing else decides"
    decided, seconds = progress[Counter.RESERVE_DECIDED], progress[Counter.RESERVE_TIME] / 1e9
    rest = f"(budget: {progress.reserve_budget}); {decided} decided, {seconds:.1f} s"
    return [("reserves", f"{used} {rest}")] if answers else []


def _solver_steps(progress: Progress) -> list[tuple[str, object]]:
    judged, undecided = progress[Counter.STEPS_JUDGED], progress[Counter.STEPS_UNDECIDED]
    unstable = f"{progress[Counter.STEPS_UNSTABLE]} unstable"
    return (
        [("solver steps", f"judged in {counted(judged, 'run')}, {undecided} of them undecided, {unstable}")]
        if judged
        else []
    )


def _model(progress: Progress) -> list[tuple[str, str]]:
    """Return the row of the model of formulas, if it drew roots."""
    drawn, every = progress[Counter.MODEL_ROOTS], progress[Counter.OTHER_ROOTS]
    return [("model", f"drew {drawn} of {every} new roots")] if drawn else []


def _scope(progress: Progress) -> str:
    default, accepted = progress.scope_shares
    text = f"{default:.0%} of the solver's time under default parameters, {accepted:.0%} under at most one switch"
    rare = ", ".join(f"{name} ({kind})" for name, kind in progress.full_switches)
    return f"{text}; drawn rarely, because enough findings need it alone: {rare}" if rare else text


def _other_results(progress: Progress) -> list[str]:
    """Return descriptions of the suspicions that are not findings."""
    results = [counted(progress.alike - progress.counted, "duplicate")]
    if progress.counted:
        results.append(f"{progress.counted} only counted")
    if progress.vanished:
        results.append(f"{sum(progress.vanished.values())} not reproduced ({describe_kinds(progress.vanished)})")
    for name, noun, rest in (
        (OTHERS, "error", " of another solver"),
        (STATUSES, "seed", " with a wrong declared status"),
        (FAILED, "confirmation", " failed"),
    ):
        results += [f"{counted(progress.queue[name], noun)}{rest}"] if progress.queue.get(name) else []
    return [*results, f"{progress.waiting} not confirmed yet{progress.waiting_kinds}"]


def _at_limit(progress: Progress) -> str:
    return f"; {progress.at_limit} not decided within the resource limit" if progress.at_limit else ""


def advice_on_limits(at_limit: int, seeds: int, limit: int) -> str:
    """Return a line if most seeds of a campaign are not decided within their resource limits; `limit` is the usual one.

    Empty if most are decided.
    """
    if 2 * at_limit <= seeds:
        return ""
    verb = "is" if at_limit == 1 else "are"
    return (
        f"{at_limit} of {counted(seeds, 'seed')} {verb} not decided within {limit:,} resource units (--rlimit), so "
        "nothing is expected of their mutants; the campaign tries them with more (--hard-seeds); a larger "
        "--rlimit, with --wall-seconds, or smaller seeds help at once"
    )


def describe_seeds(seeds: Mapping[Ground, int]) -> str:
    """Return a description of the seeds by the ground of their answers."""
    total = sum(seeds.values())
    shown = {
        Ground.DECLARED: "declared by the file",
        Ground.WITNESS: "proved by a checked witness",
        Ground.AGREED: "answered by two projects or more",
        Ground.ANSWER: "answered by the solver under test alone",
        Ground.NONE: "unknown",
    }
    grounds = ", ".join(f"{seeds[ground]} {text}" for ground, text in shown.items() if seeds.get(ground))
    return f"status of {counted(total, 'seed')}: {grounds}" if total else "no seeds yet"
