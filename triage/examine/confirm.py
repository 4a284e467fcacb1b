"""The confirming process: it examines a suspicion afresh, so that no state of a campaign can influence the result.

`python -m chcfuzz.triage.examine.confirm` is that process. It sends `messages`, so that everything it has found before
its death is known. `confirm` starts it. If a run kills the process, `confirm` starts it again without that run,
and the death becomes a suspicion of its own. Resource limits end the runs; the wall clock is only a safety net.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import msgspec
from chcfuzz.execution.channel import Channel, NewChannel
from chcfuzz.execution.child_process import ChildProcess, ProcessExit
from chcfuzz.execution.domain import load, with_selection
from chcfuzz.execution.exit_codes import EXIT_STUCK
from chcfuzz.execution.identity import solver_key
from chcfuzz.execution.reports import RunReport, UnitReport
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import WALL_FACTOR
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.mutators.recipe import encode, trivial_like
from chcfuzz.oracles.verdict import VerdictKind, is_wrong_step
from chcfuzz.solvers.process import die_with_parent
from chcfuzz.solvers.process_group import Streams
from chcfuzz.triage.examine.conclusion import Conclusion, End, Reproduction
from chcfuzz.triage.examine.finding_scope import LIKE_PREPROCESSING, Standing, standing
from chcfuzz.triage.examine.messages import Began, Concluded, Described, Message, Request, RunFinished, RunReported
from chcfuzz.triage.examine.signature import Signature, seed_digest, without_numbers
from chcfuzz.triage.examine.suspicion import Suspicion

_CRASH = VerdictKind.CRASH.value
_GIVEN = "given"  # the name of the run of the unit itself
_MOST_DEATHS = 20  # of one examination, before it is given up
_SECONDS = 7200.0  # limit of the wall clock for one process

Register = Callable[[ChildProcess], None]


class ConfirmError(ChcfuzzError):
    """An examination that failed: an internal error, or the wall clock. The suspicion is kept."""


@dataclass(frozen=True)
class Confirmation:
    """The result of confirming a suspicion.

    `described` is the unit of the conclusion. `given` is the report on its execution, None if the process died of it.
    `deaths` are suspicions about other runs that killed the process. `reproductions` are the runs of released solvers
    on the text of the unit.
    """

    suspicion: Suspicion
    conclusion: Conclusion
    described: Described
    given: RunReport | None = None
    deaths: tuple[Suspicion, ...] = ()
    reproductions: tuple[Reproduction, ...] = ()

    @property
    def end(self) -> End:
        """The end of the examination, which decides what becomes of the suspicion."""
        return self.conclusion.end

    @property
    def unit(self) -> bytes:
        """The unit without the parameters that it does not need."""
        return self.conclusion.unit

    @property
    def signature(self) -> Signature:
        """The deduplication signature."""
        return self.conclusion.signature

    @property
    def description(self) -> UnitReport:
        """The report on the unit."""
        return self.described.unit

    @property
    def standing(self) -> Standing:
        """The severity, and whether maintainers want a report."""
        described, signature = self.described, self.signature
        switches, unsupported = described.switches, described.unsupported
        found = standing(signature.kind, switches, signature.known, unsupported, described.experimental)
        found = found.allowed(described.allowed)
        return found.like(LIKE_PREPROCESSING) if signature.is_cured_by_inlining else found


@dataclass(frozen=True)
class _Attempt:
    """One confirming process that has ended: its messages, its exit, and the last line of its standard error."""

    messages: tuple[Message, ...]
    exit: ProcessExit
    error: str

    @property
    def described(self) -> Described | None:
        """The last description: that of the unit without the parameters that it does not need."""
        return next((each for each in reversed(self.messages) if isinstance(each, Described)), None)

    @property
    def conclusion(self) -> Conclusion | None:
        """The conclusion, None for a process that did not reach it."""
        return next((each.conclusion for each in self.messages if isinstance(each, Concluded)), None)

    @property
    def given(self) -> RunReport | None:
        """The last report on the execution of the unit itself."""
        reports = [each.report for each in self.messages if isinstance(each, RunReported)]
        return next((report for report in reversed(reports) if report.run == _GIVEN), None)

    @property
    def fatal(self) -> Began | None:
        """The last run that began and did not finish."""
        finished = {each.run for each in self.messages if isinstance(each, RunFinished)}
        began = [each for each in self.messages if isinstance(each, Began)]
        return next((each for each in reversed(began) if each.run not in finished), None)


@dataclass(frozen=True)
class _Confirming:
    """Starts confirming processes for a suspicion; `register` receives each of them."""

    suspicion: Suspicion
    solving: Solving
    register: Register | None
    full: Sequence[str] = ()
    without: list[str] = field(default_factory=list)  # runs that killed an earlier process

    def attempt(self) -> _Attempt:
        """Run one process to its end; raises `ConfirmError` if somebody else has ended it."""
        request = Request(self.suspicion.written(), tuple(self.without), tuple(self.full))
        new = NewChannel()
        words = ["-m", "chcfuzz.triage.examine.confirm", *self.solving.arguments]
        with tempfile.TemporaryFile("w+", errors="replace") as errors:
            streams = Streams(subprocess.DEVNULL, subprocess.DEVNULL, errors.fileno(), (new.descriptor,))
            process = ChildProcess(words, streams, new.environment)
            channel = new.started()
            try:
                if self.register is not None:
                    self.register(process)
                with suppress(OSError):  # a process that has died already is detected below
                    channel.send(request)
                received: list[Message]
                received = channel.receive_all(Message, _SECONDS)  # type: ignore[arg-type]  # a union is a type here
                ended = process.reap()
            except TimeoutError as error:
                raise ConfirmError(f"no end after {_SECONDS:.0f} s") from error
            finally:
                process.end()
                channel.close()
            errors.seek(0)
            lines = errors.read().strip().splitlines()[-1:]
        if ended.is_from_outside:
            raise ConfirmError(f"the confirming process {ended.description}, from outside")
        return _Attempt(tuple(received), ended, lines[0] if lines else f"it {ended.description}")


def confirm(
    suspicion: Suspicion, solving: Solving, register: Register | None = None, full: Sequence[str] = ()
) -> Confirmation:
    """Examine a suspicion in a fresh process; raises `ConfirmError` if that fails.

    `register` is called with each process that is started, so that the caller can end it. `full` names the signatures
    that have enough findings.
    """
    confirming = _Confirming(suspicion, solving, register, full)
    deaths: list[Suspicion] = []
    while True:
        attempt = confirming.attempt()
        described, conclusion, fatal = attempt.described, attempt.conclusion, attempt.fatal
        if conclusion is not None and described is not None:
            return Confirmation(suspicion, conclusion, described, attempt.given, tuple(deaths))
        gives_up = not attempt.exit.is_solver_death or len(confirming.without) == _MOST_DEATHS
        if gives_up or fatal is None or described is None:
            raise ConfirmError(f"the confirming process failed: {attempt.error}")
        if fatal.run == _GIVEN:
            return _killed_by_unit(confirming, attempt.exit, described)
        confirming.without.append(fatal.run)
        if fatal.unit is not None and attempt.exit.code != EXIT_STUCK:
            deaths.append(_death_of(fatal.unit, confirming))


def _death_of(unit: bytes, confirming: _Confirming) -> Suspicion:
    """Return the suspicion of the solver whose death ends the process."""
    suspicion, solving = confirming.suspicion, confirming.solving
    selection = load(solving.domain).inside(solving)
    killed = with_selection(unit, selection)
    key = solver_key(solving, selection) if selection else suspicion.solver
    return Suspicion(killed, _CRASH, solving=suspicion.solving, solver=key, theories=suspicion.theories)


def _killed_by_unit(confirming: _Confirming, ended: ProcessExit, described: Described) -> Confirmation:
    """Return the result for a unit that kills the fresh process, or on which the solver ignores its limits."""
    suspicion = confirming.suspicion
    if ended.code == EXIT_STUCK:
        return _concluded(confirming, described, End.VANISHED, "the solver ignores its limits on it")
    dies = ended.as_death
    if suspicion.kind != _CRASH:
        death = _death_of(suspicion.unit, confirming)
        crash = replace(death, detail=dies, fault=dies, seed=suspicion.seed, before=suspicion.before)
        gone = _concluded(confirming, described, End.VANISHED, f"the solver dies of it instead: {dies}")
        return replace(gone, deaths=(crash,))
    for pair in suspicion.recipe.options:
        recipe = suspicion.recipe
        smaller = replace(recipe, parameters=tuple(other for other in recipe.parameters if other != pair))
        again = replace(suspicion, unit=encode(smaller))
        same = _dying_alike(replace(confirming, suspicion=again), ended)
        if same is not None:
            suspicion, described = again, same
    trivial = replace(suspicion, unit=encode(trivial_like(suspicion.recipe)))
    if _dying_alike(replace(confirming, suspicion=trivial), ended) is not None:
        described = msgspec.structs.replace(described, theories=())  # it dies of everything
    return _concluded(replace(confirming, suspicion=suspicion), described, End.CONFIRMED, dies)


def _dying_alike(confirming: _Confirming, ended: ProcessExit) -> Described | None:
    """Return the description of a unit if it kills the process in the same way, else None."""
    attempt = replace(confirming, full=(), without=[]).attempt()
    dies_again = attempt.exit == ended and not any(isinstance(each, RunReported) for each in attempt.messages)
    return attempt.described if dies_again else None


def _concluded(confirming: _Confirming, described: Described, result: End, words: str) -> Confirmation:
    """Return a result that the process could not print itself."""
    suspicion, recipe = confirming.suspicion, confirming.suspicion.recipe
    names = tuple(name for name, _ in recipe.in_force)
    signature = Signature(
        suspicion.kind,
        default=not names,
        seed=seed_digest(recipe.seed),
        parameters=names,
        detail=without_numbers(words),
        solver=described.solver,
        theories=described.theories,
    )
    return Confirmation(suspicion, Conclusion(result, suspicion.kind, words, suspicion.unit, signature), described)


def main() -> None:
    """Examine the suspicion that the parent sends, and send messages about it."""
    flags = argparse.ArgumentParser()
    Solving.add_flags(flags)
    given = flags.parse_args()
    solving = replace(Solving.of(given), wall_seconds=WALL_FACTOR * given.wall_seconds)
    die_with_parent()  # a worker that confirms is killed at the end of the campaign's time
    solving.activate()
    channel = Channel.inherited()
    request = channel.receive(Request)
    if request is None:
        return
    from chcfuzz.execution.domain import load
    from chcfuzz.execution.pipeline import Pipeline, describe
    from chcfuzz.execution.seed_answers import SeedAnswers
    from chcfuzz.mutators.recipe import Recipe
    from chcfuzz.triage.examine.examination import Examination
    from chcfuzz.triage.examine.runs import Runs

    suspicion = Suspicion.read(request.suspicion)
    assert suspicion is not None
    recipe = suspicion.recipe
    answers = SeedAnswers()
    if suspicion.seed is not None:
        answers.note(recipe.seed, suspicion.seed)
    pipeline = Pipeline(solving, answers=answers, judges_steps=is_wrong_step(suspicion.kind))
    domain = load(solving.domain)
    solver = solver_key(solving, recipe.parameters)

    def described(recipe: Recipe) -> Described:
        mutant = pipeline.mutant(recipe)
        switches = tuple(name for name, _ in recipe.in_force if domain.is_switch(name))
        experimental = any(map(domain.is_experimental, switches))
        problem = mutant.problem
        theories = tuple(sorted(problem.theories))
        unsupported = domain.unsupported_in(problem)
        unit = describe(recipe, mutant)
        solvers = domain.releases(solving, recipe.parameters, unit.z3)
        text = domain.input_in_place(problem, solvers, mutant.parameters)
        allowed = domain.allowed_words(switches)
        return Described(unit, unsupported, experimental, switches, theories, solver, solvers, text, allowed)

    channel.send(described(recipe))
    runs = Runs(pipeline, solving.rlimit, frozenset(request.without), channel.send)
    search = domain.witness_search(runs, solving, suspicion.seed)
    conclusion = Examination(suspicion, recipe, runs, search, frozenset(request.full)).examine(solver)
    if conclusion.recipe != recipe:
        channel.send(described(conclusion.recipe))
    channel.send(Concluded(conclusion))


if __name__ == "__main__":
    main()
