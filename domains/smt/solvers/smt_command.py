"""A command as one of several SMT solvers, for example `yices-smt2`; it may answer without a model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from chcfuzz.domains.smt.solvers.engine import Answer
from chcfuzz.domains.smt.solvers.lacking import in_our_words, in_own_words, missing
from chcfuzz.domains.smt.solvers.script import QUERY, Steps, queries_of, steps_of
from chcfuzz.domains.smt.solvers.selection import SOLVERS, Z3
from chcfuzz.domains.smt.solvers.together import project_of
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.form import CASES_INFO, Checks
from chcfuzz.grammar.printing.dialects import print_for, reader_of_program
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.queries import ASSIGNMENT, MODEL, VALUE
from chcfuzz.grammar.reading.parse import problem
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.model_text import TextModel
from chcfuzz.solvers.outcome import Outcome, Status, Texts, texts_of
from chcfuzz.tracing.source import Parameters

_REFUSAL = "(error"
_MODEL = f"({MODEL})"
_LEVELS = "levels, checks or queries of the script"  # among the things that a command does not take


class CommandEngine:
    """A command with the name of its program. It gets no parameters, and only the wall clock limits it."""

    def __init__(self, command: Command) -> None:
        """Run this command on each problem."""
        self.name = command.name
        self.version = ""
        self._command = command
        self._reader = reader_of_program(Path(command.words[0]).name)

    def solve(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Decide a script; an error message that the command prints in SMT-LIB is a refusal.

        The command gets the levels, checks and queries of the script; if it refuses them, it gets the assertions with
        one check, and `left_out` names that. `match` is written out. Yices and MathSAT get texts in their dialect, and
        problems beyond it are UNSUPPORTED; so are theories that Z3, cvc5 or Bitwuzla lacks, for its programs. Z3 gets
        finite sets in its own words.
        """
        outcome = self._solved(text, parameters, rlimit)
        model = outcome.model
        if not isinstance(model, TextModel) or project_of(self.name) != Z3:
            return outcome
        return replace(outcome, model=TextModel(in_our_words(model.definitions, Z3), in_our_words(model.universes, Z3)))

    def _solved(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        lacking = missing(text, project_of(self.name)) if project_of(self.name) in SOLVERS else ""
        if lacking:
            return _refused(f"no {lacking}", parameters)
        try:
            text = self._in_dialect(text)
        except ChcfuzzError as error:
            return _refused(str(error), parameters)
        steps = steps_of(text)
        if steps is None:
            return _named(self._run(self._command, _asked(text, self._command), parameters, rlimit))
        if self._command.takes_levels:
            outcome = _named(self._run_steps(text, steps, parameters, rlimit))
            if outcome.status not in (Status.UNSUPPORTED, Status.ERROR):
                return outcome
        plain = _restated(text, checks=Checks(), queries=())
        outcome = _named(self._run(self._command, plain, parameters, rlimit))
        return replace(outcome, left_out=(*outcome.left_out, _LEVELS))

    def _in_dialect(self, text: str) -> str:
        if self._reader:
            return print_for(problem(text), self._reader)
        if project_of(self.name) == Z3:
            text = in_own_words(text, Z3)
        return _restated(text, has_match=False) if f":{CASES_INFO} " in text else text

    def _run_steps(self, text: str, steps: Steps, parameters: Parameters, rlimit: int) -> Outcome:
        """Run a script with all its checks and queries; the outcome has the results of the queries."""
        behind, asked = queries_of(text), _asked(text, self._command)
        command = replace(self._command, checks=steps.checks, results=len(queries_of(asked)))
        outcome = self._run(command, asked, parameters, rlimit)
        printed = iter(texts_of(outcome))
        found = ["" if query == _MODEL else next(printed, "") for query in behind]
        if not any(found):
            return replace(outcome, extra=None)
        before = sum(step.kind == QUERY for step in steps.steps) - len(behind)
        return replace(outcome, extra=Texts((*[""] * before, *found)))

    def _run(self, command: Command, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Run the command without the parameters."""
        outcome = command.solve(text, (), rlimit)
        return replace(outcome, left_out=tuple(name for name, _ in parameters))


def _refused(reason: str, parameters: Parameters) -> Outcome:
    return Answer(Status.UNSUPPORTED, reason, left_out=tuple(name for name, _ in parameters)).outcome


def _named(outcome: Outcome) -> Outcome:
    """Return the outcome with a refusal named as such."""
    is_refusal = outcome.status is Status.ERROR and outcome.reason.startswith(_REFUSAL)
    return replace(outcome, status=Status.UNSUPPORTED if is_refusal else outcome.status)


def _asked(text: str, command: Command) -> str:
    """Return a script as a command gets it: with one query for its model if it has queries for values.

    It is at the end, where a command of this dialect gets it in any case.
    """
    queries = queries_of(text)
    if command.dialect.get_model:
        return text.replace(f"\n{_MODEL}\n", "\n") if queries else text
    wants_values = any(query.startswith((f"({VALUE} ", f"({ASSIGNMENT})")) for query in queries)
    return f"{text}{_MODEL}\n" if wants_values and _MODEL not in queries else text


def _restated(text: str, **form: Any) -> str:
    """Return the script of the same problem in another form."""
    found = problem(text)
    return print_problem(replace(found, form=replace(found.form, **form)))
