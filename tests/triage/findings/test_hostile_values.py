"""Hostile values in every string of every stored format: no script that chcfuzz writes runs them.

Each string of each file is replaced in turn. chcfuzz refuses the file in one line, or writes scripts, which run here in
an empty folder and without an environment.
"""

import copy
import hashlib
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.execution.codec import to_json
from chcfuzz.execution.domain import load
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.mutators.roots import DOMAINS
from chcfuzz.triage.buckets.buckets import bucketed, read_buckets
from chcfuzz.triage.buckets.report import ReportChecks, write_report
from chcfuzz.triage.findings.compared_solvers import requirements
from chcfuzz.triage.findings.contents import PROGRAMS
from chcfuzz.triage.findings.folder import rewrite
from chcfuzz.triage.findings.location import (
    FORMAT,
    Introduction,
    Location,
    PartingEvent,
    PartingStep,
    SuspiciousSite,
    Versions,
)
from chcfuzz.triage.findings.record import Finding

SAMPLES = Path(__file__).parents[2] / "formats" / "samples"
MARK = "RAN"
WRITTEN = ("show.sh", "README.txt", "report.md")
HARM = (
    f"x$(touch {MARK})",
    f"x`touch {MARK}`",
    f"x';touch {MARK};'",
    f'x";touch {MARK};"',
    f"x\ntouch {MARK}\n",
    f"x;touch {MARK}",
    f"x\x1b]0;title\x07\r\x9b31m\\033[31m\\c;touch {MARK}",
    f"x$(touch {MARK})==1.2.3",
)
FEW = (f"x';touch {MARK};'$(touch {MARK})", f"x\x1b;touch {MARK}\n")  # for a quick test
PLAIN: dict[str, Any] = json.loads((SAMPLES / "finding-4" / "record.json").read_text())
SOLVERS = {"cvc5": "1.4.2", "z3:sat.euf=true": "5.4.1.0", "yices-smt2 {}": ""}
REQUEST = {"server": False, "requests": [["(check-sat)", ["-x"]]]}
RECORDS: dict[str, dict[str, Any]] = {
    "spacer": PLAIN,
    "build": {**PLAIN, "solving": ["--z3-library=/build"]},
    "command": {**PLAIN, "kind": "wrong-answer", "answer": "unsat", "command": ["golem", "-x", "{}"]},
    "session": {**PLAIN, "command": ["golem", "{}"], "session": ["golem", "--server"]},
    "smt": {**PLAIN, "solving": ["--domain=smt"], "solvers": SOLVERS, "parameters": {"solver": "cvc5"}},
    "smt command": {**PLAIN, "solving": ["--domain=smt"], "solvers": {"yices": "", "z3": "5.4.1.0"}, "command": ["y"]},
    "interpolation": {
        **PLAIN,
        "solving": ["--domain=interpolation"],
        "solvers": {"spacer": "5.4.1.0", "z3": "5.4.1.0"},
    },
}
LOCATION = Location(
    of="0123",
    vanishes=(("xform.slice", "false"),),
    step=PartingStep(1, "rules.unfold", "equivalent"),
    event=PartingEvent(3, "expand-pob", "add-lemma", "begin", "xform.slice=false"),
    sites=(SuspiciousSite("spacer.cpp:12 f", 0.5, 1, 0),),
    versions=Versions("5.4.0.0", "4.8.14.0", None, (("5.4.0.0", "bad"),)),
    assertion="a < b",
    notes=("a note",),
    changes=("a change",),
    introduction=Introduction(("0123abcd",), "subject", "2026-01-01", ("file.cpp",), 0, (("0123", "bad"),)),
    stack=("f at a.cpp:1",),
    lines=(("a.cpp:1", "x = 1;"),),
    around=("x",),
    values=("x = 1",),
)


def strings(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of all strings in parsed JSON; the last part of a key's path is None."""
    if isinstance(value, dict):
        for key, inside in value.items():
            yield (*path, key, None)
            yield from strings(inside, (*path, key))
    elif isinstance(value, list):
        for number, inside in enumerate(value):
            yield from strings(inside, (*path, number))
    elif isinstance(value, str):
        yield path


def changed(value: Any, path: tuple[Any, ...], harm: str) -> Any:
    """Return parsed JSON with another text at a path."""
    found = copy.deepcopy(value)
    *folders, last = path[:-2] if path[-1] is None else path[:-1], path[-1]
    inside = found
    for part in folders[0]:
        inside = inside[part]
    if last is None:
        inside[harm] = inside.pop(path[-2])
    else:
        inside[last] = harm
    return found


@pytest.fixture
def finding(tmp_path: Path) -> Path:
    """A finding with all programs and all kinds of files."""
    folder = tmp_path / "findings" / "wrong-model-ed2298-7c8717863a1e"
    shutil.copytree(SAMPLES / "finding-4", folder)
    shutil.copy(SAMPLES / "reduced-1.json", folder / "reduced.json")
    shutil.copy(folder / "mutant.smt2", folder / "reduced.smt2")
    (folder / "session.json").write_text(json.dumps(REQUEST))
    return folder


class Shell:
    """Runs scripts once each, with programs that do nothing in the place of Python, pip and solvers."""

    def __init__(self, folder: Path) -> None:
        self._bin, self._here, self.installed = folder / "bin", folder / "here", folder / "installed"
        self._bin.mkdir()
        self._seen: set[bytes] = set()
        venv = f'for n in python pip z3; do cp "{self._bin}/fake-$n" "$3/bin/$n"; done'
        self._program("fake-python", '[ "$1" != -c ]')
        self._program("fake-pip", f'echo "$@" >> {self.installed}')
        self._program("fake-z3", "")
        self._program("python3", f'[ "$2" = venv ] && mkdir -p "$3/bin" && {venv}')
        for name in ("golem", "y", "yices", "z3"):
            self._program(name, "")

    def _program(self, name: str, text: str) -> None:
        (self._bin / name).write_text(f"#!/bin/sh\n{text}\n")
        (self._bin / name).chmod(0o755)

    def runs_nothing(self, script: Path) -> None:
        """Run a script in a copy of its folder's programs, and see that only the fake programs ran."""
        text = script.read_bytes()
        digest = hashlib.sha256(text).digest()
        if digest in self._seen:
            return
        self._seen.add(digest)
        shutil.rmtree(self._here, ignore_errors=True)
        self._here.mkdir()
        shutil.copy(script, self._here)
        command = ["env", "-i", f"PATH={self._bin}:/usr/bin:/bin", f"HOME={self._bin.parent}", "sh", script.name]
        done = subprocess.run(command, cwd=self._here, capture_output=True, timeout=60, check=False)
        left = {path.name for path in self._here.iterdir()} - {script.name, "venv"}
        assert not left, text.decode()
        assert b"\x1b" not in done.stdout, text.decode()
        assert b"yntax error" not in done.stderr, text.decode()


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def refused(action: Callable[[], object]) -> str:
    """Return the message with which an action refuses a file, or an empty text."""
    try:
        action()
    except ChcfuzzError as error:
        return str(error)
    return ""


class Writer:
    """Lets chcfuzz write its scripts for a finding, and runs them."""

    def __init__(self, finding: Path, shell: Shell, has_report: bool = True) -> None:
        self._finding, self._shell, self._has_report = finding, shell, has_report
        self._out = finding.parent.parent / "report"

    def write(self) -> dict[str, str] | None:
        """Return the files that chcfuzz writes, None if it refuses the finding."""
        shutil.rmtree(self._out, ignore_errors=True)
        if refused(lambda: rewrite(self._finding)):
            return None
        if self._has_report:
            refused(lambda: write_report(self._finding, self._out, (), ReportChecks(query=lambda _: ("unsat",))))
        names = [folder / name for folder in (self._finding, self._out) for name in WRITTEN]
        return {f"{path.parent.name}/{path.name}": path.read_text() for path in names if path.exists()}

    def change(self, name: str, stored: dict[str, Any], harms: Sequence[str] = HARM) -> int:
        """Put hostile values into each string of a file; return the number of strings that reach a file."""
        (self._finding / name).write_text(json.dumps(stored))
        before, reach = self.write(), 0
        assert before is not None
        for path in strings(stored):
            for number, harm in enumerate(harms):
                (self._finding / name).write_text(json.dumps(changed(stored, path, harm)))
                files = self.write()
                if files == before:  # as with any other text
                    break
                reach += not number
                for written, text in (files or {}).items():
                    assert all(line.isprintable() for line in text.split("\n")), (written, path)
                for folder in (self._finding, self._out):
                    if (folder / "show.sh").exists():
                        self._shell.runs_nothing(folder / "show.sh")
        return reach


def test_no_string_of_a_record_runs_in_the_script_of_its_folder(finding: Path, shell: Shell) -> None:
    assert Writer(finding, shell, has_report=False).change("record.json", RECORDS["smt"], FEW) > 5


@pytest.mark.slow
@pytest.mark.parametrize("kind", RECORDS)
def test_no_string_of_a_record_runs(finding: Path, shell: Shell, kind: str) -> None:
    assert Writer(finding, shell).change("record.json", RECORDS[kind]) > 5
    asked = shell.installed.read_text() if shell.installed.exists() else ""
    known = {"install", "--quiet", "cvc5", "z3-solver==4.8.14.0", "z3-solver==5.4.1.0", "cvc5==1.4.2"}
    assert set(asked.split()) <= known


@pytest.mark.slow
@pytest.mark.parametrize("name", ["reduced.json", "location.json", "suspicion.json", "session.json", "fix.json"])
def test_no_string_of_another_file_runs(finding: Path, shell: Shell, name: str) -> None:
    stored = {
        "suspicion.json": json.loads((SAMPLES / "suspicion-1.json").read_text()),
        "fix.json": json.loads((SAMPLES / "fix-1.json").read_text()),
        "reduced.json": {**json.loads((SAMPLES / "reduced-1.json").read_text()), "command": ["golem", "{}"]},
        "location.json": json.loads(to_json(LOCATION, FORMAT)),
        "session.json": REQUEST,
    }[name]
    Writer(finding, shell).change(name, stored)


def test_no_string_of_buckets_is_a_traceback(tmp_path: Path) -> None:
    stored = json.loads((SAMPLES / "buckets-1.json").read_text())
    for path in strings(stored):
        for harm in (HARM[4], "../../elsewhere"):
            (tmp_path / "buckets.json").write_text(json.dumps(changed(stored, path, harm)))
            if message := refused(lambda: read_buckets(tmp_path / "buckets.json")):
                assert "buckets.json" in message
            else:
                found = read_buckets(tmp_path / "buckets.json")
                assert not any("/" in member.traits.name for member in found)
                assert bucketed(found)


@pytest.mark.parametrize(
    "solvers", [{"evil-package": "6.6.6"}, {"z3$(touch RAN)": "5.4.1.0"}, {"z3": "5.4.1.0;x"}, {"z3:log=x": "5.4.1.0"}]
)
def test_a_record_with_an_unknown_solver_is_refused(finding: Path, solvers: dict[str, str]) -> None:
    (finding / "record.json").write_text(json.dumps({**RECORDS["smt"], "solvers": {**SOLVERS, **solvers}}))
    with pytest.raises(ChcfuzzError, match="which is not a release that chcfuzz knows; remove that finding's folder"):
        Finding.read(finding)


def test_every_program_of_a_finding_needs_known_packages_only() -> None:
    assert requirements({"spacer": "5.4.1.0", "instances": "1.4.2", "yices {}": ""}) == (
        "z3-solver==5.4.1.0",
        "cvc5==1.4.2",
    )
    programs = set(PROGRAMS).union(*(load(name).programs for name in DOMAINS))
    asking = {"ask_smt.py", "ask_itp.py", "ask_part.py", "ask_cvc5.py", "ask_session.py", "ask_z3.py"}
    assert programs == asking
