"""Rows and reduction on problems with `lambda`, which only an argument of an operator can be."""

from chcfuzz.domains.smt.passes import shrink
from chcfuzz.domains.smt.rows.registry import rows
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.triage.shrink.search import one_by_one

from tests.domains.smt.rows.judge import draws

STATED = parse.problem("""(declare-const s (Seq Int))(declare-const n Int)(declare-const b Bool)
    (declare-fun g (Int) Int)
    (assert (= (seq.map (lambda ((x Int)) (ite (and b (> x n)) (+ x n) (g x))) s) (seq.++ (seq.unit 3) s)))
    (assert (forall ((k Int)) (=> (< k n) (seq.foldli (lambda ((i Int) (a Bool) (x Int)) (or a (= x k) b)) 0 b s))))""")


def test_results_of_rows_read_back_as_themselves() -> None:
    changed = set()
    for each in draws(rows(), {"functions over sequences": STATED}, range(1, 3)):
        text = print_problem(each.after)
        assert parse.problem(text) == each.after.in_its_form, str(each)
        changed.add(each.row.id)
    assert len(changed) > 40


def test_a_problem_is_reduced_to_a_small_function() -> None:
    def passes(problem: Problem) -> bool:
        return "lambda" in print_problem(problem)

    *_, last = shrink(STATED, one_by_one(passes), lambda _: None)
    fold = "(seq.foldli (lambda ((x Int) (y Bool) (z Int)) true) 0 false (as seq.empty (Seq Int)))"
    assert print_problem(last.system) == f"(assert {fold})\n(check-sat)\n"
