"""The text of shell scripts: the only functions that put the fields of a record into one.

A record may come from somebody else. A word is quoted, so that nothing in it runs, and a line that a script prints has
neither control characters nor escape sequences, which `echo` of some shells would turn into them.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from chcfuzz.grammar.printable import printable


def quoted(words: Iterable[str]) -> str:
    """Return the words of a command as shell text."""
    return shlex.join(words)


def venv_in_cache(name: str) -> str:
    """Return the line that chooses the environment of these solvers in the user's cache, which all findings share."""
    return f'  venv="${{VENV:-${{XDG_CACHE_HOME:-${{HOME:-.}}/.cache}}/chcfuzz/environments/{name}}}"'


def say(text: str) -> str:
    """Return the shell command that prints a text on a line."""
    return f"printf '%s\\n' {shlex.quote(one_line(text))}"


def comment(text: str) -> str:
    """Return a text as the comment of a script."""
    return f"# {one_line(text)}"


def one_line(text: str) -> str:
    """Return a text on one line without control characters."""
    return printable(" ".join(text.split()))


SECONDS = 300  # for each run of a solver in a script
LIMIT = (
    'command -v timeout >/dev/null || timeout() { shift 3; "$@"; }',
    f"limited() {{  # runs a solver for at most $LIMIT seconds, by default {SECONDS}",
    f'  timeout -k 5 "${{LIMIT:-{SECONDS}}}" "$@" &',
    '  wait "$!"',
    '  status="$?"',
    f'  [ "$status" -ne 124 ] || echo "it has not ended after ${{LIMIT:-{SECONDS}}} s"',
    '  return "$status"',
    "}",
    """trap 'kill "$!" 2>/dev/null; exit 130' HUP INT TERM""",
)


def limited(run: str) -> str:
    """Return the shell command that runs a program with a deadline, after the lines `LIMIT`."""
    return f"limited {run}"
