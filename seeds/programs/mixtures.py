"""Programs over several theories: conversions between them, arrays of arrays and data types, data types of arrays."""

from notation import Program

PAIR = "(declare-datatypes ((Pair 0)) (((pair (first Int) (second Int)))))"
FILE = "(declare-datatypes ((File 0)) (((closed) (opened (lines (Array Int Int)) (end Int)))))"
LAMP = "(declare-datatypes ((Lamp 0)) (((north) (south))))"

MIXTURES = [
    *Program(
        "mixtures/counter-as-a-number",
        """
        uint3 x := 0, integer n := 0
        while n < {limit}: x := x + 1; n := n + 1
        assert x, as a number, is n
        """,
        predicates="(loop (_ BitVec 3) Int)",
        variables="x (_ BitVec 3); n Int",
        rules="""
            => (loop #b000 0)
            (loop x n) (< n {limit}) => (loop (bvadd x #b001) (+ n 1))
            (loop x n) (distinct (bv2nat x) n) => false
        """,
        safe={"limit": "7"},
        unsafe={"limit": "8"},
    ),
    *Program(
        "mixtures/low-bits-of-an-integer",
        """
        integer n := 0
        repeat any number of times: n := n + {step}
        assert n, as four bits, ends with 00
        """,
        predicates="(loop Int) (bits (_ BitVec 4))",
        variables="n Int; x (_ BitVec 4)",
        rules="""
            => (loop 0)
            (loop n) => (loop (+ n {step}))
            (loop n) => (bits ((_ int2bv 4) n))
            (bits x) (distinct ((_ extract 1 0) x) #b00) => false
        """,
        safe={"step": "4"},
        unsafe={"step": "6"},
    ),
    *Program(
        "mixtures/rounded-price",
        """
        real price := 0; any number of times: price := price + 1/4
        assert floor(price) {relation} price
        """,
        predicates="(price Real)",
        variables="p Real",
        rules="""
            => (price 0.0)
            (price p) => (price (+ p 0.25))
            (price p) (not ({relation} (to_real (to_int p)) p)) => false
        """,
        safe={"relation": "<="},
        unsafe={"relation": "<"},
    ),
    *Program(
        "mixtures/rounding-up",
        """
        a price of 0 to 3, rounded {direction}
        assert that the rounded price is not below the price
        """,
        predicates="(price Real) (rounded Real Int)",
        variables="p Real; n Int",
        rules="""
            (<= 0.0 p) (<= p 3.0) => (price p)
            (price p) => (rounded p {formula})
            (rounded p n) (< (to_real n) p) => false
        """,
        safe={"direction": "up", "formula": "(ite (is_int p) (to_int p) (+ (to_int p) 1))"},
        unsafe={"direction": "down", "formula": "(to_int p)"},
    ),
    *Program(
        "mixtures/ticks-of-a-timer",
        """
        real time := 0, integer ticks := 0
        repeat any number of times: time := time + d for some d of 0 to {most}; if time >= ticks + 1: ticks := ticks + 1
        assert ticks <= time < ticks + 1
        """,
        predicates="(timer Real Int)",
        variables="t u d Real; k Int",
        rules="""
            => (timer 0.0 0)
            (timer t k) (<= 0.0 d) (<= d {most}) (= u (+ t d))
                => (timer u (ite (>= u (+ (to_real k) 1.0)) (+ k 1) k))
            (timer t k) (not (and (<= (to_real k) t) (< t (+ (to_real k) 1.0)))) => false
        """,
        safe={"most": "0.5"},
        unsafe={"most": "2.5"},
    ),
    *Program(
        "mixtures/memory-of-bytes",
        """
        a memory of bytes, all 0, with addresses of four bits
        repeat any number of times: memory[a] := {value}, and a := a + 1
        assert that the first bit of memory[x] is 0, for each x
        """,
        predicates="(memory (Array (_ BitVec 4) (_ BitVec 8)) (_ BitVec 4))",
        variables="m (Array (_ BitVec 4) (_ BitVec 8)); a x (_ BitVec 4)",
        rules="""
            => (memory ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x00) #x0)
            (memory m a) => (memory (store m a (concat {value} a)) (bvadd a #x1))
            (memory m a) (distinct ((_ extract 7 7) (select m x)) #b0) => false
        """,
        safe={"value": "#x7"},
        unsafe={"value": "#x8"},
    ),
    *Program(
        "mixtures/array-of-pairs",
        """
        an array of pairs, all (0, 0)
        repeat any number of times: a[i] := (n, {second}) for some i and n
        assert that both numbers of a[0] are equal
        """,
        datatypes=PAIR,
        predicates="(pairs (Array Int Pair))",
        variables="a (Array Int Pair); i n Int",
        rules="""
            => (pairs ((as const (Array Int Pair)) (pair 0 0)))
            (pairs a) => (pairs (store a i (pair n {second})))
            (pairs a) (distinct (first (select a 0)) (second (select a 0))) => false
        """,
        safe={"second": "n"},
        unsafe={"second": "(+ n 1)"},
    ),
    *Program(
        "mixtures/file-of-lines",
        """
        a file is closed, or has an array of lines and their number
        open it without lines; repeat any number of times: append a line that is {what}
        assert that the last line is positive
        """,
        datatypes=FILE,
        predicates="(file File)",
        variables="f File; x Int; a (Array Int Int)",
        rules="""
            => (file closed)
            (file closed) => (file (opened a 0))
            (file f) ((_ is opened) f) {guard}
                => (file (opened (store (lines f) (end f) x) (+ (end f) 1)))
            (file f) ((_ is opened) f) (> (end f) 0) (<= (select (lines f) (- (end f) 1)) 0) => false
        """,
        safe={"what": "positive", "guard": "(> x 0)"},
        unsafe={"what": "not negative", "guard": "(>= x 0)"},
    ),
    *Program(
        "mixtures/grid-of-marks",
        """
        a grid without marks, as an array of rows of Boolean cells
        repeat any number of times: mark a cell (i, j) with {region}
        assert that (1, 0) has no mark
        """,
        predicates="(grid (Array Int (Array Int Bool)))",
        variables="g (Array Int (Array Int Bool)); i j Int",
        rules="""
            => (grid ((as const (Array Int (Array Int Bool))) ((as const (Array Int Bool)) false)))
            (grid g) {guard} => (grid (store g i (store (select g i) j true)))
            (grid g) (select (select g 1) 0) => false
        """,
        safe={"region": "i < j", "guard": "(< i j)"},
        unsafe={"region": "i <= j + 1", "guard": "(<= i (+ j 1))"},
    ),
    *Program(
        "mixtures/two-lamps",
        """
        two lamps that are off, as an array with Boolean elements
        any number of times: switch lamp x, if {condition}
        assert that not both are on
        """,
        datatypes=LAMP,
        predicates="(lamps (Array Lamp Bool))",
        variables="a (Array Lamp Bool); x Lamp",
        rules="""
            => (lamps ((as const (Array Lamp Bool)) false))
            (lamps a) {guard} => (lamps (store a x (not (select a x))))
            (lamps a) (select a north) (select a south) => false
        """,
        safe={
            "condition": "the other one is off",
            "guard": "(not (select a (ite (= x north) south north)))",
        },
        unsafe={"condition": "it is off", "guard": "(not (select a x))"},
    ),
    *Program(
        "mixtures/levels-by-name",
        """
        real levels, named by integers, all 0
        repeat any number of times: level[n] := x for some n and some x of 0 to {most}
        assert level[0] <= 1
        """,
        predicates="(levels (Array Int Real))",
        variables="a (Array Int Real); n Int; x Real",
        rules="""
            => (levels ((as const (Array Int Real)) 0.0))
            (levels a) (<= 0.0 x) (<= x {most}) => (levels (store a n x))
            (levels a) (> (select a 0) 1.0) => false
        """,
        safe={"most": "1.0"},
        unsafe={"most": "1.5"},
    ),
    *Program(
        "mixtures/copied-row",
        """
        a matrix m and two rows r and s: m[r] := m[s]{change}
        assert m[r] = m[s]
        """,
        predicates="(matrix (Array Int (Array Int Int)) Int Int) (copied (Array Int (Array Int Int)) Int Int)",
        variables="m n (Array Int (Array Int Int)); r s i Int",
        rules="""
            (distinct r s) => (matrix m r s)
            (matrix m r s) (= n (store m r {row})) => (copied n r s)
            (copied m r s) (distinct (select m r) (select m s)) => false
        """,
        safe={"change": "", "row": "(select m s)"},
        unsafe={"change": " with 0 at 0", "row": "(store (select m s) 0 0)"},
    ),
]
