"""Systems that are remarkable as a whole: many predicates, several queries, no query."""

from notation import Program

STAGES = 20


def _pipeline(last: str) -> str:
    """Rules of a pipeline that hands a number through all stages and adds 1 in every second one."""
    rules = ["(<= 0 x) (<= x 10) => (stage-0 x)"]
    for stage in range(1, STAGES):
        rules.append(f"(stage-{stage - 1} x) (= y (+ x {stage % 2})) => (stage-{stage} y)")
    return "\n".join([*rules, f"(stage-{STAGES - 1} x) (> x {last}) => false"])


def _corridor(locked: str) -> str:
    """Rules of a corridor of 12 rooms, doors between neighbours in both directions, and two short cuts."""
    rules = ["=> room-0"]
    for room in range(11):
        if str(room) != locked:
            rules += [f"room-{room} => room-{room + 1}", f"room-{room + 1} => room-{room}"]
    return "\n".join([*rules, "room-3 => room-1", "room-9 room-10 => room-8", "room-11 => false"])


WHOLES = [
    *Program(
        "many-predicates/pipeline",
        """
        a number from 0 to 10 goes through 20 stages; every second one adds 1
        assert that at most {last} comes out
        """,
        predicates=" ".join(f"(stage-{stage} Int)" for stage in range(STAGES)),
        variables="x y Int",
        rules="{pipeline}",
        safe={"last": "20", "pipeline": _pipeline("20")},
        unsafe={"last": "19", "pipeline": _pipeline("19")},
    ),
    *Program(
        "many-predicates/corridor",
        """
        twelve rooms in a row with doors between neighbours; the door after room {locked} is locked
        assert that the last room cannot be reached from the first
        """,
        predicates=" ".join(f"(room-{room})" for room in range(12)),
        rules="{corridor}",
        safe={"locked": "6", "corridor": _corridor("6")},
        unsafe={"locked": "11, which has none,", "corridor": _corridor("11")},
    ),
    *Program(
        "many-predicates/control-flow-graph",
        """
        b0: x := 0; y := any number from 0 to 5
        b1: if y > 0 goto b2 else goto b6
        b2: if y is odd goto b3 else goto b4
        b3: x := x + 1; goto b5
        b4: x := x + {even}; goto b5
        b5: y := y - 1; goto b1
        b6: assert x <= 5
        """,
        predicates=" ".join(f"(b{block} Int Int)" for block in range(7)),
        variables="x y Int",
        rules="""
            (<= 0 y) (<= y 5) => (b0 0 y)
            (b0 x y) => (b1 x y)
            (b1 x y) (> y 0) => (b2 x y)
            (b1 x y) (not (> y 0)) => (b6 x y)
            (b2 x y) (= (mod y 2) 1) => (b3 x y)
            (b2 x y) (= (mod y 2) 0) => (b4 x y)
            (b3 x y) => (b5 (+ x 1) y)
            (b4 x y) => (b5 (+ x {even}) y)
            (b5 x y) => (b1 x (- y 1))
            (b6 x y) (> x 5) => false
        """,
        safe={"even": "1"},
        unsafe={"even": "2"},
    ),
    *Program(
        "many-predicates/lexer",
        """
        a lexer for names and numbers, which reads a letter (1), a digit (2) or a blank (0) at a time
        the length of the token is counted, numbers have at most {digits} digits
        assert that a number has at most 3 digits and no token is empty
        """,
        predicates="(start) (letter Int) (digit Int) (input Int) (name Int) (number Int) (token Int Int)",
        variables="c n m Int",
        rules="""
            => start
            (or (= c 0) (= c 1) (= c 2)) => (input c)
            (input c) (= c 1) => (letter c)
            (input c) (= c 2) => (digit c)
            start (letter c) => (name 1)
            start (digit c) => (number 1)
            (name n) (letter c) (= m (+ n 1)) => (name m)
            (name n) (digit c) (= m (+ n 1)) => (name m)
            (number n) (digit c) (< n {digits}) (= m (+ n 1)) => (number m)
            (name n) (input 0) => (token 1 n)
            (number n) (input 0) => (token 2 n)
            (token 2 n) (> n 3) => false
            (token c n) (< n 1) => false
        """,
        safe={"digits": "3"},
        unsafe={"digits": "4"},
    ),
    *Program(
        "many-predicates/call-graph",
        """
        main calls parse and run; parse calls next; run calls step and trace; step calls next and {callee}
        every call adds a frame to the stack; assert that the stack is never more than 4 deep
        """,
        predicates="(main Int) (parse Int) (run Int) (next Int) (step Int) (trace Int) (deep Int)",
        variables="d e Int",
        rules="""
            => (main 1)
            (main d) (= e (+ d 1)) => (parse e)
            (main d) (= e (+ d 1)) => (run e)
            (parse d) (= e (+ d 1)) => (next e)
            (run d) (= e (+ d 1)) => (step e)
            (run d) (= e (+ d 1)) => (trace e)
            (step d) (= e (+ d 1)) => (next e)
            (step d) (= e (+ d 1)) => ({callee} e)
            (or (main d) (parse d) (run d) (next d) (step d) (trace d)) => (deep d)
            (deep d) (> d 4) => false
        """,
        safe={"callee": "trace"},
        unsafe={"callee": "run"},
    ),
    *Program(
        "many-predicates/digital-lock",
        """
        the lock opens on the digits 4 7 1 in a row; {mistake}
        the digits pressed are 4, then 7 or 1, then 4 or 1; assert that it does not open before the third
        """,
        predicates="(press Int Int) (idle Int) (first Int) (second Int) (open Int)",
        variables="t d Int",
        rules="""
            ; (press t d): the digit at time t is d; (idle t) etc. is where the lock is before time t
            (= t 0) (= d 4) => (press t d)
            (= t 1) (or (= d 7) (= d 1)) => (press t d)
            (= t 2) (or (= d 4) (= d 1)) => (press t d)
            => (idle 0)
            (idle t) (<= t 2) (press t d) (= d 4) => (first (+ t 1))
            (idle t) (<= t 2) (press t d) (distinct d 4) => (idle (+ t 1))
            (first t) (press t d) (= d 7) => (second (+ t 1))
            (first t) (press t d) (= d 4) => (first (+ t 1))
            (first t) (press t d) (= d 1) => {after_one}
            (second t) (press t d) (= d 1) => (open t)
            (second t) (press t d) (= d 4) => (first (+ t 1))
            (open t) (< t 2) => false
        """,
        safe={"mistake": "any other digit begins anew", "after_one": "(idle (+ t 1))"},
        unsafe={"mistake": "but 1 opens it too soon", "after_one": "(open t)"},
    ),
    *Program(
        "many-predicates/supply-chain",
        """
        a good goes from mine to mill to shop to home, and from shop back to mill; each leg adds its cost
        assert that whatever is at home has cost {least} at least
        """,
        predicates="(mine Int) (mill Int) (shop Int) (home Int)",
        variables="c d Int",
        rules="""
            => (mine 0)
            (mine c) (<= (+ c 2) d) (<= d (+ c 4)) => (mill d)
            (mill c) (<= (+ c 3) d) (<= d (+ c 5)) => (shop d)
            (shop c) (= d (+ c 1)) => (mill d)
            (shop c) (<= (+ c 1) d) (<= d (+ c 2)) => (home d)
            (home c) (< c {least}) => false
        """,
        safe={"least": "6"},
        unsafe={"least": "7"},
    ),
    *Program(
        "queries/three-assertions",
        """
        x, y := 0, 10
        while x < y: x, y := x + 1, y - 1
        assert x <= 5 in the loop;  assert y >= {least} in the loop;  assert x = y after it
        """,
        predicates="(loop Int Int)",
        variables="x y Int",
        rules="""
            => (loop 0 10)
            (loop x y) (< x y) => (loop (+ x 1) (- y 1))
            (loop x y) (> x 5) => false
            (loop x y) (< y {least}) => false
            (loop x y) (>= x y) (not (= x y)) => false
        """,
        safe={"least": "5"},
        unsafe={"least": "6"},
    ),
    *Program(
        "queries/query-for-each-predicate",
        """
        ping and pong send a ball to and fro, it loses 1 of its force each time
        assert that the force at ping is at most 6, at pong at most {most}
        """,
        predicates="(ping Int) (pong Int)",
        variables="f Int",
        rules="""
            => (ping 6)
            (ping f) (> f 0) => (pong (- f 1))
            (pong f) (> f 0) => (ping (- f 1))
            (ping f) (> f 6) => false
            (pong f) (> f {most}) => false
        """,
        safe={"most": "5"},
        unsafe={"most": "4"},
    ),
    *Program(
        "queries/query-of-two-predicates",
        """
        two walkers on the numbers, one from 0 upwards in steps of 2, one from {start} downwards in steps of 3
        assert that they never both stand on {place}
        """,
        predicates="(up Int) (down Int)",
        variables="x Int",
        rules="""
            => (up 0)
            (up x) (< x 10) => (up (+ x 2))
            => (down {start})
            (down x) (> x 0) => (down (- x 3))
            (up {place}) (down {place}) => false
            (up x) (< x 0) => false
        """,
        safe={"start": "11", "place": "5"},
        unsafe={"start": "12", "place": "6"},
    ),
    *Program(
        "queries/query-without-predicate",
        """
        assert 2 * n != {number} for whole numbers n, with no program at all
        """,
        predicates="(unused Int)",
        variables="n Int",
        rules="""
            (= (* 2 n) {number}) => false
        """,
        safe={"number": "7"},
        unsafe={"number": "8"},
    ),
    *Program(
        "queries/no-query",
        """
        x := 0
        repeat for ever: x := x + 1;  nothing is asserted
        """,
        predicates="(loop Int)",
        variables="x Int",
        rules="""
            => (loop 0)
            (loop x) => (loop (+ x 1))
        """,
        safe={},
    ),
    *Program(
        "queries/no-query-nonlinear",
        """
        trees of any shape and their sizes;  nothing is asserted
        """,
        predicates="(tree Int)",
        variables="m n Int",
        rules="""
            => (tree 0)
            (tree m) (tree n) => (tree (+ m n 1))
        """,
        safe={},
    ),
    *Program(
        "queries/bound-as-head",
        """
        x := 0
        while x < {end}: x := x + 1
        and of every x reached it is asserted, as the head of a clause, that 0 <= x <= 10
        """,
        predicates="(loop Int)",
        variables="x Int",
        rules="""
            => (loop 0)
            (loop x) (< x {end}) => (loop (+ x 1))
            (loop x) => (<= 0 x)
            (loop x) => (<= x 10)
        """,
        safe={"end": "10"},
        unsafe={"end": "11"},
    ),
]
