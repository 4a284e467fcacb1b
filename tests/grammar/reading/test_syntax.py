"""Trees of tokens by lark: the shape of every command and term, positions, and errors for other texts."""

from collections.abc import Iterator

import pytest
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.reading.syntax import tree_of
from chcfuzz.grammar.reading.tree import Node, Tree
from lark import Token

COMMANDS = [
    ("(set-logic HORN)", "set_logic(HORN)"),
    ("(set-info :status sat)", "set_info(:status sat)"),
    ("(set-info :empty)", "set_info(:empty)"),
    ('(set-info :n (a "b "" c" 1 (2.5 :d) #x1F #b01))', 'set_info(:n list(a "b "" c" 1 list(2.5 :d) #x1F #b01))'),
    ("(set-option :fp.engine spacer)", "set_option(:fp.engine spacer)"),
    ("(declare-sort V 0)", "declare_sort(V 0)"),
    (
        "(define-sort P (A B) (Array A (_ BitVec 8)))",
        "define_sort(P symbols(A B) sort_application(Array A indexed_sort(BitVec 8)))",
    ),
    (
        "(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (head T))))))",
        "declare_datatypes(sort_decs(sort_dec(L 1))"
        " datatype_decs(parametric(symbols(T) constructor(nil) constructor(cons selector(head T)))))",
    ),
    (
        "(declare-datatypes (T) ((Box red (box (open T)))))",
        "declare_old_datatypes(symbols(T) old_datatype(Box constructor(red) constructor(box selector(open T))))",
    ),
    ("(declare-datatype U ((unit)))", "declare_datatype(U constructors(constructor(unit)))"),
    ("(declare-fun p (Int) Bool)", "declare_fun(p sorts(Int) Bool)"),
    ("(declare-const c Int)", "declare_const(c Int)"),
    ("(define-fun f ((x Int)) Int (+ x 1))", "define_fun(f sorted_vars(sorted_var(x Int)) Int application(+ x 1))"),
    ("(define-const d Real 1.)", "define_const(d Real 1.)"),
    ("(declare-rel q (Int))(declare-var v Int)", "declare_rel(q sorts(Int)) declare_var(v Int)"),
    ("(rule (=> a b) r)(query q :print true)", "rule(application(=> a b) r) query(q option(:print true))"),
    ("(check-sat-assuming (a (not b)))", "check_assuming(check-sat-assuming a application(not b))"),
    ("(check-sat)(push 1)(echo (assert))", "other(check-sat) other(push 1) other(echo list(assert))"),
    ("(assert -5)(exit) and ( what is not read |", "assertion(-5)"),
]
TERMS = [
    ("(! a :named n :pattern ((f 1)) :plain)", "annotated(a attribute(:named n)"
     " attribute(:pattern list(list(f 1))) attribute(:plain))"),
    ("(forall ((x Int)) p)", "quantified(forall sorted_var(x Int) p)"),
    ("(let ((x 1) (|let| y)) x)", "let(binding(x 1) binding(|let| y) x)"),
    ("((_ extract 7 0) #x0f)", "application(indexed(extract 7 0) #x0f)"),
    ("((as const S) #b1)", "application(qualified(const S) #b1)"),
    ("(match l ((nil 0) ((cons h t) h)))", "match(l case(nil 0) case(pattern(cons h t) h))"),
    ("(f assert let forall _ as match !)", "application(f assert let forall _ as match !)"),
    (" x ; a comment", "x"),
]  # fmt: skip


def shape(node: Node) -> str:
    return f"{node.rule}({' '.join(map(shape, node.children))})" if isinstance(node, Tree) else str(node)


def tokens(root: Tree) -> Iterator[Token]:
    for child in root.children:
        if isinstance(child, Tree):
            yield from tokens(child)
        else:
            yield child


@pytest.mark.parametrize(("text", "wanted"), COMMANDS)
def test_commands_have_their_trees(text: str, wanted: str) -> None:
    assert " ".join(map(shape, tree_of(text, "t").children)) == wanted


@pytest.mark.parametrize(("text", "wanted"), TERMS)
def test_terms_have_their_trees(text: str, wanted: str) -> None:
    assert shape(tree_of(text, "t", "term")) == wanted


def test_tokens_know_their_kinds_and_places() -> None:
    text = '(set-info :a (|two\nlines| "s" 1 1.5 #x1 #b1 f :k))\r\n  (assert ; why\n x)'
    found = [(each.type, each.line, each.column) for each in tokens(tree_of(text, "t"))]
    assert found == [
        ("KEYWORD", 1, 11), ("QUOTED", 1, 15), ("STRING", 2, 8), ("NUMERAL", 2, 12), ("DECIMAL", 2, 14),
        ("HEXADECIMAL", 2, 18), ("BINARY", 2, 22), ("SYMBOL", 2, 26), ("KEYWORD", 2, 28), ("SYMBOL", 4, 2),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line", "column", "what", "shown"),
    [
        ("(assert x))", 1, 11, "unexpected here", ")"),
        ("(assert\n  (f x)\n", 2, 8, "the text ends inside a bracket", "(f x)"),
        ("(assert true) ; no end\n(check-sat", 2, 11, "the text ends inside a bracket", "(check-sat"),
        ("(assert\n |a\nb)", 2, 2, "unexpected character", "|a b)"),
        ('(set-info :a "b)', 1, 14, "unexpected character", '"b)'),
        ("(assert 5a)", 1, 9, "unexpected character", "5a)"),
        ("(assert é)", 1, 9, "unexpected character", "é)"),
        ("(assert ())", 1, 10, "unexpected here", "))"),
        ("(assert (let () 1))", 1, 15, "unexpected here", ") 1))"),
        ("(assert (forall x true))", 1, 17, "unexpected here", "x true))"),
        ("(declare-fun f Int Int)", 1, 16, "unexpected here", "Int Int)"),
        ("assert", 1, 1, "unexpected here", "assert"),
        ("(assert a)\0", 1, 11, "a byte 0, where Z3 stops reading", "\\x00"),
    ],
)
def test_an_error_names_the_place_and_shows_the_text(text: str, line: int, column: int, what: str, shown: str) -> None:
    with pytest.raises(GrammarError) as caught:
        tree_of(text, "t")
    error = caught.value
    assert (error.line, error.column, error.what, error.text) == (line, column, what, shown)


@pytest.mark.parametrize(
    "text",
    [
        ")", "(", "(assert", "(assert -5a)", "(assert 1.5.2)", "(assert #xg)", '(assert "a)', "(assert)",
        "(assert (f))", "(assert ((f x) 1))", "(assert (forall () true))", "(assert (_ bv1))", "(assert (! x))",
        "(assert :a)", "(|assert| true)", "x", "(1)", "(exit 1)", "(set-logic)", "(declare-datatypes ((A 0)) ())",
        "(set-info a)", "(assert (! x :a b c))", "(assert a b)", "(check-sat-assuming a)", "(assert #)",
        "(assert (as x))", "(assert (-5))", "(assert a|b|)", "(assert \v)",
        "(assert ((f)))", "(assert (_ bv1 8) (_ bv1 8))",
    ],
)  # fmt: skip
def test_texts_that_are_no_scripts_are_refused(text: str) -> None:
    with pytest.raises(GrammarError):
        tree_of(text, "t")


DEPTHS = [10_000, pytest.param(100_000, marks=pytest.mark.slow)]
UNFINISHED = [
    ("(", "", "unexpected here"),
    (")", "", "unexpected here"),
    ("(assert ", "(not ", "the text ends inside a bracket"),
    ('(set-info :a "', 'a""', "unexpected character"),
    ("(assert |", "a\n", "unexpected character"),
]


@pytest.mark.parametrize("depth", DEPTHS)
def test_long_and_deep_texts_without_an_end_are_refused_on_one_line(depth: int) -> None:
    for start, piece, what in UNFINISHED:
        with pytest.raises(GrammarError, match=what) as caught:
            tree_of(start + (piece or start) * depth, "t")
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("depth", DEPTHS)
def test_long_and_deep_texts_are_read_without_recursion(depth: int) -> None:
    for start, piece, middle, end in [
        ("(assert ", "(not ", "x", ")"),
        ("(foo ", "(", "", ")"),
        ('(foo "', '""', '"', ""),
    ]:
        assert tree_of(f"{start}{piece * depth}{middle}{end * depth})", "t").children


def test_a_short_text_that_comes_again_is_not_parsed_again() -> None:
    text = "(assert (f x y))"
    assert tree_of(text, "a") is tree_of(text, "b")
    assert tree_of(text + ";" * 4000, "a") is not tree_of(text + ";" * 4000, "b")
