"""The verdict on an answer, and its witness, in sentences for people who never fuzz."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chcfuzz.execution.domain import recorded_domain
from chcfuzz.execution.reports import RunReport
from chcfuzz.grammar.printable import shortened
from chcfuzz.oracles.verdict import VerdictKind, headline_of
from chcfuzz.solvers.outcome import OPPOSITE, Status
from chcfuzz.triage.examine.conclusion import Conclusion, End, Witness

_MOST_LINES = 20  # of a witness
_WRONG_ANSWER = VerdictKind.WRONG_ANSWER.value


@dataclass(frozen=True)
class RunVerdict:
    """An execution of the solver with this key, and the conclusion of its examination, if there was one.

    `is_doubt`: only the lack of a witness was the reason for the examination. `solving` are the flags of the solver.
    """

    solver: str
    report: RunReport
    conclusion: Conclusion | None = None
    is_doubt: bool = False
    solving: tuple[str, ...] = ()

    def concluded(self, conclusion: Conclusion, is_doubt: bool = False) -> RunVerdict:
        """Return the execution with the conclusion of its examination."""
        return replace(self, conclusion=conclusion, is_doubt=is_doubt)


def sentences(judged: RunVerdict) -> list[str]:
    """Return the verdict on an execution and its witness, a sentence in a line."""
    name = judged.solver.rpartition(" ")[0] or judged.solver  # without the digits of the build
    report = judged.report
    if report.status == Status.CRASH.value:
        answer = f"{name} died ({report.reason})."
    else:
        answer = f"{name} answers {report.status}{f' ({shortened(report.reason)})' if report.reason else ''}."
    if judged.conclusion is None:
        return [answer, without_examination(report)]
    return [answer, *_concluded(judged, judged.conclusion)]


def is_settled(report: RunReport) -> bool:
    """Return whether an execution is judged without an examination: nothing contradicts a checked or missing answer."""
    kinds = [VerdictKind(verdict.kind) for verdict in report.verdicts]
    is_undecided = not Status(report.status).is_decided
    return not any(kind.is_finding for kind in kinds) and (is_undecided or report.is_checked)


def without_examination(report: RunReport) -> str:
    """Return the verdict on an execution as its oracles gave it, in a sentence."""
    for verdict in report.faults:
        return f"This is a {headline_of(verdict.kind)}: {shortened(verdict.detail)}."
    if report.is_checked:
        right = "That is right"
        if any(verdict.kind == _WRONG_ANSWER for verdict in report.verdicts):
            right = "That is right, and the status that is promised is wrong"
        is_sat = report.status == Status.SAT.value
        return f"{right}: {'its model' if is_sat else 'each step of its derivation'} was checked."
    if Status(report.status).is_answered:
        return "Nothing contradicts this answer."
    return "That is no answer, so nothing can be wrong with it."


def _concluded(judged: RunVerdict, conclusion: Conclusion) -> list[str]:
    words = shortened(conclusion.words)
    match conclusion.end:
        case End.CONFIRMED if conclusion.kind == _WRONG_ANSWER and conclusion.witness is not None:
            right = f"That is wrong. The right answer is {conclusion.witness.status.value}: {words}."
            return [right, *_shown(conclusion.witness, judged)]
        case End.CONFIRMED:
            return [f"This is a {headline_of(conclusion.kind)}: {words}."]
        case End.SEED if conclusion.seed is not None:
            return [f"That is right, and the status that the file declares is wrong: {words}."]
        case End.OTHERS if conclusion.against is not None:
            return [f"That is right: {conclusion.against.words}.", *_shown(conclusion.against, judged)]
        case End.CONTRADICTION if conclusion.against is not None:
            others = _others_wrong(conclusion.signature.between, conclusion.against.status)
            return [f"That is right: {conclusion.against.words}.", *_shown(conclusion.against, judged), *others]
        case End.CONTRADICTION if judged.is_doubt:
            return [f"{_agreement(judged.report)} no witness was found that proves it or the opposite one."]
    return [f"{words[:1].upper()}{words[1:]}."]


def _others_wrong(names: Sequence[str], right: Status) -> list[str]:
    """Return a sentence on each other solver that gives the opposite of the right answer."""
    return [f"{name} answers {OPPOSITE[right].value}, which is wrong." for name in names]


def _agreement(report: RunReport) -> str:
    """Return the beginning of a sentence that names the solvers with the same answer."""
    alike = [name for name, status in (report.others or {}).items() if status == report.status]
    if not alike:
        return "Nothing contradicts this answer, and"
    return (
        f"Nothing contradicts this answer, {' and '.join(alike)} {'gives' if len(alike) == 1 else 'give'} it, too, and"
    )


def _shown(witness: Witness, judged: RunVerdict) -> list[str]:
    """Return the text of a witness, cut where it is long."""
    text = witness.text
    if witness.status is Status.UNSAT:
        text = recorded_domain(judged.solving).refutation_text(text)
    lines = [line for line in text.strip().splitlines() if not line.startswith(";")]
    cut = ["..."] if len(lines) > _MOST_LINES else []
    return [f"  {line}" for line in (*lines[:_MOST_LINES], *cut)]
