"""The commands of a script as a text has them: levels, checks in between, and formulas that a pop removes.

The problem of a script is that of its last check. Its assertions are on the levels that are open there, so whatever a
row does to them, the other commands can stay between them: a level that is closed holds none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chcfuzz.grammar.check_commands import asserted
from chcfuzz.grammar.form import WRITTEN, Checks, Event
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.queries import is_query, written_query
from chcfuzz.grammar.sorts import BOOL
from chcfuzz.grammar.terms import Apply, Call, Function, Term, subterms

PUSH, POP, ASSERT, CHECK = "push", "pop", "assert", "check"
MOST_EVENTS = 1000
MOST_NODES = 100_000  # of their formulas


def as_written(events: Sequence[Event], assumed: int) -> Checks:
    """Return the form of a script with these events before its last check, which assumes some assertions."""
    return Checks(WRITTEN, 0, tuple(events), assumed) if events or assumed else Checks()


def is_small(events: Sequence[Event]) -> bool:
    """Return whether the events of a script are few enough to be kept."""
    nodes = sum(formula.size for event in events for formula in event.formulas)
    return len(events) <= MOST_EVENTS and nodes <= MOST_NODES


def is_literal(formula: Term) -> bool:
    """Return whether a formula is a constant or the negation of one, as assumptions are."""
    inner = formula.children[0] if isinstance(formula, Apply) and formula.operator == "not" else formula
    return isinstance(inner, Call) and inner.sort is BOOL and not inner.children


def functions_of(events: Sequence[Event]) -> tuple[Function, ...]:
    """Return the functions that the formulas of events call, in their order."""
    formulas = [formula for event in events for formula in event.formulas]
    return tuple(dict.fromkeys(term.function for term in subterms(*formulas) if isinstance(term, Call)))


def stated_events(problem: Problem) -> tuple[Event, ...]:
    """Return the events that the text of a problem can have: those whose sorts and functions it declares."""
    events = problem.form.checks.events
    return events if problem.declares(formula for event in events for formula in event.formulas) else ()


def written(
    problem: Problem, assertions: Sequence[Assertion], notes: Sequence[str], text: Callable[[Term], str]
) -> list[str]:
    """Return the commands of the script from its first assertion to its last check; `notes` are about that check.

    `assertions` are those of the problem as the text states them, and `text` prints a formula.
    """
    assumed = assumed_numbers(problem)
    events = list(stated_events(problem))
    lines: list[str] = []
    for number, each in enumerate(assertions):
        while events and events[0].at <= number:
            lines.append(_command(events.pop(0), text))
        if number not in assumed:
            lines.append(asserted(each.annotations, text(each.formula)))
    lines += [_command(event, text) for event in events]
    literals = [text(assertions[number].formula) for number in assumed]
    return [*lines, *notes, f"(check-sat-assuming ({' '.join(literals)}))" if literals else "(check-sat)"]


def assumed_numbers(problem: Problem) -> Sequence[int]:
    """Return the numbers of the assertions that the last check assumes."""
    numbers = (
        range(len(problem.assertions))[-problem.form.checks.assumed :] if problem.form.checks.assumed else range(0)
    )
    return [n for n in numbers if problem.assertions[n].name is None and is_literal(problem.assertions[n].formula)]


def _command(event: Event, text: Callable[[Term], str]) -> str:
    if is_query(event):
        return written_query(event, text)
    formulas = [text(formula) for formula in event.formulas]
    if event.word == CHECK:
        return f"(check-sat-assuming ({' '.join(formulas)}))" if formulas else "(check-sat)"
    return asserted((), formulas[0]) if event.word == ASSERT else f"({event.word} 1)"


def removable(events: Sequence[Event]) -> list[tuple[int, ...]]:
    """Return the numbers of events that can be removed, together: the last check stays one of the same problem.

    A level can be removed unless a formula is asserted on it that its end removes.
    """
    found: list[tuple[int, ...]] = []
    opened: list[tuple[int, bool]] = []  # the numbers of levels, and whether formulas are on them
    for number, event in enumerate(events):
        if event.word == PUSH:
            opened.append((number, False))
        elif event.word == POP:
            start, has_formulas = opened.pop()
            found += [] if has_formulas else [(start, number)]
        else:
            found.append((number,))
            if event.word == ASSERT and opened:
                opened = [*opened[:-1], (opened[-1][0], True)]
    return [*found, *((start,) for start, _ in opened)]
