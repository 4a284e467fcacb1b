"""Mutants take turns with the units of a corpus that is read, as a libFuzzer process calls the target."""

import signal
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from chcfuzz.campaign import corpus_folder
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.worker import reading_turns
from chcfuzz.campaign.worker.executor import Executed, Executor
from chcfuzz.campaign.worker.made_units import Origin
from chcfuzz.campaign.worker.mutations import Mutations
from chcfuzz.campaign.worker.outcomes import CachedOutcome
from chcfuzz.campaign.worker.target import Target
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.mutators.recipe import Unit, digest
from chcfuzz.solvers.outcome import Status
from chcfuzz.tracing.trace import NOTHING

from tests.campaign.conftest import ROOT, smaller_mutant

MakeOptions = Callable[..., Options]
SEED, QUIET = "-seed=5", "--second-opinion=0"
IN_TURN = 3


@pytest.fixture(autouse=True)
def _short_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mutants that the solver really executes are few."""
    monkeypatch.setattr(reading_turns, "MOST_IN_TURN", 1)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Nine cheap seeds of the project."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    for file in sorted((ROOT / "corpus" / "lia").glob("*.smt2"), key=lambda file: (file.stat().st_size, file.name))[:9]:
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


def started(options: MakeOptions, session: Session, *words: str) -> Target:
    given = options(QUIET, *words)
    given.findings.mkdir(exist_ok=True)
    return Target(given, session)


@pytest.fixture
def reading(options: MakeOptions, session: Session, corpus: Path) -> tuple[Target, Session, Path]:
    """A target that is to read the corpus."""
    return started(options, session, SEED, str(corpus)), session, corpus


def read_by(target: Target, corpus: Path, units: int = 9) -> None:
    """Call the target as libFuzzer does at its start."""
    for data in (b"", *list(corpus_folder.units([corpus]))[:units]):
        target.test_one_input(data)


def counted(session: Session, *counters: Counter) -> tuple[int, ...]:
    totals = session.counters.totals()
    return tuple(int(totals[counter]) for counter in counters)


@dataclass
class Costs:
    """Costs of each execution of a unit of the corpus and of a mutant, and the number of mutants."""

    unit: int = 0
    mutant: int = 0
    mutants: int = 0
    hang: CachedOutcome | None = None  # of each mutant


@pytest.fixture
def costs(monkeypatch: pytest.MonkeyPatch) -> Costs:
    """Costs instead of those of the solver, which runs for units alone."""
    execute, given = Executor.execute, Costs()

    def priced(executor: Executor, unit: Unit, made: Origin | None, always_stored: bool = False) -> Executed:
        if made is None:
            return replace(execute(executor, unit, made, always_stored), cost=given.unit)
        given.mutants += 1
        return Executed(None, cost=given.mutant, outcome=given.hang)

    monkeypatch.setattr(Executor, "execute", priced)
    monkeypatch.setattr(reading_turns, "MOST_IN_TURN", IN_TURN)
    return given


@pytest.mark.parametrize(
    ("unit", "mutant", "mutants"), [(10, 10, 8), (30, 10, 23), (10, 100, 1), (0, 0, 8), (1_000, 0, 8 * IN_TURN)]
)
def test_mutants_cost_as_much_as_the_units_that_were_read(
    unit: int, mutant: int, mutants: int, costs: Costs, reading: tuple[Target, Session, Path]
) -> None:
    costs.unit, costs.mutant = unit, mutant
    target, session, corpus = reading
    read_by(target, corpus)
    assert costs.mutants == mutants
    assert counted(session, Counter.EXECUTIONS) == (1 + 9,)
    assert len(session.claims) == 9
    assert not session.has_read.is_set


def test_a_mutant_that_hangs_ends_a_turn(costs: Costs, reading: tuple[Target, Session, Path]) -> None:
    costs.unit, costs.hang = 1_000, CachedOutcome(b"", "", Status.HANG, NOTHING, 0)
    target, _, corpus = reading
    read_by(target, corpus)
    assert costs.mutants == 8


@pytest.mark.parametrize(("timeout", "in_turn"), [(0, IN_TURN), (8, 1), (125, 2), (100_000, IN_TURN)])
def test_a_turn_is_short_if_libfuzzer_has_a_timeout(
    timeout: int, in_turn: int, options: MakeOptions, reading: tuple[Target, Session, Path], costs: Costs
) -> None:
    _, session, corpus = reading
    costs.unit = 1_000
    read_by(started(options, session, SEED, f"-timeout={timeout}", str(corpus)), corpus)
    assert costs.mutants == 8 * in_turn


def test_a_large_corpus_is_read_on_without_mutants(
    costs: Costs, reading: tuple[Target, Session, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_turns, "MOST_MUTANTS", 5)
    target, _, corpus = reading
    read_by(target, corpus)
    assert costs.mutants == 5


def test_cached_outcomes_cost_as_much_as_solved_ones(options: MakeOptions, tmp_path: Path, corpus: Path) -> None:
    counts = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        session = Session(tmp_path / name)
        read_by(started(options, session, SEED, str(corpus)), corpus)
        counts.append(counted(session, Counter.EXECUTIONS, Counter.REPEATED))
    assert counts[0][0] == counts[1][0] > 1 + 9
    assert counts[0][1] < counts[1][1]


def test_the_same_seed_repeats_the_same_mutants_and_another_seed_makes_others(
    options: MakeOptions, tmp_path: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[list[bytes]] = []
    mutate = Mutations.mutate_while_reading

    def noted(mutations: Mutations, *given: Any) -> bytes:
        made[-1].append(mutate(mutations, *given))
        return made[-1][-1]

    monkeypatch.setattr(Mutations, "mutate_while_reading", noted)
    for number, seed in enumerate((SEED, SEED, "-seed=6")):
        folder = tmp_path / f"session-{number}"
        folder.mkdir()
        target = started(options, Session(folder), seed, f"--findings={folder / 'found'}", str(corpus))
        made.append([])
        read_by(target, corpus)
    assert len(made[0]) > 1
    assert made[0] == made[1] != made[2]


def test_a_mutant_that_opened_a_trace_reaches_libfuzzer_when_the_corpus_is_read(
    options: MakeOptions, session: Session, corpus: Path, tmp_path: Path
) -> None:
    (grown := tmp_path / "grown").mkdir()
    session.unmerged.enable(grown)
    target = started(options, session, SEED, str(grown), str(corpus))
    read_by(target, corpus)
    opened = {file.read_bytes() for file in session.unmerged.files()}
    assert opened, "at least one of four neighbours has another trace than nine seeds"
    solved = counted(session, Counter.MUTANTS)
    handed = set()
    for number in range(len(opened)):
        data = target.mutate(b"", 1 << 20, number, lambda data, _: data)
        handed.add(data)
        target.test_one_input(data)
        assert target.counters.counters.any(), "libFuzzer sees the features of the mutant"
        (grown / digest(data)).write_bytes(data)  # as libFuzzer does
        target.test_one_input(b"")
    assert handed == opened
    assert counted(session, Counter.MUTANTS) == solved, "the outcome of a mutant is cached"
    assert session.unmerged.files() == []
    assert session.has_read.is_set


def test_a_new_worker_hands_over_the_mutants_that_a_dead_one_has_kept(
    options: MakeOptions, session: Session, corpus: Path, tmp_path: Path
) -> None:
    (grown := tmp_path / "grown").mkdir()
    session.unmerged.enable(grown)
    read_by(started(options, session, SEED, str(grown), str(corpus)), corpus)
    opened = {file.read_bytes() for file in session.unmerged.files()}
    second = started(options, session, SEED, str(grown), str(corpus))
    read_by(second, corpus)
    handed = {second.mutate(b"", 1 << 20, number, lambda data, _: data) for number in range(len(opened))}
    assert opened
    assert handed == opened


@pytest.mark.parametrize("by_another", [False, True])
def test_a_handed_over_mutant_stays_in_the_corpus_though_libfuzzer_replaces_it(
    options: MakeOptions, session: Session, corpus: Path, tmp_path: Path, by_another: bool
) -> None:
    (grown := tmp_path / "grown").mkdir()
    session.unmerged.enable(grown)
    target = started(options, session, SEED, str(grown), str(corpus))
    read_by(target, corpus)
    if by_another:
        target = started(options, session, SEED, str(grown), str(corpus))
        read_by(target, corpus)
    first = target.mutate(b"", 1 << 20, 0, lambda data, _: data)
    target.test_one_input(first)
    (grown / digest(first)).write_bytes(first)  # as libFuzzer does
    smaller = smaller_mutant(target, first)
    target.test_one_input(smaller)
    (grown / digest(first)).unlink()  # as libFuzzer does if the mutant takes the place
    (grown / digest(smaller)).write_bytes(smaller)
    target.test_one_input(b"")
    assert (grown / digest(first)).read_bytes() == first


def test_a_worker_that_replaces_another_one_after_the_reading_takes_no_turns(
    options: MakeOptions, session: Session, corpus: Path
) -> None:
    session.has_read.set()
    read_by(started(options, session, SEED, str(corpus)), corpus)
    assert counted(session, Counter.MUTANTS) == (0,)


@pytest.mark.parametrize(
    "words",
    [
        ("-runs=0",),
        ("-runs=10",),
        ("-fork=1",),
        ("-merge_control_file=x",),
        ("-seed_inputs=x",),
        ("--stop-on-finding",),
    ],
)
def test_processes_that_must_not_mutate_only_read(
    words: tuple[str, ...], options: MakeOptions, session: Session, corpus: Path
) -> None:
    read_by(started(options, session, SEED, *words, str(corpus)), corpus)
    assert counted(session, Counter.EXECUTIONS, Counter.MUTANTS) == (10, 0)


@pytest.fixture
def _own(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The corpus is the project's own, and libFuzzer is not ended."""
    monkeypatch.setattr(reading_turns, "load", lambda _domain: SimpleNamespace(seeds=corpus))
    monkeypatch.setattr("os.kill", lambda *_: None)


@pytest.mark.usefixtures("_own")
@pytest.mark.parametrize("runs", [1, 7])
def test_runs_cut_the_reading_of_the_projects_own_seeds(
    options: MakeOptions, session: Session, corpus: Path, runs: int, costs: Costs
) -> None:
    (grown := corpus.with_name("grown")).mkdir()
    target = started(options, session, SEED, f"-runs={runs}", str(grown), str(corpus))
    read_by(target, corpus)
    mutants = runs // 2
    assert (counted(session, Counter.EXECUTIONS), costs.mutants) == ((runs - mutants,), mutants)
    assert not target.counters.counters.any(), "libFuzzer keeps no unit that was skipped"


def test_mutants_between_units_are_counted_by_runs(
    options: MakeOptions, session: Session, corpus: Path, monkeypatch: pytest.MonkeyPatch, costs: Costs
) -> None:
    sent: list[int] = []
    monkeypatch.setattr("os.kill", lambda _, number: sent.append(number))
    target = started(options, session, SEED, "-runs=20", str(corpus))
    read_by(target, corpus)
    assert (counted(session, Counter.EXECUTIONS), costs.mutants) == ((10,), 8)
    for _ in range(2):
        assert sent == []
        target.test_one_input(target.mutate(BUILT_IN[0].encode(), 1 << 20, 1, lambda data, _: data))
    assert costs.mutants == 8 + 2
    assert sent == [signal.SIGUSR1], "libFuzzer, which has counted 12, is to end"


def test_a_mutant_that_killed_a_worker_is_not_executed_again(
    options: MakeOptions, session: Session, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = started(options, session, SEED, str(corpus))
    denied = BUILT_IN[3].encode()
    session.denylist.add(denied)
    monkeypatch.setattr(Mutations, "mutate_while_reading", lambda *_: denied)
    read_by(target, corpus)
    assert counted(session, Counter.EXECUTIONS, Counter.MUTANTS) == (10, 0)
    assert target.context.guard.denies(Unit(denied))
