"""Smaller systems that pass the same test: hierarchical reduction that knows what a CHC system is.

From the coarse to the fine: clauses, predicates, arguments, members of bodies, subterms, variables, sorts, constants,
names. ddSMT does this for SMT-LIB of any kind; it knows no predicate that can be resolved away and no argument that has
to go everywhere at once, and most of what it tries is no Horn clause any more.
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.parse import parse
from chcfuzz.grammar.printer import print_system
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import TRUE, Term
from chcfuzz.triage.shrink import arguments, clauses, datatypes, names, simplify, sorts, terms, unfolding, variables
from chcfuzz.triage.shrink.search import Counts, Edits, First, Search, until_minimal
from chcfuzz.triage.shrink.sites import edited
from chcfuzz.triage.shrink.size import Size, size

Same = Callable[[Term, Term], bool]  # whether two formulas are proved equivalent, their predicates uninterpreted


class Meaning(enum.Enum):
    """What a pass does to clauses."""

    KEPT = "kept"  # each is equivalent to what it was, or says nothing that another does not say
    CHANGED = "changed"  # some are other formulas now, or gone: whether equivalent ones, a proof can tell
    OTHER = "other"  # they speak of other predicates and sorts


@dataclass(frozen=True)
class SystemPass(Edits[System, Any]):
    """A pass over systems."""

    meaning: Meaning = Meaning.CHANGED


class Mode(enum.Enum):
    """`EQUIVALENT`: clause by clause, as HornFuzz reduces. `FINDING`: whatever the test lets pass, which is smaller."""

    EQUIVALENT = "equivalent"
    FINDING = "finding"


_KEPT, _CHANGED, _OTHER = Meaning.KEPT, Meaning.CHANGED, Meaning.OTHER

PASSES = (
    SystemPass("drop notes", clauses.notes, clauses.without_notes, _KEPT),
    SystemPass("drop redundant clauses", clauses.redundant_clauses, clauses.without_clauses, _KEPT),
    SystemPass("drop clauses", clauses.clauses, clauses.without_clauses),
    SystemPass("drop unused predicates", clauses.unused_predicates, clauses.without_mention, _KEPT),
    SystemPass("drop predicates", clauses.predicates, clauses.without_mention, _OTHER),
    SystemPass("let predicates be true", clauses.predicates, clauses.always_true, _OTHER),
    SystemPass("let predicates be false", clauses.predicates, clauses.always_false, _OTHER),
    SystemPass("resolve predicates away", unfolding.resolvable, unfolding.resolved, _OTHER),
    SystemPass("drop arguments", arguments.arguments, arguments.without_arguments, _OTHER),
    SystemPass("simplify", simplify.foldable, edited, _KEPT),
    SystemPass("write as implications", simplify.odd_shapes, simplify.reshaped, _KEPT),
    SystemPass("drop members", terms.members, edited),
    SystemPass("formulas to true", terms.TO_TRUE, edited),
    SystemPass("formulas to false", terms.TO_FALSE, edited),
    SystemPass("solve equations", simplify.determined, simplify.solved, _KEPT),
    SystemPass(
        "variables to constants",
        variables.instances(variables.zero),
        variables.instantiated,
    ),
    SystemPass("variables to 1", variables.instances(variables.one), variables.instantiated),
    SystemPass("merge variables", variables.merges, variables.instantiated),
    SystemPass("bound variables to constants", terms.bound_values, edited),
    SystemPass("quantify outermost", terms.hoisted, edited),
    SystemPass("repeated terms", terms.repeated_terms, terms.with_terms),
    SystemPass("terms to subterms", terms.nearest, edited),
    SystemPass("terms to their variables", terms.leaves, edited),
    SystemPass("terms to constants", terms.values(variables.zero), edited),
    SystemPass("terms to 1", terms.values(variables.one), edited),
    SystemPass("terms to new variables", terms.fresh_variables, edited),
    SystemPass("sorts to Bool", sorts.changes(sorts.to_bool), sorts.resorted, _OTHER),
    SystemPass("sorts to Int", sorts.changes(sorts.to_int), sorts.resorted, _OTHER),
    SystemPass("narrower vectors", sorts.changes(sorts.narrower), sorts.resorted, _OTHER),
    SystemPass("drop data types", datatypes.unused_groups, datatypes.without_groups, _KEPT),
    SystemPass("drop parts of data types", datatypes.unused_parts, datatypes.without_parts, _OTHER),
    SystemPass("constants everywhere", terms.shared_constants, terms.with_constants),
    SystemPass("constants", terms.constants, edited),
    SystemPass("name predicates", names.misnamed_predicates, names.with_named_predicates, _OTHER),
    SystemPass("name data types", names.misnamed_groups, names.with_named_groups, _OTHER),
    SystemPass("name variables", names.misnamed_clauses, names.with_named_variables, _KEPT),
)


@dataclass(frozen=True)
class Shrunk:
    """The smallest system so far, and its size.

    `by` is the pass that made it, None for the system given; `counts` say what has been asked until now. `minimal` is
    said of the last one alone, after all that could still be smaller was asked about.
    """

    system: System
    size: Size
    by: str | None
    counts: Counts
    minimal: bool = False


def shrink(
    system: System,
    first: First[System],
    *,
    mode: Mode = Mode.FINDING,
    same: Same | None = None,
    width: int = 1,
    told: Callable[[Counts], None] | None = None,
) -> Iterator[Shrunk]:
    """Ever smaller systems that pass the test, the given one first, of which it is taken for granted.

    Each is smaller than the one before by `shrink_size.Size`, a CHC system, and what `parse` reads from its text. The
    last one comes again at the end, as 1-minimal for every pass: the test lets nothing smaller pass that a single edit
    makes of it. The same arguments give the same systems, whatever `width` is. Who stops early has the best in hand.

    `first` is the test (`reduce_search.one_by_one`, `side_by_side`), given at most `width` systems at a time; it must
    answer alike for alike systems, since none is asked about twice. `told` hears of progress after each answer.

    With `Mode.EQUIVALENT` each clause stays equivalent to what it was, by construction or because `same` has
    proved it; a clause that says nothing (`same` as `true`) may go. Without `same` only the former.
    """
    system = parse(print_system(system), "system")
    search = Search(
        system, first, print_system, lambda best, new: _is_smaller(new, best) and is_sound(new), width, told
    )
    found = Shrunk(system, measured(system), None, search.counts)
    yield found
    for name in until_minimal(search, _passes(mode, same)):
        found = Shrunk(search.best, measured(search.best), name, search.counts)
        yield found
    yield replace(found, counts=search.counts, minimal=True)


def measured(system: System) -> Size:
    """The size of a system."""
    return size(system, names.foreign_names(system))


def is_sound(system: System) -> bool:
    """Whether the system is one: its text is read back as it is, every clause a Horn clause."""
    try:
        return parse(print_system(system), "system") == system
    except ChcfuzzError:
        return False


def _is_smaller(candidate: System, best: System) -> bool:
    return measured(candidate) < measured(best)


def _passes(mode: Mode, same: Same | None) -> list[SystemPass]:
    if mode is Mode.FINDING:
        return list(PASSES)
    kept = [one for one in PASSES if one.meaning is _KEPT]
    if same is None:
        return kept
    proved = functools.cache(same)
    return [
        one if one.meaning is _KEPT else replace(one, apply=_proving(one.apply, proved))
        for one in PASSES
        if one.meaning is not _OTHER
    ]


def _proving(apply: Callable[[System, Any], System | None], same: Same) -> Callable[[System, Any], System | None]:
    """The pass's function, but None where not every clause is proved equivalent to what it was."""

    def applied(best: System, edits: Any) -> System | None:
        candidate = apply(best, edits)
        if candidate is None or not _is_smaller(candidate, best):
            return None
        return candidate if all(same(old, new) for old, new in _differences(best, candidate)) else None

    return applied


def _differences(before: System, after: System) -> Iterator[tuple[Term, Term]]:
    """Each clause that is another one now, with what it is; one that is gone with `true`.

    A pass leaves clauses out or rewrites them where they are, not both.
    """
    old, new = ([clause.formula for clause in system.clauses] for system in (before, after))
    if len(old) == len(new):
        yield from ((a, b) for a, b in zip(old, new, strict=True) if a is not b)
        return
    for formula in old:
        if new and formula is new[0]:
            new.pop(0)
        else:
            yield formula, TRUE
