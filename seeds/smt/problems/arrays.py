"""Arrays: of numbers, words, Booleans and arrays, constant arrays, equality."""

from seeds.smt.notation import Pair, Seed

INTS = "(Array Int Int)"
WORDS = "(Array (_ BitVec 3) (_ BitVec 5))"
BITS = "(Array (_ BitVec 1) (_ BitVec 1))"

ARRAYS: list[Seed] = [
    *Pair(
        "arrays/read-over-write",
        "a value that was written at i is read at {where}",
        names=f"a {INTS}; i j Int",
        assertions="(distinct (select (store a i 5) {where}) 5) (= j (+ i 1))",
        sat={"where": "j"},
        unsat={"where": "(- j 1)"},
    ),
    *Pair(
        "arrays/swap-twice",
        "exchanging two elements twice gives the array back{but}",
        names=f"a b c {INTS}; i j Int",
        assertions="""
            (= b (store (store a i (select a j)) j (select a i)))
            (= c (store (store b i (select b j)) j (select b {third})))
            (distinct a c)
        """,
        sat={"but": ", but not with a wrong index", "third": "j"},
        unsat={"but": "", "third": "i"},
    ),
    *Pair(
        "arrays/order-of-writes",
        "two writes may change places {when}",
        names=f"a {INTS}; i j x y Int",
        assertions="""
            (distinct (store (store a i x) j y) (store (store a j y) i x))
            ({relation} i j)
        """,
        sat={"when": "unless they hit one index", "relation": "<="},
        unsat={"when": "at different indices", "relation": "<"},
    ),
    *Pair(
        "arrays/extensionality",
        "arrays over one bit that agree at {both}",
        names=f"a b {BITS}",
        assertions="""
            (distinct a b)
            (= (select a #b0) (select b #b0))
            ({relation} (select a #b1) (select b #b1))
            (= (select b #b0) #b0)
        """,
        sat={"both": "0 alone differ", "relation": "distinct"},
        unsat={"both": "0 and 1 are equal", "relation": "="},
    ),
    *Pair(
        "arrays/constant",
        "a constant array with {writes} has two values that differ",
        names=f"a {INTS}; i j k Int",
        assertions=f"""
            (= a (store (store ((as const {INTS}) 7) i 8) j {{last}}))
            (distinct (select a i) (select a j) (select a k))
        """,
        sat={"writes": "two writes, of 8 and 9,", "last": "9"},
        unsat={"writes": "two writes of 8", "last": "8"},
    ),
    *Pair(
        "arrays/equal-constants",
        "a constant array with one write of {what} is constant",
        names=f"a b {WORDS}; i (_ BitVec 3); y (_ BitVec 5)",
        assertions=f"""
            (= a ((as const {WORDS}) #b00110))
            (= b (store a i y))
            (= b ((as const {WORDS}) #b00110))
            ({{relation}} #b00110 y)
        """,
        sat={"what": "the same value", "relation": "bvule"},
        unsat={"what": "another value", "relation": "bvult"},
    ),
    *Pair(
        "arrays/nested",
        "a row is replaced in a table, and {what} read",
        names=f"t u (Array Int {INTS}); r {INTS}; i j Int",
        assertions="""
            (= u (store t i (store (select t i) j 3)))
            (= r (select u i))
            ({relation} (select r j) (select (select t i) {place}))
            (= (select (select t i) (+ j 1)) 3)
        """,
        sat={"what": "another element", "relation": "=", "place": "(+ j 1)"},
        unsat={"what": "another element", "relation": "distinct", "place": "(+ j 1)"},
    ),
    *Pair(
        "arrays/equal-rows",
        "a table of rows over one bit: rows that agree in pairs{but}",
        names=f"t (Array Int {BITS}); r s {BITS}; i j Int",
        assertions="""
            (= r (select t i))
            (= s (select (store t j (store r #b1 #b0)) i))
            (= (select r #b1) #b{bit})
            (distinct r s)
        """,
        sat={"but": ", but not where one bit was set", "bit": "1"},
        unsat={"but": "", "bit": "0"},
    ),
    *Pair(
        "arrays/of-booleans",
        "a set of words is an array of Booleans: adding 0 and toggling x changes {what}",
        names="s t (Array (_ BitVec 2) Bool); x (_ BitVec 2)",
        assertions="""
            (= t (store (store s #b00 true) x (not (select s x))))
            (= s t)
            ({relation} x #b00)
        """,
        sat=None,
        unsat={"what": "it", "relation": "bvuge"},
    ),
    *Pair(
        "arrays/of-booleans-twice",
        "a set of words is an array of Booleans: toggling x and y changes nothing {when}",
        names="s t (Array (_ BitVec 2) Bool); x y (_ BitVec 2)",
        assertions="""
            (= t (store s x (not (select s x))))
            (= s (store t y (not (select t y))))
            ({relation} x y)
        """,
        sat={"when": "if they are one", "relation": "="},
        unsat={"when": "only if they are one", "relation": "distinct"},
    ),
    *Pair(
        "arrays/choice-of-arrays",
        "a read of a choice is the choice of the reads{but}",
        names=f"a b {WORDS}; p Bool; i (_ BitVec 3)",
        assertions="(distinct (select (ite p a b) i) (ite {condition} (select a i) (select b i)))",
        sat={"but": ", of the same one only", "condition": "(not p)"},
        unsat={"but": "", "condition": "p"},
    ),
    *Pair(
        "arrays/sorted-pair",
        "three elements after two exchanges are {order}",
        names=f"a b c {INTS}",
        assertions="""
            (= b (ite (> (select a 0) (select a 1))
              (store (store a 0 (select a 1)) 1 (select a 0)) a))
            (= c (ite (> (select b 1) (select b 2))
              (store (store b 1 (select b 2)) 2 (select b 1)) b))
            (> (select c {low}) (select c {high}))
        """,
        sat={"order": "not sorted yet", "low": "0", "high": "1"},
        unsat={"order": "ended by the greatest", "low": "1", "high": "2"},
    ),
    *Pair(
        "arrays/index-by-element",
        "a permutation of two that is its own inverse{but}",
        names="p (Array (_ BitVec 1) (_ BitVec 1)); x (_ BitVec 1)",
        assertions="""
            (distinct (select p #b0) (select p #b1))
            (distinct (select p (select p x)) {back})
        """,
        sat={"but": ", and moves a value", "back": "(select p x)"},
        unsat={"but": " always", "back": "x"},
    ),
]
