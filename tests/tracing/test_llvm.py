"""Programs of LLVM that hang or fail: each leads to one line that names the program."""

import pytest
from chcfuzz.tracing import llvm
from chcfuzz.tracing.llvm import ToolError, lines_of, run


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llvm, "SECONDS", 0.2)


@pytest.mark.usefixtures("soon")
def test_a_program_that_hangs_is_killed() -> None:
    with pytest.raises(ToolError, match=r"^sleep was killed, by default after 0\.2 s; run it by hand: sleep 1000$"):
        run(["sleep", "1000"])


@pytest.mark.usefixtures("soon")
def test_a_program_that_hangs_after_some_lines_is_killed() -> None:
    found = lines_of(["sh", "-c", "echo one; exec sleep 1000"])
    assert next(found) == "one\n"
    with pytest.raises(ToolError, match=r"^sh was killed, by default after 0\.2 s; "):
        next(found)


def test_a_program_that_fails_after_some_lines_is_named() -> None:
    found = lines_of(["sh", "-c", "echo one; exit 3"])
    assert next(found) == "one\n"
    with pytest.raises(ToolError, match=r"^sh fails with exit code 3; "):
        next(found)


def test_the_output_of_a_program_is_complete() -> None:
    assert list(lines_of(["printf", "one\ntwo"])) == ["one\n", "two"]
    assert run(["cat"], b"three").stdout == b"three"
    assert run(["false"]).returncode == 1
