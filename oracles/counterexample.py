"""Values at which a clause is false under a model, checked by our own evaluator: no solver has a say in it.

The model's `define-fun`s are read by our parser and put into the clause, so ground terms are all that is left once its
variables have values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.evaluate import (
    UNDETERMINED,
    Constructed,
    Ground,
    Undetermined,
    array_value,
    as_term,
    evaluate,
)
from chcfuzz.grammar.parse import parse_definitions, parse_term
from chcfuzz.grammar.printer import print_term
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Sort
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Variable, conjunction, implication
from chcfuzz.grammar.witness import Meaning, Meanings, plugged
from chcfuzz.oracles.refutation import Opened


def completed(
    system: System, variables: Iterable[Variable], values: Mapping[str, str]
) -> dict[Variable, Ground] | None:
    """A value for each variable: the one that SMT-LIB text gives it by its name, else some value.

    None where a text is no value that we know (a function, say).
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
    """The values of constants in a model of Z3's, as SMT-LIB text by name."""
    return {d.name(): " ".join(found[d].sexpr().split()) for d in found.decls() if d.arity() == 0}


def meanings(system: System, definitions: Sequence[str]) -> Meanings | None:
    """What the definitions say of the predicates; None where our parser does not read them as such."""
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


def truth(model: Meanings, clause: Clause | Opened, assignment: Mapping[Variable, Ground]) -> bool | None:
    """Whether a clause holds at values of its variables, its predicates read as the model says.

    None where our evaluator cannot tell.
    """
    value = evaluate(plugged(implication(conjunction(*clause.body), clause.head), model), assignment)
    return value if isinstance(value, bool) else None


def words(assignment: Mapping[Variable, Ground]) -> str:
    """The values for people, as SMT-LIB writes them."""
    return ", ".join(
        f"{quoted(variable.name)} = {print_term(as_term(value, variable.sort))}"
        for variable, value in assignment.items()
    )


def some_value(sort: Sort) -> Ground:
    """A value of a sort, the same one each time: zero, false, the smallest there is."""
    if sort is BOOL:
        return False
    if sort is REAL:
        return Fraction(0)
    if sort.is_array:
        return array_value(sort.index, some_value(sort.element), {})
    if sort is INT or sort.is_bitvector or sort.datatype is None:
        return 0
    # The constructor with the shallowest value: data types are well founded, so one leads out of every circle.
    depth = 0
    while True:
        found = _constructed(sort, depth)
        if found is not None:
            return found
        depth += 1


def _constructed(sort: Sort, depth: int) -> Ground | None:
    if sort.datatype is None:
        return some_value(sort)
    if depth < 0:
        return None
    for constructor in sort.datatype.constructors:
        fields = [_constructed(selector.sort, depth - 1) for selector in constructor.selectors]
        known = [field for field in fields if field is not None]
        if len(known) == len(fields):
            return Constructed(sort, constructor.operator, known)
    return None
