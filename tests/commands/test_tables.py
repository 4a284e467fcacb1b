"""Tables and lines fit 80 columns, and names are never folded."""

from pathlib import Path

import pytest
from chcfuzz.commands import mutations
from chcfuzz.commands.compare import labels_of
from chcfuzz.commands.main import main
from chcfuzz.commands.regress import print_changes
from chcfuzz.commands.tables import print_wrapped
from chcfuzz.corpus_tools.regress import Compared, Seen, UnitChange

UNIT = f"{'0123456789' * 3}-a-long-name-of-a-benchmark.smt2"


@pytest.fixture(autouse=True)
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def test_a_line_is_wrapped_between_words_and_indented_further(capsys: pytest.CaptureFixture[str]) -> None:
    print_wrapped(f"  {UNIT} {UNIT} is well-known, as before")
    assert capsys.readouterr().out == f"  {UNIT}\n    {UNIT} is\n    well-known, as before\n"


def test_a_line_in_a_file_is_not_wrapped(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS")
    print_wrapped(f"{UNIT} {UNIT}")
    assert capsys.readouterr().out == f"{UNIT} {UNIT}\n"


def test_changes_of_units_with_long_names_fit(capsys: pytest.CaptureFixture[str]) -> None:
    wrong = Seen("sat", wrong_model="clause 5 is false under the model at n = 2, r = 1, k = 3, and m = 4, for example")
    print_changes([Compared(Path(UNIT), "unsat", Seen("unsat"), wrong, UnitChange.WRONG_ANSWER)], ("z3 5.4", "z3 4.13"))
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == f"wrong-answer: {UNIT}"
    assert max(map(len, printed)) <= 80


def test_groups_with_long_names_have_letters_in_a_table() -> None:
    assert labels_of(["default", "novelty"]) == {"default": "default", "novelty": "novelty"}
    assert labels_of(["default", "novelty-without-edges"]) == {"default": "A", "novelty-without-edges": "B"}


def test_the_mutations_fit_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([mutations.NAME]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert "boolean.swap-and" in printed
    assert [line for line in printed if len(line) > 80] == []
