"""The failed assertion is read from what a debug build printed, here as recorded."""

import pytest
from chcfuzz.triage.locate.assertion import failed_assertion, stack

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


C = "golem: /home/user/golem/src/engine/Spacer.cc:412: void Spacer::run(int): Assertion `level > 0' failed.\n"
CVC5 = """Fatal failure within void cvc5::internal::f(Node) at /build/src/theory/arith/x.cpp:77
Check failure

 n.isConst()
"""
JAVA = """Exception in thread "main" java.lang.AssertionError: assertion failed: no such clause
\tat scala.Predef$.assert(Predef.scala:279)
\tat lazabs.horn.bottomup.HornClauses$.f(HornClauses.scala:12)
"""
RUST = "thread 'main' panicked at src/lib.rs:12:9:\nindex out of bounds\n"
SANITIZER = """==1==ERROR: AddressSanitizer: heap-use-after-free
    #0 0x55d in spacer::context::f(int) /home/user/z3/src/muz/spacer/spacer_context.cpp:99:7
    #1 0x55e in main /home/user/z3/src/shell/main.cpp:10
"""


@pytest.mark.parametrize(
    ("printed", "assertion", "frames"),
    [
        (C, "src/engine/Spacer.cc:412: level > 0", ()),
        (CVC5, "src/theory/arith/x.cpp:77: n.isConst()", ()),
        (
            JAVA,
            "java.lang.AssertionError: assertion failed: no such clause",
            ("Predef.scala:279 scala.Predef$.assert", "HornClauses.scala:12 lazabs.horn.bottomup.HornClauses$.f"),
        ),
        (RUST, "src/lib.rs:12: index out of bounds", ()),
        (
            SANITIZER,
            None,
            (
                "src/muz/spacer/spacer_context.cpp:99 spacer::context::f(int)",
                "src/shell/main.cpp:10 main",
            ),
        ),
    ],
)
def test_assertions_and_stacks_of_commands(printed: str, assertion: str | None, frames: tuple[str, ...]) -> None:
    assert failed_assertion(printed) == assertion
    assert stack(printed) == frames
