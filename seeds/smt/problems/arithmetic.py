"""Integers and reals: linear, by constants, with small products, and mixed."""

from seeds.smt.notation import Pair, Seed

ARITHMETIC: list[Seed] = [
    *Pair(
        "lia/between",
        "an integer strictly between {low} and 7",
        names="x Int",
        assertions="(< {low} x) (< x 7)",
        sat={"low": "5"},
        unsat={"low": "6"},
    ),
    *Pair(
        "lia/parity",
        "2x + 4y = {sum}",
        names="x y Int",
        assertions="(= (+ (* 2 x) (* 4 y)) {sum}) (> x y)",
        sat={"sum": "10"},
        unsat={"sum": "9"},
    ),
    *Pair(
        "lia/three-steps",
        "a way of 3s, 5s and -7s to {goal}, with at most one 5 and one -7",
        names="a b c Int",
        assertions="""
            (= (+ (* 3 a) (* 5 b) (* (- 7) c)) {goal})
            (<= 0 a 4)
            (<= 0 b 1)
            (<= 0 c 1)
        """,
        sat={"goal": "4"},
        unsat={"goal": "13"},
    ),
    *Pair(
        "lia/dark-shadow",
        "a multiple of 3 and of {other} close to each other",
        names="x y z Int",
        assertions="""
            (< (* 3 x) z)
            (< z (* {other} y))
            (< (* {other} y) (+ (* 3 x) 3))
            (<= 0 z 9)
        """,
        sat={"other": "4"},
        unsat={"other": "3"},
    ),
    *Pair(
        "lia/absolute",
        "|x - y| + |y - z| {relation} |x - z|",
        names="x y z Int",
        assertions="""
            (define-fun away ((a Int) (b Int)) Int (abs (- a b)))
            ({relation} (+ (away x y) (away y z)) (away x z))
            (distinct x y z)
        """,
        sat={"relation": ">"},
        unsat={"relation": "<"},
    ),
    *Pair(
        "lia/maximum",
        "the maximum of three numbers is {what}",
        names="x y z m Int",
        assertions="""
            (= m (let ((n (ite (>= x y) x y))) (ite (>= n z) n z)))
            (not (and (<= x m) (<= y m) (<= z m) (or (= m x) (= m {last}))))
        """,
        sat={"what": "not always the first or the last", "last": "z"},
        unsat={"what": "one of them", "last": "(ite (= m y) y z)"},
    ),
    *Pair(
        "lia/euclid",
        "div and mod by {divisor}: the remainder has no sign",
        names="x Int",
        assertions="""
            (< x 0)
            (= (div x {divisor}) (- 4))
            (= (mod x {divisor}) {rest})
        """,
        sat={"divisor": "3", "rest": "2"},
        unsat={"divisor": "(- 3)", "rest": "2"},
    ),
    *Pair(
        "lia/mod-chain",
        "a number is {a} modulo 4 and 3 modulo 6",
        names="x Int",
        assertions="(= (mod x 4) {a}) (= (mod x 6) 3) (> x 100)",
        sat={"a": "1"},
        unsat={"a": "2"},
    ),
    *Pair(
        "lia/div-of-div",
        "division by 2 and by 3 is division by {both}",
        names="x Int",
        assertions="(distinct (div (div x 2) 3) (div x {both})) (< (- 20) x 20)",
        sat={"both": "5"},
        unsat={"both": "6"},
    ),
    *Pair(
        "lia/divisible",
        "a number that 4 and {other} divide and 12 does not",
        names="x Int",
        assertions="(= 0 (mod x 4)) (= (mod x {other}) 0) (distinct (mod x 12) 0) (> x 0)",
        sat={"other": "2"},
        unsat={"other": "3"},
    ),
    *Pair(
        "lia/chain",
        "a chain of comparisons {closes}",
        names="a b c d Int",
        assertions="""
            (< a b c d)
            (<= (- d a) {room})
            (distinct a b c d)
        """,
        sat={"closes": "fits into its room", "room": "3"},
        unsat={"closes": "does not fit into its room", "room": "2"},
    ),
    *Pair(
        "lia/pigeons",
        "{holes} numbers from 1 to 3 differ",
        names="a b c d Int",
        assertions="""
            (distinct a b c {d})
            (and (<= 1 a 3) (<= 1 b 3) (<= 1 c 3) (<= 1 d 3))
        """,
        sat={"holes": "three", "d": ""},
        unsat={"holes": "four", "d": "d"},
    ),
    *Pair(
        "lia/boolean-sum",
        "{count} of three conditions hold, counted",
        names="p q r Bool; n Int",
        assertions="""
            (= n (+ (ite p 1 0) (ite q 1 0) (ite r 1 0)))
            (= n {count})
            (xor p q r)
            (=> p q)
        """,
        sat={"count": "3"},
        unsat={"count": "2"},
    ),
    *Pair(
        "lra/triangle",
        "a point above two lines and {where} a third",
        names="x y Real",
        assertions="(>= (+ x y) 2.0) (>= (- x y) (- 1.0)) (<= (+ x (/ y 2.0)) {where})",
        sat={"where": "1.25"},
        unsat={"where": "1.24"},
    ),
    *Pair(
        "lra/strict",
        "a number at least 1/3 and {relation} 1/3",
        names="x y Real",
        assertions="(>= (* 3.0 x) 1.0) ({relation} (+ x y) (/ 1.0 3.0)) (= y 0.0)",
        sat={"relation": "<="},
        unsat={"relation": "<"},
    ),
    *Pair(
        "lra/mean",
        "the mean of two numbers is {where}",
        names="x y m Real",
        assertions="(= m (/ (+ x y) 2.0)) (< x y) (not (and (< x m) (< m {bound})))",
        sat={"where": "not below their difference", "bound": "(- y x)"},
        unsat={"where": "between them", "bound": "y"},
    ),
    *Pair(
        "lra/ites",
        "a clamped number is outside of its bounds",
        names="x c Real",
        assertions="""
            (= c (ite (< x {low}) {low} (ite (> x 2.5) 2.5 x)))
            (or (< c (- 1.5)) (> c 2.5))
        """,
        sat={"low": "(- 1.75)"},
        unsat={"low": "(- 1.5)"},
    ),
    *Pair(
        "lra/sum-of-three",
        "three numbers with sums {sums}",
        names="x y z Real",
        assertions="(= (+ x y) 1.0) (= (+ y z) 2.0) (= (+ x z) {last}) (> x 0.0)",
        sat={"sums": "1, 2 and 2", "last": "2.0"},
        unsat={"sums": "1, 2 and 1", "last": "1.0"},
    ),
    *Pair(
        "mixed/floor",
        "the floor of x is above x - {distance}",
        names="x Real; n Int",
        assertions="(= n (to_int x)) (not (< (- x {distance}) (to_real n))) (not (is_int x))",
        sat={"distance": "0.5"},
        unsat={"distance": "1.0"},
    ),
    *Pair(
        "mixed/is-int",
        "x and x / {by} are integers, and x is odd",
        names="n Int",
        assertions="(is_int (/ (to_real n) {by})) (= (mod n 2) 1)",
        sat={"by": "3.0"},
        unsat={"by": "4.0"},
    ),
    *Pair(
        "mixed/rounding",
        "rounding to the nearest is {off} away",
        names="x Real",
        assertions="(let ((n (to_real (to_int (+ x 0.5))))) (> (ite (> x n) (- x n) (- n x)) {off}))",
        sat={"off": "0.25"},
        unsat={"off": "0.5"},
    ),
    *Pair(
        "mixed/halves",
        "the half of an integer, added to another, is {sum}",
        names="n m Int; x Real",
        assertions="(= x (* 0.5 (to_real n))) (= (+ x (to_real m)) {sum}) (<= 0 m n)",
        sat={"sum": "3.5"},
        unsat={"sum": "3.25"},
    ),
    *Pair(
        "nia/square-below",
        "a square is {square}",
        names="x Int",
        assertions="(= (* x x) {square}) (< x 0)",
        sat={"square": "49"},
        unsat={"square": "48"},
    ),
    *Pair(
        "nia/product-and-sum",
        "two numbers of product 12 and sum {sum}",
        names="x y Int",
        assertions="(= (* x y) 12) (= (+ x y) {sum}) (<= 0 x 12) (<= 0 y 12)",
        sat={"sum": "8"},
        unsat={"sum": "9"},
    ),
    *Pair(
        "nia/signs",
        "the product of three numbers, two of them {sign}, is negative",
        names="x y z Int",
        assertions="(< (* x y z) 0) ({sign} x 0) ({sign} y 0) (> z 0)",
        sat={"sign": "distinct"},
        unsat={"sign": "<"},
    ),
    *Pair(
        "nia/binomial",
        "(x + y)(x - y) = x*x {sign} y*y",
        names="x y Int",
        assertions="(distinct (* (+ x y) (- x y)) ({sign} (* x x) (* y y))) (<= 1 y 3)",
        sat={"sign": "+"},
        unsat={"sign": "-"},
    ),
    *Pair(
        "nia/div-by-variable",
        "a quotient and its remainder give the dividend back{but}",
        names="x y Int",
        assertions="(<= 1 y 4) (<= (- 9) x 9) (distinct x (+ (* y (div x y)) {rest}))",
        sat={"but": ", without a remainder not always", "rest": "0"},
        unsat={"but": "", "rest": "(mod x y)"},
    ),
    *Pair(
        "nia/squares-mod-4",
        "a sum of two squares is {rest} modulo 4",
        names="x y Int",
        assertions="(= (mod (+ (* x x) (* y y)) 4) {rest}) (<= 0 x 5) (<= 0 y 5)",
        sat={"rest": "2"},
        unsat={"rest": "3"},
    ),
    *Pair(
        "nra/parabola",
        "the parabola x*x - 2x + {height} goes below 0",
        names="x Real",
        assertions="(< (+ (- (* x x) (* 2.0 x)) {height}) 0.0) (> x 0.0)",
        sat={"height": "0.5"},
        unsat={"height": "1.25"},
    ),
    *Pair(
        "nra/hyperbola",
        "a point of xy >= 1 with x and y below {bound}",
        names="x y Real",
        assertions="(>= (* x y) 1.0) (< 0.0 x {bound}) (< 0.0 y {bound})",
        sat={"bound": "1.5"},
        unsat={"bound": "0.75"},
    ),
    *Pair(
        "nra/quotient",
        "x / y is above {bound} for y above x above 0",
        names="x y Real",
        assertions="(< 0.0 x) (< x y) (> (/ x y) {bound})",
        sat={"bound": "0.75"},
        unsat={"bound": "1.0"},
    ),
]
