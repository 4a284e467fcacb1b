"""Text to terms: what is written out, renamed, converted or refused, as text before and text after."""

import re

import pytest
import z3
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.printing.printer import print_system, print_term
from chcfuzz.grammar.reading.parse import parse, parse_term
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Sort, array, bitvec
from chcfuzz.grammar.terms import Value, Variable

VARIABLES = [
    Variable(name, sort)
    for name, sort in (
        ("x", INT),
        ("y", INT),
        ("r", REAL),
        ("b", BOOL),
        ("c", BOOL),
        ("v", bitvec(8)),
        ("w", bitvec(8)),
        ("a", array(INT, INT)),
        ("ar", array(INT, REAL)),
    )
]
SYSTEM = parse("""
    (declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
    (declare-datatypes ((Tree 0) (Forest 0))
        (((node (below Forest))) ((none) (some (first Tree) (rest Forest)))))
    (declare-fun p (Int) Bool)
    (declare-fun |odd name| (Real) Bool)
    (declare-const flag Bool)
""")


def read(text: str) -> str:
    return print_term(parse_term(text, VARIABLES, SYSTEM))


CANONICAL = """
    (and b c); (or b); (not b); (xor b c b); (=> b c b); (ite b x y); (= x y 1); (distinct x y 1);
    (+ x 1); (- x); (- 3); (* 2 x y); (div x 2 3); (mod x 2); (abs x); (< x y 3); (+ r (/ 3.0 2.0));
    (/ r 3.0); (/ 1.0 3.0); (- (/ 1.0 3.0)); (/ 1.0 0.0); (to_real x); (to_int r); (is_int r); #x1f;
    #b101; (bvadd v w #x01); (bvsmod v w); (bvult v w); (concat v w); ((_ extract 7 4) v);
    ((_ zero_extend 0) v); ((_ sign_extend 8) v); ((_ rotate_left 3) v); ((_ rotate_right 11) v);
    ((_ repeat 2) v); (bvcomp v w); (bv2nat v); ((_ int2bv 8) x); (select a x); (store a x y);
    ((as const (Array Int Int)) 0);
    ((as const (Array Int (Array Bool Real))) ((as const (Array Bool Real)) 1.0)); (cons x nil);
    (head (tail (cons x nil))); ((_ is cons) nil); (node (some (node none) none)); (p x); (|odd name| r);
    flag; (exists ((z Int) (u Bool)) (and u (p z))); (forall ((|a b| Int)) (p |a b|))
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in CANONICAL.split(";")])
def test_canonical_terms_are_read_and_printed_unchanged(text: str) -> None:
    assert read(text) == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # let
        ("(let ((z (+ x 1))) (* z z))", "(* (+ x 1) (+ x 1))"),
        ("(let ((x y) (y x)) (- x y))", "(- y x)"),
        ("(let ((z x)) (let ((x 1)) (+ z x)))", "(+ x 1)"),
        ("(let ((z (p x))) (exists ((x Int)) (and z (p x))))", "(exists ((x!1 Int)) (and (p x) (p x!1)))"),
        # shadowing, and names that mean something
        (
            "(exists ((x Int)) (let ((z (p x))) (exists ((x Int)) (and z (p x)))))",
            "(exists ((x Int)) (exists ((x!2 Int)) (and (p x) (p x!2))))",
        ),
        (
            "(let ((z x)) (exists ((x Int) (x!1 Int)) (< z x x!1)))",
            "(exists ((x!1 Int) (x!1!1 Int)) (< x x!1 x!1!1))",
        ),
        ("(exists ((flag Int)) (p flag))", "(exists ((flag!1 Int)) (p flag!1))"),
        ("(exists ((select Int)) (p select))", "(exists ((select!1 Int)) (p select!1))"),
        # mixed arithmetic
        ("(+ r 1)", "(+ r 1.0)"),
        ("(< x r)", "(< (to_real x) r)"),
        ("(= r x y)", "(= r (to_real x) (to_real y))"),
        ("(ite b 1 r)", "(ite b 1.0 r)"),
        ("(/ 1 3)", "(/ 1.0 3.0)"),
        ("(/ 2 4)", "(/ 1.0 2.0)"),
        ("(/ 1.5 2)", "(/ (/ 3.0 2.0) 2.0)"),
        ("(/ x y)", "(/ (to_real x) (to_real y))"),
        ("(to_int x)", "(to_int (to_real x))"),
        ("(to_real r)", "r"),
        ("(|odd name| 1)", "(|odd name| 1.0)"),
        ("(store ar 1 2)", "(store ar 1 2.0)"),
        ("((as const (Array Int Real)) 2)", "((as const (Array Int Real)) 2.0)"),
        # constants
        ("(- 1.50)", "(- (/ 3.0 2.0))"),
        ("(- 0)", "0"),
        ("(_ bv5 8)", "#x05"),
        ("(_ bv5 3)", "#b101"),
        ("#xAB", "#xab"),
        ("|x|", "x"),
        # operators that not every reader has
        ("(+ x)", "x"),
        ("(xor b)", "b"),
        ("(bvadd v)", "v"),
        ("(rem x y)", "(ite (>= y 0) (mod x y) (- (mod x y)))"),
        ("((_ divisible 3) x)", "(= (mod x 3) 0)"),
        ("(iff b c)", "(= b c)"),
        ("(implies b c)", "(=> b c)"),
        ("(if b x y)", "(ite b x y)"),
        ("(bv2int v)", "(bv2nat v)"),
        ("(ubv_to_int v)", "(bv2nat v)"),
        ("((_ int_to_bv 8) x)", "((_ int2bv 8) x)"),
        ("(bvudiv_i v w)", "(bvudiv v w)"),
        # data types
        ("(as nil List)", "nil"),
        ("((as cons List) x nil)", "(cons x nil)"),
        ("(is-cons nil)", "((_ is cons) nil)"),
        # annotations
        ("(! (p x) :weight 3)", "(p x)"),
        ("(forall ((z Int)) (! (p z) :pattern ((p z)) :qid here))", "(forall ((z Int)) (p z))"),
        ("(and (! flag :named same) same)", "(and flag flag)"),
    ],
)
def test_terms_are_brought_into_one_form(before: str, after: str) -> None:
    assert read(before) == after
    assert read(after) == after


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("(and b x)", "1:2: and is not defined on (Bool Int), at `and`"),
        ("(+ v v)", "1:2: + is not defined on ((_ BitVec 8) (_ BitVec 8)), at `+`"),
        ("(bvadd v #x1)", "1:2: bvadd is not defined on ((_ BitVec 8) (_ BitVec 4)), at `bvadd`"),
        ("(p b)", "1:2: p takes (Int), not (Bool), at `p`"),
        ("p", "1:1: p takes (Int), not (), at `p`"),
        ("(cons nil x)", "1:2: cons takes other arguments than (List Int), at `cons`"),
        ("(as nil Tree)", "1:5: has sort List, not Tree, at `nil`"),
        ("(foo x)", "1:2: unknown operator, at `foo`"),
        ("foo", "1:1: unknown symbol, at `foo`"),
        ("(_ foo 1)", "1:4: unknown symbol, at `(_ foo 1)`"),
        ("((_ foo 1) x)", "1:5: (_ foo 1) is not defined on (Int), at `foo`"),
        ("((_ is foo) x)", "1:5: unknown operator, at `(_ is foo)`"),
        ("((_ |a b| 1) x)", "1:5: unknown operator, at `(_ |a b| 1)`"),
        ("((_ extract 8 0) v)", "1:5: (_ extract 8 0) is not defined on ((_ BitVec 8)), at `extract`"),
        ("(true b)", "1:2: true is not defined on (Bool), at `true`"),
        ("(exists ((z Foo)) true)", "1:13: unknown sort, at `Foo`"),
        ("(exists ((z (Array Int))) true)", "1:14: unknown sort, at `Array`"),
        ("(exists ((z (_ BitVec 0))) true)", "1:16: a bit-vector has 1 to 65536 bits, not 0, at `BitVec`"),
        ("(exists ((z Int) (z Int)) true)", "1:19: bound twice, at `z`"),
        ("(exists ((z Int)) z)", "1:2: exists binds at least one variable in a term of sort Bool, not Int"),
        ("(and (! (p x) :named n) n)", "1:22: only a closed term may be named, at `n`"),
        ("(_ bv1 99999999999)", "1:8: an index that is not in 0 to 2147483647, at `99999999999`"),
        ("9" * 4001, "1:1: a number of more than 4000 digits"),
        ("(and)", "1:5: unexpected here, at `)`"),
        ("(p x", "1:5: the text ends inside a bracket, at `(p x`"),
        ("(p x))", "1:6: unexpected here, at `)`"),
        ("(p \x01)", "1:4: unexpected character, at `\\x01)`"),
        ("(p \x00)", "1:4: a byte 0, where Z3 stops reading, at `\\x00)`"),
        ("(lambda ((z Int)) z)", "1:2: no part of CHC systems, at `lambda`"),
    ],
)
def test_a_bad_term_is_refused_with_its_place(text: str, error: str) -> None:
    with pytest.raises(GrammarError) as caught:
        read(text)
    assert str(caught.value).startswith(f"<term>:{error}")


@pytest.mark.parametrize(
    ("script", "error"),
    [
        ("", "1:1: no clause and no predicate: this is no CHC system"),
        ("; nothing\n", "1:1: no clause and no predicate"),
        ("(declare-datatypes () ())", "1:24: unexpected here, at `))`"),
        ("(declare-var x Int)(query x)", "1:27: a rule has sort Bool, not Int, at `x`"),
        ("(declare-var x Int)(rule (+ x 1))", "1:27: a rule has sort Bool, not Int, at `+`"),
        ("(declare-var x Int)(declare-fun x () Bool)", "1:33: this name has a meaning already, at `x`"),
        ("(set-logic QF_LIA)", "1:12: not a CHC logic; write (set-logic HORN), at `QF_LIA`"),
        (
            "(declare-fun f (Int) Int)",
            "1:14: only predicates may be declared in a CHC system: the range must be Bool",
        ),
        ("(declare-sort U 0)", "1:15: uninterpreted sorts are no part of CHC systems, at `U`"),
        ("(declare-datatypes ((L 2)) ((par (T) ((nil)))))", "1:22: declared with 2 parameters, defined with 1, at `L`"),
        ("(declare-datatypes ((L 0) (M 0)) (((nil))))", "1:22: 2 data types declared, 1 defined, at `L`"),
        ("(declare-datatype Int ((nil)))", "1:19: a sort of this name exists already, at `Int`"),
        ("(declare-fun p () Bool)(declare-fun p () Bool)", "1:37: this name has a meaning already, at `p`"),
        ("(declare-fun and (Bool) Bool)", "1:14: this name has a meaning already, at `and`"),
        ("(declare-fun p () Bool)(assert (! p :named p))", "1:44: this name has a meaning already, at `p`"),
        ("(define-fun f ((x Int)) Bool x)", "the definition has sort Int, not Bool, at `x`"),
        (
            "(define-fun f ((x Int)) Bool true)(assert (f true))",
            "f takes other arguments than (Bool), at `f`",
        ),
        ("(assert 1)", "1:9: a clause has sort Bool, not Int, at `1`"),
        ("(assert true", "1:13: the text ends inside a bracket"),
        ("(assert true) x", "1:15: unexpected here, at `x`"),
        ("(maximize 1)", "1:2: no command that is known here, at `maximize`"),
        ("(define-sort A () A)", "1:19: unknown sort, at `A`"),
        ("(declare-fun |let| (Int) Bool)", "1:14: Z3 reads this name as a word of its own, between bars too, at `let`"),
        ("(declare-fun -1 () Bool)", "1:14: unexpected here, at `-1 () Bool)`"),
    ],
)
def test_a_bad_script_is_refused_with_its_place(script: str, error: str) -> None:
    with pytest.raises(GrammarError, match=re.escape(error)):
        parse(script)


def test_a_cached_text_is_reported_under_its_own_name() -> None:
    for name in ("one", "two"):
        with pytest.raises(GrammarError, match=f"{name}:1:6: unknown symbol, at `nobody`"):
            parse_term("(not nobody)", name=name)


def test_a_clause_that_sharing_alone_keeps_small_is_read() -> None:
    lets = "(let ((z1 (+ x x))) " + "".join(f"(let ((z{i + 1} (+ z{i} z{i}))) " for i in range(1, 60))
    text = f"(declare-fun p (Int) Bool)(assert (forall ((x Int)) {lets}(p z60){')' * 60}))"
    system = parse(text)
    assert (system.formulas[0].size, system.nodes) == ((1 << 61) + 1, 63)
    assert parse(print_system(system)) == system


def test_definitions_are_expanded() -> None:
    system = parse("""
        (define-sort Vec (T) (Array Int T))
        (define-sort Grid () (Vec (Vec Bool)))
        (define-fun twice ((x Int)) Int (* 2 x))
        (define-fun half () Real 1)
        (declare-fun p (Int Grid Real) Bool)
        (assert (forall ((x Int) (g Grid)) (p (twice (twice x)) g half)))
    """)
    clause = "(forall ((x Int) (g (Array Int (Array Int Bool))))\n    (p (* 2 (* 2 x)) g 1.0))"
    assert f"(assert {clause})" in print_system(system)
    assert "define" not in print_system(system)


@pytest.mark.parametrize(
    "formula",
    [
        "(forall ((x Int)) (=> (exists ((x Int)) (p x)) (p x)))",
        "(forall ((x Int)) (=> (positive x) (positive 3) (p x)))",
        "(let ((z (exists ((x Int)) (p x)))) (forall ((x Int)) (=> z (p x))))",
        "(forall ((x Int)) (let ((z (p x))) (=> (exists ((x Int)) (and z (p x))) (p x))))",
        "(forall ((y Int)) (=> (positive y) (exists ((y Bool)) (exists ((y Int)) (positive y))) (p y)))",
    ],
)
def test_hidden_variables_survive_the_round_trip(formula: str) -> None:
    define = "(declare-fun p (Int) Bool)(define-fun positive ((y Int)) Bool (exists ((x Int)) (< 0 x y)))"
    system = parse(f"{define}(assert {formula})")
    assert parse(print_system(system)) == system


def test_z3s_commands_for_rules_become_closed_clauses() -> None:
    system = parse("""
        (declare-rel p (Int))
        (declare-rel goal ())
        (declare-var x Int)
        (declare-var y Int)
        (rule (p 0))
        (rule (=> (and (p x) (= y (+ x 1))) (p y)) step)
        (rule (=> (p 9) goal))
        (query goal :print-certificate true)
    """)
    assert [print_term(clause.formula) for clause in system.clauses] == [
        "(p 0)",
        "(forall ((x Int) (y Int)) (=> (and (p x) (= y (+ x 1))) (p y)))",
        "(=> (p 9) goal)",
        "(=> goal false)",
    ]
    assert system.clauses[1].name == "step"


_RULES = "(declare-rel start (Int))(declare-rel goal ())(declare-var y Int)(rule (start 3))"
_FAR = "(and (start y) (> y 2))"


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        (f"(rule (! (=> {_FAR} goal) :named reached))", "reached"),
        (f"(rule (! (=> {_FAR} goal) :named a :named b))", "a"),
        (f"(rule (! (=> {_FAR} goal) :named a) b)", "a"),
        (f"(rule (=> (! {_FAR} :named far) goal))", None),
        # Behind a rule, any name is a label that Z3 only prints.
        (f"(rule (=> {_FAR} goal) y)", None),
        (f"(rule (=> {_FAR} goal) |let|)", None),
        (f"(rule (=> {_FAR} goal) r)(rule (=> (start 9) goal) r)", "r"),
        ("(rule (=> (and (start y) (exists ((r Int)) (> y r 1))) goal) r)", "r"),
    ],
)
def test_rules_have_names(rules: str, name: str | None) -> None:
    fixedpoint = z3.Fixedpoint(ctx=z3.Context())
    fixedpoint.parse_string(f"{_RULES}{rules}")
    assert len(fixedpoint.get_rules()) == 1 + rules.count("(rule")
    system = parse(f"{_RULES}{rules}(query goal)")
    assert system.clauses[1].name == name
    assert system.clauses[1].variables[0].name == "y"
    assert parse(print_system(system)) == system


def test_a_part_of_a_rule_stands_for_itself_in_other_rules() -> None:
    system = parse(f"{_RULES}(rule (=> (! {_FAR} :named far) goal))(rule (=> far (start 0)))")
    assert print_term(system.clauses[2].formula) == f"(forall ((y Int)) (=> {_FAR} (start 0)))"


@pytest.mark.parametrize(
    ("commands", "message"),
    [
        ("(rule (forall ((x Int)) (! (=> (start x) goal) :named a)))", "only a closed term may be named, at `a`"),
        ("(define-fun f ((x Int)) Bool (! (> x y) :named a))", "unknown symbol, at `y`"),
        (f"(rule (! (=> {_FAR} goal) :named goal))", "this name has a meaning already, at `goal`"),
        (f"(rule (=> (! {_FAR} :named far) goal))(assert (=> far goal))", "only a rule may have variables of"),
    ],
)
def test_names_without_a_meaning_are_refused(commands: str, message: str) -> None:
    with pytest.raises(GrammarError, match=message):
        parse(_RULES + commands)


def test_what_is_around_the_clauses_is_kept_or_ignored() -> None:
    system = parse("""
        ; a comment (with brackets
        (set-option :produce-models true)
        (set-option :fp.spacer.ctp false)
        (set-logic HORN)
        (set-info :source |two
lines|)
        (set-info :status unsat)
        (declare-fun |p q| () Bool)
        (assert (! |p q| :named |first clause|)) ; behind a clause
        (check-sat)
        (check-sat)
        (get-model)
        (exit)
    """)
    assert system.options == (("fp.spacer.ctp", "false"),)
    assert system.info == (("source", "|two\nlines|"), ("status", "unsat"))
    assert system.predicates[0].name == "p q"
    assert system.clauses[0].name == "first clause"


@pytest.mark.parametrize("word", ["assert", "check-sat", "rule", "query", "set-info", "sat", "Bool", "const", "is"])
def test_words_of_commands_are_symbols_elsewhere(word: str) -> None:
    text = f"(declare-fun p (Int) Bool)(assert (forall ((|{word}| Int)) (p |{word}|)))(check-sat)"
    bare = text.replace("|", "")
    assert parse(bare) == parse(text)
    assert parse(print_system(parse(text))) == parse(text)


def test_selectors_of_several_data_types_may_share_a_name() -> None:
    system = parse("""
        (declare-datatypes ((A 0) (B 0)) (((a (size Int))) ((b (size Bool)))))
        (declare-fun p (A B) Bool)
        (assert (forall ((x A) (y B)) (=> (and (> (size x) 0) (size y)) (p x y))))
    """)
    sizes = [term.sort for term in system.clauses[0].body[0].children[:1] + system.clauses[0].body[1:2]]
    assert sizes == [INT, BOOL]
    assert parse(print_system(system)) == system


def test_bitvector_constants_hold_their_bits() -> None:
    def constant(text: str) -> tuple[object, Sort]:
        term = parse_term(text)
        assert isinstance(term, Value)
        return term.value, term.sort

    assert constant("#xff") == (255, bitvec(8))
    assert constant("#b0001") == (1, bitvec(4))
    assert constant("(_ bv300 8)") == (44, bitvec(8))


LETS = "".join(f"(let ((z{i + 1} (+ z{i} 1))) " for i in range(5000))


@pytest.mark.slow
@pytest.mark.parametrize(
    "formula",
    [
        "(=> " + "(and (p 1) " * 20_000 + "(p 2)" + ")" * 20_000 + " false)",
        "(p " + "(+ 1 " * 20_000 + "1" + ")" * 20_001,
        "(forall ((z0 Int)) " + LETS + "(p z5000)" + ")" * 5001,
    ],
)
def test_deep_terms_do_not_reach_the_recursion_limit(formula: str) -> None:
    system = parse(f"(declare-fun p (Int) Bool)(assert {formula})")
    assert parse(print_system(system)) == system


@pytest.mark.parametrize(
    "script",
    [
        "(" * 50_000,
        "(assert " + "(forall ((x Int)) " * 300 + "true" + ")" * 301,
        "(declare-fun p (" + "(Array Int " * 5000 + "Int" + ")" * 5000 + ") Bool)",
    ],
)
def test_text_nested_too_deeply_is_refused(script: str) -> None:
    with pytest.raises(GrammarError, match=r"unexpected here|nested"):
        parse(script)
