"""A seed whose declared status is wrong does not hide the solver's wrong answer to it, in any campaign."""

from pathlib import Path

import pytest
from chcfuzz.execution.seed_answers import SeedAnswers
from chcfuzz.mutators.recipe import canonical, decode

from tests.campaign.conftest import UNSAT
from tests.targets import Run

WRONGLY_DECLARED = UNSAT.replace(":status unsat", ":status sat")
HASTY = "--solver=tests.quality.planted:SeedSpacer"  # answers sat to the seed as it is, and is right about its mutants


@pytest.mark.slow
def test_an_answer_that_agreed_with_the_declared_status_is_judged_again_in_the_next_campaign(
    run: Run, tmp_path: Path
) -> None:
    corpus = tmp_path / "units"
    corpus.mkdir()
    (corpus / "s.smt2").write_text(WRONGLY_DECLARED)
    first = run(HASTY, "--finish-seconds=3600", "-runs=0", corpus)
    assert first.code == 0, first.err
    assert first.summary["findings"] == {}, "the answer agrees with the declared status"
    seed = canonical(decode(WRONGLY_DECLARED.encode())).seed
    answers = SeedAnswers(tmp_path / "findings")
    known = answers.of(seed)
    assert known is not None
    assert known.status == "sat"
    second = run(HASTY, "--finish-seconds=3600", "--rows=boolean.dup-and,order.*", "-runs=60", "-seed=3", corpus)
    assert second.code == 0, second.err
    assert "a seed's declared status is wrong" in second.err
    assert SeedAnswers(tmp_path / "findings").of(seed) != known
    third = run(HASTY, "--finish-seconds=3600", "-runs=0", corpus)
    assert third.code == 0, third.err
    found = [file.read_text() for file in sorted(tmp_path.glob("findings/wrong-answer-*/record.json"))]
    assert found, second.err + third.err
