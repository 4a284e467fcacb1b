"""The assertion that fails in a debug build of Z3, which often is the root cause (Z3 issue 5714).

A debug build prints this before it raises or exits (`notify_assertion_violation` in Z3's util/debug.cpp)::

    ASSERTION VIOLATION
    File: ../src/muz/spacer/spacer_context.cpp
    Line: 2170
    m_level <= lvl
"""

from __future__ import annotations

import re

# The line with the condition may be missing: UNREACHABLE() prints only the first lines.
_FAILED = re.compile(r"^ASSERTION VIOLATION\nFile: (?P<file>.*)\nLine: (?P<line>\d+)\n(?P<condition>.*)$", re.MULTILINE)


def failed_assertion(printed: str) -> str | None:
    """Return the first failed assertion as "src/muz/spacer/spacer_context.cpp:2170: m_level <= lvl", or None."""
    found = _FAILED.search(printed)
    if found is None:
        return None
    place = found["file"].rpartition("/src/")
    file = f"src/{place[2]}" if place[1] else found["file"]
    return f"{file}:{found['line']}: {found['condition']}".rstrip(": ")
