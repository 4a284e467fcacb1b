"""Quantifiers: moved, added, expanded, instantiated, and replaced by new functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from chcfuzz.domains.smt.rows.subterm import WEIGHTS
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw import Drawing
from chcfuzz.grammar.drawing.drawing_scope import DrawingScope
from chcfuzz.grammar.occurrences import Occurrences
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.leniences import as_read, replaced_at
from chcfuzz.grammar.sort_kinds import has_literals, is_first_class
from chcfuzz.grammar.sorts import BOOL
from chcfuzz.grammar.substitution import fresh_name, substitute
from chcfuzz.grammar.terms import (
    FALSE,
    MAX_DEPTH,
    TRUE,
    Apply,
    Call,
    Function,
    Quantifier,
    Term,
    Variable,
    apply,
    conjunction,
    disjunction,
    free_variables,
    implication,
    is_operator,
    subterms,
)
from chcfuzz.mutators.mutation import Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.functions import inserted, new_function, with_calls_replaced, with_functions
from chcfuzz.mutators.rewriting.places import Place, bound_at
from chcfuzz.mutators.rewriting.symbols import taken_names
from chcfuzz.mutators.rewriting.term_rows import About, may_be_entered, row_at, row_of_term

_FUEL = 3  # operators of a term that replaces a variable
_MOST = 60  # nodes of a formula that is repeated
_MOST_BOUND = 3  # Boolean variables that are expanded at once


def _other(kind: str) -> str:
    return "exists" if kind == "forall" else "forall"


def _quantified(kind: str, variables: list[Variable], body: Term) -> Term:
    return Quantifier(kind, variables, body) if variables else body


# Moved ---------------------------------------------------------------------------------------------


def _is_pushable(term: Term) -> bool:
    return isinstance(term, Quantifier) and (is_operator(term.body, "and") or is_operator(term.body, "or"))


def _push(term: Term, _choices: Choices) -> Term | None:
    """Move a quantifier into the members of its body: all of them, or those that its variables occur in."""
    assert isinstance(term, Quantifier)
    body, bound = term.body, set(term.variables)
    assert isinstance(body, Apply)
    if is_operator(body, "and") == (term.kind == "forall"):
        return body.rebuild([_around(term, member) for member in body.children])
    inside = [member for member in body.children if not bound.isdisjoint(free_variables(member))]
    outside = [member for member in body.children if bound.isdisjoint(free_variables(member))]
    if not outside:
        return None
    join = conjunction if is_operator(body, "and") else disjunction
    return join(*([_around(term, join(*inside))] if inside else []), *outside)


def _around(quantifier: Quantifier, body: Term) -> Term:
    """Return the body below those variables of the quantifier that it needs."""
    free = free_variables(body)
    return _quantified(quantifier.kind, [variable for variable in quantifier.variables if variable in free], body)


def _is_pullable(term: Term) -> bool:
    names = ("and", "or", "=>")
    return any(is_operator(term, name) for name in names) and any(isinstance(c, Quantifier) for c in term.children)


def _pull(problem: Problem, place: Place, choices: Choices) -> Term | None:
    """Move a quantifier out of a member of a connective; its kind changes where an implication assumes the member."""
    term = place.term
    at = choices.pick([at for at, child in enumerate(term.children) if isinstance(child, Quantifier)])
    inner = term.children[at]
    assert isinstance(inner, Quantifier)
    if problem.formulas[place.clause].depth >= MAX_DEPTH:
        return None
    taken = taken_names(problem)
    fresh: dict[Variable, Term] = {}
    for variable in inner.variables:
        fresh[variable] = Variable(fresh_name(variable.name, taken), variable.sort)
        taken.add(fresh[variable].name)  # type: ignore[attr-defined]  # they are variables
    body = substitute(inner.body, fresh)
    assumed = is_operator(term, "=>") and at < len(term.children) - 1
    kind = _other(inner.kind) if assumed else inner.kind
    variables = [variable for variable in fresh.values() if isinstance(variable, Variable)]
    return Quantifier(kind, variables, term.rebuild((*term.children[:at], body, *term.children[at + 1 :])))


def _is_wide(term: Term) -> bool:
    return isinstance(term, Quantifier) and len(term.variables) > 1


def _split(term: Term, choices: Choices) -> Term:
    assert isinstance(term, Quantifier)
    middle = choices.integer(1, len(term.variables) - 1)
    inner = Quantifier(term.kind, term.variables[middle:], term.body)
    return Quantifier(term.kind, term.variables[:middle], inner)


# Added and expanded --------------------------------------------------------------------------------


def _is_formula(term: Term) -> bool:
    return term.sort is BOOL and term.depth < MAX_DEPTH


def _unused(problem: Problem, place: Place, choices: Choices) -> Term:
    """Bind a variable that the formula does not have: every sort has values."""
    sorts = [BOOL, *(function.result for function in problem.functions), *problem.sorts]
    new = Variable(fresh_name("z", taken_names(problem)), choices.pick(list(dict.fromkeys(sorts))))
    return Quantifier(choices.pick(("forall", "exists")), (new,), place.term)


def _has_parts(term: Term) -> bool:
    return _is_formula(term) and 1 < term.size <= _MOST and not isinstance(term, Quantifier)


def _name(problem: Problem, place: Place, choices: Choices) -> Term | None:
    """Replace p[t] by (forall ((z S)) (=> (= z t) p[z])) or by (exists ((z S)) (and (= z t) p[z]))."""
    formula = place.term
    free = set(free_variables(formula))
    parts = (part for part in subterms(*formula.children) if is_first_class(part.sort))
    found = [part for part in parts if free.issuperset(free_variables(part))]
    part = choices.pick(found) if found else None
    if part is None or (part.sort.is_array and not has_literals(part.sort)):
        return None
    new = Variable(fresh_name("z", taken_names(problem)), part.sort)
    names = {variable.name for variable in free_variables(part)}
    body = formula
    for path in Occurrences(formula, lambda term: term is part, may_be_entered):
        if names.isdisjoint(variable.name for variable in bound_at(formula, path)):  # else it is another variable
            body = replaced_at(body, path, new)
    if body is formula:
        return None
    equal = apply("=", *((new, part) if choices.boolean() else (part, new)))
    if choices.boolean():
        return Quantifier("forall", (new,), implication(equal, body))
    return Quantifier("exists", (new,), conjunction(equal, body))


def _is_expandable(term: Term) -> bool:
    return isinstance(term, Quantifier) and term.size <= _MOST and any(_is_finite(v) for v in term.variables)


def _is_finite(variable: Variable) -> bool:
    sort = variable.sort
    return sort is BOOL or (sort.datatype is not None and sort.datatype.is_enumeration)


def _values(variable: Variable) -> list[Term]:
    if variable.sort.datatype is None:
        return [TRUE, FALSE]
    return [Apply(each.operator, (), variable.sort) for each in variable.sort.datatype.constructors]


def _expand(term: Term, choices: Choices) -> Term:
    """Replace a variable that a quantifier binds by each of its values."""
    assert isinstance(term, Quantifier)
    gone = choices.pick([variable for variable in term.variables if _is_finite(variable)])
    rest = [variable for variable in term.variables if variable is not gone]
    instances = [as_read(substitute(term.body, {gone: value})) for value in _values(gone)]
    join = conjunction if term.kind == "forall" else disjunction
    return _quantified(term.kind, rest, join(*instances))


# Assertions ----------------------------------------------------------------------------------------


def _of_kind(problem: Problem, kind: str) -> list[int]:
    return [n for n, formula in enumerate(problem.formulas) if isinstance(formula, Quantifier) and formula.kind == kind]


def _instance(problem: Problem, choices: Choices) -> Problem | None:
    """Assert an instance of a universally quantified assertion, beside it."""
    found = _of_kind(problem, "forall")
    if not found:
        return None
    formula = problem.formulas[choices.pick(found)]
    assert isinstance(formula, Quantifier)
    draw = Drawing(DrawingScope.within(problem, choices.index(len(problem.formulas)), ()), WEIGHTS)
    terms: dict[Variable, Term] = {v: draw.term(v.sort, choices, _FUEL) for v in formula.variables}
    return inserted(problem, substitute(formula.body, terms), choices)


def _skolemizable(problem: Problem) -> list[int]:
    found = _of_kind(problem, "exists")
    for number in _of_kind(problem, "forall"):
        formula = problem.formulas[number]
        if isinstance(formula, Quantifier) and isinstance(formula.body, Quantifier) and formula.body.kind == "exists":
            found.append(number)
    return found


def _skolemize(problem: Problem, choices: Choices) -> Problem | None:
    """Replace existential variables of an assertion by new functions of the variables around them."""
    found = _skolemizable(problem)
    if not found:
        return None
    number = choices.pick(found)
    formula = problem.formulas[number]
    assert isinstance(formula, Quantifier)
    outer = formula.variables if formula.kind == "forall" else ()
    inner = formula.body if outer else formula
    assert isinstance(inner, Quantifier)
    terms: dict[Variable, Term] = {}
    for variable in inner.variables:
        visible = [v for v in outer if v.name not in {other.name for other in inner.variables}]
        function = new_function(problem, f"{variable.name}!sk", [v.sort for v in visible], variable.sort)
        problem = with_functions(problem, function)
        terms[variable] = Call(function, visible)
    body = as_read(substitute(inner.body, terms))
    return problem.with_formula(number, _quantified("forall", list(outer), body))


def _lonely(problem: Problem) -> list[tuple[Function, int]]:
    """Return the constants that occur in one assertion only, with its number."""
    places: dict[Function, set[int]] = {}
    for number, formula in enumerate(problem.formulas):
        for term in subterms(formula):
            if isinstance(term, Call) and not term.children:
                places.setdefault(term.function, set()).add(number)
    return [(function, min(numbers)) for function, numbers in places.items() if len(numbers) == 1]


def _bind(problem: Problem, choices: Choices) -> Problem | None:
    """Bind a constant that occurs in one assertion by an existential quantifier around it."""
    found = [(f, number) for f, number in _lonely(problem) if problem.formulas[number].depth < MAX_DEPTH]
    if not found:
        return None
    function, number = choices.pick(found)
    variable = Variable(fresh_name("e", taken_names(problem)), function.result)
    alone = problem.with_assertions([problem.assertions[number]])
    (body,) = with_calls_replaced(alone, {function: lambda _: variable}, problem.functions).formulas
    functions = tuple(each for each in problem.functions if each is not function)
    bound = problem.with_formula(number, Quantifier("exists", (variable,), body))
    return replace(bound, functions=functions)


_SOURCE = "prenex and negation normal forms, miniscoping, Skolemization and instantiation in Z3 and cvc5"


def _about(name: str, summary: str) -> About:
    return About(f"smt_quantifiers.{name}", Promise.EQUIVALENT, summary, _SOURCE, light=True)


def _whole(
    name: str,
    promise: Promise,
    summary: str,
    rewrite: Callable[[Problem, Choices], Problem | None],
    applies: Callable[[Problem], object],
) -> Mutation:
    def may_apply(problem: Problem) -> bool:
        return bool(applies(problem))

    return Mutation(
        f"smt_quantifiers.{name}", promise, summary, _SOURCE, rewrite, may_apply, light=True, needs=Needs.ASSERTIONS
    )


MUTATIONS = (
    row_of_term(_about("push", "a quantifier moves into the members of its body"), _is_pushable, _push),
    row_at(_about("pull", "a quantifier moves out of a member of a connective"), _is_pullable, _pull),
    row_of_term(_about("split", "a quantifier is split into two nested ones"), _is_wide, _split),
    row_at(_about("unused", "a formula is quantified over a variable it does not have"), _is_formula, _unused),
    row_at(_about("name", "a term in a formula becomes a variable that equals it"), _has_parts, _name),
    row_of_term(_about("expand", "a bound variable with few values is expanded"), _is_expandable, _expand),
    _whole(
        "instance",
        Promise.EQUIVALENT,
        "an instance of a universal assertion is asserted too",
        _instance,
        lambda problem: _of_kind(problem, "forall"),
    ),
    _whole(
        "skolemize",
        Promise.EQUISATISFIABLE,
        "existential variables of an assertion become new functions",
        _skolemize,
        _skolemizable,
    ),
    _whole(
        "bind",
        Promise.EQUISATISFIABLE,
        "a constant of one assertion becomes an existential variable",
        _bind,
        _lonely,
    ),
)
