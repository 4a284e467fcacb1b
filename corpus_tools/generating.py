"""`chcfuzz generate`: systems that are made with their witness become seeds, those alone that cost the solver a lot.

A seed's status stands on its witness, once that was checked: `define-fun`s of a model, or the steps of a refutation.
They lie beside the folder of seeds, because libFuzzer reads every file in that one. The same seed makes the same files.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any

from chcfuzz.execution.child_process import DiedError, apart
from chcfuzz.execution.files import write_whole
from chcfuzz.execution.seed_answers import GROUND_INFO, Ground
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printer import print_system
from chcfuzz.mutators.rewriting.generate import Generated, generated
from chcfuzz.oracles.model import check_text
from chcfuzz.oracles.refutation import fault
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.effort import Effort, effort
from chcfuzz.solvers.watchdog import Watchdog
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

_MOST_TRIES = 50  # for each that is wanted
_SUFFIXES = {"sat": "model", "unsat": "derivation"}


@dataclass(frozen=True)
class GenerateOptions:
    """`count` systems of each of `statuses` go `into` a folder. Spacer must need `levels`; where 0, it is not asked."""

    into: Path
    count: int
    statuses: tuple[str, ...]
    theories: tuple[str, ...] | None
    seed: int
    levels: int

    @property
    def witnesses(self) -> Path:
        """The folder beside `into` for the witnesses."""
        return self.into.with_name(self.into.name + ".witnesses")


@dataclass
class Tried:
    """What was made of one status: how much of what was written there is, and what it cost."""

    bytes: list[int] = field(default_factory=list)
    answers: Tally[str] = field(default_factory=Tally)
    efforts: list[Effort] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)  # where a witness and the solver, or our check of it, part: a line


def generate_seeds(options: GenerateOptions, solving: Solving, console: Console) -> dict[str, Tried]:
    """Write the systems and their witnesses; raises `UsageError` where that cannot be done."""
    try:
        for folder in (options.into, options.witnesses):
            folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write seeds to {str(options.into)!r}: {error.strerror}") from error
    found = {status: Tried() for status in options.statuses}
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, auto_refresh=False) as progress:  # no thread beside: `apart` forks
        for status, tried in found.items():
            task = progress.add_task(status, total=options.count)
            for number in range(options.count * (_MOST_TRIES if options.levels else 1)):
                _one(status, number, tried, options, solving)
                progress.update(task, completed=len(tried.bytes), refresh=number % 16 == 0)
                if len(tried.bytes) == options.count:
                    break
            progress.update(task, refresh=True)
    return found


def _one(status: str, number: int, tried: Tried, options: GenerateOptions, solving: Solving) -> None:
    choices = Choices(b"", f"{options.seed} {status} {number}".encode())
    made = generated(status, choices, options.theories)
    name = f"{status}-{options.seed}-{number:05}"
    text = print_system(made.system)
    seen = _looked_at(made, text, options, solving)
    if seen.check is VerdictKind.WRONG_MODEL:
        tried.wrong.append(f"{name} is not written: its witness is wrong, which is an error of ours")
        return
    if seen.effort is not None:
        tried.answers[seen.effort.answer] += 1
        if seen.effort.answer in _SUFFIXES and seen.effort.answer != status:
            tried.wrong.append(f"{name}.smt2: the solver says otherwise than its witness")
        elif seen.effort.answer != status or seen.effort.levels < options.levels:
            return
        tried.efforts.append(seen.effort)
    _write(made, name, Ground.WITNESS if seen.check is VerdictKind.PASS else Ground.DECLARED, options)
    tried.bytes.append(len(text))


@dataclass(frozen=True)
class _Seen:
    """What the check of a witness says (`WRONG_MODEL` of either kind of it), and what the solver needed, if asked."""

    check: VerdictKind
    effort: Effort | None


def _looked_at(made: Generated, text: str, options: GenerateOptions, solving: Solving) -> _Seen:
    """In a process of its own: a system that Z3 dies of is one that nobody decides."""
    watchdog = Watchdog(solving.wall_seconds)

    def look() -> dict[str, Any]:
        cost = asdict(effort(text, solving.rlimit, watchdog)) if options.levels else None
        return {"check": _check(made, watchdog).value, "effort": cost}

    try:
        said = apart(look)
    except DiedError:
        return _Seen(VerdictKind.UNDECIDED, Effort("unknown", 0, 0) if options.levels else None)
    return _Seen(VerdictKind(said["check"]), None if said["effort"] is None else Effort(**said["effort"]))


def _check(made: Generated, watchdog: Watchdog) -> VerdictKind:
    """The witness, clause by clause or step by step."""
    if made.refutation is None:
        return check_text(made.system, made.witness, watchdog).kind
    found = fault(made.system, made.refutation)
    if found is None:
        return VerdictKind.PASS
    return VerdictKind.WRONG_MODEL if found.certain else VerdictKind.UNDECIDED


def _write(made: Generated, name: str, ground: Ground, options: GenerateOptions) -> None:
    """The witness first: a seed that says it stands on one has it."""
    status = made.system.status or ""
    stands = ((GROUND_INFO, ground.value),) if ground is Ground.WITNESS else ()
    seed = replace(made.system, info=(*made.system.info, *stands))
    try:
        write_whole(options.witnesses / f"{name}.{_SUFFIXES[status]}", made.witness.encode())
        write_whole(options.into / f"{name}.smt2", print_system(seed).encode())
    except OSError as error:
        raise UsageError(f"cannot write {name!r} to {str(options.into)!r}: {error.strerror}") from error


def told(found: dict[str, Tried], options: GenerateOptions) -> Sequence[str]:
    """The result for people, a line each."""
    lines = []
    for status, tried in found.items():
        line = f"{len(tried.bytes)} {status} in {options.into}"
        if tried.bytes:
            line += f": {_spread(tried.bytes)} bytes"
        if tried.efforts:
            levels, lemmas = zip(*((each.levels, each.lemmas) for each in tried.efforts), strict=True)
            line += f", {_spread(levels)} levels, {_spread(lemmas)} lemmas"
        if tried.answers:
            said = ", ".join(f"{number} {answer}" for answer, number in sorted(tried.answers.items()))
            line += f" (of {tried.answers.total()} made: {said})"
        lines.append(line)
        lines += tried.wrong
    return lines


def _spread(numbers: Sequence[int]) -> str:
    """The median, and what a tenth is above."""
    ordered = sorted(numbers)
    return f"{median(ordered):g} (a tenth from {ordered[len(ordered) * 9 // 10]})"
