"""Drawn SMT problems: well-formed, closed, bounded, and read by solvers."""

import random
import re
from collections.abc import Iterator

import cvc5
import pytest
import z3
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw_problem import ProblemDrawing, closed, draw_problem, place_of, quantified
from chcfuzz.grammar.drawing.draw_signature import PROFILES, DrawingSignature
from chcfuzz.grammar.drawing.drawing_limits import Limits
from chcfuzz.grammar.drawing.drawing_scope import DrawingScope
from chcfuzz.grammar.paths import Path, at
from chcfuzz.grammar.printing.printer import print_datatypes, print_problem
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.reading.leniences import as_read
from chcfuzz.grammar.sorts import BOOL, INT, Constructor, datatypes
from chcfuzz.grammar.terms import (
    Apply,
    Call,
    Function,
    Lambda,
    Quantifier,
    Term,
    Variable,
    free_variables,
    postorder,
    subterms,
)
from chcfuzz.grammar.theories.sequences import sequence
from chcfuzz.grammar.theories.strings import REGLAN, STRING

DRAWS = 300


def drawn(number: int, limits: Limits | None = None) -> Problem:
    return draw_problem(Choices(b"", f"problem {number}".encode()), limits)


@pytest.fixture(scope="module")
def problems() -> list[Problem]:
    return [drawn(number) for number in range(DRAWS)]


def test_the_text_of_a_drawn_problem_reads_back_as_it(problems: list[Problem]) -> None:
    assert not [each for each in problems if parse.problem(print_problem(each)) != each]


def test_z3_lets_a_script_declare_the_data_types(problems: list[Problem]) -> None:
    declared = {print_datatypes(group) for each in problems for group in each.datatypes}
    assert len({text.split("(")[3].split()[0] for text in declared}) == 6, "all kinds are drawn"
    for text in sorted(declared):
        script = f"(set-logic ALL)(declare-sort U 0)(declare-sort V 0){text}(check-sat)"
        assert z3.Z3_eval_smtlib2_string(z3.Context().ref(), script) == "sat\n"


def test_the_same_choices_draw_the_same_problem(problems: list[Problem]) -> None:
    assert [drawn(number) for number in range(20)] == problems[:20]
    assert draw_problem(Choices(b"")) == draw_problem(Choices(b""))


def test_all_theories_and_kinds_of_terms_are_drawn(problems: list[Problem]) -> None:
    found = {theory for each in problems for theory in each.theories}
    assert found == {"LIA", "LRA", "BV", "FP", "Arrays", "ADT", "UF", "Strings", "Seq", "Sets"}
    terms = {type(term) for each in problems for term in subterms(*each.formulas)}
    assert {Quantifier, Call, Variable} <= terms
    assert len({tuple(sorted(each.theories)) for each in problems}) > len(PROFILES)
    assert sum(problem.nodes > 8 for problem in problems) > DRAWS / 2


def test_functions_take_formulas_as_arguments(problems: list[Problem]) -> None:
    calls = (term for each in problems for term in subterms(*each.formulas) if isinstance(term, Call))
    assert any(child.sort is BOOL and child.children for call in calls for child in call.children)


def test_functions_and_predicates_with_bodies_are_drawn_and_called(problems: list[Problem]) -> None:
    found = [(each, definition) for each in problems for definition in each.form.definitions]
    assert {definition.body.sort is BOOL for _, definition in found} == {True, False}
    assert {bool(definition.parameters) for _, definition in found} == {True, False}
    for problem, definition in found:
        lines = print_problem(problem).splitlines()
        uses = [line for line in lines if re.search(rf"[( ]{definition.name}[ )]", line)]
        assert len(uses) > 1  # the definition itself, and a call
        assert all(parameter in free_variables(definition.body) for parameter in definition.parameters)


def test_scripts_have_all_forms_of_text_and_several_goals(problems: list[Problem]) -> None:
    texts = list(map(print_problem, problems))
    parts = {
        "let": r"\(let \(",
        "match": r"\(match ",
        "functions with parameters": r"\((define|declare)-fun \S+ \(\(*[A-Z_]",
        "nested arrays": r"\(Array [^()]* \(Array|\(Array \([^()]*\) \(Array",
        "goals": r"\(push 1\)\n\(assert \(not (?s:.*)\(check-sat\)\n\(pop 1\)(?s:.*)\(check-sat\)",
    }
    shares = {name: sum(bool(re.search(pattern, text)) for text in texts) for name, pattern in parts.items()}
    assert all(share > DRAWS / 25 for share in shares.values()), shares
    assert shares["functions with parameters"] > DRAWS / 3


def test_a_goal_is_checked_after_the_assertions_before_it(problems: list[Problem]) -> None:
    several = [each for each in problems if each.form.checks.events]
    assert {len(each.form.checks.events) for each in several} == {4, 8}
    for each in several:
        events = each.form.checks.events
        assert [event.at for event in events] == sorted(event.at for event in events)
        assert all(event.at < len(each.assertions) for event in events)
        stated = parse.checks(print_problem(each))
        goals = [event for event in events if event.formulas]
        for goal, check in zip(goals, stated, strict=False):
            assert check.formulas == (*each.formulas[: goal.at], *goal.formulas)
        assert stated[-1].formulas == each.formulas


def test_what_is_declared_is_used_and_what_is_used_is_declared(problems: list[Problem]) -> None:
    for problem in problems:
        stated = (*problem.formulas, *(goal for event in problem.form.checks.events for goal in event.formulas))
        used = {term.function for term in subterms(*stated) if isinstance(term, Call)}
        assert used == set(problem.functions)
        assert len({function.name for function in problem.functions}) == len(problem.functions)
        assert not any(map(free_variables, problem.formulas))


def test_declarations_are_closed_under_the_sorts_of_fields() -> None:
    text = """(declare-sort U 0)(declare-datatypes ((D 0)) (((d (e (Array U Int))))))(declare-fun f (D) Int)
        (declare-fun unused () U)(declare-const x D)(assert (= (f x) 0))"""
    problem = parse.problem(text)
    found = closed(problem.formulas, problem.datatypes)
    assert (found.sorts, found.datatypes) == (problem.sorts, problem.datatypes)
    assert sorted(function.name for function in found.functions) == ["f", "x"]


def test_no_more_variables_are_quantified_than_the_limit_allows() -> None:
    for most in (0, 1, 2, 6):
        for number in range(60):
            for formula in drawn(number, Limits(quantified=most)).formulas:
                bound = [t for t in subterms(formula) if isinstance(t, Quantifier)]
                assert len({variable for each in bound for variable in each.variables}) <= most


def test_a_definition_is_not_called_where_nothing_makes_its_arguments() -> None:
    assert draw_problem(Choices(random.Random(2288).randbytes(2_000))).assertions  # has such a definition


def test_functions_over_sequences_are_drawn_where_a_problem_may_have_them() -> None:
    items = sequence(INT)
    functions = (Function("c", (), items), Function("n", (), INT))
    names: set[str] = set()
    for may_have_them in (True, False):
        signature = DrawingSignature((items, INT), (), functions, functions_over_sequences=may_have_them)
        for number in range(120):
            drawing = ProblemDrawing(DrawingScope((), (), functions), signature, ())
            made = closed([as_read(drawing.formula(Choices(b"", str(number).encode()), 8))])
            assert parse.problem(print_problem(made)) == made
            lambdas = [term for term in subterms(*made.formulas) if isinstance(term, Lambda)]
            assert not any(map(free_variables, lambdas))
            assert may_have_them or not lambdas
            names |= {t.operator for t in subterms(*made.formulas) if isinstance(t, Apply) and lambdas}
    assert {"seq.map", "seq.mapi", "seq.foldl", "seq.foldli"} <= names


def test_regular_expressions_are_drawn_without_cases_and_variables() -> None:
    groups = datatypes(["Color"], lambda _: [(Constructor("red"), Constructor("green"))])
    sorts = (STRING, sequence(STRING), groups[0].sort)
    functions = (Function("s", (), STRING), Function("c", (), sequence(STRING)), Function("k", (), groups[0].sort))
    signature = DrawingSignature(sorts, (groups,), functions, functions_over_sequences=True)
    drawn = []
    for number in range(150):
        drawing = ProblemDrawing(DrawingScope((), (), functions), signature, ())
        drawn.append(drawing.term(REGLAN, Choices(b"", str(number).encode()), 8))
    found = {term.operator for term in subterms(*drawn) if isinstance(term, Apply) and term.sort is REGLAN}
    assert "re.union" in found
    assert not [name for name in found if name == "ite" or name.startswith("seq.")]


def test_a_larger_limit_is_reached() -> None:
    formulas = (formula for number in range(60) for formula in drawn(number, Limits(quantified=6)).formulas)
    bound = [{v for t in subterms(formula) if isinstance(t, Quantifier) for v in t.variables} for formula in formulas]
    assert max(map(len, bound)) > 3


def test_a_larger_size_is_reached_and_a_smaller_one_kept() -> None:
    sizes = [max(each.size for each in drawn(number, Limits.of(0, 100)).formulas) for number in range(60)]
    assert max(sizes) > 80 > 14 > min(sizes)
    assert Limits.of(0, 10**9).sizes((2, 5))[-1] < 10_000
    assert Limits.of(0, 3).sizes((2, 5)) == [2, 3]


def test_fuel_bounds_the_depth() -> None:
    for fuel in (1, 3, 6):
        for number in range(60):
            for formula in drawn(number, Limits(fuel=fuel, quantified=0)).formulas:
                assert depth(formula) <= fuel + 2  # a comparison or a value of a data type at a leaf


def depth(formula: Term) -> int:
    depths: dict[Term, int] = {}
    for term in postorder(formula):
        depths[term] = max((depths[child] + 1 for child in term.children), default=0)
    return depths[formula]


# Places of quantifiers -----------------------------------------------------------------------------


def paths_to(formula: Term, variable: Variable, path: Path = ()) -> Iterator[Path]:
    """Yield the paths to all uses of a variable."""
    if formula is variable:
        yield path
    for number, child in enumerate(formula.children):
        yield from paths_to(child, variable, (*path, number))


def longest_common(formula: Term, variable: Variable) -> Path:
    """Return the place of a quantifier by comparison of all paths."""
    first, *others = paths_to(formula, variable)
    length = len(first)
    while any(other[:length] != first[:length] for other in others):
        length -= 1
    while at(formula, first[:length]).sort is not BOOL or at(formula, first[:length]) is variable:
        length -= 1
    return first[:length]


@pytest.mark.slow
def test_a_quantifier_is_at_the_end_of_the_longest_common_path() -> None:
    seen = 0
    for number in range(400):
        for formula in drawn(number, Limits(quantified=0)).formulas:
            for function in {term.function for term in subterms(formula) if isinstance(term, Call)}:
                if not function.parameters:
                    variable = Variable("probe", function.result)
                    opened = _opened(formula, Call(function), variable)
                    assert place_of(opened, variable) == longest_common(opened, variable)
                    seen += bool(longest_common(opened, variable))
    assert seen > 100


def _opened(formula: Term, old: Term, new: Term) -> Term:
    done: dict[Term, Term] = {}
    for term in postorder(formula):
        done[term] = new if term is old else term.rebuild([done[child] for child in term.children])
    return done[formula]


def test_variables_are_bound_where_they_are_used() -> None:
    x, y = Variable("x", INT), Variable("y", INT)
    head = "(declare-fun p (Int) Bool)(declare-const q Bool)(assert "
    template = parse.problem(f"{head}(forall ((x Int)(y Int)) (or q (and (p x) (p y) (p (+ x 1))))))").formulas[0]
    assert isinstance(template, Quantifier)
    found = quantified(template.body, {x: "forall", y: "exists"})
    wanted = f"{head}(or q (forall ((x Int)) (and (p x) (exists ((y Int)) (p y)) (p (+ x 1))))))"
    assert found is parse.problem(wanted).formulas[0]


# Solvers -------------------------------------------------------------------------------------------


def is_read_by_z3(text: str) -> bool:
    try:
        z3.Solver(ctx=z3.Context()).from_string(text)
    except z3.Z3Exception:
        return False
    return True


def is_read_by_cvc5(text: str) -> bool:
    solver = cvc5.Solver(cvc5.TermManager())
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text.replace("(check-sat)", ""), "problem")
    try:
        while not (command := parser.nextCommand()).isNull():
            if "error" in str(command.invoke(solver, parser.getSymbolManager())):
                return False
    except RuntimeError:
        return False
    return True


@pytest.mark.parametrize("number", [150, pytest.param(3_000, marks=pytest.mark.slow)])
def test_solvers_read_drawn_problems(number: int) -> None:
    problems = [drawn(each) for each in range(number)]
    without_sets = [print_problem(each) for each in problems if "Sets" not in each.theories]
    assert 0.9 * number < len(without_sets) < number
    assert sum(map(is_read_by_z3, without_sets)) >= 0.99 * len(without_sets)
    assert sum(map(is_read_by_cvc5, map(print_problem, problems))) >= 0.99 * number
