"""Console output: what a system or a file is called moves no cursor."""

import pytest
from chcfuzz.execution.console import print_error


def test_a_line_about_a_hostile_name_moves_no_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    print_error("wrong model: |n\x1b]0;title\x07|\nsecond line")
    assert capsys.readouterr().err == "wrong model: |n\\x1b]0;title\\x07|\nsecond line\n"
