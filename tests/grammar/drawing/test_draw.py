"""Terms from choices: of the requested sort, small, and readable by us, Z3 and cvc5."""

from collections import Counter
from itertools import product

import cvc5
import pytest
import z3
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw import Drawing, productions, related
from chcfuzz.grammar.drawing.drawing_scope import DrawingScope, constants
from chcfuzz.grammar.drawing.literals import FUEL
from chcfuzz.grammar.printing.printer import print_datatypes, print_term
from chcfuzz.grammar.reading.parse import parse, parse_term
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Sort, array, bitvec
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Apply, Term, Value, Variable, free_variables, integer, subterms, vector
from chcfuzz.grammar.theories import floating_point
from chcfuzz.grammar.theory import applications, operator_names, split_operator

TEXT = """(set-logic HORN)
(declare-datatypes ((Tree 0) (Forest 0)) (
  ((fork (left Forest) (label Int)) (leaf)) ((more (first Tree) (rest Forest)) (none))))
(declare-datatypes ((Pair 0)) (((pair (fst Int) (snd (_ BitVec 8))))))
(declare-fun p (Int Tree (Array Int (Array Int Real)) (_ BitVec 8) Pair) Bool)
(assert (forall ((x Int) (t Tree) (a (Array Int (Array Int Real))) (v (_ BitVec 8)) (q Pair))
  (=> (and (< (+ x 41) 1234) (not (= v #x2c)) (> (select (select a x) 7) 0.25) (= (fst q) (label t))) (p x t a v q))))
(assert (forall ((x Int) (y Int) (u Real)) (=> (exists ((z Int)) (< (* 2 z) (+ x y))) (p x leaf
  ((as const (Array Int (Array Int Real))) ((as const (Array Int Real)) u)) #x00 (pair y #xff)))))
"""
SYSTEM = parse(TEXT)
FORMULAS = tuple(clause.formula for clause in SYSTEM.clauses)
SCOPE = DrawingScope.of(FORMULAS, 0, SYSTEM.clauses[0].variables)
TREE, FOREST, PAIR = (datatype.sort for group in SYSTEM.datatypes for datatype in group)
SORTS = (
    BOOL,
    INT,
    REAL,
    bitvec(1),
    bitvec(8),
    bitvec(32),
    array(INT, INT),
    array(INT, array(INT, REAL)),
    array(bitvec(8), array(BOOL, FOREST)),
    TREE,
    FOREST,
    PAIR,
)
DRAWS = 200
WRITTEN = "".join(map(print_datatypes, SYSTEM.datatypes)) + "".join(
    f"(declare-const {variable.name} {variable.sort})" for variable in SCOPE.variables
)


def stream(number: int) -> Choices:
    return Choices(b"", f"draw {number}".encode())


def drawn(sort: Sort, fuel: int = FUEL, scope: DrawingScope = SCOPE) -> list[Term]:
    drawing = Drawing(scope)
    return [drawing.term(sort, stream(number), fuel) for number in range(DRAWS)]


def operators(terms: list[Term]) -> Counter[str]:
    return Counter(
        split_operator(here.operator)[0] for term in terms for here in subterms(term) if isinstance(here, Apply)
    )


@pytest.mark.parametrize("sort", SORTS, ids=str)
def test_terms_of_every_sort_are_drawn_and_read_back_as_themselves(sort: Sort) -> None:
    variables = {variable.name: variable for variable in SCOPE.variables}
    terms = drawn(sort)
    assert len(set(terms)) > (1 if sort is BOOL else 10)
    for term in terms:
        assert term.sort is sort
        assert set(free_variables(term)) <= set(SCOPE.variables)
        assert parse_term(print_term(term), tuple(variables.values()), SYSTEM) is term


@pytest.mark.parametrize("sort", SORTS, ids=str)
def test_z3_reads_every_term(sort: Sort) -> None:
    lines = [f"(assert (= {print_term(term)} {print_term(term)}))" for term in drawn(sort)]
    assert len(z3.parse_smt2_string(WRITTEN + "\n".join(lines), ctx=z3.Context())) == DRAWS


@pytest.mark.parametrize("sort", SORTS, ids=str)
def test_cvc5_reads_every_term(sort: Sort) -> None:
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("parsing-mode", "lenient")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, f"(set-logic ALL){WRITTEN}", "declarations")
    while not (command := parser.nextCommand()).isNull():
        command.invoke(solver, parser.getSymbolManager())
    for term in drawn(sort):
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, print_term(term), "term")
        assert not parser.nextTerm().isNull(), print_term(term)


def test_the_typing_table_read_backwards_is_the_table() -> None:
    """Its result for three sorts agrees with the table of operators."""
    sorts = (BOOL, INT, bitvec(4))
    found = applications(sorts)
    for name, result in product(sorted(operator_names(is_smt=False)), sorts):
        for operator, domain in found[result].get(name, ()):
            assert Apply(operator, [Variable("x", sort) for sort in domain]).sort is result
    assert found[INT]["ite"] == (("ite", (BOOL, INT, INT)),)
    assert found[BOOL]["<"] == (("<", (INT, INT)), ("<", (INT, INT, INT)))
    assert {name for by_name in found.values() for name in by_name} >= operator_names(is_smt=False) - {
        *("select", "store", "/", "to_real", "to_int", "is_int", "concat", "repeat", "bvcomp"),
        *(operator.name for operator in floating_point.THEORY.operators),
    }


@pytest.mark.slow
def test_every_operator_is_drawn_from_sorts_that_it_fits() -> None:
    wide = DrawingScope((*SCOPE.variables, *(Variable(f"v{width}", bitvec(width)) for width in (1, 2, 4))), FORMULAS)
    terms = [Drawing(wide, {"operator": 9}).term(sort, stream(n), 30) for sort in SORTS for n in range(300)]
    of_floats = {operator.name for operator in floating_point.THEORY.operators}
    assert {name.strip("|") for name in operators(terms)} >= operator_names(is_smt=False) - of_floats
    assert {"fork", "leaf", "left", "(_ is none)"} <= set(operators(terms))


@pytest.mark.parametrize("fuel", [0, 1, 5, 30])
def test_fuel_bounds_the_number_of_operators(fuel: int) -> None:
    for sort in (BOOL, INT, REAL, bitvec(8)):
        for term in drawn(sort, fuel, DrawingScope((Variable("x", INT), Variable("v", bitvec(8))))):
            assert sum(isinstance(here, Apply) for here in subterms(term)) <= fuel


def test_no_fuel_is_enough_for_every_sort() -> None:
    for sort in SORTS:
        assert all(term.size <= 8 for term in drawn(sort, 0, DrawingScope(())))


def test_bytes_that_have_run_out_give_the_first_variable_or_literal() -> None:
    drawing = Drawing(SCOPE)
    assert drawing.term(INT, Choices(b"")) is SCOPE.variables[0]
    assert Drawing(DrawingScope(())).term(INT, Choices(b"")) is integer(0)
    for sort in SORTS:
        assert drawing.term(sort, Choices(b"")).sort is sort


def test_the_same_choices_draw_the_same_term() -> None:
    assert drawn(array(INT, array(INT, REAL))) == drawn(array(INT, array(INT, REAL)))


def test_terms_lean_on_the_system() -> None:
    near = constants(FORMULAS, INT)
    assert {integer(n) for n in (1233, 1234, 1235, -1234, 2468, 40, 82)} <= set(near)
    assert vector(0x2B, 8) in constants(FORMULAS, bitvec(8))
    terms = drawn(INT)
    assert set(terms) & set(near)
    assert set(terms) & set(SCOPE.variables)
    own = parse_term("(select (select a x) 7)", SCOPE.variables, SYSTEM)
    assert own in drawn(REAL)


def test_terms_of_other_clauses_are_put_over_the_variables_in_scope() -> None:
    other = DrawingScope.of(FORMULAS, 0, (Variable("k", INT), Variable("m", INT)))
    sums = [term for term in drawn(INT, scope=other) if isinstance(term, Apply) and term.operator == "+"]
    assert sums
    assert all({variable.name for variable in free_variables(term)} <= {"k", "m"} for term in sums)


def test_weights_come_from_outside() -> None:
    only = Drawing(SCOPE, {"variable": 0, "constant": 0, "literal": 0, "own": 0, "-": 0, "*": 0, "ite": 5})
    found = operators([only.term(INT, stream(number), 1) for number in range(200)])
    assert found["-"] == found["*"] == 0
    assert found["ite"] > 60
    none = Drawing(SCOPE, dict.fromkeys(("variable", "constant", "literal", "own", "operator"), 0))
    assert none.term(INT, stream(0)) in SCOPE.variables


def test_products_and_quotients_are_by_numbers_other_than_zero() -> None:
    drawing = Drawing(SCOPE, {"operator": 9, "own": 0, "*": 20, "div": 20, "mod": 20})
    found = 0
    for number in range(300):
        for here in subterms(drawing.term(INT, stream(number), 20)):
            if isinstance(here, Apply) and here.operator in ("*", "div", "mod"):
                found += 1
                assert all(isinstance(by, Value) and by.value for by in here.children[1:]), print_term(here)
    assert found > 50


def test_a_condition_is_no_constant() -> None:
    drawing = Drawing(SCOPE)
    for number in range(DRAWS):
        condition = drawing.condition(stream(number))
        assert condition.sort is BOOL
        assert isinstance(condition, Apply)
    assert isinstance(Drawing(DrawingScope(())).condition(Choices(b"")), Apply)


def test_related_sorts_are_those_that_a_sort_is_made_of() -> None:
    assert related((array(INT, bitvec(8)),)) == (
        BOOL,
        array(INT, bitvec(8)),
        bitvec(8),
        INT,
        bitvec(4),
        bitvec(2),
        bitvec(1),
    )
    assert set(related((TREE,))) == {BOOL, TREE, FOREST, INT}
    assert len(related([bitvec(width) for width in range(1, 40)])) == 14


def test_productions_of_data_types_are_theirs() -> None:
    sorts = related((TREE,))
    assert dict(productions(sorts)[TREE])["constructor"] == (("fork", (FOREST, INT)), ("leaf", ()))
    assert ("label", (TREE,)) in productions(sorts)[INT]["selector"]
    assert len(productions(sorts)[BOOL]["tester"]) == 4
    assert isinstance(SYSTEM, System)
