"""Programs with arrays. A property of all elements is asserted of one element, `k`, chosen at the start."""

from notation import Program

ARRAYS = [
    *Program(
        "arrays/initialize",
        """
        assume 0 <= k < n
        for i from 0 to n - 1: a[i] := {value}
        assert a[k] = 0
        """,
        predicates="(loop (Array Int Int) Int Int Int)",
        variables="a b (Array Int Int); i k n Int",
        rules="""
            (<= 0 k) (< k n) (= i 0) => (loop a i k n)
            (loop a i k n) (< i n) (= b (store a i {value})) => (loop b (+ i 1) k n)
            (loop a i k n) (>= i n) (not (= (select a k) 0)) => false
        """,
        safe={"value": "0"},
        unsafe={"value": "i"},
    ),
    *Program(
        "arrays/copy",
        """
        assume 0 <= k < n
        for i from {first} to n - 1: b[i] := a[i]
        assert b[k] = a[k]
        """,
        predicates="(loop (Array Int Int) (Array Int Int) Int Int Int)",
        variables="a b c (Array Int Int); i k n Int",
        rules="""
            (<= 0 k) (< k n) (= i {first}) => (loop a b i k n)
            (loop a b i k n) (< i n) (= c (store b i (select a i))) => (loop a c (+ i 1) k n)
            (loop a b i k n) (>= i n) (not (= (select b k) (select a k))) => false
        """,
        safe={"first": "0"},
        unsafe={"first": "1"},
    ),
    *Program(
        "arrays/maximum",
        """
        assume 0 <= k < 3
        m := a[0]
        for i from 1 to 2: if a[i] > m: m := a[i]
        assert m {relation} a[k]
        """,
        predicates="(loop (Array Int Int) Int Int Int)",
        variables="a (Array Int Int); i k m Int",
        rules="""
            (<= 0 k) (< k 3) (= m (select a 0)) => (loop a 1 k m)
            (loop a i k m) (< i 3) (> (select a i) m) => (loop a (+ i 1) k (select a i))
            (loop a i k m) (< i 3) (<= (select a i) m) => (loop a (+ i 1) k m)
            (loop a i k m) (= i 3) (not ({relation} m (select a k))) => false
        """,
        safe={"relation": ">="},
        unsafe={"relation": ">"},
    ),
    *Program(
        "arrays/swap",
        """
        t := a[i]; a[i] := a[j]; a[j] := {last}
        assert that a[i] and a[j] have changed places
        """,
        predicates="(before (Array Int Int) Int Int Int Int) (after (Array Int Int) Int Int Int Int)",
        variables="a b c (Array Int Int); i j t x y Int",
        rules="""
            (= x (select a i)) (= y (select a j)) => (before a i j x y)
            (before a i j x y) (= t (select a i)) (= b (store a i (select a j))) (= c (store b j {last}))
                => (after c i j x y)
            (after a i j x y) (not (and (= (select a i) y) (= (select a j) x))) => false
        """,
        safe={"last": "t"},
        unsafe={"last": "(select b i)"},
    ),
    *Program(
        "arrays/find",
        """
        i := 0
        while i < n and a[i] != x: i := i + 1
        assert {claim}
        """,
        predicates="(loop (Array Int Int) Int Int Int) (end (Array Int Int) Int Int Int)",
        variables="a (Array Int Int); i n x Int",
        rules="""
            (>= n 0) => (loop a 0 n x)
            (loop a i n x) (< i n) (distinct (select a i) x) => (loop a (+ i 1) n x)
            (loop a i n x) (not (and (< i n) (distinct (select a i) x))) => (end a i n x)
            (end a i n x) (not {claim}) => false
        """,
        safe={"claim": "(or (= i n) (= (select a i) x))"},
        unsafe={"claim": "(= (select a i) x)"},
    ),
    *Program(
        "arrays/find-with-sentinel",
        """
        a[2] := x; i := 0
        while a[i] != x: i := i + 1
        assert i {relation} 2
        """,
        predicates="(loop (Array Int Int) Int Int)",
        variables="a b (Array Int Int); i x Int",
        rules="""
            (= b (store a 2 x)) => (loop b 0 x)
            (loop a i x) (distinct (select a i) x) => (loop a (+ i 1) x)
            (loop a i x) (= (select a i) x) (not ({relation} i 2)) => false
        """,
        safe={"relation": "<="},
        unsafe={"relation": "="},
    ),
    *Program(
        "arrays/undo",
        """
        old := a[i]; a[i] := x
        a[{place}] := old
        assert that a is as it was
        """,
        predicates="(changed (Array Int Int) (Array Int Int) Int Int) (restored (Array Int Int) (Array Int Int))",
        variables="a b c (Array Int Int); i x old Int",
        rules="""
            (= old (select a i)) (= b (store a i x)) => (changed a b i old)
            (changed a b i old) (= c (store b {place} old)) => (restored a c)
            (restored a b) (not (= a b)) => false
        """,
        safe={"place": "i"},
        unsafe={"place": "(+ i 1)"},
    ),
    *Program(
        "arrays/reverse-pair",
        """
        read two numbers, write them to b in {order} order
        assert b[0] = a[1] and b[1] = a[0]
        """,
        predicates="(read (Array Int Int)) (written (Array Int Int) (Array Int Int))",
        variables="a b (Array Int Int)",
        rules="""
            => (read a)
            (read a) (= b (store (store a 0 (select a {first})) 1 (select a {second}))) => (written a b)
            (written a b) (or (distinct (select b 0) (select a 1)) (distinct (select b 1) (select a 0)))
                => false
        """,
        safe={"order": "reverse", "first": "1", "second": "0"},
        unsafe={"order": "the same", "first": "0", "second": "1"},
    ),
    *Program(
        "arrays/bubble-pass",
        """
        one pass of bubble sort over a[0..2]: swap neighbours that are {relation}
        assert that a[2] is the greatest of the three
        """,
        predicates="(pass (Array Int Int) Int)",
        variables="a b (Array Int Int); i x y Int",
        rules="""
            => (pass a 0)
            (pass a i) (< i 2) (= x (select a i)) (= y (select a (+ i 1))) ({relation} x y)
                (= b (store (store a i y) (+ i 1) x)) => (pass b (+ i 1))
            (pass a i) (< i 2) (= x (select a i)) (= y (select a (+ i 1))) (not ({relation} x y))
                => (pass a (+ i 1))
            (pass a 2) (or (< (select a 2) (select a 0)) (< (select a 2) (select a 1))) => false
        """,
        safe={"relation": ">"},
        unsafe={"relation": "<"},
    ),
    *Program(
        "arrays/visited-set",
        """
        the set of visited rooms as an array of Booleans, first only room 0
        whoever is in room r may go to r + {step}, while r < 6
        assert that room 5 is never visited
        """,
        predicates="(at Int (Array Int Bool))",
        variables="r s Int; visited after (Array Int Bool)",
        rules="""
            (= visited (store ((as const (Array Int Bool)) false) 0 true)) => (at 0 visited)
            (at r visited) (< r 6) (= s (+ r {step})) (= after (store visited s true)) => (at s after)
            (at r visited) (select visited 5) => false
        """,
        safe={"step": "2"},
        unsafe={"step": "1"},
    ),
    *Program(
        "arrays/heap-cell",
        """
        p := new cell; q := new cell
        heap[p] := 1; heap[q] := 2
        assert heap[p] = 1
        {allocator}
        """,
        predicates="(l1 (Array Int Int) Int Int) (l2 (Array Int Int) Int Int Int) (l3 (Array Int Int) Int Int)",
        variables="heap after (Array Int Int); next p q Int",
        rules="""
            (> next 0) (= p next) => (l1 heap p (+ next {size}))
            (l1 heap p next) (= q next) (= after (store heap p 1)) => (l2 after p q next)
            (l2 heap p q next) (= after (store heap q 2)) => (l3 after p q)
            (l3 heap p q) (not (= (select heap p) 1)) => false
        """,
        safe={"allocator": "each new cell has an address of its own", "size": "1"},
        unsafe={"allocator": "the allocator gives an address twice", "size": "0"},
    ),
    *Program(
        "arrays/counting-positives",
        """
        count := 0
        for i from 0 to n - 1: if a[i] {relation} 0: count := count + 1
        assert count <= i, and if count = i > 0 then a[0] > 0
        """,
        predicates="(loop (Array Int Int) Int Int Int)",
        variables="a (Array Int Int); i n count count1 Int",
        rules="""
            (>= n 0) => (loop a 0 n 0)
            (loop a i n count) (< i n) (= count1 (ite ({relation} (select a i) 0) (+ count 1) count))
                => (loop a (+ i 1) n count1)
            (loop a i n count) (or (> count i) (and (= count i) (> i 0) (<= (select a 0) 0))) => false
        """,
        safe={"relation": ">"},
        unsafe={"relation": ">="},
    ),
    *Program(
        "arrays/matrix-row",
        """
        a matrix as an array of rows; row r is set to zeros, then m[r][c] := {value}
        assert m[r][c] = 5 and m[r][c + 1] = 0
        """,
        predicates="(cleared (Array Int (Array Int Int)) Int) (done (Array Int (Array Int Int)) Int Int)",
        variables="m n (Array Int (Array Int Int)); r c Int",
        rules="""
            (= n (store m r ((as const (Array Int Int)) 0))) => (cleared n r)
            (cleared m r) (= n (store m r (store (select m r) c {value}))) => (done n r c)
            (done m r c) (not (and (= (select (select m r) c) 5) (= (select (select m r) (+ c 1)) 0)))
                => false
        """,
        safe={"value": "5"},
        unsafe={"value": "c"},
    ),
    *Program(
        "arrays/sorted-insert",
        """
        assume a[0] <= a[1]
        put x where it belongs among a[0..1], moving what is greater
        assert a[0] <= a[1] <= a[2]; {fault}
        """,
        predicates="(sorted (Array Int Int) Int) (inserted (Array Int Int))",
        variables="a b (Array Int Int); x Int",
        rules="""
            (<= (select a 0) (select a 1)) => (sorted a x)
            (sorted a x) (>= x (select a 1)) (= b (store a 2 x)) => (inserted b)
            (sorted a x) (< x (select a 1)) {guard} (= b (store (store a 2 (select a 1)) 1 x)) => (inserted b)
            (sorted a x) (< x (select a 0))
                (= b (store (store (store a 2 (select a 1)) 1 (select a 0)) 0 x)) => (inserted b)
            (inserted a) (not (and (<= (select a 0) (select a 1)) (<= (select a 1) (select a 2)))) => false
        """,
        safe={"fault": "it is", "guard": "(>= x (select a 0))"},
        unsafe={"fault": "one comparison is missing", "guard": ""},
    ),
    *Program(
        "arrays/recursive-fill",
        """
        fill(a, i) = a                            if i >= 3
                   = fill(a[i := {value}], i + 1) otherwise
        assert fill(a, 0)[k] = 1 for 0 <= k < 3
        """,
        predicates="(fill (Array Int Int) Int (Array Int Int))",
        variables="a b c (Array Int Int); i k Int",
        rules="""
            (>= i 3) => (fill a i a)
            (< i 3) (= b (store a i {value})) (fill b (+ i 1) c) => (fill a i c)
            (fill a 0 c) (<= 0 k) (< k 3) (distinct (select c k) 1) => false
        """,
        safe={"value": "1"},
        unsafe={"value": "i"},
    ),
    # The element is chosen at the end: what must be known of all of them is a quantified lemma.
    *Program(
        "arrays/initialize-all",
        """
        assume 0 <= n <= 3
        for i from 0 to n - 1: a[i] := {value}
        for any j with 0 <= j < n: assert a[j] = 0
        """,
        predicates="(loop (Array Int Int) Int Int)",
        variables="a b (Array Int Int); i j n Int",
        rules="""
            (<= 0 n) (<= n 3) => (loop a 0 n)
            (loop a i n) (< i n) (= b (store a i {value})) => (loop b (+ i 1) n)
            (loop a i n) (>= i n) (<= 0 j) (< j n) (not (= (select a j) 0)) => false
        """,
        safe={"value": "0"},
        unsafe={"value": "i"},
    ),
    *Program(
        "arrays/copy-all",
        """
        assume 0 <= n <= 3
        for i from 0 to n - 1: b[i] := a[i] {change} 1
        for any j with 0 <= j < n: assert a[j] <= b[j]
        """,
        predicates="(loop (Array Int Int) (Array Int Int) Int Int)",
        variables="a b c (Array Int Int); i j n Int",
        rules="""
            (<= 0 n) (<= n 3) => (loop a b 0 n)
            (loop a b i n) (< i n) (= c (store b i ({change} (select a i) 1))) => (loop a c (+ i 1) n)
            (loop a b i n) (>= i n) (<= 0 j) (< j n) (> (select a j) (select b j)) => false
        """,
        safe={"change": "+"},
        unsafe={"change": "-"},
    ),
    *Program(
        "arrays/every-other",
        """
        for i from 0 to 4 in steps of 2, as long as it is chosen: a[i] := 7
        for any j = 2 k + {shift} with 0 <= j < i: assert a[j] = 7
        """,
        predicates="(loop (Array Int Int) Int)",
        variables="a b (Array Int Int); i j k Int",
        rules="""
            => (loop a 0)
            (loop a i) (<= i 4) (= b (store a i 7)) => (loop b (+ i 2))
            (loop a i) (<= 0 j) (< j i) (= j (+ (* 2 k) {shift})) (not (= (select a j) 7)) => false
        """,
        safe={"shift": "0"},
        unsafe={"shift": "1"},
    ),
    *Program(
        "arrays/indirect-read",
        """
        a[0] = 1 and a[1] = {second}; each turn reads a[c[i]], where c is any array with c[i] in {{0, 1}}
        assert that the sum of what was read is the number of turns
        """,
        predicates="(loop Int Int (Array Int Int))",
        variables="a c (Array Int Int); i s Int",
        rules="""
            (= (select a 0) 1) (= (select a 1) {second}) => (loop 0 0 a)
            (loop i s a) (<= 0 (select c i)) (<= (select c i) 1) => (loop (+ i 1) (+ s (select a (select c i))) a)
            (loop i s a) (not (= s i)) => false
        """,
        safe={"second": "1"},
        unsafe={"second": "2"},
    ),
    *Program(
        "arrays/indirect-write",
        """
        each turn writes a value of any array d to a[c[i]], where c is any array with c[i] {relation} 0, and d[c[i]] > 0
        assert that a[0] is 0, as it was
        """,
        predicates="(loop Int (Array Int Int))",
        variables="a b c d (Array Int Int); i Int",
        rules="""
            (= (select a 0) 0) => (loop 0 a)
            (loop i a) ({relation} (select c i) 0) (> (select d (select c i)) 0)
                (= b (store a (select c i) (select d (select c i)))) => (loop (+ i 1) b)
            (loop i a) (not (= (select a 0) 0)) => false
        """,
        safe={"relation": ">"},
        unsafe={"relation": ">="},
    ),
    *Program(
        "arrays/flags",
        """
        flag[0] is set; each turn sets the next one to flag[i] {operator} flag[j], or to what any flag[j] implies,
        for any j
        assert that the last one is set
        """,
        predicates="(loop (Array Int Bool) Int)",
        variables="f g (Array Int Bool); i j Int; p Bool",
        rules="""
            (select f 0) => (loop f 0)
            (loop f i) (= g (store f (+ i 1) ({operator} (select f i) (select f j)))) => (loop g (+ i 1))
            (loop f i) (= g (store f (+ i 1) (=> (select f j) (ite p (select f i) true)))) => (loop g (+ i 1))
            (loop f i) (not (select f i)) => false
        """,
        safe={"operator": "or"},
        unsafe={"operator": "and"},
    ),
]
