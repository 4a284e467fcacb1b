"""The time and the runs of a campaign, and its reserve for confirmation and triage."""

import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.supervisor.workers import StopReason, Workers
from chcfuzz.execution.exit_codes import EXIT_STUCK


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that the module sees, in its only element."""
    now = [100.0]
    monkeypatch.setattr("chcfuzz.campaign.supervisor.workers.time.monotonic", lambda: now[0])
    return now


@pytest.mark.parametrize(("total", "reserve"), [(4, 1.0), (60, 10.0), (600, 60.0), (36_000, 120.0)])
def test_a_tenth_of_the_time_is_reserved_within_bounds(
    options: Callable[..., Options], tmp_path: Path, total: int, reserve: float
) -> None:
    assert Workers(Path(), options(f"-max_total_time={total}"), Session(tmp_path)).reserve(120.0) == reserve


def test_without_a_limit_no_time_is_left_to_count(options: Callable[..., Options], tmp_path: Path) -> None:
    assert Workers(Path(), options("-runs=5"), Session(tmp_path)).seconds_left is None


@pytest.mark.parametrize(("total", "last"), [(100, 10), (86_400, 30)])
def test_a_worker_is_replaced_until_a_tenth_of_the_time_is_left_or_thirty_seconds(
    options: Callable[..., Options], tmp_path: Path, clock: list[float], total: int, last: int
) -> None:
    workers = Workers(Path(), options(f"-max_total_time={total}"), Session(tmp_path))
    clock[0] += total - last - 1
    assert not workers.time_is_over
    clock[0] += 2
    assert workers.time_is_over


def test_time_after_the_last_worker_is_not_time_of_fuzzing(
    options: Callable[..., Options], tmp_path: Path, clock: list[float]
) -> None:
    script = tmp_path / "worker.py"
    script.write_text("")
    workers = Workers(script, options("-max_total_time=60"), Session(tmp_path))
    workers.run(lambda: None, lambda _units: False)
    assert workers.seconds == 0, "the clock stood still"
    clock[0] += 20
    assert (workers.seconds, workers.finishing_seconds) == (0, 20)
    assert workers.seconds_left == 40, "of -max_total_time, which bounds both"


def test_ctrl_c_ends_the_confirmation_after_the_end_of_the_time(
    options: Callable[..., Options], tmp_path: Path
) -> None:
    workers = Workers(Path(), options("-max_total_time=60"), Session(tmp_path))
    workers.stop(StopReason.TIME)
    workers.stop(StopReason.USER)
    signal.alarm(0)
    assert workers.stopped_by is StopReason.USER, "is_in_a_hurry looks at it"
    workers.stop(StopReason.TIME)
    signal.alarm(0)
    assert workers.stopped_by is StopReason.USER


def run_dying_workers(options: Options, session: Session, script: Path, *workers: tuple[int, int]) -> list[int]:
    """Run workers until one does all of its runs; return the `-runs` of each.

    `workers` are those that die: their executions, and how many of these read a unit again.
    """
    script.write_text(
        "import os, pathlib, sys\n"
        "from chcfuzz.campaign.session.counters import Counter, WorkerCounters\n"
        "from chcfuzz.campaign.session.session import Session\n"
        "session = Session.from_environment()\n"
        "(runs,) = (int(word[6:]) for word in sys.argv if word.startswith('-runs='))\n"
        "log = pathlib.Path(__file__).with_name('runs')\n"
        "number = len(log.read_text().split()) if log.exists() else 0\n"
        "log.open('a').write(f'{runs} ')\n"
        f"done, again = dict(enumerate({list(workers)})).get(number, (runs, 0))\n"
        "counters = WorkerCounters(session.folder)\n"
        "counters.add(Counter.EXECUTIONS, done)\n"
        "counters.add(Counter.READ_AGAIN, again)\n"
        "session.has_read.set()\n"
        f"os._exit({EXIT_STUCK} if number < {len(workers)} else 0)\n"
    )
    Workers(script, options, session).run(lambda: None, lambda _: False)
    return [int(runs) for runs in script.with_name("runs").read_text().split()]


@pytest.fixture
def three_units(tmp_path: Path) -> Path:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for number in range(3):
        (corpus / f"{number}").write_text("unit")
    return corpus


def test_units_that_a_later_worker_reads_again_do_not_count_as_runs(
    options: Callable[..., Options], session: Session, tmp_path: Path, three_units: Path
) -> None:
    limited = options("-runs=10", str(three_units))
    runs = run_dying_workers(limited, session, tmp_path / "worker.py", (6, 1), (5, 4))
    assert runs == [10, 8, 7], "four of ten are left, then three, and four units are read again"


def test_a_solver_that_dies_of_each_unit_does_not_extend_the_runs(
    options: Callable[..., Options], session: Session, tmp_path: Path, three_units: Path
) -> None:
    limited = options("-runs=5", str(three_units))
    runs = run_dying_workers(limited, session, tmp_path / "worker.py", *[(1, 0)] * 4)
    assert runs == [5, 8, 7, 6, 5], "the next worker skips a unit that has killed one, and does not read it again"


def test_a_unit_that_several_workers_read_counts_once(
    options: Callable[..., Options], session: Session, tmp_path: Path, three_units: Path
) -> None:
    limited = options("--workers=2", "-runs=10", str(three_units))
    runs = run_dying_workers(limited, session, tmp_path / "worker.py")
    assert runs == [7, 7], "each has five runs, two of which are units that it shares; libFuzzer reads two more again"


def test_the_seed_of_a_later_worker_is_never_a_random_one(
    options: Callable[..., Options], session: Session, tmp_path: Path
) -> None:
    script = tmp_path / "worker.py"
    script.write_text(
        "import pathlib, sys\n"
        "(seed,) = (word for word in sys.argv if word.startswith('-seed'))\n"
        "pathlib.Path(__file__).with_name(seed).touch()"
    )
    Workers(script, options("--workers=2", "-runs=2", f"-seed={2**32 - 1}"), session).run(lambda: None, lambda _: False)
    assert sorted(path.name for path in tmp_path.glob("-seed*")) == ["-seed=1", "-seed=4294967295"]
