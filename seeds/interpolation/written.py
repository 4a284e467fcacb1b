"""Interpolation seeds that are written by hand: a name, a story, declarations, groups, and parents of a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from seeds.expressions import expressions


@dataclass(frozen=True)
class Written:
    """A seed: `names` as in SMT seeds, and an S-expression for each formula of each group."""

    name: str
    story: str
    names: str
    groups: Sequence[str]
    axioms: str = ""
    sorts: str = ""
    parents: str = ""
    datatypes: str = field(default="")

    @property
    def text(self) -> str:
        """The text of the problem, without the story."""
        lines = ["(set-logic ALL)", "(set-info :status unsat)"]
        lines += [f'(set-info :interpolation-parents "{self.parents}")'] if self.parents else []
        lines += [f"(declare-sort {name} 0)" for name in self.sorts.split()]
        lines += list(expressions(self.datatypes))
        for group in filter(str.strip, self.names.split(";")):
            *declared, sort = expressions(group)
            for each in declared:
                name, *parameters = expressions(each[1:-1]) if each.startswith("(") else [each]
                lines.append(f"(declare-fun {name} ({' '.join(parameters)}) {sort})")
        for number, formulas in enumerate(self.groups):
            lines += [f"(assert (! {each} :interpolation-group g{number}))" for each in expressions(formulas)]
        lines += [f"(assert (! {each} :interpolation-group axiom))" for each in expressions(self.axioms)]
        return "\n".join([*lines, "(check-sat)"]) + "\n"


WRITTEN = (
    Written(
        "written/between",
        "a variable lies above one bound and below a smaller one; the bounds are local",
        "x low high Int",
        ("(> x low) (> low 4)", "(< x high) (< high 6)"),
    ),
    Written(
        "written/parity",
        "a number is even on one side and odd on the other: the interpolant needs mod or a quantifier",
        "x y z Int",
        ("(= x (* 2 y))", "(= x (+ (* 2 z) 1))"),
    ),
    Written(
        "written/congruence-chain",
        "equal arguments give equal values, through two local constants",
        "a b c d Int; (f Int) Int",
        ("(= a c) (= (f a) 1)", "(= b c)", "(= d b) (= (f d) 2)"),
    ),
    Written(
        "written/mixed-equality",
        "two colours meet in an equality that neither side has",
        "x y u v Real; (g Real) Real",
        ("(= (+ x u) 3.0) (= (- x u) 1.0) (= (g x) 5.0)", "(= y 2.0) (= v (g y)) (< v 5.0)"),
    ),
    Written(
        "written/farkas",
        "three inequalities of a triangle, one for each group",
        "x y z Real",
        ("(< x y)", "(<= y z)", "(< (* 2.0 z) (+ x y))"),
    ),
    Written(
        "written/integer-cut",
        "only integers leave the strip empty",
        "x y k Int",
        ("(<= (* 2 x) (+ (* 2 y) 1)) (= k (- x y))", "(>= k 1) (<= k 3)"),
    ),
    Written(
        "written/overflow",
        "an unsigned sum wraps around on one side",
        "a b s (_ BitVec 8)",
        ("(= s (bvadd a b)) (bvult s a)", "(bvule a #x7f) (bvule b #x7f)"),
    ),
    Written(
        "written/masked",
        "low and high bits contradict through an extraction",
        "w (_ BitVec 16); h l (_ BitVec 8)",
        ("(= w (concat h l)) (= h #xab)", "(= ((_ extract 15 8) w) #xba)"),
    ),
    Written(
        "written/shift-then-mask",
        "a shift to the left clears the lowest bit",
        "x y z (_ BitVec 12)",
        ("(= y (bvshl x #x001))", "(= z (bvand y #x001))", "(= z #x001)"),
    ),
    Written(
        "written/store-then-read",
        "an array keeps what is stored elsewhere",
        "a b (Array Int Int); i j v Int",
        ("(= b (store a i v))", "(distinct i j) (distinct (select a j) (select b j))"),
    ),
    Written(
        "written/array-difference",
        "two arrays that differ in one place only are read in two places",
        "a b (Array Int Int); i j k Int",
        (
            "(= b (store a i (select b i)))",
            "(distinct j k) (distinct (select a j) (select b j)) (distinct (select a k) (select b k))",
        ),
    ),
    Written(
        "written/vector-array",
        "bytes of a memory of bit-vectors are swapped twice",
        "m n o (Array (_ BitVec 4) (_ BitVec 8)); i j (_ BitVec 4)",
        (
            "(= n (store (store m i (select m j)) j (select m i)))",
            "(= o (store (store n i (select n j)) j (select n i)))",
            "(distinct (select o i) (select m i))",
        ),
    ),
    Written(
        "written/uninterpreted",
        "elements of an uninterpreted sort, with a predicate",
        "a b c U; (p U) Bool; (f U) U",
        ("(= (f a) b) (p b)", "(= a c) (= (f c) b) (not (p (f c)))"),
        sorts="U",
    ),
    Written(
        "written/axiom-of-order",
        "a relation is transitive by an axiom, and irreflexive by another",
        "a b c d U; (less U U) Bool",
        ("(less a b) (less b c)", "(less c d) (less d a)"),
        axioms="""(forall ((x U) (y U) (z U)) (=> (and (less x y) (less y z)) (less x z)))
        (forall ((x U)) (not (less x x)))""",
        sorts="U",
    ),
    Written(
        "written/axiom-of-monotony",
        "a function grows by an axiom, and its values do not",
        "x y z Int; (f Int) Int",
        ("(< x y) (= (f x) 7)", "(= z (f y)) (< z 7)"),
        axioms="(forall ((a Int) (b Int)) (=> (<= a b) (<= (f a) (f b))))",
    ),
    Written(
        "written/quantified-sides",
        "all values are positive on one side, and one is not on the other",
        "k Int; (f Int) Int",
        ("(forall ((x Int)) (=> (> x k) (> (f x) 0))) (> k 3)", "(exists ((y Int)) (and (> y (* 2 k)) (< (f y) 0)))"),
    ),
    Written(
        "written/pigeons",
        "three pigeons in two holes, a pigeon a group",
        "a1 a2 b1 b2 c1 c2 Bool",
        (
            "(or a1 a2)",
            "(or b1 b2) (not (and a1 b1)) (not (and a2 b2))",
            "(or c1 c2) (not (and a1 c1)) (not (and a2 c2)) (not (and b1 c1)) (not (and b2 c2))",
        ),
    ),
    Written(
        "written/parity-of-bits",
        "the xor of a chain of Booleans is true and false",
        "p q r s t Bool",
        ("(xor p q r)", "(= r (xor s t))", "(xor p q s t false true)"),
    ),
    Written(
        "written/tree-of-sums",
        "two leaves bound two summands, and the root the sum",
        "x y z Int",
        ("(<= x 3)", "(<= y 4)", "(= z (+ x y))", "(> z 7)"),
        parents="g2 g2 g3",
    ),
    Written(
        "written/tree-of-calls",
        "two calls of a function are summaries of a third",
        "a b c x y z Int; (f Int) Int",
        ("(= x (f a)) (> x 0)", "(= y (f b)) (= b a)", "(= z (- x y))", "(distinct z 0)"),
        parents="g2 g2 g3",
    ),
    Written(
        "written/tree-of-vectors",
        "a tree over bit-vectors: nibbles are joined, and the byte is compared",
        "h l (_ BitVec 4); w v (_ BitVec 8)",
        ("(bvult h #x3)", "(bvult l #xf)", "(= w (concat h l))", "(= v (bvadd w #x01)) (bvugt v #x2f)"),
        parents="g2 g2 g3",
    ),
    Written(
        "written/list-ends",
        "a list is a cell with one head and another",
        "l k Lst; x y Int",
        ("(= l (cons x k)) (< x 3)", "(= y (head l)) (> y 5) ((_ is cons) l)"),
        datatypes="(declare-datatypes ((Lst 0)) (((nil) (cons (head Int) (tail Lst)))))",
    ),
    Written(
        "written/five-steps",
        "a counter that is doubled in each of four steps is a multiple of 16 at the end, and of 8 alone",
        "x0 x1 x2 x3 x4 y Int",
        ("(= x1 (* 2 x0))", "(= x2 (* 2 x1))", "(= x3 (* 2 x2))", "(= x4 (* 2 x3))", "(= x4 (+ (* 16 y) 8))"),
    ),
    Written(
        "written/real-limits",
        "a mean lies between its two numbers",
        "x y m Real",
        ("(< x y) (= (* 2.0 m) (+ x y))", "(or (<= m x) (<= y m))"),
    ),
)
