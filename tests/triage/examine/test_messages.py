"""Messages of the confirming process are received as they were sent."""

import socket

from chcfuzz.execution.channel import Channel
from chcfuzz.execution.reports import RunReport, UnitReport, VerdictReport
from chcfuzz.solvers.outcome import Status
from chcfuzz.triage.examine.conclusion import Conclusion, End, SessionReport, Witness
from chcfuzz.triage.examine.messages import Began, Concluded, Described, Message, RunFinished, RunReported
from chcfuzz.triage.examine.signature import Signature

from tests.targets import SAFETY_NET

WITNESS = Witness(Status.SAT, "a model", "(define-fun p () Bool true)", "(check-sat)", ("unsat",))
SESSION = SessionReport(("solver", "-in"), False, (("(check-sat)", ("-t:5",)),))
SIGNATURE = Signature("wrong-answer", True, "unsat", cures=("transforms off",))
CONCLUSION = Conclusion(
    End.CONFIRMED,
    "wrong-answer",
    "a model holds",
    b"\xffunit",
    SIGNATURE,
    witness=WITNESS,
    statuses=("sat", "unsat"),
    tried={"transforms off": "sat"},
    session=SESSION,
)
MESSAGES: list[Message] = [
    Described(UnitReport("5.4.0.0", "seed", "mutant", "system", (("a", "b"),), "equivalent", None, ()), None),
    Began("given", b"\xffunit"),
    RunReported(RunReport(run="given", status="unsat", verdicts=(VerdictReport("model", "pass", evidence="x"),))),
    RunFinished("given"),
    Concluded(CONCLUSION),
]


def test_messages_are_received_as_they_were_sent() -> None:
    parent, child = socket.socketpair()
    sender, receiver = Channel(child), Channel(parent)
    for message in MESSAGES:
        sender.send(message)
    sender.close()
    received: list[Message] = receiver.receive_all(Message, SAFETY_NET)  # type: ignore[arg-type]
    receiver.close()
    assert received == MESSAGES


def test_a_message_that_a_death_has_cut_is_ignored() -> None:
    parent, child = socket.socketpair()
    receiver = Channel(parent)
    child.sendall(b'{"type":"finished","run":"given"}\n{"type":"fini')
    child.close()
    assert receiver.receive(RunFinished) == RunFinished("given")
    assert receiver.receive(RunFinished) is None
    receiver.close()
