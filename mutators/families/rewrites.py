"""Z3's own `simplify`, bare and with each of its parameters: HornFuzz's ninth kind.

The rows come from the installed Z3. Z3 is asked clause by clause through text, its answer is read by our parser and
shown to Z3 again; what it makes of a clause that we misread, that is then no Horn clause of ours, or that would cost
too many steps, is left as it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.horn import NotHornError
from chcfuzz.grammar.parse import parse_term
from chcfuzz.grammar.printer import print_system
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Predicate, Term, fresh_name, with_other_names
from chcfuzz.mutators.mutation import Kind, Mutation, Promise
from chcfuzz.mutators.rewriting.symbols import taken_names, with_predicates_renamed
from chcfuzz.solvers.z3_parameters import simplify_parameters

if TYPE_CHECKING:
    import z3

Settings = Mapping[str, bool | int]

MAX_STEPS = 20_000
_OF_PRINTER = re.compile(r"a!\d+")
_NEGATIVE = re.compile(r"\(- (\d+(?:\.\d+)?)\)")  # Z3 reads (- 1) as a minus applied, and -1 as a constant
MOST_AT_ONCE = 30_000  # nodes of a system that is simplified as a whole: to read 300,000 back takes 20 seconds

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
        lambda system: bool(system.clauses),
        kind=Kind.REWRITE,
    )


def _rewrite(alternatives: tuple[Settings, ...]) -> Callable[[System, Choices], System | None]:
    def rewrite(system: System, choices: Choices) -> System | None:
        """Half the time every clause is simplified, else one; of a large system always one."""
        settings = choices.pick(alternatives)
        if not system.clauses:
            return None
        every = not choices.boolean() and system.nodes <= MOST_AT_ONCE
        meant = range(len(system.clauses)) if every else [choices.index(len(system.clauses))]
        clauses = list(system.clauses)
        for index, formula in zip(meant, _simplified([clauses[i] for i in meant], system, settings), strict=True):
            clauses[index] = replace(clauses[index], formula=formula)
        return None if tuple(clauses) == system.clauses else system.with_clauses(clauses)

    return rewrite


def _simplified(clauses: Sequence[Clause], system: System, settings: Settings) -> list[Term]:
    """What Z3 makes of clauses, in a fresh context: what it did before cannot matter.

    Its answer is text. It counts where we read it as the term that Z3 meant: what we print of it is that term to Z3.
    """
    import z3

    formulas = [clause.formula for clause in clauses]
    names = _NeutralNames(system, formulas)
    context = z3.Context()
    try:
        parsed = z3.parse_smt2_string(names.script(names.formulas), ctx=context)
    except z3.Z3Exception:
        return formulas
    answers: dict[int, tuple[str, Term]] = {}  # text, since a term that stays changes the order of what comes after it
    for index, formula in enumerate(parsed):
        try:
            simplified = z3.simplify(formula, max_steps=MAX_STEPS, **settings)
            if not simplified.eq(formula):
                said = simplified.sexpr()
                term = parse_term(said, (), names.system)
                _ = Clause(term).reading
                answers[index] = said, term
        except (z3.Z3Exception, ChcfuzzError, NotHornError):
            continue
    if not answers:
        return formulas
    try:  # in the same context, now that nothing comes after it: another one would take a millisecond
        printed = names.script([term for _, term in answers.values()])
        again = z3.parse_smt2_string(_NEGATIVE.sub(r"-\1", printed), ctx=context)
    except z3.Z3Exception:
        return formulas
    for (index, (said, term)), read in zip(answers.items(), again, strict=True):
        if read.sexpr() == said or _is_meant(read, said, parsed[index], settings):
            formulas[index] = names.restored(term)
    return formulas


def _is_meant(read: z3.ExprRef, said: str, formula: z3.ExprRef, settings: Settings) -> bool:
    """Whether what was read becomes the answer `said` for a formula when it is simplified: text has other constants."""
    import z3

    try:
        meant = z3.simplify(formula, max_steps=MAX_STEPS, **settings)
        if meant.sexpr() != said:
            return False
        if z3.simplify(read, max_steps=MAX_STEPS, **settings).eq(meant):
            return True
        plain = (z3.simplify(term, max_steps=MAX_STEPS) for term in (read, meant))
        return bool(next(plain).eq(next(plain)))
    except z3.Z3Exception:
        return False


class _NeutralNames:
    """The system and some of its formulas without the names that Z3's printer has for what is shared: `a!1`, `a!2`.

    Only those are changed: Z3 orders some things by their names.
    """

    def __init__(self, system: System, formulas: Sequence[Term]) -> None:
        taken = taken_names(system)
        unwanted = {name for name in taken if _OF_PRINTER.fullmatch(name)}
        own: dict[Predicate, Predicate] = {}
        for predicate in system.predicates:
            if predicate.name in unwanted:
                name = fresh_name("neutral", taken)
                taken.add(name)
                own[predicate] = Predicate(name, predicate.parameters)
        self._back = {neutral: predicate for predicate, neutral in own.items()}
        chosen = system.with_clauses([Clause(with_other_names(formula, unwanted, taken)) for formula in formulas])
        chosen = with_predicates_renamed(chosen, own) if own else chosen
        self.formulas = [clause.formula for clause in chosen.clauses]
        self.system = replace(chosen, clauses=(), info=(), options=())

    def script(self, formulas: Sequence[Term]) -> str:
        """These formulas as assertions, with all that they need."""
        return print_system(self.system.with_clauses([Clause(formula) for formula in formulas]))

    def restored(self, formula: Term) -> Term:
        """The formula with the predicates of the system."""
        if not self._back:
            return formula
        return with_predicates_renamed(self.system.with_clauses([Clause(formula)]), self._back).clauses[0].formula
