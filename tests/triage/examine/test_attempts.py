"""Conclusions from confirming processes that a solver kills; these processes are played here, so each test is quick."""

import signal
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from chcfuzz.execution.child_process import ProcessExit
from chcfuzz.execution.exit_codes import EXIT_STUCK
from chcfuzz.execution.reports import RunReport, UnitReport
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.recipe import decode
from chcfuzz.triage.examine.conclusion import Conclusion, End
from chcfuzz.triage.examine.confirm import Confirmation, ConfirmError, _Attempt, _Confirming, confirm
from chcfuzz.triage.examine.messages import Began, Concluded, Described, Message, RunFinished, RunReported
from chcfuzz.triage.examine.signature import Signature, seed_digest
from chcfuzz.triage.examine.suspicion import Suspicion

from tests.campaign.conftest import SAT, doubled

CTP, Q3 = ("fp.spacer.ctp", "false"), ("fp.spacer.q3", "false")
UNIT = doubled(parameters=(CTP, Q3))
CRASH = Suspicion(UNIT, "crash", solving=("--rlimit=5",), solver="key")
WRONG = Suspicion(UNIT, "wrong-answer", "answer", "sat", "unsat", solving=("--rlimit=5",), solver="key")
SEGFAULT, STUCK, FAILED = (ProcessExit(code) for code in (-signal.SIGSEGV, EXIT_STUCK, 1))
REPORT = UnitReport("5.4.0.0", SAT, SAT, SAT, (), "equivalent", "sat", ())
DESCRIBED = Described(REPORT, None, theories=("Int",), solver="key of the process")
SIGNATURE = Signature("wrong-answer", default=True)

Play = Callable[[Suspicion, Sequence[str]], tuple[list[Message], ProcessExit]]
Confirming = Callable[[Suspicion, Play], Confirmation]


@pytest.fixture
def confirming(monkeypatch: pytest.MonkeyPatch) -> Confirming:
    """Function that confirms a suspicion with processes whose messages and exits come from another function."""

    def run(suspicion: Suspicion, play: Play) -> Confirmation:
        def attempt(self: _Confirming) -> _Attempt:
            messages, ended = play(self.suspicion, tuple(self.without))
            return _Attempt((DESCRIBED, *messages), ended, "its last line")

        monkeypatch.setattr(_Confirming, "attempt", attempt)
        return confirm(suspicion, Solving())

    return run


def dying(*names: str) -> Play:
    """Return a solver that dies of the runs with these names, of those that are not left out, and then of none."""

    def play(suspicion: Suspicion, without: Sequence[str]) -> tuple[list[Message], ProcessExit]:
        fatal = next((name for name in names if name not in without), None)
        given = [Began("given", suspicion.unit)]
        if fatal == "given":
            return [*given], SEGFAULT
        run = RunReport(run="given", status="sat")
        more: list[Message] = [
            *given,
            RunReported(run),
            RunFinished("given"),
            RunReported(replace(run, run="x", status="unsat")),
        ]
        if fatal is not None:
            return [*more, Began(fatal, doubled())], SEGFAULT
        concluded = Conclusion(End.CONFIRMED, "wrong-answer", "", suspicion.unit, SIGNATURE)
        return [*more, Concluded(concluded)], ProcessExit(0)

    return play


def test_a_conclusion_has_the_description_and_the_report_on_the_unit(confirming: Confirming) -> None:
    found = confirming(WRONG, dying())
    assert (found.end, found.unit, found.signature, found.deaths) == (End.CONFIRMED, UNIT, SIGNATURE, ())
    assert (found.suspicion, found.described) == (WRONG, DESCRIBED)
    assert found.given == RunReport(run="given", status="sat")


def test_a_run_that_kills_the_process_is_a_crash_of_its_unit_and_is_left_out_next_time(confirming: Confirming) -> None:
    found = confirming(WRONG, dying("x=1", "x=2"))
    assert found.end is End.CONFIRMED
    crash = Suspicion(doubled(), "crash", solving=WRONG.solving, solver="key")
    assert found.deaths == (crash, crash)


def test_an_examination_that_dies_more_than_twenty_times_is_given_up(confirming: Confirming) -> None:
    assert len(confirming(WRONG, dying(*map(str, range(20)))).deaths) == 20
    with pytest.raises(ConfirmError, match="the confirming process failed: its last line"):
        confirming(WRONG, dying(*map(str, range(21))))


@pytest.mark.parametrize("messages", [[Began("given", UNIT)], []])
def test_a_process_that_fails_without_a_death_of_the_solver_is_an_error(
    confirming: Confirming, messages: list[Message]
) -> None:
    with pytest.raises(ConfirmError, match="the confirming process failed: its last line"):
        confirming(WRONG, lambda _, __: (messages, FAILED if messages else SEGFAULT))


def test_a_unit_that_kills_the_process_has_vanished_and_is_suspected_as_a_crash(confirming: Confirming) -> None:
    found = confirming(WRONG, dying("given"))
    assert (found.end, found.conclusion.words) == (End.VANISHED, "the solver dies of it instead: it dies of signal 11")
    death = Suspicion(UNIT, "crash", solving=WRONG.solving, solver="key")
    dies = "it dies of signal 11"
    assert found.deaths == (replace(death, detail=dies, fault=dies),)
    assert found.given is None


def test_a_crash_that_happens_again_has_a_complete_signature(confirming: Confirming) -> None:
    def any_of_it(_: Suspicion, __: Sequence[str]) -> tuple[list[Message], ProcessExit]:
        return [Began("given", UNIT)], SEGFAULT

    found = confirming(CRASH, any_of_it)
    assert (found.end, found.conclusion.words) == (End.CONFIRMED, "it dies of signal 11")
    assert decode(found.unit).parameters == (), "the solver dies without them"
    assert found.signature == Signature(
        "crash",
        default=True,
        seed=seed_digest(SAT),
        detail="it dies of signal 11",
        solver="key of the process",
        theories=(),
    ), "it dies of everything, so theories distinguish nothing"


@pytest.mark.parametrize("other", ["another exit", "an answer"])
def test_a_crash_keeps_the_parameters_that_it_needs(confirming: Confirming, other: str) -> None:
    def needs_ctp(suspicion: Suspicion, _: Sequence[str]) -> tuple[list[Message], ProcessExit]:
        if CTP in decode(suspicion.unit).parameters:
            return [Began("given", suspicion.unit)], SEGFAULT
        if other == "an answer":
            return [RunReported(RunReport(run="given", status="sat"))], SEGFAULT
        return [Began("given", suspicion.unit)], ProcessExit(-signal.SIGABRT)

    found = confirming(CRASH, needs_ctp)
    assert decode(found.unit).parameters == (CTP,)
    assert found.suspicion.unit == found.unit
    assert (found.signature.default, found.signature.parameters) == (False, (CTP[0],))
    assert found.signature.theories == ("Int",)


def test_a_unit_on_which_the_solver_ignores_its_limits_is_not_a_crash(confirming: Confirming) -> None:
    found = confirming(CRASH, lambda _, __: ([Began("given", UNIT)], STUCK))
    assert (found.end, found.conclusion.words) == (End.VANISHED, "the solver ignores its limits on it")
    assert found.deaths == ()
    assert found.signature.parameters == (CTP[0], Q3[0])


def test_a_run_in_which_the_solver_ignores_its_limits_is_left_out_without_a_suspicion(confirming: Confirming) -> None:
    def stuck_once(suspicion: Suspicion, without: Sequence[str]) -> tuple[list[Message], ProcessExit]:
        messages, ended = dying("x")(suspicion, without)
        return messages, ended if without else STUCK

    found = confirming(WRONG, stuck_once)
    assert (found.end, found.deaths) == (End.CONFIRMED, ())


def test_the_parameters_of_a_crash_are_removed_in_processes_that_leave_nothing_out(confirming: Confirming) -> None:
    left_out: list[tuple[str, ...]] = []

    def dying_elsewhere_first(suspicion: Suspicion, without: Sequence[str]) -> tuple[list[Message], ProcessExit]:
        left_out.append(tuple(without))
        if len(left_out) == 1:
            return [Began("given", suspicion.unit), RunFinished("given"), Began("x", doubled())], SEGFAULT
        return [Began("given", suspicion.unit)], SEGFAULT

    found = confirming(CRASH, dying_elsewhere_first)
    assert decode(found.unit).parameters == ()
    assert left_out[:2] == [(), ("x",)]
    assert set(left_out[2:]) == {()}
