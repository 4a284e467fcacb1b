"""Errors in the arguments of `chcfuzz` are one line with the next action."""

import pytest
from chcfuzz.commands import main


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["redcue", "x"], "chcfuzz: unknown command 'redcue', did you mean reduce?; `chcfuzz --help`"),
        (["zzz"], "chcfuzz: unknown command 'zzz'; `chcfuzz --help`"),
        (["stats", "--tests", "6"], "chcfuzz stats: unknown argument '--tests'; `chcfuzz stats --help`"),
        (["replay"], "chcfuzz replay: the following arguments are required: INPUT; `chcfuzz replay --help`"),
        (["findings", "--scope=all\x1b[2J"], "chcfuzz findings: argument --scope: invalid choice: 'all\\x1b[2J'"),
        (["corpus", "stats", "--foo", "x"], "chcfuzz corpus: unknown argument '--foo'; `chcfuzz corpus --help`"),
    ],
)
def test_an_error_is_one_line_that_names_the_help(
    words: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main.main(words)
    assert left.value.code == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(expected)
    assert shown.err.count("\n") == 1
