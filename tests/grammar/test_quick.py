"""The quick reader makes the trees of lark, or leaves the text to lark."""

import random
from pathlib import Path

import pytest
from chcfuzz.grammar import quick
from chcfuzz.grammar.syntax import Node, Tree, lark_tree
from lark import Token
from lark.exceptions import UnexpectedInput

ROOT = Path(__file__).resolve().parents[2]
SEEDS = sorted((ROOT / "corpus").glob("*/*.smt2"))[::6]
OTHERS = sorted((ROOT / "corpus-smt").glob("*/*.smt2"))[::40]
SHORT = min((path.read_text() for path in SEEDS), key=len)


def flat(node: Node) -> list[object]:
    """Return a tree as a list: the rules with the number of their parts, and the tokens with their places."""
    found: list[object] = []
    stack = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, Token):
            found.append((here.type, str(here), here.start_pos, here.line, here.column))
        else:
            found.append((here.rule, len(here.children)))
            stack += here.children
    return found


def by_lark(text: str) -> list[object] | None:
    try:
        return flat(lark_tree(text))
    except UnexpectedInput:
        return None


@pytest.mark.parametrize("path", [*SEEDS, *OTHERS], ids=lambda path: path.stem)
def test_the_trees_are_those_of_lark(path: Path) -> None:
    text = path.read_text()
    tree = quick.read(text, Tree)
    assert tree is not None or "(!" in text or path in OTHERS
    assert tree is None or flat(tree) == by_lark(text)


def test_most_smt_problems_are_read() -> None:
    read = [quick.read(path.read_text(), Tree) is not None for path in OTHERS]
    assert sum(read) > len(read) / 2


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_text_is_read_as_lark_reads_it_or_left_to_lark(seed: int) -> None:
    chance = random.Random(seed)
    words = [
        "(",
        ")",
        " ",
        "_",
        "let ",
        "as ",
        "forall ",
        "par ",
        "|",
        '"',
        ":a",
        "-",
        "1",
        "1.",
        "#x1",
        ";",
        "\n",
        "(x)",
    ]
    left = 0
    for _ in range(60):
        at = chance.randrange(len(SHORT))
        text = SHORT[:at] + chance.choice(words) + SHORT[at + chance.randrange(3) :]
        tree = quick.read(text, Tree)
        left += tree is None
        assert tree is None or flat(tree) == by_lark(text), text
    assert 0 < left < 60


@pytest.mark.parametrize(
    "line",
    [
        "(declare-fun p (_ Int Bool) Bool)",
        "(declare-fun p (as x Int) Bool)",
        "(declare-fun let (Int) Bool)(assert (let 1))",
        "(declare-fun f (let) Bool)(assert (f let))",
        "(assert (forall () true))",
        "(assert (forall ((_ Int)) true))",
        "(assert (let ((x 1)) (x)))",
        "(assert ((f x) y))",
        "(assert ((_ f 1) y))",
        "(assert ((as f Int) y))",
        "(assert (_ bv1 8) (_ bv1 8))",
        "(assert)",
        "(assert :a)",
        '(assert (f "text"))',
        "(declare-datatypes ((T 0)) ((nil (cons (head Int) (tail T)))))",
        "(declare-datatypes ((T 1)) ((par (X) ((nil)))))",
        "(declare-datatypes (T) ((T nil)))",
        "(set-info :a)(set-info :b (c))(set-option :d 1.5)(check-sat)(check-sat 1)",
        "(assert true) (exit) anything",
        "(assert (= -5 - 5))",
        "(assert 5a)",
        "(assert |a\nb|)",
        "assert",
        "(assert true",
        "(assert true))",
        "",
    ],
)
def test_odd_texts_are_read_as_lark_reads_them_or_left_to_lark(line: str) -> None:
    tree = quick.read(line, Tree)
    assert tree is None or flat(tree) == by_lark(line)
