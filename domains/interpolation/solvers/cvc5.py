"""cvc5 as an interpolating solver in this process: it enumerates formulas until one is an interpolant.

A failed assertion of cvc5 ends the process, so a child process runs it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cvc5
from chcfuzz.domains.interpolation.solvers.interpolating_command import NONE_FOUND, interpolants_in
from chcfuzz.domains.interpolation.solvers.interpolator import Interpolator, refusal, with_features
from chcfuzz.domains.interpolation.solvers.scripts import script, style_of
from chcfuzz.domains.smt.solvers.cvc5 import Cvc5, fresh_solver, is_refused
from chcfuzz.domains.smt.solvers.engine import OUT_OF_MEMORY, Answer, one_line, with_own
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.tracing.source import Parameters

NAME = "cvc5"
STYLE = style_of((NAME,))
_SETTINGS = (("incremental", "true"), ("arrays-exp", "true"))
_ANSWERS = {"sat": Status.SAT, "unknown": Status.UNKNOWN}


class Cvc5Interpolator(Interpolator):
    """cvc5 with settings of its own."""

    def __init__(self, settings: Sequence[tuple[str, str]], name: str) -> None:
        """Allow options with which cvc5 checks its own results."""
        self._cvc5 = Cvc5(settings, name, has_self_checks=True)
        self.name, self.version = name, self._cvc5.version
        self._settings = (*_SETTINGS, *settings)

    def interpolate(self, interpolation: Interpolation, parameters: Parameters, rlimit: int) -> Outcome:
        """Return an interpolant of a pair; see `Interpolator.interpolate`."""
        refused = STYLE.refused(interpolation)
        if refused:
            return refusal(refused)
        answer = Answer()
        solver = fresh_solver()
        answer.left_out = self._cvc5.set_options(solver, with_own(self._settings, parameters))
        solver.setOption("rlimit", str(rlimit))
        interpolants: tuple[str, ...] = ()
        try:
            interpolants = _run(solver, script(interpolation, STYLE), answer)
        except RuntimeError as error:  # cvc5 raises no more specific class
            reason = one_line(error)
            answer.ends(Status.UNSUPPORTED if is_refused(reason) else Status.ERROR, reason)
        except MemoryError:
            answer.ends(Status.LIMIT, OUT_OF_MEMORY)
        outcome = answer.outcome
        return with_features(outcome, interpolants, outcome.trace)


def _run(solver: Any, text: str, answer: Answer) -> tuple[str, ...]:
    """Run a script; return the interpolant, if the solver finds one."""
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "script")
    while not (command := parser.nextCommand()).isNull():
        printed = str(command.invoke(solver, parser.getSymbolManager())).strip()
        if printed.startswith("(error"):
            answer.ends(Status.UNSUPPORTED if is_refused(printed) else Status.ERROR, printed)
            return ()
        if command.getCommandName() == "check-sat" and printed != "unsat":
            answer.ends(_ANSWERS.get(printed.partition(" ")[0], Status.ERROR))
            return ()
        if command.getCommandName() == "get-interpolant":
            found = interpolants_in(printed, STYLE)
            if found == [STYLE.gives_up]:
                answer.ends(Status.UNKNOWN, NONE_FOUND)
                return ()
            answer.ends(Status.UNSAT)
            return tuple(found)
    return ()
