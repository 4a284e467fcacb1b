"""The assertion that fails in a debug build of Z3: maintainers say it points to the root cause (Z3 issue 5714).

What such a build prints (`notify_assertion_violation` in Z3's util/debug.cpp) before it raises or ends the process::

    ASSERTION VIOLATION
    File: ../src/muz/spacer/spacer_context.cpp
    Line: 2170
    m_level <= lvl
"""

from __future__ import annotations

import re

# The condition is a line, or none: UNREACHABLE() says only that.
_FAILED = re.compile(r"^ASSERTION VIOLATION\nFile: (?P<file>.*)\nLine: (?P<line>\d+)\n(?P<condition>.*)$", re.MULTILINE)


def failed_assertion(printed: str) -> str | None:
    """The first assertion that failed: "src/muz/spacer/spacer_context.cpp:2170: m_level <= lvl"; None if none did."""
    found = _FAILED.search(printed)
    if found is None:
        return None
    place = found["file"].rpartition("/src/")
    file = f"src/{place[2]}" if place[1] else found["file"]
    return f"{file}:{found['line']}: {found['condition']}".rstrip(": ")
