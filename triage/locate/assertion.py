"""The assertion that fails in a debug build of a solver, which often is the root cause (Z3 issue 5714), and the stack.

A debug build of Z3 prints this before it raises or exits (`notify_assertion_violation` in Z3's util/debug.cpp)::

    ASSERTION VIOLATION
    File: ../src/muz/spacer/spacer_context.cpp
    Line: 2170
    m_level <= lvl

Commands print the forms of C (`assert`), of cvc5, of Java and of Rust.
"""

from __future__ import annotations

import re

MOST_FRAMES = 10  # of a stack, the innermost ones

_FORMS = (
    # The line with the condition may be missing: UNREACHABLE() prints only the first lines.
    r"^ASSERTION VIOLATION\nFile: (?P<file>.*)\nLine: (?P<line>\d+)\n(?P<condition>.*)$",
    r"^(?:\S+: )?(?P<file>[^\s:]+):(?P<line>\d+): .*?[Aa]ssertion [`'](?P<condition>.*)' failed",
    r"^Fatal failure within .* at (?P<file>\S+):(?P<line>\d+)\n(?:Check failure)?\s*(?P<condition>.*)$",
    r"^thread '.*' panicked at (?P<file>[^\s:]+):(?P<line>\d+)(?::\d+)?:?\n(?P<condition>.*)$",
)
_FAILED = tuple(re.compile(form, re.MULTILINE) for form in _FORMS)
_JAVA = re.compile(r"^Exception in thread \"[^\"]*\" (?P<condition>.*)$", re.MULTILINE)
_JAVA_FRAME = re.compile(r"^\s+at (?P<function>[\w.$<>/]+)\((?P<place>[^)]*)\)", re.MULTILINE)
_FRAME = re.compile(
    r"^\s*#\d+ +(?:0x[0-9a-f]+ +)?(?:in )?(?P<function>\S.*?)(?: (?:at )?(?P<place>\S+?:\d+)(?::\d+)?)?$", re.MULTILINE
)


def failed_assertion(printed: str) -> str | None:
    """Return the first failed assertion as "src/muz/spacer/spacer_context.cpp:2170: m_level <= lvl", or None."""
    found = [match for form in _FAILED if (match := form.search(printed))]
    if found:
        first = min(found, key=lambda match: match.start())
        return f"{in_sources(first['file'])}:{first['line']}: {first['condition']}".rstrip(": ")
    java = _JAVA.search(printed)
    return None if java is None else java["condition"].strip()


def stack(printed: str) -> tuple[str, ...]:
    """Return the frames of the stack that was printed, the innermost first, as "place function"."""
    frames = [*_JAVA_FRAME.finditer(printed)] or [*_FRAME.finditer(printed)]
    found = (f"{in_sources(match['place'] or '')} {match['function']}".strip() for match in frames)
    return tuple(found)[:MOST_FRAMES]


def in_sources(file: str) -> str:
    """Return a file's path without the folders that are particular to a machine: those before `src`, or all."""
    place = file.rpartition("/src/")
    if place[1]:
        return f"src/{place[2]}"
    return file.rpartition("/")[2] if file.startswith("/") else file
