"""Queries behind a check: commands such as `get-value`, whose results belong to the answer of the check.

Queries are events (`form.Event`) whose word is that of the command, with its keyword; `get-value` has terms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chcfuzz.grammar.form import Event
from chcfuzz.grammar.terms import Term

GET = "get-"
ASSIGNMENT, MODEL, VALUE = "get-assignment", "get-model", "get-value"
CORE, ASSUMPTIONS = "get-unsat-core", "get-unsat-assumptions"
JUDGED = frozenset((ASSIGNMENT, VALUE, CORE, ASSUMPTIONS))  # by their results
WORDS = frozenset((ASSIGNMENT, MODEL, VALUE, CORE, ASSUMPTIONS, "get-assertions", "get-info", "get-proof"))
MOST_QUERIES = 100  # behind one check
# Options without which a query is an error, and which change no answer. The others are options of the problem.
_OPTIONS = {ASSIGNMENT: "produce-assignments", MODEL: "produce-models", VALUE: "produce-models"}


def is_query(event: Event) -> bool:
    """Return whether an event is a query."""
    return event.word.startswith(GET)


def why_left_out(word: str) -> str:
    """Return the reason for which solvers do not get a query whose result a user may look at; empty for others."""
    if word in WORDS or word == "get-option" or not word.startswith(GET):
        return ""
    is_about_interpolants = "interpolant" in word and not word.endswith("-next")
    return "it is run with --domain interpolation" if is_about_interpolants else "this query is not run"


def written_query(query: Event, print_term: Callable[[Term], str]) -> str:
    """Return the command of a query, on one line."""
    terms = f" ({' '.join(map(print_term, query.formulas))})" if query.formulas else ""
    return f"({query.word}{terms})"


def needed_options(queries: Sequence[Event]) -> tuple[tuple[str, str], ...]:
    """Return the options that a script has to set for its queries, as names and values."""
    return tuple((name, "true") for name in dict.fromkeys(_OPTIONS[q.word] for q in queries if q.word in _OPTIONS))


def stated_queries(queries: Sequence[Event], is_declared: Callable[[Sequence[Term]], bool]) -> tuple[Event, ...]:
    """Return the queries with those of their terms whose sorts and functions are declared."""
    found = []
    for query in queries:
        terms = tuple(term for term in query.formulas if is_declared((term,)))
        if terms or not query.formulas:
            found.append(query if terms == query.formulas else Event(query.at, query.word, terms))
    return tuple(found)
