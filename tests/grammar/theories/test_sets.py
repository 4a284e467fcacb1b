"""Finite sets of cvc5: values as cvc5 defines them, texts, models and refusals."""

from __future__ import annotations

import re
import subprocess
import sys

import cvc5
import pytest
import z3
from chcfuzz.domains.smt.solvers.bitwuzla import Bitwuzla
from chcfuzz.domains.smt.solvers.cvc5 import Cvc5
from chcfuzz.domains.smt.solvers.z3 import Z3
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import UNDETERMINED, as_term, domain, has_sort
from chcfuzz.grammar.models.printed_models import read_model
from chcfuzz.grammar.models.structures import judge
from chcfuzz.grammar.printing.dialects import print_for
from chcfuzz.grammar.printing.printer import print_problem, print_term
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.sorts import BOOL, INT, array, bitvec
from chcfuzz.grammar.terms import apply, negation
from chcfuzz.grammar.theories.element_sorts import MOST_ELEMENTS
from chcfuzz.grammar.theories.sets import set_of
from chcfuzz.grammar.theories.strings import STRING
from chcfuzz.grammar.theory import applications
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog

from tests.grammar.theories.string_terms import drawn_claims

RLIMIT = 1_000_000
DECLARED = "(declare-const s (Set Int))(declare-const n Int)"
NONE = "(as set.empty (Set Int))"
ONE_TWO = "(set.union (set.singleton 1) (set.singleton 2))"

ROWS = [
    (NONE, frozenset()),
    (ONE_TWO, {1, 2}),
    (f"(set.insert 3 1 {ONE_TWO})", {1, 2, 3}),
    (f"(set.union {ONE_TWO} {NONE} (set.singleton 5))", {1, 2, 5}),
    (f"(set.inter {ONE_TWO} (set.insert 2 3 {NONE}))", {2}),
    (f"(set.minus {ONE_TWO} (set.singleton 1) (set.singleton 4))", {2}),
    (f"(set.member 1 {ONE_TWO})", True),
    (f"(set.member 3 {ONE_TWO})", False),
    (f"(set.subset {NONE} {ONE_TWO})", True),
    (f"(set.subset {ONE_TWO} {ONE_TWO})", True),
    (f"(set.subset {ONE_TWO} (set.singleton 1))", False),
    (f"(set.card (set.insert 1 1 2 {ONE_TWO}))", 2),
    (f"(set.card {NONE})", 0),
    (f"(set.is_empty (set.inter {ONE_TWO} (set.singleton 3)))", True),
    (f"(set.is_empty {ONE_TWO})", False),
    (f"(set.is_singleton (set.minus {ONE_TWO} (set.singleton 1)))", True),
    (f"(set.is_singleton {ONE_TWO})", False),
    (f"(= {ONE_TWO} (set.insert 2 (set.singleton 1)))", True),
    ("(set.card (set.insert (set.singleton 1) (set.singleton (as set.empty (Set Int)))))", 2),
    ('(set.member "b" (set.insert "a" (set.singleton "b")))', True),
]


def answer_of_cvc5(claim: str) -> str:
    """Return cvc5's answer to a formula under its default options."""
    solver = cvc5.Solver(cvc5.TermManager())
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, f"(set-logic ALL)(assert {claim})", "claim")
    while not (command := parser.nextCommand()).isNull():
        command.invoke(solver, parser.getSymbolManager())
    return str(solver.checkSat())


def solved(text: str) -> Outcome:
    """Return the outcome of cvc5 on the printed text of a problem."""
    return Cvc5().solve(print_problem(parse.problem(text)), (), RLIMIT)


@pytest.mark.parametrize(("text", "value"), ROWS)
def test_values_are_those_of_cvc5(text: str, value: object) -> None:
    term = parse.parse_term(text)
    assert evaluate(term, {}) == value
    known = evaluate(term, {})
    claim = print_term(negation(apply("=", term, as_term(known, term.sort))))  # type: ignore[arg-type]
    assert answer_of_cvc5(claim) == "unsat"


def test_cvc5_confirms_drawn_ground_terms() -> None:
    claims = [each for each in drawn_claims("sets", range(300)) if each is not None]
    assert len(claims) > 150
    words = " ".join(map(print_term, claims))
    assert all(f"(set.{name} " in words for name in ("insert", "union", "inter", "minus", "member", "subset", "card"))
    assert {answer_of_cvc5(print_term(negation(claim))) for claim in claims} == {"unsat"}


def test_a_set_that_is_too_large_is_undetermined() -> None:
    text = NONE
    for start in range(0, MOST_ELEMENTS + 1, 100):
        text = f"(set.insert {' '.join(map(str, range(start, start + 100)))} {text})"
    assert evaluate(parse.parse_term(text), {}) is UNDETERMINED


@pytest.mark.parametrize(
    "element", ["Bool", "Real", "(_ BitVec 4)", "String", "(Seq Int)", "(Set Int)", "(Array Int Bool)", "T", "U"]
)
def test_sets_of_all_sorts_are_read_printed_and_solved_by_cvc5(element: str) -> None:
    text = "(declare-datatypes ((T 0)) (((a) (b (c (Set Int))))))(declare-sort U 0)"
    text += f"(declare-const s (Set {element}))(assert (distinct s (as set.empty (Set {element}))))"
    stated = parse.problem(text)
    assert parse.problem(print_problem(stated)) == stated
    found = Cvc5().solve(print_problem(stated), (), RLIMIT)
    assert found.status is Status.SAT
    assert found.model is not None
    assert judge(stated, read_model(found.model.whole, stated)) == (True,)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("(declare-datatypes ((T 0)) (((a (b (Set T))))))", "a data type without any finite value"),
        ("(declare-const s (Set RegLan))", "RegLan cannot be inside of another sort"),
        ("(declare-const s Set)", "unknown sort, at `Set`"),
        ("(assert (= (set.singleton re.all) (set.singleton re.all)))", "set.singleton is not defined on"),
        ("(assert (= 1 (as set.empty Int)))", "set.empty is a set, not of sort Int"),
        ("(declare-sort U 0)(declare-const s (Set (Array U Int)))", "sets of arrays over uninterpreted sorts"),
        (DECLARED + "(assert (set.member true s))", "set.member is not defined on"),
        (DECLARED + "(assert (set.member s n))", "set.member is not defined on"),
        (DECLARED + "(assert (set.member 1 2 s))", "set.member is not defined on"),
        (DECLARED + "(assert (= s (set.insert s)))", "set.insert is not defined on"),
        (DECLARED + "(assert (set.subset s s s))", "set.subset is not defined on"),
    ],
)
def test_a_wrong_text_is_refused(text: str, error: str) -> None:
    with pytest.raises(ChcfuzzError, match=error):
        parse.problem(text)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("(assert (= s (set.complement s)))", "complements of sets and universes are not supported"),
        ("(assert (= s (as set.universe (Set Int))))", "complements of sets and universes are not supported"),
        ("(assert (= n (set.choose s)))", "this operator of sets is not supported"),
        ("(assert (= s (set.map (lambda ((x Int)) x) s)))", "this operator of sets is not supported"),
        ("(assert (set.all (lambda ((x Int)) true) s))", "this operator of sets is not supported"),
        ("(assert (rel.is_member s s))", "bags, relations and tables are not supported"),
        ("(declare-const b (Bag Int))", "bags, relations and tables are not supported"),
        ("(assert (= (bag 1 2) (bag 1 3)))", "bags, relations and tables are not supported"),
        ("(declare-const f (_ FiniteField 7))", "finite fields are not supported"),
        ("(declare-const f (-> Int Int))", "higher-order functions are not supported"),
    ],
)
def test_what_is_not_read_is_refused_by_its_name(text: str, error: str) -> None:
    with pytest.raises(ChcfuzzError, match=error):
        parse.problem(DECLARED + text)


def test_a_declared_sort_with_the_name_is_another_one() -> None:
    stated = parse.problem("(declare-sort Set 0)(declare-const a Set)(declare-const b Set)(assert (distinct a b))")
    assert [sort.name for sort in stated.sorts] == ["Set!"]
    assert stated.theories == {"UF"}


def test_a_logic_with_sets_is_kept() -> None:
    stated = parse.problem(f"(set-logic QF_UFLIAFS){DECLARED}(assert (set.member n s))")
    assert stated.theories == {"LIA", "Sets"}
    assert print_problem(stated).startswith("(set-logic QF_UFLIAFS)")
    with pytest.raises(ChcfuzzError, match="sets"):
        parse.problem(f"(set-logic QF_LIA){DECLARED}(assert (set.member n s))")


def test_models_of_cvc5_are_read_and_judged() -> None:
    text = DECLARED + f"(assert (and (set.subset {ONE_TWO} s) (= (set.card s) n) (> n 3) (not (set.member 5 s))))"
    stated = parse.problem(text)
    found = solved(text)
    assert found.status is Status.SAT
    assert found.model is not None
    assert judge(stated, read_model(found.model.whole, stated)) == (True,)
    for value, number, is_model in (
        ("(set.insert 7 8", 4, True),
        ("(set.insert 7 7", 4, False),
        ("(set.insert 5 8", 4, False),
    ):
        model = f"((define-fun s () (Set Int) {value} {ONE_TWO})) (define-fun n () Int {number}))"
        assert judge(stated, read_model(model, stated)) == (is_model,)


def test_an_element_of_an_uninterpreted_sort_is_one_of_the_model() -> None:
    text = """(declare-sort U 0)(declare-const s (Set U))(declare-const a U)(declare-const b U)
        (assert (and (set.member a s) (not (set.member b s)) (= (set.card s) 2)))"""
    stated, found = parse.problem(text), solved(text)
    assert found.status is Status.SAT
    assert found.model is not None
    assert judge(stated, read_model(found.model.whole, stated)) == (True,)


def test_a_quantifier_over_sets_of_a_finite_sort_is_decided() -> None:
    assert domain(set_of(BOOL), 8) == (frozenset(), frozenset({False}), frozenset({True}), frozenset({False, True}))
    assert domain(set_of(bitvec(8)), 1 << 16) is None
    for formula, value in (("(set.is_singleton s)", True), ("(and (set.is_empty s) (set.member true s))", False)):
        assert evaluate(parse.parse_term(f"(exists ((s (Set Bool))) {formula})"), {}) is value


def answer_of_z3(text: str) -> Outcome:
    return Z3(Watchdog(5)).solve(print_problem(parse.problem(text)), (), RLIMIT)


@pytest.mark.parametrize(("text", "value"), [row for row in ROWS if "set.card (set.insert" not in row[0]])
def test_z3_has_the_same_values_under_its_own_names(text: str, value: object) -> None:
    term = parse.parse_term(text)
    claim = apply("=", term, as_term(value if isinstance(value, (bool, int)) else frozenset(value), term.sort))  # type: ignore[call-overload]
    for asserted, status in ((claim, Status.SAT), (negation(claim), Status.UNSAT)):
        assert answer_of_z3(f"(assert {print_term(asserted)})").status is status


def test_the_text_for_z3_is_read_back_as_the_same_problem() -> None:
    text = f"""{DECLARED}(declare-const |a (Set b| String)(declare-fun f ((Set (Set Int))) Bool)
        (define-fun both ((a (Set Int)) (b (Set Int))) (Set Int) (set.inter a b))
        (assert (= |a (Set b| "(Set "))(push 1)(assert (set.is_empty (set.minus s (set.singleton 3) (set.singleton n))))
        (check-sat)(pop 1)(assert (set.is_singleton (both s s)))
        (assert (set.member n (set.insert n 2 s)))(assert (f (set.singleton s)))(check-sat)
        (get-value ((set.card s) (set.member n s)))"""
    stated = parse.problem(text)
    written = print_for(stated, "z3")
    assert not re.search(r"\(Set Int|set\.(inter |insert|minus|is_|card|member)", written)
    assert '|a (Set b| "(Set "' in written
    again = parse.problem(written)
    assert again.functions == stated.functions
    assert [event.word for event in again.form.checks.events] == [event.word for event in stated.form.checks.events]
    assert print_for(again, "z3") == written
    assert answer_of_z3(text).reason == ""


def test_models_of_z3_are_judged_unless_an_element_is_not_given() -> None:
    for formula, holds in (
        ("(and (set.member n s) (not (set.member 5 s)))", (True,)),
        ("(and (set.subset (set.singleton 7) s) (not (set.member 5 s)))", (True,)),
        ("(= (set.card s) 3)", (None,)),  # s is `((as set.unique (FiniteSet Int)) 1 3)`
    ):
        text = f"{DECLARED}(assert {formula})"
        found = answer_of_z3(text)
        assert found.status is Status.SAT
        assert found.model is not None
        assert "(define-fun s () (Set Int)" in found.model.whole
        stated = parse.problem(text)
        assert judge(stated, read_model(found.model.whole, stated)) == holds


def test_names_of_z3_are_read() -> None:
    text = """(declare-const s (FiniteSet Int))
        (assert (set.in 1 (set.difference s (set.intersect s (set.singleton (set.size s))))))"""
    stated = parse.problem(text)
    assert [str(each.result) for each in stated.functions] == ["(Set Int)"]
    assert "(set.member 1 (set.minus s (set.inter s (set.singleton (set.card s)))))" in print_problem(stated)
    declared = parse.problem("(declare-sort FiniteSet 1)(declare-const s (FiniteSet Int))(assert (= s s))")
    assert declared.theories == {"UF"}
    own = parse.problem("(declare-fun set.size (Int) Int)(assert (= (set.size 1) 2))")
    assert [each.name for each in own.functions] == ["set.size!"]


def test_a_release_of_z3_before_its_sets_is_left_out_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(z3, "get_version", lambda: (4, 16, 0, 0))
    found = answer_of_z3(f"{DECLARED}(assert (set.member n s))")
    assert (found.status, found.reason) == (Status.UNSUPPORTED, "no sets")
    assert answer_of_z3("(declare-const n Int)(assert (= n 1))").status is Status.SAT


def test_others_get_no_sets() -> None:
    stated = parse.problem(f"{DECLARED}(assert (set.member n s))")
    assert "(set.member n s)" in print_for(stated, "cvc5")
    assert Bitwuzla().solve("(assert (set.is_empty (set.singleton true)))", (), RLIMIT).reason == "no sets"
    for reader in ("bitwuzla", "yices", "mathsat", "princess", "alt-ergo"):
        with pytest.raises(
            ChcfuzzError, match=f"{reader} does not have the sort Set; its readers are cvc5, smtlib, z3"
        ):
            print_for(stated, reader)


def test_a_size_over_a_finite_sort_is_not_drawn_since_cvc5_refuses_it() -> None:
    text = "(declare-const s (Set Bool))(assert (= (set.card s) 1))"
    assert solved(text).reason == "no sizes of sets over finite sorts"
    for element, is_drawn in ((BOOL, False), (bitvec(8), False), (INT, True), (STRING, True)):
        assert ("set.card" in applications((set_of(element), element, INT), True)[INT]) is is_drawn


def test_a_value_has_a_term() -> None:
    nested = frozenset((frozenset(), frozenset((3, 1))))
    for value, sort in ((frozenset(), set_of(INT)), (frozenset((2, 1)), set_of(INT)), (nested, set_of(set_of(INT)))):
        assert has_sort(value, sort)
        assert evaluate(as_term(value, sort), {}) == value  # type: ignore[arg-type]
    assert not has_sort(frozenset((1,)), set_of(BOOL))
    assert not has_sort((), set_of(INT))


def test_the_text_of_a_value_does_not_depend_on_the_order_of_hashes() -> None:
    script = """if True:
        from chcfuzz.grammar.evaluation.evaluate import evaluate
        from chcfuzz.grammar.evaluation.values import as_term
        from chcfuzz.grammar.printing.printer import print_term
        from chcfuzz.grammar.reading.parse import parse_term
        term = parse_term('(set.insert "ab" "c" "d" "" (set.singleton "e"))')
        print(print_term(as_term(evaluate(term, {}), term.sort)))"""
    run = [sys.executable, "-c", script]
    found = {subprocess.check_output(run, env={"PYTHONHASHSEED": str(seed)}, text=True) for seed in range(3)}
    assert found == {'(set.insert "" "ab" "c" "d" (set.singleton "e"))\n'}


def test_sets_of_arrays_have_an_order() -> None:
    text = "(set.insert ((as const (Array Int Int)) 1) (set.singleton (store ((as const (Array Int Int)) 0) 5 7)))"
    term = parse.parse_term(text)
    value = evaluate(term, {})
    assert has_sort(value, set_of(array(INT, INT)))
    assert evaluate(as_term(value, term.sort), {}) == value  # type: ignore[arg-type]


def test_sets_of_long_lists_have_an_order() -> None:
    lists = "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))"
    long, short = (f"{'(cons 1 ' * length}nil{')' * length}" for length in (3000, 2999))
    (formula,) = parse.problem(
        f"{lists}(declare-const s (Set L))(assert (= s (set.insert {long} (set.singleton {short}))))"
    ).formulas
    made = formula.children[1]
    value = evaluate(made, {})
    assert evaluate(as_term(value, made.sort), {}) == value  # type: ignore[arg-type]
