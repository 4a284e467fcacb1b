"""A location is read as it was written, and a damaged file leads to one line."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.triage.findings.location import (
    FILE,
    Location,
    LocationError,
    PartingEvent,
    PartingStep,
    SuspiciousSite,
    Versions,
    grouped,
    in_words,
    joined,
    read_location,
    write_location,
)

FULL = Location(
    "reduced",
    (("fp.xform.slice", "false"), ("fp.spacer.ctp", "true")),
    (("fp.spacer.mbqi", "false"),),
    PartingStep(2, "boolean.dup-and", "equivalent"),
    PartingEvent(7, "lemma at level 1", None, "propagate", "fp.xform.slice=false"),
    (SuspiciousSite("spacer_context.cpp:12 f", 1.0, 3, 0), SuspiciousSite("a.cpp:1 g", 0.5, 3, 9)),
    Versions("4.8.14.0", "4.8.12.0", None, (("4.8.12.0", "good"), ("4.8.14.0", "bad"))),
    "ASSERTION VIOLATION",
    (4, 3),
    ("no debug build was run",),
)


@pytest.mark.parametrize("location", [FULL, Location("mutant")], ids=["full", "empty"])
def test_a_location_is_read_as_it_was_written(tmp_path: Path, location: Location) -> None:
    write_location(tmp_path, location)
    assert read_location(tmp_path) == location
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_parts_of_an_earlier_call_are_kept() -> None:
    now = Location("reduced", vanishes=(("fp.xform.coi", "false"),), notes=("run again",))
    expected = replace(FULL, vanishes=now.vanishes, notes=now.notes)
    assert joined(now, FULL) == expected
    assert joined(FULL, now) == FULL


@pytest.mark.parametrize("earlier", [None, replace(FULL, of="mutant")], ids=["nothing", "of another system"])
def test_only_locations_of_the_same_system_are_joined(earlier: Location | None) -> None:
    now = Location("reduced", assertion="m_level <= lvl")
    assert joined(now, earlier) == now


def test_a_finding_without_a_location_has_none(tmp_path: Path) -> None:
    assert read_location(tmp_path) is None


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"vanishes": [["only a name"]]}, "Expected `array` of length 2"),
        ({"vanishes": [["a name", 1]]}, "Expected `str`, got `int` - at `$.vanishes[0][1]`"),
        ({"step": {"number": 1, "row": "r"}}, "missing required field `promise`"),
        ({"event": {**dict.fromkeys(("failing", "passing", "common"), 5), "index": 1}}, "Expected `str | null`"),
        ({"sites": [{"where": "w", "score": "high", "failing": 1, "passing": 2}]}, "Expected `float`, got `str`"),
        ({"versions": {"first_bad": 4, "last_good": None, "first_good": None, "asked": []}}, "Expected `str | null`"),
        ({"neighbours": 3}, "Expected `array`, got `int`"),
        ({"format": 0}, "is not of the format 1 but of 0"),
    ],
)
def test_a_wrong_field_leads_to_one_line(tmp_path: Path, changed: dict[str, Any], message: str) -> None:
    write_location(tmp_path, FULL)
    fields = json.loads((tmp_path / FILE).read_text())
    (tmp_path / FILE).write_text(json.dumps(fields | changed))
    assert_reported(tmp_path, message)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000], ids=range(6))
def test_a_damaged_file_leads_to_one_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    assert_reported(tmp_path, "")


def assert_reported(folder: Path, message: str) -> None:
    with pytest.raises(LocationError) as caught:
        read_location(folder)
    text = str(caught.value)
    assert message in text
    assert repr(str(folder / FILE)) in text
    assert text.endswith("remove it, and run `chcfuzz locate` again")
    assert "\n" not in text


def test_a_missing_folder_leads_to_one_line(tmp_path: Path) -> None:
    with pytest.raises(LocationError, match=r"cannot write .*No such file"):
        write_location(tmp_path / "gone", FULL)


def test_a_location_is_printed_completely() -> None:
    assert in_words(FULL) == [
        ("vanishes with", "fp.xform.slice=false, fp.spacer.ctp=true"),
        ("appears with only", "fp.spacer.mbqi=false"),
        ("answers part at", "step 2, boolean.dup-and (equivalent)"),
        ("events part at", "event 7, after propagate"),
        ("  failing", "lemma at level 1"),
        ("  passing", "the end (under fp.xform.slice=false)"),
        ("suspicious", "Ochiai score; how many of 3 failing and 4 passing runs"),
        ("", "1.00   3   0  spacer_context.cpp:12 f"),
        ("", "0.50   3   9  a.cpp:1 g"),
        ("first bad release", "4.8.14.0"),
        ("  last good before", "4.8.12.0"),
        ("  first good after", "none seen"),
        ("failed assertion", "ASSERTION VIOLATION"),
        ("note", "no debug build was run"),
    ]


def test_absent_parts_are_not_printed() -> None:
    assert in_words(Location("mutant")) == []


def test_the_values_of_a_parameter_are_grouped() -> None:
    assert grouped((("a", "1"), ("b", "true"), ("a", "2"))) == "a=1|2, b=true"
