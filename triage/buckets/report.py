"""The report on a finding: Markdown that is ready to paste, in a folder that reproduces the finding anywhere.

The report has everything that maintainers want: a small SMT-LIB file, the exact command on a released solver, both
answers, a witness that can be checked by hand, the opinion of another solver, the scope, the releases that show it, and
a diagnosis. Nothing in it identifies this machine.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.execution.files import read_plain, write_folder
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printable import printable
from chcfuzz.oracles import second_solver
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.triage.buckets.buckets import Bucket, Member, bucketed
from chcfuzz.triage.buckets.known_issues import Issue, known_as
from chcfuzz.triage.buckets.traits import Traits, read_traits
from chcfuzz.triage.examine.runs import DEFAULT, MORE
from chcfuzz.triage.examine.signature import GIVEN_PLAIN, PLAIN
from chcfuzz.triage.findings import folder, smt_script
from chcfuzz.triage.findings.location import Changes
from chcfuzz.triage.findings.record import Finding, Record, Reduction
from chcfuzz.triage.reduce.condition import read_model

REPORT = "report.md"
_BACKQUOTES, _TAG, _LINK = re.compile("`+"), re.compile(r"<(?=[A-Za-z/!?])"), re.compile(r"\]\(")
WRONG_ANSWER, WRONG_MODEL = VerdictKind.WRONG_ANSWER.value, VerdictKind.WRONG_MODEL.value
_UNITS = ("recipe", "reduced-recipe")  # binary files, which do not contain paths
_MAX_SITES, _MAX_CHANGES = 5, 10  # that a report names
_WITNESSES = ("model.smt2", "refutation.smt2", "evidence.smt2")
_CONFIGURATIONS = (DEFAULT, PLAIN, GIVEN_PLAIN, f"{MORE} times the resource limit")
_OPPOSITE = {"sat": "unsat", "unsat": "sat"}

Query = Callable[[str], tuple[str, ...]]  # from a script to the answers of the second solver


class ReportError(ChcfuzzError):
    """A report that cannot be written; the message gives advice."""


@dataclass(frozen=True)
class _Subject:
    """The finding of a report, with its traits."""

    finding: Finding
    traits: Traits

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


def write_report(where: Path, out: Path, issues: Sequence[Issue], query: Query = second_solver.answers) -> Path:
    """Write the report on the finding in a folder into a new folder, with all files that show it; return its path.

    `query` runs the second solver. Raises `ReportError`, and `ChcfuzzError` for a finding that cannot be read.
    """
    if out.exists():
        raise ReportError(f"{str(out)!r} exists; remove it, or name another folder with --out")
    found = _Subject(Finding.read(where), read_traits(where))
    try:
        files = folder.portable(where)
        files[REPORT] = (report(found, issues, query) + "\n").encode()
        texts = {name: _without_paths(content, where) for name, content in files.items() if name not in _UNITS}
        write_folder(out, files | texts)
        (out / "show.sh").chmod(0o755)
    except OSError as error:
        raise ReportError(f"cannot write {str(out)!r}: {error.strerror}; name another folder with --out") from error
    return out / REPORT


def report(found: _Subject, issues: Sequence[Issue], query: Query) -> str:
    """Return the report as Markdown."""
    sections = (
        ("", _system(found)),
        ("To reproduce", _commands(found)),
        ("Why it is wrong", _witness(found)),
        ("Another solver", _second_solver(found, query)),
        ("Scope", _scope(found, issues)),
        ("Versions", _versions(found)),
        ("Location", _location(found)),
        ("How it was found", _chain(found)),
    )
    lines = [f"# {title(found)}"]
    for heading, content in sections:
        text = list(content)
        if text:
            lines += ["", *([f"## {heading}", ""] if heading else []), *text]
    return "\n".join(printable(line) if isinstance(line, _CodeLine) else _inline(line) for line in lines)


class _CodeLine(str):
    """A line of a code block, which Markdown does not interpret."""

    __slots__ = ()


def _inline(line: str) -> str:
    """Return a line in which names from a system are neither HTML nor links, and do not begin a line."""
    return _LINK.sub(r"]\\(", _TAG.sub(r"\\<", printable(line)))


def title(found: _Subject) -> str:
    """Return the title: the solver, the symptom, the theories and parameters."""
    traits = found.traits
    if traits.kind == WRONG_ANSWER:
        symptom = f"{found.record.answer} instead of {found.right}"
    else:
        symptom = {WRONG_MODEL: "sat with a wrong model"}.get(traits.kind, traits.witness)
    under = ", ".join(traits.parameters) or "default options"
    return f"{traits.solver}: {symptom} ({'+'.join(traits.shape.theories) or 'Bool'}, {under})"


def _system(found: _Subject) -> Iterator[str]:
    if found.reduction is None:
        yield "This system is not reduced yet; `chcfuzz reduce` makes it smaller."
    elif not found.reduction.minimal:
        yield "The reduction was stopped early, so a smaller system may exist."
    else:
        yield "Reduced: the bug vanishes without any one clause, argument, term or constant, and with any simpler sort."
    yield from ("", *_block("smt2", read_plain(found.finding.folder / found.system).decode()))


def _commands(found: _Subject) -> Iterator[str]:
    run = folder.run_of(found.system, found.command)
    if found.record.releases:
        yield from _commands_of_several(found)
        return
    install = [] if found.command else [f"pip install {shlex.quote(f'z3-solver=={found.traits.release}')}"]
    runs = [run if found.traits.kind != WRONG_MODEL else f"{run} -model"]
    if found.record.session:
        runs.append(folder.session_run_of(folder.by_program(found.record.session)))
    yield from _block("sh", "\n".join([*install, *runs]))
    yield ""
    yield from _answers(found)


def _commands_of_several(found: _Subject) -> Iterator[str]:
    solvers = found.record.releases
    runs = [smt_script.run_of(found.system, name, is_tested=not n) for n, name in enumerate(solvers)]
    yield from _block("sh", "\n".join([shlex.join(("pip", "install", *smt_script.requirements(solvers))), *runs]))
    yield ""
    yield from _answers(found)


def _answers(found: _Subject) -> Iterator[str]:
    answer = found.record.answer
    if found.right is not None:
        yield f"The solver answers `{answer}`; `{found.right}` is right."
    elif found.traits.kind == WRONG_MODEL:
        yield "The solver answers `sat`, and its model is wrong."
    else:
        yield f"Result: {found.traits.witness}."
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
        yield from ("", *_block("smt2", read_model(model)), "")
        yield "By hand: replace the predicates by their definitions, and check that each clause is valid."
        yield f"`z3 {model.name}` checks for each clause whether its negation is satisfiable: always `unsat`."
    elif refutation.is_file():
        yield "These steps derive `false`, each from a clause and earlier facts:"
        yield from ("", *_block("", read_plain(found.file("refutation")).decode()), "")
        yield "By hand: put the values of a step into its clause (counted from 0): its body holds, its head follows."
        yield f"`z3 {refutation.name}` checks whether the negation of each step is satisfiable; the answer is always"
        yield "`unsat`."
    elif evidence.is_file():
        yield f"The model of the solver: {evidence_text}."
        yield from ("", *_block("smt2", read_model(evidence)), "")
        yield "By hand: put the definitions and these values into that clause: it is false."
        yield f"`z3 {evidence.name}` checks whether the negation of the clause is satisfiable under the model: `sat`,"
        yield "so the model is wrong."
    else:
        yield f"{evidence_text[:1].upper()}{evidence_text[1:]}."


def _witness_of_several(found: _Subject, words: str, model: Path, evidence: Path) -> Iterator[str]:
    """Yield the evidence about one of several SMT solvers."""
    if model.is_file():
        yield "Every assertion is true under these definitions, so the problem is satisfiable:"
        yield from ("", *_block("smt2", read_model(model)), "")
        yield f"In `{model.name}`, the negation of each assertion is `unsat`."
    elif evidence.is_file():
        yield f"The model of the solver: {words}."
        yield from ("", *_block("smt2", read_model(evidence)), "")
        yield f"In `{evidence.name}`, the negation of that assertion is `sat` under the model."
    else:
        yield f"{words[:1].upper()}{words[1:]}."
    tried = found.record.tried.items()
    answers = ", ".join(f"{name} `{answer}`" for name, answer in tried if name in found.record.releases)
    if answers:
        yield f"Answers under default options, before the reduction: {answers}."


def _second_solver(found: _Subject, query: Query) -> Iterator[str]:
    for name in _WITNESSES:
        script = found.file(name)
        if script.is_file():
            answers = query(read_plain(script).decode())
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
    yield f"{found.traits.standing[:1].upper()}{found.traits.standing[1:]}."
    (bucket,) = bucketed([Member(found.traits)])
    for issue in known_as(bucket, issues):
        yield f"{'Known' if issue.sure else 'Possibly known'}: {issue.title} ({issue.url}): {issue.comment}."


def _versions(found: _Subject) -> Iterator[str]:
    package = "z3-solver" if not found.record.releases else found.traits.solver
    yield f"Observed in {package} {found.traits.release}."
    versions = found.finding.location.versions if found.finding.location else None
    if versions is None:
        return
    for label, release in (
        ("Last good release before it", versions.last_good),
        ("First bad release", versions.first_bad),
        ("First good release after it", versions.first_good),
    ):
        if release is not None:
            yield f"{label}: {release}."
    yield from ("", *_table(("release", "result"), versions.asked))


def _location(found: _Subject) -> Iterator[str]:
    where = found.finding.location
    cures = tuple(pair for pair in found.traits.cures if "=" in pair)
    if where is None:
        if cures:
            yield f"Right with each of {_listed(cures)} alone, for the system before its reduction."
        return
    if where.vanishes:
        yield f"- The bug vanishes with each of {_assignments(where.vanishes)} alone."
    if where.appears:
        yield f"- The bug appears with each of {_assignments(where.appears)} alone."
    if where.step is not None:
        yield f"- The bug first appears after step {where.step.number} of the chain: {where.step.row}."
    if where.event is not None:
        failing, passing = where.event.failing or "its end", where.event.passing or "its end"
        yield f"- At event {where.event.index}, the failing run has `{failing}` and a passing one has `{passing}`."
    for site in where.sites[:_MAX_SITES]:
        yield f"- Suspicious ({site.score:.2f}; {site.failing} failing, {site.passing} passing runs): `{site.where}`"
    if where.assertion is not None:
        yield f"- Failed assertion in a debug build: `{where.assertion}`"


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


def _block(language: str, text: str) -> Iterator[str]:
    """Yield a code block, whose fence is longer than any run of backquotes inside."""
    fence = "`" * max(3, 1 + max(map(len, _BACKQUOTES.findall(text)), default=0))
    lines = (f"{fence}{language}", *text.rstrip("\n").split("\n"), fence)
    yield from map(_CodeLine, lines)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if rows:
        yield from (f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))


def _assignments(changes: Changes) -> str:
    return _listed([f"{name}={value}" for name, value in changes])


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:_MAX_CHANGES])
    return shown + (f" and {len(names) - _MAX_CHANGES} more" if len(names) > _MAX_CHANGES else "")


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
    here = [member.traits for member in bucket.members if (folder / member.traits.name / "record.json").is_file()]
    if not here:
        raise ReportError(f"{str(folder)!r} does not contain a finding of bucket {name!r}; name the folder of one")
    (chosen,) = bucketed(Member(traits) for traits in here)
    return folder / chosen.representative.name
