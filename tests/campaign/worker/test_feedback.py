"""Edges are feedback if the user wants them, and of a command that shows nothing else of its inside."""

from collections.abc import Callable

import numpy as np
import pytest
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.worker import context
from chcfuzz.campaign.worker.context import WorkerContext
from chcfuzz.campaign.worker.feedback import Feedback
from chcfuzz.domains.chc.solvers.verbose_output import verbose_output
from chcfuzz.tracing.edges import Edges
from chcfuzz.tracing.output import OutputEvents
from chcfuzz.tracing.progress_log import ProgressLog

EDGES = Edges(np.zeros(16, np.uint8), np.zeros((16, 2), np.uintp))


class LogWithEdges(ProgressLog):
    """A source of events of a solver that was compiled with edges."""

    edges = EDGES


@pytest.fixture
def feedback(
    options: Callable[..., Options], session: Session, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Feedback]:
    """Function that returns the feedback of a campaign with these flags, whose solver has edges."""

    def made(is_command: bool, *flags: str) -> Feedback:
        source = OutputEvents("command", EDGES) if is_command else LogWithEdges(verbose_output())
        monkeypatch.setattr(context, "event_source", lambda _solving: source)
        return Feedback(WorkerContext(options(*flags), session))

    return made


@pytest.mark.parametrize(
    ("flags", "is_command", "are_feedback"),
    [
        ((), False, False),
        ((), True, True),
        (("--features=transitions",), True, False),
        (("--features=all",), False, True),
        (("--features=edges",), False, True),
    ],
)
def test_edges_are_feedback_of_a_command_or_on_request(
    feedback: Callable[..., Feedback], session: Session, flags: tuple[str, ...], is_command: bool, are_feedback: bool
) -> None:
    watched = [counters for counters, _ in feedback(is_command, *flags).regions]
    assert any(counters is EDGES.counters for counters in watched) is are_feedback
    counted = session.edges.counts()
    assert counted is not None
    assert counted.all == 16, "they are counted in any case"


@pytest.mark.parametrize(("flags", "shown"), [((), 0), (("--features=steps",), 2)])
def test_suspicious_steps_are_feedback_on_request(
    feedback: Callable[..., Feedback], flags: tuple[str, ...], shown: int
) -> None:
    shows = feedback(False, *flags)
    shows.show_steps((0, 2))
    assert int(shows.counters.counters.sum()) == shown
