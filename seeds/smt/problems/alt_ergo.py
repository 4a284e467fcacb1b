"""Problems after the bugs of Alt-Ergo that Alt-Ergo-Fuzz found (its issues 474, 475, 476, 477, 479 and 482).

Each has the structure that the report describes, in words of our own, with the right answer: the negation of an
invalid goal is sat. The other version is the negation of a valid goal. Issue 481 is left out: its description is not
public.
"""

from seeds.smt.notation import Pair, Seed

SHAPE = "(declare-datatypes ((Shape 0)) (((point) (line (length Int)) (pair (first Bool) (second Bool)))))"

ALT_ERGO: list[Seed] = [
    *Pair(
        "alt-ergo/474-associative-and-commutative",
        "an associative and commutative function of reals is not positive at two places{but}",
        names="(f Real Real) Real",
        assertions="""
            (forall ((x Real) (y Real)) (! (= (f x y) (f y x)) :pattern ((f x y))))
            (= (f (f 2.0 1.0) 0.0) (f 2.0 (f 1.0 0.0)))
            (<= (f (f 2.0 1.0) 0.0) 0.0)
            (<= (f 2.0 1.0) 0.0)
            ({relation} (f 2.0 (f 0.0 1.0)) 0.0)
        """,
        sat={"but": ", nor at a third", "relation": "<="},
        unsat={"but": ", but at a third, which is the first", "relation": ">"},
    ),
    *Pair(
        "alt-ergo/475-nested-matches",
        "a match in a match under a quantifier over a Boolean{but}",
        datatypes=SHAPE,
        names="s t Shape; p Bool",
        assertions="""
            (distinct s point)
            (forall ((b Bool))
              (match s (
                (point b)
                ((line n) (> n 2))
                ((pair v w) (match t ((point {inner}) ((line m) v) ((pair x y) w)))))))
            (=> p ((_ is line) t))
            (not ((_ is line) s))
            {last}
        """,
        sat={"but": "", "inner": "b", "last": "p"},
        unsat={"but": " that it does not hold for", "inner": "b", "last": "((_ is point) t)"},
    ),
    *Pair(
        "alt-ergo/476-division-by-a-quantified-number",
        "a number divides 12 with a quotient above {bound}; it is not 0",
        names="x Int",
        assertions="""
            (exists ((v Int)) (and (distinct v 0) (= (mod 12 v) 0) (= x (div 12 v)) (< (- 4) v 4)))
            (> x {bound})
        """,
        sat={"bound": "6"},
        unsat={"bound": "12"},
    ),
    *Pair(
        "alt-ergo/477-division-for-all",
        "x divided by each number from 1 to 3 is {relation} x",
        names="x Int",
        assertions="""
            (forall ((v Int)) (=> (<= 1 v 3) ({relation} (div x v) x)))
            (<= 1 x 9)
        """,
        sat={"relation": "<="},
        unsat={"relation": "<"},
    ),
    *Pair(
        "alt-ergo/479-number-by-itself",
        "x is at least 2, and at most {which} of 2 and u divided by u",
        names="x u Int; b Bool",
        assertions="""
            (<= 2 x)
            (> u 0)
            (<= x (ite {condition} 2 (div u u)))
        """,
        sat={"which": "one", "condition": "b"},
        unsat={"which": "the second", "condition": "(and b (< (div u u) 1))"},
    ),
    *Pair(
        "alt-ergo/482-array-of-formulas",
        "an array of Booleans is read as a formula, at an index that a match computes{but}",
        datatypes=SHAPE,
        names="a (Array Int Bool); s Shape",
        assertions="""
            (select a (match s ((point 0) ((line n) (let ((m (+ n 1))) m)) ((pair v w) (ite v 0 1)))))
            (not (select a 0))
            (not (select a 1))
            (=> ((_ is line) s) (= (length s) {length}))
        """,
        sat={"but": "", "length": "1"},
        unsat={"but": ", where it is false", "length": "0"},
    ),
]
