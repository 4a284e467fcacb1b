"""The formulas that Spacer projects become questions: from the output of old and new releases, and by an import."""

from pathlib import Path

import pytest
from chcfuzz.domains.chc.solver_steps.observation import ObservedRun
from chcfuzz.domains.parts.question import PartProblem
from chcfuzz.domains.parts.question_text import printed, read
from chcfuzz.domains.parts.roots import PartRoots
from chcfuzz.domains.parts.spacer_projections import ASKED, projected
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.small_formulas.assignments import is_model
from chcfuzz.solvers.watchdog import Watchdog

from tests.domains.chc.solver_steps.test_recorded import RELEASES, SYSTEM, recorded
from tests.domains.smt.test_planted import CHCFUZZ, run
from tests.targets import ROOT

BUFFER = ROOT / "corpus" / "lia" / "bounded-buffer-unsafe.smt2"


def questions(release: str) -> list[PartProblem]:
    log, output = recorded(release)
    return list(projected(ObservedRun(text=SYSTEM, status="sat", log=log, printed=f"\n{output}"), Watchdog(60)))


@pytest.mark.parametrize("release", RELEASES[::7])
def test_each_projected_formula_is_asked_of_each_part_with_its_model(release: str) -> None:
    found = questions(release)
    assert len(found) >= len(ASKED)
    for number, question in enumerate(found):
        assert question.question.part == ASKED[number % len(ASKED)]
        assert is_model(question, dict(question.question.model))
        assert read(printed(question)) == question
    assert all(question.eliminated for question in found if question.question.part != "implicant")


def test_the_state_after_a_step_is_eliminated_and_the_one_before_it_is_kept() -> None:
    (first, *_) = questions(RELEASES[0])
    eliminated = {function.name for function in first.eliminated}
    assert {name for name in eliminated if name.endswith("_n")}
    assert {function.name for function in first.functions} - eliminated == {
        function.name for function in first.functions if function.name.endswith("_0")
    }


@pytest.mark.slow
def test_a_system_without_a_projection_is_refused_in_a_line() -> None:
    trivial = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (> x 0) (p x))))(check-sat)"
    with pytest.raises(GrammarError, match="Spacer projects no formula"):
        PartRoots().parse_all(trivial, "trivial", ("projections",))


def test_a_broken_system_is_not_run() -> None:
    with pytest.raises(GrammarError, match="broken:1"):
        PartRoots().parse_all("(set-logic HORN)(assert (p x))", "broken", ("projections",))


@pytest.mark.slow
def test_an_import_writes_the_same_questions_each_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        run(tmp_path, *CHCFUZZ, "import", str(BUFFER), "--domain=parts", "--reading=projections", f"--into={name}")
    one, two = ({file.name: file.read_text() for file in (tmp_path / name).iterdir()} for name in ("one", "two"))
    assert len(one) >= 2 * len(ASKED)
    assert one == two
    assert all(isinstance(read(text), PartProblem) for text in one.values())
