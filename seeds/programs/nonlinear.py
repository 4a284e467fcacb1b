"""Recursive programs over integers: clauses with two and more predicates in the body."""

from notation import Program

NONLINEAR = [
    *Program(
        "lia-nonlinear/mccarthy-91",
        """
        mc(n) = n - 10           if n > 100
              = mc(mc(n + 11))   otherwise
        assert mc(n) {relation} 91 for n <= 101
        """,
        predicates="(mc Int Int)",
        variables="n m r Int",
        rules="""
            (> n 100) (= r (- n 10)) => (mc n r)
            (<= n 100) (mc (+ n 11) m) (mc m r) => (mc n r)
            (mc n r) (<= n 101) (not ({relation} r 91)) => false
        """,
        safe={"relation": "="},
        unsafe={"relation": ">"},
    ),
    *Program(
        "lia-nonlinear/mccarthy-91-lower-bound",
        """
        mc(n) = n - {back}       if n > 100
              = mc(mc(n + 11))   otherwise
        assert mc(n) >= 91
        """,
        predicates="(mc Int Int)",
        variables="n m r Int",
        rules="""
            (> n 100) (= r (- n {back})) => (mc n r)
            (<= n 100) (mc (+ n 11) m) (mc m r) => (mc n r)
            (mc n r) (< r 91) => false
        """,
        safe={"back": "10"},
        unsafe={"back": "11"},
    ),
    *Program(
        "lia-nonlinear/fibonacci",
        """
        fib(n) = 1                          if n <= 1
               = fib(n - 1) + fib(n - 2)    otherwise
        assert fib(n) {relation} n
        """,
        predicates="(fib Int Int)",
        variables="n r a b Int",
        rules="""
            (<= n 1) => (fib n 1)
            (> n 1) (fib (- n 1) a) (fib (- n 2) b) (= r (+ a b)) => (fib n r)
            (fib n r) (not ({relation} r n)) => false
        """,
        safe={"relation": ">="},
        unsafe={"relation": "<="},
    ),
    *Program(
        "lia-nonlinear/ackermann",
        """
        ack(0, n) = n + 1
        ack(m, 0) = ack(m - 1, 1)
        ack(m, n) = ack(m - 1, ack(m, n - 1))
        assert ack(m, n) {relation} n + 1
        """,
        predicates="(ack Int Int Int)",
        variables="m n r s Int",
        rules="""
            (= m 0) (>= n 0) (= r (+ n 1)) => (ack m n r)
            (> m 0) (= n 0) (ack (- m 1) 1 r) => (ack m n r)
            (> m 0) (> n 0) (ack m (- n 1) s) (ack (- m 1) s r) => (ack m n r)
            (ack m n r) (not ({relation} r (+ n 1))) => false
        """,
        safe={"relation": ">="},
        unsafe={"relation": "="},
    ),
    *Program(
        "lia-nonlinear/ackermann-like",
        """
        g(x, y) = y + 1                       if x <= 0
                = g(x - 1, g(x - 1, y))       otherwise
        assert g(x, y) {relation} y
        """,
        predicates="(g Int Int Int)",
        variables="x y r s Int",
        rules="""
            (<= x 0) (= r (+ y 1)) => (g x y r)
            (> x 0) (g (- x 1) y s) (g (- x 1) s r) => (g x y r)
            (g x y r) (not ({relation} r y)) => false
        """,
        safe={"relation": ">"},
        unsafe={"relation": "<="},
    ),
    *Program(
        "lia-nonlinear/even-odd",
        """
        even(0); even(n + 1) if odd(n); odd(n + 1) if even(n); even(n + {step}) if even(n), for n < 6
        assert that no number is both even and odd
        """,
        predicates="(even Int) (odd Int)",
        variables="n Int",
        rules="""
            => (even 0)
            (odd n) (< n 6) => (even (+ n 1))
            (even n) (< n 6) => (odd (+ n 1))
            (even n) (< n 6) => (even (+ n {step}))
            (even n) (odd n) => false
        """,
        safe={"step": "2"},
        unsafe={"step": "3"},
    ),
    *Program(
        "lia-nonlinear/even-odd-down",
        """
        even(n) = n = 0 or odd(n - 1);  odd(n) = n != 0 and even(n - 1), for n >= 0
        results are 0 and 1; assert even(n) + odd(n) <= {most}
        """,
        predicates="(even Int Int) (odd Int Int)",
        variables="n r s Int",
        rules="""
            (= n 0) (= r 1) => (even n r)
            (> n 0) (odd (- n 1) r) => (even n r)
            (= n 0) (= r 0) => (odd n r)
            (> n 0) (even (- n 1) r) => (odd n r)
            (even n r) (odd n s) (> (+ r s) {most}) => false
        """,
        safe={"most": "2"},
        unsafe={"most": "0"},
    ),
    *Program(
        "lia-nonlinear/three-way-recursion",
        """
        zero(0); one(n + 1) if zero(n); two(n + 1) if one(n); zero(n + 1) if two(n), for n < 7
        assert not (zero(n) and one({sum}))
        """,
        predicates="(zero Int) (one Int) (two Int)",
        variables="n m Int",
        rules="""
            => (zero 0)
            (zero n) (< n 7) (= m (+ n 1)) => (one m)
            (one n) (< n 7) (= m (+ n 1)) => (two m)
            (two n) (< n 7) (= m (+ n 1)) => (zero m)
            (zero n) (one {sum}) => false
        """,
        safe={"sum": "n"},
        unsafe={"sum": "(+ n 4)"},
    ),
    *Program(
        "lia-nonlinear/recursive-sum",
        """
        sum(n) = 0                   if n <= 0
               = n + sum(n - 1)      otherwise
        assert sum(n) {relation} n
        """,
        predicates="(sum Int Int)",
        variables="n r s Int",
        rules="""
            (<= n 0) (= r 0) => (sum n r)
            (> n 0) (sum (- n 1) s) (= r (+ n s)) => (sum n r)
            (sum n r) (not ({relation} r n)) => false
        """,
        safe={"relation": ">="},
        unsafe={"relation": "<="},
    ),
    *Program(
        "lia-nonlinear/multiplication-by-addition",
        """
        add(x, y) = y if x = 0, else 1 + add(x - 1, y)
        mult(x, y) = 0 if x = 0, else add(y, mult(x - 1, y))
        assert mult(x, y) >= {bound} for x >= 1, y >= 0
        """,
        predicates="(add Int Int Int) (mult Int Int Int)",
        variables="x y r s Int",
        rules="""
            (= x 0) => (add x y y)
            (> x 0) (add (- x 1) y s) (= r (+ s 1)) => (add x y r)
            (= x 0) (>= y 0) => (mult x y 0)
            (> x 0) (mult (- x 1) y s) (add y s r) => (mult x y r)
            (mult x y r) (>= x 1) (>= y 0) (< r {bound}) => false
        """,
        safe={"bound": "0"},
        unsafe={"bound": "x"},
    ),
    *Program(
        "lia-nonlinear/full-binary-trees",
        """
        a full binary tree is a leaf, or a node with two full binary trees; a node counts {node}
        assert leaves = nodes + 1
        """,
        predicates="(tree Int Int)",
        variables="l m n k leaves nodes Int",
        rules="""
            => (tree 1 0)
            (tree l m) (tree n k) (= leaves (+ l n)) (= nodes (+ m k {node})) => (tree leaves nodes)
            (tree leaves nodes) (not (= leaves (+ nodes 1))) => false
        """,
        safe={"node": "1"},
        unsafe={"node": "2"},
    ),
    *Program(
        "lia-nonlinear/tree-height",
        """
        a tree is empty, or a node with a left and a right tree
        height = 1 + max(height of left, height of right), size = 1 + both sizes
        assert height {relation} size
        """,
        predicates="(tree Int Int)",
        variables="h1 s1 h2 s2 h s Int",
        rules="""
            => (tree 0 0)
            (tree h1 s1) (tree h2 s2) (= h (+ 1 (ite (> h1 h2) h1 h2))) (= s (+ 1 s1 s2)) => (tree h s)
            (tree h s) (not ({relation} h s)) => false
        """,
        safe={"relation": "<="},
        unsafe={"relation": ">="},
    ),
    *Program(
        "lia-nonlinear/towers-of-hanoi",
        """
        moves(0) = 0;  moves(n) = moves(n - 1) + 1 + moves(n - 1)
        assert moves(n) {relation} n
        """,
        predicates="(moves Int Int)",
        variables="n a b r Int",
        rules="""
            => (moves 0 0)
            (moves n a) (moves n b) (>= n 0) (= r (+ a 1 b)) => (moves (+ n 1) r)
            (moves n r) (not ({relation} r n)) => false
        """,
        safe={"relation": ">="},
        unsafe={"relation": "<="},
    ),
    *Program(
        "lia-nonlinear/balanced-parentheses",
        """
        S -> empty | ( S ) | S S{extra}
        assert that S has as many opening as closing parentheses
        """,
        predicates="(s Int Int)",
        variables="a b c d Int",
        rules="""
            => (s 0 0)
            (s a b) => (s (+ a 1) (+ b {closing}))
            (s a b) (s c d) => (s (+ a c) (+ b d))
            (s a b) (distinct a b) => false
        """,
        safe={"extra": "", "closing": "1"},
        unsafe={"extra": ", but the ) after ( S is written twice", "closing": "2"},
    ),
    *Program(
        "lia-nonlinear/words-a-b",
        """
        S -> a S b S | b S a S | empty
        assert that S has no word of length {length}
        """,
        predicates="(s Int Int)",
        variables="a b c d Int",
        rules="""
            => (s 0 0)
            (s a b) (s c d) => (s (+ a c 1) (+ b d 1))
            (s a b) (= (+ a b) {length}) => false
        """,
        safe={"length": "5"},
        unsafe={"length": "6"},
    ),
    *Program(
        "lia-nonlinear/hofstadter-female-male",
        """
        f(0) = 1;  f(n) = n - m(f(n - 1))
        m(0) = 0;  m(n) = n - f(m(n - 1))
        assert f({n}) != 2
        """,
        predicates="(f Int Int) (m Int Int)",
        variables="n k a b Int",
        rules="""
            => (f 0 1)
            (= k (+ n 1)) (>= n 0) (f n a) (m a b) => (f k (- k b))
            => (m 0 0)
            (= k (+ n 1)) (>= n 0) (m n a) (f a b) => (m k (- k b))
            (f {n} 2) => false
        """,
        safe={"n": "1"},
        unsafe={"n": "2"},
    ),
    *Program(
        "lia-nonlinear/takeuchi",
        """
        tak(x, y, z) = y                                                         if x <= y
                     = tak(tak(x-1, y, z), tak(y-1, z, x), tak(z-1, x, y))       otherwise
        assert {claim} for r = tak(x, y, z)
        """,
        predicates="(tak Int Int Int Int)",
        variables="x y z a b c r Int",
        rules="""
            (<= x y) (= r y) => (tak x y z r)
            (> x y) (tak (- x 1) y z a) (tak (- y 1) z x b) (tak (- z 1) x y c) (tak a b c r) => (tak x y z r)
            (tak x y z r) (not {claim}) => false
        """,
        safe={"claim": "(or (<= r x) (<= r y) (<= r z))"},
        unsafe={"claim": "(or (<= x y) (= r z))"},
    ),
    *Program(
        "lia-nonlinear/inc-twice",
        """
        inc(x) = x + 1
        twice(x) = inc(inc(x))
        assert twice(x) = x + {sum}
        """,
        predicates="(inc Int Int) (twice Int Int)",
        variables="x y z Int",
        rules="""
            (= y (+ x 1)) => (inc x y)
            (inc x y) (inc y z) => (twice x z)
            (twice x y) (not (= y (+ x {sum}))) => false
        """,
        safe={"sum": "2"},
        unsafe={"sum": "1"},
    ),
    *Program(
        "lia-nonlinear/nim",
        """
        take 1, 2 or 3 matches; who cannot take any has lost
        lost(n) if all moves win for the other; won(n) if some move leaves the other lost
        assert not lost({n})
        """,
        predicates="(lost Int) (won Int)",
        variables="n Int",
        rules="""
            => (lost 0)
            (lost n) (>= n 0) => (won (+ n 1))
            (lost n) (>= n 0) => (won (+ n 2))
            (lost n) (>= n 0) => (won (+ n 3))
            (won n) (won (+ n 1)) (won (+ n 2)) => (lost (+ n 3))
            (lost {n}) => false
        """,
        safe={"n": "5"},
        unsafe={"n": "8"},
    ),
    *Program(
        "lia-nonlinear/transitive-closure",
        """
        edge(n, n + 1) and edge(n, n + 3) for n >= 0
        path is the transitive closure of edge
        assert not path({from_to})
        """,
        predicates="(edge Int Int) (path Int Int)",
        variables="n m k Int",
        rules="""
            (>= n 0) (or (= m (+ n 1)) (= m (+ n 3))) => (edge n m)
            (edge n m) => (path n m)
            (path n m) (path m k) => (path n k)
            (path {from_to}) => false
        """,
        safe={"from_to": "5 5"},
        unsafe={"from_to": "0 5"},
    ),
    *Program(
        "lia-nonlinear/same-generation",
        """
        person n has parents 2 * n and 2 * n + 1, for n >= 1
        two people are of one generation if they are the same, or if their children are
        assert not generation({who})
        """,
        predicates="(parent Int Int) (generation Int Int)",
        variables="n m a b Int",
        rules="""
            (>= n 1) (= m (* 2 n)) => (parent n m)
            (>= n 1) (= m (+ (* 2 n) 1)) => (parent n m)
            => (generation 1 1)
            (generation n m) (parent n a) (parent m b) => (generation a b)
            (generation {who}) => false
        """,
        safe={"who": "2 4"},
        unsafe={"who": "5 6"},
    ),
    *Program(
        "lia-nonlinear/recursive-division",
        """
        div(a, b) = 0                     if a < b
                  = 1 + div(a - b, b)     otherwise
        assert div(a, b) {relation} a for a >= 1, b >= 2
        """,
        predicates="(quotient Int Int Int)",
        variables="a b q r Int",
        rules="""
            (>= a 0) (>= b 1) (< a b) (= q 0) => (quotient a b q)
            (>= b 1) (>= a b) (quotient (- a b) b r) (= q (+ r 1)) => (quotient a b q)
            (quotient a b q) (>= a 1) (>= b 2) (not ({relation} q a)) => false
        """,
        safe={"relation": "<"},
        unsafe={"relation": "="},
    ),
    *Program(
        "lia-nonlinear/power-of-two",
        """
        pow(0) = 1;  pow(n) = pow(n - 1) + pow(n - 1)
        assert pow(n) {relation} n
        """,
        predicates="(pow Int Int)",
        variables="n r Int",
        rules="""
            => (pow 0 1)
            (pow n r) (>= n 0) => (pow (+ n 1) (+ r r))
            (pow n r) (not ({relation} r n)) => false
        """,
        safe={"relation": ">"},
        unsafe={"relation": "<="},
    ),
    *Program(
        "lia-nonlinear/two-threads",
        """
        x := 0
        thread A, again and again: atomically x := x + 1 if x < {limit}
        thread B, again and again: atomically x := x - 1 if x > 0
        each thread has its invariant, and keeps it under what the other does
        assert 0 <= x <= 3
        """,
        predicates="(a Int Int) (b Int Int)",
        variables="x y p q Int",
        rules="""
            => (a 0 0)
            => (b 0 0)
            ; a step of each thread from its test to its assignment
            (a 0 x) (< x {limit}) => (a 1 x)
            (a 1 x) (< x {limit}) => (a 0 (+ x 1))
            (b 0 x) (> x 0) => (b 1 x)
            (b 1 x) (> x 0) => (b 0 (- x 1))
            ; interference
            (a p x) (b 1 x) (> x 0) => (a p (- x 1))
            (b p x) (a 1 x) (< x {limit}) => (b p (+ x 1))
            (a p x) (b q x) (not (and (<= 0 x) (<= x 3))) => false
        """,
        safe={"limit": "3"},
        unsafe={"limit": "4"},
    ),
    *Program(
        "lia-nonlinear/merge-sort-cost",
        """
        cost(n) = 0                                    if n <= 1
                = cost(a) + cost(n - a) + n, with 0 < a < n, otherwise
        assert cost(n) {relation} n for n >= 2
        """,
        predicates="(cost Int Int)",
        variables="n a c d r Int",
        rules="""
            (<= n 1) (>= n 0) (= r 0) => (cost n r)
            (> n 1) (< 0 a) (< a n) (cost a c) (cost (- n a) d) (= r (+ c d n)) => (cost n r)
            (cost n r) (>= n 2) (not ({relation} r n)) => false
        """,
        safe={"relation": ">="},
        unsafe={"relation": "<="},
    ),
    *Program(
        "lia-nonlinear/matching-counts",
        """
        f counts in twos from 0, g in threes from {start}
        assert that they never hold the same number below 5 but 0
        """,
        predicates="(f Int) (g Int)",
        variables="x y Int",
        rules="""
            => (f 0)
            (f x) (< x 5) (= y (+ x 2)) => (f y)
            => (g {start})
            (g x) (< x 5) (= y (+ x 3)) => (g y)
            (f x) (g x) (not (or (= x 0) (> x 5))) => false
        """,
        safe={"start": "0"},
        unsafe={"start": "1"},
    ),
    *Program(
        "lia-nonlinear/abs-max-composed",
        """
        abs(x) = -x if x < 0, else x;  max(x, y) = y if x {relation} y, else x
        assert max(abs(x), abs(y)) >= x
        """,
        predicates="(absolute Int Int) (larger Int Int Int) (main Int Int Int)",
        variables="x y a b r Int",
        rules="""
            (< x 0) (= r (- x)) => (absolute x r)
            (>= x 0) => (absolute x x)
            (= r (ite ({relation} x y) y x)) => (larger x y r)
            (absolute x a) (absolute y b) (larger a b r) => (main x y r)
            (main x y r) (or (< r x) (< r 0)) => false
        """,
        safe={"relation": "<"},
        unsafe={"relation": ">"},
    ),
    *Program(
        "lia-nonlinear/arithmetic-expressions",
        """
        E -> 2 | E + E | 4 * E - {less}
        assert that no E has the value 1
        """,
        predicates="(value Int)",
        variables="a b Int",
        rules="""
            => (value 2)
            (value a) (value b) => (value (+ a b))
            (value a) => (value (- (* 4 a) {less}))
            (value 1) => false
        """,
        safe={"less": "3"},
        unsafe={"less": "7"},
    ),
    *Program(
        "lia-nonlinear/coupled-payments",
        """
        two people can pay the sums x and y; together they can pay x + y
        alice has notes of 4 and 6, bob has notes of {note}
        assert that together they cannot pay 9
        """,
        predicates="(alice Int) (bob Int) (both Int)",
        variables="x y Int",
        rules="""
            => (alice 0)
            (alice x) (<= x 8) => (alice (+ x 4))
            (alice x) (<= x 8) => (alice (+ x 6))
            => (bob 0)
            (bob x) (<= x 8) => (bob (+ x {note}))
            (alice x) (bob y) => (both (+ x y))
            (both 9) => false
        """,
        safe={"note": "10"},
        unsafe={"note": "5"},
    ),
]
