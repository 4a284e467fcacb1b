"""Values at which a clause is false under a model, checked by our own evaluator without any solver.

Our parser reads the model's `define-fun`s, which are substituted into the clause. Once its variables have values, only
ground terms remain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chcfuzz.domains.chc.oracles.refutation import PrenexClause
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import UNDETERMINED, Ground, Undetermined, as_term
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.printing.witness import Meaning, Meanings, plugged
from chcfuzz.grammar.reading.parse import parse_definitions, parse_term
from chcfuzz.grammar.sorts import BOOL
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Variable, conjunction, implication
from chcfuzz.oracles.left_open import some_value


def completed(
    system: System, variables: Iterable[Variable], values: Mapping[str, str]
) -> dict[Variable, Ground] | None:
    """Return a value for each variable: the one that SMT-LIB text gives for its name, or else a default value.

    None if a text is not a value that we support (a function, for example).
    """
    assignment: dict[Variable, Ground] = {}
    for variable in variables:
        value: Ground | Undetermined = some_value(variable.sort)
        if variable.name in values:
            try:
                value = evaluate(parse_term(values[variable.name], (), system), {})
            except ChcfuzzError:
                return None
        if value is UNDETERMINED:
            return None
        assignment[variable] = value
    return assignment


def values_of(found: Any) -> dict[str, str]:
    """Return the values of constants in a model of Z3, as SMT-LIB text by name."""
    return {d.name(): " ".join(found[d].sexpr().split()) for d in found.decls() if d.arity() == 0}


def meanings(system: System, definitions: Sequence[str]) -> Meanings | None:
    """Return the definitions of the predicates; None if our parser cannot read them as such."""
    try:
        found = parse_definitions("\n".join(definitions), system, "model")
    except ChcfuzzError:
        return None
    read = {p: Meaning(found[p.name].parameters, found[p.name].body) for p in system.predicates if p.name in found}
    fits = all(
        meaning.body.sort is BOOL and tuple(variable.sort for variable in meaning.parameters) == predicate.parameters
        for predicate, meaning in read.items()
    )
    return read if fits else None


def holds(model: Meanings, clause: Clause | PrenexClause, assignment: Mapping[Variable, Ground]) -> bool | None:
    """Return whether a clause holds at values of its variables, with the model's meanings of its predicates.

    None if our evaluator cannot decide.
    """
    value = evaluate(plugged(implication(conjunction(*clause.body), clause.head), model), assignment)
    return value if isinstance(value, bool) else None


def description(assignment: Mapping[Variable, Ground]) -> str:
    """Return the values as text, in SMT-LIB's notation."""
    return ", ".join(
        f"{quoted(variable.name)} = {print_term(as_term(value, variable.sort))}"
        for variable, value in assignment.items()
    )
