"""Evidence scripts in Z3 and cvc5: right witnesses always give unsat, wrong ones give sat somewhere."""

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from chcfuzz.domains.chc.oracles.evidence import model_script, refutation_script, under_model
from chcfuzz.domains.chc.oracles.refutation import DerivationStep as Step
from chcfuzz.domains.chc.oracles.refutation import Refutation, fault
from chcfuzz.domains.chc.oracles.refutation_text import parse_refutation
from chcfuzz.grammar.printing.witness import Fact
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.oracles import second_solver
from chcfuzz.solvers.model_text import TextModel

ROOT = Path(__file__).resolve().parents[4]
CORPUS, WITNESSES = ROOT / "corpus", ROOT / "seeds" / "witnesses"

COUNTER = """(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (p x))))
(assert (forall ((x Int) (y Int)) (=> (and (p x) (= y (+ x 1))) (p y))))
(assert (forall ((x Int)) (=> (p x) (distinct x 2))))
(check-sat)"""
STEPS = """0: clause 0, x = 0 |- (p 0)
1: clause 1, from 0, x = 0, y = 1 |- (p 1)
2: clause 1, from 1, x = 1, y = 2 |- (p 2)
3: clause 2, from 2, x = 2 |- false
"""


def z3_answer(script: str, folder: Path) -> list[str]:
    """Output of Z3's command."""
    command = shutil.which("z3", path=Path(sys.executable).parent) or shutil.which("z3")
    assert command is not None, "the wheel of z3-solver brings it"
    path = folder / "script.smt2"
    path.write_text(script)
    done = subprocess.run([command, str(path)], capture_output=True, text=True, check=False)
    assert "error" not in done.stdout + done.stderr, f"{done.stdout}{done.stderr}\n{script}"
    return done.stdout.split("\n")


def both_say(script: str, folder: Path) -> list[str]:
    """The answers, on which Z3 and cvc5 agree."""
    message = [line for line in z3_answer(script, folder) if line in ("sat", "unsat", "unknown")]
    assert list(second_solver.answers(script)) == message, script
    return message


def some(kind: str) -> list[str]:
    """A seed of each folder with a witness of this kind."""
    first: dict[str, str] = {}
    for file in sorted(WITNESSES.rglob(f"*.{kind}")):
        name = file.relative_to(WITNESSES).with_suffix("").as_posix()
        first.setdefault(name.partition("/")[0], name)
    return list(first.values())


def read(name: str, kind: str) -> tuple[System, str]:
    system = parse((CORPUS / f"{name}.smt2").read_text(), name)
    return system, (WITNESSES / f"{name}.{kind}").read_text()


# Models ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", some("model"))
def test_a_right_model_gives_unsat_for_every_clause(name: str, tmp_path: Path) -> None:
    system, text = read(name, "model")
    script = model_script(system, TextModel(text))
    assert both_say(script, tmp_path) == ["unsat"] * len(system.clauses)


def test_a_wrong_model_gives_sat_for_the_clause_that_fails(tmp_path: Path) -> None:
    script = model_script(parse(COUNTER), TextModel("(define-fun p ((x Int)) Bool (<= 0 x 1))"))
    assert both_say(script, tmp_path) == ["unsat", "sat", "unsat"]


def test_every_answer_follows_the_number_of_its_clause(tmp_path: Path) -> None:
    script = model_script(parse(COUNTER), TextModel("(define-fun p ((x Int)) Bool (<= 0 x 1))"))
    assert z3_answer(script, tmp_path) == ["clause 1", "unsat", "clause 2", "sat", "clause 3", "unsat", ""]


def test_a_constant_array_of_a_negative_number_is_written_as_both_solvers_read_it(tmp_path: Path) -> None:
    system = parse("(declare-fun p ((Array Int Real) (Array Int Int) Int) Bool)")
    arrays = "((as const (Array Int Real)) (- 2.0)) ((as const (Array Int Int)) (- 8)) (- 1)"
    clause = parse(f"(declare-fun p ((Array Int Real) (Array Int Int) Int) Bool)(assert (p {arrays}))").clauses[0]
    model = TextModel(
        """(define-fun p ((a (Array Int Real)) (b (Array Int Int)) (c Int)) Bool
        (and (= a ((as const (Array Int Real)) (- 2.0))) (= (select b c) (- 8))))"""
    )
    assert both_say(model_script(system.with_clauses([clause]), model), tmp_path) == ["unsat"]


def test_a_division_that_z3_prints_with_its_own_name_is_written_as_that_of_smt_lib(tmp_path: Path) -> None:
    system = parse(
        """
        (set-logic HORN)
        (declare-fun p ((_ BitVec 4) (_ BitVec 4)) Bool)
        (assert (forall ((x (_ BitVec 4))) (p x (bvudiv x #x3))))
        """
    )
    model = TextModel("(define-fun p ((x (_ BitVec 4)) (y (_ BitVec 4))) Bool (= y (bvudiv_i x #x3)))")
    assert both_say(model_script(system, model), tmp_path) == ["unsat"]
    own = "(define-fun bvudiv_i ((x (_ BitVec 4)) (y (_ BitVec 4))) (_ BitVec 4) x)"
    assert "(bvudiv_i x #x3)" in model_script(system, TextModel(f"{own}\n{model.definitions}"))


def test_what_a_model_leaves_out_is_false_in_the_script(tmp_path: Path) -> None:
    assert both_say(model_script(parse(COUNTER), TextModel("")), tmp_path) == ["sat", "unsat", "unsat"]


# A clause that fails -------------------------------------------------------------------------------------


def test_a_clause_that_fails_does_so_at_values_that_both_solvers_give(tmp_path: Path) -> None:
    script = under_model(parse(COUNTER), TextModel("(define-fun p ((x Int)) Bool (<= 0 x 1))"), 1).script()
    assert both_say(script, tmp_path) == ["sat"]
    assert "(define-fun y () Int" in "\n".join(z3_answer(script, tmp_path))
    assert "(define-fun y () Int 2)" in second_solver.output(script)


def test_what_exists_in_a_body_has_a_value_too(tmp_path: Path) -> None:
    text = COUNTER.replace(
        "((x Int) (y Int)) (=> (and (p x) (= y (+ x 1))) (p y))",
        "((y Int)) (=> (exists ((x Int)) (and (p x) (= y (+ x 1)))) (p y))",
    )
    script = under_model(parse(text), TextModel("(define-fun p ((x Int)) Bool (<= 0 x 1))"), 1).script()
    assert both_say(script, tmp_path) == ["sat"]
    assert "(define-fun x () Int 1)" in second_solver.output(script)


def test_a_variable_named_like_a_predicate_or_a_function_has_another_name_in_the_script(tmp_path: Path) -> None:
    system = parse(
        """(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)(declare-fun b () Bool)
        (assert (forall ((b Bool) (aux Int) (p Int)) (=> (and b (q aux) (> aux p)) (= aux p))))"""
    )
    model = TextModel("(define-fun aux () Int 3)(define-fun q ((x Int)) Bool (= x aux))(define-fun b () Bool false)")
    script = under_model(system, model, 0).script()
    assert both_say(script, tmp_path) == ["sat"]
    assert "(declare-const b!1 Bool)\n(declare-const aux!1 Int)\n(declare-const p!1 Int)" in script


# Refutations ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", some("derivation"))
def test_a_right_refutation_gives_unsat_for_every_step(name: str, tmp_path: Path) -> None:
    system, text = read(name, "derivation")
    refutation = parse_refutation(system, text)
    assert both_say(refutation_script(system, refutation), tmp_path) == ["unsat"] * len(refutation)


def test_every_step_is_printed_with_its_number_and_that_of_its_clause(tmp_path: Path) -> None:
    system = parse(COUNTER)
    result = z3_answer(refutation_script(system, parse_refutation(system, STEPS)), tmp_path)
    steps = ("step 1: clause 1", "step 2: clause 2", "step 3: clause 2", "step 4: clause 3")
    assert result == [line for step in steps for line in (step, "unsat")] + [""]


def changed(refutation: Refutation, number: int, **what: object) -> Refutation:
    return (*refutation[:number], replace(refutation[number], **what), *refutation[number + 1 :])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("number", "what"),
    [(0, {"values": (1,)}), (1, {"values": (1, 2)}), (2, {"values": (1, 3)}), (2, {"clause": 0, "values": (2,)})],
)
def test_a_wrong_step_gives_sat(number: int, what: dict[str, object], tmp_path: Path) -> None:
    system = parse(COUNTER)
    wrong = changed(parse_refutation(system, STEPS), number, **what)
    assert fault(system, wrong) is not None
    result = both_say(refutation_script(system, wrong), tmp_path)
    assert result[number] == "sat"
    assert result.count("unsat") == len(wrong) - 1


def test_a_step_that_is_left_out_gives_sat_at_what_needs_it(tmp_path: Path) -> None:
    system = parse(COUNTER)
    refutation = parse_refutation(system, STEPS)
    assert both_say(refutation_script(system, (refutation[0], *refutation[2:])), tmp_path) == ["unsat", "sat", "unsat"]


def test_a_last_step_that_is_not_false_gives_sat(tmp_path: Path) -> None:
    system = parse(COUNTER)
    wrong = changed(parse_refutation(system, STEPS), 3, values=(3,))
    assert both_say(refutation_script(system, wrong), tmp_path) == ["unsat", "unsat", "unsat", "sat"]


def test_what_exists_in_a_body_and_names_that_clash_are_written_down(tmp_path: Path) -> None:
    """A bound variable named like a predicate, a name that needs bars, a predicate without arguments, a data type."""
    system = parse(
        """(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
        (declare-fun |a b| (L) Bool)(declare-fun q () Bool)
        (assert (|a b| (cons 3 nil)))
        (assert (=> (exists ((q L)) (and (|a b| q) (> (head q) 2))) q))
        (assert (not q))"""
    )
    start = Fact(system.predicates[0], parse_refutation(system, "0: clause 0 |- (|a b| (cons 3 nil))")[0].fact.values)
    end = Fact(system.predicates[1], ())
    refutation = (
        Step(0, (), (), start),
        Step(1, (0,), start.values, end),
        Step(2, (1,), (), None),
    )
    assert fault(system, refutation) is None
    assert both_say(refutation_script(system, refutation), tmp_path) == ["unsat"] * 3
