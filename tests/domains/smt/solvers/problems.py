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
PIGEONS, HOLES = 12, 11


def pigeons() -> str:
    """Return a problem that takes a long search: two pigeons share a hole."""
    names = [[f"p{pigeon}h{hole}" for hole in range(HOLES)] for pigeon in range(PIGEONS)]
    lines = [f"(declare-const {name} Bool)" for row in names for name in row]
    lines += [f"(assert (or {' '.join(row)}))" for row in names]
    for hole in range(HOLES):
        for one in range(PIGEONS):
            lines += [f"(assert (not (and {names[one][hole]} {names[other][hole]})))" for other in range(one)]
    return "\n".join(("(set-logic ALL)", *lines, "(check-sat)\n"))
