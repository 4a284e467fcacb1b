"""Known issues: every row can be read and matches its findings; uncertain matches are not set aside."""

from pathlib import Path
from typing import Any

import pytest
from chcfuzz.triage.buckets.buckets import Member, bucketed
from chcfuzz.triage.buckets.known_issues import KnownError, known_as, known_issues, recognized, within
from chcfuzz.triage.buckets.traits import Traits
from chcfuzz.triage.examine.shape import SystemShape

from tests.triage.buckets.test_buckets import traits


def ids(*found: Traits, files: tuple[Path, ...] = ()) -> list[tuple[str, bool]]:
    """The issues that match the one bucket of these findings, and whether they are sure."""
    (bucket,) = bucketed(Member(one) for one in found)
    return [(issue.id, issue.sure) for issue in known_as(bucket, known_issues(files))]


ARRAYS = SystemShape(("Arrays", "LIA"), linear=True, recursive=True, doubled=False, operators=("select",))
LISTS = SystemShape(("ADT", "LIA"), linear=False, recursive=True, doubled=False, operators=("constructor",))


@pytest.mark.parametrize(
    ("changed", "known"),
    [
        ({}, []),
        (
            {"kind": "wrong-model", "witness": "wrong model", "by_transforms": True, "by_inlining": True},
            [("z3-7319", False), ("z3-6664", False)],
        ),
        ({"kind": "wrong-model", "by_transforms": True}, []),  # only without slicing
        ({"kind": "wrong-model", "by_transforms": True, "by_inlining": True, "diagnosed": True}, []),
        ({"kind": "exception", "witness": "Z3 raises: unreachable", "shape": ARRAYS}, [("z3-5925", False)]),
        ({"witness": "wrong sat", "solver": "z3", "shape": ARRAYS}, [("z3-7417", False)]),
        ({"witness": "wrong sat", "solver": "z3"}, []),
        ({"kind": "wrong-model", "witness": "wrong model"}, [("z3-6716", False)]),
        ({"parameters": ("fp.spacer.gpdr=true",)}, [("z3-4008", True)]),
        ({"parameters": ("fp.xform.magic=true", "fp.xform.scale=true")}, [("z3-3842", True)]),
        ({"parameters": ("fp.spacer.weak_abs=false",)}, [("z3-5419", False)]),
        ({"standing": "wrong answer; non-linear arithmetic, unsupported: Z3 issue 3768"}, [("z3-3768", True)]),
        ({"first_good": "4.14.0.0"}, [("z3-7521", True)]),
        ({"first_good": "4.14.1.0"}, []),
        ({"first_good": "4.14.1.0", "by_transforms": True}, [("z3-7466", True)]),
        ({"shape": LISTS}, [("z3-2641", False)]),
        ({"shape": LISTS, "solver": "eld"}, []),
    ],
)
def test_a_finding_is_known_as_what_the_table_says(changed: dict[str, Any], known: list[tuple[str, bool]]) -> None:
    assert ids(traits("a", **changed)) == known


def test_a_bucket_is_known_only_if_all_of_its_findings_are() -> None:
    gpdr = traits("a", parameters=("fp.spacer.gpdr=true",))
    assert ids(gpdr, traits("b", parameters=gpdr.parameters)) == [("z3-4008", True)]
    assert ids(gpdr, traits("b")) == []


@pytest.mark.parametrize(
    ("changed", "issue"),
    [
        ({"kind": "wrong-model", "witness": "wrong model", "by_transforms": True, "by_inlining": True}, "z3-7319"),
        ({"kind": "wrong-model", "witness": "wrong model", "by_transforms": True}, None),
        ({"kind": "wrong-model", "witness": "wrong model"}, None),
        ({"parameters": ("fp.spacer.gpdr=true",), "text": "(check-sat)"}, "z3-4008"),
        ({"parameters": ("fp.spacer.gpdr=true",), "text": None}, None),
        ({"standing": "wrong answer; non-linear arithmetic, unsupported: Z3 issue 3768", "text": None}, "z3-3768"),
    ],
)
def test_a_campaign_recognizes_only_what_is_distinct(changed: dict[str, Any], issue: str | None) -> None:
    found = recognized(traits("a", **changed))
    assert (found and found.id) == issue


def test_users_add_their_own(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        '[mine]\nurl = "https://example.org/1"\ntitle = "seen"\nmatches = { operators = ["order"], linear = true }\n'
    )
    assert ids(traits("a"), files=(own,)) == [("mine", True)]


def test_the_table_names_each_issue_once_and_where_it_is() -> None:
    issues = known_issues()
    assert len(issues) >= 20
    assert len({issue.id for issue in issues}) == len(issues)
    assert all(issue.url.startswith("https://github.com/Z3Prover/z3/") for issue in issues)
    assert all(issue.url.endswith(f"/issues/{issue.id[3:]}") for issue in issues if issue.id.startswith("z3-"))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("[a", "not TOML"),
        ("a = 1", "'a'"),
        ('[a]\nurl = "u"\ntitle = "t"', "matches"),
        ('[a]\nurl = "u"\ntitle = "t"\nmatches = {}', "matches everything"),
        ('[a]\nurl = "u"\ntitle = "t"\nmatches = { solver = "eld" }', "matches everything"),
        ('[a]\nurl = "u"\ntitle = "t"\nmatches = { sort = "x" }', "sort"),
        ('[a]\nurl = "u"\ntitle = "t"\nmatches = { needs = "x" }', "array"),
        ('[a]\nurl = "u"\ntitle = "t"\nmatches = { release = "4.13" }', "has the bounds"),
        ('[a]\nurl = "u"\ntitle = "t"\nmatches = { linear = "yes" }', "bool"),
    ],
)
def test_a_bad_row_is_refused_in_one_line_that_names_it(row: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(row)
    with pytest.raises(KnownError, match=message) as error:
        known_issues((file,))
    assert "own.toml" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(KnownError, match="--known"):
        known_issues((tmp_path / "none.toml",))


def test_releases_are_compared_by_number() -> None:
    assert within("4.14.0.0", ">=4.14,<4.14.1")
    assert not within("4.14.1.0", "<4.14.1")
    assert within("4.8.14.0", "<4.13")
    assert not within("4.8.4", ">=4.8.14")
    assert within(None, None)
    assert not within(None, ">4")
    assert not within("", "<4")
