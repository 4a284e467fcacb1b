"""Judge the results of queries behind the last check: values by the model, cores by models of their formulas.

A result is wrong if our evaluator finds a value of `get-value` or `get-assignment` false under the solver's own model,
or a model of any solver true on all formulas of a core. Other results, and those that are not read, are not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from chcfuzz.domains.smt.oracles import model as smt_model
from chcfuzz.domains.smt.oracles.evidence import assertion_script
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.form import PLAIN, Event
from chcfuzz.grammar.models.printed_models import read_model
from chcfuzz.grammar.models.structures import judge
from chcfuzz.grammar.printing.printer import print_problem, print_term
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.queries import ASSIGNMENT, ASSUMPTIONS, CORE, VALUE, is_query, stated_queries
from chcfuzz.grammar.reading.sexpr import Sexpr, name_in, sexprs
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.terms import Call, Function, Term, apply
from chcfuzz.grammar.written_checks import assumed_numbers, stated_events
from chcfuzz.oracles.scripts import joined
from chcfuzz.oracles.verdict import EVALUATOR, RESULT, Verdict, VerdictKind
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.outcome import Outcome, Status, texts_of

Solve = Callable[[Problem], Outcome]  # runs all solvers on another problem
Wrong = tuple[FaultClass, str, str]  # with the detail and a script that shows it


def check(problem: Problem, outcome: Outcome, solve: Solve) -> Verdict | None:
    """Return the verdict on the results of queries, undecided if none was judged; None if the solver gave none."""
    found = results(problem, outcome)
    if not found:
        return None
    is_judged = False
    for query, result in found:
        try:
            judgement = _judgement(problem, outcome, query, result, solve)
        except ChcfuzzError:  # it is not read
            continue
        if isinstance(judgement, bool):
            is_judged |= judgement
        else:
            fault, detail, script = judgement
            words = f"({query.word}): {fault.value}: {detail}"
            return Verdict(RESULT.name, VerdictKind.WRONG_RESULT, words, script, (EVALUATOR,), fault=fault.value)
    return Verdict(RESULT.name, VerdictKind.PASS if is_judged else VerdictKind.UNDECIDED)


def results(problem: Problem, outcome: Outcome) -> list[tuple[Event, str]]:
    """Return the queries behind the last check, each with the result of the solver; empty if it gave none."""
    asked = stated_queries(problem.form.queries, problem.declares)
    texts = texts_of(outcome)
    before = sum(map(is_query, stated_events(problem)))
    return list(zip(asked, texts[before:], strict=True)) if len(texts) == before + len(asked) else []


def _judgement(problem: Problem, outcome: Outcome, query: Event, result: str, solve: Solve) -> Wrong | bool:
    """Return the fault in the result of a query; True for a right result, and False for one that is not judged.

    Raises `ChcfuzzError` for a text that is not read.
    """
    read = sexprs(result)
    if len(read) != 1 or not isinstance(read[0], list) or read[0][:1] == ["error"]:
        return False
    if outcome.status is Status.SAT and outcome.model is not None and query.word in (VALUE, ASSIGNMENT):
        return _of_values(problem, outcome.model.whole, query, read[0])
    if outcome.status is Status.UNSAT and query.word in (CORE, ASSUMPTIONS):
        return _wrong_core(problem, query.word, read[0], solve) or True
    return False


def _of_values(problem: Problem, model: str, query: Event, pairs: Sequence[Sexpr]) -> Wrong | bool:
    named = {each.name: each.formula for each in problem.assertions if each.name}
    terms: list[Term | None] = list(query.formulas)
    if query.word == ASSIGNMENT:
        terms = [named.get(name_in(pair[0])) if isinstance(pair[0], str) else None for pair in pairs]
    if len(terms) != len(pairs) or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        return False
    found = [(term, _text(pair[1])) for term, pair in zip(terms, pairs, strict=True) if term]
    taken = set(problem.names)
    stated, lines = problem.with_assertions(()), [model]
    for term, value in found:
        function = Function(fresh_name("value", taken), (), term.sort)
        taken.add(function.name)
        lines.append(f"(define-fun {quoted(function.name)} () {term.sort} {value})")
        equal = Assertion(apply("=", term, Call(function)))
        stated = replace(
            stated, functions=(*stated.functions, function), assertions=(*stated.assertions, equal), form=PLAIN
        )
    definitions = "\n".join(lines)
    judged = judge(stated, read_model(definitions, stated), is_complete=False)
    if False not in judged:
        return True in judged
    number = judged.index(False)
    term, value = found[number]
    script = assertion_script(stated, definitions, number)
    return FaultClass.WRONG_VALUE, f"{print_term(term)} is not {value} in the model", script


def _wrong_core(problem: Problem, word: str, members: Sequence[Sexpr], solve: Solve) -> Wrong | None:
    """Return the fault in a core: a name of no formula, or formulas that have a model which the problem has not."""
    kept = list(_core(problem, word, members))
    if None in kept:
        return FaultClass.UNKNOWN_MEMBER, _text(list(members)), ""
    stated = problem.with_header((), ()).with_assertions([each for each in kept if each is not None])
    part = replace(stated, form=PLAIN)
    if len(part.assertions) == len(problem.assertions):
        return None
    if not part.assertions:
        return FaultClass.SATISFIABLE_CORE, "it is empty", joined(("; satisfiable", print_problem(part)))
    outcome = solve(part)
    for name, each in (("the solver itself", outcome), *outcome.others):
        model = each.model
        if model is None or smt_model.check(part, each).kind is not VerdictKind.PASS:
            continue
        if smt_model.check_text(problem, model.whole).kind is not VerdictKind.PASS:  # else unsat is wrong
            detail = f"{len(part.assertions)} of {len(problem.assertions)} assertions have a model of {name}"
            return FaultClass.SATISFIABLE_CORE, detail, joined((f"; {detail}: satisfiable.", print_problem(part)))
    return None


def _core(problem: Problem, word: str, members: Sequence[Sexpr]) -> Iterator[Assertion | None]:
    """Yield the assertions of a problem that a core keeps, and None for a member that it does not know."""
    assumed = set(assumed_numbers(problem))
    known = {print_term(problem.formulas[number]) for number in assumed}
    names = {each.name for each in problem.assertions if each.name}
    texts = {_text(each) for each in members}
    yield from (None for text in sorted(texts) if word == CORE and name_in(text) not in names and text not in known)
    for number, each in enumerate(problem.assertions):
        if word == CORE and each.name:
            is_kept = each.name in {name_in(text) for text in texts}
        else:
            is_kept = word == CORE or number not in assumed or print_term(each.formula) in texts
        if is_kept:
            yield each


def _text(found: Sexpr) -> str:
    return found if isinstance(found, str) else f"({' '.join(map(_text, found))})"
