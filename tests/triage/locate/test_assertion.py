"""The failed assertion is read from what a debug build printed, here as recorded."""

import pytest
from chcfuzz.triage.locate.assertion import failed_assertion

VIOLATION = """WARNING: unsupported parameter
ASSERTION VIOLATION
File: {file}
Line: 2170
{condition}
"""


@pytest.mark.parametrize(
    ("file", "condition", "told"),
    [
        (
            "../src/muz/spacer/spacer_context.cpp",
            "m_level <= lvl",
            "src/muz/spacer/spacer_context.cpp:2170: m_level <= lvl",
        ),
        ("/tmp/build/src/ast/ast.h", "is_app(n)", "src/ast/ast.h:2170: is_app(n)"),
        ("ast.h", "UNEXPECTED CODE WAS REACHED.", "ast.h:2170: UNEXPECTED CODE WAS REACHED."),
        ("ast.h", "", "ast.h:2170"),
    ],
)
def test_the_first_failed_assertion_is_a_line(file: str, condition: str, told: str) -> None:
    printed = VIOLATION.format(file=file, condition=condition) + VIOLATION.format(file="b.cpp", condition="later")
    assert failed_assertion(printed) == told


@pytest.mark.parametrize("printed", ["", "ASSERTION VIOLATION\n", "sat\nno assertion fails here\n"])
def test_where_none_failed_there_is_none(printed: str) -> None:
    assert failed_assertion(printed) is None
