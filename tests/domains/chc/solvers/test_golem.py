"""Golem's options, as a table and, where Golem is, by Golem itself; what it reads, and how its witnesses are read."""

import os
import re
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from chcfuzz.domains.chc.oracles import model, proof
from chcfuzz.domains.chc.solvers.golem import EXCLUDED, OPTIONS
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.command_options import ON
from chcfuzz.solvers.dialects import DIALECTS, on_path
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog

WATCHDOG = Watchdog(60)
LONG = 60.0
CORPUS = Path(__file__).resolve().parents[4] / "corpus"
GOLEM = DIALECTS["golem"]


def test_every_option_is_a_row_once_with_values_other_than_its_default() -> None:
    names = [option.name for option in OPTIONS]
    assert len(set(names)) == len(names)
    assert set(names).isdisjoint(EXCLUDED)
    for option in OPTIONS:
        assert option.values
        assert option.default not in option.values
        assert option.source.startswith("src/")


def test_options_are_written_as_getopt_reads_them() -> None:
    assert GOLEM.switches((("golem.engine", "lawi"), ("golem.force-ts", ON))) == ("--engine=lawi", "--force-ts")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (> x 1) (p (+ (* 2 x) (div x 3))))))", ""),
        ("(declare-fun p (Real) Bool)(assert (forall ((x Real)) (=> (> x (- 1.5)) (p (/ x 2.0)))))", ""),
        ("(declare-fun p (Real Int) Bool)(assert (p 1.0 1))", "theories LIA, LRA"),
        ("(declare-fun p ((Array Int Int)) Bool)(assert (forall ((a (Array Int Int))) (p a)))", "theories Arrays, LIA"),
        ("(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (> (* x x) 1) (p x))))", "a product"),
        ("(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (> (mod 7 x) 1) (p x))))", "a product"),
        ("(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (exists ((y Int)) (> y x)) (p x))))", "a quantifier"),
        ("(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (> (abs x) 1) (p x))))", "operator abs"),
    ],
)
def test_whether_golem_reads_a_system_depends_on_the_system(text: str, why: str) -> None:
    result = GOLEM.refused(parse(f"(set-logic HORN){text}(check-sat)"))
    assert result.startswith(why)
    assert bool(result) == bool(why)


@pytest.fixture(scope="module")
def golem() -> Command:
    """Golem, if it is on PATH."""
    program = on_path(GOLEM)
    if program is None:
        pytest.skip(f"needs golem on PATH: {GOLEM.website}")
    return Command.of([program], LONG)


def test_every_option_that_golem_lists_is_a_row_or_excluded_with_all_values(golem: Command) -> None:
    result = subprocess.run([golem.words[0], "-h"], capture_output=True, text=True, check=False).stdout
    listed = set(re.findall(r"--([\w.-]+)", result))
    assert len(listed) > 8
    assert listed - {option.name for option in OPTIONS} - set(EXCLUDED) == set()
    engines = set(re.findall(r"^ {30,}([\w-]+) - ", result, re.MULTILINE))
    rows = {option.name: {option.default, *option.values} for option in OPTIONS}
    assert rows["engine"] == {name for name in engines if name in rows["engine"]}
    assert len(rows["engine"]) == 12


@pytest.mark.slow
def test_golem_takes_every_value_of_every_row(golem: Command) -> None:
    text = (CORPUS / "lia" / "absolute-value-unsafe.smt2").read_text()
    for option in OPTIONS:
        for value in option.values:
            outcome = golem.solve(text, ((GOLEM.parameter(option), value),))
            assert outcome.status in (Status.UNSAT, Status.UNKNOWN), (option, value, outcome.reason)


@pytest.mark.slow
def test_golem_answers_as_the_seeds_say_with_witnesses_that_hold(golem: Command) -> None:
    checked = 0
    for path in sorted((CORPUS / "lia").glob("*.smt2"))[::6] + sorted((CORPUS / "lra").glob("*.smt2"))[::6]:
        system = parse(path.read_text())
        if GOLEM.refused(system):
            continue
        outcome = Command(golem.words, 5.0, dialect=GOLEM).solve(path.read_text())
        if outcome.status.is_decided:
            assert outcome.status.value == system.status, path.name
            check = model if outcome.status is Status.SAT else proof
            assert check.check(system, outcome, WATCHDOG).kind is VerdictKind.PASS, path.name
            checked += 1
    assert checked > 10


def test_an_instance_that_still_has_a_variable_is_a_wrong_proof(golem: Command) -> None:
    """Golem 0.9.1 takes `(- x)` for a constant where it writes instances."""
    path = CORPUS / "lia" / "absolute-value-unsafe.smt2"
    outcome = golem.solve(path.read_text(), (("golem.proof-format", "intermediate"),))
    verdict = proof.check(parse(path.read_text()), outcome, WATCHDOG)
    if "0.9.1" not in subprocess.run([golem.words[0], "--version"], capture_output=True, text=True, check=False).stdout:
        pytest.skip("needs golem 0.9.1")
    assert (verdict.kind, verdict.detail) == (
        VerdictKind.WRONG_PROOF,
        "clause 1 at x = 1, y = (- 1): the instance still has x",
    )


def test_a_death_by_a_signal_is_one_whatever_golem_was_compiled_with(golem: Command, tmp_path: Path) -> None:
    """The runtime that clang links beside edge counters would turn it into an exit code."""
    os.mkfifo(system := tmp_path / "system.smt2")
    words = [golem.words[0], str(system)]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as dying:
        held = None
        while held is None and dying.poll() is None:
            with suppress(OSError):  # until Golem has opened it too
                held = os.open(system, os.O_WRONLY | os.O_NONBLOCK)
        dying.send_signal(signal.SIGSEGV)
        assert dying.wait(LONG) == -signal.SIGSEGV
    assert held is not None
    os.close(held)
