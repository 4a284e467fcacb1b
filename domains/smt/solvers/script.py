"""Scripts with several checks, levels or assumptions, as steps: solvers run each of them, and the last check decides.

Only texts that the printer has marked as such are taken apart; all other scripts have one check at their end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from chcfuzz.grammar.form import CHECKS_INFO
from chcfuzz.solvers.model_text import pieces, symbols_of

ASSERT, PUSH, POP, CHECK = "assert", "push", "pop", "check"
_NAMED = re.compile(r"\(! (.*) :named (?:\|[^|]*\||[^\s()|]+)\)", re.DOTALL)
_LOGIC = re.compile(r"(?:\(set-option [^\n]*\)\n)*\(set-logic ([^\s()]+)\)")
_ASSUMING = re.compile(r"\(check-sat-assuming\s+\((.*)\)\s*\)", re.DOTALL)
_LITERAL = re.compile(r"\(not (?:\|[^|]*\||[^\s()|]+)\)|\|[^|]*\||[^\s()|]+")
_OPTIONS = re.compile(r"(?:\(set-option [^\n]*\)\n)+")
_OPTION = re.compile(r"\(set-option :(\S+) (\S+)\)\n")
_KINDS = {"assert": ASSERT, "push": PUSH, "pop": POP, "check-sat": CHECK, "check-sat-assuming": CHECK}


def logic_of(text: str) -> str | None:
    """Return the logic that a script sets, as the printer writes it: after its options."""
    found = _LOGIC.match(text)
    return found[1] if found else None


def options_of(text: str) -> dict[str, str]:
    """Return the options that a script sets, as the printer writes them: before everything else."""
    found = _OPTIONS.match(text)
    return dict(_OPTION.findall(found[0])) if found else {}


@dataclass(frozen=True)
class ScriptStep:
    """A command after the declarations, with the texts of its formulas: an asserted one, or assumptions of a check.

    The name of an asserted formula is left out.
    """

    kind: str
    formulas: tuple[str, ...] = ()


@dataclass(frozen=True)
class Steps:
    """A script: its declarations, and the steps after them; the last step is a check."""

    declarations: str
    steps: tuple[ScriptStep, ...]

    @property
    def checks(self) -> int:
        """The number of checks."""
        return sum(step.kind == CHECK for step in self.steps)

    @property
    def formulas(self) -> tuple[str, ...]:
        """The formulas of all steps, in order."""
        return tuple(formula for step in self.steps for formula in step.formulas)


def steps_of(text: str) -> Steps | None:
    """Return the steps of a script; None if it has only one check, at its end."""
    if f"(set-info :{CHECKS_INFO} " not in text:
        return None
    declarations, steps = [], []
    for piece in pieces(text):
        kind = _KINDS.get(symbols_of(piece)[0])
        if kind is None:
            declarations.append(piece)
        elif kind == ASSERT:
            formula = piece.removeprefix("(assert").removesuffix(")").strip()
            named = _NAMED.fullmatch(formula)
            steps.append(ScriptStep(ASSERT, (named[1] if named else formula,)))
        else:
            steps.append(ScriptStep(kind, _assumptions(piece) if kind == CHECK else ()))
    return Steps("\n".join(declarations), tuple(steps))


def _assumptions(check: str) -> tuple[str, ...]:
    """Return the texts of the literals that a check assumes."""
    found = _ASSUMING.fullmatch(check)
    return tuple(_LITERAL.findall(found[1])) if found else ()
