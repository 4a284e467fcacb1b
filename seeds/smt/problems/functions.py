"""Uninterpreted functions and sorts."""

from seeds.smt.notation import Pair, Seed

FUNCTIONS: list[Seed] = [
    *Pair(
        "uf/orbit",
        "f applied {times} times and 3 times is the identity at x",
        sorts="U",
        names="x U; (f U) U",
        assertions="(= x (f (f (f x)))) {more} (distinct x (f x))",
        sat={"times": "6", "more": "(= x (f (f (f (f (f (f x)))))))"},
        unsat={"times": "5", "more": "(= x (f (f (f (f (f x))))))"},
    ),
    *Pair(
        "uf/congruence-of-two",
        "equal arguments give equal values{but}",
        sorts="U V",
        names="a b U; c d V; (f U V) U",
        assertions="(= a b) {second} (distinct (f (f a c) d) (f (f b d) c))",
        sat={"but": ", and the second ones differ", "second": "(distinct c d)"},
        unsat={"but": "", "second": "(= d c)"},
    ),
    *Pair(
        "uf/boolean-arguments",
        "a function of comparisons: {what}",
        names="(f Bool Int) Int; x y Int",
        assertions="""
            (= (f (= x y) 0) 1)
            (= (f (< x y) 0) 2)
            (= (f (distinct x y) 0) {third})
            (>= y x)
        """,
        sat={"what": "x is below y", "third": "2"},
        unsat={"what": "three values of two arguments", "third": "3"},
    ),
    *Pair(
        "uf/predicate-of-choice",
        "a predicate of an ite{but}",
        sorts="U",
        names="(p U) Bool; a b U; c Bool",
        assertions="(p a) (not (p b)) (p (ite c a b)) {rest}",
        sat={"but": "", "rest": "(p (ite (not c) b a))"},
        unsat={"but": " and of the other one", "rest": "(p (ite c b a))"},
    ),
    *Pair(
        "uf/strictly-growing",
        "f grows by {step} in each of three steps and ends at 10",
        names="(f Int) Int; n Int",
        assertions="""
            (= (f n) 1)
            (>= (f (+ n 1)) (+ (f n) {step}))
            (>= (f (+ n 2)) (+ (f (+ 1 n)) {step}))
            (>= (f (+ n 3)) (+ (f (+ 2 n)) {step}))
            (= (f (+ 3 n)) 10)
        """,
        sat={"step": "3"},
        unsat={"step": "4"},
    ),
    *Pair(
        "uf/words",
        "f of two words of 3 bits that are {equal}",
        names="(f (_ BitVec 3)) (_ BitVec 2); x (_ BitVec 3)",
        assertions="(distinct (f (bvadd x x)) (f (bvshl x {shift}))) (= (f #b000) #b10)",
        sat={"equal": "not always equal", "shift": "#b010"},
        unsat={"equal": "equal", "shift": "#b001"},
    ),
    *Pair(
        "uf/more-values-than-bits",
        "a function on one bit has {count} values",
        sorts="U",
        names="(f (_ BitVec 1)) U; x y z (_ BitVec 1)",
        assertions="(distinct (f x) (f y)) (distinct (f y) (f z)) {third}",
        sat={"count": "two", "third": "(= (f z) (f x))"},
        unsat={"count": "three", "third": "(distinct (f z) (f x))"},
    ),
    *Pair(
        "uf/of-reals",
        "f(x/2 + x/2) is {what}",
        names="(f Real) Real; x y Real",
        assertions="(= y (/ x 2.0)) (distinct (f (+ y y)) (f {argument}))",
        sat={"what": "not f(x/2)", "argument": "y"},
        unsat={"what": "f(x)", "argument": "x"},
    ),
    *Pair(
        "uf/two-swaps",
        "f exchanges a and b, and {what}",
        sorts="U",
        names="(f U) U; a b c d U",
        assertions="(distinct a b c d) (= (f a) b) (= (f b) a) (= (f c) {value}) (= (f (f c)) c)",
        sat={"what": "c and d", "value": "d"},
        unsat={"what": "maps c twice to itself over a", "value": "a"},
    ),
]
