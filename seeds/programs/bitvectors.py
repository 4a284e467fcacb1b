"""Machine arithmetic: programs over bit-vectors."""

from notation import Program

BITVECTORS = [
    *Program(
        "bv/counter-overflow",
        """
        uint4 x := 0
        repeat any number of times: x := x + {step}
        assert x != 15
        """,
        predicates="(loop (_ BitVec 4))",
        variables="x y (_ BitVec 4)",
        rules="""
            => (loop #x0)
            (loop x) (= y (bvadd x {step})) => (loop y)
            (loop x) (= x #xf) => false
        """,
        safe={"step": "#x2"},
        unsafe={"step": "#x3"},
    ),
    *Program(
        "bv/saturating-counter",
        """
        uint4 x := 0
        repeat any number of times: x := x + {step}, but never above 12
        assert x >= what it was before
        """,
        predicates="(loop (_ BitVec 4) (_ BitVec 4))",
        variables="x y before (_ BitVec 4)",
        rules="""
            => (loop #x0 #x0)
            (loop before x) (= y (bvadd x {step})) => (loop x (ite (bvugt y #xc) #xc y))
            (loop before x) (bvult x before) => false
        """,
        safe={"step": "#x3"},
        unsafe={"step": "#x5"},
    ),
    *Program(
        "bv/popcount",
        """
        uint3 n := x, uint3 count := 0
        while n != 0: count := count + 1; n := n & (n - 1)
        assert count {relation} 3
        """,
        predicates="(loop (_ BitVec 3) (_ BitVec 3))",
        variables="n m count (_ BitVec 3)",
        rules="""
            => (loop n #b000)
            (loop n count) (distinct n #b000) (= m (bvand n (bvsub n #b001))) => (loop m (bvadd count #b001))
            (loop n count) (= n #b000) (not ({relation} count #b011)) => false
        """,
        safe={"relation": "bvule"},
        unsafe={"relation": "bvult"},
    ),
    *Program(
        "bv/power-of-two-test",
        """
        x := 1
        repeat any number of times: x := x << 1
        assert x & (x - 1) = 0 {and_more}
        """,
        predicates="(loop (_ BitVec 8))",
        variables="x (_ BitVec 8)",
        rules="""
            => (loop #x01)
            (loop x) => (loop (bvshl x #x01))
            (loop x) (not (and (= (bvand x (bvsub x #x01)) #x00) {more})) => false
        """,
        safe={"and_more": "", "more": "true"},
        unsafe={"and_more": "and x != 0", "more": "(distinct x #x00)"},
    ),
    *Program(
        "bv/linear-feedback-shift-register",
        """
        a 4 bit register, from 1: the new lowest bit is the exclusive or of bits 3 and {tap}
        assert that it never becomes {value}
        """,
        predicates="(register (_ BitVec 4))",
        variables="x (_ BitVec 4); bit (_ BitVec 1)",
        rules="""
            => (register #x1)
            (register x) (= bit (bvxor ((_ extract 3 3) x) ((_ extract {tap} {tap}) x)))
                => (register (concat ((_ extract 2 0) x) bit))
            (register {value}) => false
        """,
        safe={"tap": "2", "value": "#x0"},
        unsafe={"tap": "2", "value": "#xd"},
    ),
    *Program(
        "bv/xor-swap",
        """
        a, b := x, y
        a := a ^ b; b := a ^ b; a := a {operator} b
        assert a = y and b = x
        """,
        predicates="(l0 (_ BitVec 8) (_ BitVec 8) (_ BitVec 8) (_ BitVec 8))"
        " (l1 (_ BitVec 8) (_ BitVec 8) (_ BitVec 8) (_ BitVec 8))"
        " (l2 (_ BitVec 8) (_ BitVec 8) (_ BitVec 8) (_ BitVec 8))",
        variables="x y a b c (_ BitVec 8)",
        rules="""
            (= a (bvxor x y)) => (l0 x y a y)
            (l0 x y a b) => (l1 x y a (bvxor a b))
            (l1 x y a b) (= c ({operator} a b)) => (l2 x y c b)
            (l2 x y a b) (or (distinct a y) (distinct b x)) => false
        """,
        safe={"operator": "bvxor"},
        unsafe={"operator": "bvor"},
    ),
    *Program(
        "bv/average-overflow",
        """
        low, high with low <= high
        middle := {formula}
        assert low <= middle <= high
        """,
        predicates="(range (_ BitVec 3) (_ BitVec 3)) (middle (_ BitVec 3) (_ BitVec 3) (_ BitVec 3))",
        variables="low high m (_ BitVec 3)",
        rules="""
            (bvule low high) => (range low high)
            (range low high) (= m {formula}) => (middle low high m)
            (middle low high m) (not (and (bvule low m) (bvule m high))) => false
        """,
        safe={"formula": "(bvadd low (bvlshr (bvsub high low) #b001))"},
        unsafe={"formula": "(bvlshr (bvadd low high) #b001)"},
    ),
    *Program(
        "bv/absolute-value-of-minimum",
        """
        int4 x {assumption}
        if x < 0: x := -x
        assert x >= 0
        """,
        predicates="(before (_ BitVec 4)) (after (_ BitVec 4))",
        variables="x y (_ BitVec 4)",
        rules="""
            {guard} => (before x)
            (before x) (= y (ite (bvslt x #x0) (bvneg x) x)) => (after y)
            (after x) (bvslt x #x0) => false
        """,
        safe={"assumption": "other than the least", "guard": "(distinct x #x8)"},
        unsafe={"assumption": "", "guard": ""},
    ),
    *Program(
        "bv/ring-buffer-mask",
        """
        head, tail := 0, 0                      # count = head - tail
        put, when count {relation} 4: head := head + 1;  take, when count != 0: tail := tail + 1
        assert count <= 4
        """,
        predicates="(ring (_ BitVec 4) (_ BitVec 4))",
        variables="head tail (_ BitVec 4)",
        rules="""
            => (ring #x0 #x0)
            (ring head tail) ({relation} (bvsub head tail) #x4) => (ring (bvadd head #x1) tail)
            (ring head tail) (distinct head tail) => (ring head (bvadd tail #x1))
            (ring head tail) (bvugt (bvsub head tail) #x4) => false
        """,
        safe={"relation": "bvult"},
        unsafe={"relation": "bvule"},
    ),
    *Program(
        "bv/gray-code",
        """
        n := 0
        repeat any number of times: n := n + 1
        assert that gray(n) = n ^ (n >> 1) differs from gray(n - {distance}) in one bit only
        """,
        predicates="(loop (_ BitVec 4) (_ BitVec 4))",
        variables="n m d (_ BitVec 4)",
        rules="""
            => (loop #x0 (bvneg {distance}))
            (loop n m) => (loop (bvadd n #x1) (bvadd m #x1))
            (loop n m) (= d (bvxor (bvxor n (bvlshr n #x1)) (bvxor m (bvlshr m #x1))))
                (distinct (bvand d (bvsub d #x1)) #x0) => false
        """,
        safe={"distance": "#x1"},
        unsafe={"distance": "#x2"},
    ),
    *Program(
        "bv/shift-add-multiply",
        """
        product := 0
        while b != 0:
            if b & 1 = 1: product := product + a
            a, b := a << 1, b >> 1
        assert, for a = 3 and b = 5, product = {product}
        """,
        predicates="(loop (_ BitVec 4) (_ BitVec 4) (_ BitVec 4))",
        variables="a b p (_ BitVec 4)",
        rules="""
            => (loop #x3 #x5 #x0)
            (loop a b p) (distinct b #x0) (= ((_ extract 0 0) b) #b1)
                => (loop (bvshl a #x1) (bvlshr b #x1) (bvadd p a))
            (loop a b p) (distinct b #x0) (= ((_ extract 0 0) b) #b0)
                => (loop (bvshl a #x1) (bvlshr b #x1) p)
            (loop a b p) (= b #x0) (distinct p {product}) => false
        """,
        safe={"product": "#xf"},
        unsafe={"product": "#x8"},
    ),
    *Program(
        "bv/sign-extension",
        """
        int4 x is widened to 8 bits {how}
        assert that the wide one is negative just when x is
        """,
        predicates="(narrow (_ BitVec 4)) (wide (_ BitVec 4) (_ BitVec 8))",
        variables="x (_ BitVec 4); y (_ BitVec 8)",
        rules="""
            => (narrow x)
            (narrow x) (= y ((_ {extend} 4) x)) => (wide x y)
            (wide x y) (not (= (bvslt x #x0) (bvslt y #x00))) => false
        """,
        safe={"how": "with its sign", "extend": "sign_extend"},
        unsafe={"how": "with zeros", "extend": "zero_extend"},
    ),
    *Program(
        "bv/recursive-parity",
        """
        parity(x) = 0 if x = 0, else parity(x >> 1) ^ (x & 1)
        assert parity(x) = parity(y) for {assumption}
        """,
        predicates="(parity (_ BitVec 3) (_ BitVec 1))",
        variables="x y (_ BitVec 3); p q (_ BitVec 1)",
        rules="""
            => (parity #b000 #b0)
            (distinct x #b000) (parity (bvlshr x #b001) p) => (parity x (bvxor p ((_ extract 0 0) x)))
            (parity x p) (parity y q) {guard} (distinct p q) => false
        """,
        safe={"assumption": "x = y", "guard": "(= x y)"},
        unsafe={"assumption": "x = -y", "guard": "(= x (bvneg y))"},
    ),
    *Program(
        "bv/rotate",
        """
        x := 0b0011
        repeat any number of times: rotate x by {distance}
        assert x != 0b0110
        """,
        predicates="(loop (_ BitVec 4))",
        variables="x (_ BitVec 4)",
        rules="""
            => (loop #b0011)
            (loop x) => (loop ((_ rotate_left {distance}) x))
            (loop x) (= x #b0110) => false
        """,
        safe={"distance": "2"},
        unsafe={"distance": "1"},
    ),
    *Program(
        "bv/checksum",
        """
        sum := 0
        for two groups of three bits b: sum := rotate(sum, 1) ^ b, where b is at most {most}
        assert sum < 4
        """,
        predicates="(sum (_ BitVec 2) (_ BitVec 3))",
        variables="i (_ BitVec 2); s b (_ BitVec 3)",
        rules="""
            => (sum #b00 #b000)
            (sum i s) (bvult i #b10) (bvule b {most}) => (sum (bvadd i #b01) (bvxor ((_ rotate_left 1) s) b))
            (sum i s) (bvuge s #b100) => false
        """,
        safe={"most": "#b001"},
        unsafe={"most": "#b010"},
    ),
    *Program(
        "bv/pump-and-drain",
        """
        x := y := 0 of three bits; any number of times: x := x + 1, y := y + 3
        then, as long as x > 0: x := x - 1, y := y - {less}
        assert y = 0
        """,
        predicates="(pump (_ BitVec 3) (_ BitVec 3)) (drain (_ BitVec 3) (_ BitVec 3))",
        variables="x y (_ BitVec 3)",
        rules="""
            => (pump #b000 #b000)
            (pump x y) => (pump (bvadd x #b001) (bvadd y #b011))
            (pump x y) => (drain x y)
            (drain x y) (bvugt x #b000) => (drain (bvsub x #b001) (bvsub y {less}))
            (drain x y) (= x #b000) (not (= y #b000)) => false
        """,
        safe={"less": "#b011"},
        unsafe={"less": "#b010"},
    ),
    *Program(
        "bv/linear-congruential-generator",
        """
        x := 1 of four bits
        repeat any number of times: x := 5 * x + {increment}
        assert x != 4
        """,
        predicates="(random (_ BitVec 4))",
        variables="x (_ BitVec 4)",
        rules="""
            => (random #x1)
            (random x) => (random (bvadd (bvmul #x5 x) {increment}))
            (random #x4) => false
        """,
        safe={"increment": "#x2"},
        unsafe={"increment": "#x3"},
    ),
    *Program(
        "bv/division-with-remainder",
        """
        q, r := x / y, x % y of three bits{assumption}
        assert x = q * y + r and r < y
        """,
        predicates="(operands (_ BitVec 3) (_ BitVec 3)) (divided (_ BitVec 3) (_ BitVec 3) (_ BitVec 3) (_ BitVec 3))",
        variables="x y q r (_ BitVec 3)",
        rules="""
            {guard} => (operands x y)
            (operands x y) => (divided x y (bvudiv x y) (bvurem x y))
            (divided x y q r) (not (and (= x (bvadd (bvmul q y) r)) (bvult r y))) => false
        """,
        safe={"assumption": ", where y != 0", "guard": "(distinct y #b000)"},
        unsafe={"assumption": ", also for y = 0", "guard": ""},
    ),
    *Program(
        "bv/sign-of-a-remainder",
        """
        int3 q, r := x / y, {remainder} of x and y
        assert q * y + r = x, unless y = 0
        """,
        predicates="(divided (_ BitVec 3) (_ BitVec 3) (_ BitVec 3) (_ BitVec 3))",
        variables="x y q r (_ BitVec 3)",
        rules="""
            (distinct y #b000) => (divided x y (bvsdiv x y) ({operator} x y))
            (divided x y q r) (distinct (bvadd (bvmul q y) r) x) => false
        """,
        safe={"remainder": "the remainder with the sign of x", "operator": "bvsrem"},
        unsafe={"remainder": "the remainder with the sign of y", "operator": "bvsmod"},
    ),
    *Program(
        "bv/greatest-common-divisor",
        """
        a, b := 12, 8
        while b != 0: a, b := b, a % b
        assert a = {divisor}
        """,
        predicates="(loop (_ BitVec 4) (_ BitVec 4))",
        variables="a b (_ BitVec 4)",
        rules="""
            => (loop #xc #x8)
            (loop a b) (distinct b #x0) => (loop b (bvurem a b))
            (loop a #x0) (distinct a {divisor}) => false
        """,
        safe={"divisor": "#x4"},
        unsafe={"divisor": "#x2"},
    ),
    *Program(
        "bv/arithmetic-shift",
        """
        int4 x := -8
        repeat any number of times: x := x >> 1, {kind}
        assert x < 0
        """,
        predicates="(loop (_ BitVec 4))",
        variables="x (_ BitVec 4)",
        rules="""
            => (loop #x8)
            (loop x) => (loop ({operator} x #x1))
            (loop x) (bvsge x #x0) => false
        """,
        safe={"kind": "keeping the sign", "operator": "bvashr"},
        unsafe={"kind": "with a zero for the sign", "operator": "bvlshr"},
    ),
    *Program(
        "bv/two-s-complement",
        """
        y := not x, bit by bit; z := y{step}
        assert z = -x
        """,
        predicates="(inverted (_ BitVec 4) (_ BitVec 4)) (negated (_ BitVec 4) (_ BitVec 4))",
        variables="x y (_ BitVec 4)",
        rules="""
            => (inverted x (bvnot x))
            (inverted x y) => (negated x {formula})
            (negated x y) (distinct y (bvneg x)) => false
        """,
        safe={"step": " + 1", "formula": "(bvadd y #x1)"},
        unsafe={"step": "", "formula": "y"},
    ),
    *Program(
        "bv/exclusive-or-of-nands",
        """
        n := x nand y; z := (x nand n) {last} (y nand n)
        assert z = x xor y
        """,
        predicates="(inputs (_ BitVec 4) (_ BitVec 4) (_ BitVec 4)) (output (_ BitVec 4) (_ BitVec 4) (_ BitVec 4))",
        variables="x y n z (_ BitVec 4)",
        rules="""
            => (inputs x y (bvnand x y))
            (inputs x y n) => (output x y ({operator} (bvnand x n) (bvnand y n)))
            (output x y z) (distinct z (bvxor x y)) => false
        """,
        safe={"last": "nand", "operator": "bvnand"},
        unsafe={"last": "nor", "operator": "bvnor"},
    ),
    *Program(
        "bv/comparator",
        """
        e := the bit that says whether x = y{part}
        assert e = 1 just when every bit of x xnor y is 1
        """,
        predicates="(compared (_ BitVec 4) (_ BitVec 4) (_ BitVec 1))",
        variables="x y (_ BitVec 4); e (_ BitVec 1)",
        rules="""
            => (compared x y {formula})
            (compared x y e) (distinct (= e #b1) (= (bvxnor x y) #xf)) => false
        """,
        safe={"part": "", "formula": "(bvcomp x y)"},
        unsafe={
            "part": ", of three bits",
            "formula": "(bvcomp ((_ extract 2 0) x) ((_ extract 2 0) y))",
        },
    ),
    *Program(
        "bv/rotate-there-and-back",
        """
        x := 0b0001
        any number of times: rotate x to the left by 1; then rotate x to the right by 1, as often, and {more}
        assert x = 0b0001
        """,
        predicates="(there (_ BitVec 4) (_ BitVec 2)) (back (_ BitVec 4) (_ BitVec 2))",
        variables="x (_ BitVec 4); n (_ BitVec 2)",
        rules="""
            => (there #b0001 #b00)
            (there x n) => (there ((_ rotate_left 1) x) (bvadd n #b01))
            (there x n) => (back {start} n)
            (back x n) (bvugt n #b00) => (back ((_ rotate_right 1) x) (bvsub n #b01))
            (back x n) (= n #b00) (distinct x #b0001) => false
        """,
        safe={"more": "no more", "start": "x"},
        unsafe={"more": "twice more", "start": "((_ rotate_right 2) x)"},
    ),
    *Program(
        "bv/signed-countdown",
        """
        int4 i := 3
        while i > -2, compared as {kind} numbers: i := i - 1
        assert i = -2
        """,
        predicates="(loop (_ BitVec 4))",
        variables="i (_ BitVec 4)",
        rules="""
            => (loop #x3)
            (loop i) ({greater} i #xe) => (loop (bvsub i #x1))
            (loop i) ({at_most} i #xe) (distinct i #xe) => false
        """,
        safe={"kind": "signed", "greater": "bvsgt", "at_most": "bvsle"},
        unsafe={"kind": "unsigned", "greater": "bvugt", "at_most": "bvule"},
    ),
    *Program(
        "bv/pattern-of-two-halves",
        """
        any number of times: x := x + 1, of two bits; y := x twice{change}
        assert that both halves of y are equal
        """,
        predicates="(loop (_ BitVec 2)) (pattern (_ BitVec 4))",
        variables="x (_ BitVec 2); y (_ BitVec 4)",
        rules="""
            => (loop #b00)
            (loop x) => (loop (bvadd x #b01))
            (loop x) (= y {formula}) => (pattern y)
            (pattern y) (distinct ((_ extract 3 2) y) ((_ extract 1 0) y)) => false
        """,
        safe={"change": "", "formula": "((_ repeat 2) x)"},
        unsafe={"change": ", and one more", "formula": "(bvadd ((_ repeat 2) x) #x1)"},
    ),
]
