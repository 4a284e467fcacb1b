"""Scripts without free names that decide whether a witness of a seed is right.

The witness of a seed that is sat is a text of `define-fun`s, and of a `declare-datatypes` with the elements of each
uninterpreted sort. With these in place of the declarations, the assertions are closed formulas.
"""

from __future__ import annotations

from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import UNDETERMINED
from chcfuzz.grammar.reading.parse import problem

from seeds.expressions import expressions

_DECLARES = ("(declare-fun ", "(declare-sort ", "(declare-const ")


def closed(text: str, witness: str) -> str:
    """Return the script of a seed under its witness, without `check-sat`."""
    kept = [each for each in _commands(text) if not each.startswith((*_DECLARES, "(check-sat"))]
    assertions = [each for each in kept if not each.startswith(("(set-", "(declare-datatypes "))]
    header = [each for each in kept if each.startswith(("(set-", "(declare-datatypes "))]
    return "\n".join([*header, witness.rstrip(), *assertions]) + "\n"


def negated(script: str) -> str:
    """Return a script that is unsat if and only if all assertions of a closed script hold."""
    commands = list(_commands(script))
    formulas = [_asserted(each) for each in commands if each.startswith("(assert ")]
    rest = [each for each in commands if not each.startswith(("(assert ", "(set-info :status"))]
    return "\n".join([*rest, f"(assert (not (and true {' '.join(formulas)})))", "(check-sat)"]) + "\n"


def _commands(text: str) -> list[str]:
    return [each for each in expressions(text) if not each.startswith(";")]


def _asserted(command: str) -> str:
    return command.removeprefix("(assert ").removesuffix(")")


def value_of(script: str) -> bool | None:
    """Return whether all assertions of a closed script hold, by the evaluator alone; None if that is left open."""
    values = [evaluate(formula, {}) for formula in problem(script).formulas]
    if any(value is False for value in values):
        return False
    return None if UNDETERMINED in values else True


def enumerated(text: str) -> bool | None:
    """Return whether a seed without functions has a model, by trying all values of its constants; None if too many."""
    commands = _commands(text)
    declared = [each.split(" ", 3) for each in commands if each.startswith("(declare-fun ")]
    if any(parameters != "()" for _, _, parameters, _ in declared) or "(declare-sort " in text:
        return None
    bound = " ".join(f"({name} {sort[:-1]})" for _, name, _, sort in declared)
    formulas = " ".join(_asserted(each) for each in commands if each.startswith("(assert "))
    rest = [each for each in commands if not each.startswith((*_DECLARES, "(assert ", "(check-sat"))]
    whole = f"(exists ({bound}) (and true {formulas}))" if bound else f"(and true {formulas})"
    return value_of("\n".join([*rest, f"(assert {whole})"]))
