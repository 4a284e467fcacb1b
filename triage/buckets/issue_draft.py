"""The first draft of a folder that is ready to be filed: everything that a finding's folder knows.

`issue_folder` describes the files. The draft writes "not known" for a part that is not known, which the check names
as a fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from chcfuzz.execution.files import read_plain, write_folder
from chcfuzz.triage.buckets.buckets import Member, bucketed
from chcfuzz.triage.buckets.cause import UNKNOWN
from chcfuzz.triage.buckets.issue_folder import CHECKED, EXPECTED, INPUT, ISSUE, PATCH, IssueFolderError, Programs
from chcfuzz.triage.buckets.issue_folder import printed as printed_by
from chcfuzz.triage.buckets.known_issues import Issue, known_as
from chcfuzz.triage.buckets.markdown import block, rendered, sentence, table
from chcfuzz.triage.buckets.report import check_new, title
from chcfuzz.triage.buckets.reported import STEP, WITNESSES, WRONG_MODEL, ReportedFinding, evidence_text, short_answer
from chcfuzz.triage.findings.fix import in_words

_STATUS = "(set-info :status "
_HEAD = """{title}

**Wrong.** {wrong}
**Witness.** {witness}
**Cause.** {cause}
**Releases.** {releases}
**Checked.** {checked}
"""


def write_draft(found: ReportedFinding, out: Path, issues: Sequence[Issue], programs: Programs) -> None:
    """Write the draft of a finding's folder into a new folder; raises `ChcfuzzError` if that cannot be made."""
    check_new(out)
    text = input_of(read_plain(found.finding.folder / found.system).decode())
    files = {INPUT: text, f"{Path(INPUT).stem}{EXPECTED}": f"{_right(found)}\n"}
    for name in WITNESSES:
        if found.file(name).is_file():
            files[name] = read_plain(found.file(name)).decode()
    if found.cause.patch:
        files[PATCH] = found.cause.patch
    files[CHECKED] = _checked(found)
    try:
        write_folder(out, {name: content.encode() for name, content in files.items()})
        files[ISSUE] = _issue(found, issues, _console(found, out, programs))
        (out / ISSUE).write_text(files[ISSUE])
    except OSError as error:
        raise IssueFolderError(
            f"cannot write {str(out)!r}: {error.strerror}; name another folder with --out"
        ) from error


def input_of(text: str) -> str:
    """Return a problem without `:status`, which makes other solvers print an error, and without comments."""
    lines = (line for line in text.splitlines() if not line.startswith((_STATUS, ";")))
    return "\n".join(lines).strip() + "\n"


def _right(found: ReportedFinding) -> str:
    if found.right is not None:
        return found.right
    return "sat" if found.traits.kind == WRONG_MODEL else found.record.witness_for or found.record.expected or UNKNOWN


def _issue(found: ReportedFinding, issues: Sequence[Issue], console: str) -> str:
    cause = found.cause
    head = _HEAD.format(
        title=f"# {title(found)}",
        wrong=sentence(f"{cause.observed}: {short_answer(found)}"),
        witness=sentence(evidence_text(found)),
        cause=sentence(cause.summary()),
        releases=_releases(found),
        checked=f"{_checked_by(found)} See {CHECKED}.",
    )
    text = read_plain(found.finding.folder / found.system).decode()
    lines = [*head.splitlines(), "", *block("smt2", input_of(text)), "", *block("console", console)]
    (bucket,) = bucketed([Member(found.traits)])
    lines += [f"Possibly known: {issue.title} ({issue.url})." for issue in known_as(bucket, issues)]
    steps = ", ".join(found.reduction.chain) if found.reduction else ""
    lines += ["", f"Found by chcfuzz {found.record.chcfuzz}{f' ({steps})' if steps else ''}."]
    if cause.patch:
        lines.append(f"`{PATCH}` is a candidate fix.")
    return rendered(lines) + "\n"


def _releases(found: ReportedFinding) -> str:
    versions = found.cause.versions
    if versions is None:
        return f"{UNKNOWN}; `chcfuzz locate --bisect` tests other releases."
    good = f"; {versions.last_good} is right" if versions.last_good else ""
    return f"{versions.first_bad} and later tested releases{good}."


def _checked_by(found: ReportedFinding) -> str:
    names = [found.file(name).name for name in WITNESSES if found.file(name).is_file()]
    return f"The witness is `{names[0]}`, for other solvers." if names else "A fresh process repeats it."


def _console(found: ReportedFinding, folder: Path, programs: Programs) -> str:
    """Return the command that shows the finding, and its output."""
    name = "z3" if not found.record.releases else next(iter(found.record.releases)).partition(":")[0]
    words = [name, *(["dump_models=true"] if name == "z3" and found.traits.kind == WRONG_MODEL else []), INPUT]
    output = printed_by((*programs[name], *words[1:]), folder) if name in programs else f"{found.record.answer}\n"
    step = ""
    if name in programs and (folder / STEP).is_file():  # each answer is unsat, which shows that the step is wrong
        step = f"$ {name} {STEP}\n{printed_by((*programs[name], STEP), folder)}"
    return f"$ {' '.join(words)}\n{output}{step}"


def _checked(found: ReportedFinding) -> str:
    """Return the runs behind the claims as Markdown."""
    return rendered(["# Runs behind the claims", *_sections(found)]) + "\n"


def _sections(found: ReportedFinding) -> Iterator[str]:
    record = found.record
    yield from ("", f"- {found.cause.observed} answers `{record.answer}`, in a fresh process.")
    yield from (f"- {name} answers `{answer}`." for name, answer in record.tried.items())
    versions = found.cause.versions
    if versions is not None:
        yield from ("", "## Releases", "", *table(("release", "result"), versions.results))
    if found.cause.fix is not None:
        yield from ("", f"## {PATCH}", "", *block("", "\n".join(in_words(found.cause.fix))))
