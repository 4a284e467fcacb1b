"""Several theories at once."""

from seeds.smt.notation import Pair, Seed

OPTION = "(declare-datatypes ((Option 0)) (((none) (some (value Int)))))"
STATE = """
    (declare-datatypes ((Mode 0)) (((idle) (busy (job Int)))))
    (declare-datatypes ((State 0)) (((state (mode Mode) (queue (Array Int Int)) (free Bool)))))
"""
TERM = """
    (declare-datatypes ((Expr 0) (Args 0)) (
      ((lit (word (_ BitVec 4))) (app (args Args)))
      ((end) (arg (one Expr) (rest Args)))))
"""

MIXTURES: list[Seed] = [
    *Pair(
        "mixtures/array-of-options",
        "an array of options, where none is written over some: {what}",
        datatypes=OPTION,
        names="a b (Array Int Option); i j Int",
        assertions="""
            ((_ is some) (select a i))
            (= b (store a j none))
            ((_ is some) (select b i))
            ({relation} i j)
        """,
        sat={"what": "elsewhere", "relation": "<"},
        unsat={"what": "there", "relation": "="},
    ),
    *Pair(
        "mixtures/state-machine",
        "a step of a machine takes a job from the queue; afterwards it is {what}",
        datatypes=STATE,
        names="s t State; n Int",
        assertions="""
            (= s (state idle (store (queue s) 0 n) true))
            (= t (ite (> (select (queue s) 0) 0)
              (state (busy (select (queue s) 0)) (store (queue s) 0 0) false)
              s))
            (= (free t) {free})
            ((_ is busy) (mode t))
        """,
        sat={"what": "busy and not free", "free": "false"},
        unsat={"what": "busy and free", "free": "true"},
    ),
    *Pair(
        "mixtures/expressions",
        "expressions with words of 4 bits: {what}",
        datatypes=TERM,
        names="e f Expr; x (_ BitVec 4)",
        assertions="""
            (= e (app (arg (lit x) (arg (lit (bvnot x)) end))))
            (= f (app (arg (lit (bvadd x {addend})) (arg (lit (bvsub #xf x)) end))))
            (= e f)
        """,
        sat={"what": "equal ones", "addend": "#x0"},
        unsat={"what": "ones with different leaves", "addend": "#x1"},
    ),
    *Pair(
        "mixtures/match-in-array",
        "a match on an element, whose value is {how}",
        datatypes=OPTION,
        names="a (Array (_ BitVec 2) Option); i (_ BitVec 2); n Int",
        assertions="""
            (= n (match (select a i) ((none (- 1)) ((some v) (+ v v)))))
            (= (mod n 2) 1)
            (> n {bound})
        """,
        sat={"how": "above -2", "bound": "(- 2)"},
        unsat={"how": "above -1", "bound": "(- 1)"},
    ),
    *Pair(
        "mixtures/word-and-number",
        "a word of 5 bits and its number: {what}",
        names="x (_ BitVec 5); n Int",
        assertions="(= n (bv2nat x)) (= (bv2nat (bvadd x #b00001)) {next})",
        sat={"what": "the successor wraps", "next": "(- n 31)"},
        unsat={"what": "the successor is never 32", "next": "32"},
    ),
    *Pair(
        "mixtures/number-to-word",
        "a number as a word of 3 bits is {what}",
        names="n Int",
        assertions="(= ((_ int2bv 3) n) #b{word}) (= (mod n 8) 5) (< n 0)",
        sat={"what": "its last bits", "word": "101"},
        unsat={"what": "not its last bits", "word": "110"},
    ),
    *Pair(
        "mixtures/function-of-arrays",
        "a function of equal arrays{but}",
        names="(f (Array Int Bool)) Int; a b (Array Int Bool); i Int",
        assertions="(= b (store a i (select a {j}))) (distinct (f a) (f b))",
        sat={"but": ", and of unequal ones", "j": "(+ i 1)"},
        unsat={"but": "", "j": "i"},
    ),
    *Pair(
        "mixtures/sort-of-keys",
        "a map from an uninterpreted sort to words{but}",
        sorts="Key",
        names="m n (Array Key (_ BitVec 3)); k l Key; (hash Key) (_ BitVec 1)",
        assertions="""
            (distinct (hash k) (hash l))
            (= n (store m k (bvadd (select m k) #b001)))
            ({relation} (select n l) (select m l))
        """,
        sat={"but": "", "relation": "="},
        unsat={"but": ", one element of which changes with another", "relation": "distinct"},
    ),
    *Pair(
        "mixtures/fold",
        "a fold of a function over two elements {how}",
        datatypes="(declare-datatypes ((List 0)) (((nil) (cons (head (_ BitVec 3)) (tail List)))))",
        names="(fold List) (_ BitVec 3); xs List; x (_ BitVec 3)",
        assertions="""
            (= (fold nil) #b000)
            (forall ((h (_ BitVec 3)) (t List)) (! (= (fold (cons h t)) (bvadd h (fold t))) :pattern ((cons h t))))
            (= xs (cons x (cons (bv{operator} x) nil)))
            (distinct (fold xs) #b000)
        """,
        sat=None,
        unsat={"how": "cancels", "operator": "neg"},
    ),
    *Pair(
        "mixtures/comparison-as-index",
        "an array over Booleans, read at a comparison and at {other}",
        names="a (Array Bool Int); x y Real",
        assertions="""
            (= (select a (< x y)) 4)
            (= (select a ({relation} x y)) 7)
            (= (select a (> y x)) {value})
        """,
        sat={"other": "its opposite", "relation": ">=", "value": "4"},
        unsat={"other": "itself", "relation": ">=", "value": "7"},
    ),
    *Pair(
        "mixtures/lets-over-theories",
        "lets that share terms of three theories{but}",
        names="a (Array Int (_ BitVec 7)); i j Int; p Bool",
        assertions="""
            (let ((x (select a i)) (y (select a j)))
              (let ((z (bvadd x y)) (q (and p (= i j))))
                (and q (distinct z ({operator} x {second})))))
        """,
        sat={"but": ", and a wrong one", "operator": "bvmul", "second": "y"},
        unsat={"but": "", "operator": "bvadd", "second": "x"},
    ),
    *Pair(
        "mixtures/real-and-array",
        "prices in an array: the sum of two is {what}",
        names="price (Array Int Real); total Real; n Int",
        assertions="""
            (= total (+ (select price n) (select price (+ n 1))))
            (> (select price n) 2.5)
            (> (select price (- n (- 1))) {least})
            (<= total 5.0)
        """,
        sat={"what": "at most 5", "least": "2.25"},
        unsat={"what": "above 5", "least": "2.5"},
    ),
]
