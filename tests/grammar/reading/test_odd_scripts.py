"""Odd scripts with Z3's answers: each is accepted with the same answer, or rejected on purpose."""

import re

import pytest
import z3
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse

P = "(declare-fun p (Int) Bool)"
UP_TO_3 = "(assert (forall ((n Int)) (=> (p n) (<= n 3))))"
LIST = "(declare-datatypes ((L 0)) (((end) (more (first Int) (rest L)))))"
OF_LISTS = "(declare-fun of (L) Bool)"
GENERIC = "(declare-datatypes ((G 1)) ((par (T) ((void) (put (top T) (under (G T)))))))"
AGAIN = "a script states one system"

# script, Z3's answer (to `from_string`, which also reads commands after a check), and ours or why it is refused
ROWS = [
    # numbers
    (f"{P}(assert (p -4)){UP_TO_3}", "sat", "sat"),
    (f"{P}(assert (p (- -4))){UP_TO_3}", "unsat", "unsat"),
    (f"{P}(assert (p 004)){UP_TO_3}", "unsat", "unsat"),
    ("(declare-fun r (Real) Bool)(assert (r -0.5))(assert (=> (r (/ -1 2)) false))", "unsat", "unsat"),
    ("(declare-fun r (Real) Bool)(assert (r 2.))(assert (=> (r 2) false))", "unsat", "unsat"),
    (f"{P}(assert (p {'9' * 4001}))", "sat", "a number of more than 4000 digits"),
    (f"(declare-fun v ((_ BitVec 4)) Bool)(assert (v (_ bv{'9' * 50} 4)))", "sat", "sat"),
    ("(declare-fun v ((_ BitVec 4)) Bool)(assert (v ((_ rotate_left 9999999999) #x1)))", "error", "an index that is"),
    (f"(declare-fun |-1| (Int) Bool){UP_TO_3.replace('p n', '|-1| n')}(assert (|-1| -1))", "sat", "sat"),
    # names
    (f"{P.replace('p', '||')}(assert (|| 7))", "sat", "sat"),
    ("(declare-fun |two\nlines| () Bool)(assert |two\nlines|)", "sat", "sat"),
    (f"{P.replace('p', '|let|')}(assert (|let| 7))", "error", "a word of its own"),
    (f"{P.replace('p', '|_|')}(assert (|_| 7))", "error", "a word of its own"),
    (f"{P}(assert (forall ((|let| Int) (|match| Int)) (=> (< |let| |match|) (p |let|)))){UP_TO_3}", "unsat", "unsat"),
    ("(declare-fun of (Bool) Bool)(assert (forall ((false Bool)) (=> false (of false))))", "sat", "sat"),
    (f"{P}(assert (! (p 0) :named zero))(assert (=> zero false))", "unsat", "unsat"),
    (f"{P}(assert (! (p 0) :named a))(assert (! (p 1) :named a))", "error", "this name has a meaning already"),
    # bindings
    (f"{P}(assert (let ((m 1) (m 5)) (p m))){UP_TO_3}", "unsat", "unsat"),
    (f"{P}(assert (forall ((n Int)) (let ((p (p n))) (=> (= n 9) p)))){UP_TO_3}", "unsat", "unsat"),
    (f"{P}(assert (let ((true false)) (=> true (p 9)))){UP_TO_3}", "sat", "sat"),
    (f"{P}(assert (p (lambda ((n Int)) n)))", "error", "no part of CHC systems"),
    # attributes and information
    ('(set-info :source "a "" quoted ( ")(set-info :weight -3)' + f"{P}(assert (p 0))", "sat", "sat"),
    (f"(set-info :source (a (b |c d|) :e)){P}(assert (p 0))", "error", "sat"),
    (f"(set-option :print-success (a b)){P}(assert (p 0))", "error", "sat"),
    (f"(set-option :fp.engine (a b)){P}(assert (p 0))", "error", "a parameter's value is one word"),
    (f'{P}(assert (! (p 0) :comment "zero" :pattern ((p 0)) :weight #xff))', "error", "sat"),
    (f'(echo "hello"){P}(assert (p 0))(check-sat)(get-value ((p 0)))(get-assertions)', "error", "sat"),
    # definitions
    (f"(define-const k Int 4){P}(assert (p k)){UP_TO_3}", "unsat", "unsat"),
    ("(define-const k Real 4)(declare-fun r (Real) Bool)(assert (r k))(assert (=> (r 4.0) false))", "error", "unsat"),
    (f"(define-fun-rec f ((n Int)) Int (f n)){P}(assert (p (f 0)))", "unknown", "a recursive function"),
    ("(define-funs-rec ((f ((n Int)) Int)) ((f n)))(declare-fun q () Bool)(assert q)", "sat", "a recursive function"),
    ("(declare-sort U 0)(declare-fun u (U) Bool)(assert (forall ((x U)) (u x)))", "sat", "uninterpreted sorts"),
    (f"(declare-fun f (Int) Int){P}(assert (p (f 0)))", "unknown", "only predicates may be declared"),
    ('(declare-fun t (String) Bool)(assert (t (str.++ "a" "b")))', "sat", "sat"),
    # free constants: chosen together with the predicates
    (f"(declare-const k Int){P}(assert (p 0))", "sat", "sat"),
    (f"(declare-const k Int){P}(assert (p k))", "unknown", "a free constant"),
    (f"(declare-fun k () Int){P}(assert (forall ((n Int)) (=> (= n k) (p n))))", "unknown", "a free constant"),
    (f"(declare-const k Int)(assert (= k 9)){P}(assert (p k)){UP_TO_3}", "unknown", "unsat"),
    (f"(declare-const k Real)(declare-const m Real)(assert (= 2 k))(assert (= m (+ k 1))){P}"
     "(assert (=> (> m 2.5) (p 4)))" + UP_TO_3, "unknown", "unsat"),
    (f"(declare-const k Int){P}(assert (p k))(assert (= k 9))", "unknown", "a free constant"),
    # data types
    (f"{LIST}{OF_LISTS}(assert (of end))", "sat", "sat"),
    ("(declare-datatypes () ((L end (more (first Int) (rest L)))))" + OF_LISTS
     + "(assert (of (more 1 end)))(assert (forall ((l L)) (=> (and (of l) (is-more l)) (< (first l) 1))))",
     "unsat", "unsat"),
    ("(declare-datatypes ((L 0)) ((end (more (first Int) (rest L)))))" + OF_LISTS + "(assert (of end))", "sat", "sat"),
    ("(declare-datatypes ((L 0)) ((par () ((end)))))" + OF_LISTS + "(assert (of end))", "sat", "sat"),
    ("(declare-datatypes (T) ((G void (put (top T) (under G)))))(declare-fun g ((G Int)) Bool)(assert (g void))"
     "(assert (forall ((x (G Int))) (=> (g x) (and ((_ is put) x) (= (under x) x)))))", "unsat", "unsat"),
    ("(declare-datatypes (T) ((One One)))(declare-fun g ((One Int)) Bool)(assert (g One))", "sat", "sat"),
    (f"{GENERIC}(declare-fun g ((G Int)) Bool)(assert (g (put 5 (as void (G Int)))))"
     "(assert (forall ((x (G Int))) (=> (g x) (and ((_ is put) x) (< (top x) 5)))))", "unsat", "unsat"),
    (f"{GENERIC}(declare-fun g ((G Int) (G Bool)) Bool)(assert (g (put 5 (as void (G Int))) (as void (G Bool))))"
     "(assert (forall ((x (G Int)) (y (G Bool))) (=> (g x y) (is-put y))))", "unsat", "unsat"),
    (f"{GENERIC}(declare-fun g ((G Int) (G Bool)) Bool)(assert (g void (as void (G Bool))))", "error", "say which"),
    (f"{LIST}{OF_LISTS}(assert (of (more 1 end)))"
     "(assert (forall ((l L)) (=> (of l) (match l ((end true) ((more n m) (> n 1)))))))", "unsat", "unsat"),
    (f"{LIST}{OF_LISTS}(assert (of (more 1 end)))"
     "(assert (forall ((l L)) (=> (of l) (match l (((more n _) (= n 1)) (other false))))))", "sat", "sat"),
    (f"{LIST}{OF_LISTS}(assert (forall ((l L)) (=> (match l (((more n m) true))) (of l))))", "error",
     "not every constructor has a case"),
    ("(declare-datatypes ((L 0)) (((more (first Int) (first Int)))))", "error", "two fields of one name"),
    ("(declare-datatypes ((L 0)) (((more (select Int)))))" + P + "(assert (p 0))", "sat", "has a meaning already"),
    (P + "(declare-datatypes ((L 0)) (((more (p Int)))))(assert (p 0))", "sat", "has a meaning already"),
    # several systems
    (f"{P}(assert (p 4))(check-sat)(exit){UP_TO_3}", "sat", "sat"),
    (f"{P}(assert (p 4))(check-sat)(exit)no ( script \x01 at all", "sat", "sat"),
    (f"{P}(assert (p 4))(check-sat){UP_TO_3}", "unsat", "sat"),
    (f"{P}(assert (p 4))(check-sat)(get-model)(check-sat)", "sat", "sat"),
    (f"{P}(assert (p 4))(check-sat){UP_TO_3}(check-sat)", "unsat", AGAIN),
    (f"{P}(push 1)(assert (p 4))(check-sat)(pop 1)(check-sat)", "sat", AGAIN),
    (f"{P}(assert (p 4))(check-sat)(reset)(check-sat)", "sat", AGAIN),
    (f"{P}(assert (p 4))(check-sat-assuming ((p 5)))", "sat", AGAIN),
    # texts
    (f"; {P}\r(declare-fun q () Bool)", "sat", "no clause and no predicate"),
    (f"{P}\r\n(assert\t(p 4))\r\n{UP_TO_3}\r\n", "unsat", "unsat"),
    (f"; \0\n{P}(assert (p 4))", "sat", "a byte 0, where Z3 stops reading"),
    (f"{P.replace('p', chr(124) + 'p' + chr(0) + chr(124))}", "error", "a byte 0, where Z3 stops reading"),
    ("(set-logic QF_LIA)(declare-fun q () Bool)(assert q)", "sat", "not a CHC logic"),
    (f"{P}(assert (p 4))(minimize 4)", "sat", "no command that is known here"),
]  # fmt: skip


def answer(text: str) -> str:
    """Return Z3's answer to the script."""
    solver = z3.SolverFor("HORN", ctx=z3.Context())
    solver.set("rlimit", 1_000_000)
    try:
        solver.from_string(text)
        return str(solver.check())
    except z3.Z3Exception:
        return "error"


@pytest.mark.parametrize(("script", "by_z3", "ours"), ROWS)
def test_each_is_accepted_or_refused_on_purpose(script: str, by_z3: str, ours: str) -> None:
    assert answer(script) == by_z3
    if ours not in ("sat", "unsat"):
        with pytest.raises(GrammarError, match=re.escape(ours)):
            parse(script)
        return
    system = parse(script)
    assert answer(print_system(system)) == ours
    assert parse(print_system(system)) == system


def test_answers_differ_only_where_z3_reads_on_or_does_not_decide() -> None:
    differing = {script for script, by_z3, ours in ROWS if ours in ("sat", "unsat") and ours != by_z3}
    assert all(answer(script) in ("error", "unknown") or "(check-sat)" in script for script in differing)
