"""`chcfuzz triage`: findings reduced, put into buckets by cause, and told as a table; `buckets.json` keeps them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chcfuzz.commands.reducing import reduce_at_most
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.triage.buckets.buckets import FILE, Bucket, Member, bucketed, read_buckets, write_buckets
from chcfuzz.triage.buckets.known_issues import Issue, known_as
from chcfuzz.triage.buckets.traits import Traits, read_traits
from chcfuzz.triage.findings.store import kept
from rich.console import Console
from rich.table import Table

_MOST_CURES = 3  # that a table names


@dataclass(frozen=True)
class Told:
    """A bucket and what it is known as."""

    bucket: Bucket
    issues: tuple[Issue, ...]

    @property
    def is_known(self) -> bool:
        """Whether it is set aside."""
        return any(issue.sure for issue in self.issues)


def triage(
    inputs: Sequence[Path], into: Path, reducing: Callable[[dict[str, Any]], Solving] | None, most: int
) -> tuple[Bucket, ...]:
    """The buckets of all findings in `inputs` and in the file `into`, which holds them afterwards.

    An input is a findings folder, with the buckets that it holds, or a `buckets.json`. `reducing` says how the solver
    is started for a finding, by its record: then what is not reduced is, with `most` tests each, until Ctrl-C; None:
    nothing is. Raises `ChcfuzzError`.
    """
    members = read_buckets(into)
    for path in inputs:
        if path.is_file():
            members += read_buckets(path)
            continue
        members += read_buckets(path / FILE)
        for folder, record in kept(path):
            if reducing is not None:
                try:
                    reduce_quietly(folder, reducing(record), most)
                except KeyboardInterrupt:
                    reducing = None
                    print("chcfuzz: interrupted; no more is reduced, the same command goes on", file=sys.stderr)
            members.append(Member(read_traits(folder)))
    buckets = bucketed(members)
    write_buckets(into, buckets)
    return buckets


def reduce_quietly(folder: Path, solving: Solving, most: int) -> None:
    """Reduce a finding where it can be; a line to stderr on what became of it."""
    try:
        said = reduce_at_most(folder, solving, most)
    except ChcfuzzError as error:
        said = f"not reduced: {error}"
    if said is not None:
        print(f"chcfuzz: {folder.name} {said}", file=sys.stderr, flush=True)


def told(buckets: Iterable[Bucket], issues: Sequence[Issue]) -> list[Told]:
    """The buckets as they are told: what is not known first, then those with the smaller representatives."""
    rows = [Told(bucket, known_as(bucket, issues)) for bucket in buckets]
    return sorted(
        rows, key=lambda row: (row.is_known, row.bucket.representative.text is None, row.bucket.representative.size)
    )


def as_json(rows: Iterable[Told]) -> str:
    """For machines."""
    return json.dumps([_row(row) for row in rows], indent=2)


def _row(row: Told) -> dict[str, Any]:
    chosen = row.bucket.representative
    return {
        "name": row.bucket.name,
        "findings": [member.traits.name for member in row.bucket.members],
        "representative": chosen.record(),
        "known": [{"id": issue.id, "url": issue.url, "sure": issue.sure} for issue in row.issues],
        "set_aside": row.is_known,
    }


def print_table(rows: Sequence[Told], console: Console) -> None:
    """For people: what is news, then under a heading of its own what is known."""
    for heading, chosen in (
        ("Buckets, one for each cause as far as can be told", [row for row in rows if not row.is_known]),
        ("Known already, set aside", [row for row in rows if row.is_known]),
    ):
        if not chosen:
            continue
        table = Table(title=heading, title_justify="left", show_lines=True)
        for column in ("bucket", "findings", "smallest", "what", "known"):
            table.add_column(column, overflow="fold", justify="right" if column == "findings" else "left")
        for row in chosen:
            best = row.bucket.representative
            table.add_row(
                row.bucket.name, str(len(row.bucket.members)), f"{best.name}\n{_size(best)}", _what(best), _known(row)
            )
        console.print(table)
    aside = sum(row.is_known for row in rows)
    findings = sum(len(row.bucket.members) for row in rows)
    console.print(f"{len(rows)} buckets, {findings} findings; {aside} known and set aside", highlight=False)


def _size(traits: Traits) -> str:
    clauses, nodes = traits.size[0], traits.size[3]
    return f"{clauses} clauses, {nodes} nodes" + ("" if traits.text else ", not reduced")


def _what(traits: Traits) -> str:
    solver = f"{traits.solver} ({traits.release})"
    lines = [f"{solver}: {traits.witness}", traits.shape.words()]
    if traits.parameters:
        lines.append(f"needs {', '.join(traits.parameters)}")
    if traits.cures:
        more = len(traits.cures) - _MOST_CURES
        lines.append(f"right with {'; '.join(traits.cures[:_MOST_CURES])}" + (f"; {more} more" if more > 0 else ""))
    if traits.first_bad or traits.first_good:
        lines.append(f"wrong from {traits.first_bad or '?'} on, right from {traits.first_good or '?'} on")
    if traits.event:
        lines.append(f"leaves a passing run with {traits.event}" + (f", near {traits.site}" if traits.site else ""))
    if traits.assertion:
        lines.append(f"a debug build says: {traits.assertion}")
    return "\n".join(lines)


def _known(row: Told) -> str:
    return "\n".join(f"{'' if issue.sure else 'perhaps '}{issue.id}: {issue.title}" for issue in row.issues)
