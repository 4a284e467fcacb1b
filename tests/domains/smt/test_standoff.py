"""Two answers that no witness decides accuse a solver only if a part of the problem does."""

from collections.abc import Mapping

import pytest
from chcfuzz.domains.protocol import Standoff
from chcfuzz.domains.smt.standoff import core_of, standoff
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.mutators import roots
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.solvers.model_text import TextModel
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.tracing.trace import NOTHING

SAT, UNSAT, UNKNOWN = Status.SAT, Status.UNSAT, Status.UNKNOWN
PROBLEM = parse.problem(
    """(declare-const a (_ BitVec 4))(declare-fun f (Int) Int)
    (assert (forall ((x Int)) (> (f x) x)))(assert (bvult a #x2))(assert (= (f 1) 7))(check-sat)"""
)
CORE = PROBLEM.assertions[1:2]
Answers = Mapping[str, Status]


def outcome(status: Status, model: str | None = None) -> Outcome:
    return Outcome(status, "", NOTHING, 0, 0.0, None if model is None else TextModel(model))


@pytest.fixture(autouse=True)
def _smt() -> None:
    roots.activate(roots.load("smt").roots)


def met(whole: Answers, on_core: Answers, model: str | None = None, tested: str = "cvc5") -> Standoff | None:
    """Return the standoff of solvers with these answers; the answer unsat needs the assertion of `CORE` alone."""

    def of_all(problem: Problem) -> Mapping[str, Outcome]:
        answers = on_core if problem.assertions == CORE else whole
        return {name: outcome(status, model if status is SAT else None) for name, status in answers.items()}

    def of_one(name: str, problem: Problem) -> Outcome:
        assert whole[name] is UNSAT
        return outcome(UNSAT if set(CORE) <= set(problem.assertions) else SAT)

    recipe = Recipe("", (), (("cvc5.decision", "internal"), ("solver", tested)))
    return standoff(PROBLEM, recipe, tested, of_all, of_one)


def test_nobody_is_accused_where_a_part_decides_nothing() -> None:
    answers = {"z3": UNSAT, "cvc5": SAT, "bitwuzla": UNKNOWN}
    assert met(answers, answers) == Standoff(("cvc5", "z3"), "neither solver is accused")


def test_a_majority_is_not_a_standoff() -> None:
    answers = {"z3": UNSAT, "cvc5": SAT, "bitwuzla": UNSAT}
    assert met(answers, answers) is None


def test_two_settings_of_one_solver_are_one_voice() -> None:
    answers = {"z3": UNSAT, "z3:sat.euf=true": UNSAT, "cvc5": SAT}
    found = met(answers, answers)
    assert found is not None
    assert found.between == ("cvc5", "z3", "z3:sat.euf=true")


def test_a_third_solver_that_decides_the_core_confirms_the_answer_unsat() -> None:
    whole = {"z3": UNSAT, "cvc5": SAT, "bitwuzla": UNKNOWN}
    on_core = {"z3": UNSAT, "cvc5": SAT, "bitwuzla": UNSAT}
    assert met(whole, on_core) == Standoff((), "bitwuzla answers unsat, too, on 1 of 3 assertions")


def test_the_other_solver_is_suspected_if_the_core_confirms_the_answer_under_examination() -> None:
    whole = {"z3": UNSAT, "cvc5": SAT, "bitwuzla": UNKNOWN}
    found = met(whole, {"z3": UNSAT, "cvc5": SAT, "bitwuzla": UNSAT}, tested="z3")
    assert found is not None
    assert found.suspect is not None
    recipe, seen = found.suspect
    assert (recipe.parameters, seen) == ((("cvc5.decision", "internal"), ("solver", "cvc5")), "sat")
    assert parse.problem(recipe.seed) == PROBLEM


def test_a_model_of_the_core_turns_the_suspicion_to_the_answer_unsat() -> None:
    answers = {"z3": UNSAT, "cvc5": SAT}
    found = met(answers, answers, "(define-fun a () (_ BitVec 4) #x1)")
    assert found is not None
    assert found.words == "z3 answers unsat on 1 of 3 assertions, which are true under a model of cvc5"
    assert found.suspect is not None
    recipe, seen = found.suspect
    assert (dict(recipe.parameters)["solver"], seen) == ("z3", "unsat")
    assert parse.problem(recipe.seed).assertions == CORE


def test_a_core_has_no_assertion_too_many() -> None:
    needed = set(PROBLEM.assertions[1:])
    core = core_of(PROBLEM, lambda smaller: needed <= set(smaller.assertions))
    assert core.assertions == PROBLEM.assertions[1:]
