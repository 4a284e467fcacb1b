"""Every command that can fetch a solver checks all its arguments and inputs before it fetches, builds or starts one.

The cache is empty, and programs that take the places of pip and Maven record that they were started.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from chcfuzz.commands import common_flags, main
from chcfuzz.commands.parser import Parser
from chcfuzz.commands.subcommand import Uses

from tests.targets import ROOT
from tests.users import BecomeUser

FINDING = ROOT / "tests" / "formats" / "samples" / "finding-4"
PROBLEM = """(set-logic QF_LIA)
(declare-const a Int)
(assert (! (< a 0) :interpolation-group g0))
(assert (! (< 0 a) :interpolation-group g1))
(check-sat)
"""
UNIT = "(set-logic HORN)\n(declare-fun p () Bool)\n(assert (=> p false))\n(check-sat)\n"
# Flags that fetch: those of the solver, and what each command has beside them.
SMT, ITP = ("--domain=smt", "--solvers=bitwuzla@0.8.2"), ("--domain=interpolation", "--solvers=smtinterpol")
FETCHING: dict[str, list[tuple[str, ...]]] = {
    "--z3": [("--z3=5.3.0.0",)],
    "--cross-z3": [("--cross-z3=5.3.0.0",)],
    "--solvers": [SMT, ITP],
    "--against": [("--against=5.3.0.0",)],
    "--recheck": [("--recheck=5.3.0.0",)],
    "--bisect": [("--bisect",)],
    "--sources": [("--sources", "5.3.0.0", "5.2.0.0")],
}
# Bad inputs of each command in the folder below, with a part of the line that refuses them.
BAD = {
    "show": (("nowhere", "nowhere"), ("damaged", "damaged"), ("unit.smt2 --print-for=x", "--print-for 'x'")),
    "replay": (("nowhere", "nowhere"), ("damaged", "damaged"), ("unit.smt2 --cross=nosuch", "cannot start 'nosuch'")),
    "bridge": (("nowhere", "nowhere"), ("damaged", "damaged")),
    "import": (
        ("nowhere", "nowhere"),
        ("empty", "no .smt2"),
        ("corpus --reading=x", "--reading 'x'"),
        ("corpus --into=file/x", "cannot write to 'file/x'"),
    ),
    "generate": (("", "no folder"), ("file/x", "cannot write to 'file/x'"), ("new --kind=x", "--kind 'x'")),
    "corpus": (
        ("stats nowhere", "nowhere"),
        ("export empty --into=new", "no unit in 'empty'"),
        ("export corpus --into=file/x", "cannot write to 'file/x'"),
        ("diff corpus empty", "no unit in 'empty'"),
    ),
    "minimize": (
        ("nowhere new", "nowhere"),
        ("corpus corpus", "not empty"),
        ("corpus file/x", "cannot write to 'file/x'"),
        ("corpus new --by=edges", "--by=edges"),
        ("corpus new --json=nowhere/x", "nowhere/x"),
    ),
    "coverage": (("nowhere", "edge counters"), ("corpus", "edge counters")),
    "regress": (
        ("nowhere", "nowhere"),
        ("empty", "no unit in 'empty'"),
        ("corpus --json=nowhere/x", "nowhere/x"),
        ("corpus --findings=nowhere", "nowhere"),
        ("corpus --minimal=file/x", "cannot write to 'file/x'"),
        ("corpus --cross=nosuch", "cannot start 'nosuch'"),
    ),
    "reduce": (("nowhere", "nowhere"), ("finding --cross=nosuch", "cannot start 'nosuch'")),
    "locate": (
        ("nowhere", "nowhere"),
        ("finding --debug-build=nowhere", "nowhere"),
        ("finding --sources 5.3.0.0 nowhere", "nowhere"),
        ("finding --sources 5.3.0.0 empty", "empty"),
        ("finding --release=x", "--release 'x'"),
        ("finding --cross=nosuch", "cannot start 'nosuch'"),
    ),
    "try-fix": (
        ("finding --patch=nowhere --corpus=nowhere", "nowhere"),
        ("nosuch --patch=nowhere", "nosuch"),
        ("finding --patch=nowhere --cross=nosuch", "cannot start 'nosuch'"),
    ),
    "triage": (
        ("nowhere", "nowhere"),
        (". --known=nowhere", "nowhere"),
        (". --cross=nosuch", "cannot start 'nosuch'"),
    ),
    "report": (
        ("nowhere", "nowhere"),
        ("finding --out=corpus", "'corpus' exists"),
        ("finding --out=file/x", "cannot write to 'file/x'"),
        ("finding --known=nowhere", "nowhere"),
        ("finding --recheck=one", "'one'"),
        ("--queue nowhere", "nowhere"),
    ),
    "confirm": (("nowhere", "nowhere"), (". --cross=nosuch", "cannot start 'nosuch'")),
    "mutations": (("--cross=nosuch", "cannot start 'nosuch'"),),
    "trials": (("2 --into=new -- -runs=1 --z3=5.3.0.0 --cross=nosuch", "cannot start 'nosuch'"),),
}
CAMPAIGNS = {  # their flags and folders are checked by the program of a campaign, which the slow tests start
    "spacer": ("--z3=5.3.0.0", "--cross-z3=5.3.0.0"),
    "smt": ("--solvers=bitwuzla@0.8.2",),
    "interpolation": ("--solvers=smtinterpol",),
}
# `doctor` checks what it is given and nothing else; `fuzz` becomes such a program; `premerge` starts `regress` first.
APART = {"doctor", "fuzz", "premerge"}


def fetching(name: str) -> list[tuple[str, ...]]:
    """Return the flags of a command that fetch."""
    command = next(command for command in main.COMMANDS if name == command.NAME)
    parser = Parser()
    command.add_flags(parser)
    known = {flag for leaf in common_flags.leaves(parser) for flag in re.findall(r"--[a-z0-9-]+", leaf.format_usage())}
    return [words for flag, choices in FETCHING.items() if flag in known for words in choices]


@pytest.fixture
def fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, become_user: BecomeUser) -> Path:
    """File that exists once something was fetched; the current folder has inputs, and the cache is empty."""
    record, programs, here = tmp_path / "fetched", tmp_path / "programs", tmp_path / "here"
    (programs / "pip").mkdir(parents=True)
    (programs / "pip" / "__init__.py").touch()  # without it, the installed pip comes first
    (programs / "pip" / "__main__.py").write_text(f"open({str(record)!r}, 'w').close()\nraise SystemExit(1)\n")
    (programs / "mvn").write_text(f"#!/bin/sh\n: > '{record}'\nexit 1\n")
    (programs / "mvn").chmod(0o755)
    monkeypatch.setenv("PYTHONPATH", f"{programs}{os.pathsep}{os.environ['PYTHONPATH']}")
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    become_user(tmp_path / "cache")
    monkeypatch.setenv("CHCFUZZ_MAVEN_REPOSITORY", str(tmp_path / "maven"))
    for folder in ("empty", "corpus"):
        (here / folder).mkdir(parents=True)
    (here / "file").write_text("")
    (here / "damaged").write_bytes(b"(set-logic HORN\n")
    for unit in (here / "unit.smt2", here / "corpus" / "unit.smt2"):
        unit.write_text(UNIT)
    shutil.copytree(FINDING, here / "finding")
    monkeypatch.chdir(here)
    return record


def cases() -> Iterator[tuple[str, tuple[str, ...], tuple[str, str]]]:
    for name, inputs in BAD.items():
        for bad in inputs:
            of_chc = [
                flags for flags in fetching(name) or [("",)] if flags not in (SMT, ITP) or bad[0].startswith("nowhere")
            ]
            for flags in of_chc:
                if not flags[0] or flags[0] not in bad[0]:
                    yield name, flags, bad


def test_every_command_that_can_fetch_is_tested_here() -> None:
    assert {command.NAME for command in main.COMMANDS if fetching(command.NAME)} <= BAD.keys() | APART


def test_every_command_that_is_given_a_z3_checks_its_inputs_before() -> None:
    assert [
        command.NAME for command in main.COMMANDS if command.USES is Uses.GIVEN and not hasattr(command, "check")
    ] == []


@pytest.mark.parametrize(("name", "flags", "bad"), list(cases()))
def test_a_bad_input_is_refused_in_one_line_without_a_fetch(
    name: str, flags: tuple[str, ...], bad: tuple[str, str], fetched: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words, expected = bad
    needed = ["--against=5.3.0.0"] if name == "regress" and flags[0] != "--against=5.3.0.0" else []
    before, dashes, after = words.partition(" -- ")
    code = main.main(
        [name, *before.split(), *filter(None, flags), *needed, *(["--", *after.split()] if dashes else [])]
    )
    shown = capsys.readouterr()
    assert (code, shown.out) == (2, "")
    assert shown.err.startswith("chcfuzz: ")
    assert shown.err.count("\n") == 1
    assert expected in shown.err
    assert not fetched.exists()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["nowhere"], "no such file or folder: 'nowhere'"),
        (["-max_total_tim=5"], "-max_total_tim=5"),
        (["--cross=nosuch"], "cannot start 'nosuch'"),
        (["--findings=file/x"], "file/x"),
        (["--json=nowhere/x"], "nowhere/x"),
        (["--model=nosuch"], "nosuch"),
        (["--metrics=file/x"], "file/x"),
        (["--state=empty"], "empty"),
        (["file/new/", "corpus"], "file/new"),
        (["--quantified=x"], "--quantified"),
        (["--size=0"], "--size"),
    ],
)
@pytest.mark.slow
def test_a_campaign_refuses_bad_input_in_one_line_without_a_fetch(
    words: list[str], expected: str, fetched: Path
) -> None:
    for target, choices in CAMPAIGNS.items():
        for flag in choices:
            done = campaign(target, flag, *words)
            assert done.returncode == 2, done.stderr
            assert (done.stdout, done.stderr.count("\n")) == ("", 1), done.stderr
            assert expected in done.stderr
            assert not fetched.exists()


@pytest.mark.parametrize("flag", ["--z3=5.3.0.0", "--cross-z3=5.3.0.0"])
def test_the_same_flags_fetch_with_good_inputs(flag: str, fetched: Path) -> None:
    done = campaign("spacer", flag, "-runs=1", "corpus/")
    assert "pip finds no wheel" in done.stderr
    assert fetched.exists()


def test_jars_are_fetched_with_good_inputs(fetched: Path) -> None:
    Path("problems").mkdir()
    Path("problems", "problem.smt2").write_text(PROBLEM)
    done = campaign("interpolation", "--solvers=smtinterpol", "-runs=1", "problems/")
    assert "Maven does not fetch" in done.stderr
    assert fetched.exists()


def campaign(target: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "fuzz_targets" / f"{target}.py"), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)
