"""Temperatures and uniform shares are credited with the executions of the texts that were drawn with them."""

import os

import numpy as np
from chcfuzz.campaign.session.counters import Counter, WorkerCounters, worker_file
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.worker.temperings import TemperingCredits
from chcfuzz.grammar.choices import Choices
from chcfuzz.learning import active
from chcfuzz.learning.tempering import ROWS
from chcfuzz.mutators.recipe import Recipe, Step

SEED = "(assert true)"


def drawn(text: bytes) -> Step:
    active.activate(active.BUILT_IN)
    assert active.drawn(Choices(b"", text)) is not None
    active.temperings.note(text)
    active.activate(active.NONE)
    return Step("smt_learned.assertion", text)


def table(session: Session) -> list[list[int]]:
    path = worker_file(session.folder, os.getpid(), "temperings")
    return np.fromfile(path, dtype=np.int64).reshape(ROWS, 2).tolist()


def test_only_texts_that_were_added_are_credited(session: Session) -> None:
    credits = TemperingCredits(session, WorkerCounters(session.folder))
    old, new, other = drawn(b"old"), drawn(b"new"), Step("boolean.dup-and", b"\0")
    credits.credit(Recipe(SEED, (old,)), Recipe(SEED, (old, other)), True)
    assert sum(map(sum, table(session))) == 0
    credits.credit(Recipe(SEED, (old,)), Recipe(SEED, (old, new, other)), True)
    credits.credit(Recipe(SEED, (old,)), Recipe(SEED, (new,)), False)
    first, second = active.temperings.rows_of(b"new")
    assert table(session)[first] == table(session)[second] == [2, 1]
    assert sum(map(sum, table(session))) == 6


def test_a_drawn_root_is_credited_and_counted(session: Session) -> None:
    drawn(b"(assert false)")
    credits = TemperingCredits(session, WorkerCounters(session.folder))
    for before, after in ((SEED, "(assert false)"), (SEED, "(assert (not true))"), ("(assert false)",) * 2):
        credits.credit(Recipe(before), Recipe(after), False)
    assert sum(map(sum, table(session))) == 2
    totals = session.counters.totals()
    assert (totals[Counter.MODEL_ROOTS], totals[Counter.OTHER_ROOTS]) == (1, 2)
