"""Scripts that show a wrong interpolant to any solver: A, B and I as definitions, and the failing check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.printing.printer import print_problem, print_term
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.terms import Term, conjunction
from chcfuzz.oracles.scripts import joined


def implication_script(
    interpolation: Interpolation, interpolants: Sequence[Term], cut: int, failing: Problem, fault: str
) -> str:
    """Return a script that is satisfiable because an implication fails; `cut` counts from 1."""
    lines = [f"; {fault}: satisfiable.", *_definitions(interpolation, interpolants, cut)]
    lines += [f"(assert {print_term(formula)})" for formula in failing.formulas]
    return joined([*lines, "(check-sat)"])


def symbol_script(interpolation: Interpolation, interpolants: Sequence[Term], cut: int, fault: str) -> str:
    """Return a script with both sides and an interpolant that has a symbol of one side; `cut` counts from 1."""
    lines = [f"; {fault}.", f"; Both sides have: {' '.join(map(quoted, interpolation.shared(cut - 1))) or 'none'}."]
    return joined([*lines, *_definitions(interpolation, interpolants, cut)])


def text_script(interpolation: Interpolation, text: str, fault: str) -> str:
    """Return a script that asserts an interpolant as the solver printed it."""
    return "\n".join(
        (f"; {' '.join(fault.split())}.", *_declarations(interpolation), f"(assert {text})", "(check-sat)\n")
    )


def _definitions(interpolation: Interpolation, interpolants: Sequence[Term], cut: int) -> list[str]:
    """Return the declarations, and the sides and the interpolant of a cut as functions without arguments."""
    a, b = (conjunction(*side) for side in interpolation.sides(cut - 1))
    taken = {*interpolation.declared_names, *interpolation.signature}
    named = (("A", a), ("B", b), ("I", interpolants[cut - 1]))
    defined = [f"(define-fun {quoted(fresh_name(name, taken))} () Bool {print_term(term)})" for name, term in named]
    return [*_declarations(interpolation), *defined]


def _declarations(interpolation: Interpolation) -> list[str]:
    declared = replace(interpolation.problem, assertions=(), info=(), options=())
    return print_problem(declared).removesuffix("(check-sat)\n").splitlines()
