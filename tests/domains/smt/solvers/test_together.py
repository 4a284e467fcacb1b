"""All solvers solve each problem; one of them is under test."""

import pytest
from chcfuzz.domains.smt.solvers.bitwuzla import Bitwuzla
from chcfuzz.domains.smt.solvers.cvc5 import Cvc5
from chcfuzz.domains.smt.solvers.together import SmtSolvers
from chcfuzz.domains.smt.solvers.z3 import Z3
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.solver_statistics import StatisticsSource
from chcfuzz.tracing.trace import NOTHING

from tests.domains.smt.solvers.problems import BITS, INTEGERS, NO_BITS

RLIMIT = 1_000_000
EUF = "z3:sat.euf=true"


@pytest.fixture(scope="module")
def solvers() -> SmtSolvers:
    settings = (("sat.euf", "true"),)
    engines = (Z3(Watchdog(60)), Cvc5(), Bitwuzla(), Z3(Watchdog(60), settings, EUF))
    return SmtSolvers(engines, StatisticsSource("smt"))


def test_the_first_solver_is_under_test_and_the_others_come_along(solvers: SmtSolvers) -> None:
    outcome = solvers.solve(NO_BITS, (), RLIMIT)
    assert outcome.status is Status.UNSAT
    assert [(name, other.status) for name, other in outcome.others] == [
        ("cvc5", Status.UNSAT),
        ("bitwuzla", Status.UNSAT),
        (EUF, Status.UNSAT),
    ]


def test_a_parameter_names_the_solver_under_test(solvers: SmtSolvers) -> None:
    outcome = solvers.solve(INTEGERS, (("solver", "bitwuzla"),), RLIMIT)
    assert outcome.status is Status.UNSUPPORTED
    assert [name for name, _ in outcome.others] == ["z3", "cvc5", EUF]
    assert outcome.left_out == ()


def test_an_unknown_solver_is_left_out_and_the_first_one_is_under_test(solvers: SmtSolvers) -> None:
    outcome = solvers.solve(INTEGERS, (("solver", "yices"), ("yices.x", "1")), RLIMIT)
    assert (outcome.status, outcome.left_out) == (Status.SAT, ("solver", "yices.x"))


def test_the_trace_has_the_features_of_all_and_does_not_depend_on_the_solver_under_test(solvers: SmtSolvers) -> None:
    one, other = (solvers.solve(BITS, (("solver", name),), RLIMIT) for name in ("z3", "cvc5"))
    assert one.trace.hash == other.trace.hash
    assert len(one.trace.keys) > max(len(outcome.trace.keys) for _, outcome in one.others)


def test_the_trace_is_not_complete_if_the_clock_ends_one_of_them() -> None:
    class Answering:
        version = "1"

        def __init__(self, name: str, status: Status) -> None:
            self.name = name
            self.status = status

        def solve(self, _text: str, _parameters: object, _rlimit: int) -> Outcome:
            return Outcome(self.status, "", NOTHING, 0, 0.0)

    for status, complete in ((Status.LIMIT, True), (Status.HANG, False)):
        engines = (Answering("z3", Status.SAT), Answering("cvc5", status))
        outcome = SmtSolvers(engines, StatisticsSource("statistics")).solve("(check-sat)", (), 100)
        assert (outcome.status, outcome.trace.complete) == (Status.SAT, complete)


def test_a_parameter_reaches_every_setting_of_its_solver_alone(solvers: SmtSolvers) -> None:
    outcome = solvers.solve(BITS, (("z3.nowhere", "1"), ("cvc5.bitblast", "eager")), RLIMIT)
    left_out = {name: other.left_out for name, other in outcome.others}
    assert outcome.left_out == ("nowhere",)
    assert left_out == {"cvc5": (), "bitwuzla": (), EUF: ("nowhere",)}


def test_solvers_that_remember_solve_again_only_what_has_changed() -> None:
    class Counting:
        version = "1"

        def __init__(self, name: str) -> None:
            self.name = name
            self.solved = 0

        def solve(self, _text: str, _parameters: object, _rlimit: int) -> Outcome:
            self.solved += 1
            return Outcome(Status.SAT, "", NOTHING, 0, 0.0)

    engines = (Counting("z3"), Counting("cvc5"))
    solvers = SmtSolvers(engines, StatisticsSource("statistics"))
    solvers.solve("(check-sat)", (), 100)
    solvers.solve("(check-sat)", (), 100)
    assert [engine.solved for engine in engines] == [2, 2]
    solvers.remember()
    for value in ("1", "2"):
        solvers.solve("(check-sat)", (("cvc5.seed", value),), 100)
    solvers.solve("(check-sat)", (("cvc5.seed", "2"), ("solver", "cvc5")), 100)
    assert [engine.solved for engine in engines] == [3, 4]


class Logged:
    """An engine in this process that logs what it does."""

    version = "1"

    def __init__(self, name: str, log: list[str]) -> None:
        self.name = name
        self.log = log

    def solve(self, text: str, _parameters: object, _rlimit: int) -> Outcome:
        self.log.append(f"{self.name} solves")
        if text == "fail":
            raise KeyboardInterrupt
        return Outcome(Status.SAT, "", NOTHING, 0, 0.0)


class LoggedElsewhere(Logged):
    """The same in another process."""

    def begin(self, _text: str, _parameters: object, _rlimit: int) -> None:
        self.log.append(f"{self.name} begins")

    def finish(self) -> Outcome:
        self.log.append(f"{self.name} ends")
        return Outcome(Status.UNSAT, "", NOTHING, 0, 0.0)

    def close(self) -> None:
        self.log.append(f"{self.name} is closed")


def test_solvers_in_other_processes_solve_while_this_process_does() -> None:
    log: list[str] = []
    engines = (LoggedElsewhere("cvc5", log), Logged("z3", log), LoggedElsewhere("bitwuzla", log))
    outcome = SmtSolvers(engines, StatisticsSource("statistics")).solve("(check-sat)", (), 100)
    assert log == ["cvc5 begins", "bitwuzla begins", "z3 solves", "cvc5 ends", "bitwuzla ends"]
    assert outcome.status is Status.UNSAT
    assert [(name, other.status) for name, other in outcome.others] == [("z3", Status.SAT), ("bitwuzla", Status.UNSAT)]


def test_an_interrupted_execution_leaves_no_solver_with_its_problem() -> None:
    log: list[str] = []
    engines = (LoggedElsewhere("cvc5", log), Logged("z3", log))
    with pytest.raises(KeyboardInterrupt):
        SmtSolvers(engines, StatisticsSource("statistics")).solve("fail", (), 100)
    assert log == ["cvc5 begins", "z3 solves", "cvc5 is closed"]
