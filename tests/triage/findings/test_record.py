"""Records, reductions and folder names are read as they were written, and damage leads to one line."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.triage.examine.signature import Signature
from chcfuzz.triage.findings.record import RECORD, Finding, FolderName
from chcfuzz.triage.findings.reductions import Reduction, read_reduction
from chcfuzz.triage.shrink.result import Mode

from tests.triage.records import a_record, write_record

REDUCTION = Reduction(minimal=True, tests=3, parameters={"a": "b"}, chain=("boolean.dup-and",), words="it is")


@pytest.mark.parametrize(
    ("signature", "kind"),
    [
        (Signature("wrong-answer", True), "wrong-answer"),
        (Signature("wrong-model", True, known="Z3 issue 7319"), "wrong-model"),
        (Signature("crash", False), "crash"),
    ],
)
def test_a_folder_name_is_parsed_as_it_was_made(signature: Signature, kind: str) -> None:
    name = FolderName.of(signature, b"a unit")
    assert FolderName.parse(str(name)) == name
    assert (name.signature, name.kind) == (signature.name, kind)


def test_a_finding_is_read_as_it_was_written(tmp_path: Path) -> None:
    record = a_record("crash", parameters={"fp.spacer.ctp": "false"}, solving=("--rlimit=7",))
    write_record(tmp_path / "found", record)
    finding = Finding.read(tmp_path / "found")
    assert finding.record == record
    assert (finding.reduction, finding.location) == (None, None)
    (tmp_path / "found" / "reduced.json").write_bytes(REDUCTION.to_json())
    assert Finding.read(tmp_path / "found").reduction == REDUCTION


def test_the_smallest_system_is_that_of_the_reduction_that_keeps_least(tmp_path: Path) -> None:
    write_record(tmp_path / "found", a_record("crash"))
    assert Finding.read(tmp_path / "found").smallest.system == "mutant.smt2"
    equivalent = replace(REDUCTION, mode=Mode.EQUIVALENT)
    (tmp_path / "found" / "equivalent.json").write_bytes(equivalent.to_json())
    finding = Finding.read(tmp_path / "found")
    assert (finding.smallest.system, finding.smallest.path("recipe").name) == ("equivalent.smt2", "equivalent-recipe")
    assert finding.reduction is None, "triage still reduces it"
    (tmp_path / "found" / "reduced.json").write_bytes(REDUCTION.to_json())
    assert Finding.read(tmp_path / "found").smallest.system == "reduced.smt2"


def test_the_mode_of_a_reduction_is_that_of_its_record(tmp_path: Path) -> None:
    """Earlier versions wrote `reduced.json` in both modes."""
    write_record(tmp_path / "found", a_record("crash"))
    (tmp_path / "found" / "reduced.json").write_bytes(replace(REDUCTION, mode=Mode.EQUIVALENT).to_json())
    finding = Finding.read(tmp_path / "found")
    assert (finding.reduction, finding.smallest.system) == (None, "reduced.smt2")
    assert finding.reductions.keys() == {Mode.EQUIVALENT}


def test_a_record_names_its_fields_as_stored_files_do() -> None:
    fields = json.loads(a_record("crash").to_json())
    assert list(fields)[:4] == ["format", "kind", "cause", "scope"]
    assert fields["scope"]["words"] == "crash; all options default"


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"format": "chcfuzz-finding 4"}', '{"format": 4}'])
def test_damage_leads_to_one_line_with_advice(tmp_path: Path, content: str) -> None:
    for name, read in ((RECORD, Finding.read), ("reduced.json", read_reduction)):
        (tmp_path / name).write_text(content)
        with pytest.raises(ChcfuzzError) as caught:
            read(tmp_path)
        assert repr(str(tmp_path / name)) in str(caught.value)
        assert "; remove " in str(caught.value)
        assert "\n" not in str(caught.value)
