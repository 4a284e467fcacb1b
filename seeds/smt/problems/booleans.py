"""Booleans alone: connectives, conditions, and Boolean terms as arguments."""

from seeds.smt.notation import Pair, Seed

BOOLEANS: list[Seed] = [
    *Pair(
        "bool/implications-in-a-ring",
        "implications in a ring{but}",
        names="a b c d Bool",
        assertions="(=> a b) (=> b c) (=> c d) (=> d a) (xor a {last})",
        sat={"but": ", and one value outside of it", "last": "(not c)"},
        unsat={"but": " make all values equal", "last": "c"},
    ),
    *Pair(
        "bool/xor-chain",
        "the xor of four values is {value}, and they are equal in pairs",
        names="a b c d Bool",
        assertions="(= a b) (= c {last}) (= (xor a b c d) true)",
        sat={"value": "true if one is negated", "last": "(not d)"},
        unsat={"value": "true", "last": "d"},
    ),
    *Pair(
        "bool/conditions",
        "ite of conditions is a choice of two implications{but}",
        names="p q r Bool",
        assertions="(distinct (ite p q r) (and (=> p q) (=> {other} r)))",
        sat={"but": ", of the wrong one", "other": "(not q)"},
        unsat={"but": "", "other": "(not p)"},
    ),
    *Pair(
        "bool/three-values",
        "three Booleans are distinct in pairs{but}",
        names="a b c Bool",
        assertions="(distinct a b) (distinct b c) {third}",
        sat={"but": ", but for one pair", "third": "(or a c)"},
        unsat={"but": "", "third": "(distinct a c)"},
    ),
    *Pair(
        "bool/right-implication",
        "=> of three is read from the right, = and xor from the left",
        names="a b c Bool",
        assertions="(distinct (=> a b c) {reading})",
        sat={"reading": "(=> (=> a b) c)"},
        unsat={"reading": "(=> a (=> b c))"},
    ),
    *Pair(
        "bool/shared-lets",
        "two names are exchanged by a let in a let: x is the disjunction then{but}",
        names="p q Bool",
        assertions="""
            (let ((x (and p q)) (y (or p q)))
              (let ((x y) (y x))
                (not (=> {weak} {strong}))))
        """,
        sat={"but": ", and does not imply the conjunction", "weak": "x", "strong": "y"},
        unsat={"but": ", and follows from the conjunction", "weak": "y", "strong": "x"},
    ),
    *Pair(
        "bool/table",
        "a function of two Booleans is {what}",
        names="(f Bool Bool) Bool; p q Bool",
        assertions="""
            (f true false)
            (not (f false true))
            (= (f p q) (f q p))
            {apart}
        """,
        sat={"what": "symmetric at one place", "apart": "(= p (f p p))"},
        unsat={"what": "not symmetric", "apart": "(distinct p q)"},
    ),
    *Pair(
        "bool/formula-as-argument",
        "a function of a formula has two values at most{but}",
        names="(f Bool) Int; x y Int",
        assertions="""
            (distinct (f (< x y)) (f (= x y)) {third})
        """,
        sat={"but": ", two of two", "third": ""},
        unsat={"but": ", not three", "third": "(f (> x y))"},
    ),
]
