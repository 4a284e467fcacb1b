"""Every pass over systems: what one edit of it makes of a system, text before and text after, and what it leaves."""

import pytest
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printing.printer import print_clause, print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.solvers import z3_release
from chcfuzz.triage.shrink.passes import PASSES, PassEffect, SystemPass, is_sound
from chcfuzz.triage.shrink.proof import proves_equivalent

BY_NAME = {one.name: one for one in PASSES}
NAT = "(declare-datatypes ((nat 0)) (((zero) (succ (pred nat) (tag Int)))))"
ARCS = """(declare-fun p (Int) Bool)(declare-fun q (Int Bool) Bool)
(assert (forall ((x Int)) (=> (= x 1) (p x))))
(assert (forall ((x Int)) (=> (and (p x) (< x 5)) (q (+ x 1) true))))
(assert (forall ((x Int) (b Bool)) (=> (and (q x b) b) false)))"""


def added(levels: int, term: str = "x") -> str:
    """Return a system with sums of twelve equal terms in each other."""
    for _ in range(levels):
        term = f"(+ {' '.join([term] * 12)})"
    return f"(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p {term})))"


# For each pass: before, and all that single edits make of it, in order.
CASES: list[tuple[str, str, list[str]]] = [
    (
        "drop notes",
        "(set-info :status sat)(declare-fun p () Bool)(assert (! p :named a))",
        [
            "(declare-fun p () Bool)(assert (! p :named a))",
            "(set-info :status sat)(declare-fun p () Bool)(assert p)",
        ],
    ),
    (
        "drop redundant clauses",
        "(declare-fun p () Bool)(assert p)(assert true)(assert p)(assert (=> p false))",
        [
            "(declare-fun p () Bool)(assert p)(assert p)(assert (=> p false))",
            "(declare-fun p () Bool)(assert p)(assert true)(assert (=> p false))",
        ],
    ),
    (
        "drop clauses",
        "(declare-fun p () Bool)(assert p)(assert (=> p false))",
        ["(declare-fun p () Bool)(assert (=> p false))", "(declare-fun p () Bool)(assert p)"],
    ),
    (
        "drop unused predicates",
        "(declare-fun p () Bool)(declare-fun q (Int) Bool)(assert p)",
        ["(declare-fun p () Bool)(assert p)"],
    ),
    (
        "drop predicates",
        "(declare-fun p () Bool)(declare-fun q () Bool)(assert p)(assert (=> p q))(assert q)",
        ["(declare-fun q () Bool)(assert q)", "(declare-fun p () Bool)(assert p)"],
    ),
    (
        "let predicates be true",
        ARCS,
        [
            """(declare-fun q (Int Bool) Bool)
(assert (forall ((x Int)) (=> (< x 5) (q (+ x 1) true))))
(assert (forall ((x Int) (b Bool)) (=> (and (q x b) b) false)))""",
            """(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x 1) (p x))))
(assert (forall ((x Int) (b Bool)) (=> b false)))""",
        ],
    ),
    (
        "let predicates be false",
        ARCS,
        [
            """(declare-fun q (Int Bool) Bool)
(assert (forall ((x Int)) (=> (= x 1) false)))
(assert (forall ((x Int) (b Bool)) (=> (and (q x b) b) false)))""",
            """(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x 1) (p x))))
(assert (forall ((x Int)) (=> (and (p x) (< x 5)) false)))""",
        ],
    ),
    (
        "resolve predicates away",
        ARCS,
        [
            """(declare-fun q (Int Bool) Bool)
(assert (forall ((x Int)) (=> (and (= x 1) (< x 5)) (q (+ x 1) true))))
(assert (forall ((x Int) (b Bool)) (=> (and (q x b) b) false)))""",
            """(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x 1) (p x))))
(assert (forall ((x Int) (b Bool) (x!1 Int))
  (=> (and (and (p x!1) (< x!1 5) (= (+ x!1 1) x) (= true b)) b) false)))""",
        ],
    ),
    (
        "shared terms",
        added(3),
        [
            "(declare-fun p (Int) Bool)(assert (forall ((x Int)) true))",
            "(declare-fun p (Int) Bool)(assert (forall ((x Int)) false))",
            "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p 0)))",
            added(2),
            added(1, "0"),
            added(2),
            added(2, "0"),
            added(2),
        ],
    ),
    (
        "drop arguments",
        "(declare-fun p (Int Bool) Bool)(assert (forall ((x Int)) (=> (p x true) (p (+ x 1) false))))",
        [
            "(declare-fun p (Bool) Bool)(assert (forall ((x Int)) (=> (p true) (p false))))",
            "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))",
        ],
    ),
    (
        "simplify",
        "(declare-fun p (Int) Bool)(assert (forall ((x Int) (y Int)) (=> (and (< x (+ 1 2)) true) (p x))))",
        [
            "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (and (< x (+ 1 2)) true) (p x))))",
            "(declare-fun p (Int) Bool)(assert (forall ((x Int) (y Int)) (=> (< x (+ 1 2)) (p x))))",
            "(declare-fun p (Int) Bool)(assert (forall ((x Int) (y Int)) (=> (and (< x 3) true) (p x))))",
        ],
    ),
    (
        "write as implications",
        "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (or (not (< x 3)) (p x) (not (> x 1)))))",
        ["(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (and (< x 3) (> x 1)) (p x))))"],
    ),
    (
        "drop members",
        "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (and (< x 3) (p x)) (p (+ x 1)))))",
        [
            "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p (+ x 1))))",
            "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))",
            "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (< x 3) (p (+ x 1)))))",
            "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (and (< x 3) (p x)) (p 1))))",
            "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (and (< x 3) (p x)) (p x))))",
        ],
    ),
    (
        "formulas to true",
        "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (< x 3) (p x))))",
        [
            "(declare-fun p (Int) Bool)(assert (forall ((x Int)) true))",
            "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> true (p x))))",
            "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (< x 3) true)))",
        ],
    ),
    (
        "formulas to false",
        "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p x)))",
        [
            "(declare-fun p (Int) Bool)(assert false)",
            "(declare-fun p (Int) Bool)(assert (forall ((x Int)) false))",
        ],
    ),
    (
        "solve equations",
        "(declare-fun p (Int) Bool)(assert (forall ((x Int) (y Int)) (=> (and (p x) (= y (+ x 1))) (p y))))",
        ["(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))"],
    ),
    (
        "variables to constants",
        "(declare-fun p (Int Bool) Bool)(assert (forall ((x Int) (b Bool)) (p x b)))",
        [
            "(declare-fun p (Int Bool) Bool)(assert (forall ((b Bool)) (p 0 b)))",
            "(declare-fun p (Int Bool) Bool)(assert (forall ((x Int)) (p x false)))",
        ],
    ),
    (
        "variables to 1",
        "(declare-fun p (Real Bool) Bool)(assert (forall ((x Real) (b Bool)) (p x b)))",
        [
            "(declare-fun p (Real Bool) Bool)(assert (forall ((b Bool)) (p 1.0 b)))",
            "(declare-fun p (Real Bool) Bool)(assert (forall ((x Real)) (p x true)))",
        ],
    ),
    (
        "merge variables",
        "(declare-fun p (Int Int Bool) Bool)(assert (forall ((x Int) (b Bool) (y Int)) (p x y b)))",
        ["(declare-fun p (Int Int Bool) Bool)(assert (forall ((x Int) (b Bool)) (p x x b)))"],
    ),
    (
        "bound variables to constants",
        "(declare-fun p (Int Int) Bool)(assert (forall ((x Int)) (=> (exists ((y Int)) (p x y)) (p x x))))",
        ["(declare-fun p (Int Int) Bool)(assert (forall ((x Int)) (=> (p x 0) (p x x))))"],
    ),
    (
        "quantify outermost",
        "(declare-fun p (Int Int) Bool)(assert (forall ((x Int)) (=> (exists ((y Int)) (p x y)) (p x x))))",
        ["(declare-fun p (Int Int) Bool)(assert (forall ((x Int) (y!1 Int)) (=> (p x y!1) (p x x))))"],
    ),
    (
        "repeated terms",
        """(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (and (< x (+ x 1)) (< x (+ x 1))) (p 0))))
(assert (forall ((y Int)) (=> (and (p (+ 1 y)) (p y)) false)))""",
        [
            f"""(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (and {new} {new}) (p 0))))
(assert (forall ((y Int)) (=> (and (p (+ 1 y)) (p y)) false)))"""
            for new in ("true", "false", "(< x 0)", "(< x x)", "(< x 1)")
        ],
    ),
    (
        "terms to subterms",
        "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p (ite (< x 3) (* x 2) 5))))",
        [
            "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p x)))",
            "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p 3)))",
            "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p (* x 2))))",
            "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p 5)))",
            "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p (ite (< x 3) x 5))))",
            "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p (ite (< x 3) 2 5))))",
        ],
    ),
    (
        "terms to their variables",
        "(declare-fun p (Int) Bool)(assert (forall ((x Int) (y Int)) (p (abs (* 2 (abs (+ x y)))))))",
        [
            f"(declare-fun p (Int) Bool)(assert (forall ((x Int) (y Int)) (p {new})))"
            for new in (
                *("x", "y", "(abs x)", "(abs y)", "(abs (* 2 x))", "(abs (* 2 y))"),
                *("(abs (* 2 (abs x)))", "(abs (* 2 (abs y)))"),
            )
        ],
    ),
    (
        "terms to constants",
        f"{NAT}(declare-fun p (nat Bool) Bool)(assert (forall ((x nat) (b Bool)) (=> b (p (succ x 0) b))))",
        [
            f"{NAT}(declare-fun p (nat Bool) Bool)(assert (forall ((x nat) (b Bool)) (=> b (p {new}))))"
            for new in ("zero b", "(succ zero 0) b", "(succ x 0) false")
        ],
    ),
    (
        "terms to 1",
        "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p (+ x 7))))",
        [f"(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p {new})))" for new in ("1", "(+ 1 7)", "(+ x 1)")],
    ),
    (
        "terms to new variables",
        "(declare-fun p ((Array Int Int)) Bool)(assert (forall ((a (Array Int Int))) (p (store a 0 (+ 1 2)))))",
        [
            """(declare-fun p ((Array Int Int)) Bool)
(assert (forall ((a (Array Int Int)) (v2 (Array Int Int))) (p v2)))""",
            """(declare-fun p ((Array Int Int)) Bool)
(assert (forall ((a (Array Int Int)) (v5 Int)) (p (store a 0 v5))))""",
        ],
    ),
    (
        "sorts to Bool",
        f"""{NAT}(declare-fun p (Int nat Real) Bool)
(assert (forall ((x Int) (y nat) (r Real)) (=> (and (= x 5) (p x y r)) (p 0 zero (+ r 1.0)))))""",
        [
            f"""{NAT}(declare-fun p (Bool nat Real) Bool)
(assert (forall ((x Bool) (y nat) (r Real)) (=> (and (= x true) (p x y r)) (p false zero (+ r 1.0)))))""",
            f"""{NAT}(declare-fun p (Int Bool Real) Bool)
(assert (forall ((x Int) (y Bool) (r Real)) (=> (and (= x 5) (p x y r)) (p 0 false (+ r 1.0)))))""",
        ],
    ),
    (
        "sorts to Int",
        """(declare-fun p ((_ BitVec 8) Real (_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8)) (r Real)) (=> (and (bvult x #x05) (p x r (bvnot x))) (p (bvadd x #x01) r #x00))))
(assert (forall ((x (_ BitVec 8)) (r Real) (y (_ BitVec 8))) (=> (and (bvult x y) (p x r x)) (p x 2.5 #x01))))
(assert (forall ((x Real)) (> x 1.0)))""",
        [
            """(declare-fun p ((_ BitVec 8) Int (_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8)) (r Int)) (=> (and (bvult x #x05) (p x r (bvnot x))) (p (bvadd x #x01) r #x00))))
(assert (forall ((x (_ BitVec 8)) (r Int) (y (_ BitVec 8))) (=> (and (bvult x y) (p x r x)) (p x 2 #x01))))
(assert (forall ((x Real)) (> x 1.0)))""",
            """(declare-fun p ((_ BitVec 8) Real (_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8)) (r Real)) (=> (and (bvult x #x05) (p x r (bvnot x))) (p (bvadd x #x01) r #x00))))
(assert (forall ((x (_ BitVec 8)) (r Real) (y (_ BitVec 8))) (=> (and (bvult x y) (p x r x)) (p x 2.5 #x01))))
(assert (forall ((x Int)) (> x 1)))""",
        ],
    ),
    (
        "narrower vectors",
        """(declare-fun p ((_ BitVec 4)) Bool)
(assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4))) (=> (= ((_ extract 1 0) y) #b11) (p (bvor x #b0101)))))""",
        [
            f"""(declare-fun p ((_ BitVec {width})) Bool)
(assert (forall ((x (_ BitVec {width})) (y (_ BitVec 4)))
  (=> (= ((_ extract 1 0) y) #b11) (p (bvor x #b{value:0{width}b})))))"""
            for width, value in ((1, 1), (2, 1), (3, 5))
        ],
    ),
    (
        "drop data types",
        f"(declare-datatypes ((t 0)) (((c))))(declare-datatypes ((u 0)) (((d (v t)))))(declare-fun p (t) Bool){NAT}",
        [
            f"(declare-datatypes ((t 0)) (((c))))(declare-fun p (t) Bool){NAT}",
            "(declare-datatypes ((t 0)) (((c))))(declare-datatypes ((u 0)) (((d (v t)))))(declare-fun p (t) Bool)",
        ],
    ),
    (
        "drop parts of data types",
        """(declare-datatypes ((t 0)) (((a (left t) (right Int)) (b (up Int)) (c))))
(declare-fun p (t) Bool)(assert (forall ((x t)) (=> (= 1 (right (a x 2))) (p x))))(assert (p c))""",
        [
            """(declare-datatypes ((t 0)) (((a (right Int)) (b (up Int)) (c))))
(declare-fun p (t) Bool)(assert (forall ((x t)) (=> (= 1 (right (a 2))) (p x))))(assert (p c))""",
            """(declare-datatypes ((t 0)) (((a (left t) (right Int)) (c))))
(declare-fun p (t) Bool)(assert (forall ((x t)) (=> (= 1 (right (a x 2))) (p x))))(assert (p c))""",
            """(declare-datatypes ((t 0)) (((a (left t) (right Int)) (b) (c))))
(declare-fun p (t) Bool)(assert (forall ((x t)) (=> (= 1 (right (a x 2))) (p x))))(assert (p c))""",
        ],
    ),
    (
        "constants everywhere",
        "(declare-fun p (Int) Bool)(assert (p 6))(assert (forall ((x Int)) (=> (< x 6) (p (+ x 1)))))",
        [
            *(
                f"(declare-fun p (Int) Bool)(assert (p {n}))(assert (forall ((x Int)) (=> (< x {n}) (p (+ x 1)))))"
                for n in (0, 1, 2, 4, 5)
            ),
            "(declare-fun p (Int) Bool)(assert (p 6))(assert (forall ((x Int)) (=> (< x 6) (p (+ x 0)))))",
        ],
    ),
    (
        "constants",
        "(declare-fun p (Int Real) Bool)(assert (p 6 (- (/ 5.0 2.0))))",
        [
            *(f"(declare-fun p (Int Real) Bool)(assert (p {n} (- (/ 5.0 2.0))))" for n in (0, 1, 2, 4, 5)),
            *(
                f"(declare-fun p (Int Real) Bool)(assert (p 6 {r}))"
                for r in ("0.0", "1.0", "(/ 5.0 2.0)", "(- 2.0)", "(- 1.0)")
            ),
        ],
    ),
    (
        "name predicates",
        "(declare-fun p () Bool)(declare-fun a () Bool)(declare-fun b () Bool)(assert (=> a b))",
        [
            "(declare-fun p () Bool)(declare-fun q () Bool)(declare-fun b () Bool)(assert (=> q b))",
            "(declare-fun p () Bool)(declare-fun a () Bool)(declare-fun r () Bool)(assert (=> a r))",
        ],
    ),
    (
        "name data types",
        """(declare-datatypes ((nat 0) (list 0)) (((zero) (succ (pred nat))) ((nil) (cons (head nat) (tail list)))))
(declare-datatypes ((pair 0)) (((mk (first list) (second (Array Int nat))))))
(declare-fun p (pair) Bool)
(assert (forall ((x pair)) (=> (and (p x) ((_ is cons) (first x)) (= (select (second x) 0) (pred zero)))
  (p (mk (tail (first x)) ((as const (Array Int nat)) (succ (head (first x)))))))))""",
        [
            """(declare-datatypes ((A 0) (B 0)) (((a) (b (f A))) ((c) (d (g A) (h B)))))
(declare-datatypes ((pair 0)) (((mk (first B) (second (Array Int A))))))
(declare-fun p (pair) Bool)
(assert (forall ((x pair)) (=> (and (p x) ((_ is d) (first x)) (= (select (second x) 0) (f a)))
  (p (mk (h (first x)) ((as const (Array Int A)) (b (g (first x)))))))))""",
            """(declare-datatypes ((nat 0) (list 0)) (((zero) (succ (pred nat))) ((nil) (cons (head nat) (tail list)))))
(declare-datatypes ((C 0)) (((e (i list) (j (Array Int nat))))))
(declare-fun p (C) Bool)
(assert (forall ((x C)) (=> (and (p x) ((_ is cons) (i x)) (= (select (j x) 0) (pred zero)))
  (p (e (tail (i x)) ((as const (Array Int nat)) (succ (head (i x)))))))))""",
        ],
    ),
    (
        "name variables",
        """(declare-fun p (Int Bool) Bool)(assert (forall ((x Int) (y Bool)) (p x y)))
(assert (forall ((y Int) (x Bool)) (=> (exists ((n Int)) (p n x)) (p y x))))""",
        [
            """(declare-fun p (Int Bool) Bool)(assert (forall ((x Int) (y Bool)) (p x y)))
(assert (forall ((x Int) (y Bool)) (=> (exists ((z Int)) (p z y)) (p x y))))"""
        ],
    ),
]

# Where a pass finds nothing to do.
LEFT_ALONE = {
    "drop notes": ARCS,
    "drop redundant clauses": ARCS,
    "drop clauses": "(declare-fun p () Bool)",
    "drop unused predicates": ARCS,
    "drop predicates": "(assert (forall ((x Int)) (> x 0)))",
    "let predicates be true": "(assert (forall ((x Int)) (> x 0)))",
    "let predicates be false": "(assert (forall ((x Int)) (> x 0)))",
    "resolve predicates away": "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))",
    "shared terms": added(2),
    "drop arguments": "(declare-fun p () Bool)(assert p)",
    "simplify": ARCS,
    "write as implications": ARCS,
    "drop members": "(declare-fun p (Int) Bool)(assert (p (- 7)))(assert (forall ((x Int)) (< 0 x)))",
    "formulas to true": "(declare-fun p () Bool)(assert p)",
    "formulas to false": "(declare-fun p (Bool) Bool)(assert false)",
    "solve equations": "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (= x (+ x 1)) (p x))))",
    "variables to constants": "(declare-fun p () Bool)(assert p)",
    "variables to 1": f"{NAT}(declare-fun p (nat) Bool)(assert (forall ((x nat)) (p x)))",
    "merge variables": "(declare-fun p (Int Bool) Bool)(assert (forall ((x Int) (b Bool)) (p x b)))",
    "bound variables to constants": ARCS,
    "quantify outermost": ARCS,
    "repeated terms": ARCS,
    "terms to subterms": "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p x)))",
    "terms to their variables": "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p x)))",
    "terms to constants": "(declare-fun p (Int) Bool)(assert (p 0))",
    "terms to 1": "(declare-fun p (Int) Bool)(assert (p 1))",
    "terms to new variables": "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p x)))",
    "sorts to Bool": "(declare-fun p (Int Bool) Bool)(assert (forall ((x Int)) (p (+ x 1) true)))",
    "sorts to Int": "(declare-fun p (Int (_ BitVec 2)) Bool)(assert (forall ((y (_ BitVec 2))) (p 1 (bvnot y))))",
    "narrower vectors": "(declare-fun p ((_ BitVec 1)) Bool)(assert (forall ((y (_ BitVec 1))) (p (bvnot y))))",
    "drop data types": f"{NAT}(declare-fun p ((Array Int nat)) Bool)",
    "drop parts of data types": f"""{NAT}(declare-fun p (nat) Bool)
(assert (forall ((x nat)) (=> (and (= (pred x) zero) (= (tag x) 0)) (p x))))""",
    "constants everywhere": "(declare-fun p (Int) Bool)(assert (p 0))",
    "constants": "(declare-fun p (Int Bool) Bool)(assert (p 0 true))",
    "name predicates": "(declare-fun p () Bool)(declare-fun q () Bool)(assert (=> p q))",
    "name data types": "(declare-datatypes ((A 0)) (((a) (b (f A)))))(declare-fun p (A) Bool)",
    "name variables": "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p x)))",
}


def single_edits(one: SystemPass, system: System) -> list[System]:
    """The systems that single edits make of a system."""
    found = [one.apply(system, [edit]) for edit in one.find(system)]
    return [after for after in found if after is not None]


def test_every_pass_has_a_case_and_a_system_that_it_leaves_alone() -> None:
    assert [name for name, _, _ in CASES] == list(BY_NAME)
    assert list(LEFT_ALONE) == list(BY_NAME)


@pytest.mark.parametrize(("name", "before", "after"), CASES, ids=[name for name, _, _ in CASES])
def test_single_edits_of_a_pass(name: str, before: str, after: list[str]) -> None:
    found = [print_system(system) for system in single_edits(BY_NAME[name], parse(before))]
    assert found == [print_system(parse(text)) for text in after]


@pytest.mark.parametrize("name", LEFT_ALONE)
def test_what_a_pass_leaves_alone(name: str) -> None:
    assert not BY_NAME[name].find(parse(LEFT_ALONE[name]))


@pytest.mark.parametrize("one", PASSES, ids=BY_NAME)
def test_all_edits_of_a_pass_go_together_or_give_nothing(one: SystemPass) -> None:
    for _, before, _ in CASES:
        system = parse(before)
        after = one.apply(system, one.find(system))
        assert after is None or print_system(after)


def test_what_is_said_to_keep_clauses_keeps_them_says_z3() -> None:
    z3_release.activate()
    proved = set()
    for one in (one for one in PASSES if one.effect is PassEffect.EQUIVALENT):
        for _, before, _ in CASES:
            system = parse(before)
            same = proves_equivalent(system)
            for after in single_edits(one, system):
                if is_sound(after) and len(after.clauses) == len(system.clauses):
                    for old, new in zip(system.clauses, after.clauses, strict=True):
                        assert old.formula is new.formula or same(old.formula, new.formula), print_clause(new)
                        proved |= {one.name} if old.formula is not new.formula else set()
    assert proved == {"simplify", "write as implications", "solve equations", "name variables"}


def test_predicates_are_resolved_away_with_all_their_clauses_for_all_their_uses() -> None:
    system = parse("""(declare-fun p (Int) Bool)(declare-fun q (Int Int) Bool)
(assert (p 1))
(assert (forall ((x Int)) (=> (q x x) (p x))))
(assert (forall ((x Int) (y Int)) (=> (and (p x) (or (p y) (= x y))) (q x y))))""")
    after = single_edits(BY_NAME["resolve predicates away"], system)[0]
    assert [print_clause(clause) for clause in after.clauses] == [
        print_clause(clause)
        for clause in parse("""(declare-fun q (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= 1 x) (or (= 1 y) (= x y))) (q x y))))
(assert (forall ((x Int) (y Int)) (=> (and (= 1 x) (or (q y y) (= x y))) (q x y))))
(assert (forall ((x Int) (y Int)) (=> (and (q x x) (or (= 1 y) (= x y))) (q x y))))
(assert (forall ((x Int) (y Int)) (=> (and (q x x) (or (q y y) (= x y))) (q x y))))""").clauses
    ]


def test_an_argument_that_comes_twice_in_a_head_is_equal_in_both_places() -> None:
    system = parse("""(declare-fun p (Int Int) Bool)(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (> x 3) (p x x))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (q y))))""")
    after = single_edits(BY_NAME["resolve predicates away"], system)[0]
    assert after == parse("""(declare-fun q (Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (> x 3) (= x y)) (q y))))""")


def test_what_is_false_goes_from_a_disjunction_and_what_is_true_from_a_conjunction() -> None:
    text = "(declare-fun p () Bool)(declare-fun q () Bool)(assert (=> (and (or p q q) (or q (and p q))) false))"
    one, other = BY_NAME["let predicates be true"], BY_NAME["let predicates be false"]
    q = "(declare-fun q () Bool)"
    assert single_edits(one, parse(text))[0] == parse(f"{q}(assert (=> (and (or true q q) (or q q)) false))")
    assert single_edits(other, parse(text))[0] == parse(f"{q}(assert (=> (and (or q q) (or q (and false q))) false))")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("(assert (forall ((x Int) (y Int)) (=> (= x y) (p x))))", 1),
        ("(assert (forall ((x Int) (y Int)) (=> (= x (+ y 1)) (p x))))", 0),
        ("(assert (forall ((x Int) (y Int)) (=> (and (= x y) (< 3 y)) (p x))))", 0),
        ("(assert (forall ((x Int) (y Int)) (=> (and (< 3 y) (= x y)) (p x))))", 0),
        ("(assert (forall ((a (Array Int Int)) (x Int)) (=> (= (select a 0) x) (p x))))", 0),
        ("(assert (forall ((a (Array Int Int)) (x Int)) (=> (= x (select a 0)) (p 7))))", 1),
        ("(assert (forall ((x Int) (y Int)) (p (ite (= x 2) y 3))))", 2),
    ],
)
def test_only_terms_whose_operators_a_bool_has_may_become_one(text: str, number: int) -> None:
    assert len(BY_NAME["sorts to Bool"].find(parse(f"(declare-fun p (Int) Bool){text}"))) == number


def test_a_predicate_without_clauses_resolves_to_nothing() -> None:
    system = parse("(declare-fun p () Bool)(declare-fun q () Bool)(assert (=> p q))(assert q)")
    (after,) = single_edits(BY_NAME["resolve predicates away"], system)
    assert after == parse("(declare-fun q () Bool)(assert q)")


def test_edits_of_several_sorts_and_places_are_made_at_once() -> None:
    one = BY_NAME["sorts to Bool"]
    system = parse("(declare-fun p (Int Int) Bool)(assert (forall ((x Int) (y Int)) (=> (p x y) (p y x))))")
    assert len(one.find(system)) == 1, "the arguments are exchanged, so they are of one sort"
    apart = parse("(declare-fun p (Int Int) Bool)(assert (forall ((x Int) (y Int)) (=> (p x y) (p x 0))))")
    assert one.apply(apart, one.find(apart)) == parse(
        "(declare-fun p (Bool Bool) Bool)(assert (forall ((x Bool) (y Bool)) (=> (p x y) (p x false))))"
    )


def test_a_system_that_is_none_is_not_sound() -> None:
    system = parse("(declare-fun p () Bool)(assert p)")
    assert is_sound(system)
    assert not is_sound(system.with_predicates(()))
    with pytest.raises(ChcfuzzError):
        parse(print_system(system.with_predicates(())))
