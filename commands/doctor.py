"""`chcfuzz doctor`: checks of packages, Z3 and its events, cvc5, and a short campaign with the real libFuzzer.

Without coverage counters or without the custom mutator, libFuzzer continues and finds almost nothing. Versions do not
reveal that, so these checks run a tiny campaign and read libFuzzer's own output.
"""

from __future__ import annotations

import argparse
import enum
import os
import platform
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path

from chcfuzz.commands import json_output
from chcfuzz.commands.subcommand import Uses
from chcfuzz.commands.tables import print_wrapped
from chcfuzz.execution.domain import load
from chcfuzz.execution.solving import LIBRARY_VARIABLE, Solving, UsageError
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers import python
from chcfuzz.solvers.command import unpacked
from chcfuzz.solvers.dialects import DIALECTS, on_path
from chcfuzz.solvers.process_group import run_program
from chcfuzz.solvers.z3_release import Release, cache_folder

NAME, HELP, USES = "doctor", "check everything that a campaign needs, and explain how to get missing parts", Uses.NONE
EXAMPLES = (
    "chcfuzz doctor",
    "chcfuzz doctor --z3 4.13.4.0",
)
_RUNS = 40  # of the tiny campaign, half of them mutants
_SECONDS = 600.0  # its time limit
_NAME = re.compile(r"[\w.-]+")
_ANSWERS = re.compile(r"^  answers +sat (\d+), unsat (\d+), unknown (\d+), resource limit (\d+),", re.MULTILINE)
_LOADED = re.compile(r"^INFO: Loaded \d+ modules? +\((\d+) inline 8-bit counters\)", re.MULTILINE)
_FEATURES = re.compile(r"^#\d+\s+\w+\s+(?:cov: \d+ )?ft: (\d+)", re.MULTILINE)
# Names of libFuzzer's mutations. The supervisor may print its line between two of them, as libFuzzer writes each alone.
_MUTATED = re.compile(r" MS: \d+ ((?:[A-Za-z]+-)+)")


class State(enum.Enum):
    """Whether a check has passed; the value begins its line."""

    FINE = "ok"
    NOTE = "note"  # it works, but something better is available
    BAD = "BAD"


@dataclass(frozen=True)
class Check:
    """A check that was made: its state, a message, and advice if something can be done."""

    state: State
    message: str
    advice: str = ""

    def lines(self) -> Iterator[str]:
        """Yield the lines to print."""
        yield f"{self.state.value:5} {self.message}"
        if self.advice:
            yield f"      -> {self.advice}"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    json_output.add_flag(parser)
    Solving.add_flags(parser)


def run(given: argparse.Namespace) -> int:
    """Print each check as soon as it is done; return 1 if one fails."""
    bad = 0
    done: list[Check] = []
    for check in checks(Solving.of(given)):
        done.append(check)
        if not given.json:
            for line in check.lines():
                print_wrapped(line)
            sys.stdout.flush()
        bad += check.state is State.BAD
    if given.json:
        json_output.show([{"state": one.state.value, "message": one.message, "advice": one.advice} for one in done])
        return 1 if bad else 0
    print("a campaign will work" if not bad else f"{bad} to fix before a campaign works")
    return 1 if bad else 0


def checks(solving: Solving) -> Iterator[Check]:
    """Yield the checks, the quick ones first; checks that need a failed one are skipped."""
    yield _system()
    packages = list(package_checks())
    yield from packages
    yield from _places()
    try:
        release = solving.activate()
        yield from _z3(solving, release)
    except ChcfuzzError as error:
        yield Check(State.BAD, str(error))
        return
    if any(check.state is State.BAD for check in packages):
        return
    yield _cvc5()
    yield from other_solver_checks()
    for is_there, message, advice in load(solving.domain).optional_parts():
        yield Check(State.FINE, message) if is_there else Check(State.NOTE, message, advice)
    yield from _campaign(solving)


def _system() -> Check:
    message = (
        f"Python {platform.python_version()} on {platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    )
    if sys.platform != "linux":
        return Check(State.BAD, message, "campaigns run only on Linux")
    return Check(State.FINE, message)


def package_checks() -> Iterator[Check]:
    """Check that all required packages are installed."""
    present = [f"chcfuzz {metadata.version('chcfuzz')}"]
    for required in metadata.requires("chcfuzz") or ():
        found = _NAME.match(required)
        if found is None or "extra ==" in required:
            continue
        try:
            present.append(f"{found[0]} {metadata.version(found[0])}")
        except metadata.PackageNotFoundError:
            yield Check(State.BAD, f"{found[0]} is missing", f"pip install '{required}'")
    yield Check(State.FINE, ", ".join(present))


def _places() -> Iterator[Check]:
    """Check the folders that chcfuzz writes."""
    temporary, cache = Path(tempfile.gettempdir()), cache_folder()
    nearest = next(folder for folder in (cache, *cache.parents) if folder.exists())
    if os.access(nearest, os.W_OK):
        yield Check(State.FINE, f"temporary files go to {temporary}, downloads to {cache}")
    else:
        yield Check(State.NOTE, f"{str(cache)!r} cannot be written", "set XDG_CACHE_HOME to another folder")


def _z3(solving: Solving, release: Release) -> Iterator[Check]:
    """Report the Z3 that is used, and the source of events."""
    from chcfuzz.execution.pipeline import event_source

    if solving.command is not None:
        solving.solver_command()  # raises for a program that cannot be started
        message = f"{unpacked(solving.command)} can be started; Z3 {release.version} in {release.library_folder}"
        yield Check(State.FINE, f"{message} checks its models")
        return
    events = event_source(solving)
    edges = len(events.edges.counters)
    yield Check(
        State.FINE,
        f"Z3 {release.version} in {release.library_folder}, events: {events.name}"
        + (f", {edges} edges" if edges else ""),
    )
    if release.traced is not None or not solving.uses_z3:
        return
    builds = sorted(file.parent for file in (cache_folder() / "z3-traced").glob("*/BUILD_INFO"))
    if builds:
        advice = f"--z3-library {builds[-1]}, or the same in ${LIBRARY_VARIABLE}"
    else:
        advice = (
            "run ./build_z3_traced.sh --install-deps in a clone of chcfuzz (half an hour to two hours), or unpack a "
            "packaged build"
        )
    yield Check(State.NOTE, "this is not a traced build, which would report every trace site and edges", advice)


def _cvc5() -> Check:
    from chcfuzz.oracles import second_solver

    if second_solver.answers("(assert false)\n(check-sat)\n") == ("unsat",):
        return Check(State.FINE, "cvc5 works, in a process of its own")
    return Check(State.BAD, "cvc5 does not answer `(assert false)` with unsat", "pip install --force-reinstall cvc5")


def other_solver_checks() -> Iterator[Check]:
    """Report which solvers of other projects are on PATH; chcfuzz runs without them."""
    for dialect in DIALECTS.values():
        if not dialect.website:
            continue
        program = on_path(dialect)
        if program is not None:
            yield Check(State.FINE, f"{dialect.name} is {program}; --cross auto runs it beside the solver under test")
        else:
            advice = f"for --cross auto or --command {dialect.programs[0]}: published at {dialect.website}"
            yield Check(State.NOTE, f"{dialect.name} is not on PATH ({' or '.join(dialect.programs)})", advice)


def _campaign(solving: Solving) -> Iterator[Check]:
    """Run a tiny campaign of the real target on the built-in seeds."""
    command = solving.solver_command()
    if command is not None:  # its relative paths are those of the user's folder
        solving = replace(solving, command=shlex.join(command.words))
    with tempfile.TemporaryDirectory(prefix="chcfuzz-doctor-") as folder:
        corpus = Path(folder, "corpus")
        corpus.mkdir()
        flags = [*solving.arguments, "--verbose", f"--findings={folder}/findings", f"-runs={_RUNS}", "-seed=1"]
        program = python.command("-m", "chcfuzz.fuzz_targets.campaign", *flags, str(corpus))
        try:
            done = run_program(program, _SECONDS, UsageError, python.environment(), Path(folder))
        except UsageError:
            yield Check(State.BAD, f"a campaign of {_RUNS} executions does not end within {_SECONDS:.0f} s")
            return
    yield from read_campaign(done.code, done.err, solving.uses_z3)


def read_campaign(code: int, output: str, has_events: bool = True) -> Iterator[Check]:
    """Check libFuzzer's output of a campaign.

    Without `has_events`, the solver is a program: it may always show the same features, or print no answer.
    """
    if code != 0:
        last = (output.strip().splitlines() or ["no output"])[-1]
        yield Check(State.BAD, f"a campaign of {_RUNS} executions ends with exit code {code}: {last}")
        return
    answers = _ANSWERS.search(output)
    if not has_events and answers and not any(map(int, answers.groups())):
        advice = (
            "it has to print sat, unsat or unknown on a line of its own (docs/solvers.md); run it on a file by hand"
        )
        yield Check(State.BAD, f"none of {_RUNS} executions ended with an answer", advice)
        return
    counters, features = _LOADED.search(output), [int(count) for count in _FEATURES.findall(output)]
    if counters and features and features[-1] > 0:
        yield Check(
            State.FINE, f"libFuzzer sees {counters[1]} counters; {_RUNS} executions show {features[-1]} features"
        )
    else:
        advice = "unset LD_PRELOAD, and reinstall atheris 3.0 or newer with its own libFuzzer"
        yield Check(State.BAD, "libFuzzer does not see the coverage counters, so it would keep nothing", advice)
    chains = _MUTATED.findall(output)
    custom = [chain for chain in chains if "Custom" in chain]
    if chains and len(custom) == len(chains):
        yield Check(State.FINE, f"the custom mutator is live: it made all {len(chains)} units that were kept")
    elif not chains and not has_events:
        message = "libFuzzer kept no mutant: all answers of the command look the same"
        yield Check(
            State.NOTE, message, "a command that prints models, or a log (docs/solvers.md), guides the campaign"
        )
    elif not chains:
        yield Check(
            State.BAD,
            "libFuzzer kept no mutant, so the custom mutator could not be checked",
            "report this output as a bug",
        )
    else:
        advice = "unset LD_PRELOAD: a libFuzzer that is preloaded ignores it (google/atheris issue 54)"
        yield Check(State.BAD, f"the custom mutator made {len(custom)} of {len(chains)} units that were kept", advice)
