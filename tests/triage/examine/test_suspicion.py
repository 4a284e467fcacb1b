"""A suspicion is written and read, and its name has the keys by which suspicions are compared."""

from dataclasses import replace

from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.execution.seed_answers import Ground, SeedAnswer
from chcfuzz.mutators.recipe import Recipe, Step, encode
from chcfuzz.triage.examine.suspicion import Suspicion, family_of, kinds_waiting, similarity_of, symptom_of

SEEN = Suspicion(
    encode(Recipe(BUILT_IN[0], (Step("order.swap-clauses", b"\1"),))),
    "wrong-answer",
    "answer",
    "unsat",
    "sat",
    "answers unsat, but sat is promised",
    SeedAnswer("sat", Ground.ANSWER, "(define-fun inv () Bool true)"),
    ("--rlimit=7",),
)


def unit(number: int) -> bytes:
    return encode(Recipe(BUILT_IN[0], (Step("order.swap-clauses", bytes([number])),)))


def test_a_suspicion_is_read_as_it_was_written() -> None:
    assert Suspicion.read(SEEN.written()) == SEEN
    death = Suspicion(b"any bytes", "crash")
    assert Suspicion.read(death.written()) == death


def test_a_sentence_on_waiting_suspicions_has_the_number_of_each_kind() -> None:
    wrong, other = SEEN.name, replace(SEEN, unit=unit(2)).name
    crash, model = (Suspicion(unit(3), kind).name for kind in ("crash", "wrong-model"))
    assert kinds_waiting([wrong, other, crash, model]) == ": 2 contradict the expected answer, 1 crash, 1 wrong model"
    assert kinds_waiting([wrong]) == ": 1 contradicts the expected answer"
    assert kinds_waiting([crash]) == ": 1 crash"
    assert kinds_waiting([]) == ""


def test_only_the_choices_of_the_last_step_leave_the_similarity_key() -> None:
    assert replace(SEEN, unit=unit(2)).similarity == SEEN.similarity == similarity_of(SEEN.name)
    parameters = encode(Recipe(BUILT_IN[0], (), (("fp.spacer.ctp", "false"),)))
    others = [
        replace(SEEN, kind="wrong-model"),
        replace(SEEN, seen="sat"),
        replace(SEEN, unit=encode(Recipe(BUILT_IN[1]))),
        replace(SEEN, unit=parameters),
        replace(SEEN, solving=("--z3=4.8.14.0",)),
        replace(SEEN, unit=encode(Recipe(BUILT_IN[0], (Step("names.rename-predicate", b"\1"),)))),
    ]
    assert len({SEEN.similarity, *(other.similarity for other in others)}) == 1 + len(others)


def test_the_symptom_does_not_depend_on_seed_chain_numbers_and_names() -> None:
    died = replace(SEEN, kind="crash", oracle="errors", seen="", expected=None, theories=("LIA",))
    first = replace(died, detail="it says: unknown symbol `x1` in /tmp/a/file.smt2:17")
    same = replace(first, unit=encode(Recipe(BUILT_IN[1])), detail="it says: unknown symbol `y` in /home/file.smt2:3")
    others = [
        replace(first, theories=("Arrays", "LIA")),
        replace(first, kind="exception"),
        replace(first, solver="z3-of-yesterday"),
        replace(first, detail="it dies of signal 11"),
        replace(first, detail="it dies of signal 6"),
        replace(first, detail="it says: a.cpp:12: f(): Assertion `x > 0' failed."),
        replace(first, detail="it says: a.cpp:12: f(): Assertion `x > y' failed."),
        replace(first, detail="it exits with exit code 3"),
    ]
    assert same.symptom == first.symptom == symptom_of(first.name)
    assert similarity_of(first.name) == first.similarity != same.similarity
    assert len({first.symptom, *(other.symptom for other in others)}) == 1 + len(others)
    assert {family_of(other.name) == family_of(first.name) for other in others[1:]} == {False}
    assert family_of(others[0].name) == family_of(first.name)


def test_answers_and_models_have_a_symptom_without_their_words() -> None:
    wrong = replace(SEEN, kind="wrong-model", oracle="model", detail="clause 3 is false")
    assert wrong.symptom == replace(wrong, detail="clause 4, about p, is false").symptom
    assert wrong.symptom != replace(wrong, detail="clause 3 is false; it complains: a check failed").symptom
    assert SEEN.symptom == replace(SEEN, detail="other words").symptom != replace(SEEN, seen="sat").symptom


def test_a_name_of_an_older_version_has_no_symptom() -> None:
    name = "1-0123456789abcdef-crash-0123456789abcdef.json"
    assert (similarity_of(name), symptom_of(name), family_of(name)) == ("0123456789abcdef", "", "")
