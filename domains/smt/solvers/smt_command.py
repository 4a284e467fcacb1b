"""A command as one of several SMT solvers, for example `yices-smt2`; it may answer without a model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from chcfuzz.domains.smt.solvers.script import queries_of, steps_of
from chcfuzz.grammar.form import CASES_INFO, Checks
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.queries import MODEL
from chcfuzz.grammar.reading.parse import problem
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.tracing.source import Parameters

_REFUSAL = "(error"
_LEVELS = "levels, checks or queries of the script"  # among the things that a command does not take


class CommandEngine:
    """A command with the name of its program. It gets no parameters, and only the wall clock limits it."""

    def __init__(self, command: Command) -> None:
        """Run this command on each problem."""
        self.name = command.name
        self.version = ""
        self._command = command

    def solve(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Decide a script; an error message that the command prints in SMT-LIB is a refusal.

        The command gets the levels, checks and queries of the script; if it refuses them, it gets the assertions with
        one check, and `left_out` names that. `match` is written out.
        """
        text = _restated(text, has_match=False) if f":{CASES_INFO} " in text else text
        steps = steps_of(text)
        if steps is None:
            return _named(self._run(self._command, _asked(text, self._command), parameters, rlimit))
        if self._command.takes_levels:
            command = replace(self._command, checks=steps.checks) if steps.checks > 1 else self._command
            outcome = _named(self._run(command, _asked(text, command), parameters, rlimit))
            if outcome.status not in (Status.UNSUPPORTED, Status.ERROR):
                return outcome
        plain = _restated(text, checks=Checks(), queries=())
        outcome = _named(self._run(self._command, plain, parameters, rlimit))
        return replace(outcome, left_out=(*outcome.left_out, _LEVELS))

    def _run(self, command: Command, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Run the command without the parameters."""
        outcome = command.solve(text, (), rlimit)
        return replace(outcome, left_out=tuple(name for name, _ in parameters))


def _named(outcome: Outcome) -> Outcome:
    """Return the outcome with a refusal named as such."""
    is_refusal = outcome.status is Status.ERROR and outcome.reason.startswith(_REFUSAL)
    return replace(outcome, status=Status.UNSUPPORTED if is_refusal else outcome.status)


def _asked(text: str, command: Command) -> str:
    """Return a script without the query for its model if the command gets one at its end."""
    return text.replace(f"\n({MODEL})\n", "\n") if command.dialect.get_model and queries_of(text) else text


def _restated(text: str, **form: Any) -> str:
    """Return the script of the same problem in another form."""
    found = problem(text)
    return print_problem(replace(found, form=replace(found.form, **form)))
