"""Terms for variables, and other names for bound variables: nothing is captured."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from chcfuzz.grammar.terms import Binder, Quantifier, Term, Variable, free_variables, postorder, subterms


def substitute(term: Term, mapping: Mapping[Variable, Term]) -> Term:
    """Return the term with its free variables replaced; bound variables are renamed where they would capture."""
    relevant = {v: new for v, new in mapping.items() if new is not v}
    if not relevant:
        return term
    done: dict[Term, Term] = {}
    for here in postorder(term, enter_quantifiers=False):
        if isinstance(here, Variable):
            done[here] = relevant.get(here, here)
        elif isinstance(here, Binder):
            done[here] = _substitute_below(here, relevant)
        elif not any(v in relevant for v in free_variables(here)):
            done[here] = here
        else:
            done[here] = here.rebuild([done[child] for child in here.children])
    return done[term]


def _substitute_below(here: Binder, mapping: Mapping[Variable, Term]) -> Term:
    free = free_variables(here)
    inner = {v: new for v, new in mapping.items() if v in free}
    if not inner:
        return here
    taken = {v.name for new in inner.values() for v in free_variables(new)} | {v.name for v in free}
    renamed = []
    for variable in here.variables:
        fresh = variable
        if variable.name in {v.name for new in inner.values() for v in free_variables(new)}:
            fresh = Variable(fresh_name(variable.name, taken), variable.sort)
            inner[variable] = fresh
        taken.add(fresh.name)
        renamed.append(fresh)
    return _with_body(here, renamed, inner)


def _with_body(here: Binder, variables: Sequence[Variable], mapping: Mapping[Variable, Term]) -> Binder:
    """Return a binder of other variables, with its body and its patterns substituted."""
    if not isinstance(here, Quantifier):
        return here.over(variables, substitute(here.body, mapping))
    patterns = tuple(tuple(substitute(term, mapping) for term in pattern) for pattern in here.patterns)
    return Quantifier(here.kind, variables, substitute(here.body, mapping), patterns)


def fresh_name(name: str, *taken: Collection[str]) -> str:
    """Return the name itself if it is free, else the first of `name!1`, `name!2`, ... that is."""
    fresh, number = name, 0
    while any(fresh in names for names in taken):
        number += 1
        fresh = f"{name}!{number}"
    return fresh


def with_other_names(term: Term, unwanted: Collection[str], taken: set[str]) -> Term:
    """Return the same term without bound variables of unwanted names; the new names are not taken and not in use."""
    binders = [here for here in subterms(term) if isinstance(here, Binder)] if unwanted else []
    if not any(variable.name in unwanted for binder in binders for variable in binder.variables):
        return term
    names = taken.union(here.name for here in subterms(term) if isinstance(here, Variable))
    names.update(variable.name for binder in binders for variable in binder.variables)
    fresh: dict[str, str] = {}
    done: dict[Term, Term] = {}
    for here in postorder(term):
        new = here.rebuild([done[child] for child in here.children])
        if isinstance(new, Binder) and any(variable.name in unwanted for variable in new.variables):
            for variable in new.variables:
                if variable.name in unwanted and variable.name not in fresh:
                    fresh[variable.name] = fresh_name(variable.name, names)
                    names.add(fresh[variable.name])
            own = {v: Variable(fresh.get(v.name, v.name), v.sort) for v in new.variables}
            new = _with_body(new, tuple(own.values()), own)
        done[here] = new
    return done[term]
