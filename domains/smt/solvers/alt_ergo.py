"""Alt-Ergo as a command: it gets a problem in its native language, or in SMT-LIB if that language lacks an operator.

Alt-Ergo proves goals: it answers `Valid` where the problem is unsatisfiable, and otherwise does not know. Its answer
`sat` or `Invalid` is not evidence either, so that only an answer unsat is compared.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printing.alt_ergo import print_alt_ergo
from chcfuzz.grammar.reading.parse import problem
from chcfuzz.solvers import process
from chcfuzz.solvers.command import Command

PROGRAM = "alt-ergo"
_PROVED = re.compile(r"\bValid\b|^unsat$", re.MULTILINE)
_OPEN = re.compile(r"I don't know|\bInvalid\b|\bTimeout\b|^(?:unknown|sat)$", re.MULTILINE)
_REFUSED = re.compile(r"(?:Typing|Syntax|Parser|Lexical|Parsing) [Ee]rror.*")


class AltErgo(Command):
    """The command `alt-ergo`; its native language lacks levels."""

    takes_levels = False

    def _run_alone(self, path: Path, options: Sequence[str]) -> process.Ended:
        try:
            native = print_alt_ergo(problem(path.read_text()))
        except ChcfuzzError:
            return _answered(super()._run_alone(path, options))
        goal = path.with_suffix(".ae")
        goal.write_text(native)
        return _answered(super()._run_alone(goal, options))


def _answered(ended: process.Ended) -> process.Ended:
    """Return the result of a process, with Alt-Ergo's answer translated to SMT-LIB."""
    printed = f"{ended.out}\n{ended.err}"
    refused = _REFUSED.search(printed)
    if refused is not None:
        return replace(ended, out=f'(error "{refused[0]}")\n')
    if _PROVED.search(ended.out):
        return replace(ended, out="unsat\n")
    return replace(ended, out="unknown\n") if _OPEN.search(ended.out) else ended


def is_alt_ergo(command: str) -> bool:
    """Return whether the program of a command is Alt-Ergo."""
    return Path(command.split()[0]).name == PROGRAM if command.split() else False
