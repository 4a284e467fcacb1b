"""Systems that are made to be hard on mutations: what no seed of the corpus has, and what one can get wrong."""

from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System

_TEXTS = {
    # Nested connectives of both kinds, other shapes of clauses, names of clauses.
    "written": """
(declare-fun p (Int Bool) Bool)
(declare-fun |q r| (Real) Bool)
(assert (! (forall ((x Int) (b Bool)) (or (not (or (< x 3) (or b (> x 7)) (= x 5))) (p x b))) :named first))
(assert (forall ((x Int) (y Int) (b Bool)) (not (and (p x b) (and (< y x) (or b (or b (< x y)))) (not (p y b))))))
(assert (forall ((x Int) (u Real)) (=> (and (exists ((b Bool) (y Int)) (and (p y b) (< y x))) (<= u 0.5)) (|q r| u))))
(assert (forall ((x Int) (u Real)) (=> (|q r| u) (p x (> u 1.0)) (or (< x 3) (> x 100)))))""",
    # One name for several things, names that are reserved words or look like fresh ones.
    "names": """
(declare-fun |par| (Bool Bool) Bool)
(declare-fun v0 (Bool) Bool)
(declare-fun v0!1 (Bool Bool) Bool)
(assert (forall ((v0!2 Bool) (|STRING| Bool)) (=> (or v0!2 |STRING|) (|par| v0!2 |STRING|))))
(assert (forall ((v0!2 Bool)) (=> (exists ((v1 Bool)) (and (|par| v0!2 v1) (exists ((v0!2 Bool)) (not (= v0!2 v1)))))
 (v0 v0!2))))
(assert (forall ((x Bool)) (forall ((x Bool) (y Bool)) (=> (and (v0 x) (not y)) (v0!1 x y)))))
(assert (forall ((x Bool) (y Bool)) (not (and (v0!1 x y) (v0!1 y x) (not (= x y)) y))))""",
    # Predicates without arguments, an unused one, one without rules; declarations after use, several queries.
    "nullary": """
(declare-fun a () Bool)
(declare-fun b () Bool)
(assert a)
(assert (=> (and a b) false))
(declare-fun unused (Bool (_ BitVec 2)) Bool)
(declare-fun empty (Bool) Bool)
(assert (forall ((x Bool)) (=> (empty x) b)))
(assert (=> true (or (not b) false)))
(assert (forall ((x Bool)) (not (and (empty x) a))))""",
    "array equalities": """
(declare-fun p ((Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int)) (i Int)) (=> (= a (store ((as const (Array Int Int)) 0) i 1)) (p a i))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int))
 (=> (and (p a i) (= b (store a (+ i 1) 2))) (p b (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (= (select a i) 0)) false)))""",
    # The head is among the body's members, and before them.
    "negated conjunctions": """
(declare-fun p ((_ BitVec 2)) Bool)
(assert (forall ((x (_ BitVec 2))) (not (and (not (p x)) (bvult x #b01)))))
(assert (forall ((x (_ BitVec 2)) (y (_ BitVec 2))) (not (and (and (not (p y)) (= y (bvadd x #b10))) (p x)))))
(assert (forall ((x (_ BitVec 2))) (not (and (not (= x #b10)) (distinct x #b00) (p x)))))""",
    "several queries": """
(declare-fun p ((_ BitVec 2) Bool) Bool)
(declare-fun q (Bool) Bool)
(assert (forall ((x (_ BitVec 2))) (=> (= x #b00) (p x true))))
(assert (forall ((x (_ BitVec 2)) (b Bool)) (=> (and (p x b) (bvult x #b10)) (p (bvadd x #b01) (not b)))))
(assert (forall ((x (_ BitVec 2)) (b Bool)) (=> (and (p x b) (or (= x #b01) (and b (= x #b10)))) (q b))))
(assert (forall ((x (_ BitVec 2))) (=> (p x true) (not (= x #b11)))))
(assert (forall ((x (_ BitVec 2))) (=> (p x false) (= x #b01))))
(assert (forall ((x (_ BitVec 2)) (b Bool)) (=> (p x b) (q b) (or b (= x #b01)))))""",
    "several queries, one reached": """
(declare-fun p ((_ BitVec 2) Bool) Bool)
(declare-fun q (Bool) Bool)
(assert (forall ((x (_ BitVec 2))) (=> (= x #b00) (p x true))))
(assert (forall ((x (_ BitVec 2)) (b Bool)) (=> (and (p x b) (bvult x #b11)) (p (bvadd x #b01) (not b)))))
(assert (forall ((x (_ BitVec 2)) (b Bool)) (=> (and (p x b) (ite b (= x #b10) (= x #b11))) (q b))))
(assert (forall ((x (_ BitVec 2))) (=> (p x true) (not (= x #b11)))))
(assert (=> (and (q true) (q false)) false))""",
    "integers": """
(declare-fun p (Int Int) Bool)
(declare-fun q (Int Bool) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 4)) (p (+ x 1) (- y x)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (p x y) (ite (> x 1) (< y 0) (= y 0))) (q (- x y) (> y 0)))))
(assert (forall ((x Int) (b Bool)) (=> (and (q x b) (or b (< x 0))) false)))
(assert (forall ((x Int) (y Int)) (not (and (p x y) (exists ((b Bool)) (and (q y b) (= x 3)))))))""",
    "integers, reached": """
(declare-fun p (Int Int) Bool)
(declare-fun q (Int Bool) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 3)) (p (+ x 1) (- y x)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (p x y) (ite (> x 1) (< y 0) (= y 0))) (q (- x y) (> y 0)))))
(assert (forall ((x Int) (b Bool)) (=> (and (q x b) (or b (> x 5))) false)))
(assert (forall ((x Int) (y Int)) (not (and (p x y) (exists ((b Bool)) (and (q y b) (= x 3)))))))""",
    "mutual recursion": """
(declare-fun even (Int Int) Bool)
(declare-fun odd (Int Int) Bool)
(assert (forall ((x Int) (z Int)) (=> (= x 0) (even x 7))))
(assert (forall ((x Int) (z Int)) (=> (even (- x 1) z) (< x 4) (odd x 7))))
(assert (forall ((x Int) (z Int)) (=> (odd (- x 1) z) (< x 4) (even x 7))))
(assert (forall ((x Int)) (forall ((y Int)) (forall ((z Int)) (=> (and (even x y) (odd x z)) false)))))""",
    # Values that SMT-LIB leaves open and that do not affect the answer.
    "partial functions": """
(declare-fun p (Int Int) Bool)
(assert (forall ((x Int)) (=> (or (= x 1) (= x 4)) (p (mod x 3) (div x 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (not (= y 0)) (= (mod x y) 1)) (p x (- y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= (div x 0) (+ 1 (div x 0)))) false)))
(assert (forall ((x Int) (y Int)) (=> (p x y) (not (and (= y 0) (= (mod x y) (mod 7 y)) (< x 0))))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (or (distinct y 1) (distinct x 1)))))
""",
    "partial selectors": """
(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
(declare-fun p (L Int) Bool)
(assert (p nil 0))
(assert (forall ((x Int) (l L)) (=> (and (p l x) (< x 3)) (p (cons x l) (+ x 1)))))
(assert (forall ((x Int) (l L)) (=> (and (p l x) ((_ is cons) l) (= (head (tail (cons 0 l))) 1) (= x 2)) false)))""",
    "arrays": """
(declare-fun p ((Array Int Int) Int) Bool)
(declare-fun q (Int (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (=> (= (select a 0) 1) (p a 0))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (< i 2)) (p (store a (+ i 1) (select a i)) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (= i 2)) (q (select a 1) (store a 5 i)))))
(assert (forall ((a (Array Int Int)) (x Int)) (=> (q x a) (and (= x 1) (= (select a 5) 2)))))""",
    "data types, reached": """
(declare-datatypes ((C 0)) (((red) (green) (mixed (left C) (right C)))))
(declare-fun p (C Real) Bool)
(declare-fun same (C C) Bool)
(assert (p red 0.5))
(assert (p green 1.5))
(assert (forall ((a C) (b C) (u Real) (v Real)) (=> (and (p a u) (p b v) (< u v)) (p (mixed a b) (+ u v)))))
(assert (forall ((a C) (u Real) (v Real)) (=> (and (p a u) (p a v)) (same a a))))
(assert (forall ((a C) (b C) (u Real)) (not (and (same a b) (p b u) ((_ is mixed) a) (> u 1.9)))))""",
    "reals": """
(declare-fun clock (Real Real) Bool)
(assert (forall ((x Real) (y Real)) (=> (and (= x 0.0) (= y (* 2.0 x))) (clock x y))))
(assert (forall ((x Real) (y Real) (d Real)) (=> (and (clock x y) (> d 0.0)) (clock (+ x d) (+ y (* 2.0 d))))))
(assert (forall ((x Real) (y Real)) (=> (and (clock x y) (or (< y x) (> (- y x x) 0.25))) false)))""",
    "no clauses": "(declare-fun p (Bool Int) Bool)",
    "no predicates": "(assert (forall ((x Int)) (=> (< x 0) (< x 1))))(assert (not (= 1 2)))",
}

SYSTEMS: dict[str, System] = {name: parse(f"(set-logic HORN){text}(check-sat)", name) for name, text in _TEXTS.items()}
