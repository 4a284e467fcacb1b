"""Symbols of one group in another: local ones become shared or mixed, and shared ones local; instances of axioms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.interpolation.grouped import Grouped, Interpolation, symbols_of
from chcfuzz.grammar.reading.leniences import as_read
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.substitution import fresh_name, substitute
from chcfuzz.grammar.terms import Call, Function, Term, apply, free_variables, postorder, subterms
from chcfuzz.mutators.mutation import Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.clause_making import is_universal
from chcfuzz.mutators.rewriting.functions import new_function, with_functions
from chcfuzz.mutators.rewriting.symbols import taken_names

_MOST = 60  # ground terms of a group that are candidates
_MOST_SIZE = 12  # nodes of each


def _ground_terms(formulas: Sequence[Term], sort: Sort | None = None) -> list[Term]:
    """Return small closed terms of formulas that are not Boolean, of one sort or of all."""
    found: list[Term] = []
    for term in subterms(*formulas):
        wanted = term.sort is sort if sort is not None else term.sort.name != "Bool"
        if wanted and term.size <= _MOST_SIZE and not term.depth and not free_variables(term):
            found.append(term)
            if len(found) == _MOST:
                break
    return found


def _joined(problem: Interpolation, formula: Term, group: int) -> Interpolation:
    return problem.with_assertions((*problem.assertions, Grouped(as_read(formula), None, group)))


def _two_groups(problem: Interpolation, choices: Choices) -> tuple[int, int]:
    one = choices.index(len(problem.groups))
    return one, (one + 1 + choices.index(len(problem.groups) - 1)) % len(problem.groups)


def _constants(formulas: Sequence[Term]) -> list[Function]:
    found = (term.function for term in subterms(*formulas) if isinstance(term, Call))
    return [function for function in dict.fromkeys(found) if not function.parameters]


def _share(problem: Interpolation, choices: Choices) -> Interpolation | None:
    """Assert in a group that a new constant is equal to a constant that is local to another group."""
    one, other = _two_groups(problem, choices)
    elsewhere = symbols_of(*problem.group(other))
    local = [function for function in _constants(problem.group(one)) if function not in elsewhere]
    if not local:
        return None
    old = choices.pick(local)
    new = new_function(problem, old.name, (), old.result)
    return _joined(with_functions(problem, new), apply("=", Call(new), Call(old)), other)


def _hide(problem: Interpolation, choices: Choices) -> Interpolation | None:
    """Replace a constant in a group by a new one that is local, and assert in that group that they are equal."""
    group = choices.index(len(problem.groups))
    found = _constants(problem.group(group))
    if not found:
        return None
    old = choices.pick(found)
    new = new_function(problem, old.name, (), old.result)
    members = set(problem.groups[group])
    assertions = [
        replace(each, formula=_with(each.formula, Call(old), Call(new))) if number in members else each
        for number, each in enumerate(problem.assertions)
    ]
    changed = with_functions(problem, new).with_assertions(assertions)
    return _joined(changed, apply("=", Call(old), Call(new)), group)


def _with(formula: Term, old: Term, new: Term) -> Term:
    done: dict[Term, Term] = {}
    for here in postorder(formula):
        done[here] = new if here is old else here.rebuild([done[child] for child in here.children])
    return done[formula]


def _mix(problem: Interpolation, choices: Choices) -> Interpolation | None:
    """Name a term of a function of one group over terms of another group, in that other group."""
    one, other = _two_groups(problem, choices)
    used = symbols_of(*problem.group(one))
    functions = [each for each in problem.functions if each.parameters and each in used]
    if not functions:
        return None
    function = choices.pick(functions)
    args: list[Term] = []
    for sort in function.parameters:
        candidates = _ground_terms(problem.group(other), sort)
        if not candidates:
            return None
        args.append(choices.pick(candidates))
    value = Call(function, args)
    new = new_function(problem, "mixed", (), value.sort)
    return _joined(with_functions(problem, new), apply("=", Call(new), value), other)


def _name(problem: Interpolation, choices: Choices) -> Interpolation | None:
    """Name a term of a group in that group, and assert in another group that a second name is equal to the first."""
    one, other = _two_groups(problem, choices)
    terms = _ground_terms(problem.group(one))
    if not terms:
        return None
    term = choices.pick(terms)
    first = new_function(problem, "here", (), term.sort)
    changed = with_functions(problem, first)
    second = new_function(changed, "there", (), term.sort)
    changed = _joined(with_functions(changed, second), apply("=", Call(first), term), one)
    return _joined(changed, apply("=", Call(second), Call(first)), other)


def _instantiate(problem: Interpolation, choices: Choices) -> Interpolation | None:
    """Assert in a group an instance of an axiom with terms of the group."""
    axioms = [each for each in problem.axiom_formulas if is_universal(each)]
    if not axioms:
        return None
    axiom = choices.pick(axioms)
    group = choices.index(len(problem.groups))
    chosen: dict[Term, Term] = {}
    for variable in axiom.variables:
        candidates = _ground_terms(problem.group(group), variable.sort)
        if not candidates:
            return None
        chosen[variable] = choices.pick(candidates)
    instance = substitute(axiom.body, chosen)  # type: ignore[arg-type]
    return _joined(problem, instance, group)


def _rename_local(problem: Interpolation, choices: Choices) -> Interpolation | None:
    """Give a constant that only one group has another name."""
    group = choices.index(len(problem.groups))
    others = [
        each.formula for number, each in enumerate(problem.assertions) if number not in set(problem.groups[group])
    ]
    elsewhere = symbols_of(*others)
    local = [function for function in _constants(problem.group(group)) if function not in elsewhere]
    if not local:
        return None
    old = choices.pick(local)
    name = fresh_name(choices.pick(("a", "z!0", "x", "B")), taken_names(problem))
    new = Function(name, (), old.result)
    assertions = [replace(each, formula=_with(each.formula, Call(old), Call(new))) for each in problem.assertions]
    functions = tuple(new if function is old else function for function in problem.functions)
    return replace(problem, functions=functions, assertions=tuple(assertions))


def _has_cut(problem: Interpolation) -> bool:
    return problem.cuts > 0


def _has_axioms(problem: Interpolation) -> bool:
    return problem.cuts > 0 and any(is_universal(each) for each in problem.axiom_formulas)


def _has_functions(problem: Interpolation) -> bool:
    return problem.cuts > 0 and any(function.parameters for function in problem.functions)


Rewrite = Callable[[Interpolation, Choices], Interpolation | None]
_SOURCE = "CSIsat (2010), symbols that are shared; java-smt issue 703, symbols that are not"


def _row(
    name: str, summary: str, rewrite: Rewrite, applies: Callable[[Interpolation], bool], source: str = _SOURCE
) -> Mutation:
    promise = Promise.EQUIVALENT if name == "instantiate" else Promise.EQUISATISFIABLE
    return Mutation(f"itp_symbols.{name}", promise, summary, source, rewrite, applies, light=True, needs=Needs.GROUPS)


MUTATIONS = (
    _row("share", "a local constant becomes shared by an equation", _share, _has_cut),
    _row("hide", "a group gets a local copy of a constant", _hide, _has_cut),
    _row("mix", "a function of one group is applied to terms of another", _mix, _has_functions, "mixed terms"),
    _row("name", "a term has a name in its group, and another name in another group", _name, _has_cut),
    _row("instantiate", "a group gets an instance of an axiom", _instantiate, _has_axioms, "CSIsat (2010), instances"),
    _row("rename-local", "a local constant gets another name", _rename_local, _has_cut),
)
