"""Known answers of seeds: the better ground wins, and the answer is stored for the next process."""

import hashlib
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.execution import seed_answers
from chcfuzz.execution.seed_answers import FILE, GROUND_INFO, Ground, SeedAnswer, SeedAnswers, declared
from chcfuzz.execution.signed_tables import FOLDER

from tests.targets import SAFETY_NET
from tests.users import BecomeUser

DECLARED_SAT = BUILT_IN[0]
SILENT = DECLARED_SAT.replace("(set-info :status sat)\n", "")
ANSWERED = SeedAnswer("sat", Ground.ANSWER)
SHOWN = SeedAnswer("unsat", Ground.WITNESS, "0: clause 0 |- false\n")


def test_a_declared_status_is_known_without_asking() -> None:
    assert SeedAnswers().of(DECLARED_SAT) == SeedAnswer("sat", Ground.DECLARED)
    assert SeedAnswers().of(SILENT) is None


@pytest.mark.parametrize(
    ("said", "ground", "projects"),
    [("witness", "agreed", ("witness",)), ("answer", "answer", ()), ('"z3 cvc5"', "agreed", ("z3", "cvc5"))],
)
def test_a_text_may_weaken_its_ground_but_never_claims_a_checked_witness(
    said: str, ground: str, projects: tuple[str, ...]
) -> None:
    text = DECLARED_SAT.replace(":status sat)", f":status sat)\n(set-info :{GROUND_INFO} {said})")
    assert declared(text) == SeedAnswer("sat", Ground(ground), projects=projects)


def test_an_answer_is_kept_for_the_next_process_under_the_same_setting(tmp_path: Path) -> None:
    SeedAnswers(tmp_path, "here").note(SILENT, ANSWERED)
    assert SeedAnswers(tmp_path, "here").of(SILENT) == ANSWERED
    assert SeedAnswers(tmp_path, "elsewhere").of(SILENT) is None


def test_a_witness_holds_under_every_setting_and_is_believed_over_a_declared_status(tmp_path: Path) -> None:
    SeedAnswers(tmp_path, "here").note(DECLARED_SAT, SHOWN)
    assert SeedAnswers(tmp_path, "elsewhere").of(DECLARED_SAT) == SHOWN


def test_what_a_text_declares_is_parsed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = SeedAnswers(tmp_path, "here").of(DECLARED_SAT)
    monkeypatch.setattr(seed_answers, "declared", lambda _: pytest.fail("it is known"))
    assert SeedAnswers(tmp_path, "elsewhere").of(DECLARED_SAT) == first == SeedAnswer("sat", Ground.DECLARED)


@pytest.mark.parametrize("damage", ["status = 'unsat'", "ground = 'nonsense'", "signature = null"])
def test_a_damaged_row_is_not_believed_and_written_anew(
    tmp_path: Path, damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    declares = SeedAnswer("sat", Ground.DECLARED)
    assert SeedAnswers(tmp_path, "here").of(DECLARED_SAT) == declares
    with closing(sqlite3.connect(tmp_path / FOLDER / FILE)) as table, table:
        assert table.execute(f"update answered set {damage}").rowcount == 1
    assert SeedAnswers(tmp_path, "here").of(DECLARED_SAT) == declares
    monkeypatch.setattr(seed_answers, "declared", lambda _: pytest.fail("it is known again"))
    assert SeedAnswers(tmp_path, "here").of(DECLARED_SAT) == declares


def test_a_better_ground_is_not_given_up_for_a_weaker_one() -> None:
    answers = SeedAnswers()
    assert answers.note(DECLARED_SAT, SeedAnswer("unsat", Ground.ANSWER)) == SeedAnswer("sat", Ground.DECLARED)
    assert answers.note(DECLARED_SAT, SHOWN) == SHOWN
    assert answers.note(DECLARED_SAT, ANSWERED) == SHOWN


def test_what_another_process_has_found_is_noticed(tmp_path: Path) -> None:
    here, there = SeedAnswers(tmp_path, "a"), SeedAnswers(tmp_path, "b")
    assert here.of(DECLARED_SAT) == SeedAnswer("sat", Ground.DECLARED)
    there.note(DECLARED_SAT, SHOWN)
    assert here.of(DECLARED_SAT) == SHOWN


def test_what_is_known_here_stays_when_other_processes_write_and_the_table_has_lost_it(tmp_path: Path) -> None:
    here, there = SeedAnswers(tmp_path, "a"), SeedAnswers(tmp_path, "b")
    here.note(SILENT, SHOWN)
    there.note(DECLARED_SAT, SHOWN)
    with sqlite3.connect(tmp_path / ".outcomes" / "seeds.sqlite") as table:
        table.execute("delete from answered")
    assert here.of(SILENT) == SHOWN


def test_a_table_that_cannot_be_read_is_no_table(tmp_path: Path) -> None:
    (tmp_path / ".outcomes").mkdir()
    (tmp_path / ".outcomes" / "seeds.sqlite").write_bytes(b"no table at all, whatever it is called" * 30)
    answers = SeedAnswers(tmp_path, "here")
    assert answers.note(SILENT, ANSWERED) == ANSWERED
    assert answers.of(SILENT) == ANSWERED


def test_a_witness_that_another_chcfuzz_checked_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SeedAnswers(tmp_path, "here").note(DECLARED_SAT, SHOWN)
    assert SeedAnswers(tmp_path, "here").of(DECLARED_SAT) == SHOWN
    monkeypatch.setattr(seed_answers, "code_digest", lambda: "a repaired oracle")
    assert SeedAnswers(tmp_path, "here").of(DECLARED_SAT) == SeedAnswer("sat", Ground.DECLARED)


def test_an_answer_of_somebody_else_is_not_believed(tmp_path: Path, become_user: BecomeUser) -> None:
    for machine, known in (("there", SHOWN), ("here", SeedAnswer("sat", Ground.DECLARED))):
        become_user(tmp_path / machine)
        answers = SeedAnswers(tmp_path, "setting")
        if machine == "there":
            answers.note(DECLARED_SAT, SHOWN)
        assert SeedAnswers(tmp_path, "setting").of(DECLARED_SAT) == known


def test_the_answer_of_one_seed_does_not_move_to_another(tmp_path: Path) -> None:
    SeedAnswers(tmp_path, "setting").note(SILENT, SHOWN)
    with closing(sqlite3.connect(tmp_path / FOLDER / FILE)) as table, table:
        digest = hashlib.sha256(DECLARED_SAT.encode()).hexdigest()
        assert table.execute("update answered set seed = ?", (digest,)).rowcount == 1
    assert SeedAnswers(tmp_path, "setting").of(DECLARED_SAT) == SeedAnswer("sat", Ground.DECLARED)


@pytest.fixture
def writing(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Another process that writes to the table of the folder."""
    SeedAnswers(tmp_path, "here").note(DECLARED_SAT, SHOWN)
    with closing(sqlite3.connect(tmp_path / FOLDER / FILE, isolation_level=None, check_same_thread=False)) as table:
        table.execute("begin immediate")
        yield table


def waiting(monkeypatch: pytest.MonkeyPatch, seconds: float) -> list[float]:
    """Let connections wait for this time, and return a list of the times that they were to wait."""
    given: list[float] = []
    connect = sqlite3.connect

    def connected(*arguments: Any, **named: Any) -> sqlite3.Connection:
        given.append(named["timeout"])
        made: sqlite3.Connection = connect(*arguments, **{**named, "timeout": seconds})
        return made

    monkeypatch.setattr(sqlite3, "connect", connected)
    return given


def test_another_process_that_writes_is_waited_for(
    tmp_path: Path, writing: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = waiting(monkeypatch, SAFETY_NET)
    answers = SeedAnswers(tmp_path, "here")
    with ThreadPoolExecutor(1) as thread:
        noted = thread.submit(answers.note, SILENT, ANSWERED)
        time.sleep(0.1)
        writing.execute("commit")
        assert noted.result() == ANSWERED
    assert SeedAnswers(tmp_path, "here").of(SILENT) == ANSWERED
    assert set(given) == {2.0}


def test_an_answer_is_known_here_if_another_process_writes_for_too_long(
    tmp_path: Path, writing: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting(monkeypatch, 0.0)
    answers = SeedAnswers(tmp_path, "here")
    assert answers.note(SILENT, ANSWERED) == ANSWERED
    writing.execute("rollback")
    assert answers.of(SILENT) == ANSWERED
    assert SeedAnswers(tmp_path, "here").of(SILENT) is None
