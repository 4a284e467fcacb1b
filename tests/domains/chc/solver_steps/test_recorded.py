"""Output that eight releases of Z3 printed about one system, without the lines about statistics.

`recorded/RELEASE.log` is the progress log and `RELEASE.err` the output at verbosity 2 from the rules on, under
`fp.xform.inline_eager=false` and `fp.xform.inline_linear=false`.
"""

from collections import Counter
from pathlib import Path

import pytest
from chcfuzz.domains.chc.solver_steps.judge_worker import reply_to, reports
from chcfuzz.domains.chc.solver_steps.observation import ObservedRun
from chcfuzz.domains.chc.solver_steps.spacer_rules import real_rules
from chcfuzz.execution.solver_steps import SolverStepReport
from chcfuzz.grammar.reading.parse import parse

FOLDER = Path(__file__).parent / "recorded"
SYSTEM = (FOLDER / "system.smt2").read_text()
RELEASES = sorted(file.stem for file in FOLDER.glob("*.log"))


def recorded(release: str) -> tuple[str, str]:
    return (FOLDER / f"{release}.log").read_text(), (FOLDER / f"{release}.err").read_text()


def judged(log: str, printed: str) -> tuple[SolverStepReport, ...]:
    return reports(ObservedRun(text=SYSTEM, status="sat", log=log, printed=f"\n{printed}"))


def test_eight_releases_are_recorded() -> None:
    assert len(RELEASES) == 8


@pytest.mark.parametrize("release", RELEASES)
def test_all_steps_of_a_release_are_read_and_right(release: str) -> None:
    steps = judged(*recorded(release))
    found = Counter((step.kind, step.judgement) for step in steps)
    assert found.keys() == {("lemma", "right"), ("obligation", "right"), ("obligation", "open")}
    assert found["obligation", "right"] >= 2
    assert {step.formula for step in steps if step.judgement == "open"} == {"true"}  # the roots


@pytest.mark.parametrize("release", RELEASES)
def test_a_changed_lemma_of_a_release_is_wrong(release: str) -> None:
    log, printed = recorded(release)
    wrong = [step for step in judged(log.replace("(< p_0_n 6)", "(< p_0_n 5)"), printed) if step.judgement == "wrong"]
    assert [(step.kind, step.predicate, step.level) for step in wrong] == [("lemma", "p", "oo")]
    assert len(wrong[0].facts) == 6


@pytest.mark.parametrize("release", RELEASES)
def test_a_broken_line_of_a_step_is_an_error_and_claims_nothing(release: str) -> None:
    log, printed = recorded(release)
    broken = log.replace("** add-lemma", "** addWARNING: a line\n-lemma", 1)
    reply = reply_to(ObservedRun(text=SYSTEM, status="sat", log=broken, printed=f"\n{printed}"))
    assert reply.steps == ()
    assert "the line of a step is broken, so no step is judged, at `** addWARNING: a line`" in reply.error


@pytest.mark.parametrize("release", RELEASES[::7])
def test_output_that_is_cut_anywhere_gives_no_alarm(release: str) -> None:
    log, printed = recorded(release)
    for length in range(0, len(printed), 97):
        assert not [step.line for step in judged(log, printed[:length]) if step.judgement == "wrong"]


def test_warnings_between_the_lines_and_lies_about_rules_claim_nothing() -> None:
    log, printed = recorded(RELEASES[0])
    warned = printed.replace("\n", "\nWARNING: unknown parameter\n")
    assert not [step.line for step in judged(log, warned) if step.judgement == "wrong"]
    assert real_rules("\n; rule count: 9\n; output: q\nno rule.\n", parse(SYSTEM)) is None
