"""Eldarica's options, as a table and, where Eldarica is, by Eldarica itself."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from chcfuzz.domains.chc.oracles import model
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.domains.chc.solvers.eldarica import EXCLUDED, OPTIONS
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.command_options import ON
from chcfuzz.solvers.dialects import DIALECTS, on_path
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog

WATCHDOG = Watchdog(60)
LONG = 120.0
CORPUS = Path(__file__).resolve().parents[4] / "corpus"


def test_every_option_is_a_row_once_with_values_other_than_its_default() -> None:
    names = [option.name for option in OPTIONS]
    assert len(set(names)) == len(names) > 10
    assert set(names).isdisjoint(EXCLUDED)
    for option in OPTIONS:
        assert option.values
        assert option.default not in option.values
        assert len(set(option.values)) == len(option.values)
        assert all(re.fullmatch(r"\w+", value) for value in option.values)
        assert option.source.endswith(".scala")


def test_a_switch_has_no_value_on_the_command_line() -> None:
    by_name = {option.name: option for option in OPTIONS}
    assert by_name["lbe"].switch(ON) == "-lbe"
    assert by_name["abstract"].switch("oct") == "-abstract:oct"


@pytest.fixture(scope="module")
def eldarica() -> Command:
    """Eldarica, if it and Java are on PATH."""
    program = on_path(DIALECTS["eldarica"])
    if program is None or shutil.which("java") is None:
        pytest.skip(f"needs java and eld on PATH: {DIALECTS['eldarica'].website}")
    return Command.of([program], LONG, requests=50)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(BUILT_IN)))
def test_eldarica_answers_as_the_seeds_say_with_models_that_hold(eldarica: Command, number: int) -> None:
    outcome = eldarica.solve(BUILT_IN[number])
    if "Real" in BUILT_IN[number] and outcome.status is Status.ERROR:
        return  # it may reject systems of a theory that it lacks
    assert f":status {outcome.status.value})" in BUILT_IN[number], outcome.reason
    if outcome.status is Status.SAT and not outcome.reason:  # it complains of Reals, and then writes them as Ints
        assert model.check(parse(BUILT_IN[number]), outcome, WATCHDOG, 1_000_000).kind is VerdictKind.PASS


@pytest.mark.slow
def test_eldarica_takes_every_value_of_every_row(eldarica: Command) -> None:
    for option in OPTIONS:
        for value in option.values:
            outcome = eldarica.solve(BUILT_IN[0], ((DIALECTS["eldarica"].parameter(option), value),))
            assert "unrecognized option" not in outcome.reason, (option, value)


def test_every_option_that_eldarica_lists_is_a_row_or_excluded(eldarica: Command) -> None:
    result = subprocess.run([eldarica.words[0], "-h"], capture_output=True, text=True, timeout=LONG, check=False).stdout
    listed = {match[1] for match in re.finditer(r"^ -(\w+)", result, re.MULTILINE)}
    assert len(listed) > 20
    assert listed - {option.name for option in OPTIONS} - set(EXCLUDED) == set()


@pytest.mark.slow
def test_eldarica_agrees_with_the_statuses_of_the_corpus(eldarica: Command) -> None:
    quick = Command(eldarica.words, 20.0, eldarica.memory_megabytes, eldarica.dialect, 50)
    answered = 0
    for path in sorted(CORPUS.rglob("*.smt2"))[::7]:
        text = path.read_text()
        outcome = quick.solve(text)
        if outcome.status.is_decided and not outcome.reason:
            answered += 1
            assert outcome.status.value == parse(text).status, path.name
        if outcome.model is not None and not outcome.reason:
            assert model.check(parse(text), outcome, WATCHDOG, 300_000).kind is not VerdictKind.WRONG_MODEL, path.name
    assert answered > 10
