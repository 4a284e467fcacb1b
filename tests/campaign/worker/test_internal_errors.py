"""An internal error costs one execution and is kept; an error from outside ends the worker with one line."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.worker.internal_errors import FOLDER, MOST_ALIKE
from chcfuzz.campaign.worker.reporter import Reporter
from chcfuzz.campaign.worker.target import SolverFinding, Target
from chcfuzz.execution.solving import UsageError
from chcfuzz.execution.worker_pool import KilledError
from chcfuzz.mutators.recipe import decode, digest
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.outcome import Status
from chcfuzz.triage.examine.suspect import Suspect
from chcfuzz.triage.findings.store import FindingsError
from chcfuzz.triage.findings.suspicions import Suspicions

from tests.campaign.conftest import MORE_SAT, SAT, UNSAT

MakeOptions = Callable[..., Options]


def breaks(error: Exception) -> Callable[..., object]:
    def raising(*_: object, **__: object) -> object:
        raise error

    return raising


@pytest.fixture
def target(options: MakeOptions, session: Session) -> Target:
    options().findings.mkdir()
    return Target(options(), session)


def kept(options: MakeOptions) -> list[str]:
    folder = options().findings / FOLDER
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_it_is_kept_with_its_unit_told_and_counted_and_the_next_unit_runs(
    target: Target,
    session: Session,
    options: MakeOptions,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(target.context.pipeline, "execute", breaks(ValueError("a bug\nof ours")))
        target.test_one_input(SAT.encode())
    assert not target.counters.counters.any()
    folder = options().findings / FOLDER / digest(SAT.encode())
    assert (folder / "recipe").read_bytes() == SAT.encode()
    said = (folder / "traceback").read_text()
    assert said.startswith("while executing it\n")
    assert "ValueError: a bug\nof ours" in said
    (line,) = capsys.readouterr().err.splitlines()
    assert line == f"chcfuzz: internal error while executing it: ValueError: a bug of ours; see {folder}"
    target.test_one_input(UNSAT.encode())
    totals = session.counters.totals()
    assert (totals[Counter.EXECUTIONS], totals[Counter.OWN_ERRORS], totals[Counter.UNSAT]) == (2, 1, 1)
    assert totals[Counter.FAILED] == 1
    assert session.in_flight.take_from_dead() == []


def test_so_is_one_of_a_mutation_or_a_crossover(
    target: Target, options: MakeOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = SAT.encode(), UNSAT.encode()
    monkeypatch.setattr(target.mutations.mutator, "mutate", breaks(KeyError("x")))
    monkeypatch.setattr(target.mutations.mutator, "crossover", breaks(IndexError("y")))
    assert target.mutate(first, 50, 7, lambda data, _: data) == first[:50]
    assert target.crossover(second, first, 60, 8) == second[:60]
    tracebacks = {path.parent.name: path.read_text() for path in options().findings.glob(f"{FOLDER}/*/traceback")}
    assert "while mutating it with libFuzzer's seed 7" in tracebacks[digest(first)]
    assert f"while crossing it with {digest(first)} and libFuzzer's seed 8" in tracebacks[digest(second)]


def test_of_one_place_in_our_code_some_are_kept_and_all_counted(
    target: Target, session: Session, options: MakeOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(target.context.pipeline, "execute", breaks(ValueError()))
    for number in range(MOST_ALIKE + 3):
        target.test_one_input(SAT.encode() + b"; %d" % number)
    monkeypatch.setattr(target.context.pipeline, "execute", breaks(TypeError()))
    target.test_one_input(MORE_SAT.encode())
    assert len(kept(options)) == MOST_ALIKE + 1
    assert session.counters.totals()[Counter.OWN_ERRORS] == MOST_ALIKE + 4


def test_with_stop_on_finding_it_is_a_finding(
    options: MakeOptions, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    options().findings.mkdir()
    target = Target(options("--stop-on-finding"), session)
    monkeypatch.setattr(target.context.pipeline, "execute", breaks(ValueError()))
    with pytest.raises(SolverFinding, match="internal error"):
        target.test_one_input(SAT.encode())
    assert kept(options) == [digest(SAT.encode())]


def replace(owner: object, name: str, by: Callable[..., object]) -> None:
    setattr(owner, name, by)


def executing(target: Target, error: Exception) -> None:
    replace(target.context.pipeline, "execute", breaks(error))


def keeping_an_internal_error(target: Target, error: Exception) -> None:
    executing(target, ValueError())
    replace(target.context.session.internal_errors, "is_new", breaks(error))


def counting(target: Target, error: Exception) -> None:
    replace(target.context, "update_totals", breaks(error))


def suspecting(target: Target, error: Exception) -> None:
    recipe = decode(SAT.encode())
    mutant = target.context.pipeline.mutant(recipe)
    suspect = Suspect(recipe, mutant, Verdict("model", VerdictKind.WRONG_MODEL), Status.SAT)
    reporter = Reporter(target.context)
    replace(Suspicions, "add", breaks(error))
    replace(target.context.pipeline, "execute", lambda *_: reporter.report(suspect))


FULL, MANY = "No space left on device", "too many open files: a process may open "


@pytest.mark.parametrize(
    "case",
    [
        (executing, UsageError("no such thing"), "chcfuzz: no such thing\n"),
        (executing, OSError(errno.ENOSPC, FULL, "/some/file"), f"'/some/file': {FULL}"),
        (executing, OSError(errno.ENOSPC, FULL), f"'/some/tmp': {FULL}"),
        (executing, OSError(errno.EMFILE, "Too many open files"), MANY),
        (executing, KilledError("somebody kills the helper"), "chcfuzz: somebody kills the helper"),
        (keeping_an_internal_error, OSError(errno.EMFILE, "Too many open files"), MANY),
        (keeping_an_internal_error, OSError(errno.EACCES, "Permission denied"), "Permission denied"),
        (counting, OSError(errno.EMFILE, "Too many open files"), MANY),
        (suspecting, FindingsError(Path("/some/folder"), OSError(errno.ENOSPC, FULL)), "'/some/folder': No space left"),
    ],
)
def test_an_error_from_outside_ends_the_worker_with_one_line_and_its_unit_is_not_to_blame(
    target: Target, session: Session, options: MakeOptions, tmp_path: Path, case: tuple[Any, Exception, str]
) -> None:
    breaking, error, message = case
    said = tmp_path / "said"
    if os.fork() == 0:
        descriptor = os.open(said, os.O_WRONLY | os.O_CREAT)
        os.dup2(descriptor, 2)
        breaking(target, error)
        with open(2, "w", closefd=False) as stderr, pytest.MonkeyPatch.context() as patch:
            patch.setattr("sys.stderr", stderr)
            patch.setenv("TMPDIR", "/some/tmp")
            target.test_one_input(SAT.encode())
        os._exit(0)
    _, status = os.wait()
    assert os.waitstatus_to_exitcode(status) == 2
    assert message in said.read_text()
    assert len(said.read_text().splitlines()) == 1
    assert said.read_text() == f"chcfuzz: {session.exit_reason.read()}\n"
    assert not any((session.folder / f"worker-{os.getpid()}.input").read_bytes()[:8]), "a unit is in work"
    assert kept(options) == []
