"""Corpora from which campaigns find known wrong answers (tests/quality/rediscovery), and recognizing their findings."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import msgspec
from chcfuzz.campaign.runs import history
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.triage.findings.record import FolderName, Record
from chcfuzz.triage.findings.store import finding_folders

from bench.campaigns import CORPUS
from tests.quality.rediscovery import known, known_smt
from tests.quality.rediscovery.known_smt import SOLVER, KnownSmt

OTHERS = 50  # files of `corpus/` in a mixed corpus
_MAIN = "import sys; from chcfuzz.commands.main import main; sys.exit(main())"


@dataclass(frozen=True)
class Corpus:
    """Seeds, the known wrong answers that campaigns find from them, and the flags that select the affected release."""

    name: str
    texts: dict[str, str]
    bugs: tuple[str, ...]
    flags: tuple[str, ...]
    smt: KnownSmt | None = None

    def write(self, folder: Path) -> None:
        """Write the seeds into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in self.texts.items():
            (folder / f"{name}.smt2").write_text(text)

    def first_found(self, run: Path) -> Iterator[tuple[str, float]]:
        """Yield each bug with the seconds until the first confirmed wrong answer for a mutant of its seed."""
        seen = history.read(RunFolder(run)).first_seen()
        findings = sorted(finding_folders(RunFolder(run).findings), key=lambda each: seen.get(each.name, 0.0))
        if self.smt is not None:
            known = (each for each in findings if each.name in seen and _is_known(self.smt, each))
            yield from ((self.name, seen[each.name]) for each in islice(known, 1))
            return
        clauses = {bug: parse(self.texts[bug]).clauses for bug in self.bugs}
        for finding in findings:
            if finding.name in seen and FolderName.parse(finding.name).kind == VerdictKind.WRONG_ANSWER.value:
                seed = parse((finding / "seed.smt2").read_text()).clauses
                for bug in [bug for bug, system in clauses.items() if system == seed]:
                    del clauses[bug]
                    yield bug, seen[finding.name]

    def accepts(self, run: Path) -> bool:
        """Return whether a campaign that ended with its first event has found the bug, and no other fault."""
        return self.smt is None or _is_known(self.smt, finding_folders(RunFolder(run).findings)[0])


def alone() -> list[Corpus]:
    """Return a corpus for each wrong answer of Z3: its clean seed."""
    return [
        Corpus(
            *(each.name, {each.name: each.seed.read_text()}, (each.name,)),
            (f"--z3={each.release}", f"--front-end={each.front_end}"),
        )
        for each in known.table()
    ]


def mixed(release: str, library: Path | None) -> list[Corpus]:
    """Return a corpus with the clean seeds of all wrong answers of a release and some files of `corpus/`."""
    bugs = {each.name: each.seed.read_text() for each in known.table() if each.release == release}
    if not bugs:
        raise SystemExit(f"no known wrong answer is of {release!r}; known.toml has the releases")
    files = sorted(CORPUS.rglob("*.smt2"))
    chosen = [files[number * len(files) // OTHERS] for number in range(OTHERS)]
    flag = f"--z3-library={library}" if library else f"--z3={release}"
    return [Corpus("mixed", {**bugs, **{file.stem: file.read_text() for file in chosen}}, tuple(bugs), (flag,))]


def of_smt() -> list[Corpus]:
    """Return a corpus for each wrong answer of an SMT solver: its clean seed, with the other solvers as installed."""
    return [
        Corpus(row.name, {row.name: row.seed}, (row.name,), ("--domain=smt", f"--solvers={_solvers(row)}"), row)
        for row in known_smt.table()
    ]


def _solvers(row: KnownSmt) -> str:
    others = [name for name in SOLVER.values() if name not in (SOLVER[row.package], *row.without)]
    return ",".join((_release(row, row.release), *others))


def _release(row: KnownSmt, version: str) -> str:
    """Return a release as `--solvers` names it."""
    return f"{SOLVER[row.package]}@{version}"


def _is_known(row: KnownSmt, finding: Path) -> bool:
    """Return whether a finding is a wrong answer of the affected release that the one with the fix lacks.

    A wrong model counts where unsat is right. A crash, for example, is another fault.
    """
    record = msgspec.json.decode((finding / "record.json").read_bytes(), type=Record)
    kinds = {"wrong-answer", "contradiction"} | ({"wrong-model"} if "unsat" in (row.answer, row.changed) else set())
    is_accused = record.parameters.get("solver", "") == _release(row, row.release)
    return record.kind in kinds and is_accused and _is_fixed(finding, _release(row, row.first_good), record.answer)


def _is_fixed(finding: Path, good: str, answer: str) -> bool:
    """Return whether a release does not give the answer of a finding, or has a right model."""
    words = ["replay", str(finding), f"--solvers={good}", f"--solver={good}", "--json"]
    done = subprocess.run([sys.executable, "-c", _MAIN, *words], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):  # 1: a verdict is a finding
        return False
    replayed = json.loads(done.stdout)
    return bool(replayed["status"] != answer or replayed["model_holds"])
