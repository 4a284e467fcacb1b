"""A result that depends on earlier systems is confirmed with the few that it needs; the processes are played here."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest
from chcfuzz.mutators.recipe import Recipe, decode, encode
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.solver import Sessions
from chcfuzz.solvers.solver_session import Request
from chcfuzz.tracing.source import Parameters
from chcfuzz.triage.examine.conclusion import Conclusion, End
from chcfuzz.triage.examine.examination import Examination
from chcfuzz.triage.examine.messages import Message, RunReported
from chcfuzz.triage.examine.runs import Runs
from chcfuzz.triage.examine.suspicion import Suspicion

from tests.played import Play, PlayedSolver, outcome
from tests.triage.examine.test_examination import SAT
from tests.triage.examine.test_judgements import Search

CTP = ("fp.spacer.ctp", "false")
BEFORE: tuple[Request, ...] = (("one", ()), ("two", ("-x",)), ("three", ()))


@dataclass
class Remembering(PlayedSolver, Sessions):
    """A solver that answers unsat after the requests `spoils`, and else the next of the fresh answers."""

    spoils: tuple[Request, ...] = ()
    fresh: list[Status] = field(default_factory=list)
    limits: list[int] = field(default_factory=list)

    @property
    def sessions(self) -> Sessions:
        return self

    @property
    def has_server(self) -> bool:
        return True

    def solve(self, _text: str, _parameters: Parameters, _rlimit: int) -> Outcome:
        raise AssertionError("the unit is solved in a process of its own")

    def solve_afresh(self, _text: str, _parameters: Parameters, rlimit: int) -> Outcome:
        self.limits.append(rlimit)
        return outcome(self.fresh.pop(0))

    def history(self, _parameters: Parameters, _rlimit: int) -> tuple[Request, ...]:
        raise AssertionError("the requests are those of the suspicion")

    def start(self, parameters: Parameters, rlimit: int) -> tuple[str, ...]:
        return ("solver", *(f"{name}={value}" for name, value in parameters), str(rlimit))

    def request(self, text: str, parameters: Parameters, _rlimit: int) -> Request:
        return (text, tuple(value for _, value in parameters))

    def solve_after(self, before: Sequence[Request], _text: str, _parameters: Parameters, rlimit: int) -> Outcome:
        self.limits.append(rlimit)
        return outcome(Status.UNSAT if set(self.spoils) <= set(before) else Status.SAT)


Examine = Callable[..., tuple[Conclusion, Remembering, list[Message]]]


@pytest.fixture
def examine(play: Play) -> Examine:
    def run(
        spoils: tuple[Request, ...], fresh: Sequence[Status], parameters: Parameters = ()
    ) -> tuple[Conclusion, Remembering, list[Message]]:
        unit = encode(Recipe(SAT, (), tuple(parameters)))
        pipeline, solver = play(lambda source: Remembering(source, spoils=spoils, fresh=list(fresh)))
        seen = Suspicion(unit, "carry-over", "carry-over", "unsat", before=BEFORE)
        sent: list[Message] = []
        runs = Runs(pipeline, 1000, frozenset(), sent.append)
        return Examination(seen, decode(unit), runs, Search()).examine("key"), solver, sent

    return run


@pytest.mark.parametrize("spoils", [BEFORE[1:2], BEFORE[::2]])
def test_only_the_requests_that_it_needs_are_kept(examine: Examine, spoils: tuple[Request, ...]) -> None:
    found, solver, sent = examine(spoils, [Status.SAT, Status.SAT])
    assert found.end is End.CONFIRMED
    number = f"{len(spoils)} other system{'s' * (len(spoils) > 1)}"
    assert found.words == f"unsat after {number} in the same process, sat in a process of its own"
    assert found.session is not None
    assert found.session.requests[:-1] == spoils
    assert found.session.requests[-1][0].startswith("(set-logic HORN)")
    assert (found.session.start, found.session.server) == (("solver", "1000"), True)
    assert found.signature.detail == "sat by itself, unsat after other systems"
    assert (found.signature.kind, found.signature.seen, found.signature.default) == ("carry-over", "unsat", True)
    assert set(solver.limits) == {1000}
    (report,) = (message.report for message in sent if isinstance(message, RunReported))
    assert (report.run, report.status) == ("given", "sat")


def test_the_parameters_are_those_of_the_unit(examine: Examine) -> None:
    found, _, _ = examine(BEFORE[:1], [Status.SAT, Status.SAT], (CTP,))
    assert found.session is not None
    assert found.session.start == ("solver", "fp.spacer.ctp=false", "1000")
    assert found.session.requests[-1][1] == ("false",)
    assert decode(found.unit).parameters == (CTP,)
    assert not found.signature.default


def test_a_solver_that_differs_between_fresh_processes_is_not_to_blame_for_its_memory(examine: Examine) -> None:
    found, _, _ = examine(BEFORE[:1], [Status.SAT, Status.UNKNOWN])
    assert (found.end, found.words) == (End.VANISHED, "its results differ between two fresh processes, too")
    assert found.session is None


def test_a_result_that_is_the_same_again_has_vanished(examine: Examine) -> None:
    found, _, _ = examine((("another", ()),), [Status.SAT, Status.SAT])
    words = "its result is the same after the same systems in a fresh process"
    assert (found.end, found.words, found.session) == (End.VANISHED, words, None)
