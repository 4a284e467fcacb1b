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


@pytest.mark.parametrize("words", [["stats", "folder"], ["regress", "folder", "--against", "1.2"], ["import", ""]])
def test_an_argument_of_the_wrong_sort_is_one_line_that_removes_nothing(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    try:
        code: object = main.main(words)
    except SystemExit as ended:
        code = ended.code
    err = capsys.readouterr().err
    assert (code, err.count("\n")) == (2, 1)
    assert "remove" not in err
    assert any(told in err for told in ("is a folder", "not a release of Z3", "an argument is empty"))
