"""Every command in the documents is checked, and run unless the comment above its block gives a reason not to.

A block of shell code is run in a folder with a small corpus, a finding and a grown corpus. `slow:` in the comment above
a block makes its test slow; `not run:` and `needs` limit it to a check of its programs and flags.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from chcfuzz.campaign import command_line
from chcfuzz.commands import fuzz, main
from chcfuzz.execution.solving import Solving
from chcfuzz.fuzz_targets import libfuzzer_flags

from tests.docs.documents import DOCUMENTS, Block, blocks, prose
from tests.targets import ROOT, SAFETY_NET

SHELL = blocks("sh")
BINARIES = Path(sys.executable).parent
FINDING = "wrong-model-f25bdf-f0e4f12cca7c"  # a stored finding of Z3 4.8.14, used for each finding in the documents
OTHER_PROGRAMS = {
    "python3", "pip", "pytest", "git", "cmake", "clang", "clang++", "chown", "cp", "mkdir", "mv", "rm", "rsync", "cd",
    "systemctl", "systemd-analyze", "journalctl",
}  # fmt: skip
# Flags of solvers that are named in the prose.
OTHER_FLAGS = {"--engine", "--safe-mode", "--proof-format", "--print-witness", "--forced-covering", "--version"} | {
    "--nthreads",
    "--memory-limit",
}
# Replaced before a block is run: time by a number of executions, the parts that need a network, and findings.
SHORTER = (
    (r"-max_total_time=\d+", "-runs=30"),
    (r"-runs=500", "-runs=30"),
    (r"chcfuzz report (?=findings)", "chcfuzz report --no-bisect "),  # no downloads
    (r"python3 -m venv \.venv && ", ""),
    (r"\.venv/bin/pip install -e \S+ && ", ""),
    (r"findings/wrong-[\w-]+", f"findings/{FINDING}"),
)


def test_every_block_has_a_mark_that_is_understood() -> None:
    assert len(SHELL) > 20
    assert not [f"{block}: {block.mark}" for block in SHELL if not block.has_known_mark]


@pytest.mark.parametrize("block", SHELL, ids=str)
def test_every_program_and_flag_exists(block: Block) -> None:
    subprocess.run(["bash", "-n"], input=block.text, text=True, check=True)
    for words in block.commands():
        command = [re.sub(r"\$\(\w+\)", "1", word) for word in words]
        while re.fullmatch(r"\w+=.*", command[0]):
            command = command[1:] or ["true"]
        if command != ["true"]:
            _check(command)


def _check(command: list[str]) -> None:
    program, *words = command
    name = Path(program).name
    if name.startswith("python") and words[:1] == ["-m"] and words[1].startswith("bench."):
        program, words = f"{words[1].replace('.', '/')}.py", words[2:]
        name = Path(program).name
    if name.startswith("python") and words[0].endswith(".py"):
        program, *words = words
        name = Path(program).name
    if program.startswith("fuzz_targets/") or command[:2] == ["chcfuzz", fuzz.NAME]:
        assert (ROOT / "fuzz_targets" / name).is_file() or name == "chcfuzz"
        _check_campaign([word for word in words if word != fuzz.NAME])
    elif name == "chcfuzz":
        _check_subcommand(main.split(words)[0])
    elif program.startswith(("./", "bench/")) and (ROOT / program).is_file():
        source = (ROOT / program).read_text()
        if program.startswith("bench/"):
            source += (ROOT / "bench" / "campaigns.py").read_text()  # flags that all benchmarks share
        if "Solving.add_flags" in source:
            shared = argparse.ArgumentParser()
            Solving.add_flags(shared)
            source += shared.format_help()
        for flag in (word.partition("=")[0] for word in words if word.startswith("--")):
            assert flag in source, f"{program} does not have the flag {flag}"
    else:
        assert name in OTHER_PROGRAMS, f"unknown program: {program}"


def _check_campaign(words: list[str]) -> None:
    _, rest = command_line.parser().parse_known_args(words)
    flags = [word for word in rest if word.startswith("-")]
    command_line.check_libfuzzer_flags(flags, libfuzzer_flags.known())


def _check_subcommand(words: list[str]) -> None:
    main.build_parser().parse_args(words)


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_subcommand_and_flag_in_the_prose_exists(file: Path) -> None:
    names = {command.NAME for command in main.COMMANDS} | {"COMMAND", "help", "--version"}
    for code in re.findall(r"`([^`]+)`", prose(file)):
        words = code.split()
        if words[0] == "chcfuzz" and len(words) > 1:
            assert words[1] in names, f"{file.name}: {code}"
        for flag in re.findall(r"(?<!\S)--[a-z][a-z0-9-]+", code):
            assert flag in _flags() | OTHER_FLAGS, f"{file.name}: {code}"


@cache
def _flags() -> frozenset[str]:
    """Return the flags of all programs of the project."""
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    for command in main.COMMANDS:
        if command.NAME != "corpus":  # has subcommands
            command.add_flags(parser)
    scripts = [ROOT / "build_z3_traced.sh", *(ROOT / "bench").rglob("*.py"), *(ROOT / "commands").glob("*.py")]
    text = "\n".join(
        [parser.format_help(), command_line.parser().format_help(), *(file.read_text() for file in scripts)]
    )
    return frozenset(re.findall(r"--[a-z][a-z0-9-]+", text))


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """Return a folder with the programs, twelve cheap seeds, a grown corpus and a findings folder."""
    for name in ("fuzz_targets", "bench", "reports"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    cheap = sorted((ROOT / "corpus" / "lia").glob("*.smt2"), key=lambda file: (file.stat().st_size, file.name))[:12]
    (tmp_path / "corpus" / "lia").mkdir(parents=True)
    for file in cheap:
        shutil.copy(file, tmp_path / "corpus" / "lia")
    (tmp_path / "grown").mkdir()
    shutil.copy(ROOT / "tests" / "mutators" / "samples" / "2-chain.recipe", tmp_path / "grown" / "UNIT")
    samples = ROOT / "tests" / "formats" / "samples"
    shutil.copytree(samples / "finding-4", tmp_path / "findings" / FINDING)
    shutil.copy(samples / "state-1.json", tmp_path / "findings" / "state.json")
    return tmp_path


def run(block: Block, world: Path) -> None:
    """Run a block in `world`, shortened; every command has to succeed."""
    text = block.text
    for pattern, shorter in SHORTER:
        text = re.sub(pattern, shorter, text)
    environment = {**os.environ, "PATH": f"{BINARIES}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-euxo", "pipefail", "-c", text],
        cwd=world,
        env=environment,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=SAFETY_NET * 2,
        check=False,
    )
    assert done.returncode == 0, f"{block}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"


@pytest.mark.parametrize("block", [block for block in SHELL if block.is_executed and not block.is_slow], ids=str)
def test_quick_commands_succeed(block: Block, world: Path) -> None:
    run(block, world)


@pytest.mark.slow
@pytest.mark.parametrize("block", [block for block in SHELL if block.is_executed and block.is_slow], ids=str)
def test_slow_commands_succeed(block: Block, world: Path) -> None:
    run(block, world)
