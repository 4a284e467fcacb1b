"""Texts that are no CHC system are told by the name of their file, and not without end."""

from pathlib import Path

import pytest
from chcfuzz.campaign.refusals import Refusals
from chcfuzz.campaign.session import MAX_UNIT
from chcfuzz.mutators.recipe import Recipe, digest, encode
from chcfuzz.mutators.seeds import BUILT_IN

BAD = "(set-logic HORN)\n(assert (p{}))\n"


def test_a_refused_unit_is_told_by_its_file_and_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "below" / "bad.smt2"
    file.parent.mkdir()
    file.write_bytes(b"\xef\xbb\xbf" + BAD.format(" 1").encode())
    assert Refusals([tmp_path]).tell(file.read_bytes())
    told = capsys.readouterr().err
    assert told == f"chcfuzz: a text is no CHC system, and run as mere bytes: {file}:2:10: unknown operator, at `p`\n"


def test_a_unit_without_a_file_is_told_by_its_digest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unit = BAD.format(" 1").encode()
    assert Refusals([tmp_path / "missing"]).tell(unit)
    assert f": unit {digest(unit)}:2:10: unknown operator, at `p`" in capsys.readouterr().err


def test_a_file_that_libfuzzer_cuts_is_found_by_what_is_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "large.smt2"
    file.write_bytes(b"(assert true)\n" * (MAX_UNIT // 14 + 2))
    assert Refusals([tmp_path]).tell(file.read_bytes()[:MAX_UNIT])
    assert f"{file}:" in capsys.readouterr().err


@pytest.mark.parametrize("unit", [BUILT_IN[0].encode(), encode(Recipe(BUILT_IN[1])), b"", b"\x00\x01\x02", b"chcfuzz"])
def test_systems_recipes_and_entropy_are_not_told(
    tmp_path: Path, unit: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not Refusals([tmp_path]).tell(unit)
    assert capsys.readouterr().err == ""


def test_after_a_few_it_is_only_said_that_there_are_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refusals = Refusals([tmp_path])
    assert all(refusals.tell(BAD.format(number).encode()) for number in range(30))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 11
    assert lines[-1] == "chcfuzz: more texts are no CHC system; the summary counts them"
