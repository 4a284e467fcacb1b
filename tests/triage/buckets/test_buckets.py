"""Buckets: as far as possible one for each cause, with stable names, independent of the order."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.triage.buckets.buckets import Bucket, BucketsError, Member, bucketed, read_buckets, write_buckets
from chcfuzz.triage.buckets.traits import Traits
from chcfuzz.triage.examine.shape import SystemShape
from chcfuzz.triage.shrink.size import Size

SHAPE = SystemShape(("LIA",), linear=True, recursive=False, doubled=False, operators=("order",))


def traits(name: str, **changed: Any) -> Traits:
    """A wrong unsat of Spacer, reduced, and what is changed of it."""
    found = Traits(
        id=name,
        name=f"wrong-answer-123456-{name}",
        kind="wrong-answer",
        witness="wrong unsat",
        solver="Spacer",
        release="4.13.4.0",
        cause="wrong-answer-123456",
        standing="wrong answer; all options default",
        by_transforms=False,
        cures=("default parameters",),
        parameters=(),
        shape=SHAPE,
        size=Size(3, 1, 1, 20, 3, 0, 0, 0),
        text="(set-logic HORN)\n(check-sat)\n",
    )
    return replace(found, **changed)


def sized(clauses: int, predicates: int = 0) -> Size:
    return Size(clauses, predicates, 0, 0, 0, 0, 0, 0)


def of(*found: Traits) -> tuple[Bucket, ...]:
    return bucketed(Member(one) for one in found)


def parts(buckets: Sequence[Bucket]) -> list[list[str]]:
    """Which findings are together, by id."""
    return sorted([member.traits.id for member in bucket.members] for bucket in buckets)


ARRAYS = replace(SHAPE, theories=("Arrays", "LIA"))
FINDINGS = (
    traits("a"),
    traits("b", shape=ARRAYS, first_good="4.14.1.0"),
    traits("c", shape=ARRAYS, first_good="5.1.0.0"),
    traits("d", shape=ARRAYS, size=sized(1)),
    traits("e", witness="wrong sat"),
    traits("f", size=sized(2), parameters=("fp.xform.slice=false",)),
)
NAMED = (
    traits("a", assertion="x.cpp:1: a"),
    traits("b", assertion="x.cpp:1: a", shape=ARRAYS),
    traits("c", shape=ARRAYS, assertion="x.cpp:2: b"),
    traits("d"),
    traits("e", shape=ARRAYS, first_good="4.14.1.0"),
)


@pytest.mark.parametrize(
    "changed",
    [
        {"witness": "wrong sat"},
        {"kind": "wrong-model"},
        {"solver": "eld"},
        {"by_transforms": True},
        {"shape": ARRAYS},
        {"shape": replace(SHAPE, linear=False)},
        {"shape": replace(SHAPE, recursive=True)},
        {"kind": "crash", "witness": "it dies of signal 11"},
    ],
)
def test_what_a_cause_leaves_no_choice_about_separates(changed: dict[str, Any]) -> None:
    assert parts(of(traits("a"), traits("b", **changed))) == [["a"], ["b"]]


@pytest.mark.parametrize(
    "changed",
    [
        {"parameters": ("fp.spacer.ctp=false",)},
        {"release": "4.8.14.0"},
        {"cures": ()},
        {"size": (9,)},
        {"shape": replace(SHAPE, operators=("equality of Int", "sum"))},
        {"event": "inherited lemma"},
        {"site": "spacer_context.cpp"},
        {"cause": "wrong-answer-default-abcdef"},
    ],
)
def test_what_only_describes_does_not(changed: dict[str, Any]) -> None:
    assert parts(of(traits("a"), traits("b", **changed))) == [["a", "b"]]


def test_of_the_transforms_that_cure_it_the_latest_is_blamed() -> None:
    slicing, inlining = "fp.xform.slice=false", "fp.xform.inline_eager=false"
    both, one, other, none = (
        traits(name, by_transforms=True, cures=cures)
        for name, cures in zip("abcd", ((inlining, slicing), (slicing,), (inlining,), ()), strict=True)
    )
    assert parts(of(both, one, other, none)) == [["a", "b"], ["c"], ["d"]]
    assert parts(of(*(replace(found, by_transforms=False) for found in (one, other)))) == [["b", "c"]]


UNFOLDED = {"kind": "wrong-model", "witness": "wrong model", "parameters": ("fp.xform.unfold_rules=1",)}


def test_a_transform_that_wrong_models_need_is_one_cause_for_all_theories_and_rules() -> None:
    other = ("fp.spacer.ctp=false", "fp.xform.unfold_rules=2")
    found = [
        traits("a", **UNFOLDED),
        traits("b", **UNFOLDED, shape=ARRAYS),
        traits("c", **{**UNFOLDED, "parameters": other}, shape=replace(SHAPE, linear=False)),
    ]
    (bucket,) = of(*found)
    assert bucket.name.startswith("wrong-model-unfold-rules-")
    assert parts(of(*found, traits("d", **UNFOLDED, first_good="4.14.1.0"))) == [["a", "b", "c", "d"]]


@pytest.mark.parametrize(
    "changed",
    [
        {"kind": "wrong-answer", "witness": "wrong sat"},
        {"parameters": ("fp.xform.unfold_rules=0",)},
        {"parameters": ("fp.xform.array_blast=true", "fp.xform.unfold_rules=1")},
        {"parameters": ("fp.spacer.push_pob=true",)},
        {"text": None},
    ],
)
def test_a_switch_that_does_not_name_the_cause_keeps_theories_apart(changed: dict[str, Any]) -> None:
    fields = {**UNFOLDED, **changed}
    assert parts(of(traits("a", **fields), traits("b", **fields, shape=ARRAYS))) == [["a"], ["b"]]


def test_a_failed_assertion_is_one_cause_for_all_theories_and_two_are_two() -> None:
    one = [traits("a", assertion="x.cpp:1: a"), traits("b", assertion="x.cpp:1: a", shape=ARRAYS), traits("c")]
    assert parts(of(*one)) == [["a", "b", "c"]]
    assert parts(of(*one, traits("d", shape=ARRAYS, assertion="x.cpp:2: b"))) == [["a", "b", "c"], ["d"]]
    assert parts(of(*one, traits("d", kind="crash", assertion="x.cpp:1: a"))) == [["a", "b", "c"], ["d"]]


def test_models_that_are_right_without_the_transforms_are_of_different_causes_by_their_theory() -> None:
    spoiled = traits("a", kind="wrong-model", witness="wrong model", by_transforms=True)
    assert parts(of(spoiled, replace(spoiled, id="b", shape=ARRAYS))) == [["a"], ["b"]]


def test_findings_that_different_releases_cure_are_of_different_causes() -> None:
    one, other = traits("a", first_good="4.14.1.0"), traits("b", first_good="5.1.0.0")
    assert parts(of(one, other)) == [["a"], ["b"]]
    assert parts(of(one, replace(other, first_good="4.14.1.0"))) == [["a", "b"]]


def test_one_whose_release_is_not_known_goes_with_the_others_if_they_have_one() -> None:
    one, unknown, other = traits("a", first_good="4.14.1.0"), traits("b"), traits("c", first_good="5.1.0.0")
    assert parts(of(one, unknown)) == [["a", "b"]]
    assert parts(of(one, unknown, other)) == [["a"], ["b"], ["c"]]


def test_what_is_not_reduced_is_by_itself_until_it_is_and_then_under_the_others_name() -> None:
    before = of(traits("a"), traits("b", text=None), traits("c", text=None))
    assert parts(before) == [["a"], ["b", "c"]]
    members = [member for bucket in before for member in bucket.members]
    after = bucketed([*members, Member(traits("b")), Member(traits("c"))])
    assert parts(after) == [["a", "b", "c"]]
    assert after[0].name in {bucket.name for bucket in before if bucket.members[0].traits.id == "a"}


def test_the_smallest_represents_a_bucket_and_one_that_is_not_reduced_has_another() -> None:
    small, large = traits("a", size=sized(2, 9)), traits("b", size=sized(3, 1))
    assert [bucket.representative.id for bucket in of(large, small)] == ["a"]
    spoiled = {"kind": "wrong-model", "by_transforms": True}
    raw, reduced = traits("c", size=sized(1), text=None, **spoiled), traits("d", **spoiled)
    assert {bucket.representative.id for bucket in of(raw, reduced)} == {"c", "d"}


def test_the_order_of_the_findings_changes_nothing() -> None:
    first = of(*FINDINGS)
    assert all(of(*order) == of(*NAMED) for order in permutations(NAMED))
    assert len(first) == 5
    assert all(of(*order) == first for order in [*permutations(FINDINGS)][::20])


def test_two_merges_in_both_orders_are_the_same() -> None:
    one, other, third = of(*FINDINGS[:3]), of(*FINDINGS[2:5]), of(FINDINGS[5], FINDINGS[0])

    def merged(*many: Sequence[Bucket]) -> tuple[Bucket, ...]:
        return bucketed(member for buckets in many for bucket in buckets for member in bucket.members)

    whole = merged(one, other, third)
    assert whole == merged(third, other, one)
    assert whole == merged(merged(one, other), third) == merged(one, merged(third, other))
    assert parts(whole) == parts(of(*FINDINGS))


def test_a_bucket_keeps_its_name_when_more_is_known_of_its_findings() -> None:
    (yesterday,) = of(traits("a"), traits("b"))
    today = bucketed(
        Member(replace(member.traits, first_good=release), member.bucket)
        for member, release in zip(yesterday.members, ("4.14.1.0", "4.14.1.0"), strict=True)
    )
    assert [bucket.name for bucket in today] == [yesterday.name]
    new = traits("c", first_good="5.1.0.0")
    third = bucketed([*today[0].members, Member(new)])
    assert {bucket.name: [member.traits.id for member in bucket.members] for bucket in third}[yesterday.name] == [
        "a",
        "b",
    ]
    assert len({bucket.name for bucket in third}) == 2


def test_when_a_bucket_falls_apart_the_larger_part_keeps_its_name() -> None:
    (yesterday,) = of(*(traits(name) for name in "abc"))
    releases = {"a": "5.1.0.0", "b": "4.14.1.0", "c": "4.14.1.0"}
    today = bucketed(
        Member(replace(member.traits, first_good=releases[member.traits.id]), member.bucket)
        for member in yesterday.members
    )
    assert [[member.traits.id for member in bucket.members] for bucket in today if bucket.name == yesterday.name] == [
        ["b", "c"]
    ]


def test_two_machines_that_named_a_finding_differently_agree_whoever_comes_first() -> None:
    here, there = Member(traits("a"), "wrong-unsat-here"), Member(traits("a"), "wrong-unsat-there")
    (bucket,) = bucketed([here, there])
    assert bucket.name in ("wrong-unsat-here", "wrong-unsat-there")
    assert bucketed([there, here]) == (bucket,)


def test_the_better_known_of_two_copies_stays() -> None:
    (bucket,) = of(traits("a", text=None, size=sized(9)), traits("a", size=sized(2)), traits("a", size=sized(5)))
    assert [member.traits.size for member in bucket.members] == [sized(2)]


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    buckets = of(*FINDINGS)
    write_buckets(tmp_path / "buckets.json", buckets)
    assert bucketed(read_buckets(tmp_path / "buckets.json")) == buckets
    assert read_buckets(tmp_path / "none.json") == []


def test_a_bucket_of_deaths_is_named_by_what_was_said_before() -> None:
    names = {
        "it dies of signal 0 (Aborted): what():  Not parseable as an integer": "Not-parseable-as-an-integer-LIA-",
        "it dies of signal 0 (Aborted): Assertion `x < y' failed": "Assertion-x-y-failed-",
        "it dies of signal 0 (Aborted)": "it-dies-of-signal-0-Aborted-LIA-",
    }
    for witness, name in names.items():
        (bucket,) = of(traits("a", kind="crash", witness=witness))
        assert bucket.name.startswith(name)


def test_a_name_can_be_that_of_a_file() -> None:
    (bucket,) = of(traits("a", kind="exception", witness='/usr/src: (error "line 0 column 0: x")' * 9))
    assert set(bucket.name) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-")
    assert len(bucket.name) < 60


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        "{}",
        '{"format": "other"}',
        '{"format": "chcfuzz-buckets 1", "buckets": [{"findings": [{"id": "a"}]}]}',
    ],
)
def test_a_file_that_holds_no_buckets_is_refused_on_a_line(content: str, tmp_path: Path) -> None:
    file = tmp_path / "buckets.json"
    file.write_text(content)
    with pytest.raises(BucketsError, match=r"buckets\.json") as error:
        read_buckets(file)
    assert "\n" not in str(error.value)


def test_a_file_that_cannot_be_written_is_an_error_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(BucketsError, match="--buckets"):
        write_buckets(tmp_path / "none" / "buckets.json", of(traits("a")))


def test_a_file_has_no_place_of_this_machine(tmp_path: Path) -> None:
    write_buckets(tmp_path / "buckets.json", of(*FINDINGS))
    text = (tmp_path / "buckets.json").read_text()
    assert str(tmp_path) not in text
    assert json.loads(text)["format"] == "chcfuzz-buckets 1"


@pytest.mark.parametrize("name", ["../../precious", "/tmp", "..", ".", "", "a/b"])
def test_a_finding_whose_name_is_a_path_is_refused(tmp_path: Path, name: str) -> None:
    """Surplus findings of a bucket are removed by name, and a `buckets.json` may come from another person."""
    write_buckets(tmp_path / "buckets.json", of(traits("a")))
    content = json.loads((tmp_path / "buckets.json").read_text())
    content["buckets"][0]["findings"][0]["name"] = name
    (tmp_path / "buckets.json").write_text(json.dumps(content))
    with pytest.raises(BucketsError, match="is not the name of a finding"):
        read_buckets(tmp_path / "buckets.json")


def test_a_size_that_is_not_one_is_refused(tmp_path: Path) -> None:
    write_buckets(tmp_path / "buckets.json", of(traits("a")))
    content = json.loads((tmp_path / "buckets.json").read_text())
    content["buckets"][0]["findings"][0]["size"] = [1]
    (tmp_path / "buckets.json").write_text(json.dumps(content))
    with pytest.raises(BucketsError, match="size"):
        read_buckets(tmp_path / "buckets.json")
