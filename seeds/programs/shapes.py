"""One program in every shape that a clause may have; clauses with let, ite, names and quantified bodies."""

from notation import SHAPES, Program


def _countdown(shape: str) -> Program:
    return Program(
        f"shapes/countdown-{shape}",
        """
        from n, at most 10, count down in ones or in twos to 0; assert that the sum of n and what is left
        is at most {most}; shape of the clauses: {shape}
        """,
        predicates="(start Int) (loop Int Int)",
        variables="n x y Int",
        shape=shape,
        rules="""
            (<= 0 n) (<= n 10) => (start n)
            (start n) => (loop n n)
            (loop n x) (> x 0) (or (= y (- x 1)) (= y (- x 2))) (>= y 0) => (loop n y)
            (loop n x) (start n) (> (+ n x) {most}) => false
        """,
        safe={"most": "20", "shape": shape},
        unsafe={"most": "19", "shape": shape},
    )


SHAPED = [
    *(seed for shape in SHAPES for seed in _countdown(shape)),
    *Program(
        "shapes/mixed",
        """
        a lamp with a switch: off -> dim -> bright -> off, each clause in another shape; the switch counts
        assert that it is {state} only after {rest} modulo 3 switches
        """,
        predicates="(off Int) (dim Int) (bright Int)",
        variables="n Int",
        rules="""
            => (off 0)
            :disjunction (off n) (< n 6) => (dim (+ n 1))
            :negated-conjunction (dim n) (< n 6) => (bright (+ n 1))
            :negated-exists (bright n) (< n 6) => (off (+ n 1))
            :head-first (off n) (distinct (mod n 3) 0) => false
            :curried (bright n) (distinct (mod n 3) {rest}) => false
        """,
        safe={"state": "bright", "rest": "2"},
        unsafe={"state": "bright", "rest": "1"},
    ),
    *Program(
        "shapes/facts-without-quantifier",
        """
        a graph of six edges, each a fact; reach is the set of what can be reached from 1
        assert that {to} is not reached
        """,
        predicates="(edge Int Int) (reach Int)",
        variables="x y Int",
        rules="""
            => (edge 1 2)
            => (edge 2 3)
            => (edge 3 1)
            => (edge 4 5)
            => (edge 5 6)
            => (edge 3 {from})
            => (reach 1)
            (reach x) (edge x y) => (reach y)
            (reach {to}) => false
        """,
        safe={"to": "6", "from": "2"},
        unsafe={"to": "6", "from": "4"},
    ),
    *Program(
        "shapes/let",
        """
        x, y := 0, 0
        repeat any number of times: next := x + 1; x, y := next, next + {plus}
        assert y - x <= 1
        """,
        predicates="(loop Int Int)",
        rules="""
            assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (loop x y)))
            assert (forall ((x Int) (y Int))
                (let ((next (+ x 1)) (here (loop x y)))
                  (let ((after (+ next {plus}))) (=> (and here (<= y (+ x 1))) (loop next after)))))
            assert (forall ((x Int) (y Int)) (let ((d (- y x))) (=> (and (loop x y) (> d 1)) false)))
        """,
        safe={"plus": "1"},
        unsafe={"plus": "2"},
    ),
    *Program(
        "shapes/ite",
        """
        x := 0; up := true
        repeat: if up then x := x + 1 else x := x - {down};  up := x < 3
        assert x >= 0
        """,
        predicates="(loop Int Bool)",
        rules="""
            assert (loop 0 true)
            assert (forall ((x Int) (y Int) (up Bool))
                (=> (and (loop x up) (ite up (= y (+ x 1)) (= y (- x {down}))))
                    (loop y (ite (< y 3) true false))))
            assert (forall ((x Int) (up Bool)) (=> (loop x up) (ite up (>= x 0) (>= x (- 1)))))
        """,
        safe={"down": "3"},
        unsafe={"down": "4"},
    ),
    *Program(
        "shapes/named",
        """
        x := 10; while x > 0: x := x - {step}; assert x >= 0; each clause has a name
        """,
        predicates="(loop Int)",
        rules="""
            assert (! (loop 10) :named start)
            assert (! (forall ((x Int)) (=> (and (loop x) (> x 0)) (loop (- x {step})))) :named step)
            assert (! (forall ((x Int)) (=> (loop x) (>= x 0))) :named never-negative)
        """,
        safe={"step": "2"},
        unsafe={"step": "3"},
    ),
    *Program(
        "shapes/exists-in-body",
        """
        a number is reached from half of it, or from a third of it, begun with 1, up to {most}
        assert that 9 is not reached
        """,
        predicates="(reached Int)",
        rules="""
            assert (reached 1)
            assert (forall ((x Int))
                (=> (exists ((y Int)) (and (reached y) (= x (* 2 y)) (<= x {most}))) (reached x)))
            assert (forall ((x Int))
                (=> (exists ((y Int)) (and (reached y) (= x (* 3 y)) (<= x {most}))) (reached x)))
            assert (not (exists ((x Int)) (and (reached x) (= x 9))))
        """,
        safe={"most": "8"},
        unsafe={"most": "9"},
    ),
    *Program(
        "shapes/predicates-in-a-disjunction",
        """
        a message arrives from the north or, if it is short, from the south; {rule}
        assert that no message longer than 5 is accepted
        """,
        predicates="(north Int) (south Int) (accepted Int)",
        variables="n Int",
        rules="""
            (<= 1 n) (<= n 4) => (north n)
            (<= 2 n) (<= n 9) => (south n)
            (or (north n) (and (south n) {short})) => (accepted n)
            (accepted n) (> n 5) => false
        """,
        safe={"rule": "short is at most 5", "short": "(<= n 5)"},
        unsafe={"rule": "short is at most 6", "short": "(< n 7)"},
    ),
    *Program(
        "shapes/negations",
        """
        x := 0
        while not (not (x < 5)): x := x + 1
        assert not (x {relation} 5 or x < 0)
        """,
        predicates="(loop Int)",
        variables="x Int",
        rules="""
            => (loop 0)
            (not (or (not (loop x)) (not (< x 5)))) => (loop (+ x 1))
            (not (not (loop x))) (not (and (not ({relation} x 5)) (not (< x 0)))) => false
        """,
        safe={"relation": ">"},
        unsafe={"relation": ">="},
    ),
    *Program(
        "shapes/constants-and-junk",
        """
        a switch that is pressed again and again, among clauses that say nothing
        assert that it is off after {presses} presses
        """,
        predicates="(switch Bool Int) (never Int)",
        variables="on Bool; n m Int",
        rules="""
            => true
            => (switch false 0)
            (switch on n) true (< n 4) => (switch (not on) (+ n 1))
            false => (never n)
            (never n) (= m (+ n 1)) => (never m)
            (never n) => false
            (switch on n) (<= n n) => true
            (switch on {presses}) on => false
        """,
        safe={"presses": "2"},
        unsafe={"presses": "3"},
    ),
    *Program(
        "shapes/equivalences",
        """
        two lamps are switched together, or both are {action}
        assert that they are never unlike
        """,
        predicates="(lamps Bool Bool)",
        variables="a b c d Bool",
        rules="""
            (= a b) => (lamps a b)
            (lamps a b) (= (not a) c) (= (not b) d) => (lamps c d)
            (lamps a b) (=> a c) (=> b d) (= c {first}) => (lamps c d)
            (lamps a b) (xor a b) => false
        """,
        safe={"action": "lit", "first": "d"},
        unsafe={"action": "lit, but the second may fail", "first": "(or d (not b))"},
    ),
]
