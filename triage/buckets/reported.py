"""The finding of a report, and the sections of the report with commands and the witness."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.execution.domain import recorded_domain
from chcfuzz.execution.files import read_plain
from chcfuzz.grammar.printable import shortened
from chcfuzz.oracles.verdict import Severity, Subject, VerdictKind, facts_of, headline_of
from chcfuzz.solvers.command import FILE
from chcfuzz.triage.buckets.cause import Cause
from chcfuzz.triage.buckets.markdown import block, sentence
from chcfuzz.triage.buckets.traits import Traits
from chcfuzz.triage.examine.conclusion import Reproduction, first_showing
from chcfuzz.triage.examine.signature import without_numbers
from chcfuzz.triage.findings import folder
from chcfuzz.triage.findings.record import Finding, Record
from chcfuzz.triage.findings.reductions import Reduction
from chcfuzz.triage.findings.reproducing import in_words
from chcfuzz.triage.findings.shell import quoted
from chcfuzz.triage.reduce.condition import read_model

WRONG_ANSWER, WRONG_MODEL = VerdictKind.WRONG_ANSWER.value, VerdictKind.WRONG_MODEL.value
WRONG_RESULT = VerdictKind.WRONG_RESULT.value
STEP = "step.smt2"
WITNESSES = ("model.smt2", "refutation.smt2", "evidence.smt2", STEP)
_OPPOSITE = {"sat": "unsat", "unsat": "sat"}


@dataclass(frozen=True)
class ReportedFinding:
    """The finding of a report, with its traits and the known facts about its cause."""

    finding: Finding
    traits: Traits
    cause: Cause

    @property
    def record(self) -> Record:
        """Record of the finding."""
        return self.finding.record

    @property
    def reduction(self) -> Reduction | None:
        """Reduction of the reported system, if it is reduced."""
        return self.finding.smallest.reduction

    @property
    def system(self) -> str:
        """Name of the file with the reported system."""
        return self.finding.smallest.system

    @property
    def right(self) -> str | None:
        """The right answer, if the solver's answer is wrong."""
        if self.traits.kind != WRONG_ANSWER:
            return None
        return self.record.witness_for or _OPPOSITE.get(self.record.answer)

    @property
    def reproductions(self) -> Sequence[Reproduction]:
        """The runs of released solvers on the reported system, when the finding was confirmed or reduced."""
        return (self.reduction or self.record).reproductions

    @property
    def command(self) -> tuple[str, ...]:
        """Command line of the solver, if it is a command."""
        return folder.by_program((self.reduction or self.record).command)

    def file(self, name: str) -> Path:
        """Return the path of a file that belongs to the reported system."""
        return self.finding.smallest.path(name)


def symptom(found: ReportedFinding) -> str:
    """Return the class of the evidence, after the headline of the kind where the class does not contain it."""
    kind, words = found.traits.kind, with_name(found.traits.witness, found.record.fault)
    if words == kind.replace("-", " "):
        return headline_of(kind).replace("-", " ")
    has_headline = facts_of(kind).severity in (Severity.STEP, Severity.INTERPOLANT)
    return f"{headline_of(kind)}, {words}" if has_headline else words


def with_name(words: str, fault: str) -> str:
    """Return a class of a fault with the digits of the name before its colon, as in `tactic bv1-blast: it dies`."""
    name, colon, rest = words.partition(": ")
    own = fault.partition(": ")[0]
    return f"{own}{colon}{rest}" if colon and without_numbers(own) == name else words


def short_answer(found: ReportedFinding) -> str:
    """Return the solver's answer or the symptom, and the right answer if it is known."""
    answer, kind = found.record.answer, found.traits.kind
    if found.right is not None:
        return f"`{answer}`; `{found.right}` is right"
    if kind == WRONG_MODEL:
        return "`sat`, with a wrong model"
    if facts_of(kind).severity is Severity.STEP:
        is_right = {None: "", answer: ", which is right"}.get(found.record.expected, ", which contradicts its seed")
        return f"{symptom(found)}; it answers `{answer}`{is_right}"
    is_shown = facts_of(kind).subject in (Subject.ANSWER, Subject.OUTPUT, Subject.HISTORY)
    words = symptom(found).removesuffix(f" {answer}")
    return f"`{answer}`, {words}" if is_shown else words


def evidence_text(found: ReportedFinding) -> str:
    """Return the evidence in one line, with the file that has it."""
    text = shortened(found.reduction.words if found.reduction else found.record.witness).rstrip(".")
    files = [found.file(name).name for name in WITNESSES if found.file(name).is_file()]
    return f"{text} (`{files[0]}`)" if files else text


def command_of(found: ReportedFinding, solver: str) -> tuple[str, ...]:
    """Return the words that run the solver on the reported system; `solver` is the path of a released Z3.

    Empty without such a command: a build of Z3, and several solvers, run by a program of chcfuzz.
    """
    command = (found.reduction or found.record).command
    if command:
        return tuple(word.replace(FILE, found.system) for word in command)
    if not solver or found.record.is_of_build or found.record.releases:
        return ()
    return (solver, found.system, *(["-model"] if found.traits.kind == WRONG_MODEL else []))


def commands(found: ReportedFinding, output: str = "") -> Iterator[str]:
    """Yield the section with the exact commands, all that the solver prints, and the answers."""
    run = folder.run_of(found.system, found.command)
    if found.record.releases:
        yield from _commands_of_several(found)
        return
    is_build = found.record.is_of_build
    install = [] if found.command or is_build else [quoted(("pip", "install", f"z3-solver=={found.traits.release}"))]
    runs = [run if found.traits.kind != WRONG_MODEL else f"{run} -model"]
    if found.record.session:
        runs.append(folder.session_run_of(folder.by_program(found.record.session)))
    yield from block("sh", "\n".join([*install, *runs]))
    yield ""
    yield from _outputs(found, output)
    if is_build:
        yield f"`z3` is that of {found.cause.observed}, which may differ from the release."
    yield from _answers(found)


def _commands_of_several(found: ReportedFinding) -> Iterator[str]:
    names = {path.name for path in found.finding.folder.iterdir()}
    domain = recorded_domain(found.record.solving)
    commands = domain.commands(found.record, names, found.system, {found.system: found.command})
    yield from block("sh", "\n".join(commands))
    yield ""
    yield from _outputs(found)
    yield from _answers(found)


def _outputs(found: ReportedFinding, output: str = "") -> Iterator[str]:
    """Yield the whole output of a run that shows the finding, `output` if it was made for this report."""
    shown = first_showing(found.reproductions)
    if output:
        yield from ("Its whole output:", "", *block("", output), "")
    elif shown is not None:
        yield from (f"The whole output of `{quoted(shown.command)}`:", "", *block("", shown.output), "")
    if found.reproductions:
        yield sentence(in_words(found.reproductions))
        yield ""


def _answers(found: ReportedFinding) -> Iterator[str]:
    answer = found.record.answer
    if found.right is not None:
        yield f"The solver answers `{answer}`; `{found.right}` is right."
    elif found.traits.kind == WRONG_MODEL:
        yield "The solver answers `sat`, and its model is wrong."
    else:
        yield f"Result: {symptom(found)}."
    checkers = "all of these solvers" if found.record.releases else "Z3 and cvc5"
    is_checked = any(found.file(name).is_file() for name in WITNESSES)
    checks = f", and checks the evidence below with {checkers}" if is_checked else ""
    yield f"`./show.sh` runs this in a virtual environment{checks}."


def witness(found: ReportedFinding) -> Iterator[str]:
    """Yield the section with the witness, and how to check it by hand."""
    evidence_text = found.reduction.words if found.reduction else found.record.witness
    model, refutation, evidence, step = (found.file(name) for name in WITNESSES)
    if found.record.releases:
        yield from _witness_of_several(found, evidence_text, model, evidence)
        return
    if model.is_file():
        yield "Every clause holds under these definitions, so the system is satisfiable:"
        yield from ("", *block("smt2", read_model(model)), "")
        yield "By hand: replace the predicates by their definitions, and check that each clause is valid."
        yield f"`z3 {model.name}` checks for each clause whether its negation is satisfiable: always `unsat`."
    elif refutation.is_file():
        yield "These steps derive `false`, each from a clause and earlier facts:"
        text = recorded_domain(found.record.solving).refutation_text(read_plain(found.file("refutation")).decode())
        yield from ("", *block("", text), "")
        yield "By hand: put the values of a step into its clause (counted from 1): its body holds, its head follows."
        yield f"`z3 {refutation.name}` checks whether the negation of each step is satisfiable; the answer is always"
        yield "`unsat`."
    elif evidence.is_file():
        yield f"The model of the solver: {evidence_text}."
        yield from ("", *block("smt2", read_model(evidence)), "")
        yield "By hand: put the definitions and these values into that clause (counted from 1): it is false."
        yield f"`z3 {evidence.name}` checks whether the negation of the clause is satisfiable under the model: `sat`,"
        yield "so the model is wrong."
    elif step.is_file():
        yield sentence(evidence_text)
        yield ""
        yield f"`z3 {step.name}` repeats the judgement, which its first line explains; each answer is `unsat`."
    else:
        yield sentence(evidence_text)


def _witness_of_several(found: ReportedFinding, words: str, model: Path, evidence: Path) -> Iterator[str]:
    """Yield the evidence about one of several SMT solvers."""
    if model.is_file():
        yield "Every assertion is true under these definitions, so the problem is satisfiable:"
        yield from ("", *block("smt2", read_model(model)), "")
        yield f"In `{model.name}`, the negation of each assertion is `unsat`."
    elif evidence.is_file() and found.traits.kind == WRONG_RESULT:
        yield f"{sentence(words)} The comments name the answer of each check:"
        yield from ("", *block("smt2", read_plain(evidence).decode()), "")
    elif evidence.is_file():
        is_model = found.traits.kind == WRONG_MODEL
        yield f"The {'model' if is_model else 'interpolant'} of the solver: {words}."
        yield from ("", *block("smt2", read_model(evidence)), "")
        what = "negation of that assertion is `sat` under the model" if is_model else "condition that fails is `sat`"
        yield f"In `{evidence.name}`, the {what}."
    else:
        yield sentence(words)
    tried = found.record.tried.items()
    answers = ", ".join(f"{name} `{answer}`" for name, answer in tried if name in found.record.releases)
    if answers:
        yield f"Answers to `mutant.smt2` under default options: {answers}."
