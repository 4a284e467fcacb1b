"""Z3's own `simplify`, by itself and with each of its parameters: HornFuzz's ninth kind.

The rows come from the installed Z3. Each clause is passed to Z3 as text; our parser reads the answer, which is printed
and passed to Z3 again. A clause stays unchanged if we misread the answer, if the answer is not a Horn clause by our
rules, or if simplification takes too many steps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.horn import NotHornError
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse_term
from chcfuzz.grammar.reading.shared_terms import OF_Z3
from chcfuzz.grammar.substitution import fresh_name, with_other_names
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Predicate, Term
from chcfuzz.mutators.mutation import Kind, Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.symbols import taken_names, with_predicates_renamed
from chcfuzz.solvers.z3_parameters import simplify_parameters

if TYPE_CHECKING:
    import z3

Settings = Mapping[str, bool | int]

MAX_STEPS = 20_000
_OF_PRINTER = re.compile(OF_Z3)
_NEGATIVE = re.compile(r"\(- (\d+(?:\.\d+)?)\)")  # Z3 reads (- 1) as a minus applied, and -1 as a constant
MOST_AT_ONCE = 30_000  # nodes of a system that is simplified as a whole: to read 300,000 back takes 20 seconds

EXCLUDED = {
    "cache_all": "changes caching, never the result",
    "hi_div0": "gives division by zero another meaning",
    "local_ctx_limit": "a limit of local_ctx, which has a row of its own",
    "max_memory": "a limit",
    "max_steps": "a limit, which this module sets",
}
# Values of parameters that are not Boolean, with the switches that they need to have an effect.
NUMBERS: Mapping[str, tuple[Settings, ...]] = {
    "blast_distinct_threshold": ({"blast_distinct": True, "blast_distinct_threshold": 2},),
    "bv_ineq_consistency_test_max": ({"bv_ineq_consistency_test_max": 16},),
    "max_degree": ({"som": True, "max_degree": 1},),
    "som_blowup": ({"som": True, "som_blowup": 1}, {"som": True, "som_blowup": 1000}),
}


def mutations() -> tuple[Mutation, ...]:
    """Return a row for plain `simplify` and one for each parameter of the installed Z3, in the order of their names."""
    rows = [_row("simplify.plain", "Z3's simplify", ({},))]
    for parameter in simplify_parameters():
        if parameter.name in EXCLUDED:
            continue
        if parameter.kind == "bool":
            settings: tuple[Settings, ...] = ({parameter.name: parameter.default != "true"},)
        else:
            settings = NUMBERS.get(parameter.name, ())
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
        needs=Needs.CLAUSES,
    )


def _rewrite(alternatives: tuple[Settings, ...]) -> Callable[[System, Choices], System | None]:
    def rewrite(system: System, choices: Choices) -> System | None:
        """Simplify every clause in half of the cases, otherwise one; always one if the system is large."""
        settings = choices.pick(alternatives)
        if not system.clauses:
            return None
        every = not choices.boolean() and system.nodes <= MOST_AT_ONCE
        chosen = range(len(system.clauses)) if every else [choices.index(len(system.clauses))]
        clauses = list(system.clauses)
        for index, formula in zip(chosen, _simplified([clauses[i] for i in chosen], system, settings), strict=True):
            clauses[index] = replace(clauses[index], formula=formula)
        return None if tuple(clauses) == system.clauses else system.with_clauses(clauses)

    return rewrite


def _simplified(clauses: Sequence[Clause], system: System, settings: Settings) -> list[Term]:
    """Return Z3's simplification of clauses, in a fresh context so that earlier calls cannot matter.

    The answer is text. It is used only if we read it as the term that Z3 meant, so that printing it gives Z3 that
    term.
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
                answer = simplified.sexpr()
                term = parse_term(answer, (), names.system)
                _ = Clause(term).reading
                answers[index] = answer, term
        except (z3.Z3Exception, ChcfuzzError, NotHornError):
            continue
    if not answers:
        return formulas
    try:  # in the same context, now that nothing comes after it: another one would take a millisecond
        printed = names.script([term for _, term in answers.values()])
        reparsed = z3.parse_smt2_string(_NEGATIVE.sub(r"-\1", printed), ctx=context)
    except z3.Z3Exception:
        return formulas
    for (index, (answer, term)), read in zip(answers.items(), reparsed, strict=True):
        if read.sexpr() == answer or _is_faithful(read, answer, parsed[index], settings):
            formulas[index] = names.restored(term)
    return formulas


def _is_faithful(read: z3.ExprRef, answer: str, formula: z3.ExprRef, settings: Settings) -> bool:
    """Return whether the parsed term simplifies like the formula; in text, constants may have another form."""
    import z3

    try:
        expected = z3.simplify(formula, max_steps=MAX_STEPS, **settings)
        if expected.sexpr() != answer:
            return False
        if z3.simplify(read, max_steps=MAX_STEPS, **settings).eq(expected):
            return True
        plain = (z3.simplify(term, max_steps=MAX_STEPS) for term in (read, expected))
        return bool(next(plain).eq(next(plain)))
    except z3.Z3Exception:
        return False


class _NeutralNames:
    """The system and some of its formulas without names like those that Z3's printer gives shared terms: `a!1`, `a!2`.

    No other name changes, since Z3 orders some terms by name.
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
        """Return these formulas as assertions, with all declarations that they need."""
        return print_system(self.system.with_clauses([Clause(formula) for formula in formulas]))

    def restored(self, formula: Term) -> Term:
        """Return the formula with the original predicates."""
        if not self._back:
            return formula
        return with_predicates_renamed(self.system.with_clauses([Clause(formula)]), self._back).clauses[0].formula
