"""Scripts with several checks, levels, assumptions or queries, as steps: solvers run each, and the last check decides.

Only texts that the printer has marked as such, or that have queries behind their last check, are taken apart; all other
scripts have one check at their end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from chcfuzz.grammar.form import CHECKS_INFO
from chcfuzz.grammar.queries import GET, MODEL
from chcfuzz.solvers.model_text import members, pieces, symbols_of

ASSERT, PUSH, POP, CHECK, QUERY = "assert", "push", "pop", "check", "query"
_END, _LAST_CHECK = "(check-sat)\n", "\n(check-sat"
_NAMED = re.compile(r"\(! (.*) :named (\|[^|]*\||[^\s()|]+)\)", re.DOTALL)
_QUERY = re.compile(r"\((get-[^\s()]+(?: :[^\s()]+)?)\s*(?:\((.*)\))?\)", re.DOTALL)
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

    The formulas of a query are its terms. `name` is that of an asserted formula, or the word of a query.
    """

    kind: str
    formulas: tuple[str, ...] = ()
    name: str = ""


@dataclass(frozen=True)
class Steps:
    """A script: its declarations, and the steps after them; only queries come behind the last check."""

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
    """Return the steps of a script; None if it has only one check, with no query behind it but for its model."""
    if f"(set-info :{CHECKS_INFO} " not in text and all(query == f"({MODEL})" for query in queries_of(text)):
        return None
    declarations, steps = [], []
    for piece in pieces(text):
        word = symbols_of(piece)[0]
        kind = QUERY if word.startswith(GET) else _KINDS.get(word)
        if kind == QUERY:
            steps.append(_query(piece))
        elif kind is None:
            declarations.append(piece)
        elif kind == ASSERT:
            formula = piece.removeprefix("(assert").removesuffix(")").strip()
            named = _NAMED.fullmatch(formula)
            steps.append(ScriptStep(ASSERT, (named[1],), named[2]) if named else ScriptStep(ASSERT, (formula,)))
        else:
            steps.append(ScriptStep(kind, _assumptions(piece) if kind == CHECK else ()))
    return Steps("\n".join(declarations), tuple(steps))


def queries_of(text: str) -> list[str]:
    """Return the commands behind the last check of a script, if all are queries."""
    if text.endswith(_END):
        return []
    start = text.rfind(_LAST_CHECK) + 1
    found = pieces(text[text.find("\n", start) :]) if start and "\n" in text[start:] else []
    return found if all(piece.startswith(f"({GET}") for piece in found) else []


def without_queries(text: str) -> str:
    """Return a script as far as its last check."""
    return text[: text.find("\n", text.rfind(_LAST_CHECK) + 1) + 1] if queries_of(text) else text


def _query(piece: str) -> ScriptStep:
    found = _QUERY.fullmatch(piece)
    word = found[1] if found else piece[1:-1]
    return ScriptStep(QUERY, tuple(members(f"({found[2]})")) if found and found[2] else (), word)


def _assumptions(check: str) -> tuple[str, ...]:
    """Return the texts of the literals that a check assumes."""
    found = _ASSUMING.fullmatch(check)
    return tuple(_LITERAL.findall(found[1])) if found else ()
