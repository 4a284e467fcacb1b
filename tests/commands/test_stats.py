"""`chcfuzz stats` on the stored state of a campaign."""

import json
from pathlib import Path

import pytest
from chcfuzz.commands import main


def test_mutations_with_most_new_traces_come_first_and_rows_fit_a_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = json.loads((Path(__file__).parents[1] / "formats" / "samples" / "state-1.json").read_text())
    stored["rows"] = {"names.lucky-once": [1, 1], "boolean.often": [200, 50], "boolean.never": [9, 0]}
    state = tmp_path / "state.json"
    state.write_text(json.dumps(stored))
    assert main.main(["stats", str(state)]) == 0
    head, *rows, _ = capsys.readouterr().out.splitlines()
    assert [row.split() for row in rows] == [
        ["boolean.often", "200", "50", "25.0%"],
        ["names.lucky-once", "1", "1", "100.0%"],
        ["boolean.never", "9", "0", "0.0%"],
    ]
    assert {len(line) for line in (head, *rows)} <= set(range(81))
