"""Messages of the confirming process are read among the output of a solver."""

import pytest
from chcfuzz.execution.reports import RunReport, UnitReport, VerdictReport
from chcfuzz.solvers.outcome import Status
from chcfuzz.triage.examine.conclusion import Conclusion, End, SessionReport, Witness
from chcfuzz.triage.examine.messages import Began, Concluded, Described, Finished, Message, Reported, line, messages
from chcfuzz.triage.examine.signature import Signature

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
    Reported(RunReport(run="given", status="unsat", verdicts=(VerdictReport("model", "pass", evidence="x"),))),
    Finished("given"),
    Concluded(CONCLUSION),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_a_message_is_read_as_it_was_sent(message: Message) -> None:
    assert list(messages(line(message) + "\n")) == [message]


@pytest.mark.parametrize("noise", ["", "sat", "{", "{}", '{"type": "another"}', '{"type": "began"}', "[" * 9, "{\xff}"])
def test_the_output_of_a_solver_is_ignored(noise: str) -> None:
    output = "\n".join(f"{noise}\n{line(message)}" for message in MESSAGES)
    assert list(messages(output)) == MESSAGES
