"""`chcfuzz report`: a finding as maintainers want it, ready to paste, beside a folder that shows it anywhere.

What they ask for: a small SMT-LIB file, the exact command on a released solver, both answers, a witness that can be
checked by hand, another solver's word, how far it is in scope, since when it is so, and a diagnosis. Nothing in it
names this machine.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chcfuzz.execution.files import write_folder
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printable import printable
from chcfuzz.oracles import second_solver
from chcfuzz.triage.buckets.buckets import Bucket, Member, bucketed
from chcfuzz.triage.buckets.known_issues import Issue, known_as
from chcfuzz.triage.buckets.traits import Traits, read_traits
from chcfuzz.triage.examine.runs import DEFAULT, GIVEN_PLAIN, MORE, PLAIN
from chcfuzz.triage.findings import folder
from chcfuzz.triage.findings.location import Location, read_location
from chcfuzz.triage.findings.store import record_of
from chcfuzz.triage.reduce.condition import WRONG_ANSWER, WRONG_MODEL, read_model
from chcfuzz.triage.reduce.reduction import reduced_record

REPORT = "report.md"
_BACKQUOTES, _TAG, _LINK = re.compile("`+"), re.compile(r"<(?=[A-Za-z/!?])"), re.compile(r"\]\(")
_UNITS = ("recipe", "reduced-recipe")  # bytes, which no place stands in
_MOST_SITES, _MOST_CHANGES = 5, 10  # that a report names
_WITNESSES = ("model.smt2", "refutation.smt2", "evidence.smt2")
_SETTINGS = (DEFAULT, PLAIN, GIVEN_PLAIN, f"{MORE} times the resource limit")
_OPPOSITE = {"sat": "unsat", "unsat": "sat"}

Asked = Callable[[str], tuple[str, ...]]  # a script to what the second solver answers


class ReportError(ChcfuzzError):
    """A report that cannot be written; the text says what to do."""


@dataclass(frozen=True)
class _Finding:
    """All that is known of one. `prefix` is what its reduced files begin with, "" where it is not reduced."""

    path: Path
    traits: Traits
    record: Mapping[str, Any]
    reduced: Mapping[str, Any] | None
    location: Location | None

    @property
    def prefix(self) -> str:
        return "" if self.reduced is None else "reduced-"

    @property
    def system(self) -> str:
        return "mutant.smt2" if self.reduced is None else "reduced.smt2"

    @property
    def right(self) -> str | None:
        """The right answer, where that is another one than the solver's."""
        if self.traits.kind != WRONG_ANSWER:
            return None
        return self.record["witness_for"] or _OPPOSITE[self.record["answer"]]

    @property
    def command(self) -> tuple[str, ...]:
        """The solver's, where it is one."""
        return folder.by_program((self.reduced or self.record)["command"])

    def witness(self, name: str) -> Path:
        """A file beside the system that is reported."""
        return self.path / f"{self.prefix}{name}"


def write_report(finding: Path, out: Path, issues: Sequence[Issue], asked: Asked = second_solver.answers) -> Path:
    """Write the report on a finding into a new folder, with all files that show it; the report's path.

    `asked` is the second solver. Raises `ReportError`, and `ChcfuzzError` for a finding that cannot be read.
    """
    if out.exists():
        raise ReportError(f"{str(out)!r} is there already; remove it, or name another folder with --out")
    found = _Finding(finding, read_traits(finding), record_of(finding), reduced_record(finding), read_location(finding))
    try:
        files = folder.portable(finding)
        files[REPORT] = (report(found, issues, asked) + "\n").encode()
        texts = {name: _without_places(content, finding) for name, content in files.items() if name not in _UNITS}
        write_folder(out, files | texts)
        (out / "show.sh").chmod(0o755)
    except OSError as error:
        raise ReportError(f"cannot write {str(out)!r}: {error.strerror}; name another folder with --out") from error
    return out / REPORT


def report(found: _Finding, issues: Sequence[Issue], asked: Asked) -> str:
    """The report as Markdown."""
    sections = (
        ("", _system(found)),
        ("To see it", _commands(found)),
        ("Why it is wrong", _witness(found)),
        ("What another solver says", _second_solver(found, asked)),
        ("Scope", _scope(found, issues)),
        ("Versions", _versions(found)),
        ("Where it comes from", _location(found)),
        ("How it was found", _chain(found)),
    )
    lines = [f"# {title(found)}"]
    for heading, content in sections:
        text = list(content)
        if text:
            lines += ["", *([f"## {heading}", ""] if heading else []), *text]
    return "\n".join(printable(line) if isinstance(line, _CodeLine) else _inline(line) for line in lines)


class _CodeLine(str):
    """A line of a code block, where Markdown has no meaning."""

    __slots__ = ()


def _inline(line: str) -> str:
    """Return a line in which names from a system are neither HTML nor links, and begin no line of their own."""
    return _LINK.sub(r"]\\(", _TAG.sub(r"\\<", printable(line)))


def title(found: _Finding) -> str:
    """A line: the solver, what it does wrong, on what."""
    traits = found.traits
    if traits.kind == WRONG_ANSWER:
        what = f"{found.record['answer']} instead of {found.right}"
    else:
        what = {WRONG_MODEL: "sat with a wrong model"}.get(traits.kind, traits.witness)
    under = ", ".join(traits.parameters) or "default options"
    return f"{traits.solver}: {what} ({'+'.join(traits.shape.theories) or 'Bool'}, {under})"


def _system(found: _Finding) -> Iterator[str]:
    if found.reduced is None:
        yield "Not reduced yet: `chcfuzz reduce` makes it smaller."
    elif not found.reduced["minimal"]:
        yield "The reduction was stopped before its end, so it may get smaller."
    else:
        yield "Reduced: no clause, argument, term or constant can go, and no sort be simpler, without losing it."
    yield from ("", *_block("smt2", (found.path / found.system).read_text()))


def _commands(found: _Finding) -> Iterator[str]:
    run = folder.run_of(found.system, found.command)
    install = [] if found.command else [f"pip install z3-solver=={found.traits.release}"]
    runs = [run if found.traits.kind != WRONG_MODEL else f"{run} -model"]
    if found.record.get("session"):
        runs.append(folder.session_run_of(folder.by_program(found.record["session"])))
    yield from _block("sh", "\n".join([*install, *runs]))
    yield ""
    answer = found.record["answer"]
    if found.right is not None:
        yield f"It answers `{answer}`; `{found.right}` is right."
    elif found.traits.kind == WRONG_MODEL:
        yield "It answers `sat`, and the model that it gives is wrong."
    else:
        yield f"What it does: {found.traits.witness}."
    yield "`./show.sh` does this in a virtual environment of its own, and checks what follows with Z3 and cvc5."


def _witness(found: _Finding) -> Iterator[str]:
    words = found.reduced["words"] if found.reduced else found.record["witness"]
    model, refutation, evidence = (found.witness(name) for name in _WITNESSES)
    if model.is_file():
        yield "With these definitions every clause holds, so the system is satisfiable:"
        yield from ("", *_block("smt2", read_model(model)), "")
        yield f"By hand: put them in the place of the predicates, and see that each clause is valid. `z3 {model.name}`"
        yield "asks for each clause whether its negation is satisfiable: `unsat` each time."
    elif refutation.is_file():
        yield "These steps derive `false`, each from a clause and facts that were derived before:"
        yield from ("", *_block("", found.witness("refutation").read_text()), "")
        yield "By hand: put a step's values into its clause (counted from 0): its body holds, its head is the fact."
        yield f"`z3 {refutation.name}` asks for each step whether its negation is satisfiable: `unsat` each time."
    elif evidence.is_file():
        yield f"The model that it gives: {words}."
        yield from ("", *_block("smt2", read_model(evidence)), "")
        yield f"By hand: put the definitions and these values into that clause: it is false. `z3 {evidence.name}` asks"
        yield "whether the clause's negation is satisfiable under the model: `sat`, so the model is wrong."
    else:
        yield f"{words[:1].upper()}{words[1:]}."


def _second_solver(found: _Finding, asked: Asked) -> Iterator[str]:
    for name in _WITNESSES:
        script = found.witness(name)
        if script.is_file():
            said = asked(script.read_text())
            wanted = "sat" if name == "evidence.smt2" else "unsat"
            agrees = ", as it has to be" if set(said) == {wanted} else f"; `{wanted}` is expected"
            yield f"cvc5 on `{script.name}`: {', '.join(f'`{answer}`' for answer in said) or 'nothing'}{agrees}."
    others = [(name, said) for name, said in found.record["tried"].items() if not _is_setting(name)]
    yield from (f"{name} answers `{said}` to the system before it was reduced." for name, said in others)


def _is_setting(name: str) -> bool:
    """Whether what was tried is the solver itself under other parameters, not another solver."""
    return name in _SETTINGS or ("=" in name and " " not in name)


def _scope(found: _Finding, issues: Sequence[Issue]) -> Iterator[str]:
    yield f"{found.traits.standing[:1].upper()}{found.traits.standing[1:]}."
    (bucket,) = bucketed([Member(found.traits)])
    for issue in known_as(bucket, issues):
        yield f"{'Known' if issue.sure else 'It may be known'}: {issue.title} ({issue.url}): {issue.said}."


def _versions(found: _Finding) -> Iterator[str]:
    yield f"Seen in z3-solver {found.traits.release}."
    versions = found.location.versions if found.location else None
    if versions is None:
        return
    for words, release in (
        ("The last release before it without it", versions.last_good),
        ("The first with it", versions.first_bad),
        ("The first after it without it", versions.first_good),
    ):
        if release is not None:
            yield f"{words}: {release}."
    yield from ("", *_table(("release", "shows it"), versions.asked))


def _location(found: _Finding) -> Iterator[str]:
    where = found.location
    cures = tuple(pair for pair in found.traits.cures if "=" in pair)
    if where is None:
        if cures:
            yield f"Right with {_listed(cures)}: of each alone that is known, for the system before it was reduced."
        return
    if where.vanishes:
        yield f"- It vanishes with {_listed([f'{name}={value}' for name, value in where.vanishes])}, each alone."
    if where.appears:
        yield f"- It needs no more than {_listed([f'{name}={value}' for name, value in where.appears])}, each alone."
    if where.step is not None:
        yield f"- It shows first after step {where.step.number} of the chain: {where.step.row}."
    if where.event is not None:
        failing, passing = where.event.failing or "its end", where.event.passing or "its end"
        yield f"- At event {where.event.index} the failing run has `{failing}`, and a passing one `{passing}`."
    for site in where.sites[:_MOST_SITES]:
        yield f"- Suspicious ({site.score:.2f}; {site.failing} failing, {site.passing} passing runs): `{site.where}`"
    if where.assertion is not None:
        yield f"- A debug build says: `{where.assertion}`"


def _chain(found: _Finding) -> Iterator[str]:
    steps = [step for step in found.record["chain"] if step["changed"]]
    if found.reduced is not None:
        needed = set(found.reduced["chain"])
        steps = [step for step in steps if step["mutation"] in needed]
    if not steps:
        yield f"By chcfuzz {found.record['chcfuzz']}, on a seed as it is (`seed.smt2`)."
        return
    yield f"By chcfuzz {found.record['chcfuzz']}: a seed (`seed.smt2`) was changed in ways that keep its answer"
    yield f"({found.record['promise']}) into `mutant.smt2`:"
    yield ""
    yield from (f"{number}. {step['words']} (`{step['mutation']}`)" for number, step in enumerate(steps, 1))


def _block(language: str, text: str) -> Iterator[str]:
    """Yield a code block, whose fence is longer than any run of backquotes inside."""
    fence = "`" * max(3, 1 + max(map(len, _BACKQUOTES.findall(text)), default=0))
    lines = (f"{fence}{language}", *text.rstrip("\n").split("\n"), fence)
    yield from map(_CodeLine, lines)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if rows:
        yield from (f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))


def _listed(words: Sequence[str]) -> str:
    shown = ", ".join(f"`{word}`" for word in words[:_MOST_CHANGES])
    return shown + (f" and {len(words) - _MOST_CHANGES} more" if len(words) > _MOST_CHANGES else "")


def _without_places(content: bytes, finding: Path) -> bytes:
    """The content without folders of this machine, which a solver's message may name."""
    for place, instead in ((finding.resolve(), b"."), (Path.cwd(), b"."), (Path.home(), b"~")):
        if place != Path(os.sep):
            content = content.replace(os.fsencode(place), instead)
    return content


def representative(name: str, buckets: Sequence[Bucket], beside: Path) -> Path:
    """The folder of the finding that represents the bucket with this name; raises `ReportError`.

    The findings lie in the folder `beside`, as far as they are of this machine.
    """
    bucket = next((bucket for bucket in buckets if bucket.name == name), None)
    if bucket is None:
        raise ReportError(f"no finding and no bucket {name!r}; `chcfuzz triage` lists buckets")
    here = [member.traits for member in bucket.members if (beside / member.traits.name / "record.json").is_file()]
    if not here:
        raise ReportError(f"no finding of bucket {name!r} lies in {str(beside)!r}; name the folder of one")
    (chosen,) = bucketed(Member(traits) for traits in here)
    return beside / chosen.representative.name
