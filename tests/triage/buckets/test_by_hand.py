"""Decisions of a person about buckets hold for later findings, and in `buckets.json`."""

from dataclasses import replace
from pathlib import Path

import pytest
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.triage.buckets.buckets import Bucket, Member, bucketed, read_buckets, write_buckets
from chcfuzz.triage.buckets.by_hand import merge, split
from chcfuzz.triage.buckets.traits import Traits

from tests.triage.buckets.test_buckets import of, parts, traits

OTHER_KIND = {"kind": "crash", "witness": "another message"}


def later(buckets: tuple[Bucket, ...], *new: Traits) -> tuple[Bucket, ...]:
    """Return the buckets after more findings, as the next call makes them."""
    members = [member for bucket in buckets for member in bucket.members]
    return bucketed([*members, *map(Member, new)])


@pytest.fixture
def two() -> tuple[Bucket, Bucket]:
    one, other = of(traits("a"), traits("b"), traits("c", **OTHER_KIND))
    return (one, other) if len(one.members) == 2 else (other, one)


def test_merged_buckets_take_the_later_findings_of_both_under_the_first_name(two: tuple[Bucket, Bucket]) -> None:
    one, other = two
    for first, second in (two, (other, one)):
        (merged,) = merge(two, first.name, second.name)
        assert (merged.name, parts([merged])) == (first.name, [["a", "b", "c"]])
        (after,) = later((merged,), traits("d"), traits("e", **OTHER_KIND))
        assert (after.name, parts([after])) == (first.name, [["a", "b", "c", "d", "e"]])


def test_a_finding_that_is_split_off_stays_alone_until_it_is_merged(two: tuple[Bucket, Bucket]) -> None:
    apart = split(two, traits("b").name)
    assert parts(apart) == [["a"], ["b"], ["c"]]
    assert parts(later(apart, traits("b"), traits("d"))) == [["a", "d"], ["b"], ["c"]]
    (with_b,) = (bucket for bucket in apart if bucket.members[0].traits.id == "b")
    assert parts(later(merge(apart, two[1].name, with_b.name), traits("d"))) == [["a", "d"], ["b", "c"]]


def test_a_finding_can_be_split_off_a_merged_bucket(two: tuple[Bucket, Bucket]) -> None:
    merged = merge(two, two[0].name, two[1].name)
    assert parts(split(merged, traits("a").name)) == [["a"], ["b", "c"]]


def test_three_buckets_become_one_in_two_steps(two: tuple[Bucket, Bucket]) -> None:
    three = later(two, traits("d", kind="crash", witness="a third message"))
    assert len(three) == 3
    first, second, third = (bucket.name for bucket in three)
    for last in ((first, third), (third, second)):
        (bucket,) = merge(merge(three, first, second), *(first if name == second else name for name in last))
        assert parts([bucket]) == [["a", "b", "c", "d"]]


def test_decisions_are_kept_in_the_file(two: tuple[Bucket, Bucket], tmp_path: Path) -> None:
    for decided in (merge(two, two[0].name, two[1].name), split(two, traits("b").name)):
        write_buckets(tmp_path / "buckets.json", decided)
        assert bucketed(read_buckets(tmp_path / "buckets.json")) == decided


def test_wrong_names_are_refused(two: tuple[Bucket, Bucket]) -> None:
    one, other = two
    for refused in (
        lambda: merge(two, one.name, "nothing"),
        lambda: merge(two, one.name, one.name),
        lambda: split(two, "nothing"),
        lambda: split(two, other.members[0].traits.name),
    ):
        with pytest.raises(ChcfuzzError, match=r"--merge|--split"):
            refused()


def test_findings_that_different_releases_or_commits_introduced_have_different_causes() -> None:
    old, new, unknown = traits("a", first_bad="4.9.1.0"), traits("b", first_bad="4.12.2.0"), traits("c")
    assert parts(of(old, new)) == [["a"], ["b"]]
    assert parts(of(old, unknown)) == [["a", "c"]]
    same = replace(old, commit="0123abc"), replace(new, first_bad="4.9.1.0", commit="4567def")
    assert parts(of(*same)) == [["a"], ["b"]]
    assert parts(of(same[0], replace(same[1], commit="0123abc"))) == [["a", "b"]]
