"""Evidence for the right answer to an SMT problem."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import z3
from chcfuzz.domains.smt import witness_search
from chcfuzz.domains.smt.domain import DOMAIN
from chcfuzz.domains.smt.oracles import model as smt_model
from chcfuzz.domains.smt.witness_search import SmtWitnessSearch, agreement, closed_witness, model_witness
from chcfuzz.grammar.reading import parse
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.model_text import TextModel
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.trace import NOTHING

SAT, UNSAT, UNKNOWN = Status.SAT, Status.UNSAT, Status.UNKNOWN
PROBLEM = parse.problem("(declare-const x (_ BitVec 3))(assert (bvult x #b001))(assert (bvugt x #b001))(check-sat)")
WRONG = "(define-fun x () (_ BitVec 3) #b000)"


def outcome(status: Status, model: str | None = None) -> Outcome:
    return Outcome(status, "", NOTHING, 0, 0.0, None if model is None else TextModel(model))


def test_two_solvers_and_a_wrong_model_are_evidence_for_unsat() -> None:
    others = {"z3": outcome(UNSAT), "cvc5": outcome(UNSAT)}
    found = agreement(PROBLEM, others, "assertion 2 is false under the model")
    assert found == "z3 and cvc5 answer unsat; of the model given, assertion 2 is false under the model"


def test_the_wrong_model_may_be_that_of_another_solver() -> None:
    others = {"z3": outcome(UNSAT), "cvc5": outcome(UNSAT), "bitwuzla": outcome(SAT, WRONG)}
    found = agreement(PROBLEM, others, "")
    assert found is not None
    assert found.endswith("of the model of bitwuzla, assertion 2 is false under the model")


@pytest.mark.parametrize(
    ("others", "wrong"),
    [
        ({"z3": outcome(UNSAT), "cvc5": outcome(UNSAT)}, ""),  # no model is wrong
        ({"z3": outcome(UNSAT), "cvc5": outcome(UNKNOWN)}, "assertion 1 is false"),  # one solver is not enough
        ({"z3": outcome(UNSAT), "z3:sat.euf=true": outcome(UNSAT)}, "assertion 1 is false"),  # one project is not
        ({"z3": outcome(UNSAT), "cvc5": outcome(UNSAT), "bitwuzla": outcome(SAT)}, "assertion 1 is false"),
    ],
)
def test_less_is_no_evidence_for_unsat(others: dict[str, Outcome], wrong: str) -> None:
    assert agreement(PROBLEM, others, wrong) is None


def test_the_script_of_an_agreement_has_one_check(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = ("(assert (> x 0))(check-sat)", "(assert (< x 0))(check-sat)")
    text = f"(set-info :chcfuzz-checks between-1)(declare-const x Int){first}{second}"
    agreed = {"z3": outcome(UNSAT), "cvc5": outcome(UNSAT)}
    monkeypatch.setattr(witness_search, "_alone", lambda *_: SimpleNamespace(outcomes=lambda _: agreed))
    found = witness_search.refuted(parse.problem(text), 1000, Watchdog(60.0), None)
    assert found is not None
    assert found.script.count("(check-sat)") == 1


def test_a_model_is_a_witness_only_if_every_assertion_is_true() -> None:
    satisfiable = parse.problem("(declare-const x Int)(assert (> x 3))(assert (< x 9))(check-sat)")
    found = model_witness(satisfiable, "(define-fun x () Int 5)", "z3 answers sat")
    assert found is not None
    assert (found.status, found.words, found.cvc5) == (SAT, "z3 answers sat", ("unsat", "unsat"))
    assert model_witness(satisfiable, "(define-fun x () Int 9)", "z3 answers sat") is None


def test_the_text_of_a_model_names_elements_that_no_definition_has() -> None:
    stated = parse.problem("(declare-sort U 0)(declare-const a U)(assert (exists ((x U)) (distinct x a)))(check-sat)")
    model = TextModel("(define-fun a () U U!val!0)", "(declare-fun U!val!0 () U)(declare-fun U!val!1 () U)")
    assert smt_model.check_text(stated, DOMAIN.model_text(stated, model)).kind is VerdictKind.PASS


def test_a_death_under_default_options_is_one_of_a_unit_that_can_be_examined() -> None:
    units: list[Recipe] = []
    solver = SimpleNamespace(remember=lambda: None, names=("z3", "cvc5"))
    pipeline = SimpleNamespace(solver=solver, solve=lambda _text, _parameters: outcome(UNKNOWN))
    runs: Any = SimpleNamespace(pipeline=pipeline, guarded=lambda _name, _run, recipe=None: units.append(recipe))
    recipe = Recipe("", (), (("z3.smt.arith.solver", "2"),))
    given: Any = SimpleNamespace(problem=PROBLEM, recipe=recipe, shows=lambda _: False)
    assert SmtWitnessSearch(runs, None).witness(given, UNSAT, ()) is None
    (unit,) = units
    assert parse.problem(unit.seed) == PROBLEM
    assert (unit.steps, unit.parameters) == ((), ())


@pytest.mark.parametrize(
    ("problem", "model"),
    [
        ("(declare-const x Int)(assert (= (div (div 5 x) 2 x) 0))", "(define-fun x () Int 0)"),
        ("(declare-const x Real)(assert (= (/ 5.0 x) 0.0))", "(define-fun x () Real 0.0)"),
        ("(declare-datatype L ((n) (c (of Int))))(declare-const x L)(assert (= (of x) 0))", "(define-fun x () L n)"),
    ],
)
def test_a_witness_may_need_the_fixed_values_of_terms_that_are_open_and_its_script_has_them(
    problem: str, model: str
) -> None:
    stated = parse.problem(f"{problem}(check-sat)")
    assert model_witness(stated, model, "z3") is None  # cvc5 takes other values
    found = closed_witness(stated, model, "z3")
    assert found is not None
    assert found.cvc5 == ("unsat",)
    assert z3.Z3_eval_smtlib2_string(z3.Context().ref(), found.script).split() == ["assertion", "1", "unsat"]


@pytest.mark.parametrize("closed", [SAT, UNSAT])
def test_an_answer_that_a_solver_takes_back_with_fixed_values_is_not_wrong(closed: Status) -> None:
    stated = parse.problem("(declare-const x Int)(assert (= (div 5 x) 0))(assert (= (* x x) 0))(check-sat)")

    def solve(text: str, _parameters: object) -> Outcome:
        answer = outcome(closed if "ite" in text else UNSAT, "(define-fun x () Int 0)")
        return replace(answer, others=(("cvc5", outcome(SAT, "(define-fun x () Int 0)")),))

    solver = SimpleNamespace(remember=lambda: None, names=("z3", "cvc5"))
    pipeline = SimpleNamespace(solver=solver, solve=solve)
    runs: Any = SimpleNamespace(pipeline=pipeline, guarded=lambda _name, run, _recipe=None: run())
    given: Any = SimpleNamespace(problem=stated, recipe=Recipe("", (), (("solver", "z3"),)), status=UNSAT)
    found = SmtWitnessSearch(runs, None).witness(given, SAT, ())
    assert (found is None) is (closed is SAT)


def test_values_by_zero_that_are_not_the_fixed_ones_make_no_witness() -> None:
    stated = parse.problem("(declare-const x Int)(assert (= (div 5 x) 7))(check-sat)")
    model = "(define-fun x () Int 0)(define-fun div0 ((x!0 Int) (x!1 Int)) Int 7)"
    assert smt_model.check_text(stated, model).kind is VerdictKind.PASS
    assert model_witness(stated, model, "z3") is closed_witness(stated, model, "z3") is None


def test_the_script_of_a_witness_states_the_functions_that_the_model_leaves_out() -> None:
    stated = parse.problem("(declare-const x Int)(declare-fun f (Int) Bool)(assert (not (f x)))(check-sat)")
    found = model_witness(stated, "(define-fun x () Int 0)", "z3")
    assert found is not None
    assert found.cvc5 == ("unsat",)
