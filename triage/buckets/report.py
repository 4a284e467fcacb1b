"""The report on a finding: Markdown that is ready to paste, in a folder that reproduces the finding anywhere.

The report has everything that maintainers want: a small SMT-LIB file, the exact command on a released solver, both
answers, a witness that can be checked by hand, the opinion of another solver, the scope, the releases that show it, and
a diagnosis. Nothing in it identifies this machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chcfuzz.execution.files import read_plain, see_folder, write_folder
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printable import shortened
from chcfuzz.oracles import second_solver
from chcfuzz.triage.buckets.buckets import Bucket, Member, bucketed
from chcfuzz.triage.buckets.cause import known_cause
from chcfuzz.triage.buckets.known_issues import Issue, known_as
from chcfuzz.triage.buckets.markdown import block, rendered, sentence
from chcfuzz.triage.buckets.reported import (
    WITNESSES,
    WRONG_ANSWER,
    WRONG_MODEL,
    ReportedFinding,
    commands,
    evidence_text,
    short_answer,
    symptom,
    witness,
)
from chcfuzz.triage.buckets.traits import read_traits
from chcfuzz.triage.examine.finding_scope import LIKE_PREPROCESSING
from chcfuzz.triage.examine.runs import DEFAULT, MORE
from chcfuzz.triage.examine.signature import GIVEN_PLAIN, PLAIN
from chcfuzz.triage.findings import folder
from chcfuzz.triage.findings.fix import PATCH, in_words
from chcfuzz.triage.findings.record import RECIPE, Finding
from chcfuzz.triage.findings.reductions import STEMS, Reduction, prefix_of
from chcfuzz.triage.shrink.result import Mode

REPORT = "report.md"
_UNITS = frozenset(prefix_of(stem) + RECIPE for stem in ("", *STEMS.values()))  # binary, so without paths
_CONFIGURATIONS = (DEFAULT, PLAIN, GIVEN_PLAIN, f"{MORE} times the resource limit")

Query = Callable[[str], tuple[str, ...]]  # from a script to the answers of the second solver


class ReportError(ChcfuzzError):
    """A report that cannot be written; the message gives advice."""


@dataclass(frozen=True)
class ReportChecks:
    """Checks on the day of a report.

    `query` runs the second solver. `reruns` are runs of the finding in other releases or builds: the name of each, and
    its result. `output` is all that the command of the report prints; empty if it was not run.
    """

    query: Query = second_solver.answers
    reruns: tuple[tuple[str, str], ...] = ()
    output: str = ""


def check_new(out: Path) -> None:
    """Raise `ReportError` for a folder that exists, and `UsageError` where it cannot be made."""
    if out.exists():
        raise ReportError(f"{str(out)!r} exists; remove it, or name another folder with --out")
    see_folder(out)


def write_report(
    where: Path, out: Path, issues: Sequence[Issue], checks: ReportChecks | None = None, siblings: Sequence[Path] = ()
) -> Path:
    """Write the report on the finding in a folder into a new folder, with all files that show it; return its path.

    `siblings` are the folders of other findings of its bucket. Raises `ReportError`, and `ChcfuzzError` for a finding
    that cannot be read.
    """
    check_new(out)
    found = reported(where, siblings)
    try:
        files = folder.portable(where)
        files[REPORT] = (report(found, issues, checks or ReportChecks()) + "\n").encode()
        if found.cause.patch:
            files[PATCH] = found.cause.patch.encode()
        texts = {name: _without_paths(content, where) for name, content in files.items() if name not in _UNITS}
        write_folder(out, files | texts)
        (out / "show.sh").chmod(0o755)
    except OSError as error:
        raise ReportError(f"cannot write {str(out)!r}: {error.strerror}; name another folder with --out") from error
    return out / REPORT


def reported(where: Path, siblings: Sequence[Path] = ()) -> ReportedFinding:
    """Return the finding in a folder with all that is known about its cause; raises `ChcfuzzError`."""
    finding, traits = Finding.read(where), read_traits(where)
    folder.ensure_scripts_write_nothing(where)
    cause = known_cause(finding, traits, [Finding.read(path) for path in siblings])
    return ReportedFinding(finding, replace(traits, diagnosed=bool(cause.written)), cause)


def report(found: ReportedFinding, issues: Sequence[Issue], checks: ReportChecks) -> str:
    """Return the report as Markdown."""
    sections = (
        ("", _summary(found, checks.reruns)),
        ("", _system(found)),
        ("To reproduce", commands(found, checks.output)),
        ("Why it is wrong", witness(found)),
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


def title(found: ReportedFinding) -> str:
    """Return the title: the solver, the symptom, the theories and parameters."""
    traits = found.traits
    if traits.kind == WRONG_ANSWER:
        words = f"{found.record.answer} instead of {found.right}"
    else:
        words = {WRONG_MODEL: "sat with a wrong model"}.get(traits.kind, symptom(found))
    under = ", ".join(traits.parameters) or "default options"
    return f"{traits.solver}: {words} ({'+'.join(traits.shape.theories) or 'Bool'}, {under})"


def _summary(found: ReportedFinding, reruns: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield answers, witness and cause, which are on the first screen, and the names of missing parts."""
    again = "".join(f"; {name}: {result}" for name, result in reruns if name != found.cause.observed)
    yield f"- Answer: {short_answer(found)}, in {found.cause.observed}{again}."
    yield f"- Witness: {evidence_text(found)}."
    yield f"- Cause: {found.cause.summary()}."
    if found.cause.location is not None and found.cause.location.solver_step:
        yield f"- First wrong step of the solver: {shortened(found.cause.location.solver_step)}."
    versions, commit = found.cause.versions, found.cause.commit
    if versions is not None and versions.bracket is not None:
        yield f"- Introduced in: {versions.first_bad}; {versions.last_good} is right."
    if commit is not None:
        yield f"- First bad commit: {commit.commits[0][:10]} ({commit.day}), {commit.subject!r}."
    if found.cause.fix is not None:
        faults = len(found.cause.fix.faults) or "no"
        yield f"- Candidate fix: {in_words(found.cause.fix)[0]}, and makes {faults} results wrong."
    elif found.cause.patch:
        yield f"- Candidate fix: `{PATCH}`, not measured."
    if found.cause.missing:
        yield f"- Missing here: {'; '.join(found.cause.missing)}."


def _system(found: ReportedFinding) -> Iterator[str]:
    if found.reduction is None:
        yield "This system is not reduced yet; `chcfuzz reduce` makes it smaller."
    else:
        yield _reduced(found.reduction, found.system)
        yield from _replaceable(found.reduction)
    equivalent = found.finding.reductions.get(Mode.EQUIVALENT)
    if equivalent is not None and equivalent.system != found.system:
        yield f"`{equivalent.system}` is reduced, too: each of its clauses is equivalent to one of `mutant.smt2`."
    yield from ("", *block("smt2", read_plain(found.finding.folder / found.system).decode()))


def _replaceable(reduction: Reduction) -> Iterator[str]:
    """Yield a sentence on the constants that do not matter."""
    texts = []
    for each in reduction.replaceable:
        place = f"formula {each.formula}" + (f", occurrence {each.occurrence}" if each.occurrence > 1 else "")
        texts.append(f"`{each.constant}` in {place} ({', '.join(f'`{value}`' for value in each.values)})")
    if texts:
        yield f"Constants that do not matter, each alone, with the other values that show the bug: {'; '.join(texts)}."


def _reduced(reduction: Reduction, system: str) -> str:
    """Return a sentence on a reduced system that claims no more than its record proves."""
    if reduction.mode is Mode.EQUIVALENT:
        stopped = "" if reduction.minimal else ", and the reduction was stopped early"
        clauses = f"`{system}`: each clause is equivalent to one of `mutant.smt2`{stopped}"
        return f"{clauses}; `chcfuzz reduce` makes it smaller."
    if not reduction.minimal:
        return f"`{system}`: the reduction was stopped early, so a smaller system may exist."
    parts = "without any one clause, argument, term or constant, and with any simpler sort"
    return f"Reduced to `{system}`: the bug vanishes {parts}."


def _checked(found: ReportedFinding, checks: ReportChecks) -> Iterator[str]:
    yield "`./show.sh` repeats the run and the checks of the witness with released solvers alone."
    for name, result in checks.reruns:
        yield f"Run again for this report in {name}: {result}."
    for name in WITNESSES:
        script = found.file(name)
        if script.is_file():
            answers = checks.query(read_plain(script).decode())
            wanted = "sat" if name == "evidence.smt2" else "unsat"
            comment = ", as expected" if set(answers) == {wanted} else f"; `{wanted}` is expected"
            yield f"cvc5 on `{script.name}`: {', '.join(f'`{answer}`' for answer in answers) or 'nothing'}{comment}."
    solvers = found.record.releases
    others = [pair for pair in found.record.tried.items() if not (pair[0] in solvers or _is_configuration(pair[0]))]
    yield from (f"{name} answers `{answer}` on `mutant.smt2`." for name, answer in others)


def _is_configuration(name: str) -> bool:
    """Return whether a name in `tried` is a configuration of the solver under test, not another solver."""
    return name in _CONFIGURATIONS or ("=" in name and " " not in name)


def _scope(found: ReportedFinding, issues: Sequence[Issue]) -> Iterator[str]:
    standing = found.traits.standing
    yield sentence(standing.removesuffix(f"; {LIKE_PREPROCESSING}") if found.traits.diagnosed else standing)
    (bucket,) = bucketed([Member(found.traits)])
    for issue in known_as(bucket, issues):
        yield f"{'Known' if issue.sure else 'Possibly known'}: {issue.title} ({issue.url}): {issue.comment}."


def _chain(found: ReportedFinding) -> Iterator[str]:
    steps = [step for step in found.record.chain if step.changed]
    if not steps:
        yield f"By chcfuzz {found.record.chcfuzz}, on an unchanged seed (`seed.smt2`)."
        return
    needed = steps if found.reduction is None else [step for step in steps if step.mutation in found.reduction.chain]
    yield f"By chcfuzz {found.record.chcfuzz}: mutations that preserve the answer ({found.record.promise}) turned"
    if not needed:
        yield "a seed (`seed.smt2`) into `mutant.smt2`, but the fault needs none of them."
        return
    rest = ":" if needed == steps else f". The fault needs these rows (`{found.file(RECIPE).name}`):"
    yield f"a seed (`seed.smt2`) into `mutant.smt2`{rest}"
    yield ""
    yield from (f"{number}. {step.words} (`{step.mutation}`)" for number, step in enumerate(needed, 1))


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
