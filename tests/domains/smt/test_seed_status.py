"""The status of a seed without a declared one: by a model, by two projects, or only by the solver's own answer."""

from collections.abc import Iterator

import pytest
from chcfuzz.domains.smt.seed_status import of_answers
from chcfuzz.execution.pipeline import Execution, Pipeline
from chcfuzz.execution.seed_answers import Ground, SeedAnswer, SeedAnswers
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators import roots
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.solvers.model_text import TextModel
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.tracing.trace import NOTHING

SAT, UNSAT, UNKNOWN = Status.SAT, Status.UNSAT, Status.UNKNOWN
SEED = "(set-logic ALL)\n(declare-fun x () Int)\n(assert (> x 2))\n(check-sat)\n"


def outcome(status: Status, model: str = "") -> Outcome:
    return Outcome(status, "", NOTHING, 0, 0.0, TextModel(model) if model else None)


@pytest.mark.parametrize(
    ("answers", "status", "projects"),
    [
        ({"z3": SAT, "cvc5": UNSAT, "bitwuzla": UNSAT}, "unsat", ("cvc5", "bitwuzla")),
        ({"z3": SAT, "cvc5": SAT, "bitwuzla": UNSAT}, "sat", ("z3", "cvc5")),
        ({"z3": UNKNOWN, "cvc5": SAT, "bitwuzla": SAT}, "sat", ("cvc5", "bitwuzla")),
        ({"z3": SAT, "cvc5": UNKNOWN, "bitwuzla": UNSAT}, None, ()),
        ({"z3": SAT, "z3:sat.euf=true": SAT, "cvc5": UNKNOWN}, None, ()),
        ({"z3": UNSAT, "cvc5": SAT, "cvc5-1.3.0": SAT, "cvc5.sh": SAT}, None, ()),
        ({"z3": SAT, "cvc5": SAT, "bitwuzla": UNSAT, "yices-smt2": UNSAT}, None, ()),
    ],
)
def test_more_than_one_project_must_agree(
    answers: dict[str, Status], status: str | None, projects: tuple[str, ...]
) -> None:
    found = of_answers([(name, outcome(answer)) for name, answer in answers.items()])
    assert found == (None if status is None else SeedAnswer(status, Ground.AGREED, projects=projects))


@pytest.fixture(autouse=True)
def smt() -> Iterator[None]:
    before = roots.active()
    roots.activate(roots.load("smt").roots)
    yield
    roots.activate(before)


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline(Solving(domain="smt", solvers=("z3",)))


def execution(pipeline: Pipeline, own: Outcome, **others: Outcome) -> Execution:
    mutant = pipeline.mutant(Recipe(SEED))
    whole = Outcome(own.status, "", NOTHING, 0, 0.0, own.model, others=tuple(others.items()))
    return Execution(mutant, whole, (), (), 0.0)


def test_a_model_of_any_solver_is_a_witness(pipeline: Pipeline) -> None:
    model = "(define-fun x () Int 3)"
    found = pipeline.seed_answer(execution(pipeline, outcome(UNSAT), cvc5=outcome(SAT, model)))
    assert (found.status, found.ground, found.witness.strip()) == ("sat", Ground.WITNESS, model)
    wrong = outcome(SAT, "(define-fun x () Int 1)")
    assert pipeline.seed_answer(execution(pipeline, wrong)) == SeedAnswer("sat", Ground.ANSWER, projects=("z3",))


def test_the_answer_of_the_solver_under_test_alone_is_a_hope(pipeline: Pipeline) -> None:
    assert pipeline.seed_answer(execution(pipeline, outcome(UNSAT), cvc5=outcome(UNKNOWN))) == SeedAnswer(
        "unsat", Ground.ANSWER, projects=("z3",)
    )
    assert pipeline.seed_answer(execution(pipeline, outcome(UNKNOWN), cvc5=outcome(UNSAT))).ground is Ground.NONE


def test_a_hope_promises_nothing_to_other_solvers() -> None:
    answers = SeedAnswers()
    answers.note(SEED, SeedAnswer("sat", Ground.ANSWER, projects=("z3",)))
    both = Pipeline(Solving(domain="smt", solvers=("z3", "cvc5")), answers=answers)
    own, other = (both.mutant(Recipe(SEED, (), (("solver", name),))) for name in ("z3", "cvc5"))
    assert (both.promised(own), both.promised(other)) == ("sat", None)
    assert ":status" not in own.script(with_declared=True)


def test_the_domain_names_the_project_under_test() -> None:
    solving = Solving(domain="smt", solvers=("z3", "cvc5:decision=internal"))
    assert roots.load("smt").project(solving, ()) == "z3"
    assert roots.load("smt").project(solving, (("solver", "cvc5:decision=internal"),)) == "cvc5"
