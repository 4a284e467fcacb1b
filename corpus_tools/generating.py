"""Generate seeds: systems that are made together with their witness, and optionally are hard for the solver.

A seed gets the status that its witness proves, once that was checked: `define-fun`s of a model, or the steps of a
refutation. Witnesses go to a folder next to the seeds, because libFuzzer reads every file in the folder of seeds. The
same random seed makes the same files.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from chcfuzz.domains.protocol import Roots
from chcfuzz.execution.child_process import ChildError, run_in_child
from chcfuzz.execution.domain import load
from chcfuzz.execution.files import beside, write_whole
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.execution.worker_pool import WALL_FACTOR
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.solvers.made import Effort, MadeProblem
from chcfuzz.solvers.watchdog import Watchdog

_MAX_TRIES = 50  # for each system that is requested
_SUFFIXES = {"sat": "model", "unsat": "derivation"}


@dataclass(frozen=True)
class GenerateOptions:
    """Options for generating seeds.

    `count` systems of each of `statuses` are written to the folder `into`. Spacer must need `levels` levels for them;
    it does not run if this is 0.
    """

    into: Path
    count: int
    statuses: tuple[str, ...]
    theories: tuple[str, ...] | None
    seed: int
    levels: int

    @property
    def witnesses(self) -> Path:
        """Folder of the witnesses, next to `into`."""
        return beside(self.into, ".witnesses")


@dataclass
class Generation:
    """The systems of one status: sizes of those that are written, the solver's answers to all, and its effort.

    `contradictions` are lines on systems where the solver or the check of the witness contradicts the witness.
    """

    bytes: list[int] = field(default_factory=list)
    answers: Tally[str] = field(default_factory=Tally)
    efforts: list[Effort] = field(default_factory=list)
    contradictions: list[str] = field(default_factory=list)


Progress = Callable[[str, int], None]  # the status, and the number of systems that are written


def generate_seeds(
    options: GenerateOptions, solving: Solving, on_progress: Progress = lambda _status, _done: None
) -> dict[str, Generation]:
    """Write the systems and their witnesses; raises `UsageError` if a folder cannot be written."""
    try:
        for folder in (options.into, options.witnesses):
            folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write seeds to {str(options.into)!r}: {error.strerror}") from error
    found = {status: Generation() for status in options.statuses}
    for status, generation in found.items():
        on_progress(status, 0)
        for number in range(options.count * (_MAX_TRIES if options.levels else 1)):
            _generate_one(status, number, generation, options, solving)
            on_progress(status, len(generation.bytes))
            if len(generation.bytes) == options.count:
                break
    return found


def draw_roots(into: Path, count: int, seed: int, roots: Roots, draw: Callable[[Choices], BaseProblem]) -> list[int]:
    """Write different problems that `draw` draws, as the roots of their domain print them; return their sizes in bytes.

    There are fewer than `count` if many problems are equal. Raises `UsageError` if the folder cannot be written.
    """
    try:
        into.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write seeds to {str(into)!r}: {error.strerror}") from error
    texts: dict[str, None] = {}
    for number in range(_MAX_TRIES * count):
        if len(texts) == count:
            break
        text = roots.print(draw(Choices(b"", f"{seed} drawn {number}".encode())))
        if text in texts:
            continue
        try:
            write_whole(into / f"drawn-{seed}-{len(texts):05}.smt2", text.encode())
        except OSError as error:
            raise UsageError(f"cannot write seeds to {str(into)!r}: {error.strerror}") from error
        texts[text] = None
    return [len(text) for text in texts]


def _generate_one(status: str, number: int, generation: Generation, options: GenerateOptions, solving: Solving) -> None:
    choices = Choices(b"", f"{options.seed} {status} {number}".encode())
    made = load(solving.domain).made(status, choices, options.theories)
    name = f"{status}-{options.seed}-{number:05}"
    checked = _checked(made, options, solving)
    if checked.is_right is False:
        generation.contradictions.append(f"{name} is not written: its witness is wrong, which is an internal error")
        return
    if checked.effort is not None:
        generation.answers[checked.effort.answer] += 1
        if checked.effort.answer in _SUFFIXES and checked.effort.answer != status:
            generation.contradictions.append(f"{name}.smt2: the solver contradicts the witness")
        elif checked.effort.answer != status or checked.effort.levels < options.levels:
            return
        generation.efforts.append(checked.effort)
    _write(made, status, name, options)
    generation.bytes.append(len(made.text))


class CheckedWitness(msgspec.Struct, frozen=True):
    """Whether a witness is right, None if that is not decided, and the solver's effort if it ran."""

    is_right: bool | None
    effort: Effort | None


def _checked(made: MadeProblem, options: GenerateOptions, solving: Solving) -> CheckedWitness:
    """Check a problem in a child process: one that crashes the solver is undecided."""
    # On a busy machine, the limit of an execution decided: three seeds of five levels were not those of a quiet one.
    watchdog = Watchdog(WALL_FACTOR * solving.wall_seconds)

    def check() -> Any:
        cost = made.effort(solving.rlimit, watchdog) if options.levels else None
        return msgspec.to_builtins(CheckedWitness(made.is_right(watchdog), cost))

    try:
        return msgspec.convert(run_in_child(check), CheckedWitness)
    except ChildError:
        return CheckedWitness(None, Effort("unknown", 0, 0) if options.levels else None)


def _write(made: MadeProblem, status: str, name: str, options: GenerateOptions) -> None:
    """Write the witness, then the seed, so that a seed always has its witness."""
    try:
        write_whole(options.witnesses / f"{name}.{_SUFFIXES[status]}", made.witness.encode())
        write_whole(options.into / f"{name}.smt2", made.text.encode())
    except OSError as error:
        raise UsageError(f"cannot write {name!r} to {str(options.into)!r}: {error.strerror}") from error
