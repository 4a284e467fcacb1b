"""The commands of a script apart from the assertions that count in the end: levels, checks, and what a pop removes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from chcfuzz.grammar.form import Event
from chcfuzz.grammar.substitution import fresh_name, with_other_names
from chcfuzz.grammar.terms import Call, Function, Term, postorder
from chcfuzz.grammar.written_checks import ASSERT, CHECK, POP, PUSH, functions_of, is_literal


class WrittenCommands:
    """The events of a script so far; positions are numbers of assertions."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._opened: list[int] = []  # numbers of the events that opened the levels that are open

    def push(self, at: int) -> None:
        """Open a level."""
        self._opened.append(len(self.events))
        self.events.append(Event(at, PUSH))

    def pop(self, formulas: Sequence[Term]) -> int:
        """Close a level, with the formulas of all assertions before that; return the number of those that are left."""
        start = self._opened.pop()
        base = self.events[start].at
        inside = self.events[start + 1 :]
        del self.events[start + 1 :]
        self.events += (*_interleaved(base, inside, formulas[base:]), Event(base, POP))
        return base

    def check(self, at: int, assumptions: Sequence[Term], queries: Sequence[Event] = ()) -> None:
        """Check under assumptions, with queries behind it.

        All assumptions are asserted on a level of their own unless they are literals.
        """
        own = [replace(each, at=at) for each in queries]
        if all(map(is_literal, assumptions)):
            self.events += (Event(at, CHECK, tuple(assumptions)), *own)
        else:
            stated = [Event(at, ASSERT, (each,)) for each in assumptions]
            self.events += (Event(at, PUSH), *stated, Event(at, CHECK), *own, Event(at, POP))

    def clear(self) -> None:
        """Forget all commands."""
        self.events.clear()
        self._opened.clear()


def _interleaved(base: int, inside: Sequence[Event], formulas: Sequence[Term]) -> Iterator[Event]:
    """Yield events with the formulas that were asserted between them, all at one position."""
    left = list(inside)
    for number, formula in enumerate(formulas, base):
        while left and left[0].at <= number:
            yield replace(left.pop(0), at=base)
        yield Event(base, ASSERT, (formula,))
    yield from (replace(event, at=base) for event in left)


def declared_at_once(
    events: Sequence[Event], functions: Sequence[Function], symbols: Collection[str], late: Collection[str]
) -> tuple[tuple[Event, ...], tuple[Function, ...]]:
    """Return events whose functions are declared before them, and these, after the given functions.

    Functions of a closed level whose name is a symbol of the script's end get other names, and so do bound variables
    with the name of a function that is declared `late`.
    """
    if not events:
        return (), tuple(functions)
    own = [function for function in functions_of(events) if function not in set(functions)]
    taken = {*symbols, *(function.name for function in functions)}
    names: dict[Function, Function] = {}
    for function in own:
        name = fresh_name(function.name, taken)
        taken.add(name)
        names[function] = Function(name, function.parameters, function.result)
    unwanted = {*late, *(function.name for function in names.values())}
    changed = [
        replace(event, formulas=tuple(with_other_names(_renamed(f, names), unwanted, taken) for f in event.formulas))
        for event in events
    ]
    return tuple(changed), (*functions, *names.values())


def _renamed(formula: Term, names: Mapping[Function, Function]) -> Term:
    done: dict[Term, Term] = {}
    for here in postorder(formula):
        children = [done[child] for child in here.children]
        new = names.get(here.function) if isinstance(here, Call) else None
        done[here] = here.rebuild(children) if new is None else Call(new, children)
    return done[formula]
