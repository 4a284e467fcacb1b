"""What a campaign needs, tried out: packages, the Z3 and its events, cvc5, and a real libFuzzer for a few executions.

A campaign in which libFuzzer sees no counters, or has no custom mutator, goes on all the same and finds next to
nothing. So nothing is concluded from versions: a tiny campaign runs, and what libFuzzer itself prints of it is read.
"""

from __future__ import annotations

import enum
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from chcfuzz.execution.solving import LIBRARY_VARIABLE, Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers import python
from chcfuzz.solvers.dialects import DIALECTS, on_path
from chcfuzz.solvers.z3_release import Release, cache_folder

_RUNS = 40  # of the tiny campaign, half of them mutants
_SECONDS = 600.0  # behind it
_NAME = re.compile(r"[\w.-]+")
_LOADED = re.compile(r"^INFO: Loaded \d+ modules? +\((\d+) inline 8-bit counters\)", re.MULTILINE)
_FEATURES = re.compile(r"^#\d+\s+\w+\s+(?:cov: \d+ )?ft: (\d+)", re.MULTILINE)
_MUTATED = re.compile(r" MS: \d+ (\S+)")


class State(enum.Enum):
    """What a check says."""

    FINE = "ok"
    NOTE = "note"  # it works, and there is more to have
    BAD = "BAD"


@dataclass(frozen=True)
class Check:
    """`words` say what was seen, `advice` what to do about it (empty where there is nothing to do)."""

    state: State
    words: str
    advice: str = ""

    def lines(self) -> Iterator[str]:
        """For people."""
        yield f"{self.state.value:5} {self.words}"
        if self.advice:
            yield f"      -> {self.advice}"


def checks(solving: Solving) -> Iterator[Check]:
    """One after another, the quick ones first; what cannot be tried any more after a bad one is left out."""
    yield _system()
    packages = list(_packages())
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
    yield from _other_solvers()
    yield from _campaign(solving)


def _system() -> Check:
    words = (
        f"Python {platform.python_version()} on {platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    )
    if sys.platform != "linux":
        return Check(State.BAD, words, "campaigns run on Linux alone")
    return Check(State.FINE, words)


def _packages() -> Iterator[Check]:
    """What is installed of all that this program requires."""
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
    """Folders that are written."""
    temporary, cache = Path(tempfile.gettempdir()), cache_folder()
    nearest = next(folder for folder in (cache, *cache.parents) if folder.exists())
    if os.access(nearest, os.W_OK):
        yield Check(State.FINE, f"temporary files go to {temporary}, what is fetched once to {cache}")
    else:
        yield Check(State.NOTE, f"{str(cache)!r} cannot be written", "name another folder in XDG_CACHE_HOME")


def _z3(solving: Solving, release: Release) -> Iterator[Check]:
    """Which Z3 will be used, and where events come from."""
    from chcfuzz.execution.pipeline import event_source

    events = event_source(solving)
    edges = len(events.edges.counters)
    yield Check(
        State.FINE,
        f"Z3 {release.version} in {release.library_folder}, events: {events.name}"
        + (f", {edges} edges" if edges else ""),
    )
    if release.traced is not None:
        return
    builds = sorted(file.parent for file in (cache_folder() / "z3-traced").glob("*/BUILD_INFO"))
    if builds:
        advice = f"--z3-library {builds[-1]}, or the same in ${LIBRARY_VARIABLE}"
    else:
        advice = "./build_z3_traced.sh --install-deps, half an hour to two hours; or unpack a package of one"
    yield Check(State.NOTE, "not a traced build, which shows every trace site and edges, and sees more", advice)


def _cvc5() -> Check:
    from chcfuzz.oracles import second_solver

    if second_solver.answers("(assert false)\n(check-sat)\n") == ("unsat",):
        return Check(State.FINE, "cvc5 answers, in a process of its own")
    return Check(State.BAD, "cvc5 does not answer `(assert false)` with unsat", "pip install --force-reinstall cvc5")


def _other_solvers() -> Iterator[Check]:
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
    """A tiny one of the real target, on the built-in seeds."""
    with tempfile.TemporaryDirectory(prefix="chcfuzz-doctor-") as folder:
        flags = [*solving.arguments, f"--findings={folder}/findings", f"-runs={_RUNS}", "-seed=1"]
        target = "chcfuzz.fuzz_targets.spacer" if solving.command is None else "chcfuzz.fuzz_targets.chc_command"
        command = python.command("-m", target, *flags)
        how = {"env": python.environment(), "cwd": folder, "capture_output": True, "timeout": _SECONDS}
        try:
            done = subprocess.run(command, text=True, errors="replace", check=False, **how)  # type: ignore[call-overload]
        except subprocess.TimeoutExpired:
            yield Check(State.BAD, f"a campaign of {_RUNS} executions does not end within {_SECONDS:.0f} s")
            return
    yield from read_campaign(done.returncode, done.stderr)


def read_campaign(code: int, said: str) -> Iterator[Check]:
    """What libFuzzer's own output says of a campaign."""
    if code != 0:
        last = (said.strip().splitlines() or ["nothing is said"])[-1]
        yield Check(State.BAD, f"a campaign of {_RUNS} executions ends with exit code {code}: {last}")
        return
    counters, features = _LOADED.search(said), [int(count) for count in _FEATURES.findall(said)]
    if counters and features and features[-1] > 0:
        yield Check(
            State.FINE, f"libFuzzer sees {counters[1]} counters; {_RUNS} executions show {features[-1]} features"
        )
    else:
        advice = "unset LD_PRELOAD, and reinstall atheris 3.0 or newer with its own libFuzzer"
        yield Check(State.BAD, "libFuzzer sees no counter of ours: it would keep nothing", advice)
    chains = _MUTATED.findall(said)
    ours = [chain for chain in chains if "Custom" in chain]
    if chains and len(ours) == len(chains):
        yield Check(State.FINE, f"the custom mutator is live: it made all {len(chains)} units that were kept")
    elif not chains:
        yield Check(
            State.BAD, "no mutant was kept, so the custom mutator cannot be seen", "report it, with this output"
        )
    else:
        advice = "unset LD_PRELOAD: a libFuzzer that is preloaded ignores it (google/atheris issue 54)"
        yield Check(State.BAD, f"the custom mutator made {len(ours)} of {len(chains)} units that were kept", advice)
