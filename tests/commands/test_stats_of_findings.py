"""`chcfuzz stats` counts the findings beside the states by the part of Z3 with the fault."""

import json
import shutil
from pathlib import Path

import pytest
from chcfuzz.commands import main
from chcfuzz.triage.buckets.cause import Part

SAMPLES = Path(__file__).parents[1] / "formats" / "samples"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """The state of a campaign with findings that different switches cure."""
    shutil.copy(SAMPLES / "state-1.json", tmp_path / "state.json")
    cures: tuple[list[str], ...] = (
        ["fp.xform.inline_linear=false"],
        ["fp.xform.inline_eager=false"],
        ["fp.xform.coi=false"],
        ["transforms off"],
        [],
    )
    for number, cured in enumerate((*cures, cures[0])):
        folder = tmp_path / f"wrong-model-{number}"
        shutil.copytree(SAMPLES / "finding-4", folder)
        record = json.loads((folder / "record.json").read_text())
        record["cause"]["cures"] = cured
        (folder / "record.json").write_text(json.dumps(record))
    return tmp_path / "state.json"


def test_findings_are_added_up_by_the_part_of_z3(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["stats", str(state), "--json"]) == 0
    counted = json.loads(capsys.readouterr().out)["findings"]
    assert counted == {Part.LINEAR: 2, Part.EAGER: 1, Part.TRANSFORMS: 2, Part.UNKNOWN: 1}
    assert main.main(["stats", str(state), str(state)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert next(line.split() for line in lines if line.startswith("linear")) == ["linear", "inlining", "2"]


def test_a_finding_that_cannot_be_read_is_one_line_and_the_others_count(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (state.parent / "wrong-model-0" / "record.json").write_text("{")
    assert main.main(["stats", str(state), "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["findings"][Part.LINEAR] == 1
    assert said.err.count("\n") == 1
    assert "wrong-model-0" in said.err
