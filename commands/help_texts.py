"""Help texts of commands: examples, exit codes, and flags of the solver that `--help-solver` prints."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

from chcfuzz.execution.solving import Solving

_SHOWN = ("z3", "z3_library", "command")  # flags of the solver that most users need
_SOLVER = frozenset(field.name for field in fields(Solving)) - frozenset(_SHOWN)
_BAD: dict[str, str] = {
    "check": "a file was refused",
    "cluster": "a change of --fail-on (regress)",
    "confirm": "a suspicion could not be examined",
    "corpus": "two corpora differ (diff)",
    "doctor": "a campaign would not work",
    "generate": "the solver contradicts a witness",
    "locate": "the finding does not reproduce",
    "reduce": "the finding does not reproduce",
    "premerge": "the branch is worse than the base",
    "regress": "a change of --fail-on",
    "replay": "a verdict is a finding or a suspicion",
    "try-fix": "the patch does not cure every finding of the bucket, or makes a result wrong",
}


def epilog(name: str, examples: Iterable[str]) -> str:
    """Return the end of a command's help text."""
    codes = ["0 success"]
    codes += [f"1 {_BAD[name]}"] if name in _BAD else []
    codes += ["2 bad use, or a file that cannot be used"]
    codes += ["125 undecided, with --exit-code"] if name == "replay" else []
    codes += ["130 interrupted"]
    return "\n".join(("examples:", *(f"  {example}" for example in examples), "", f"exit codes: {', '.join(codes)}"))


def hide_solver_flags(parser: argparse.ArgumentParser) -> None:
    """Print most flags of the solver only with `--help-solver`, if the command has them."""
    hidden = {action: action.help for action in parser._actions if action.dest in _SOLVER}  # noqa: SLF001
    if not hidden:
        return
    for action in hidden:
        action.help = argparse.SUPPRESS
    parser.add_argument(
        "--help-solver", action=_HelpSolver, nargs=0, hidden=hidden, help="show all flags of the solver and exit"
    )


class _HelpSolver(argparse.Action):
    """Prints the help text with all flags."""

    def __init__(self, hidden: dict[argparse.Action, str | None], **details: Any) -> None:
        super().__init__(**details)
        self._hidden = hidden

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        _namespace: argparse.Namespace,
        _values: str | Sequence[Any] | None,
        _option: str | None = None,
    ) -> None:
        for action, text in self._hidden.items():
            action.help = text
        parser.print_help()
        parser.exit()
