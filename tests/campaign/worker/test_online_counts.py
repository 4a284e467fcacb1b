"""Workers that learn formulas together, and the file that keeps what they have learned."""

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from chcfuzz.campaign.session.counters import Counter, WorkerCounters, worker_file
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.worker import online_counts
from chcfuzz.campaign.worker.online_counts import MERGED_EVERY, OnlineCounts
from chcfuzz.execution.solving import UsageError
from chcfuzz.grammar.reading.parse import problem
from chcfuzz.learning import active, model_file
from chcfuzz.learning.model_file import ModelError
from chcfuzz.learning.online import HALVED_EVERY
from chcfuzz.learning.places import CONTEXTS

PROBLEM = problem("(declare-const x Int)(assert (< (mod x 3) 1))")


@pytest.fixture(autouse=True)
def _empty_model() -> Iterator[None]:
    active.activate(active.NONE, learns=True)
    yield
    active.activate(active.NONE)


def executed(counts: OnlineCounts, number: int, learned: int = 1) -> None:
    for each in range(number):
        keys = np.array([each % 7, 100 + each], dtype=np.uint32)
        counts.executed(keys, PROBLEM if each < learned else None)


def mass() -> int:
    return int(active.counts().times.sum())


def test_a_worker_learns_after_a_fixed_number_of_executions(session: Session) -> None:
    counts = OnlineCounts(session)
    executed(counts, MERGED_EVERY - 1)
    assert mass() == 0
    executed(counts, 1)
    assert mass() > 0


def test_the_same_executions_teach_the_same(tmp_path: Path) -> None:
    found = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        active.activate(active.BUILT_IN, learns=True)
        executed(OnlineCounts(Session(tmp_path / name)), 3 * MERGED_EVERY, learned=40)
        found.append(active.counts())
    assert np.array_equal(found[0].numbers, found[1].numbers)
    assert np.array_equal(found[0].times, found[1].times)


def test_workers_learn_from_each_other_and_from_dead_ones(session: Session) -> None:
    executed(OnlineCounts(session), MERGED_EVERY)
    alone = mass()
    own = worker_file(session.folder, os.getpid(), "learned")
    own.rename(worker_file(session.folder, 4_000_000, "learned"))
    active.activate(active.NONE, learns=True)
    other = OnlineCounts(session)
    assert mass() == alone
    executed(other, MERGED_EVERY)
    assert mass() > alone


def test_a_worker_that_ends_early_has_taught_the_next_one(session: Session) -> None:
    executed(OnlineCounts(session), 1)
    assert mass() == 0
    OnlineCounts(session)
    assert mass() > 0


def test_files_of_workers_whose_counts_have_faded_are_removed(session: Session) -> None:
    executed(OnlineCounts(session), MERGED_EVERY)
    dead = worker_file(session.folder, 4_000_000, "learned")
    worker_file(session.folder, os.getpid(), "learned").rename(dead)
    WorkerCounters(session.folder).add(Counter.EXECUTIONS, 3 * HALVED_EVERY)
    OnlineCounts(session)
    assert dead.exists()
    WorkerCounters(session.folder).add(Counter.EXECUTIONS, 40 * HALVED_EVERY)
    active.activate(active.NONE, learns=True)
    OnlineCounts(session)
    assert not dead.exists()
    assert mass() == 0


def test_a_campaign_continues_with_what_was_kept(session: Session, tmp_path: Path) -> None:
    executed(OnlineCounts(session), MERGED_EVERY)
    learned = mass()
    online_counts.keep(tmp_path / "learned.model", session)
    kept = model_file.read(tmp_path / "learned.model")
    assert kept.counts.times.sum() == 16 * learned
    assert kept.about.nodes == learned // CONTEXTS > 0
    (tmp_path / "next").mkdir()
    later = Session(tmp_path / "next")
    online_counts.begin(tmp_path / "learned.model", later)
    active.activate(active.NONE, learns=True)
    OnlineCounts(later)
    assert mass() == learned
    online_counts.keep(tmp_path / "again.model", later)
    assert (tmp_path / "again.model").read_bytes() == (tmp_path / "learned.model").read_bytes()


def test_a_file_that_is_not_a_model_is_refused(session: Session, tmp_path: Path) -> None:
    online_counts.begin(tmp_path / "none", session)
    (tmp_path / "learned.model").write_text("something")
    with pytest.raises(ModelError, match="not a model"):
        online_counts.begin(tmp_path / "learned.model", session)
    with pytest.raises(UsageError, match="cannot write"):
        online_counts.keep(tmp_path / "gone" / "learned.model", session)
