"""Case distinctions as `match`: `ite` with testers of one term, which name all constructors of its data type but one.

The terms of `grammar.terms` do not include `match`: a formula of this module is only for printing. It is printed
without `let`, which would take variables of patterns out of their cases.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from chcfuzz.grammar.sorts import Constructor, Sort
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.terms import Apply, Binder, Term, Variable, is_operator, kept, postorder, subterms

LET_HEAD = "(let ("


def has_cases(formula: Term) -> bool:
    """Return whether a part of the formula is a case distinction."""
    return kept(formula, "has cases", lambda: any(_cases(term) for term in subterms(formula)))


def with_matches(formula: Term, taken: set[str], printed: Callable[[Term], str]) -> Term:
    """Return the formula as it is printed with `match`; the formula itself if its text has `let`.

    Variables of patterns have names that are not in `taken`, to which they are added.
    """
    if not has_cases(formula):
        return formula
    done: dict[Term, Term] = {}
    for here in postorder(formula):
        rebuilt = here.rebuild([done[child] for child in here.children]) if here.children else here
        cases = _cases(here)
        done[here] = rebuilt if cases is None else _match(*cases, done, taken)
    return formula if LET_HEAD in printed(done[formula]) else done[formula]


def _cases(term: Term) -> tuple[Term, list[tuple[Constructor, Term]]] | None:
    """Return the term that is taken apart, and the constructors with their cases; None for any other term."""
    found: list[tuple[Constructor, Term]] = []
    subject: Term | None = None
    here = term
    while is_operator(here, "ite"):
        condition, case, rest = here.children
        constructor = _tested(condition)
        if constructor is None or (subject is not None and condition.children[0] is not subject):
            break
        subject = condition.children[0]
        found.append((constructor, case))
        here = rest
        if _is_complete(subject.sort, len(found) + 1):
            break
    datatype = None if subject is None else subject.sort.datatype
    if subject is None or datatype is None:
        return None
    names = {constructor.name for constructor, _ in found}
    left = [constructor for constructor in datatype.constructors if constructor.name not in names]
    if len(left) != 1 or len(names) != len(found) or not all(map(_has_pattern, datatype.constructors)):
        return None
    return subject, [*found, (left[0], here)]


def _is_complete(sort: Sort, cases: int) -> bool:
    return sort.datatype is not None and cases >= len(sort.datatype.constructors)


def _tested(condition: Term) -> Constructor | None:
    """Return the constructor that a tester names."""
    datatype = condition.children[0].sort.datatype if len(condition.children) == 1 else None
    constructors = datatype.constructors if datatype else ()
    return next((each for each in constructors if is_operator(condition, each.tester)), None)


def _has_pattern(constructor: Constructor) -> bool:
    """Return whether cvc5 reads a pattern: only the name of a constructor with fields may need bars there."""
    names = [selector.name for selector in constructor.selectors] or [constructor.name]
    return all(quoted(name) == name for name in names)


def _match(
    subject: Term, cases: Sequence[tuple[Constructor, Term]], done: Mapping[Term, Term], taken: set[str]
) -> Term:
    made = [_case(done[subject], constructor, done[case], taken) for constructor, case in cases]
    return Apply("match", (done[subject], Apply("", tuple(made), made[0].sort)), made[0].sort)


def _case(subject: Term, constructor: Constructor, body: Term, taken: set[str]) -> Term:
    """Return the pattern and the body of a case as one term, in which fields of the subject are variables."""
    names = []
    fields: dict[Term, Term] = {}
    for selector in constructor.selectors:
        name = fresh_name(f"{selector.name}!", taken)
        taken.add(name)
        names.append(quoted(name))
        fields[Apply(selector.operator, (subject,), selector.sort)] = Variable(name, selector.sort)
    pattern = f"({constructor.operator} {' '.join(names)})" if names else constructor.operator
    replaced = _replaced(body, fields)
    return Apply(pattern, (replaced,), replaced.sort)


def _replaced(body: Term, fields: Mapping[Term, Term]) -> Term:
    """Return the body with other terms for fields, outside of quantifiers, which may bind variables of the subject."""
    done: dict[Term, Term] = {}
    stack = [body]
    while stack:
        here = stack[-1]
        if here in done:
            stack.pop()
            continue
        children = () if here in fields or isinstance(here, Binder) else here.children
        missing = [child for child in children if child not in done]
        if missing:
            stack += missing
            continue
        done[here] = fields.get(here) or (here.rebuild([done[child] for child in children]) if children else here)
    return done[body]
