"""The symptom that the text of a finding must show by itself."""

import pytest
from chcfuzz.triage.examine.conclusion import Reproduction, first_showing
from chcfuzz.triage.findings.reproducing import Symptom, is_refuted

SHOWS, OTHER, ENDED = (Reproduction(("z3",), "", shows) for shows in (True, False, None))


@pytest.mark.parametrize(
    ("symptom", "output", "code", "shown"),
    [
        (Symptom("wrong-answer", "sat"), "sat\n", 0, True),
        (Symptom("wrong-answer", "sat"), "unsat\n", 0, False),
        (Symptom("wrong-answer", "unsat"), 'unsat\n(error "line 3: check annotation that says sat")\n', 1, True),
        (Symptom("wrong-answer", "sat"), "unsat\nsat\n", 0, True),  # the last check of several
        (Symptom("wrong-model", "sat"), "sat\n(define-fun unsat () Bool true)\n", 0, True),
        (Symptom("crash", "death", "dies of signal 11"), "", -11, True),
        (Symptom("crash", "death", "dies of signal 11"), "sat\n", 1, False),
        (Symptom("exception", "error", "Z3 raises: at 12 is no array"), '(error "line 9: at 7 is no array")', 1, True),
        (Symptom("exception", "error", "Z3 raises: at 12 is no array"), "sat\n", 0, False),
        (Symptom("exception", "unknown", "Z3 raises: unreachable"), "ASSERTION VIOLATION\nFile: a.cpp\n", 114, True),
        (Symptom("exception", "unknown", "Z3 raises: unreachable"), "unknown\n", 0, False),
    ],
)
def test_the_answer_the_death_or_the_message_shows_a_finding(
    symptom: Symptom, output: str, code: int, shown: bool
) -> None:
    assert symptom.is_of_text
    assert symptom.is_shown(output, code) is shown


@pytest.mark.parametrize("kind", ["performance", "carry-over", "wrong-lemma", "memory", "limit"])
def test_one_run_on_the_text_cannot_show_costs_histories_or_steps(kind: str) -> None:
    assert not Symptom(kind, "sat").is_of_text


def test_a_run_without_an_answer_decides_nothing() -> None:
    refusal = "cvc5 refuses the script: module 'cvc5' has no attribute 'TermManager'\n"
    assert Symptom("wrong-answer", "sat").verdict(refusal, 0) is None
    assert Symptom("wrong-answer", "sat").verdict("unsat\n", 0) is False
    assert Symptom("wrong-answer", "sat").verdict("sat\n", 0) is True
    assert Symptom("crash", "death", "dies of signal 11").verdict("", 0) is False


def test_only_runs_that_all_ended_with_another_answer_refute_a_finding() -> None:
    wrong, dead = Symptom("wrong-answer", "sat"), Symptom("crash", "death")
    assert is_refuted(wrong, [OTHER, OTHER])
    assert not any(is_refuted(wrong, runs) for runs in ([], [OTHER, SHOWS], [OTHER, ENDED]))
    assert not is_refuted(dead, [OTHER])
    assert first_showing([OTHER, ENDED, SHOWS]) is SHOWS
    assert first_showing([OTHER, ENDED]) is None
