"""The reduction of a system under a test: hierarchical delta debugging that knows the structure of CHC systems.

Passes run from coarse to fine: clauses, predicates, arguments, members of bodies, subterms, variables, sorts,
constants, names. ddSMT does this for any SMT-LIB script, but it cannot resolve a predicate away or drop an argument
everywhere at once, and most of its candidates are not Horn clauses.
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import TRUE, Term
from chcfuzz.triage.shrink import arguments, clauses, datatypes, names, simplify, sorts, terms, unfolding, variables
from chcfuzz.triage.shrink.result import Mode, Shrunk, improve
from chcfuzz.triage.shrink.search import CandidateCounts, Edits, InputTest, Search
from chcfuzz.triage.shrink.sites import edited
from chcfuzz.triage.shrink.size import Size, size

Same = Callable[[Term, Term], bool]  # whether two formulas are proved equivalent, their predicates uninterpreted


class PassEffect(enum.Enum):
    """Effect of a pass on the meaning of clauses."""

    EQUIVALENT = "equivalent"  # each clause stays equivalent, or another clause implies it
    CHANGED = "changed"  # some clauses change or vanish; a proof can show that they are equivalent or valid
    INCOMPARABLE = "incomparable"  # clauses over other predicates or sorts


@dataclass(frozen=True)
class SystemPass(Edits[System, Any]):
    """A pass over systems.

    A new pass needs an edit that makes the system smaller by `size.Size` at least sometimes, or it is never accepted.
    It may build systems that are not well-formed: `is_sound` refuses them. If it declares `PassEffect.EQUIVALENT`, that
    has to hold for every edit, because `Mode.EQUIVALENT` does not check these passes.
    """

    effect: PassEffect = PassEffect.CHANGED


_EQUIVALENT, _INCOMPARABLE = PassEffect.EQUIVALENT, PassEffect.INCOMPARABLE

PASSES = (
    SystemPass("drop notes", clauses.notes, clauses.without_notes, _EQUIVALENT),
    SystemPass("drop redundant clauses", clauses.redundant_clauses, clauses.without_clauses, _EQUIVALENT),
    SystemPass("drop clauses", clauses.clauses, clauses.without_clauses),
    SystemPass("drop unused predicates", clauses.unused_predicates, clauses.without_mention, _EQUIVALENT),
    SystemPass("drop predicates", clauses.predicates, clauses.without_mention, _INCOMPARABLE),
    SystemPass("let predicates be true", clauses.predicates, clauses.always_true, _INCOMPARABLE),
    SystemPass("let predicates be false", clauses.predicates, clauses.always_false, _INCOMPARABLE),
    SystemPass("resolve predicates away", unfolding.resolvable, unfolding.resolved, _INCOMPARABLE),
    SystemPass("shared terms", terms.shared, terms.with_shared),
    SystemPass("drop arguments", arguments.arguments, arguments.without_arguments, _INCOMPARABLE),
    SystemPass("simplify", simplify.foldable, edited, _EQUIVALENT),
    SystemPass("write as implications", simplify.odd_shapes, simplify.reshaped, _EQUIVALENT),
    SystemPass("drop members", terms.members, edited),
    SystemPass("formulas to true", terms.TO_TRUE, edited),
    SystemPass("formulas to false", terms.TO_FALSE, edited),
    SystemPass("solve equations", simplify.determined, simplify.solved, _EQUIVALENT),
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
    SystemPass("sorts to Bool", sorts.changes(sorts.to_bool), sorts.resorted, _INCOMPARABLE),
    SystemPass("sorts to Int", sorts.changes(sorts.to_int), sorts.resorted, _INCOMPARABLE),
    SystemPass("narrower vectors", sorts.changes(sorts.narrower), sorts.resorted, _INCOMPARABLE),
    SystemPass("drop data types", datatypes.unused_groups, datatypes.without_groups, _EQUIVALENT),
    SystemPass("drop parts of data types", datatypes.unused_parts, datatypes.without_parts, _INCOMPARABLE),
    SystemPass("constants everywhere", terms.shared_constants, terms.with_constants),
    SystemPass("constants", terms.constants, edited),
    SystemPass("name predicates", names.misnamed_predicates, names.with_named_predicates, _INCOMPARABLE),
    SystemPass("name data types", names.misnamed_groups, names.with_named_groups, _INCOMPARABLE),
    SystemPass("name variables", names.misnamed_clauses, names.with_named_variables, _EQUIVALENT),
)


def shrink(
    system: System,
    test: InputTest[System],
    *,
    mode: Mode = Mode.FINDING,
    same: Same | None = None,
    on_progress: Callable[[CandidateCounts], None] = lambda _counts: None,
) -> Iterator[Shrunk[System]]:
    """Yield ever smaller systems that pass the test, starting with the given one, which is assumed to pass.

    Each one is smaller than the one before by `size.Size`, is a CHC system, and equals the result of parsing its text.
    At the end the last one is yielded again, as 1-minimal: the test refuses every smaller system that a single edit of
    any pass makes of it. The same arguments give the same systems, whatever the width of the test. `on_progress` is
    called after each test.

    With `Mode.EQUIVALENT`, each clause stays equivalent to its original: by construction, or because `same` proves it.
    A clause that `same` proves equivalent to `true` may be dropped. Without `same`, only by construction.
    """
    system = parse(print_system(system), "system")

    def admits(best: System, candidate: System) -> bool:
        return _is_smaller(candidate, best) and is_sound(candidate)

    search = Search(system, test, print_system, admits, on_progress)
    yield from improve(search, _passes(mode, same), measured)


def measured(system: System) -> Size:
    """Return the size of a system."""
    return size(system, names.foreign_names(system))


def is_sound(system: System) -> bool:
    """Return whether the system is well-formed: its text parses back to it, and every clause is a Horn clause."""
    try:
        return parse(print_system(system), "system") == system
    except ChcfuzzError:
        return False


def _is_smaller(candidate: System, best: System) -> bool:
    return measured(candidate) < measured(best)


def _passes(mode: Mode, same: Same | None) -> list[SystemPass]:
    if mode is Mode.FINDING:
        return list(PASSES)
    equivalent = [one for one in PASSES if one.effect is PassEffect.EQUIVALENT]
    if same is None:
        return equivalent
    proved = functools.cache(same)
    return [
        one if one.effect is PassEffect.EQUIVALENT else replace(one, apply=_if_proved(one.apply, proved))
        for one in PASSES
        if one.effect is not PassEffect.INCOMPARABLE
    ]


def _if_proved(apply: Callable[[System, Any], System | None], same: Same) -> Callable[[System, Any], System | None]:
    """Return the function of a pass, restricted to results whose clauses are all proved equivalent."""

    def applied(best: System, edits: Any) -> System | None:
        candidate = apply(best, edits)
        if candidate is None or not _is_smaller(candidate, best):
            return None
        return candidate if all(same(old, new) for old, new in _differences(best, candidate)) else None

    return applied


def _differences(before: System, after: System) -> Iterator[tuple[Term, Term]]:
    """Yield each clause that has changed with its new formula, and each clause that is gone with `true`.

    A pass either leaves clauses out or rewrites them in place, never both.
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
