"""Background triage: findings of a campaign are reduced, put into buckets, and limited for each bucket."""

import json
import shutil
from pathlib import Path
from threading import Event

import pytest
from chcfuzz.execution.signed_lines import read_lines
from chcfuzz.triage.buckets import background as background_module
from chcfuzz.triage.buckets.background import KNOWN, NEW, Background, Bucketed, work
from chcfuzz.triage.buckets.buckets import Bucket, bucketed, read_buckets
from chcfuzz.triage.findings.store import DROPPED, SURPLUS

from tests.triage.buckets.test_traits import REDUCED, reduce, written

LARGER = REDUCED.replace("(check-sat)", "(assert p)\n(check-sat)")
OF_INT = REDUCED.replace("(assert p)", "(assert (=> (= 1 2) p))")


def finding(folder: Path, name: str, text: str | None = REDUCED) -> Path:
    """A wrong answer, reduced to this text; its unit is its own, by its parameter."""
    folder.mkdir(parents=True, exist_ok=True)
    made = written(folder / name, parameters={"fp.spacer.max_level": str(ord(name[-1]))})
    if text is not None:
        reduce(made, text)
    return made


def buckets(folder: Path) -> tuple[Bucket, ...]:
    return bucketed(read_buckets(folder / "buckets.json"))


def test_the_first_of_a_bucket_is_new_and_the_next_is_known(tmp_path: Path) -> None:
    background = Background(tmp_path, 5, 5)
    first = finding(tmp_path, "wrong-answer-111111-a")
    done = background.process(first)
    (bucket,) = buckets(tmp_path)
    assert done == Bucketed("wrong-answer-111111-a", bucket.name, True, None)
    assert done.lines() == [f"bucket {bucket.name} is new: wrong-answer-111111-a"]
    assert background.process(finding(tmp_path, "wrong-answer-222222-b")).state == KNOWN
    assert Background(tmp_path, 5, 5).process(first).lines() == []
    assert len(buckets(tmp_path)) == 1


def test_the_smallest_findings_of_a_bucket_stay_and_all_are_known(tmp_path: Path) -> None:
    background = Background(tmp_path, 5, per_bucket=1)
    large = finding(tmp_path, "wrong-answer-111111-a", LARGER)
    background.process(large)
    small = finding(tmp_path, "wrong-answer-222222-b")
    background.process(small)
    assert not large.exists()
    assert small.exists()
    background.process(finding(tmp_path, "wrong-answer-333333-c", LARGER))
    assert sorted(path.parent.name for path in tmp_path.glob("*/record.json")) == ["wrong-answer-222222-b"]
    (bucket,) = buckets(tmp_path)
    assert len(bucket.members) == 3
    assert {member.traits.text for member in bucket.members} == {REDUCED, LARGER}
    assert read_lines(tmp_path / DROPPED) == ["wrong-answer-111111-a", "wrong-answer-333333-c"]


@pytest.mark.parametrize("claimed", ["unconfirmed", "wrong-answer-999999-z"])
def test_no_finding_is_removed_because_a_file_of_buckets_claims_a_smaller_one(tmp_path: Path, claimed: str) -> None:
    """The claimed one is a folder that is not a finding, and a finding of another bucket."""
    (tmp_path / "unconfirmed").mkdir()
    written(tmp_path / "wrong-answer-999999-z", z3="99.0.0.0")
    background = Background(tmp_path, 5, per_bucket=1)
    background.process(finding(tmp_path, "wrong-answer-111111-a", LARGER))
    file = tmp_path / "buckets.json"
    small = finding(tmp_path / "elsewhere", "wrong-answer-222222-b")
    Background(tmp_path / "elsewhere", 5, 5).process(small)
    file.write_text((tmp_path / "elsewhere" / "buckets.json").read_text().replace(small.name, claimed))
    large = finding(tmp_path, "wrong-answer-333333-c", LARGER)
    shutil.rmtree(tmp_path / "wrong-answer-111111-a")
    background.process(large)
    assert large.exists()
    assert (tmp_path / "unconfirmed").exists()


def test_a_finding_of_another_release_is_not_removed_because_a_bucket_has_enough(tmp_path: Path) -> None:
    background = Background(tmp_path, 5, per_bucket=1)
    newer = written(tmp_path / "wrong-answer-222222-b", z3="99.0.0.0")
    reduce(newer, LARGER)
    for each in (finding(tmp_path, "wrong-answer-111111-a"), newer):
        background.process(each)
        assert each.exists()
    assert len(buckets(tmp_path)) == 1


def test_a_bucket_that_grows_for_months_does_not_fill_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_module, "MAX_STORED", 2)
    background = Background(tmp_path, 5, per_bucket=1)
    for name in "abcd":
        background.process(finding(tmp_path, f"wrong-answer-111111-{name}", LARGER))
    assert [len(bucket.members) for bucket in buckets(tmp_path)] == [2]
    background.process(finding(tmp_path, "wrong-answer-111111-e"))
    assert [bucket.representative.text for bucket in buckets(tmp_path)] == [REDUCED]


def test_a_folder_that_is_being_written_is_skipped(tmp_path: Path) -> None:
    finding(tmp_path, ".writing-111111-a")
    assert Background(tmp_path, 5, 5).next() is None


def test_a_finding_that_is_not_reduced_is_not_removed(tmp_path: Path) -> None:
    background = Background(tmp_path, 5, per_bucket=1)
    raw = [written(tmp_path / f"contradiction-111111-{name}", "contradiction", z3=f"5.{name}.0.0") for name in "34"]
    assert [background.process(path).state for path in raw] == [NEW, KNOWN]
    assert all(path.exists() for path in raw)


def test_beyond_its_causes_share_a_second_cause_takes_its_place_and_the_first_is_only_counted(tmp_path: Path) -> None:
    background = Background(tmp_path, 5, per_bucket=1)
    background.process(finding(tmp_path, "wrong-answer-111111-a"))
    same = finding(tmp_path / SURPLUS, "wrong-answer-111111-b", LARGER)
    other = finding(tmp_path / SURPLUS, "wrong-answer-111111-c", OF_INT)
    assert background.process(same).state == KNOWN
    assert background.process(other).state == NEW
    assert list((tmp_path / SURPLUS).iterdir()) == []
    assert not (tmp_path / DROPPED).exists()  # the share of its cause was full without it
    names = sorted(path.parent.name for path in tmp_path.glob("*/record.json"))
    assert names == ["wrong-answer-111111-a", "wrong-answer-111111-c"]
    assert sorted(len(bucket.members) for bucket in buckets(tmp_path)) == [1, 2]


def test_a_cause_that_had_no_turn_comes_before_one_that_had(tmp_path: Path) -> None:
    background = Background(tmp_path, 5, 5)
    for name in ("wrong-answer-111111-a", "wrong-answer-111111-b", "wrong-answer-222222-c"):
        finding(tmp_path, name)
    finding(tmp_path / SURPLUS, "wrong-answer-111111-d")
    order = []
    while (path := background.next()) is not None:
        order.append(path.name[-8:])
        background.process(path)
    assert order == ["111111-a", "222222-c", "111111-b", "111111-d"]


def test_it_works_until_nothing_is_left_and_logs_failures(tmp_path: Path) -> None:
    finding(tmp_path, "wrong-answer-111111-a")
    broken = finding(tmp_path, "wrong-answer-222222-b")
    (broken / "record.json").write_text("{")
    finishing = Event()
    finishing.set()
    log: list[str] = []
    work(Background(tmp_path, 5, 5), finishing, log.append)
    assert any(line.startswith("wrong-answer-222222-b was not put into a bucket") for line in log)
    assert len(buckets(tmp_path)) == 1
    assert json.loads((tmp_path / "buckets.json").read_text())["format"]


def test_a_unit_that_a_rebuilt_solver_shows_again_has_the_name_of_its_new_folder(tmp_path: Path) -> None:
    background = Background(tmp_path, 5, 5)
    background.process(finding(tmp_path, "wrong-answer-111111-a"))
    again = background.process(finding(tmp_path, "wrong-answer-222222-a"))
    (bucket,) = buckets(tmp_path)
    assert again == Bucketed("wrong-answer-222222-a", bucket.name, False, None)
    assert bucket.representative.name == "wrong-answer-222222-a"
