"""Sequences: values as Z3 and cvc5 define them, texts, models and refusals."""

import cvc5
import pytest
import z3
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import UNDETERMINED, as_term, has_sort
from chcfuzz.grammar.models.printed_models import read_model
from chcfuzz.grammar.models.structures import judge
from chcfuzz.grammar.printing.dialects import print_for
from chcfuzz.grammar.printing.printer import print_problem, print_system, print_term
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.sorts import BOOL, INT
from chcfuzz.grammar.terms import apply, negation
from chcfuzz.grammar.theories.element_sorts import MOST_ELEMENTS
from chcfuzz.grammar.theories.sequences import sequence
from chcfuzz.grammar.theories.strings import STRING

DECLARED = "(declare-const s (Seq Int))(declare-const n Int)"
NONE = "(as seq.empty (Seq Int))"
ONE_TWO = "(seq.++ (seq.unit 1) (seq.unit 2))"

ROWS = [
    (f"(seq.++ {ONE_TWO} {NONE} (seq.unit 3))", (1, 2, 3)),
    (f"(seq.len {ONE_TWO})", 2),
    (f"(seq.nth {ONE_TWO} 1)", 2),
    (f"(seq.at {ONE_TWO} 1)", (2,)),
    (f"(seq.at {ONE_TWO} 2)", ()),
    (f"(seq.at {ONE_TWO} (- 1))", ()),
    (f"(seq.extract {ONE_TWO} 1 9)", (2,)),
    (f"(seq.extract {ONE_TWO} (- 1) 1)", ()),
    (f"(seq.extract {ONE_TWO} 0 0)", ()),
    (f"(seq.contains {ONE_TWO} (seq.unit 2))", True),
    (f"(seq.contains {NONE} {NONE})", True),
    (f"(seq.prefixof (seq.unit 1) {ONE_TWO})", True),
    (f"(seq.suffixof (seq.unit 1) {ONE_TWO})", False),
    (f"(seq.suffixof {NONE} {ONE_TWO})", True),
    (f"(seq.indexof {ONE_TWO} (seq.unit 2) 0)", 1),
    (f"(seq.indexof {ONE_TWO} {NONE} 2)", 2),
    (f"(seq.indexof {ONE_TWO} {NONE} 3)", -1),
    (f"(seq.indexof {ONE_TWO} (seq.unit 1) (- 1))", -1),
    (f"(seq.replace {ONE_TWO} (seq.unit 1) {ONE_TWO})", (1, 2, 2)),
    (f"(seq.replace {ONE_TWO} {NONE} (seq.unit 7))", (7, 1, 2)),
    (f"(seq.replace_all (seq.++ {ONE_TWO} {ONE_TWO}) (seq.unit 1) {NONE})", (2, 2)),
    (f"(seq.replace_all {ONE_TWO} {NONE} (seq.unit 7))", (1, 2)),
    ("(= (seq.unit (seq.unit 1)) (seq.unit (as seq.empty (Seq Int))))", False),
]
OF_CVC5 = [
    (f"(seq.rev {ONE_TWO})", (2, 1)),
    (f"(seq.update {ONE_TWO} 1 {ONE_TWO})", (1, 1)),
    (f"(seq.update {ONE_TWO} 2 {ONE_TWO})", (1, 2)),
]
PLUS = "(lambda ((x Int)) (+ x 1))"
OF_Z3 = [
    (f"(seq.map {PLUS} {ONE_TWO})", (2, 3)),
    (f"(seq.map {PLUS} {NONE})", ()),
    (f"(seq.map (lambda ((x Int)) (> x 1)) {ONE_TWO})", (False, True)),
    (f"(seq.map ((as const (Array Int Bool)) true) {ONE_TWO})", (True, True)),
    (f"(seq.mapi (lambda ((i Int) (x Int)) (- x i)) 10 {ONE_TWO})", (-9, -9)),
    (f"(seq.mapi (lambda ((i Int) (x Int)) i) (- 1) {ONE_TWO})", (-1, 0)),
    (f"(seq.foldl (lambda ((b Int) (x Int)) (- x b)) 10 {ONE_TWO})", 11),
    (f"(seq.foldl (lambda ((b Bool) (x Int)) (not b)) true {NONE})", True),
    (f"(seq.foldl (lambda ((b (Seq Int)) (x Int)) (seq.++ (seq.unit x) b)) {NONE} {ONE_TWO})", (2, 1)),
    (f"(seq.foldli (lambda ((i Int) (b Int) (x Int)) (+ (* 100 i) (- x b))) 5 10 {ONE_TWO})", 111),
    (f"(seq.fold_left (lambda ((b Int) (x Int)) x) 0 {ONE_TWO})", 2),
    (f"(seq.fold_lefti (lambda ((i Int) (b Int) (x Int)) i) 0 7 {ONE_TWO})", 1),
    (f"(seq.last_indexof (seq.++ {ONE_TWO} {ONE_TWO}) (seq.unit 1))", 2),
    (f"(seq.last_indexof {ONE_TWO} {NONE})", 2),
]


@pytest.mark.parametrize(("text", "value"), [*ROWS, *OF_CVC5, *OF_Z3])
def test_values_are_those_of_both_solvers(text: str, value: object) -> None:
    term = parse.parse_term(text)
    assert evaluate(term, {}) == value
    claim = print_term(negation(apply("=", term, as_term(value, term.sort))))  # type: ignore[arg-type]
    if (text, value) not in OF_CVC5:
        solver = z3.Solver(ctx=z3.Context())
        solver.from_string(f"(assert {claim})")
        assert solver.check() == z3.unsat
    if (text, value) not in OF_Z3:
        assert answer_of_cvc5(claim) == "unsat"


def answer_of_cvc5(claim: str) -> str:
    solver = cvc5.Solver(cvc5.TermManager())
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, f"(set-logic ALL)(assert {claim})", "claim")
    while not (command := parser.nextCommand()).isNull():
        command.invoke(solver, parser.getSymbolManager())
    return str(solver.checkSat())


def test_the_element_behind_the_end_is_open() -> None:
    for position in ("2", "(- 1)"):
        assert evaluate(parse.parse_term(f"(seq.nth {ONE_TWO} {position})"), {}) is UNDETERMINED


def test_a_model_is_completed_by_the_same_element_behind_the_end() -> None:
    for formula, holds in (("(= (seq.nth s 5) (seq.nth s (- 1)))", True), ("(= (seq.nth s 0) 1)", True)):
        stated = parse.problem(DECLARED + f"(assert {formula})")
        assert judge(stated, read_model("((define-fun s () (Seq Int) (seq.unit 1)))", stated)) == (holds,)
    stated = parse.problem(DECLARED + "(assert (distinct (seq.nth s 5) (seq.nth s 6)))")
    assert judge(stated, read_model("((define-fun s () (Seq Int) (seq.unit 1)))", stated)) == (None,)


def test_a_sequence_that_is_too_long_is_undetermined() -> None:
    text = "(seq.unit 1)"
    for _ in range(7):
        text = f"(let ((a {text})) (seq.++ a a a))"
    assert MOST_ELEMENTS < 3**7
    assert evaluate(parse.parse_term(text), {}) is UNDETERMINED


@pytest.mark.parametrize(
    "element", ["Bool", "Real", "(_ BitVec 4)", "String", "(Seq Int)", "(Array Int Bool)", "T", "U"]
)
def test_sequences_of_all_sorts_are_read_and_printed(element: str) -> None:
    text = "(declare-datatypes ((T 0)) (((a) (b (c (Seq Int))))))(declare-sort U 0)"
    text += f"(declare-const s (Seq {element}))(assert (= (seq.++ s s) (as seq.empty (Seq {element}))))"
    stated = parse.problem(text)
    assert parse.problem(print_problem(stated)) == stated


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("(declare-datatypes ((T 0)) (((a (b (Seq T))))))", "a data type without any finite value"),
        ("(declare-const s (Seq RegLan))", "RegLan cannot be inside of another sort"),
        ("(assert (= (seq.unit re.all) (seq.unit re.all)))", "seq.unit is not defined on"),
        ("(assert (= 1 (as seq.empty Int)))", "seq.empty is a sequence, not of sort Int"),
        ("(declare-sort U 0)(declare-const s (Seq (Array U Int)))", "sequences of arrays over uninterpreted sorts"),
        ("(assert (= (seq.unit 1) (seq.unit true)))", "= is not defined on"),
    ],
)
def test_a_wrong_text_is_refused(text: str, error: str) -> None:
    with pytest.raises(ChcfuzzError, match=error):
        parse.problem(text)


def test_chc_systems_may_have_sequences() -> None:
    system = parse.parse("(declare-fun p ((Seq Int)) Bool)(assert (p (seq.unit 1)))")
    assert system.theories == {"LIA", "Seq"}
    text = print_system(system)
    assert "(set-logic" not in text  # Z3 does not have the sorts in the logic HORN
    assert parse.parse(text) == system


def test_printed_models_are_read() -> None:
    stated = parse.problem(DECLARED + f"(assert (and (= s (seq.++ {ONE_TWO} (seq.unit n))) (= (seq.nth s 2) 3)))")
    for number, is_model in ((3, True), (4, False)):
        model = f"((define-fun s () (Seq Int) (seq.++ {ONE_TWO} (seq.unit {number}))) (define-fun n () Int {number}))"
        assert judge(stated, read_model(model, stated)) == (is_model,)
    empty = read_model(f"((define-fun s () (Seq Int) {NONE}) (define-fun n () Int 3))", stated)
    assert judge(stated, empty) == (False,)


MAPPED = DECLARED + "(declare-const f (Array Int Int))(assert (= (seq.map f s) (seq.++ (seq.unit n) (seq.unit 7))))"


@pytest.mark.parametrize(
    ("array", "is_model"),
    [
        ("(lambda ((x Int)) (+ x 5))", True),
        ("(lambda ((x Int)) (+ x 6))", False),
        ("(store (lambda ((x Int)) (+ x 4)) 2 7)", False),
        ("(store (lambda ((x Int)) (+ x 5)) 2 7)", True),
        ("(store ((as const (Array Int Int)) 7) 1 6)", True),
        ("((as const (Array Int Int)) 7)", False),
    ],
)
def test_arrays_are_functions_over_elements(array: str, is_model: bool) -> None:
    stated = parse.problem(MAPPED)
    values = f"(define-fun s () (Seq Int) {ONE_TWO})(define-fun n () Int 6)(define-fun f () (Array Int Int) {array})"
    assert judge(stated, read_model(f"({values})", stated)) == (is_model,)


def test_functions_have_the_values_of_the_variables_around_them() -> None:
    text = "(exists ((y Int)) (and (= y n) (= (seq.foldl (lambda ((b Int) (n Int)) (+ b n y)) 0 s) 9)))"
    stated = parse.problem(DECLARED + f"(assert {text})")
    assert "(n!1 Int)" in print_problem(stated)  # the text has a constant n, too
    assert parse.problem(print_problem(stated)) == stated
    for number, is_model in ((3, True), (2, None)):  # an exists is decided by a value alone
        model = f"((define-fun s () (Seq Int) {ONE_TWO}) (define-fun n () Int {number}))"
        assert judge(stated, read_model(model, stated)) == (is_model,)


def test_the_number_of_calls_of_a_function_is_bounded() -> None:
    fold = "(lambda ((b Int) (x Int)) (+ b 1))"
    for _ in range(3):
        fold = f"(lambda ((b Int) (x Int)) (+ 1 (seq.foldl {fold} b s)))"
    four = f"(seq.++ {ONE_TWO} {ONE_TWO} {ONE_TWO} {ONE_TWO})"
    text = f"(let ((t {four}))(let ((s (seq.++ t t t t)))(let ((s (seq.++ s s))) (seq.foldl {fold} 0 s))))"
    assert evaluate(parse.parse_term(text), {}) is UNDETERMINED


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (f"(= {PLUS} {PLUS})", "lambda is read as an argument of seq.map, seq.mapi, seq.foldl, seq.foldli"),
        (f"(> (select {PLUS} 1) 1)", "lambda is read as an argument of"),
        (PLUS, "lambda"),
        (f"(= s (seq.map {PLUS} (seq.unit true)))", "seq.map is not defined on"),
        (f"(= n (seq.foldl {PLUS} n s))", "seq.foldl is not defined on"),
        ("(= s (seq.mapi (lambda ((x Int)) x) 0 s))", "seq.mapi is not defined on"),
        ("(= s (seq.map s))", r"seq.map is not defined on \(\(Seq Int\)\)"),
        ("(= s (seq.map (lambda ((x Int)) re.all) s))", "seq.map is not defined on"),
    ],
)
def test_a_function_elsewhere_is_refused(text: str, error: str) -> None:
    with pytest.raises(ChcfuzzError, match=error):
        parse.problem(DECLARED + f"(assert {text})")


def test_functions_over_elements_are_of_z3_alone() -> None:
    stated = parse.problem(DECLARED + f"(assert (= s (seq.map {PLUS} s)))")
    assert f"(seq.map {PLUS} s)" in print_for(stated, "z3")
    with pytest.raises(ChcfuzzError, match=r"cvc5 does not have seq\.map; its readers are smtlib, z3"):
        print_for(stated, "cvc5")


def test_readers_without_sequences_are_refused() -> None:
    stated = parse.problem(DECLARED + "(assert (= (seq.rev s) s))")
    for reader, missing in (("bitwuzla", "the sort Seq"), ("z3", r"seq\.rev"), ("alt-ergo", "the sort Seq")):
        with pytest.raises(ChcfuzzError, match=f"{reader} does not have {missing}"):
            print_for(stated, reader)
    assert "seq.rev" in print_for(stated, "cvc5")


def test_a_value_has_a_term() -> None:
    for value, sort in (
        ((), sequence(INT)),
        ((1, 2), sequence(INT)),
        (("a", ""), sequence(STRING)),
        (((), (1,)), sequence(sequence(INT))),
    ):
        assert has_sort(value, sort)
        assert evaluate(as_term(value, sort), {}) == value  # type: ignore[arg-type]
    assert not has_sort((1,), sequence(BOOL))
