"""The report on a finding: Markdown that is ready to paste, in a folder that reproduces the finding anywhere.

The report has everything that maintainers want: a small SMT-LIB file, the exact command on a released solver, both
answers, a witness that can be checked by hand, the opinion of another solver, the scope, the releases that show it, and
a diagnosis. Nothing in it identifies this machine.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.execution.files import read_plain, write_folder
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.oracles import second_solver
from chcfuzz.oracles.verdict import Severity, Subject, VerdictKind, facts_of, headline_of
from chcfuzz.triage.buckets.buckets import Bucket, Member, bucketed
from chcfuzz.triage.buckets.cause import Cause, known_cause
from chcfuzz.triage.buckets.known_issues import Issue, known_as
from chcfuzz.triage.buckets.markdown import block, rendered, sentence
from chcfuzz.triage.buckets.traits import Traits, read_traits
from chcfuzz.triage.examine.runs import DEFAULT, MORE
from chcfuzz.triage.examine.signature import GIVEN_PLAIN, PLAIN
from chcfuzz.triage.findings import folder, smt_script
from chcfuzz.triage.findings.fix import PATCH, in_words
from chcfuzz.triage.findings.record import Finding, Record, Reduction
from chcfuzz.triage.reduce.condition import read_model

REPORT = "report.md"
WRONG_ANSWER, WRONG_MODEL = VerdictKind.WRONG_ANSWER.value, VerdictKind.WRONG_MODEL.value
_UNITS = ("recipe", "reduced-recipe")  # binary files, which do not contain paths
_WITNESSES = ("model.smt2", "refutation.smt2", "evidence.smt2")
_CONFIGURATIONS = (DEFAULT, PLAIN, GIVEN_PLAIN, f"{MORE} times the resource limit")
_OPPOSITE = {"sat": "unsat", "unsat": "sat"}

Query = Callable[[str], tuple[str, ...]]  # from a script to the answers of the second solver


class ReportError(ChcfuzzError):
    """A report that cannot be written; the message gives advice."""


@dataclass(frozen=True)
class _Subject:
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
        """Reduction of the finding, if it is reduced."""
        return self.finding.reduction

    @property
    def system(self) -> str:
        """Name of the file with the reported system."""
        return "mutant.smt2" if self.reduction is None else "reduced.smt2"

    @property
    def right(self) -> str | None:
        """The right answer, if the solver's answer is wrong."""
        if self.traits.kind != WRONG_ANSWER:
            return None
        return self.record.witness_for or _OPPOSITE[self.record.answer]

    @property
    def command(self) -> tuple[str, ...]:
        """Command line of the solver, if it is a command."""
        return folder.by_program((self.reduction or self.record).command)

    def file(self, name: str) -> Path:
        """Return the path of a file that belongs to the reported system."""
        return self.finding.folder / (name if self.reduction is None else f"reduced-{name}")


@dataclass(frozen=True)
class Checks:
    """Checks on the day of a report.

    `query` runs the second solver. `reruns` are runs of the finding in other releases or builds: the name of each, and
    its result.
    """

    query: Query = second_solver.answers
    reruns: tuple[tuple[str, str], ...] = ()


def write_report(
    where: Path, out: Path, issues: Sequence[Issue], checks: Checks | None = None, siblings: Sequence[Path] = ()
) -> Path:
    """Write the report on the finding in a folder into a new folder, with all files that show it; return its path.

    `siblings` are the folders of other findings of its bucket. Raises `ReportError`, and `ChcfuzzError` for a finding
    that cannot be read.
    """
    if out.exists():
        raise ReportError(f"{str(out)!r} exists; remove it, or name another folder with --out")
    finding, traits = Finding.read(where), read_traits(where)
    found = _Subject(finding, traits, known_cause(finding, traits, [Finding.read(path) for path in siblings]))
    try:
        files = folder.portable(where)
        files[REPORT] = (report(found, issues, checks or Checks()) + "\n").encode()
        if found.cause.patch:
            files[PATCH] = found.cause.patch.encode()
        texts = {name: _without_paths(content, where) for name, content in files.items() if name not in _UNITS}
        write_folder(out, files | texts)
        (out / "show.sh").chmod(0o755)
    except OSError as error:
        raise ReportError(f"cannot write {str(out)!r}: {error.strerror}; name another folder with --out") from error
    return out / REPORT


def report(found: _Subject, issues: Sequence[Issue], checks: Checks) -> str:
    """Return the report as Markdown."""
    sections = (
        ("", _summary(found)),
        ("", _system(found)),
        ("To reproduce", _commands(found)),
        ("Why it is wrong", _witness(found)),
        ("Diagnosis", found.cause.diagnosis()),
        ("Introduced in", found.cause.introduction()),
        ("Candidate fix", found.cause.candidate()),
        ("How it was checked", _checked(found, checks)),
        ("Scope", _scope(found, issues)),
        ("How it was found", _chain(found)),
    )
    lines = [f"# {title(found)}"]
    for heading, content in sections:
        text = list(content)
        if text:
            lines += ["", *([f"## {heading}", ""] if heading else []), *text]
    return rendered(lines)


def title(found: _Subject) -> str:
    """Return the title: the solver, the symptom, the theories and parameters."""
    traits = found.traits
    if traits.kind == WRONG_ANSWER:
        symptom = f"{found.record.answer} instead of {found.right}"
    else:
        symptom = {WRONG_MODEL: "sat with a wrong model"}.get(traits.kind, _symptom(found))
    under = ", ".join(traits.parameters) or "default options"
    return f"{traits.solver}: {symptom} ({'+'.join(traits.shape.theories) or 'Bool'}, {under})"


def _symptom(found: _Subject) -> str:
    """Return the class of the evidence, after the headline of the kind where the class does not contain it."""
    kind, words = found.traits.kind, found.traits.witness
    if words == kind.replace("-", " "):
        return headline_of(kind).replace("-", " ")
    return f"{headline_of(kind)}, {words}" if facts_of(kind).severity is Severity.INTERPOLANT else words


def _summary(found: _Subject) -> Iterator[str]:
    """Yield answers, witness and cause, which are on the first screen, and the names of missing parts."""
    yield f"- Answer: {_short_answer(found)}, in {found.cause.observed}."
    yield f"- Witness: {_evidence_text(found)}."
    yield f"- Cause: {found.cause.summary()}."
    versions = found.cause.versions
    if found.cause.is_introduction_known and versions is not None:
        yield f"- Introduced in: {versions.first_bad}; {versions.last_good} is right."
    if found.cause.fix is not None:
        yield f"- Candidate fix: {in_words(found.cause.fix)[0]}, and makes {len(found.cause.fix.faults)} results wrong."
    if found.cause.missing:
        yield f"- Missing here: {'; '.join(found.cause.missing)}."


def _short_answer(found: _Subject) -> str:
    answer, kind = found.record.answer, found.traits.kind
    if found.right is not None:
        return f"`{answer}`; `{found.right}` is right"
    if kind == WRONG_MODEL:
        return "`sat`, with a wrong model"
    is_shown = facts_of(kind).subject in (Subject.ANSWER, Subject.PROOF, Subject.HISTORY)
    symptom = _symptom(found).removesuffix(f" {answer}")
    return f"`{answer}`, {symptom}" if is_shown else symptom


def _evidence_text(found: _Subject) -> str:
    text = (found.reduction.words if found.reduction else found.record.witness).rstrip(".")
    files = [found.file(name).name for name in _WITNESSES if found.file(name).is_file()]
    return f"{text} (`{files[0]}`)" if files else text


def _system(found: _Subject) -> Iterator[str]:
    if found.reduction is None:
        yield "This system is not reduced yet; `chcfuzz reduce` makes it smaller."
    elif not found.reduction.minimal:
        yield "The reduction was stopped early, so a smaller system may exist."
    else:
        yield "Reduced: the bug vanishes without any one clause, argument, term or constant, and with any simpler sort."
    yield from ("", *block("smt2", read_plain(found.finding.folder / found.system).decode()))


def _commands(found: _Subject) -> Iterator[str]:
    run = folder.run_of(found.system, found.command)
    if found.record.releases:
        yield from _commands_of_several(found)
        return
    install = [] if found.command else [f"pip install {shlex.quote(f'z3-solver=={found.traits.release}')}"]
    runs = [run if found.traits.kind != WRONG_MODEL else f"{run} -model"]
    if found.record.session:
        runs.append(folder.session_run_of(folder.by_program(found.record.session)))
    yield from block("sh", "\n".join([*install, *runs]))
    yield ""
    yield from _answers(found)


def _commands_of_several(found: _Subject) -> Iterator[str]:
    names = {path.name for path in found.finding.folder.iterdir()}
    several = folder.several(found.record, found.command)
    yield from block("sh", "\n".join(smt_script.commands(several, found.system, names)))
    yield ""
    yield from _answers(found)


def _answers(found: _Subject) -> Iterator[str]:
    answer = found.record.answer
    if found.right is not None:
        yield f"The solver answers `{answer}`; `{found.right}` is right."
    elif found.traits.kind == WRONG_MODEL:
        yield "The solver answers `sat`, and its model is wrong."
    else:
        yield f"Result: {_symptom(found)}."
    checkers = "all of these solvers" if found.record.releases else "Z3 and cvc5"
    yield f"`./show.sh` runs this in a virtual environment, and checks the evidence below with {checkers}."


def _witness(found: _Subject) -> Iterator[str]:
    evidence_text = found.reduction.words if found.reduction else found.record.witness
    model, refutation, evidence = (found.file(name) for name in _WITNESSES)
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
        yield from ("", *block("", read_plain(found.file("refutation")).decode()), "")
        yield "By hand: put the values of a step into its clause (counted from 0): its body holds, its head follows."
        yield f"`z3 {refutation.name}` checks whether the negation of each step is satisfiable; the answer is always"
        yield "`unsat`."
    elif evidence.is_file():
        yield f"The model of the solver: {evidence_text}."
        yield from ("", *block("smt2", read_model(evidence)), "")
        yield "By hand: put the definitions and these values into that clause: it is false."
        yield f"`z3 {evidence.name}` checks whether the negation of the clause is satisfiable under the model: `sat`,"
        yield "so the model is wrong."
    else:
        yield sentence(evidence_text)


def _witness_of_several(found: _Subject, words: str, model: Path, evidence: Path) -> Iterator[str]:
    """Yield the evidence about one of several SMT solvers."""
    if model.is_file():
        yield "Every assertion is true under these definitions, so the problem is satisfiable:"
        yield from ("", *block("smt2", read_model(model)), "")
        yield f"In `{model.name}`, the negation of each assertion is `unsat`."
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
        yield f"Answers under default options, before the reduction: {answers}."


def _checked(found: _Subject, checks: Checks) -> Iterator[str]:
    yield "`./show.sh` repeats the run and the checks of the witness with released solvers alone."
    for name, result in checks.reruns:
        yield f"Run again for this report in {name}: {result}."
    for name in _WITNESSES:
        script = found.file(name)
        if script.is_file():
            answers = checks.query(read_plain(script).decode())
            wanted = "sat" if name == "evidence.smt2" else "unsat"
            comment = ", as expected" if set(answers) == {wanted} else f"; `{wanted}` is expected"
            yield f"cvc5 on `{script.name}`: {', '.join(f'`{answer}`' for answer in answers) or 'nothing'}{comment}."
    solvers = found.record.releases
    others = [pair for pair in found.record.tried.items() if not (pair[0] in solvers or _is_configuration(pair[0]))]
    yield from (f"{name} answers `{answer}` on the system before its reduction." for name, answer in others)


def _is_configuration(name: str) -> bool:
    """Return whether a name in `tried` is a configuration of the solver under test, not another solver."""
    return name in _CONFIGURATIONS or ("=" in name and " " not in name)


def _scope(found: _Subject, issues: Sequence[Issue]) -> Iterator[str]:
    yield sentence(found.traits.standing)
    (bucket,) = bucketed([Member(found.traits)])
    for issue in known_as(bucket, issues):
        yield f"{'Known' if issue.sure else 'Possibly known'}: {issue.title} ({issue.url}): {issue.comment}."


def _chain(found: _Subject) -> Iterator[str]:
    steps = [step for step in found.record.chain if step.changed]
    if found.reduction is not None:
        needed = set(found.reduction.chain)
        steps = [step for step in steps if step.mutation in needed]
    if not steps:
        yield f"By chcfuzz {found.record.chcfuzz}, on an unchanged seed (`seed.smt2`)."
        return
    yield f"By chcfuzz {found.record.chcfuzz}: mutations that preserve the answer ({found.record.promise}) turned"
    yield "a seed (`seed.smt2`) into `mutant.smt2`:"
    yield ""
    yield from (f"{number}. {step.words} (`{step.mutation}`)" for number, step in enumerate(steps, 1))


def _without_paths(content: bytes, finding: Path) -> bytes:
    """Return the content without paths of this machine, which messages of a solver may contain."""
    for place, instead in ((finding.resolve(), b"."), (Path.cwd(), b"."), (Path.home(), b"~")):
        if place != Path(os.sep):
            content = content.replace(os.fsencode(place), instead)
    return content


def representative(name: str, buckets: Sequence[Bucket], folder: Path) -> Path:
    """Return the folder of the finding that represents the bucket with this name; raises `ReportError`.

    Only findings in `folder` are considered: other findings of the bucket may be from other machines.
    """
    bucket = next((bucket for bucket in buckets if bucket.name == name), None)
    if bucket is None:
        raise ReportError(f"neither a finding nor a bucket is called {name!r}; `chcfuzz triage` lists buckets")
    here = folders_of(bucket, folder)
    if not here:
        raise ReportError(f"{str(folder)!r} does not contain a finding of bucket {name!r}; name the folder of one")
    return here[0]


def folders_of(bucket: Bucket, folder: Path) -> list[Path]:
    """Return the findings of a bucket that are in a folder, the representative first."""
    found = [folder / traits.name for traits in bucket.by_size]
    return [path for path in found if (path / "record.json").is_file()]


def siblings_of(finding: Path, buckets: Sequence[Bucket], folder: Path) -> list[Path]:
    """Return the other findings in a folder that share a bucket with this one."""
    name = finding.resolve().name
    of = next((one for one in buckets if name in {member.traits.name for member in one.members}), None)
    return [] if of is None else [path for path in folders_of(of, folder) if path.name != name]
