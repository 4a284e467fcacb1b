"""Loops over integers: every clause has at most one predicate in its body."""

from notation import Program

LIA = [
    *Program(
        "lia/count-up",
        """
        x := 0
        while x < 10:
            x := x + 1
        assert x = {last}
        """,
        predicates="(loop Int)",
        variables="x y Int",
        rules="""
            => (loop 0)
            (loop x) (< x 10) (= y (+ x 1)) => (loop y)
            (loop x) (>= x 10) (not (= x {last})) => false
        """,
        safe={"last": "10"},
        unsafe={"last": "11"},
    ),
    *Program(
        "lia/count-down",
        """
        assume n >= 3
        x := n
        while x > 0:
            x := x - {step}
        assert x = 0
        """,
        predicates="(loop Int Int)",
        variables="n x y Int",
        rules="""
            (>= n 3) => (loop n n)
            (loop n x) (> x 0) (= y (- x {step})) => (loop n y)
            (loop n x) (<= x 0) (not (= x 0)) => false
        """,
        safe={"step": "1"},
        unsafe={"step": "2"},
    ),
    *Program(
        "lia/even-steps",
        """
        x := 0
        repeat any number of times:
            x := x + 2
        assert x != {value}
        """,
        predicates="(loop Int)",
        variables="x Int",
        rules="""
            => (loop 0)
            (loop x) => (loop (+ x 2))
            (loop x) (= x {value}) => false
        """,
        safe={"value": "7"},
        unsafe={"value": "8"},
    ),
    *Program(
        "lia/in-step",
        """
        x, y := 0, 0
        repeat any number of times:
            x, y := x + 1, y + {step}
        assert x = y
        """,
        predicates="(loop Int Int)",
        variables="x y x1 y1 Int",
        rules="""
            (= x 0) (= y 0) => (loop x y)
            (loop x y) (= x1 (+ x 1)) (= y1 (+ y {step})) => (loop x1 y1)
            (loop x y) (not (= x y)) => false
        """,
        safe={"step": "1"},
        unsafe={"step": "2"},
    ),
    *Program(
        "lia/sum-to-five",
        """
        i, sum := 0, 0
        while i < 5:
            i := i + 1
            sum := sum + i
        assert sum = {total}
        """,
        predicates="(loop Int Int)",
        variables="i sum i1 sum1 Int",
        rules="""
            (= i 0) (= sum 0) => (loop i sum)
            (loop i sum) (< i 5) (= i1 (+ i 1)) (= sum1 (+ sum i1)) => (loop i1 sum1)
            (loop i sum) (>= i 5) (not (= sum {total})) => false
        """,
        safe={"total": "15"},
        unsafe={"total": "10"},
    ),
    *Program(
        "lia/move-all",
        """
        assume n >= 0
        from, to := n, {start}
        while from > 0:
            from, to := from - 1, to + 1
        assert to = n
        """,
        predicates="(loop Int Int Int)",
        variables="n from to from1 to1 Int",
        rules="""
            (>= n 0) => (loop n n {start})
            (loop n from to) (> from 0) (= from1 (- from 1)) (= to1 (+ to 1)) => (loop n from1 to1)
            (loop n from to) (<= from 0) (not (= to n)) => false
        """,
        safe={"start": "0"},
        unsafe={"start": "1"},
    ),
    *Program(
        "lia/nested-loops",
        """
        assume n >= 0
        i, count := 0, 0
        while i < n:
            j := 0
            while j < {width}:
                j, count := j + 1, count + 1
            i := i + 1
        assert count >= i + i
        """,
        predicates="(outer Int Int Int) (inner Int Int Int Int)",
        variables="n i j count Int",
        rules="""
            (>= n 0) (= i 0) (= count 0) => (outer n i count)
            ; into the inner loop, around it, and out of it
            (outer n i count) (< i n) => (inner n i 0 count)
            (inner n i j count) (< j {width}) => (inner n i (+ j 1) (+ count 1))
            (inner n i j count) (>= j {width}) => (outer n (+ i 1) count)
            (outer n i count) (>= i n) (< count (+ i i)) => false
        """,
        safe={"width": "2"},
        unsafe={"width": "1"},
    ),
    *Program(
        "lia/triangle-of-stars",
        """
        row := 0
        while row < 4:
            column := 0
            while column <= row:
                assert column < {columns}
                column := column + 1
            row := row + 1
        """,
        predicates="(rows Int) (columns Int Int)",
        variables="row column Int",
        rules="""
            => (rows 0)
            (rows row) (< row 4) => (columns row 0)
            (columns row column) (<= column row) => (columns row (+ column 1))
            (columns row column) (> column row) => (rows (+ row 1))
            (columns row column) (<= column row) (>= column {columns}) => false
        """,
        safe={"columns": "4"},
        unsafe={"columns": "3"},
    ),
    *Program(
        "lia/gcd-by-subtraction",
        """
        assume a > 0 and b > 0
        while a != b:
            if a > b: a := a - b
            else: b := b - a
        assert a {relation} 1
        """,
        predicates="(loop Int Int)",
        variables="a b Int",
        rules="""
            (> a 0) (> b 0) => (loop a b)
            (loop a b) (> a b) => (loop (- a b) b)
            (loop a b) (< a b) => (loop a (- b a))
            (loop a b) (= a b) (not ({relation} a 1)) => false
        """,
        safe={"relation": ">="},
        unsafe={"relation": "="},
    ),
    *Program(
        "lia/gcd-of-4-and-6",
        """
        a, b := 4, 6
        while a != b:
            if a > b: a := a - b
            else: b := b - a
        assert a = {gcd}
        """,
        predicates="(loop Int Int)",
        variables="a b c Int",
        rules="""
            => (loop 4 6)
            (loop a b) (or (and (> a b) (= c (- a b))) (and (< a b) (= c a))) (> a b) => (loop c b)
            (loop a b) (< a b) (= c (- b a)) => (loop a c)
            (loop a b) (= a b) (not (= a {gcd})) => false
        """,
        safe={"gcd": "2"},
        unsafe={"gcd": "1"},
    ),
    *Program(
        "lia/division-by-subtraction",
        """
        assume a >= 0 and b > 0
        quotient, rest := 0, a
        while rest {relation} b:
            quotient, rest := quotient + 1, rest - b
        assert 0 <= rest < b and quotient >= 0
        """,
        predicates="(loop Int Int Int)",
        variables="a b quotient rest Int",
        rules="""
            (>= a 0) (> b 0) => (loop b 0 a)
            (loop b quotient rest) ({relation} rest b) => (loop b (+ quotient 1) (- rest b))
            (loop b quotient rest) (not ({relation} rest b))
                (or (< rest 0) (>= rest b) (< quotient 0)) => false
        """,
        safe={"relation": ">="},
        unsafe={"relation": ">"},
    ),
    *Program(
        "lia/binary-search-bounds",
        """
        assume n > 0
        low, high := 0, n
        while low < high:
            middle := (low + high + {round}) div 2
            assert 0 <= middle < n
            either low := middle + 1 or high := middle
        assert 0 <= low <= n
        """,
        predicates="(loop Int Int Int)",
        variables="n low high middle Int",
        rules="""
            (> n 0) => (loop n 0 n)
            (loop n low high) (< low high) (= middle (div (+ low high {round}) 2))
                => (loop n (+ middle 1) high)
            (loop n low high) (< low high) (= middle (div (+ low high {round}) 2)) => (loop n low middle)
            (loop n low high) (< low high) (= middle (div (+ low high {round}) 2))
                (or (< middle 0) (>= middle n)) => false
            (loop n low high) (>= low high) (or (< low 0) (> low n)) => false
        """,
        safe={"round": "0"},
        unsafe={"round": "1"},
    ),
    *Program(
        "lia/maximum-of-three",
        """
        m := a
        if b > m: m := b
        if c {relation} m: m := c
        assert m >= a and m >= b and m >= c
        """,
        predicates="(first Int Int Int Int) (second Int Int Int Int) (done Int Int Int Int)",
        variables="a b c m n Int",
        rules="""
            (= m a) => (first a b c m)
            (first a b c m) (= n (ite (> b m) b m)) => (second a b c n)
            (second a b c m) (= n (ite ({relation} c m) c m)) => (done a b c n)
            (done a b c m) (not (and (>= m a) (>= m b) (>= m c))) => false
        """,
        safe={"relation": ">"},
        unsafe={"relation": "<"},
    ),
    *Program(
        "lia/absolute-value",
        """
        if x < {border}: y := -x else y := x
        assert y >= 0
        """,
        predicates="(start Int) (end Int Int)",
        variables="x y Int",
        rules="""
            => (start x)
            (start x) (< x {border}) (= y (- x)) => (end x y)
            (start x) (not (< x {border})) (= y x) => (end x y)
            (end x y) (< y 0) => false
        """,
        safe={"border": "0"},
        unsafe={"border": "2"},
    ),
    *Program(
        "lia/sawtooth",
        """
        x, up := 0, 1
        repeat for ever:
            if up = 1: x := x + 1 else x := x - 1
            if x = 5: up := 0
            if x = 0: up := 1
            assert x <= {top}
        """,
        predicates="(loop Int Int)",
        variables="x up x1 up1 Int",
        rules="""
            => (loop 0 1)
            (loop x up) (= x1 (ite (= up 1) (+ x 1) (- x 1))) (= up1 (ite (= x1 5) 0 (ite (= x1 0) 1 up)))
                => (loop x1 up1)
            (loop x up) (> x {top}) => false
        """,
        safe={"top": "5"},
        unsafe={"top": "4"},
    ),
    *Program(
        "lia/two-phases",
        """
        x, y := 0, 0
        while x < 10:
            if x < 5: x := x + 1
            else: x, y := x + 1, y + 1
        assert y = {last}
        """,
        predicates="(loop Int Int)",
        variables="x y Int",
        rules="""
            => (loop 0 0)
            (loop x y) (< x 10) (< x 5) => (loop (+ x 1) y)
            (loop x y) (< x 10) (>= x 5) => (loop (+ x 1) (+ y 1))
            (loop x y) (>= x 10) (distinct y {last}) => false
        """,
        safe={"last": "5"},
        unsafe={"last": "6"},
    ),
    *Program(
        "lia/tortoise-and-hare",
        """
        tortoise, hare := 0, 0
        repeat any number of times:
            tortoise := tortoise + 1
            if hare < 5: hare := hare + 2 else the hare {sleeps}
        assert tortoise <= hare
        """,
        predicates="(race Int Int)",
        variables="tortoise hare next Int",
        rules="""
            => (race 0 0)
            (race tortoise hare) (= next (ite (< hare 5) (+ hare 2) (+ hare {step})))
                => (race (+ tortoise 1) next)
            (race tortoise hare) (> tortoise hare) => false
        """,
        safe={"sleeps": "slows down to 1", "step": "1"},
        unsafe={"sleeps": "sleeps", "step": "0"},
    ),
    *Program(
        "lia/bounded-buffer",
        """
        filled := 0
        repeat for ever, one of:
            when filled {guard} 4: filled := filled + 1
            when filled > 0: filled := filled - 1
        assert 0 <= filled <= 4
        """,
        predicates="(buffer Int)",
        variables="filled after Int",
        rules="""
            => (buffer 0)
            (buffer filled) (or (and ({guard} filled 4) (= after (+ filled 1)))
                                (and (> filled 0) (= after (- filled 1)))) => (buffer after)
            (buffer filled) (not (and (<= 0 filled) (<= filled 4))) => false
        """,
        safe={"guard": "<"},
        unsafe={"guard": "<="},
    ),
    *Program(
        "lia/water-jugs",
        """
        small, large := 0, 0                    # jugs that hold 3 and {size} litres
        repeat for ever, one of:
            fill a jug; empty a jug; pour one into the other
        assert large != 4
        """,
        predicates="(jugs Int Int)",
        variables="small large poured Int",
        rules="""
            => (jugs 0 0)
            ; fill
            (jugs small large) => (jugs 3 large)
            (jugs small large) => (jugs small {size})
            ; empty
            (jugs small large) => (jugs 0 large)
            (jugs small large) => (jugs small 0)
            ; pour
            (jugs small large) (= poured (ite (<= small (- {size} large)) small (- {size} large)))
                => (jugs (- small poured) (+ large poured))
            (jugs small large) (= poured (ite (<= large (- 3 small)) large (- 3 small)))
                => (jugs (+ small poured) (- large poured))
            (jugs small large) (= large 4) => false
        """,
        safe={"size": "6"},
        unsafe={"size": "5"},
    ),
    *Program(
        "lia/bank-transfer",
        """
        assume a >= 0 and b >= 0
        total := a + b
        repeat any number of times, for some amount with 0 < amount {relation} a:
            a, b := a - amount, b + amount
        assert a + b = total and a >= 0
        """,
        predicates="(bank Int Int Int)",
        variables="a b total amount Int",
        rules="""
            (>= a 0) (>= b 0) (= total (+ a b)) => (bank a b total)
            (bank a b total) (< 0 amount) ({relation} amount a) => (bank (- a amount) (+ b amount) total)
            (bank a b total) (not (and (= (+ a b) total) (>= a 0))) => false
        """,
        safe={"relation": "<="},
        unsafe={"relation": "distinct"},
    ),
    *Program(
        "lia/clock",
        """
        hour, minute := 0, 0
        repeat for ever:
            minute := minute + 20
            if minute {relation} 60: hour, minute := hour + 1, minute - 60
            if hour = 3: hour := 0
        assert hour < 3 and minute < 60
        """,
        predicates="(clock Int Int)",
        variables="hour minute hour1 minute1 Int",
        rules="""
            => (clock 0 0)
            (clock hour minute) (not ({relation} (+ minute 20) 60)) => (clock hour (+ minute 20))
            (clock hour minute) ({relation} (+ minute 20) 60)
                (= hour1 (ite (= hour 2) 0 (+ hour 1))) (= minute1 (- (+ minute 20) 60))
                => (clock hour1 minute1)
            (clock hour minute) (not (and (< hour 3) (< minute 60))) => false
        """,
        safe={"relation": ">="},
        unsafe={"relation": ">"},
    ),
    *Program(
        "lia/collatz-from-six",
        """
        n := 6
        while n != 1:
            if n mod 2 = 0: n := n div 2
            else: n := 3 * n + 1
            assert n {relation} 16
        """,
        predicates="(loop Int)",
        variables="n Int",
        rules="""
            => (loop 6)
            (loop n) (distinct n 1) (= (mod n 2) 0) => (loop (div n 2))
            (loop n) (distinct n 1) (= (mod n 2) 1) => (loop (+ (* 3 n) 1))
            (loop n) (not ({relation} n 16)) => false
        """,
        safe={"relation": "<="},
        unsafe={"relation": "<"},
    ),
    *Program(
        "lia/coins",
        """
        paid := 0
        repeat any number of times:
            paid := paid + 3 or paid := paid + 5
        assert paid != {price}
        """,
        predicates="(paid Int)",
        variables="x y Int",
        rules="""
            => (paid 0)
            (paid x) (or (= y (+ x 3)) (= y (+ x 5))) => (paid y)
            (paid {price}) => false
        """,
        safe={"price": "7"},
        unsafe={"price": "14"},
    ),
    *Program(
        "lia/fibonacci-loop",
        """
        a, b := 0, 1
        repeat any number of times:
            a, b := b, a + b
        assert {claim}
        """,
        predicates="(loop Int Int)",
        variables="a b Int",
        rules="""
            => (loop 0 1)
            (loop a b) => (loop b (+ a b))
            (loop a b) (not {claim}) => false
        """,
        safe={"claim": "(>= b a)"},
        unsafe={"claim": "(distinct b 13)"},
    ),
    *Program(
        "lia/seven-times-x",
        """
        assume x >= 0
        i, product := 0, 0
        while i {relation} x:
            i, product := i + 1, product + 7
        assert product = 7 * x
        """,
        predicates="(loop Int Int Int)",
        variables="x i product Int",
        rules="""
            (>= x 0) (= i 0) (= product 0) => (loop x i product)
            (loop x i product) ({relation} i x) => (loop x (+ i 1) (+ product 7))
            (loop x i product) (not ({relation} i x)) (distinct product (* 7 x)) => false
        """,
        safe={"relation": "<"},
        unsafe={"relation": "<="},
    ),
    *Program(
        "lia/swap-without-a-third",
        """
        a, b := x, y
        a := a + b
        b := a - b
        a := a {operator} b
        assert a = y and b = x
        """,
        predicates="(l1 Int Int Int Int) (l2 Int Int Int Int) (l3 Int Int Int Int) (l4 Int Int Int Int)",
        variables="x y a b Int",
        rules="""
            (= a x) (= b y) => (l1 x y a b)
            (l1 x y a b) => (l2 x y (+ a b) b)
            (l2 x y a b) => (l3 x y a (- a b))
            (l3 x y a b) => (l4 x y ({operator} a b) b)
            (l4 x y a b) (or (not (= a y)) (not (= b x))) => false
        """,
        safe={"operator": "-"},
        unsafe={"operator": "+"},
    ),
    *Program(
        "lia/same-result-twice",
        """
        the loop `s := 0; while n > 0: n, s := n - 1, s + {step}` run twice in lockstep
        assert that both runs, begun with equal n, end with equal s
        """,
        predicates="(both Int Int Int Int)",
        variables="n m s t n1 m1 s1 t1 Int",
        rules="""
            (= n m) (= s 0) (= t 0) => (both n s m t)
            (both n s m t) (> n 0) (> m 0) (= n1 (- n 1)) (= s1 (+ s 2)) (= m1 (- m 1)) (= t1 (+ t {step}))
                => (both n1 s1 m1 t1)
            (both n s m t) (> n 0) (<= m 0) => (both (- n 1) (+ s 2) m t)
            (both n s m t) (<= n 0) (> m 0) => (both n s (- m 1) (+ t {step}))
            (both n s m t) (<= n 0) (<= m 0) (not (= s t)) => false
        """,
        safe={"step": "2"},
        unsafe={"step": "3"},
    ),
    *Program(
        "lia/retry-with-backoff",
        """
        delay, failures := 1, 0
        while failures < 6:
            failures := failures + 1
            delay := min(2 * delay, {cap})
        assert delay <= 16
        """,
        predicates="(retry Int Int)",
        variables="delay twice failures Int",
        rules="""
            => (retry 1 0)
            (retry delay failures) (< failures 6) (= twice (* 2 delay))
                => (retry (ite (<= twice {cap}) twice {cap}) (+ failures 1))
            (retry delay failures) (> delay 16) => false
        """,
        safe={"cap": "16"},
        unsafe={"cap": "20"},
    ),
    *Program(
        "lia/chemical-reaction",
        """
        A + B -> C and C -> A + B, from a molecules A, b molecules B and none of C
        assert that C never exceeds {bound}
        """,
        predicates="(mixture Int Int Int Int Int)",
        variables="a b x y z Int",
        rules="""
            (>= a 0) (>= b 0) (= x a) (= y b) (= z 0) => (mixture a b x y z)
            (mixture a b x y z) (> x 0) (> y 0) => (mixture a b (- x 1) (- y 1) (+ z 1))
            (mixture a b x y z) (> z 0) => (mixture a b (+ x 1) (+ y 1) (- z 1))
            (mixture a b x y z) (> z {bound}) => false
        """,
        safe={"bound": "a"},
        unsafe={"bound": "1"},
    ),
    *Program(
        "lia/ring-index",
        """
        assume n > 0
        i := 0
        repeat for ever:
            i := i + 1
            if i {relation} n: i := 0
            assert 0 <= i < n
        """,
        predicates="(ring Int Int)",
        variables="n i j Int",
        rules="""
            (> n 0) => (ring n 0)
            (ring n i) (= j (ite ({relation} (+ i 1) n) 0 (+ i 1))) => (ring n j)
            (ring n i) (not (and (<= 0 i) (< i n))) => false
        """,
        safe={"relation": "="},
        unsafe={"relation": ">"},
    ),
    *Program(
        "lia/elevator",
        """
        floor, target := 0, 0                   # floors 0 to 6
        repeat for ever, one of:
            when floor = target: target := any floor from 0 to {top}
            when floor < target: floor := floor + 1
            when floor > target: floor := floor - 1
        assert floor <= 6
        """,
        predicates="(elevator Int Int)",
        variables="floor target new Int",
        rules="""
            => (elevator 0 0)
            (elevator floor target) (= floor target) (<= 0 new) (<= new {top}) => (elevator floor new)
            (elevator floor target) (< floor target) => (elevator (+ floor 1) target)
            (elevator floor target) (> floor target) => (elevator (- floor 1) target)
            (elevator floor target) (> floor 6) => false
        """,
        safe={"top": "6"},
        unsafe={"top": "7"},
    ),
    *Program(
        "lia/digit-sum",
        """
        assume 0 <= n < 1000
        sum := 0
        while n > 0:
            sum := sum + n mod 10
            n := n div 10
        assert sum {relation} 27
        """,
        predicates="(loop Int Int)",
        variables="n sum n1 sum1 Int",
        rules="""
            (<= 0 n) (< n 1000) => (loop n 0)
            (loop n sum) (> n 0) (= sum1 (+ sum (mod n 10))) (= n1 (div n 10)) => (loop n1 sum1)
            (loop n sum) (= n 0) (not ({relation} sum 27)) => false
        """,
        safe={"relation": "<="},
        unsafe={"relation": "<"},
    ),
    *Program(
        "lia/stack-depth",
        """
        depth, high := 0, 0                     # high: the deepest so far
        repeat for ever, one of:
            push: depth := depth + 1; high := max(high, depth)
            when depth {relation} 0, pop: depth := depth - 1
        assert 0 <= depth <= high
        """,
        predicates="(stack Int Int)",
        variables="depth high deeper Int",
        rules="""
            => (stack 0 0)
            (stack depth high) (= deeper (+ depth 1)) => (stack deeper (ite (> deeper high) deeper high))
            (stack depth high) ({relation} depth 0) => (stack (- depth 1) high)
            (stack depth high) (or (< depth 0) (> depth high)) => false
        """,
        safe={"relation": ">"},
        unsafe={"relation": ">="},
    ),
    *Program(
        "lia/break-out",
        """
        assume 0 <= key < n
        i := 0
        while true:
            if i = key: break
            i := i + 1
        assert i {relation} n
        """,
        predicates="(loop Int Int Int) (after Int Int)",
        variables="n key i Int",
        rules="""
            (<= 0 key) (< key n) => (loop n key 0)
            (loop n key i) (not (= i key)) => (loop n key (+ i 1))
            (loop n key i) (= i key) => (after n i)
            (after n i) (not ({relation} i n)) => false
        """,
        safe={"relation": "<"},
        unsafe={"relation": ">"},
    ),
    # Lemmas of these loops differ in numbers alone: what global guidance makes one of.
    *Program(
        "lia/every-third",
        """
        x := 0; any number of times: x := x + 3 or x := x + {other}
        assert that x is no 3 k + 2
        """,
        predicates="(loop Int)",
        variables="k x Int",
        rules="""
            => (loop 0)
            (loop x) => (loop (+ x 3))
            (loop x) => (loop (+ x {other}))
            (loop x) (= x (+ (* 3 k) 2)) => false
        """,
        safe={"other": "6"},
        unsafe={"other": "5"},
    ),
    *Program(
        "lia/growing-steps",
        """
        x := y := 0; any number of times as long as y < 9: x := x + y, y := y + 1
        assert x {relation} 0
        """,
        predicates="(loop Int Int)",
        variables="x y Int",
        rules="""
            => (loop 0 0)
            (loop x y) (< y 9) => (loop (+ x y) (+ y 1))
            (loop x y) (not ({relation} x 0)) => false
        """,
        safe={"relation": ">="},
        unsafe={"relation": "="},
    ),
    *Program(
        "lia/three-different",
        """
        three turns: t := t + x + y + z for any three different numbers from 0 to {most}
        assert t = 3 n after n turns
        """,
        predicates="(sum Int Int)",
        variables="n t x y z Int",
        rules="""
            => (sum 0 0)
            (sum n t) (< n 3) (distinct x y z) (<= 0 x) (<= x {most}) (<= 0 y) (<= y {most}) (<= 0 z) (<= z {most})
                => (sum (+ n 1) (+ t x y z))
            (sum n t) (not (= t (* 3 n))) => false
        """,
        safe={"most": "2"},
        unsafe={"most": "3"},
    ),
    *Program(
        "lia/two-walkers",
        """
        two walkers start at 0; at one place, the first one moves by {step}, otherwise the second one by 1
        assert that their distance is at most 1
        """,
        predicates="(walkers Int Int)",
        variables="a b Int",
        rules="""
            => (walkers 0 0)
            (walkers a b) (= a b) => (walkers (+ a {step}) b)
            (walkers a b) (distinct a b) => (walkers a (+ b 1))
            (walkers a b) (> (abs (- a b)) 1) => false
        """,
        safe={"step": "1"},
        unsafe={"step": "2"},
    ),
]
