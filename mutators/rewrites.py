"""Z3's own `simplify`, bare and with each of its parameters: HornFuzz's ninth kind.

The rows come from the installed Z3. Z3 is asked clause by clause through text, its answer is read by our parser; what
it makes of a clause that is then no Horn clause of ours, or that would cost too many steps, is left as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.horn import NotHornError
from chcfuzz.grammar.parse import parse_term
from chcfuzz.grammar.printer import print_system
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Term
from chcfuzz.mutators.mutation import Kind, Mutation, Promise
from chcfuzz.solvers.z3_parameters import simplify_parameters

Settings = Mapping[str, bool | int]

MAX_STEPS = 20_000

EXCLUDED = {
    "cache_all": "changes what is remembered, never the result",
    "hi_div0": "gives division by zero another meaning",
    "local_ctx_limit": "a limit of local_ctx, which is on its own here",
    "max_memory": "a limit",
    "max_steps": "a limit, and ours",
}
# Values for what is no Boolean, and what must be on for it to matter.
_NUMBERS: Mapping[str, tuple[Settings, ...]] = {
    "blast_distinct_threshold": ({"blast_distinct": True, "blast_distinct_threshold": 2},),
    "bv_ineq_consistency_test_max": ({"bv_ineq_consistency_test_max": 16},),
    "max_degree": ({"som": True, "max_degree": 1},),
    "som_blowup": ({"som": True, "som_blowup": 1}, {"som": True, "som_blowup": 1000}),
}


def mutations() -> tuple[Mutation, ...]:
    """A row for bare `simplify` and for each parameter of the installed Z3's, in the order of their names."""
    rows = [_row("simplify.plain", "Z3's simplify", ({},))]
    for parameter in simplify_parameters():
        if parameter.name in EXCLUDED:
            continue
        if parameter.kind == "bool":
            settings: tuple[Settings, ...] = ({parameter.name: parameter.default != "true"},)
        else:
            settings = _NUMBERS.get(parameter.name, ())
        if settings:
            shown = " or ".join(", ".join(f"{k}={str(v).lower()}" for k, v in each.items()) for each in settings)
            rows.append(_row(f"simplify.{parameter.name}", f"Z3's simplify with {shown}", settings))
    return tuple(rows)


def _row(name: str, summary: str, settings: tuple[Settings, ...]) -> Mutation:
    return Mutation(
        name,
        Promise.EQUIVALENT,
        summary,
        "HornFuzz 9",
        _rewrite(settings),
        lambda system: True,
        kind=Kind.REWRITE,
    )


def _rewrite(alternatives: tuple[Settings, ...]) -> Callable[[System, Choices], System | None]:
    def rewrite(system: System, choices: Choices) -> System | None:
        """Half the time every clause is simplified, else one."""
        settings = choices.pick(alternatives)
        if not system.clauses:
            return None
        every = not choices.boolean()
        meant = range(len(system.clauses)) if every else [choices.index(len(system.clauses))]
        clauses = list(system.clauses)
        for index, formula in zip(meant, _simplified([clauses[i] for i in meant], system, settings), strict=True):
            clauses[index] = replace(clauses[index], formula=formula)
        return None if tuple(clauses) == system.clauses else system.with_clauses(clauses)

    return rewrite


def _simplified(clauses: Sequence[Clause], system: System, settings: Settings) -> list[Term]:
    """What Z3 makes of clauses, in a fresh context: what it did before cannot matter."""
    import z3

    unnamed = tuple(Clause(clause.formula) for clause in clauses)
    context = z3.Context()
    try:
        parsed = z3.parse_smt2_string(print_system(replace(system, clauses=unnamed, info=(), options=())), ctx=context)
    except z3.Z3Exception:
        return [clause.formula for clause in clauses]
    result = []
    for clause, formula in zip(clauses, parsed, strict=True):
        try:
            simplified = z3.simplify(formula, max_steps=MAX_STEPS, **settings)
            changed = clause.formula if simplified.eq(formula) else parse_term(simplified.sexpr(), (), system)
            _ = Clause(changed).reading
        except (z3.Z3Exception, ChcfuzzError, NotHornError):
            changed = clause.formula
        result.append(changed)
    return result
