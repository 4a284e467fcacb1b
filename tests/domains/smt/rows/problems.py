"""SMT problems that rows could get wrong: every theory, quantifiers, shared and shadowed names, Boolean arguments."""

from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading import parse

_TEXTS = {
    "integers": """
        (declare-const x Int)(declare-const y Int)(declare-fun f (Int) Int)
        (assert (and (< x y) (or (= (f x) 3) (> (- y) 2) (= x 9))))
        (assert (=> (distinct x y 7) (<= (* 3 x) (+ y (mod x 5) (div y (- 3))))))
        (assert (= (f y) (ite (> x 0) (f (f x)) (abs x))))""",
    "integers, unsat": """
        (declare-const x Int)(declare-const y Int)
        (assert (and (> x 0) (> y 0) (< (+ x y) 2)))(assert (or (= x 1) (= y 1) (>= x y)))""",
    "quantifiers": """
        (declare-const x Int)(declare-fun f (Int) Int)(declare-fun p (Int Int) Bool)
        (assert (forall ((y Int)(z Int)) (=> (p y z) (and (> y 0) (>= (f y) z)))))
        (assert (exists ((y Int)) (and (p y x) (= (f y) 4) (forall ((y Bool)) (or y (not y))))))
        (assert (not (forall ((z Int)) (p z z))))(assert (forall ((z Int)) (forall ((y Int)) (=> (p z y) (p y z)))))""",
    "quantifiers, unsat": """
        (declare-fun p (Int) Bool)
        (assert (forall ((x Int)) (! (=> (p x) (p (+ x 1))) :pattern ((p x)) :pattern ((p (+ x 1))))))
        (assert (p 0))(assert (not (p 2)))""",
    "definitions": """
        (declare-const x Int)(define-fun twice ((n Int)) Int (+ n n))(define-fun small () Bool (< (twice x) 9))
        (assert (and small (> (twice (twice x)) 3)))""",
    "vectors": """
        (declare-const a (_ BitVec 3))(declare-const b (_ BitVec 3))
        (assert (= (bvmul a b) (bvadd a #b001)))
        (assert (bvult ((_ extract 1 0) a) ((_ extract 2 1) b)))
        (assert (not (= (concat a b) ((_ zero_extend 3) #b101))))""",
    "vectors, unsat": """
        (declare-const a (_ BitVec 5))(declare-const b (_ BitVec 5))
        (assert (bvslt (bvashr a b) (bvlshr a b)))(assert (bvsge a #b00000))
        (assert (= ((_ rotate_left 2) b) ((_ sign_extend 2) ((_ extract 2 0) b))))""",
    "strings": """
        (declare-const s String)(declare-const t String)(declare-const n Int)(declare-const q (Seq Int))
        (assert (and (= t (str.substr s 1 n)) (str.contains s "a") (< (str.len s) 4) (distinct s t)))
        (assert (str.in_re t (re.++ (re.opt (str.to_re "a")) (re.* (re.range "a" "b")))))
        (assert (or (str.prefixof t s) (str.< s "b") (= (seq.len q) n)))""",
    "strings, unsat": """
        (declare-const s String)(declare-const t String)
        (assert (= s (str.++ "a" t)))(assert (str.suffixof "b" s))(assert (= (str.len s) 1))""",
    "sets": """
        (declare-const s (Set Int))(declare-const t (Set Int))(declare-const n Int)
        (assert (and (set.member n s) (not (set.subset s t)) (distinct t (as set.empty (Set Int)))))
        (assert (or (set.is_empty (set.minus t s)) (= (set.card (set.union s t)) 3)))""",
    "sets, unsat": """
        (declare-const s (Set (_ BitVec 3)))(declare-const t (Set (_ BitVec 3)))
        (assert (and (= s (set.insert #b000 #b001 t)) (not (set.member #b001 (set.inter s (set.singleton #b001))))))""",
    "reals": """
        (declare-const r Real)(declare-const s Real)(declare-const i Int)
        (assert (< (* 2.0 r) (/ s 3.0)))(assert (= (to_int r) i))
        (assert (xor (is_int s) (> r (- s))))(assert (ite (< r s) (= s 2.5) (= r (- 1.5))))""",
    "reals, unsat": """
        (declare-const r Real)(assert (and (> r 0.5) (< r (/ 2.0 3.0))))(assert (is_int (* 2.0 r)))""",
    "data types": """
        (declare-datatypes ((L 0)(T 0)) (((nil)(cons (hd Int)(tl L)))((leaf (v (Array Int Bool)))(node (l L)(r T)))))
        (declare-const t T)(declare-const k L)
        (assert ((_ is node) t))(assert (= (l t) (cons 3 k)))
        (assert (=> ((_ is leaf) (r t)) (select (v (r t)) 3)))""",
    "data types, unsat": """
        (declare-datatypes ((C 0)(P 0)) (((red)(green))((pair (one C)(two C)))))
        (declare-const p P)(declare-fun f (P) C)
        (assert (distinct (one p) (two p) (f p)))""",
    "arrays": """
        (declare-const a (Array Int Int))(declare-const b (Array Int (Array Int Bool)))(declare-const i Int)
        (assert (= (store a i 3) (store a 2 (select a i))))
        (assert (select (select b i) (select a i)))(assert (distinct b ((as const (Array Int (Array Int Bool)))
        ((as const (Array Int Bool)) false))))""",
    "case distinctions": """
        (declare-datatypes ((L 0)) (((nil)(cons (hd Int)(tl L)))))(declare-const k L)(declare-const l L)
        (assert (= (match k ((nil 2)((cons n m) (+ n (match m ((nil 1)(_ 5))))))) 7))(assert (= (hd l) (hd k)))""",
    "case distinctions, as match, unsat": """
        (set-info :chcfuzz-cases match)
        (declare-datatypes ((L 0)) (((nil)(cons (hd Int)(tl L)))))(declare-const k L)
        (assert (match k ((nil false)((cons n m) (= n 3)))))(assert (distinct 3 (hd k)))""",
    "shared terms, as let": """
        (set-info :chcfuzz-sharing let)(declare-const n Int)(declare-fun f (Int) Int)
        (assert (exists ((m Int)) (and (> (f (+ m n)) 3) (< (f (+ m n)) (* 2 (- n 1))) (> n (- n 1)))))""",
    "a filled array": """
        (declare-const a (Array Int Int))(declare-const i Int)
        (assert (distinct a (store ((as const (Array Int Int)) 4) i 3)))(assert (= (select a i) 4))""",
    "arrays, unsat": """
        (declare-const a (Array (_ BitVec 2) Bool))(declare-const i (_ BitVec 2))
        (assert (not (select (store a i true) (bvadd i #b00))))""",
    "functions": """
        (declare-sort U 0)(declare-const u U)(declare-fun g (U Bool) U)(declare-fun h (U) (Array U Int))
        (declare-fun p (U U) Bool)
        (assert (p (g u true) (g u (= u (g u false)))))
        (assert (= (select (h u) u) 3))(assert (= (store (h u) u 4) (h (g u true))))""",
    "functions, unsat": """
        (declare-sort U 0)(declare-const u U)(declare-fun g (U) U)(declare-fun b (Bool) Bool)
        (assert (= (g (g (g u))) u))(assert (= (g (g u)) u))
        (assert (or (distinct (g u) u) (and (b true) (not (b (= u u))))))""",
    "floats": """
        (declare-const x Float32)(declare-const y Float32)(declare-const m RoundingMode)(declare-const v (_ BitVec 8))
        (assert (fp.lt (fp.add m x y) ((_ to_fp 8 24) m v)))(assert (fp.isNormal (fp.abs y)))
        (assert (or (fp.leq x y) (< (fp.to_real ((_ to_fp 8 24) RNE 2.5)) 2.0)))""",
    "truth": """
        (declare-const p Bool)(declare-const q Bool)(declare-const r Bool)
        (assert (! (or (and p q r) (and p (and q (not r))) (=> q (or r p))) :named first))
        (assert (distinct (xor p q) (= q r)))(assert (ite p (not q) (or q (or r q))))""",
}

PROBLEMS: dict[str, Problem] = {name: parse.problem(text, name) for name, text in _TEXTS.items()}
