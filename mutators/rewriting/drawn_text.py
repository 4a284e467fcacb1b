"""Steps that hold what a model has drawn: four bytes that select the place, and the text of a term.

Another model therefore changes no stored unit.
"""

from __future__ import annotations

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.reading.leniences import as_read
from chcfuzz.grammar.reading.parse import parse_term
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.terms import Term, Variable
from chcfuzz.learning import active

FUEL = (1, 2, 3, 4, 6, 8)  # operators of a drawn term
SOURCE = "LaST (2023), a model instead of a transformer"
_HEAD = 4  # bytes


def head_of(choices: Choices) -> int:
    """Draw or read the number that selects the place."""
    return choices.index(1 << 8 * _HEAD)


def selecting(head: int) -> Choices:
    """Return choices that start with the number of `head_of`, so that they select the same place again."""
    return Choices(head.to_bytes(_HEAD, "little"))


def data_of(head: int, term: Term) -> bytes:
    """Return the data of a step, and remember how the term was drawn."""
    data = head.to_bytes(_HEAD, "little") + print_term(as_read(term)).encode()
    active.temperings.note(data)
    return data


def stated(problem: BaseProblem, text: str, variables: tuple[Variable, ...], sort: Sort) -> Term | None:
    """Return the term that a text states, if the problem declares its symbols, and it has the sort."""
    try:
        term = parse_term(text, variables, problem)
    except ChcfuzzError:
        return None
    return term if term.sort is sort else None
