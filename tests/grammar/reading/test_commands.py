"""Scripts to systems: which commands count, whose names a bound variable may not have, what a declaration makes."""

import pytest
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.printing.printer import print_system, print_term
from chcfuzz.grammar.reading.parse import parse

LATE = [
    # script, the formula of its first clause
    (
        "(declare-fun q () Bool)(assert (forall ((p Bool)) (=> p q)))(declare-fun p () Bool)(assert p)",
        "(forall ((p!1 Bool)) (=> p!1 q))",
    ),
    (
        "(declare-fun q (Int) Bool)(assert (forall ((nil Int)) (q nil)))(declare-datatype L ((nil) (cons (tl L))))",
        "(forall ((nil!1 Int)) (q nil!1))",
    ),
    (
        "(declare-fun q (Int) Bool)(assert (forall ((tl Int)) (q tl)))(declare-datatype L ((nil) (cons (tl L))))",
        "(forall ((tl!1 Int)) (q tl!1))",
    ),
    (
        "(declare-fun q (Int) Bool)(assert (forall ((a Int)) (q a)))(assert (! (q 1) :named a))",
        "(forall ((a!1 Int)) (q a!1))",
    ),
    (
        "(declare-fun q (Int) Bool)(assert (forall ((p!1 Int) (p Int)) (=> (q p) (q p!1))))(declare-fun p (Int) Bool)",
        "(forall ((p!1 Int) (p!2 Int)) (=> (q p!2) (q p!1)))",
    ),
    (
        """(declare-fun q (Int) Bool)(define-fun some ((x Int)) Bool (exists ((p Int)) (< x p)))
        (declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (some x) (q x))))""",
        "(forall ((x Int)) (=> (exists ((p!1 Int)) (< x p!1)) (q x)))",
    ),
    (
        """(declare-fun q (Int) Bool)
        (assert (forall ((p Int)) (=> (exists ((p Int)) (q p)) (exists ((x Int)) (and (q x) (< x p))) (q p))))
        (declare-fun p (Int) Bool)""",
        "(forall ((p!1 Int)) (=> (exists ((p!1 Int)) (q p!1)) (exists ((x Int)) (and (q x) (< x p!1))) (q p!1)))",
    ),
]


@pytest.mark.parametrize(("script", "formula"), LATE)
def test_a_variable_gives_way_to_what_is_declared_after_it(script: str, formula: str) -> None:
    system = parse(script)
    assert print_term(system.clauses[0].formula) == formula
    assert parse(print_system(system)) == system


def test_a_name_declared_late_that_no_variable_has_changes_nothing() -> None:
    system = parse("(declare-fun q (Int) Bool)(assert (forall ((x Int)) (q x)))(declare-fun p (Int) Bool)")
    assert system.clauses == parse("(declare-fun q (Int) Bool)(assert (forall ((x Int)) (q x)))").clauses


@pytest.mark.parametrize("middle", ["", "(set-info :status unsat)(get-model)", '(echo "again")(set-option :a b)'])
def test_a_second_check_of_the_same_clauses_is_no_second_system(middle: str) -> None:
    system = parse(f"(set-info :status sat)(declare-fun p () Bool)(assert p)(check-sat){middle}(check-sat)")
    assert len(system.clauses) == 1
    assert system.status == "sat"


@pytest.mark.parametrize("change", ["(assert (=> p false))", "(declare-fun q () Bool)", "(pop)", "(reset-assertions)"])
def test_a_second_check_of_other_clauses_is_refused_at_its_place(change: str) -> None:
    with pytest.raises(GrammarError, match="a second check, of other clauses; a script states one system") as caught:
        parse(f"(declare-fun p () Bool)(assert p)(check-sat){change}\n\n (check-sat)")
    assert (caught.value.line, caught.value.column) == (3, 3)


def test_two_queries_are_two_systems() -> None:
    rules = "(declare-rel p ())(declare-rel q ())(rule p)(query p)"
    assert len(parse(f"{rules}(rule q)").clauses) == 2
    with pytest.raises(GrammarError, match="a second check"):
        parse(f"{rules}(query q)")


def test_commands_after_the_check_are_not_in_the_system() -> None:
    check = "(declare-fun p () Bool)(assert p)(check-sat)"
    assert parse(f"{check}(declare-fun q () Bool)(assert (=> p false))(set-info :status unsat)") == parse(check)
    assert parse(f"{check}(exit) ) | nothing of this is read \x07") == parse(check)


def test_a_sort_is_made_once_however_often_definitions_double_it() -> None:
    plain = "(define-sort S0 () Int)" + "".join(f"(define-sort S{i + 1} () (Array S{i} S{i}))" for i in range(60))
    generic = "(define-sort T0 (X) X)" + "".join(
        f"(define-sort T{i + 1} (X) (T{i} (Array X X)))(define-sort U{i + 1} (X) (Array (T{i} X) (T{i} X)))"
        for i in range(30)
    )
    thin = "(define-sort V0 (X Y) X)" + "".join(f"(define-sort V{i + 1} (X Y) (V{i} (V{i} X Y) X))" for i in range(40))
    for script in (plain, f"{generic}(declare-fun p ((T30 Int)) Bool)", f"{generic}(declare-fun p ((U30 Int)) Bool)"):
        with pytest.raises(GrammarError, match="a sort of 511 parts, written out; 300 are enough"):
            parse(script)
    assert str(parse(f"{thin}(declare-fun p ((V40 Int Bool)) Bool)").predicates[0].parameters[0]) == "Int"


GENERIC = "(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))"


def test_each_use_of_a_data_type_with_parameters_is_a_data_type() -> None:
    system = parse(f"""{GENERIC}
        (declare-fun p ((List Int) (List (List Int)) (List (Array Int (_ BitVec 8)))) Bool)
        (assert (forall ((x (List Int)) (y (List (List Int)))) (=> (= (head y) (cons 1 x)) (p x y
            (as nil (List (Array Int (_ BitVec 8))))))))""")
    assert [[datatype.name for datatype in group] for group in system.datatypes] == [
        ["List<Int>"],
        ["List<List<Int>>"],
        ["List<Array.Int.BitVec.8>"],
    ]
    assert print_term(system.clauses[0].head) == "(p x y nil<Array.Int.BitVec.8>)"
    assert print_term(system.clauses[0].body[0]) == "(= (head<List<Int>> y) (cons<Int> 1 x))"
    assert parse(print_system(system)) == system


def test_data_types_that_need_each_other_are_one_group() -> None:
    system = parse(f"""{GENERIC}(declare-datatypes ((Tree 0)) (((node (label Int) (below (List Tree))))))
        (declare-fun p (Tree) Bool)(assert (p (node 1 (as nil (List Tree)))))""")
    again = parse(print_system(system))
    assert again == system
    assert [[datatype.name for datatype in group] for group in again.datatypes] == [["Tree", "List<Tree>"]]


def test_generic_data_types_may_need_each_other() -> None:
    system = parse("""(declare-datatypes ((A 1) (B 1))
            ((par (X) ((a (of X) (b-of (B X))))) (par (Y) ((b) (c (a-of (A Y)))))))
        (declare-fun p ((A Int)) Bool)(assert (forall ((x (A Int))) (=> (= (b-of x) b) (p x))))""")
    assert [[datatype.name for datatype in group] for group in system.datatypes] == [["A<Int>", "B<Int>"]]
    assert parse(print_system(system)) == system


def test_a_definition_that_needs_ever_larger_data_types_is_rejected() -> None:
    script = (
        "(declare-datatypes ((N 1)) ((par (T) ((end) (next (of (N (Array Int T))))))))(declare-fun p ((N Int)) Bool)"
    )
    with pytest.raises(GrammarError, match="a sort of 301 parts, written out; 300 are enough"):
        parse(script)


@pytest.mark.parametrize(
    ("term", "error"),
    [
        ("(match x ((nil true)))", "not every constructor has a case, at `x`"),
        ("(match 1 ((y true)))", "match takes a data type apart, not Int, at `y`"),
        ("(match x (((cons y) true) (z false)))", "no pattern of L, at `cons`"),
        ("(match x (((other y z) true) (z false)))", "no pattern of L, at `other`"),
        ("(match x (((cons y y) true) (z false)))", "bound twice, at `y`"),
        ("(match x ((nil true) (z 1)))", "ite is not defined on (Bool Bool Int)"),
        ("(p 1)", "p takes (L), not (Int), at `p`"),
    ],
)
def test_a_bad_match_is_refused_with_its_place(term: str, error: str) -> None:
    with pytest.raises(GrammarError) as caught:
        parse(
            "(declare-datatype L ((nil) (cons (hd Int) (tl L))))(declare-fun p (L) Bool)"
            f"(assert (forall ((x L)) (=> {term} (p x))))"
        )
    assert error in str(caught.value)


def test_the_first_case_that_fits_counts() -> None:
    system = parse("""(declare-datatype L ((nil) (cons (hd Int) (tl L))))(declare-fun p (L) Bool)
        (assert (forall ((x L)) (=>
            (match x (((cons x y) (> x 0)) (nil (p x)) ((cons a _) (= a 7)) (y false))) (p x))))""")
    assert print_term(system.clauses[0].body[0]) == (
        "(ite ((_ is cons) x) (> (hd x) 0) (ite ((_ is nil) x) (p x) (ite ((_ is cons) x) (= (hd x) 7) false)))"
    )


def test_a_constant_is_replaced_by_the_term_that_it_equals() -> None:
    system = parse("""(declare-const n Int)(declare-fun m () Real)(assert (= n 3))(assert (= (+ n 0.5) m))
        (declare-fun p (Int Real) Bool)(assert (p n m))""")
    assert [print_term(clause.formula) for clause in system.clauses] == ["(p 3 (+ 3.0 (/ 1.0 2.0)))"]
    assert [predicate.name for predicate in system.predicates] == ["p"]


def test_a_rule_whose_quantifiers_are_nested_too_deep_is_refused_at_its_place() -> None:
    body = "(p x)"
    for number in range(100):
        body = f"(exists ((y{number} Int)) (and (> y{number} x) {body}))"
    with pytest.raises(GrammarError, match="1:48: quantifiers may be nested 100 deep"):
        parse(f"(declare-rel p (Int))(declare-var x Int)(rule (=> {body} (p x)))")


def test_quantifiers_nested_too_deep_are_refused_before_their_bodies_are_read() -> None:
    with pytest.raises(GrammarError, match="1:1810: quantifiers may be nested 100 deep"):
        parse("(assert " + "(forall ((x Int)) " * 1000 + "true" + ")" * 1001)
