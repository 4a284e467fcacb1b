"""Small problems with known answers, one for each theory."""

INTEGERS = """(set-logic ALL)
(declare-fun x () Int)
(declare-fun f (Int) Int)
(assert (= (f x) (+ x 3)))
(assert (< (f x) 7))
(check-sat)
"""
SORTS = """(set-logic ALL)
(declare-sort U 0)
(declare-fun g (U) (_ BitVec 4))
(declare-const u U)
(declare-const v U)
(assert (= (g u) #x3))
(assert (= (g v) #x5))
(check-sat)
"""
BITS = """(set-logic ALL)
(declare-fun |x y| () (_ BitVec 8))
(declare-fun y () (_ BitVec 8))
(declare-fun p ((_ BitVec 8) Bool) Bool)
(declare-fun a () (Array (_ BitVec 8) (_ BitVec 8)))
(assert (bvult |x y| y))
(assert (p (bvmul |x y| y) true))
(assert (not (p y false)))
(assert (= (select a |x y|) y))
(check-sat)
"""
NO_BITS = """(set-logic ALL)
(declare-fun x () (_ BitVec 8))
(assert (bvult x (bvand x #x0f)))
(check-sat)
"""
PIGEONS = 12


def pigeons(number: int = PIGEONS, named: bool = False) -> str:
    """Return a problem that takes a search, long for many pigeons: two of them share a hole."""
    holes = number - 1
    names = [[f"p{pigeon}h{hole}" for hole in range(holes)] for pigeon in range(number)]
    lines = [f"(declare-const {name} Bool)" for row in names for name in row]
    somewhere = [f"(or {' '.join(row)})" for row in names]
    lines += [f"(assert (! {each} :named n{n}))" if named else f"(assert {each})" for n, each in enumerate(somewhere)]
    for hole in range(holes):
        for one in range(number):
            lines += [f"(assert (not (and {names[one][hole]} {names[other][hole]})))" for other in range(one)]
    return "\n".join(("(set-logic ALL)", *lines, "(check-sat)\n"))
