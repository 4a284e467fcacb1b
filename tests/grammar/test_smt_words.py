"""Operators that are drawn only for SMT problems: what they mean to us, Z3, and Bitwuzla."""

from __future__ import annotations

from itertools import product

import pytest
import z3
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.printing.printer import print_problem, print_system, print_term
from chcfuzz.grammar.reading.parse import parse, problem
from chcfuzz.grammar.terms import FALSE, TRUE, Apply, Atom, Call, integer, vector
from chcfuzz.grammar.theories import bit_vectors
from chcfuzz.grammar.theory import applications

SMT_OPERATORS = {row.name for row in bit_vectors.THEORY.operators if row.is_for_smt}
FOREIGN = {name for name, row in bit_vectors.THEORY.readings.items() if not row.indices}
UNARY = ("bvredand", "bvredor", "bvnego", "sbv_to_int")


@pytest.mark.parametrize("operator", sorted(SMT_OPERATORS))
def test_every_word_means_to_z3_what_it_means_to_us(operator: str) -> None:
    domain = product(range(8), repeat=1 if operator in UNARY else 2)
    terms = [Apply(operator, [vector(number, 3) for number in numbers]) for numbers in domain]
    solver = z3.Solver(ctx=z3.Context())
    values = [evaluate(term, {}) for term in terms]
    shown = [print_value(term, value) for term, value in zip(terms, values, strict=True)]
    equal = " ".join(f"(= {print_term(term)} {value})" for term, value in zip(terms, shown, strict=True))
    solver.from_string(f"(assert (not (and {equal})))")
    assert solver.check() == z3.unsat
    assert len(set(values)) > 1


def print_value(term: Apply, value: object) -> str:
    if isinstance(value, bool):
        return print_term(TRUE if value else FALSE)
    return print_term(vector(int(str(value)), 1)) if term.sort.is_bitvector else f"(- {-int(str(value))})"


# Each with the sort of its result, and what Z3 reads for it.
FOREIGN_FORMS = {
    "(bvredxor a)": ("(_ BitVec 1)", "(bvxor ((_ extract 0 0) a) ((_ extract 1 1) a) ((_ extract 2 2) a))"),
    "(bvumul_noovfl a b)": ("Bool", "(bvumul_noovfl a b)"),
    "(bvsmul_noovfl a b)": ("Bool", "(bvsmul_noovfl a b)"),
    "(bvsmul_noudfl a b)": ("Bool", "(bvsmul_noudfl a b)"),
    "(ext_rotate_left a b)": ("(_ BitVec 3)", "(ext_rotate_left a b)"),
    "(ext_rotate_right a b)": ("(_ BitVec 3)", "(ext_rotate_right a b)"),
}


def test_every_foreign_word_has_a_form() -> None:
    assert {form[1:].split()[0] for form in FOREIGN_FORMS} == FOREIGN


@pytest.mark.parametrize("form", FOREIGN_FORMS)
def test_a_foreign_word_is_written_out(form: str) -> None:
    sort, of_z3 = FOREIGN_FORMS[form]
    operator = form[1:].split()[0]
    declared = f"(declare-const a (_ BitVec 3))(declare-const b (_ BitVec 3))(declare-const c {sort})"
    printed = print_term(problem(f"{declared}(assert (= c {form}))").formulas[0])
    assert operator not in printed
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(f"{declared}(assert (distinct {printed} (= c {of_z3})))")
    assert solver.check() == z3.unsat
    with pytest.raises(GrammarError, match=f"{operator} is not defined on"):
        problem(f"(assert ({operator} 1 2))")


@pytest.mark.parametrize(
    ("power", "product"),
    [
        ("(^ x 3)", "(* x x x)"),
        ("(^ r 2)", "(* r r)"),
        ("(^ x 1)", "x"),
        ("(^ 2 70)", str(2**70)),
        ("(^ 0.5 2)", "(/ 1 4)"),
    ],
)
def test_a_power_is_a_product(power: str, product: str) -> None:
    declared = "(declare-const x Int)(declare-const r Real)"
    read = [problem(f"{declared}(assert (> {term} (- {term})))").formulas for term in (power, product)]
    assert read[0] == read[1]


@pytest.mark.parametrize(
    "power", ["(^ x 0)", "(^ x x)", "(^ x 9)", "(^ x)", "(^ true 2)", "(^ 2 5000)", "(^ r 0.5)", f"(^ {9**999} 9)"]
)
def test_other_powers_are_refused(power: str) -> None:
    with pytest.raises(GrammarError, match=r"\^ is read with|a power of more than 10000 bits"):
        problem(f"(declare-const x Int)(declare-const r Real)(assert (= {power} {power}))")


def test_the_words_are_read_and_printed() -> None:
    text = "(declare-const a (_ BitVec 4))(assert (and (bvumulo a a) (= (bvredor a) #b1) (< (sbv_to_int a) 0)))"
    stated = problem(text)
    assert problem(print_problem(stated)) == stated


@pytest.mark.parametrize("operator", sorted(SMT_OPERATORS | FOREIGN | {"^"}))
def test_systems_have_the_words_of_z3_too(operator: str) -> None:
    vectors = " ".join(["x"] * (1 if operator in (*UNARY, "bvredxor") else 2))
    term = "(^ (bv2nat x) 2)" if operator == "^" else f"({operator} {vectors})"
    clause = f"(forall ((x (_ BitVec 3))) (=> (distinct {term} {term}) (p x)))"
    system = parse(f"(declare-fun p ((_ BitVec 3)) Bool)(assert {clause})")
    assert parse(print_system(system)) == system
    stated = problem(f"(declare-fun p ((_ BitVec 3)) Bool)(assert {clause})")
    assert print_term(stated.formulas[0]) == print_term(system.clauses[0].formula)


def test_a_system_may_declare_such_a_word() -> None:
    system = parse("(declare-fun bvredor (Int) Bool)(assert (bvredor 1))")
    assert system.clauses[0].head == Atom(system.predicates[0], [integer(1)])


def test_a_word_is_not_a_name() -> None:
    assert isinstance(problem("(declare-const bvredo Bool)(assert bvredo)").formulas[0], Call)
    with pytest.raises(Exception, match="this name has a meaning already"):
        problem("(declare-const bvredor Bool)")


def test_drawing_for_systems_does_not_know_them() -> None:
    sorts = (vector(0, 4).sort, TRUE.sort, vector(0, 1).sort)
    plain, more = applications(sorts), applications(sorts, with_smt_operators=True)
    assert not {name for by_name in plain.values() for name in by_name} & SMT_OPERATORS
    assert {name for by_name in more.values() for name in by_name} >= SMT_OPERATORS - {"sbv_to_int"}
    assert all(more[sort][name] == made for sort, by_name in plain.items() for name, made in by_name.items())
