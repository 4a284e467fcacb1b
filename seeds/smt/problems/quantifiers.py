"""Quantifiers, with and without patterns, alternating, over finite and infinite sorts."""

from seeds.smt.notation import Pair, Seed

COLOUR = "(declare-datatypes ((Colour 0)) (((red) (green) (blue))))"

QUANTIFIERS: list[Seed] = [
    *Pair(
        "quantifiers/pattern",
        "f is at least its argument, by a pattern; f(f(3)) is {value}",
        names="(f Int) Int",
        assertions="(forall ((x Int)) (! (>= (f x) x) :pattern ((f x)))) (= (f (f 3)) {value})",
        sat={"value": "3"},
        unsat={"value": "2"},
    ),
    *Pair(
        "quantifiers/two-patterns",
        "g undoes f{but}",
        sorts="U",
        names="(f U) U; (g U) U; a b U",
        assertions="""
            (forall ((x U)) (! (= (g (f x)) x) :pattern ((f x)) :pattern ((g (f x)))))
            (= (f a) (f b))
            ({relation} a b)
        """,
        sat={"but": "", "relation": "="},
        unsat={"but": ", so f is injective", "relation": "distinct"},
    ),
    *Pair(
        "quantifiers/multi-pattern",
        "a transitive relation from a to d{but}",
        sorts="U",
        names="(r U U) Bool; a b c d U",
        assertions="""
            (forall ((x U) (y U) (z U)) (! (=> (and (r x y) (r y z)) (r x z)) :pattern ((r x y) (r y z))))
            (r a b)
            (r b c)
            (r c d)
            {last}
        """,
        sat={"but": ", not back", "last": "(not (r d a))"},
        unsat={"but": "", "last": "(not (r a d))"},
    ),
    *Pair(
        "quantifiers/finite-sort",
        "a sort of {size} elements has {count} that differ",
        sorts="U",
        names="a b c U",
        assertions="(forall ((x U)) (or (= x a) (= x b) {third})) (exists ((x U) (y U) (z U)) (distinct x y z))",
        sat={"size": "three", "count": "three", "third": "(= x c)"},
        unsat={"size": "two", "count": "three", "third": "(= x a b)"},
    ),
    *Pair(
        "quantifiers/alternation",
        "each integer has one {side} it{but}",
        names="p Bool",
        assertions="(= p (forall ((x Int)) (exists ((y Int)) (and (< y x) {bound})))) (= p {value})",
        sat={"side": "below", "but": "", "bound": "(< y (+ x 1))", "value": "true"},
        unsat={"side": "below", "but": ", not above 0", "bound": "(> y 0)", "value": "true"},
    ),
    *Pair(
        "quantifiers/dense",
        "between 3 and b there is {what}",
        names="b Real",
        assertions="(< 3.0 b) (<= b 4.0) (not (exists ((x {sort})) (and (< 3.0 {x}) (< {x} b))))",
        sat={"what": "no integer", "sort": "Int", "x": "(to_real x)"},
        unsat={"what": "no real", "sort": "Real", "x": "x"},
    ),
    *Pair(
        "quantifiers/presburger",
        "each sum of 3s and {other}s above 7 can be had",
        assertions="""
            (not (forall ((n Int)) (=> (<= 8 n 12)
              (exists ((a Int) (b Int)) (and (<= 0 a 4) (<= 0 b 4) (= n (+ (* 3 a) (* {other} b))))))))
        """,
        sat={"other": "6"},
        unsat={"other": "5"},
    ),
    *Pair(
        "quantifiers/words",
        "a word of 3 bits whose product with every word is {which}",
        names="x (_ BitVec 3)",
        assertions="(forall ((y (_ BitVec 3))) (= (bvmul x y) {product})) (distinct x #b000)",
        sat={"which": "that word", "product": "y"},
        unsat={"which": "0", "product": "#b000"},
    ),
    *Pair(
        "quantifiers/words-exist",
        "every word of 2 bits is {what}",
        assertions="(forall ((x (_ BitVec 2))) (exists ((y (_ BitVec 2))) (= x ({operator} y y))))",
        sat={"what": "the negation of a word", "operator": "bvnand"},
        unsat={"what": "twice a word", "operator": "bvadd"},
    ),
    *Pair(
        "quantifiers/booleans",
        "a formula with quantified Booleans{but}",
        names="q Bool",
        assertions="""
            (forall ((x Bool)) (exists ((y Bool)) (= (xor x y) {result})))
            (= q (forall ((x Bool)) (or x {other})))
            q
        """,
        sat={"but": "", "result": "q", "other": "(not x)"},
        unsat={"but": ", one of which is wrong", "result": "q", "other": "(and x q)"},
    ),
    *Pair(
        "quantifiers/colours",
        "a function of colours that is {kind}",
        datatypes=COLOUR,
        names="(f Colour) Colour",
        assertions="""
            (forall ((x Colour) (y Colour)) (=> (= (f x) (f y)) (= x y)))
            (exists ((x Colour)) (forall ((y Colour)) ({relation} (f y) x)))
        """,
        sat=None,
        unsat={"kind": "injective and not onto", "relation": "distinct"},
    ),
    *Pair(
        "quantifiers/colours-fixed",
        "a function of colours that is injective, without a fixed point, and {kind}",
        datatypes=COLOUR,
        names="(f Colour) Colour",
        assertions="""
            (forall ((x Colour) (y Colour)) (=> (= (f x) (f y)) (= x y)))
            (forall ((x Colour)) (distinct (f x) x))
            (exists ((x Colour)) (= ({power}) x))
        """,
        sat={"kind": "thrice the identity somewhere", "power": "f (f (f x))"},
        unsat={"kind": "twice the identity somewhere", "power": "f (f x)"},
    ),
    *Pair(
        "quantifiers/array-property",
        "a sorted array of four has {where}",
        names="a (Array Int Int)",
        assertions="""
            (forall ((i Int) (j Int)) (=> (and (<= 0 i) (<= i j) (<= j 3)) (<= (select a i) (select a j))))
            (> (select a {first}) (select a {second}))
        """,
        sat={"where": "something greater than the first", "first": "2", "second": "0"},
        unsat={"where": "nothing greater than the last", "first": "2", "second": "3"},
    ),
    *Pair(
        "quantifiers/under-ite",
        "a condition with a quantifier chooses the bound{but}",
        names="x y Int",
        assertions="""
            (= y (ite (exists ((z Int)) (= x (* 2 z))) 0 1))
            (= (mod x 2) {rest})
            (= y 1)
        """,
        sat={"but": "", "rest": "1"},
        unsat={"but": " wrongly", "rest": "0"},
    ),
    *Pair(
        "quantifiers/shadowed",
        "an inner x hides the outer one{but}",
        names="x Int; (p Int) Bool",
        assertions="""
            (forall ((x Int)) (=> (p x) (exists ((x Int)) (and (not (p x)) (> x 5)))))
            (p x)
            {rest}
        """,
        sat={"but": "", "rest": "(not (p (+ x 1)))"},
        unsat={"but": ", and none is above 5", "rest": "(forall ((y Int)) (=> (> y 5) (p y)))"},
    ),
    *Pair(
        "quantifiers/named",
        "a formula with a name{but}",
        names="(f Int) Int; x Int",
        assertions="""
            (! (forall ((y Int)) (= (f y) (+ y {step}))) :named grows)
            (! (= (f (f x)) (+ x 2)) :named twice)
        """,
        sat={"but": "", "step": "1"},
        unsat={"but": " and a wrong step", "step": "2"},
    ),
]
