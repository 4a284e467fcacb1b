import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import cvc5
import pytest
import z3
from chcfuzz.grammar.printing.printer import print_clause, print_system, print_term, print_value
from chcfuzz.grammar.reading.parse import parse, parse_term
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.system import Clause
from chcfuzz.grammar.terms import (
    FALSE,
    TRUE,
    Atom,
    Predicate,
    Quantifier,
    Term,
    Variable,
    apply,
    implication,
    integer,
    real,
    vector,
)

ROOT = Path(__file__).resolve().parents[3]
X = Variable("x", INT)
P = Predicate("p", (INT,))

# All theories, all shapes, names that need bars.
TEXT = """(set-option :fp.spacer.ctp false)
(set-logic HORN)
(set-info :status unsat)
(declare-datatypes ((IntList 0)) (((nil) (cons (head Int) (tail IntList)))))
(declare-datatypes ((Tree 0) (Forest 0)) (((node (below Forest))) ((none) (some (first Tree) (rest Forest)))))
(declare-datatypes ((Colour 0)) (((red) (|deep blue|))))
(declare-fun |a relation| ((Array Int (_ BitVec 8)) Real IntList Forest Colour) Bool)
(declare-fun p (Int) Bool)
(declare-fun flag () Bool)
(assert flag)
(assert (! (p (- 1)) :named |the start|))
(assert (forall ((x Int))
    (=> (and (p x) (exists ((y Int)) (> y (* 2 x))))
        (p (+ x 1)))))
(assert (forall ((|an array| (Array Int (_ BitVec 8))) (r Real) (l IntList) (f Forest))
    (=> (and (p 0) (= (select |an array| 3) (bvadd #x0a ((_ zero_extend 5) #b101))) (< r (- (/ 1.0 3.0))))
        (|a relation| (store |an array| 0 #xff) (+ r 1.0) (cons 2 l) (some (node none) f) |deep blue|))))
(assert (forall ((x Int)) (or (not (p x)) (not (> x 5)) flag)))
(assert (not (exists ((l IntList)) (|a relation| ((as const (Array Int (_ BitVec 8))) #x00) 0.0 l none red))))
(assert (=> flag false))
(check-sat)
"""


def test_a_real_of_4000_digits_reads_back() -> None:
    largest = real(10**4000 - 1)
    assert parse_term(print_term(largest)) is largest


def test_canonical_text_is_printed_as_it_was_read() -> None:
    assert print_system(parse(TEXT)) == TEXT.replace("(forall ((x Int)) (or", "(forall ((x Int))\n    (or")


def test_z3_and_cvc5_read_every_theory() -> None:
    printed = print_system(parse(TEXT))
    # An option in a text that Z3 reads holds for the whole process: the other tests would feel it.
    text = printed.replace("(set-option :fp.spacer.ctp false)", "").replace("(check-sat)", "")
    assert len(z3.parse_smt2_string(text, ctx=z3.Context())) == 7
    solver = cvc5.Solver(cvc5.TermManager())
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "printed")
    while not (command := parser.nextCommand()).isNull():
        assert command.invoke(solver, parser.getSymbolManager()) in ("", None)
    assert len(solver.getAssertions()) == 7


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (TRUE, "true"),
        (FALSE, "false"),
        (integer(-5), "(- 5)"),
        (integer(10**40), "1" + "0" * 40),
        (real(2), "2.0"),
        (real(-2), "(- 2.0)"),
        (real(Fraction(-1, 3)), "(- (/ 1.0 3.0))"),
        (vector(10, 8), "#x0a"),
        (vector(1, 3), "#b001"),
    ],
)
def test_constants_are_spelled_canonically(value: object, text: str) -> None:
    assert print_value(value) == text  # type: ignore[arg-type]


def doubled(times: int) -> Term:
    term: Term = X
    for _ in range(times):
        term = apply("+", term, term)
    return term


def test_little_sharing_is_written_out() -> None:
    assert print_term(apply("*", doubled(1), doubled(1))) == "(* (+ x x) (+ x x))"


def test_text_stays_linear_where_sharing_would_make_it_exponential() -> None:
    text = print_term(doubled(40))
    assert len(text) < 2000
    assert text.startswith("(let ((a!1 (+ (+ x x) (+ x x))))")
    clause = Clause(Quantifier("forall", (X,), implication(apply(">", doubled(16), X), Atom(P, (X,)))))
    printed = f"(declare-fun p (Int) Bool)\n{print_clause(clause)}"
    assert len(printed) < 2000
    assert parse(printed).clauses == (clause,)


def test_names_of_shared_terms_avoid_those_in_use() -> None:
    taken = Variable("a!1", INT)
    term = apply("<", taken, doubled(10))
    bound = Quantifier("forall", (X, taken), apply("=>", term, Atom(P, (taken,))))
    printed = f"(declare-fun p (Int) Bool)(assert {print_term(bound)})"
    assert parse(printed).clauses[0].formula is bound


def test_what_is_shared_below_a_quantifier_is_named_there() -> None:
    inner = Quantifier("exists", (X,), apply("=", doubled(10), integer(0)))
    text = print_term(apply("and", inner, inner, inner))
    assert text.startswith("(let ((a!9 (exists ((x Int)) (let ((a!1 (+ (+ x x) (+ x x))))")
    assert text.endswith("(and a!9 a!9 a!9))")
    expected = implication(apply("and", inner, inner, inner), FALSE)
    assert parse(f"(assert (=> {text} false))").clauses[0].formula is expected


def test_names_of_shared_terms_are_those_of_no_predicate() -> None:
    named = Atom(Predicate("a!1"))
    formula = Quantifier("forall", (X,), implication(apply("<", doubled(10), X), named))
    printed = f"(declare-fun a!1 () Bool)(assert {print_term(formula)})"
    assert parse(printed).clauses[0].formula is formula


def test_a_mutant_prints_its_unchanged_clauses_from_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    system = parse(TEXT)
    print_system(system)
    mutant = system.with_formula(0, Atom(P, (integer(123_456),)))
    laid_out = []
    from chcfuzz.grammar.printing import printer

    original = printer.laid_out
    monkeypatch.setattr(printer, "laid_out", lambda formula: laid_out.append(formula) or original(formula))
    assert "(p 123456)" in print_system(mutant)
    assert laid_out == [mutant.clauses[0].formula]


def test_text_does_not_depend_on_the_hash_seed() -> None:
    program = """if True:
        import sys
        from chcfuzz.grammar.reading.parse import parse, parse_term
        from chcfuzz.grammar.printing.printer import print_system
        system = parse(sys.stdin.read())
        sys.stdout.write(print_system(system) + str(sorted(system.theories)))
    """
    lets = "(let ((z1 (+ y y))) " + "".join(f"(let ((z{i + 1} (+ z{i} z{i}))) " for i in range(1, 9))
    text = TEXT.replace("(assert flag)", f"(assert (forall ((y Int)) {lets}(p z9){')' * 9}))")
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            input=text,
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=ROOT.parent,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "12345")
    }
    assert len(printed) == 1
    assert "(let " in printed.pop()


@pytest.mark.parametrize("name", ["assert", "a b", "", "1x", "let", "é", "a;b", "_", "(", "x'y"])
def test_names_that_are_no_simple_symbols_are_quoted(name: str) -> None:
    term = Quantifier("forall", (Variable(name, INT),), Atom(P, (Variable(name, INT),)))
    assert f"|{name}|" in print_term(term)
    assert parse(f"(declare-fun p (Int) Bool)(assert {print_term(term)})").clauses[0].formula is term
