"""Other forms of one problem: logic, options, levels, checks, assumptions, definitions, `match`, `let`.

The answer stays. Solvers that simplify the assertions of a single check do not do so, or do it in another way, once a
script has levels, assumptions or an earlier check; defined functions are expanded by their readers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.definitions import DefinedFunction, defined
from chcfuzz.grammar.form import AGAIN, ALL, ASIDE, ASSUME, BETWEEN, PUSH, TWICE, Checks
from chcfuzz.grammar.logics import containing
from chcfuzz.grammar.printing.matches import has_cases
from chcfuzz.grammar.printing.printer import has_lets
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.leniences import as_read
from chcfuzz.grammar.smt_options import STANDARD
from chcfuzz.grammar.sort_kinds import is_first_class
from chcfuzz.grammar.sorts import BOOL, is_function
from chcfuzz.grammar.substitution import fresh_name, substitute
from chcfuzz.grammar.terms import Apply, Binder, Term, Variable, free_variables, subterms
from chcfuzz.mutators.mutation import Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.symbols import taken_names
from chcfuzz.mutators.rewriting.term_rows import anywhere, put

_MOST_DEFINITIONS = 8
_MOST_BODY = 60  # nodes
_MOST_PARAMETERS = 6
_DEFINE = "smt_shape.define"
_DISTINGUISH = "smt_shape.distinguish"
_SWITCHES = tuple(name for name in STANDARD if name != "random-seed")
_GENERAL_ONE_IN = 4
_MOST_CASES = 4  # constructors
_MOST_SUBJECTS = 64


def _checked(*kinds: str) -> Callable[[Problem, Choices], Problem | None]:
    """Return a rewrite that gives a problem checks of one of these kinds."""

    def rewrite(problem: Problem, choices: Choices) -> Problem | None:
        if not _may_be_restated(problem):
            return None
        kind = choices.pick(kinds)
        at = 0 if kind == TWICE else choices.index(len(problem.assertions) + (kind == BETWEEN))
        checks = Checks(kind, at)
        return None if checks == problem.form.checks else replace(problem, form=replace(problem.form, checks=checks))

    return rewrite


def _in_another_logic(problem: Problem, choices: Choices) -> Problem | None:
    """State a problem in another logic that contains it, in the logic of all, or in none."""
    known = [logic for logic in containing(problem) if logic != problem.form.logic]
    general = [logic for logic in (ALL, None) if logic != problem.form.logic]
    logic = choices.pick(known if known and choices.index(_GENERAL_ONE_IN) else general)
    return replace(problem, form=replace(problem.form, logic=logic, beyond=frozenset()))


def _with_an_option(problem: Problem, choices: Choices) -> Problem | None:
    """Set one of SMT-LIB's switches that change how a solver works, or leave one out that is set."""
    options = dict(problem.form.options)
    name = choices.pick(_SWITCHES)
    if options.pop(name, None) != "true":
        options[name] = "true"
    return replace(problem, form=replace(problem.form, options=tuple(sorted(options.items()))))


def _with_definitions(problem: Problem, given: tuple[DefinedFunction, ...]) -> Problem:
    """Return the problem with those of these definitions that its text calls."""
    return replace(problem, form=replace(problem.form, definitions=given)).in_its_form


def _is_body(term: Term) -> bool:
    has_function = any(is_function(child.sort) for child in term.children)  # which no variable can be
    return 1 < term.size <= _MOST_BODY and not isinstance(term, Binder) and not has_function


def _define(problem: Problem, choices: Choices) -> Problem | None:
    """Define a function whose body is a term with some of its arguments as parameters."""
    known = problem.form.definitions
    places = anywhere(problem, _DEFINE, _is_body)
    if not places or len(known) >= _MOST_DEFINITIONS:
        return None
    term = places.pick(choices).term
    taken = taken_names(problem) | {definition.name for definition in known}
    parameters: list[Variable] = []
    children: list[Term] = []
    for child in term.children:
        if choices.boolean():
            parameters.append(_parameter(child, parameters, taken))
            children.append(parameters[-1])
        else:
            children.append(child)
    body = term.rebuild(children)
    left = [variable for variable in free_variables(body) if variable not in parameters]
    own = {variable: _parameter(variable, parameters, taken, number) for number, variable in enumerate(left)}
    definition = defined(fresh_name("d", taken), (*parameters, *own.values()), substitute(body, own))
    if definition is None or len(definition.parameters) > _MOST_PARAMETERS or definition.arguments(term) is None:
        return None
    result = _with_definitions(problem, (*known, definition))
    return result if definition.name in {each.name for each in result.form.definitions} else None


def _parameter(term: Term, before: list[Variable], taken: set[str], number: int = 0) -> Variable:
    return Variable(fresh_name(f"p{len(before) + number}", taken), term.sort)


def _expand(problem: Problem, choices: Choices) -> Problem | None:
    known = problem.form.definitions
    if not known:
        return None
    gone = choices.index(len(known))
    return _with_definitions(problem, (*known[:gone], *known[gone + 1 :]))


def _subjects(term: Term) -> list[Term]:
    """Return the parts of a term that have one of several constructors and need no quantifier inside of it."""
    free = set(free_variables(term))
    found = (part for part in islice(subterms(term), _MOST_SUBJECTS) if part.sort.datatype)
    return [
        part
        for part in found
        if 1 < len(part.sort.datatype.constructors if part.sort.datatype else ()) <= _MOST_CASES
        and free.issuperset(free_variables(part))
    ]


def _is_distinguishable(term: Term) -> bool:
    return term.size <= _MOST_BODY and is_first_class(term.sort) and bool(_subjects(term))


def _distinguish(problem: Problem, choices: Choices) -> Problem | None:
    """Replace a term by a case distinction on one of its parts, with the term itself in every case."""
    places = anywhere(problem, _DISTINGUISH, _is_distinguishable)
    if not places:
        return None
    place = places.pick(choices)
    subject = choices.pick(_subjects(place.term))
    assert subject.sort.datatype is not None
    result = place.term
    for constructor in subject.sort.datatype.constructors[:-1]:
        result = Apply("ite", (Apply(constructor.tester, (subject,), BOOL), place.term, result), result.sort)
    made = put(problem, place, as_read(result))
    return None if made is None else _written(made, True)


def _written(problem: Problem, has_match: bool) -> Problem:
    return replace(problem, form=replace(problem.form, has_match=has_match))


def _may_have_match(problem: Problem) -> bool:
    return not problem.form.has_match and any(map(has_cases, problem.formulas))


def _has_match(problem: Problem) -> bool:
    return problem.form.has_match


def _with_or_without_let(problem: Problem, _choices: Choices) -> Problem | None:
    if not _may_have_let(problem):
        return None
    return replace(problem, form=replace(problem.form, has_let=not problem.form.has_let))


def _may_have_let(problem: Problem) -> bool:
    return problem.form.has_let or any(map(has_lets, problem.formulas))


def _may_be_restated(problem: Problem) -> bool:
    """Return whether there are assertions, without attributes other than names, which a restatement would lose."""
    return bool(problem.assertions) and all(len(each.annotations) == bool(each.name) for each in problem.assertions)


def _has_definitions(problem: Problem) -> bool:
    return bool(problem.form.definitions)


def _can_define(problem: Problem) -> bool:
    return len(problem.form.definitions) < _MOST_DEFINITIONS and bool(anywhere(problem, _DEFINE, _is_body))


_SCRIPTS = "SMT-LIB 2.6, section 4.2.3 to 4.2.5: levels, checks and assumptions of one script"
_LOGICS = "SMT-LIB 2.6, sections 4.1.7 and 5.5: a solver chooses its procedure by the logic and by options"
_MATCH = "SMT-LIB 2.6, section 3.6.1: match takes a data type apart, which readers write out or keep"
_LET = "SMT-LIB 2.6, section 3.6.1: let names a term, which readers write out or share"
_DEFINITIONS = "SMT-LIB 2.6, section 4.2.3: a defined function is an abbreviation"

MUTATIONS = (
    Mutation(
        "smt_shape.levels",
        Promise.EQUIVALENT,
        "assertions are stated on a level, once more after a check and a pop, or after a level with other ones",
        _SCRIPTS,
        _checked(PUSH, AGAIN, ASIDE),
        _may_be_restated,
        light=True,
        needs=Needs.CHECK_SAT,
    ),
    Mutation(
        "smt_shape.checks",
        Promise.EQUIVALENT,
        "a script has one more check, before its last one or between its assertions",
        _SCRIPTS,
        _checked(TWICE, BETWEEN),
        _may_be_restated,
        light=True,
        needs=Needs.CHECK_SAT,
    ),
    Mutation(
        "smt_shape.assumptions",
        Promise.EQUIVALENT,
        "assertions are implied by new constants, which the check assumes",
        _SCRIPTS,
        _checked(ASSUME),
        _may_be_restated,
        light=True,
        needs=Needs.CHECK_SAT,
    ),
    Mutation(
        _DEFINE,
        Promise.EQUIVALENT,
        "a term, with some of its arguments as parameters, becomes the body of a defined function",
        _DEFINITIONS,
        _define,
        _can_define,
        light=True,
        needs=Needs.CHECK_SAT,
    ),
    Mutation(
        "smt_shape.expand",
        Promise.EQUIVALENT,
        "the calls of a defined function are expanded",
        _DEFINITIONS,
        _expand,
        _has_definitions,
        light=True,
        needs=Needs.CHECK_SAT,
    ),
    Mutation(
        _DISTINGUISH,
        Promise.EQUIVALENT,
        "a term becomes a case distinction by constructors, written as match, with the term itself in every case",
        _MATCH,
        _distinguish,
        lambda problem: bool(anywhere(problem, _DISTINGUISH, _is_distinguishable)),
        light=True,
        needs=Needs.CHECK_SAT,
    ),
    Mutation(
        "smt_shape.match",
        Promise.EQUIVALENT,
        "case distinctions by testers and selectors are written as match",
        _MATCH,
        lambda problem, _: _written(problem, True) if _may_have_match(problem) else None,
        _may_have_match,
        light=True,
        needs=Needs.CHECK_SAT,
    ),
    Mutation(
        "smt_shape.testers",
        Promise.EQUIVALENT,
        "a match is written with testers and selectors",
        _MATCH,
        lambda problem, _: _written(problem, False) if _has_match(problem) else None,
        _has_match,
        light=True,
        needs=Needs.CHECK_SAT,
    ),
    Mutation(
        "smt_shape.let",
        Promise.EQUIVALENT,
        "terms with several places are written once, under names of let, or again at each place",
        _LET,
        _with_or_without_let,
        _may_have_let,
        light=True,
        needs=Needs.CHECK_SAT,
    ),
    Mutation(
        "smt_shape.logic",
        Promise.EQUIVALENT,
        "a script sets another logic that contains its problem, that of all, or none",
        _LOGICS,
        _in_another_logic,
        lambda _: True,
        light=True,
        needs=Needs.CHECK_SAT,
    ),
    Mutation(
        "smt_shape.options",
        Promise.EQUIVALENT,
        "a script switches proofs, cores or cores of assumptions on or off",
        _LOGICS,
        _with_an_option,
        lambda _: True,
        light=True,
        needs=Needs.CHECK_SAT,
    ),
)
