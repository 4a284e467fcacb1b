"""Refutations from cvc5: it answers unsat to the clauses as plain SMT, and its instantiations name the ground steps.

cvc5 instantiates the quantified clauses, and prints the terms for each. A variable has the number of its clause in its
name, because cvc5 rewrites the clauses and prints them in another form. Ground instances of the clauses then derive
facts until false follows. The terms are only hints: chcfuzz evaluates every step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from chcfuzz.domains.chc.oracles import forward
from chcfuzz.domains.chc.oracles.evidence import names
from chcfuzz.domains.chc.oracles.forward import Values
from chcfuzz.domains.chc.oracles.refutation import Refutation, fault, prenex
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import UNDETERMINED
from chcfuzz.grammar.reading.parse import parse_term
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Quantifier, Variable, conjunction, implication
from chcfuzz.solvers.model_text import pieces


def prefix(system: System) -> str:
    """Return the beginning of the names of variables, which no name of the system has."""
    taken = names(system)
    start = "c"
    while any(name.startswith(start) for name in taken):
        start += "!"
    return start


def named(system: System) -> System:
    """Return the system with clauses in prenex form, whose variables have the clause and their position as names."""
    start = prefix(system)
    return replace(system, clauses=tuple(_named(clause, f"{start}{n}") for n, clause in enumerate(system.clauses)))


def _named(clause: Clause, start: str) -> Clause:
    opened = prenex(clause)
    new = {old: Variable(f"{start}!{place}", old.sort) for place, old in enumerate(opened.variables)}
    formula = substitute(implication(conjunction(*opened.body), opened.head), new)
    return Clause(Quantifier("forall", tuple(new.values()), formula) if new else formula)


def instances(system: System, printed: str) -> dict[int, list[Values]]:
    """Return the values that cvc5 printed for the variables of each clause, in order and without duplicates."""
    pattern = re.compile(rf"{re.escape(prefix(system))}(\d+)!(\d+)")
    found: dict[int, list[Values]] = {}
    for block in pieces(printed):
        parts = pieces(block[1:-1])
        if not block.startswith("(instantiations ") or not parts:
            continue
        places = _bound(parts[0], pattern)
        for row in parts[1:] if places else ():
            number = places[0][0]
            values = _values(system, [place for _, place in places], row)
            if number < len(system.clauses) and values is not None and values not in found.setdefault(number, []):
                found[number].append(values)
    return found


def _bound(formula: str, pattern: re.Pattern[str]) -> list[tuple[int, int]]:
    """Return the clause and the position of each variable that the outermost quantifier of a formula binds."""
    inside = pieces(formula[1:-1])
    if not formula.startswith("(forall ") or not inside:
        return []
    found = [pattern.search(pair) for pair in pieces(inside[0][1:-1])]
    return [] if None in found else [(int(each[1]), int(each[2])) for each in found if each is not None]


def _values(system: System, places: Sequence[int], row: str) -> Values | None:
    """Return the values of a row of terms; None if a term cannot be read, or its value is unknown."""
    texts = list(_terms(row[1:-1]))
    if len(texts) != len(places):
        return None
    try:
        terms = [parse_term(text.replace("_total ", " "), (), system) for text in texts]
    except ChcfuzzError:
        return None
    known = ((place, evaluate(term, {})) for place, term in zip(places, terms, strict=True))
    return {place: value for place, value in known if value is not UNDETERMINED}


_WORD = re.compile(r"\s*([^\s()|]*\|[^|]*\||[^\s()|]+)")


def _terms(text: str) -> Iterator[str]:
    """Yield the terms of a row: words, and expressions in parentheses."""
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
        elif text[at] == "(":
            (whole, *_) = pieces(text[at:]) or [text[at:]]
            yield whole
            at += len(whole)
        else:
            word = _WORD.match(text, at)
            if word is None:
                return
            yield word[1]
            at = word.end()


def refutation(system: System, printed: str) -> Refutation | None:
    """Return a checked refutation from the instantiations that cvc5 printed; None if they give none."""
    found = forward.refutation(system, instances(system, printed))
    return found if found is not None and fault(system, found) is None else None
