"""The findings folder: what a person needs to see a finding with nothing but Z3, and we to run it again.

A finding is a folder, written under a temporary name and then renamed, so that it is whole or not there::

    <kind>-<bucket>-<unit>/     (the bucket of what Spacer's maintainers know already begins with `known-`)
        mutant.smt2     the system, its parameters as set-option (options of a command are in show.sh)
        seed.smt2       the system that the chain started from
        evidence.smt2   for a wrong model: plain SMT-LIB that is satisfiable exactly because the model is wrong
        refutation      where the system has one: a derivation of false, each step to be checked by hand
        recipe          the unit, for `chcfuzz show` and `chcfuzz replay`
        show.sh         the commands that show it with nothing but Z3, or the command under test
        record.json     versions, promise, outcome, witness, chain in words; format `chcfuzz-finding 3`
    unconfirmed/<kind>-<unit>   units whose verdict no fresh process or no witness confirmed
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shlex
import shutil
import sys
import tempfile
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session import Session
from chcfuzz.execution.files import write_whole
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.parse import parse
from chcfuzz.mutators.recipe import decode, digest, encode
from chcfuzz.solvers.command import FILE
from chcfuzz.triage.confirm import Confirmation, Report, Run, confirm
from chcfuzz.triage.scope import Standing, standing

FORMAT = "chcfuzz-finding 3"


class FindingsError(ChcfuzzError):
    """The findings folder cannot be written; the campaign must not go on as if it could."""

    def __init__(self, folder: Path, error: OSError) -> None:
        reason = os.strerror(error.errno) if error.errno else str(error)
        super().__init__(
            f"cannot write findings to {str(folder)!r}: {reason}; make room or name another folder with --findings"
        )


class FindingStore:
    """Confirms and writes the findings of one campaign; several processes may share one folder.

    Every method raises `FindingsError` where the folder cannot be written, and then leaves nothing half written.
    """

    def __init__(self, options: Options, session: Session) -> None:
        self._options = options
        self._folder = options.findings
        self._session = session

    def prepare(self) -> None:
        """Make the folder and see that it can be written."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self._folder):
                pass
        except OSError as error:
            raise FindingsError(self._folder, error) from error

    def has_room(self, kind: str, parameters: tuple[str, ...], known: bool = False) -> bool:
        """Whether a finding of this kind under these parameter names is wanted; known ones have room of their own."""
        return len(list(self._folder.glob(f"{_bucket(kind, parameters, known)}-*"))) < self._options.per_bucket

    def keep(self, unit: bytes, kind: str) -> Path | None:
        """Confirm a verdict and write it; the folder, or None where it was not confirmed or its bucket is full.

        A unit that is there already is not confirmed again. Of a death, the parameters that it does not need are left
        out; for other verdicts that is done before, by who saw them and lives.
        """
        here = sorted(self._folder.glob(f"{kind}-*-{digest(unit)[:12]}"))
        if here:
            return here[0]
        confirmation = confirm(unit, kind, self._options.solving)
        if confirmation is None or not confirmation.confirmed:
            self._write_unconfirmed(unit, kind)
            return None
        if kind == "crash" and not confirmation.runs:
            unit, confirmation = self._with_needed_parameters(unit, confirmation)
        parameters = tuple(name for name, _ in confirmation.description["parameters"])
        found = _standing(kind, confirmation)
        known = found.known is not None
        if not self.has_room(kind, parameters, known):
            return None
        name = f"{_bucket(kind, parameters, known)}-{digest(unit)[:12]}"
        files = _files(unit, kind, confirmation, found, self._options.solving)
        folder = self._write_folder(name, files)
        self._session.mark_finding(kind, name)
        print(f"chcfuzz: {_headline(kind, confirmation)}: {folder}", file=sys.stderr, flush=True)
        return folder

    def _with_needed_parameters(self, unit: bytes, confirmation: Confirmation) -> tuple[bytes, Confirmation]:
        """The unit without the parameters that its death does not need: each is tried in a fresh process."""
        for pair in decode(unit).parameters:
            recipe = decode(unit)
            smaller = encode(replace(recipe, parameters=tuple(other for other in recipe.parameters if other != pair)))
            again = confirm(smaller, "crash", self._options.solving)
            if again is not None and again.confirmed and again.witness == confirmation.witness:
                unit, confirmation = smaller, again
        return unit, confirmation

    def keep_stuck(self, unit: bytes) -> None:
        """Keep a unit on which the solver ignored its limits; running it again would take as long, so nobody does."""
        self._write_unconfirmed(unit, "stuck")

    def _write_unconfirmed(self, unit: bytes, kind: str) -> None:
        folder = self._folder / "unconfirmed"
        target = folder / f"{kind}-{digest(unit)[:12]}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(target, unit)
        except OSError as error:
            raise FindingsError(self._folder, error) from error

    def _write_folder(self, name: str, files: dict[str, bytes]) -> Path:
        target = self._folder / name
        temporary = Path(".")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            temporary = Path(tempfile.mkdtemp(prefix=".writing-", dir=self._folder))
            for file, content in files.items():
                (temporary / file).write_bytes(content)
            (temporary / "show.sh").chmod(0o755)
            temporary.chmod(0o755)
            os.rename(temporary, target)
        except OSError as error:
            if temporary != Path("."):
                shutil.rmtree(temporary, ignore_errors=True)
            # Another process of the campaign was first with the same unit: then it is there, and whole.
            if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                raise FindingsError(self._folder, error) from error
        return target


def kept(folder: Path) -> list[tuple[Path, dict[str, Any]]]:
    """The findings in a folder with their records, by name; raises `ChcfuzzError` for one that cannot be read."""
    found = []
    for record in sorted(folder.glob("*/record.json")):
        try:
            content = json.loads(record.read_text())
        except (OSError, ValueError) as error:
            raise ChcfuzzError(f"cannot read {str(record)!r}: {error}; remove that finding's folder") from error
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise ChcfuzzError(f"{str(record)!r} is not of the format {FORMAT!r}; remove that finding's folder")
        found.append((record.parent, content))
    return found


def _bucket(kind: str, parameters: tuple[str, ...], known: bool) -> str:
    names = " ".join(parameters)
    under = hashlib.sha256(names.encode()).hexdigest()[:6] if names else "default"
    return f"{kind}-{'known-' if known else ''}{under}"


def _standing(kind: str, confirmation: Confirmation) -> Standing:
    description = confirmation.description
    mutant = parse(description["system"], "mutant")
    return standing(kind, dict(description["parameters"]), confirmation.runs, mutant)


def _headline(kind: str, confirmation: Confirmation) -> str:
    words = {"wrong-answer": "wrong answer", "wrong-model": "wrong model", "crash": "crash"}
    parameters = ", ".join(f"{name}={value}" for name, value in confirmation.description["parameters"])
    return f"{words.get(kind, kind)} ({confirmation.witness}; {parameters or 'default parameters'})"


def _files(unit: bytes, kind: str, confirmation: Confirmation, found: Standing, solving: Solving) -> dict[str, bytes]:
    description, runs, beside = confirmation.description, confirmation.runs, confirmation.beside
    files = {
        "recipe": unit,
        "mutant.smt2": description["mutant"].encode(),
        "seed.smt2": description["seed"].encode(),
    }
    evidence = _evidence(kind, runs)
    if evidence:
        files["evidence.smt2"] = evidence.encode()
    if beside["refutation"]:
        files["refutation"] = beside["refutation"].encode()
    record = {
        "format": FORMAT,
        "kind": kind,
        "scope": found.record(),
        "witness": confirmation.witness,
        "cvc5": {"evidence": beside["evidence"], "clauses": beside["clauses"]},
        "second": [f"{verdict['oracle']}: {verdict['detail'] or verdict['kind']}" for verdict in beside["second"]],
        "chcfuzz": metadata.version("chcfuzz"),
        "z3": description["z3"],
        "solving": list(solving.arguments),
        "command": runs[Run.GIVEN]["command"] if Run.GIVEN in runs else [],
        "expected": description["expected"],
        "promise": description["promise"],
        "parameters": dict(description["parameters"]),
        "chain": description["chain"],
        "runs": {
            run: {
                **report,
                "verdicts": [{k: v for k, v in verdict.items() if k != "evidence"} for verdict in report["verdicts"]],
            }
            for run, report in runs.items()
        },
    }
    files["record.json"] = (json.dumps(record, indent=2) + "\n").encode()
    files["show.sh"] = _script(kind, confirmation, evidence is not None).encode()
    return files


def _evidence(kind: str, runs: dict[str, Report] | Report) -> str | None:
    if Run.GIVEN not in runs:
        return None
    return next((v["evidence"] for v in runs[Run.GIVEN]["verdicts"] if v["evidence"]), None)


def _script(kind: str, confirmation: Confirmation, has_evidence: bool) -> str:
    description, runs = confirmation.description, confirmation.runs
    command = runs[Run.GIVEN]["command"] if Run.GIVEN in runs else []
    solver = shlex.join(command) if command else f"z3 {description['z3']}"
    lines = [
        "#!/bin/sh",
        f"# {solver}: {confirmation.witness}.",
        'cd "$(dirname "$0")" || exit',
    ]
    expected = description["expected"]
    answer = runs[Run.GIVEN]["status"] if Run.GIVEN in runs else "a crash"
    lines.append(f'echo "{answer} was seen here{f", {expected} is right" if expected else ""}:"')
    lines.append(_shown_by(command) if command else '"${Z3:-z3}" mutant.smt2')
    if has_evidence:
        lines.append('echo "satisfiable because the model is wrong:"')
        lines.append('"${Z3:-z3}" evidence.smt2')
    return "\n".join(lines) + "\n"


def _shown_by(command: list[str]) -> str:
    """The command under test for a shell, the mutant in the place of its file."""
    return shlex.join(word.replace(FILE, "mutant.smt2") for word in command)
