"""Numbers under names add up over workers, in any order."""

import itertools
import os
import subprocess
import sys
from collections import Counter as Tally
from pathlib import Path

import pytest
from chcfuzz.campaign.session import tallies
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.session.tallies import Tallies

OTHER = """
import sys
from pathlib import Path
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.session.tallies import Tallies
other = Tallies(Session(Path(sys.argv[1])))
other.count(("outcome", "LIA", "rules", "sat"), 2)
other.count(("outcome", "only there"))
import os
os._exit(0)
"""
PARTS: tuple[tallies.Totals, ...] = (
    Tally({("a", "b"): 2, ("c",): 1}),
    Tally({("c",): 40}),
    Tally({("a", "b"): 5, ("d", 'with "quotes"\n'): 1}),
)


def test_what_two_workers_count_adds_up(session: Session) -> None:
    mine = Tallies(session)
    mine.count(("outcome", "LIA", "rules", "sat"))
    mine.count(("outcome", "LIA", "rules", "sat"), 4)
    subprocess.run([sys.executable, "-c", OTHER, str(session.folder)], check=True)
    mine.count(("cost", "sat", "14"))
    assert tallies.totals(session) == {
        ("outcome", "LIA", "rules", "sat"): 7,
        ("outcome", "only there"): 1,
        ("cost", "sat", "14"): 1,
    }


def test_a_worker_with_the_number_of_a_dead_one_goes_on_from_its_counts(session: Session) -> None:
    Tallies(session).count(("a",), 3)
    Tallies(session).count(("a",), 4)
    assert tallies.totals(session) == {("a",): 7}
    assert len((session.folder / "tallies.names").read_text().splitlines()) == 1


def test_a_name_that_a_full_disk_has_torn_is_lost_alone(session: Session) -> None:
    (session.folder / "tallies.names").write_bytes(b'["outcome", "LI')
    mine = Tallies(session)
    mine.count(("outcome", "glued to the torn one"))
    mine.count(("outcome", "whole"))
    assert tallies.totals(session) == {("outcome", "whole"): 1}


def test_a_full_table_goes_on_with_the_names_it_has(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tallies, "_PROBES", 1)
    table = Tallies(session)
    for number in range(20_000):
        table.count((str(number),))
    before = tallies.totals(session)
    assert 10_000 < len(before) < 20_000
    for name in before:
        table.count(name)
    assert set(tallies.totals(session).values()) == {2}


def test_a_name_that_a_killed_worker_did_not_finish_is_left_out(session: Session) -> None:
    Tallies(session).count(("whole",))
    with open(session.folder / "tallies.names", "a") as file:
        file.write('["to')
    assert tallies.totals(session) == {("whole",): 1}


def test_totals_of_several_runs_are_the_same_in_any_order_and_survive_being_written() -> None:
    for order in itertools.permutations(PARTS):
        assert tallies.added(order) == {("a", "b"): 7, ("c",): 41, ("d", 'with "quotes"\n'): 1}
        halves = tallies.added((tallies.added(order[:2]), order[2]))
        assert tallies.of_rows(tallies.rows(halves)) == tallies.added(order)


@pytest.mark.parametrize("written", [[["a", 1]], [[["a"], "1"]], [[[1], 1]], [["a"]]])
def test_rows_that_are_none_are_refused(written: list[list[object]]) -> None:
    with pytest.raises(ValueError, match=r"."):
        tallies.of_rows(written)


def test_the_table_is_in_the_worker_s_own_file(session: Session) -> None:
    Tallies(session).count(("a",))
    assert Path(session.folder / f"worker-{os.getpid()}.tallies").stat().st_size == 2 * 8 * (1 << 15)
