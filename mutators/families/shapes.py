"""Clauses in other syntactic shapes: everything that is read as the same clause, or has the same models.

C[(exists x) b] and C[b] for all x, where only conjunctions and disjunctions enclose the place; a clause, and the clause
with y in place of a term, for all y equal to it; a clause for all x that its head lacks, and for all cells of an array;
(ite c a b) and (or (and c a) (and (not c) b)).
"""

from __future__ import annotations

from collections.abc import Sequence

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.occurrences import Occurrences
from chcfuzz.grammar.paths import Path, at, path_of, replace_at
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.sort_kinds import is_first_class
from chcfuzz.grammar.sorts import BOOL, INT, array
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    FALSE,
    TRUE,
    Apply,
    Atom,
    Quantifier,
    Term,
    Variable,
    apply,
    conjunction,
    disjunction,
    free_variables,
    implication,
    integer,
    is_operator,
    kept,
    negation,
    subterms,
)
from chcfuzz.mutators.mutation import Needs
from chcfuzz.mutators.rewriting.clause_making import equivalent, is_universal
from chcfuzz.mutators.rewriting.places import (
    Found,
    P,
    Places,
    drawing,
    is_connective,
    monotone,
    places,
    rewrite_one,
)
from chcfuzz.mutators.rewriting.predicate_transformation import Names, is_head
from chcfuzz.mutators.rewriting.resolution import put


def _nested(body: Sequence[Term], head: Term) -> Term:
    for member in reversed(body):
        head = implication(member, head)
    return head


def _shapes(clause: Clause) -> list[Term]:
    """Return the clause in every shape that is read as it."""
    body, head = clause.body, clause.head
    if not isinstance(head, Atom) and head is not FALSE and not body:
        return [implication(negation(head), FALSE)]
    heads = [] if head is FALSE else [head]
    denied = [negation(member) for member in body]
    found = [
        implication(conjunction(*body), head),
        disjunction(*denied, *heads),
        disjunction(*heads, *denied),
        negation(conjunction(*body, *map(negation, heads))),
    ]
    if body:
        found += [_nested(body, head), Apply("=>", (*body, head))]
    if not isinstance(head, Atom) and head is not FALSE:
        found.append(implication(conjunction(*body, negation(head)), FALSE))
    return found


def _reshape(system: System, choices: Choices) -> System | None:
    if not system.clauses:
        return None
    number = choices.index(len(system.clauses))
    clause = system.clauses[number]
    prefix = clause.variables
    shape = choices.pick(_shapes(clause))
    formula = Quantifier("forall", prefix, shape) if prefix else shape
    return system.with_formula(number, formula)


def _quantified(system: System, operator: str) -> Places:
    return monotone(system, operator, lambda term: isinstance(term, Quantifier) and term.kind == operator)


def _exists_out(system: System, choices: Choices) -> System | None:
    """Turn an existentially quantified variable of a body into a variable of the clause."""
    found = _quantified(system, "exists")
    if not found:
        return None
    place = found.pick(choices)
    assert isinstance(place.term, Quantifier)
    names = Names(system)
    fresh = {variable: names.variable(variable.sort) for variable in place.term.variables}
    return put(system, place, substitute(place.term.body, fresh))


def _not_in_head(clause: Clause) -> list[Variable]:
    used = set(free_variables(clause.head))
    return [v for v in clause.variables if v not in used] if clause.body else []


def _exists_in(system: System, choices: Choices) -> System | None:
    """Quantify variables that do not occur in the head existentially in the body."""
    found = [number for number, clause in enumerate(system.clauses) if _not_in_head(clause)]
    if not found:
        return None
    number = choices.pick(found)
    clause = system.clauses[number]
    inner = _not_in_head(clause)
    start = choices.index(len(inner))
    inner = inner[start : start + 1 + choices.index(len(inner) - start)]
    outer = [variable for variable in clause.variables if variable not in inner]
    formula = implication(Quantifier("exists", inner, conjunction(*clause.body)), clause.head)
    return system.with_formula(number, Quantifier("forall", outer, formula) if outer else formula)


def _for_cells(clause: Clause) -> list[Variable]:
    """Return the variables of the clause that a cell of an array can replace; arrays of arrays stay as they are."""
    if not is_universal(clause.formula):
        return []
    own = clause.formula.variables
    return [v for v in _not_in_head(clause) if v in own and not (v.sort.is_array and v.sort.element.is_array)]


def _cell_for_variable(system: System, choices: Choices) -> System | None:
    """Replace one or two variables that do not occur in the head by cells of a new array."""
    found = [number for number, clause in enumerate(system.clauses) if _for_cells(clause)]
    if not found:
        return None
    number = choices.pick(found)
    formula = system.clauses[number].formula
    assert isinstance(formula, Quantifier)
    variables = _for_cells(system.clauses[number])
    replaced = [choices.pick(variables)]
    others = [v for v in variables if v.sort is replaced[0].sort and v is not replaced[0]]
    if others and choices.boolean():
        replaced.append(choices.pick(others))
    new = Names(system).variable(array(INT, replaced[0].sort))
    cells = {v: apply("select", new, integer(cell)) for cell, v in enumerate(replaced)}
    rest = [v for v in formula.variables if v not in replaced]
    return system.with_formula(number, Quantifier("forall", (*rest, new), substitute(formula.body, cells)))


def _splittable(system: System) -> Places:
    """Return the quantifiers over two or more variables, except those around rules.

    Z3 takes a nested quantifier there for a head.
    """

    def wanted(term: Term) -> bool:
        return isinstance(term, Quantifier) and len(term.variables) > 1

    def find(clause: Clause) -> Found:
        roots = ((None, clause.formula),) if clause.is_query else clause.body_roots
        return ((link, Occurrences(root, wanted, _holds_quantifiers)) for link, root in roots)

    return Places(system, "shapes.splittable", find)


def _holds_quantifiers(term: Term) -> bool:
    return term.depth > 0


def _split_prefix(system: System, choices: Choices) -> System | None:
    found = _splittable(system)
    if not found:
        return None
    place = found.pick(choices)
    binder = place.term
    assert isinstance(binder, Quantifier)
    middle = choices.integer(1, len(binder.variables) - 1)
    inner = Quantifier(binder.kind, binder.variables[middle:], binder.body)
    return place.put(system, Quantifier(binder.kind, binder.variables[:middle], inner))


def _nested_binders(problem: BaseProblem) -> Places:
    def wanted(term: Term) -> bool:
        if not isinstance(term, Quantifier) or not isinstance(term.body, Quantifier) or term.body.kind != term.kind:
            return False
        return {v.name for v in term.variables}.isdisjoint(v.name for v in term.body.variables)

    return Places(
        problem,
        "shapes.nested",
        lambda asserted: ((None, Occurrences(asserted.formula, wanted, _holds_quantifiers)),),
    )


def _merge_prefix(problem: P, choices: Choices) -> P | None:
    found = _nested_binders(problem)
    if not found:
        return None
    place = found.pick(choices)
    outer = place.term
    assert isinstance(outer, Quantifier)
    inner = outer.body
    assert isinstance(inner, Quantifier)
    return place.put(problem, Quantifier(outer.kind, (*outer.variables, *inner.variables), inner.body))


# Equations and ite ---------------------------------------------------------------------------------


def _atoms_with_arguments(system: System) -> Places:
    def wanted(term: Term) -> bool:
        return isinstance(term, Atom) and bool(term.children)

    return Places(
        system,
        "shapes.atoms",
        lambda clause: ((None, Occurrences(clause.formula, wanted, lambda term: term.has_atoms)),),
    )


def _name_argument(system: System, choices: Choices) -> System | None:
    """Replace an argument of an atom in a head or body by a variable that is equal to it."""
    found = _atoms_with_arguments(system)
    if not found:
        return None
    place = found.pick(choices)
    assert isinstance(place.term, Atom)
    number = choices.index(len(place.term.children))
    old = place.term.children[number]
    new = Names(system).variable(old.sort)
    atom = place.term.rebuild((*place.term.children[:number], new, *place.term.children[number + 1 :]))
    equal = apply("=", *((old, new) if choices.boolean() else (new, old)))
    if is_head(system.clauses[place.clause].formula, place.path):
        return put(system, place, implication(equal, atom))
    return put(system, place, conjunction(equal, atom) if choices.boolean() else conjunction(atom, equal))


def _equations(clause: Clause) -> tuple[tuple[Path, Variable, Term], ...]:
    """Return the equations in the body between a variable of the clause and a term without it, with their paths."""

    def found() -> tuple[tuple[Path, Variable, Term], ...]:
        formula = clause.formula
        if not isinstance(formula, Quantifier) or formula.kind != "forall":
            return ()
        rebound = {v for term in subterms(formula.body) if isinstance(term, Quantifier) for v in term.variables}
        names = {variable.name for variable in rebound}
        own = {variable for variable in formula.variables if variable.name not in names}
        result = []
        for link, root in clause.body_roots:
            wanted = Occurrences(root, lambda t: is_operator(t, "=") and len(t.children) == 2, is_connective("and"))
            for below in wanted:
                path = (*path_of(link), *below)
                for one, other in (at(formula, path).children, at(formula, path).children[::-1]):
                    free = free_variables(other)
                    if one in own and one not in free and names.isdisjoint(v.name for v in free):
                        assert isinstance(one, Variable)
                        result.append((path, one, other))
        return tuple(result)

    return kept(clause.formula, "shapes.equations", found)


def _use_equation(system: System, choices: Choices) -> System | None:
    """Eliminate a variable by substituting the term that an equation of the body gives for it."""
    counts = [(number, found) for number, clause in enumerate(system.clauses) if (found := _equations(clause))]
    if not counts:
        return None
    number, found = choices.pick(counts)
    path, variable, term = choices.pick(found)
    formula = replace_at(system.clauses[number].formula, path, TRUE)
    assert isinstance(formula, Quantifier)
    rest = [other for other in formula.variables if other is not variable]
    body = substitute(formula.body, {variable: term})
    return system.with_formula(number, Quantifier("forall", rest, body) if rest else body)


def _is_formula_ite(term: Term) -> bool:
    return is_operator(term, "ite") and term.sort is BOOL


def _open_ite(term: Term, choices: Choices) -> Term:
    """Replace (ite c a b) by (or (and c a) (and (not c) b)) or by (and (=> c a) (=> (not c) b))."""
    condition, yes, no = term.children
    if choices.boolean():
        return conjunction(implication(condition, yes), implication(negation(condition), no))
    return disjunction(conjunction(condition, yes), conjunction(negation(condition), no))


def _is_term(term: Term) -> bool:
    may_be = is_first_class(term.sort) and not isinstance(term, Quantifier)
    return may_be and not term.has_atoms  # Z3 refuses ite between predicates


def _close_ite(problem: P, choices: Choices) -> P | None:
    """Replace a term t of a body by (ite c t t) for a drawn condition c."""
    found = places(problem, "shapes.terms", _is_term)
    if not found:
        return None
    place = found.pick(choices)
    condition = drawing(problem, place.clause, place.path).condition(choices)
    return place.put(problem, Apply("ite", (condition, place.term, place.term)))


MUTATIONS = (
    equivalent(
        "shapes.reshape",
        "a clause is written as an implication, nested implications, a disjunction, or a negated conjunction",
        "the shapes of the CHC competition's benchmarks",
        _reshape,
        lambda system: bool(system.clauses),
        needs=Needs.CLAUSES,
    ),
    equivalent(
        "shapes.exists-out",
        "an existential variable of a body becomes a variable of the clause",
        "Z3's hnf.cpp does the same",
        _exists_out,
        lambda system: bool(_quantified(system, "exists")),
        needs=Needs.CLAUSES,
    ),
    equivalent(
        "shapes.exists-in",
        "variables that do not occur in the head become existential in the body",
        "undoes exists-out",
        _exists_in,
        lambda system: any(_not_in_head(clause) for clause in system.clauses),
        needs=Needs.CLAUSES,
    ),
    equivalent(
        "shapes.cell-for-variable",
        "one or two variables that do not occur in the head become cells of a new array",
        "src/qe/mbp/mbp_qel.cpp: an array to project away, with literals about its cells",
        _cell_for_variable,
        lambda system: any(_for_cells(clause) for clause in system.clauses),
        needs=Needs.CLAUSES,
    ),
    equivalent(
        "shapes.split-prefix",
        "a quantifier is split into two nested ones",
        "after HornFuzz 5 MIX_BOUND_VARS",
        _split_prefix,
        lambda system: bool(_splittable(system)),
        needs=Needs.CLAUSES,
    ),
    equivalent(
        "shapes.merge-prefix",
        "two nested quantifiers are merged into one",
        "undoes split-prefix",
        _merge_prefix,
        lambda system: bool(_nested_binders(system)),
        needs=Needs.FORMULAS,
    ),
    equivalent(
        "shapes.name-argument",
        "an argument of an atom becomes a variable that is equal to it",
        "heads and bodies whose arguments are all variables, as other solvers require",
        _name_argument,
        lambda system: bool(_atoms_with_arguments(system)),
        needs=Needs.CLAUSES,
    ),
    equivalent(
        "shapes.use-equation",
        "a variable is eliminated by an equation of the body",
        "destructive equality resolution: Z3's der.cpp",
        _use_equation,
        lambda system: any(_equations(clause) for clause in system.clauses),
        needs=Needs.CLAUSES,
    ),
    equivalent(
        "shapes.open-ite",
        "an ite between formulas is written with and, or and not",
        "Z3's nnf.cpp does the same",
        lambda system, choices: rewrite_one(system, choices, "shapes.ites", _is_formula_ite, _open_ite),
        lambda system: bool(places(system, "shapes.ites", _is_formula_ite)),
        needs=Needs.FORMULAS,
    ),
    equivalent(
        "shapes.close-ite",
        "a term becomes an ite of a drawn condition with itself on both sides",
        "undoes Z3's parameter fp.xform.elim_term_ite",
        _close_ite,
        lambda system: bool(places(system, "shapes.terms", _is_term)),
        needs=Needs.FORMULAS,
    ),
)
