"""The functions of a traced build in a run folder."""

from pathlib import Path

import pytest
from chcfuzz.campaign.runs import reached_functions
from chcfuzz.campaign.runs.reached_functions import Functions
from chcfuzz.execution.solving import UsageError


def test_what_earlier_sessions_have_reached_stays_reached(tmp_path: Path) -> None:
    first = Functions("libz3.so", "version=1", reached=(1, 5), edges=(2,), never=(7, 9))
    reached_functions.write(tmp_path, "build", first)
    before = reached_functions.read(tmp_path, "build")
    assert before == first
    now = Functions("libz3.so", "version=1", reached=(7,), edges=(3,), never=(1, 5, 9)).with_reached(before)
    assert (now.reached, now.edges, now.never) == ((1, 5, 7), (2, 3), (9,))


def test_a_build_without_functions_has_none_and_a_damaged_file_is_named(tmp_path: Path) -> None:
    assert reached_functions.read(tmp_path, "build") is None
    (tmp_path / "functions").mkdir()
    (tmp_path / "functions" / "build").write_text('{"format": "chcfuzz-functions 1", "library": 3}')
    with pytest.raises(UsageError, match=r"functions/build' is damaged"):
        reached_functions.read(tmp_path, "build")
