"""The commands of a script from its first assertion to its last check, in any form of `Checks`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from chcfuzz.grammar import form
from chcfuzz.grammar.form import Checks
from chcfuzz.grammar.problem import Assertion
from chcfuzz.grammar.sorts import BOOL
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.terms import Apply, Call, Function, Term

_CHECK = "(check-sat)"
_GUARD = "assume!"


def commands(
    assertions: Sequence[Assertion], texts: Sequence[str], checks: Checks, notes: Sequence[str], taken: Collection[str]
) -> list[str]:
    """Return the commands for these assertions, whose formulas have these texts; `notes` are about the last check.

    Constants that the commands declare have names that are not taken.
    """
    at = min(checks.at, len(assertions))
    written = [asserted(each.annotations, text) for each, text in zip(assertions, texts, strict=True)]
    before, after = written[:at], written[at:]
    match checks.kind:
        case form.TWICE:
            return [*written, _CHECK, *notes, _CHECK]
        case form.BETWEEN:
            return [*before, _CHECK, *after, *notes, _CHECK]
        case form.PUSH:
            return [*before, "(push 1)", *after, *notes, _CHECK]
        case form.AGAIN:
            nameless = [asserted((), text) for text in texts[at:]]
            return [*before, "(push 1)", *nameless, _CHECK, "(pop 1)", "(push 1)", *after, *notes, _CHECK]
        case form.ASIDE:
            negated = [f"(assert (not {text}))" for text in texts[at : at + 1]]
            return [*written, "(push 1)", *negated, _CHECK, "(pop 1)", *notes, _CHECK]
        case form.ASSUME:
            return _assumed(assertions, texts, at, notes, taken)
    return [*written, *notes, _CHECK]


def asserted(annotations: Sequence[str], text: str) -> str:
    """Return an `assert` with this formula."""
    return f"(assert (! {text} {' '.join(annotations)}))" if annotations else f"(assert {text})"


def _assumed(
    assertions: Sequence[Assertion], texts: Sequence[str], at: int, notes: Sequence[str], taken: Collection[str]
) -> list[str]:
    """Return the commands with assumptions for the nameless assertions from `at` on."""
    declared, written, literals = [], [], []
    for number, (each, text) in enumerate(zip(assertions, texts, strict=True)):
        if number < at or each.annotations:
            written.append(asserted(each.annotations, text))
            continue
        guard = quoted(fresh_name(f"{_GUARD}{number}", taken))
        declared.append(f"(declare-const {guard} Bool)")
        written.append(f"(assert (=> {guard} {text}))")
        literals.append(guard)
    return [*declared, *written, *notes, f"(check-sat-assuming ({' '.join(literals)}))"]


def released(
    assertions: Sequence[Assertion], assumptions: Sequence[Assertion], functions: Sequence[Function]
) -> tuple[tuple[Assertion, ...], tuple[Function, ...]]:
    """Return the assertions and functions that `assume` was written for; undoes it."""
    guards = {each.formula.function for each in assumptions if isinstance(each.formula, Call)}
    found: dict[Function, Assertion] = {}
    released_ones: list[Assertion] = []
    for each in assertions:
        guard = _guard(each.formula)
        if guard in guards and guard not in found and each.name is None:
            found[guard] = each
            released_ones.append(replace(each, formula=each.formula.children[1]))
        else:
            released_ones.append(each)
    others = [each for each in assumptions if not (isinstance(each.formula, Call) and each.formula.function in found)]
    return (*released_ones, *others), tuple(function for function in functions if function not in found)


def _guard(formula: Term) -> Function | None:
    """Return the constant that implies the formula, if its name is that of a guard."""
    if not (isinstance(formula, Apply) and formula.operator == "=>" and len(formula.children) == 2):
        return None
    left = formula.children[0]
    is_guard = isinstance(left, Call) and left.sort is BOOL and not left.children
    return left.function if is_guard and isinstance(left, Call) and left.function.name.startswith(_GUARD) else None
