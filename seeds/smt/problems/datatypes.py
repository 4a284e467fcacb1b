"""Data types: enumerations, records, lists, trees, mutual recursion, with and without match."""

from seeds.smt.notation import Pair, Seed

LIST = "(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))"
TREE = "(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (key Int) (right Tree)))))"
NATURAL = "(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))"
COLOUR = "(declare-datatypes ((Colour 0)) (((red) (green) (blue))))"
BOX = "(declare-datatypes ((Box 0)) (((box (content Int) (full Bool)))))"
FOREST = """
    (declare-datatypes ((Rose 0) (Forest 0)) (
      ((rose (label Int) (children Forest)))
      ((none) (more (first Rose) (others Forest)))))
"""
EITHER = """
    (declare-datatypes ((Either 0)) (((number (value Int)) (word (bits (_ BitVec 3))) (flag (set Bool)))))
"""
PAIR = "(declare-datatypes ((Pair 2)) ((par (X Y) ((pair (fst X) (snd Y))))))"

DATATYPES: list[Seed] = [
    *Pair(
        "adt/colours",
        "{count} colours that differ",
        datatypes=COLOUR,
        names="a b c d Colour",
        assertions="(distinct a b c {more}) (distinct a red) ((_ is green) c) (= d {d})",
        sat={"count": "three", "more": "", "d": "a"},
        unsat={"count": "four", "more": "d", "d": "d"},
    ),
    *Pair(
        "adt/enumeration-by-match",
        "the successor of a colour {what}",
        datatypes=COLOUR,
        names="c Colour",
        assertions="""
            (define-fun next ((x Colour)) Colour (match x ((red green) (green blue) (blue {last}))))
            (= c (next (next (next c))))
            (distinct c (next c))
            (= c blue)
        """,
        sat={"what": "thrice is itself", "last": "red"},
        unsat={"what": "thrice is not itself if blue has green", "last": "green"},
    ),
    *Pair(
        "adt/injective",
        "equal lists have equal heads{but}",
        datatypes=LIST,
        names="x y Int; xs ys List",
        assertions="(= (cons x xs) (cons y ys)) (distinct {first} {second})",
        sat={"but": ", not equal heads and tails", "first": "xs", "second": "(cons y ys)"},
        unsat={"but": "", "first": "(+ x 1)", "second": "(+ y 1)"},
    ),
    *Pair(
        "adt/no-cycle",
        "a list is {deep}",
        datatypes=LIST,
        names="xs ys List; x Int",
        assertions="""
            ((_ is cons) xs)
            (= (tail xs) ys)
            (= ys (ite (> x 0) {list} (cons x nil)))
            (= x 3)
        """,
        sat={"deep": "a tail of another one", "list": "(cons x (cons 5 nil))"},
        unsat={"deep": "its own tail's tail", "list": "(cons x xs)"},
    ),
    *Pair(
        "adt/selector-of-update",
        "a record with one changed field keeps {other}",
        datatypes=BOX,
        names="b c Box",
        assertions="""
            (= c (box (+ (content b) 1) (full b)))
            (distinct {first} {second})
        """,
        sat={"other": "not that one", "first": "(content c)", "second": "(content b)"},
        unsat={"other": "the other one", "first": "(full c)", "second": "(full b)"},
    ),
    *Pair(
        "adt/exhaustive",
        "a value is a number, a word or a flag{but}",
        datatypes=EITHER,
        names="e Either",
        assertions="""
            (not ((_ is number) e))
            (not ((_ is flag) e))
            (distinct e (word #b000))
            ({relation} (bvult #b000 (bits e)) true)
        """,
        sat={"but": ", a word other than 0", "relation": "="},
        unsat={"but": ", and no word is below all", "relation": "distinct"},
    ),
    *Pair(
        "adt/match-with-variables",
        "a match of three constructors: {what}",
        datatypes=EITHER,
        names="e Either; n Int",
        assertions="""
            (= n (match e (((number v) (ite (< v 0) (- v) v)) ((word w) (bv2nat w)) ((flag f) (ite f 1 0)))))
            (< n {bound})
        """,
        sat={"what": "the measure may be 0", "bound": "1"},
        unsat={"what": "the measure is never negative", "bound": "0"},
    ),
    *Pair(
        "adt/match-with-default",
        "a match with a variable for all other cases gives {constructor} for zero",
        datatypes=NATURAL,
        names="n m Nat",
        assertions="""
            (= m (match n ((zero (succ zero)) (other other))))
            ((_ is {constructor}) m)
        """,
        sat={"constructor": "succ"},
        unsat={"constructor": "zero"},
    ),
    *Pair(
        "adt/peano",
        "two less than m + 3 is {value} + 1, and m is not zero",
        datatypes=NATURAL,
        names="n m Nat",
        assertions="""
            (= n (succ (succ (succ m))))
            (= (pred (pred n)) (succ {value}))
            (not ((_ is zero) m))
        """,
        sat={"value": "m"},
        unsat={"value": "zero"},
    ),
    *Pair(
        "adt/tree-rotation",
        "a rotated tree has the root of {which} child",
        datatypes=TREE,
        names="s t Tree; x y Int",
        assertions="""
            (= s (node (node leaf x leaf) y leaf))
            (= t (node (left (left s)) (key (left s)) (node (right (left s)) (key s) (right s))))
            (distinct (key t) {key})
            (< x y)
        """,
        sat={"which": "its right", "key": "y"},
        unsat={"which": "its left", "key": "x"},
    ),
    *Pair(
        "adt/subtrees",
        "a tree whose left child {how} it",
        datatypes=TREE,
        names="s t Tree",
        assertions="""
            ((_ is node) s)
            (= t (left s))
            (= (left t) {tree})
            ((_ is node) t)
        """,
        sat={"how": "is as deep as a part of", "tree": "(right s)"},
        unsat={"how": "contains", "tree": "s"},
    ),
    *Pair(
        "adt/roses-and-forests",
        "data types that need each other: a rose {what}",
        datatypes=FOREST,
        names="r s Rose; f Forest",
        assertions="""
            (= (children r) (more s f))
            (= (children s) {forest})
            (> (label s) (label r))
        """,
        sat={"what": "with a child without children", "forest": "none"},
        unsat={"what": "among its descendants", "forest": "(more r none)"},
    ),
    *Pair(
        "adt/equal-forests",
        "equal forests have equal roses{but}",
        datatypes=FOREST,
        names="f g Forest; i j Int",
        assertions="""
            (= f (more (rose i none) (more (rose j none) none)))
            (= g (more (rose {first} none) (others f)))
            (= f g)
            (< i j)
        """,
        sat={"but": "", "first": "(- (* 2 i) i)"},
        unsat={"but": ", and these are not", "first": "j"},
    ),
    *Pair(
        "adt/pairs",
        "a data type with parameters: the pair exchanged twice{but}",
        datatypes=PAIR,
        names="p (Pair Int Bool); q (Pair Bool Int)",
        assertions="""
            (= q (pair (snd p) {first}))
            (distinct p (pair (snd q) (fst q)))
        """,
        sat={"but": " and increased", "first": "(+ (fst p) 1)"},
        unsat={"but": "", "first": "(fst p)"},
    ),
    *Pair(
        "adt/nested-testers",
        "a tester of a choice is a choice of testers{but}",
        datatypes=LIST,
        names="xs ys List; p Bool",
        assertions="""
            (distinct ((_ is cons) (ite p xs (cons 1 ys))) (ite p ((_ is {constructor}) xs) true))
        """,
        sat={"but": ", of the same constructor", "constructor": "nil"},
        unsat={"but": "", "constructor": "cons"},
    ),
]
