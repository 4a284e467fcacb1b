"""The lines of show.sh about an interpolating solver: it runs by `ask_itp`, which checks its interpolants."""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path

from chcfuzz.domains.smt.finding_script import script_with
from chcfuzz.solvers.command import FILE
from chcfuzz.triage.findings.compared_solvers import Several, requirements
from chcfuzz.triage.findings.contents import INPUT
from chcfuzz.triage.findings.reductions import prefix_of, stem_of
from chcfuzz.triage.findings.shell import quoted, say

RUNNER = "ask_itp.py"  # is in the folder of a finding if the solvers interpolate
ASK_ITP = Path(__file__).with_name(RUNNER).read_text()
JUDGES = ("z3", "cvc5")  # of the evidence


def packages(several: Several) -> tuple[str, ...]:
    """Return the packages of the solver under test, and of the solvers that check its interpolants."""
    name, release = several.tested
    found = dict.fromkeys((*requirements({name: release}), *requirements({"z3": several.z3})))
    return (*found, *(() if any(package.startswith("cvc5=") for package in found) else ("cvc5",)))


def run_of(several: Several, system: str, names: Set[str], python: str = "python3") -> str:
    """Return the shell command that interpolates a file with the solver under test, and checks the interpolants."""
    read, command = prefix_of(stem_of(system)) + INPUT, several.command_on(system)
    words = [several.tested[0], system]
    if read in names:
        words += [read, *(word.replace(FILE, read) for word in command)]
    return f"{python} {RUNNER} {quoted(words)}"


def commands(several: Several, system: str, names: Set[str]) -> list[str]:
    """Return the commands that install the solvers and interpolate a problem; `names` are the files in the folder."""
    return [quoted(("pip", "install", *packages(several))), run_of(several, system, names)]


def script(several: Several, headline: str, result: str, names: Set[str]) -> str:
    """Return show.sh: the solver under test interpolates, and its interpolants are checked."""
    return script_with(packages(several), JUDGES, lambda system: shown(several, system, result, names), headline, names)


def shown(several: Several, system: str, result: str, names: Set[str]) -> list[str]:
    """Return the lines that name the solver under test, and run it."""
    title = f"{system}, {' '.join(several.tested).strip()}: {result}:"
    return [say(title), run_of(several, system, names, '"$PYTHON"')]
