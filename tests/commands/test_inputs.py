"""Reading the inputs of commands."""

from pathlib import Path

import pytest
from chcfuzz.commands.inputs import unit_in
from chcfuzz.execution.solving import UsageError


def test_the_empty_unit_with_which_libfuzzer_begins_may_be_a_finding(tmp_path: Path) -> None:
    (tmp_path / "recipe").write_bytes(b"")
    assert unit_in(tmp_path) == b""


def test_another_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "own.smt2").write_bytes(b"")
    with pytest.raises(UsageError, match="is empty"):
        unit_in(tmp_path / "own.smt2")
