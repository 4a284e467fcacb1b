"""Interpolation problems from texts of other kinds: splits of SMT problems, and unrollings of CHC systems."""

from __future__ import annotations

from collections.abc import Sequence

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import ChcfuzzError, GrammarError
from chcfuzz.grammar.interpolation.group_text import read
from chcfuzz.grammar.interpolation.grouped import AXIOM, GROUP, Grouped, Interpolation
from chcfuzz.grammar.interpolation.query_scripts import has_queries, in_order, queried
from chcfuzz.grammar.interpolation.splitting import split
from chcfuzz.grammar.interpolation.unrolling import from_system
from chcfuzz.grammar.printing.rereading import as_functions, as_reals
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.reading.decoding import states_horn
from chcfuzz.grammar.terms import Term

REALS, FUNCTIONS = "reals", "functions"
READINGS = (REALS, FUNCTIONS)
_SPLITS = 3  # of a problem, since many are trivial
_DEPTHS = (1, 2, 3)
_MOST_NODES = 5000  # of an unrolling


def stated(text: str, name: str, readings: Sequence[str] = ()) -> tuple[Interpolation, ...]:
    """Return the problems that a text states by groups or queries, or splits or unrollings of another text.

    There is at least one. The draws of a split depend on the text alone. `readings` are some of `READINGS`, for splits.
    Raises `GrammarError` for another text, and for one without interpolants.
    """
    if has_queries(text) and (found := queried(text, name)):
        return found
    if f":{GROUP}" in text:
        return (read(text, name),)
    if states_horn(text):
        return _unrolled(text, name)
    problem, axioms = _reread(parse.problem(text, name), readings)
    if problem.status == "sat":
        raise GrammarError(name, 1, 1, "a satisfiable problem has no interpolants", "")
    drawn = [split(problem, Choices(b"", f"{number} {text}".encode())) for number in range(_SPLITS)]
    splits = [each for each in drawn if each is not None]
    if not splits:
        raise GrammarError(name, 1, 1, "one conjunct: a split needs two", "")
    grouped = [Grouped(axiom, None, AXIOM) for axiom in axioms]
    return tuple(dict.fromkeys(each.with_assertions((*each.assertions, *grouped)) for each in splits))


def stated_last(text: str, name: str) -> Interpolation:
    """Return the problem of the last query in a text, or of its groups; raises `GrammarError`."""
    found = in_order(text, name) if has_queries(text) else ()
    return found[-1] if found else read(text, name)


def _unrolled(text: str, name: str) -> tuple[Interpolation, ...]:
    """Return unrollings of a CHC system; if the system is satisfiable, they are not."""
    system = parse.parse(text, name)
    if system.status == "unsat":
        raise GrammarError(name, 1, 1, "an unsatisfiable system has unrollings with models: no interpolants", "")
    found: list[Interpolation] = []
    for depth in _DEPTHS:
        try:
            unrolled = from_system(system, depth)
        except ChcfuzzError:
            break  # too large
        if unrolled.cuts and unrolled.nodes <= _MOST_NODES:
            found.append(unrolled)
    if not found:
        raise GrammarError(name, 1, 1, "its unrollings have one group, or are too large", "")
    return tuple(dict.fromkeys(found))


def _reread(problem: Problem, readings: Sequence[str]) -> tuple[Problem, tuple[Term, ...]]:
    """Return the problem over other sorts, where its operators allow that, and the axioms of new functions."""
    changed, axioms = problem, tuple[Term, ...]()
    if REALS in readings:
        changed = as_reals(changed) or changed
    if FUNCTIONS in readings:
        changed, axioms = as_functions(changed)
    return (problem, ()) if changed == problem else (changed.with_header((), problem.options), axioms)
