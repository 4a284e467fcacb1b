"""Boolean circuits and Boolean programs."""

from notation import Program

BOOLEANS = [
    *Program(
        "bool/full-adder",
        """
        sum = a xor b xor c;  carry = {carry}
        assert that two or three of the inputs are true just when carry is
        """,
        predicates="(adder Bool Bool Bool Bool Bool)",
        variables="a b c sum carry Bool",
        rules="""
            (= sum (xor a (xor b c))) (= carry {carry}) => (adder a b c sum carry)
            (adder a b c sum carry)
                (not (= carry (or (and a b) (and a c) (and b c)))) => false
            (adder a b c sum carry) (= sum a) (distinct b c) => false
        """,
        safe={"carry": "(ite (= a b) a c)"},
        unsafe={"carry": "(ite (= a b) c a)"},
    ),
    *Program(
        "bool/ripple-counter",
        """
        three flip-flops a, b, c count up from 0 and go back to 0 after {last}
        assert that they are never all set
        """,
        predicates="(counter Bool Bool Bool)",
        variables="a b c Bool",
        rules="""
            => (counter false false false)
            (counter a b c) {after_last} => (counter false false false)
            (counter a b c) (not {after_last}) => (counter (not a) (xor b a) (xor c (and a b)))
            (counter true true true) => false
        """,
        safe={"last": "5", "after_last": "(and a (not b) c)"},
        unsafe={"last": "7", "after_last": "(and a b c)"},
    ),
    *Program(
        "bool/johnson-counter",
        """
        a ring of three flip-flops; the last goes back to the first, {inverted}
        assert not (a and not b and c)
        """,
        predicates="(ring Bool Bool Bool)",
        variables="a b c Bool",
        rules="""
            => (ring false false false)
            (ring a b c) => (ring {bit} a b)
            (ring a b c) (and a (not b) c) => false
        """,
        safe={"inverted": "inverted", "bit": "(not c)"},
        unsafe={"inverted": "inverted only while a is false", "bit": "(xor c (not a))"},
    ),
    *Program(
        "bool/latch",
        """
        a set-reset latch of two {gates} gates, not set and reset at once
        assert that q and its inverse differ once it has been set or reset
        """,
        predicates="(latch Bool Bool Bool)",
        variables="q n s r ready Bool",
        rules="""
            => (latch q n false)
            (latch q n ready) s (not r) => (latch true {set} true)
            (latch q n ready) (not s) r => (latch false true true)
            (latch q n ready) (not s) (not r) (= q (not n)) => (latch q n ready)
            (latch q n ready) ready (= q n) => false
        """,
        safe={"gates": "nor", "set": "false"},
        unsafe={"gates": "faulty nor", "set": "n"},
    ),
    *Program(
        "bool/majority-voter",
        """
        three copies of one bit, at most {faults} of them wrong; the voter takes the majority
        assert that the vote is the bit
        """,
        predicates="(copies Bool Bool Bool Bool) (vote Bool Bool)",
        variables="x a b c v Bool",
        rules="""
            (or (and (= a x) (= b x)) (and (= b x) (= c x)) (and (= a x) (= c x)) {more}) => (copies x a b c)
            (copies x a b c) (= v (or (and a b) (and b c) (and a c))) => (vote x v)
            (vote x v) (xor x v) => false
        """,
        safe={"faults": "one", "more": "false"},
        unsafe={"faults": "two", "more": "(= a x)"},
    ),
    *Program(
        "bool/multiplexer",
        """
        y = (s and a) or (not s and b), built of nand gates
        assert y = {expected}
        """,
        predicates="(gate1 Bool Bool Bool Bool) (gate2 Bool Bool Bool Bool Bool) (output Bool Bool Bool Bool)",
        variables="s a b u v y Bool",
        rules="""
            (= u (not (and s a))) => (gate1 s a b u)
            (gate1 s a b u) (= v (not (and (not s) b))) => (gate2 s a b u v)
            (gate2 s a b u v) (= y (not (and u v))) => (output s a b y)
            (output s a b y) (not (= y {expected})) => false
        """,
        safe={"expected": "(ite s a b)"},
        unsafe={"expected": "(ite s b a)"},
    ),
    *Program(
        "bool/two-adders-agree",
        """
        two bits added by a half adder with xor, and by one with {other}
        assert that they agree
        """,
        predicates="(first Bool Bool Bool Bool) (second Bool Bool Bool Bool)",
        variables="a b s c t d Bool",
        rules="""
            (= s (xor a b)) (= c (and a b)) => (first a b s c)
            (= d (and a b)) (= t (and ({other} a b) (not {inner}))) => (second a b t d)
            (first a b s c) (second a b t d) (or (distinct s t) (distinct c d)) => false
        """,
        safe={"other": "or", "inner": "(and a b)"},
        unsafe={"other": "or", "inner": "(and a (not b))"},
    ),
    *Program(
        "bool/arbiter",
        """
        two clients ask; the arbiter grants one, the one that was not granted last if both ask
        {fault}
        assert that both are never granted at once
        """,
        predicates="(arbiter Bool Bool Bool)",
        variables="g h last r s Bool",
        rules="""
            => (arbiter false false false)
            (arbiter g h last) r (or (not s) last) => (arbiter true {kept} false)
            (arbiter g h last) s (or (not r) (not last)) => (arbiter false true true)
            (arbiter g h last) (not r) (not s) => (arbiter false false last)
            (arbiter g h last) (and g h) => false
        """,
        safe={"fault": "a grant takes back the other", "kept": "false"},
        unsafe={"fault": "one grant does not take back the other", "kept": "h"},
    ),
    *Program(
        "bool/lights-out",
        """
        four lights in a row; a button switches its light and the neighbours of it
        all are off, {buttons}
        assert that it never happens that only the second is on
        """,
        predicates="(lights Bool Bool Bool Bool)",
        variables="a b c d Bool",
        rules="""
            => (lights false false false false)
            (lights a b c d) => (lights a (not b) (not c) (not d))
            (lights a b c d) => (lights (not a) (not b) (not c) d)
            (lights a b c d) => (lights a b {c} {d})
            (lights false true false false) => false
        """,
        safe={"buttons": "the first button and the last are broken", "c": "c", "d": "d"},
        unsafe={"buttons": "the first button is broken", "c": "(not c)", "d": "(not d)"},
    ),
    *Program(
        "bool/expert-system",
        """
        has-feathers; lays-eggs; {fact}
        bird if has-feathers and lays-eggs;  penguin if bird and swims;  whale if mammal and swims
        assert not penguin
        """,
        predicates="(has-feathers) (lays-eggs) (flies) (swims) (bird) (penguin) (mammal) (whale)",
        rules="""
            => has-feathers
            => lays-eggs
            => {fact}
            has-feathers lays-eggs => bird
            bird swims => penguin
            mammal swims => whale
            penguin => false
        """,
        safe={"fact": "flies"},
        unsafe={"fact": "swims"},
    ),
    *Program(
        "bool/boolean-program",
        """
        a procedure  flip(x): if * then return not x else return flip(flip({inner}))
        assert that flip(x) != x
        """,
        predicates="(flip Bool Bool)",
        variables="x y z Bool",
        rules="""
            => (flip x (not x))
            (flip {inner} y) (flip y z) => (flip x z)
            (flip x y) (= x y) => false
        """,
        safe={"inner": "(not x)"},
        unsafe={"inner": "x"},
    ),
    *Program(
        "bool/taint-analysis",
        """
        which of a, b and c come from the user: b := a; c := b or clean(b); print(c)
        assert that nothing is printed that comes from the user
        """,
        predicates="(after1 Bool Bool Bool) (after2 Bool Bool Bool) (after3 Bool Bool Bool)",
        variables="a b c Bool",
        rules="""
            => (after1 true false false)
            (after1 a b c) => (after2 a a c)
            (after2 a b c) => (after3 a b {cleaned})
            (after2 a b c) a => (after3 a b false)
            (after3 a b c) c => false
        """,
        safe={"cleaned": "(and b (not a))"},
        unsafe={"cleaned": "b"},
    ),
]
