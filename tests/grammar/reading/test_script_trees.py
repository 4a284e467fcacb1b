"""The quick reader of scripts gives the trees of lark, for every text that it reads."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.reading import script_trees
from chcfuzz.grammar.reading.brackets import UnusualTextError
from chcfuzz.grammar.reading.decoding import text_of
from chcfuzz.grammar.reading.syntax import by_lark
from chcfuzz.grammar.reading.tree import Node, Tree
from lark.exceptions import UnexpectedInput

ROOT = Path(__file__).resolve().parents[3]
SEEDS = [path for folder in ("corpus", "corpus-smt", "corpus-itp") for path in sorted((ROOT / folder).rglob("*.smt2"))]
MOST_BYTES = 4000
WORDS = re.compile(r'[()]|"[^"]*"|\|[^|]*\||[^\s()|"]+')

COMMANDS = """
(set-logic HORN) (set-info :status sat) (set-info :source |two
lines|) (set-info :notes (a "b ""c"" d" 1 (2.5 :d) #x1F #b01)) (set-info :empty) (set-option :fp.engine spacer)
(declare-sort U) (declare-sort V 0) (define-sort Pair (A B) (Array A B)) (define-sort W () (_ BitVec 8))
(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))
(declare-datatypes ((Tree 0) (Forest 0)) (((node (below Forest)) leaf) ((none) (some (first Tree)))))
(declare-datatypes () ((Color red green))) (declare-datatypes (T) ((Box (box (open T)))))
(declare-datatype Unit ((unit))) (declare-datatype Opt (par (X) ((no) (yes (it X)))))
(declare-fun p (Int (Array Int (_ BitVec 8))) Bool) (declare-fun |a b| () Int) (declare-const c (Array Int Int))
(define-fun f ((x Int) (|y z| (List Int))) Int (+ x 1)) (define-const d Real 1.)
(declare-rel q (Int)) (declare-var v Int)
(assert true) (assert -5) (assert (! (p 0 c) :named n :pattern ((f 1) (g x)) :weight 0 :plain))
(assert (forall ((x Int) (y Bool)) (exists ((z U)) (=> (and y (p x c)) (< -1 x 1.5 #x0f #b1)))))
(assert (let ((x 1) (|let| (let ((y 2)) y))) ((_ extract 7 0) ((as const (Array Int Int)) x))))
(assert (match l ((nil 0) ((cons h t) (match t ((x h)))) (_ 1)))) (assert ((_ is cons) (as nil (List Int))))
(assert (let ((x (_ bv3 8))) (f assert let forall _ as match !))) ; a comment
(check-sat) (check-sat-assuming (a (not b))) (push 1)
(echo "x") (get-value ((f 1) x)) (par x) (assert-soft a :weight 2)
(exit) and ( what is not read |
"""


def flat(root: Node) -> Iterator[tuple[object, ...]]:
    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, Tree):
            yield str(node.rule), len(node.children)
            stack += node.children
        else:
            yield str(node), node.type, node.start_pos, node.line, node.column


def both(text: str) -> bool:
    """Return whether the quick reader reads a text; its tree is then that of lark."""
    try:
        quick = script_trees.script(text)
    except UnusualTextError:
        return False
    assert list(flat(quick)) == list(flat(by_lark(text)))
    return True


def test_commands_and_terms_of_all_kinds_have_the_trees_of_lark() -> None:
    assert both(COMMANDS)


@pytest.mark.parametrize("step", [12, pytest.param(1, marks=pytest.mark.slow)])
def test_seeds_are_read_by_the_quick_reader(step: int) -> None:
    small = [path for path in SEEDS if path.stat().st_size <= MOST_BYTES]
    for path in small[::step]:
        assert both(text_of(path.read_bytes())), path


@pytest.mark.parametrize("number", [400, pytest.param(8_000, marks=pytest.mark.slow)])
def test_damaged_texts_that_the_quick_reader_reads_have_the_trees_of_lark(number: int) -> None:
    lines = [WORDS.findall(line) for line in COMMANDS.splitlines()[3:-1]]
    pieces = [piece for line in lines for piece in line]
    read = 0
    for seed in range(number):
        choices = Choices(b"", str(seed).encode())
        found = list(choices.pick(lines))
        for _ in range(1 + choices.index(2)):
            found[choices.index(len(found))] = choices.pick(pieces)
        read += both(" ".join(found))
    assert number // 50 < read < number // 2


@pytest.mark.parametrize(
    "text",
    [
        ")", "(", "(assert", "(assert x))", "(assert 5a)", "(assert -5a)", "(assert 1.5.2)", "(assert #xg)",
        "(assert |a)",
        '(assert "a")', "(assert)", "(assert ())", "(assert (f))", "(assert ((f x) 1))", "(assert (let () 1))",
        "(assert (forall () true))", "(assert (_ bv1))", "(assert (! x))", "(assert :a)", "(|assert| true)", "x", "(1)",
        "(exit 1)", "(set-logic)", "(declare-fun f Int Int)", "(declare-datatypes ((A 0)) ())", "(set-info a)",
        "(assert (! x :a b c))", "(assert a b)", "(check-sat-assuming a)", "(assert é)", "(assert #)",
        "(assert (as x))",
    ],
)  # fmt: skip
def test_texts_that_lark_refuses_are_refused(text: str) -> None:
    with pytest.raises(UnusualTextError):
        script_trees.script(text)
    with pytest.raises(UnexpectedInput):
        by_lark(text)


@pytest.mark.parametrize(
    "text",
    [
        "(declare-fun p (_ Int Bool) Bool)", "(declare-fun p (as x Int) Bool)", "(assert (let ((x 1)) (x)))",
        "(declare-fun let (Int) Bool)(assert (let 1))", "(declare-fun f (let) Bool)(assert (f let))", "",
        "(assert (forall ((_ Int)) true))", "(assert ((_ f 1) y))", "(assert ((as f Int) y))", "(assert (= -5 - 5))",
        "(assert (_ bv1 8) (_ bv1 8))", "(declare-datatypes ((T 0)) ((nil (cons (head Int) (tail T)))))",
        "(declare-datatypes ((T 1)) ((par (X) ((nil)))))", "(declare-datatypes (T) ((T nil)))", "assert",
        "(set-info :a)(set-info :b (c))(set-option :d 1.5)(check-sat)(check-sat 1)",
        "(assert |a\nb|)", "(assert ((f)))",
        "(rule (=> a b) r)(query q :print true)", "(assert (-5))", "(assert a|b|c)", "(assert #x1g)", "(assert \v)",
    ],
)  # fmt: skip
def test_odd_texts_are_read_as_lark_reads_them_or_left_to_lark(text: str) -> None:
    both(text)


@pytest.mark.parametrize("number", [100, pytest.param(2_000, marks=pytest.mark.slow)])
def test_a_seed_with_a_damaged_character_is_read_as_lark_reads_it_or_left_to_lark(number: int) -> None:
    text = min((text_of(path.read_bytes()) for path in SEEDS), key=len)
    pieces = ("(", ")", " ", "_", "let ", "as ", "par ", "|", '"', ":a", "-", "1", "1.", "#x1", ";", "\n", "(x)")
    read = 0
    for seed in range(number):
        choices = Choices(b"", str(seed).encode())
        at = choices.index(len(text))
        read += both(text[:at] + choices.pick(pieces) + text[at + choices.index(3) :])
    assert 0 < read < number


def test_a_single_term_has_the_tree_of_lark() -> None:
    for text in ("x", " (f 1 (g x)) ; end", "((_ extract 1 0) x)", "(let ((x 1)) x)"):
        assert list(flat(script_trees.single_term(text))) == list(flat(by_lark(text, "term")))
    for text in ("", "x y", "(f)", "(exit)"):
        with pytest.raises(UnusualTextError):
            script_trees.single_term(text)


def test_nesting_of_ten_thousand_brackets_needs_no_recursion() -> None:
    depth = 10_000
    tree = script_trees.single_term("(not " * depth + "x" + ")" * depth)
    for _ in range(depth):
        tree = tree.children[1]
    assert tree == "x"
