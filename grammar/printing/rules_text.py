"""CHC systems as rules and a query, the commands of Z3's Fixedpoint front end.

Z3 solves them with the same engine as assertions in the logic HORN, but reads and prepares them in another place.
"""

from __future__ import annotations

from collections.abc import Iterator

from chcfuzz.grammar.printing.printer import print_datatypes, print_term
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import FALSE, conjunction, negation

OPPOSITE = {"sat": "unsat", "unsat": "sat"}  # of the answer of the query: it is reachable if the system is unsat


def print_rules(system: System) -> str:
    """Return a script whose query is reachable if and only if the system is unsatisfiable."""
    query = _fresh(system)
    lines = [*map(print_datatypes, system.datatypes)]
    for predicate in system.predicates:
        lines.append(f"(declare-rel {quoted(predicate.name)} ({' '.join(map(str, predicate.parameters))}))")
    lines.append(f"(declare-rel {query} ())")
    lines += [f"(rule {rule})" for clause in system.clauses for rule in _rules(clause, query)]
    return "\n".join([*lines, f"(query {query})", ""])


def _rules(clause: Clause, query: str) -> Iterator[str]:
    body, head = clause.body, query if clause.is_query else print_term(clause.head)
    if clause.is_query and clause.head is not FALSE:
        body = (*body, negation(clause.head))
    yield _quantified(clause, f"(=> {print_term(conjunction(*body))} {head})" if body else head)


def _quantified(clause: Clause, rule: str) -> str:
    variables = " ".join(f"({quoted(each.name)} {each.sort})" for each in clause.variables)
    return f"(forall ({variables}) {rule})" if variables else rule


def _fresh(system: System) -> str:
    """Return a name for the query that the system does not have."""
    name, taken = "query!", set(system.declared_names)
    while name in taken:
        name += "!"
    return name
