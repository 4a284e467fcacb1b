"""Values at which a clause is false under a model, checked by our own evaluator: no solver has a say in it.

The model's `define-fun`s are macros to our parser, so the clause comes back without predicates, and ground terms are
all that is left once its variables have values.
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
from chcfuzz.grammar.parse import parse, parse_term
from chcfuzz.grammar.printer import print_clause, print_datatypes, print_term
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Sort
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Quantifier, Term, Variable


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


def truth(
    system: System, definitions: Sequence[str], clause: Clause, assignment: Mapping[Variable, Ground]
) -> bool | None:
    """Whether a clause holds at values of its variables, its predicates read as the definitions say.

    None where our parser does not read a definition, or our evaluator cannot tell.
    """
    read = under(system, definitions, [clause])
    return None if read is None else truth_at(read[0], assignment)


def under(system: System, definitions: Sequence[str], clauses: Sequence[Clause]) -> list[Term] | None:
    """Formulas without predicates: what the clauses say with their predicates read as the definitions say.

    None where our parser does not read a definition.
    """
    lines = [*(print_datatypes(group) for group in system.datatypes), *definitions]
    lines += [print_clause(Clause(clause.formula)) for clause in clauses]
    try:
        return [clause.formula for clause in parse("\n".join(lines), "model").clauses]
    except ChcfuzzError:
        return None


def truth_at(formula: Term, assignment: Mapping[Variable, Ground]) -> bool | None:
    """Whether a formula holds at values of its universally quantified variables; None where we cannot tell."""
    by_name = {variable.name: value for variable, value in assignment.items()}
    renamed: dict[Variable, Ground] = {}
    while isinstance(formula, Quantifier) and formula.kind == "forall":
        if not {variable.name for variable in formula.variables} <= set(by_name):
            return None  # the parser gave a variable another name
        renamed.update({variable: by_name[variable.name] for variable in formula.variables})
        formula = formula.body
    value = evaluate(formula, renamed)
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
