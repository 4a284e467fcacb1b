"""The number of lines that break a rule of docs/writing.md never rises."""

import tomllib
from pathlib import Path

import pytest

from tests.quality.prose import BASELINE, RULES, Line, counts, files, prose
from tests.targets import ROOT

UPDATE = "python -m tests.quality.prose --baseline"


def test_lines_that_break_a_rule_become_fewer() -> None:
    allowed: dict[str, int] = tomllib.loads(BASELINE.read_text())
    broken = [line for file in files([ROOT]) for line in prose(file) if line.broken]
    found = counts(broken)
    risen = {folder: number for folder, number in found.items() if number > allowed.get(folder, 0)}
    shown = "\n".join(
        f"{line.file.relative_to(ROOT)}:{line.number}: rules {line.broken}: {line.text}"
        for line in broken
        if counts([line]).keys() & risen.keys()
    )
    assert not risen, f"these folders may have {allowed} lines that break a rule of docs/writing.md:\n{shown}"
    assert found == allowed, f"fewer lines break a rule: lower the numbers with `{UPDATE}`"


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("What a release answers.", (1,)),
        ("Return the slots; who waits is listed.", ()),
        ("Print what the solver said.", (2,)),
        ("Take so many units, so long as they differ.", (3,)),
        ("A full disk is no error.", (4,)),
        ("`edges` is None without counters.", ()),
        ("There are two, of which one is kept.", (5,)),
        ("The campaign goes on.", (6,)),
        ("Run the solver again if it `says` nothing.", ()),
        ("Return the number of executions.", ()),
    ],
)
def test_rules_match_their_examples(text: str, rules: tuple[int, ...]) -> None:
    assert Line(ROOT, 1, text).broken == rules


def test_docstrings_comments_and_markdown_are_prose_and_code_is_not(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('"""What it is."""\n\nwhat = "What else"  # What it says\n')
    assert [(line.number, line.broken) for line in prose(module)] == [(1, (1,)), (3, (1, 2))]
    page = tmp_path / "page.md"
    page.write_text("# Title\n\n```sh\nWhat\n```\nWhat is this?\n")
    assert [line.number for line in prose(page)] == [1, 6]
    assert set(RULES) == {1, 2, 3, 4, 5, 6}
