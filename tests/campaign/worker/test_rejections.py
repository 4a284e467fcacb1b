"""Rejected units are printed by the names of their files, at most ten of them."""

from pathlib import Path

import pytest
from chcfuzz.campaign.session.in_flight import MAX_UNIT
from chcfuzz.campaign.worker.rejections import Rejections
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.mutators.recipe import Recipe, digest, encode

BAD = "(set-logic HORN)\n(assert (p{}))\n"


def test_a_refused_unit_is_told_by_its_file_and_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "below" / "bad.smt2"
    file.parent.mkdir()
    file.write_bytes(b"\xef\xbb\xbf" + BAD.format(" 1").encode())
    Rejections([tmp_path]).print(file.read_bytes(), "is not a valid CHC system")
    assert capsys.readouterr().err == f"chcfuzz: left out: {file}:2:10: unknown operator, at `p`\n"


def test_a_damaged_recipe_is_told_by_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "unit"
    file.write_bytes(encode(Recipe(BUILT_IN[1]))[:-9])
    Rejections([tmp_path]).print(file.read_bytes(), "is a recipe that is cut off")
    assert capsys.readouterr().err == f"chcfuzz: left out: {file} is a recipe that is cut off\n"


def test_a_unit_without_a_file_is_told_by_its_digest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unit = BAD.format(" 1").encode()
    Rejections([tmp_path / "missing"]).print(unit, "is not a valid CHC system")
    assert f": unit {digest(unit)}:2:10: unknown operator, at `p`" in capsys.readouterr().err


@pytest.mark.slow
def test_a_file_that_libfuzzer_cuts_is_found_by_what_is_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "large.smt2"
    file.write_bytes(b"(assert true)\n" * (MAX_UNIT // 14 + 2))
    Rejections([tmp_path]).print(file.read_bytes()[:MAX_UNIT], "is not a valid CHC system")
    assert f"{file}:" in capsys.readouterr().err


def test_after_a_few_it_is_only_said_that_there_are_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rejections = Rejections([tmp_path])
    for number in range(30):
        rejections.print(BAD.format(number).encode(), "is not a valid CHC system")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 11
    assert lines[-1] == "chcfuzz: more units are left out; the summary counts them"
