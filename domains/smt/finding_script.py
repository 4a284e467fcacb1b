"""The programs in the folder of a finding about one of several SMT solvers, and the runs of its text by chcfuzz.

The programs do not need chcfuzz.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from importlib import metadata
from pathlib import Path

from chcfuzz.domains.smt.solvers import releases
from chcfuzz.domains.smt.solvers.selection import PROGRAM, Z3
from chcfuzz.domains.smt.solvers.together import front_end_of, solver_of
from chcfuzz.execution.solving import Solving
from chcfuzz.solvers import python as python_program
from chcfuzz.solvers.command import FILE
from chcfuzz.solvers.z3_release import Release, chosen, environment_of, released
from chcfuzz.triage.findings.compared_solvers import Several, modules, requirements
from chcfuzz.triage.findings.contents import INPUT
from chcfuzz.triage.findings.folder import by_program
from chcfuzz.triage.findings.record import Record
from chcfuzz.triage.findings.reductions import STEMS, prefix_of, stem_of, system_of
from chcfuzz.triage.findings.reproducing import ReleasedRun
from chcfuzz.triage.findings.shell import LIMIT, comment, limited, quoted, say, venv_in_cache

ASK_SMT = r'''"""Print the answers of an SMT solver to a script: python ask_smt.py SOLVER FILE [--plain].

SOLVER is z3, z3-program, cvc5 or bitwuzla, with settings as in z3:sat.euf=true. With --plain, the options in the file
are left out: they are those of the solver that is wrong. (pip install z3-solver cvc5 bitwuzla)
"""

import os
import re
import subprocess
import sys

solver, path = sys.argv[1:3]
text = open(path).read()
option = re.compile(r"^\(set-option :(?!produce-|random-seed)(\S+) (\S+)\)$", re.MULTILINE)
settings = [setting.split("=", 1) for setting in solver.split(":")[1:]]
settings += [] if "--plain" in sys.argv else option.findall(text)
text = option.sub("", text)
text = re.sub(r"^\(set-info :status \S+\)$", "", text, flags=re.MULTILINE)  # cvc5 aborts if its answer is another one
has_one_check = text.count("(check-sat)") == 1 and "(push" not in text and "\n(get-" not in text


def run_z3():
    import z3

    for name, value in settings:
        z3.set_param(name, value)
    if not has_one_check:
        try:
            return z3.Z3_eval_smtlib2_string(z3.main_ctx().ref(), text)
        except z3.Z3Exception as error:  # a query that fails, behind all that was printed before
            printed = error.value.decode() if isinstance(error.value, bytes) else str(error)
            if printed.startswith(("sat", "unsat", "unknown")):
                return printed
            raise
    solver = z3.Solver()
    solver.from_string(text)
    answer = solver.check()
    return f"{answer}\n{solver.model().sexpr() if answer == z3.sat else ''}"


def run_z3_program():
    words = [os.path.join(os.path.dirname(sys.executable), "z3"), "-in"]
    words += [f"{name}={value}" for name, value in settings]
    return subprocess.run(words, input=text, capture_output=True, text=True).stdout


def run_cvc5():
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager()) if hasattr(cvc5, "TermManager") else cvc5.Solver()  # before 1.2
    for name, value in [("incremental", "false" if has_one_check else "true"), ("produce-models", "true"), *settings]:
        solver.setOption(name, value)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, path)
    printed = ""
    while not (command := parser.nextCommand()).isNull():
        printed += str(command.invoke(solver, parser.getSymbolManager()))
    if has_one_check and printed.strip() == "sat":
        symbols = parser.getSymbolManager()
        if not hasattr(symbols, "getDeclaredTerms"):  # before 1.1
            return printed
        model = solver.getModel(symbols.getDeclaredSorts(), symbols.getDeclaredTerms())
        printed += "\n" + (model.decode() if isinstance(model, bytes) else str(model))
    return printed


def run_bitwuzla():
    import bitwuzla

    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    for name, value in settings:
        options.set(name, {"true": True, "false": False}.get(value, int(value) if value.isdecimal() else value))
    sys.stdout.flush()
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(text, False, False)
    return ""


try:
    runs = {"z3": run_z3, "z3-program": run_z3_program, "cvc5": run_cvc5, "bitwuzla": run_bitwuzla}
    print(runs[solver.split(":")[0]]().strip())
except Exception as error:  # the script is not for this solver
    print(f"{solver} refuses the script: {error}")
'''

_CHECKED = (
    ("model.smt2", "unsat for each assertion, because the model holds"),
    ("core.smt2", "unsat according to several solvers"),
    ("evidence.smt2", "sat, because the model or the interpolant that the solver gave is wrong"),
)


_PYTHON = '"$PYTHON"'
_READERS = {"cvc5": "cvc5:arrays-exp=true"}  # models may have constant arrays


def run_of(name: str, solver: str, *, is_tested: bool, python: str = "python3") -> str:
    """Return the shell command that runs a solver on a file; only the solver under test gets the options in it."""
    return f"{python} ask_smt.py {quoted([solver])} {name}{'' if is_tested else ' --plain'}"


def _runs(several: Several, system: str, names: Set[str], python: str) -> list[str]:
    """Return the shell commands that run each solver on a problem, the solver under test first, on its own text."""
    own = prefix_of(stem_of(system)) + INPUT
    tested, command = own if own in names else system, several.command_on(system)
    runs = [
        run_of(system if number else tested, name, is_tested=not number, python=python)
        for number, name in enumerate(several.releases)
    ]
    return [quoted(word.replace(FILE, tested) for word in command), *runs[1:]] if command else runs


def commands(several: Several, system: str, names: Set[str]) -> list[str]:
    """Return the commands that install the solvers and run them on a problem; `names` are the files in the folder."""
    return [quoted(("pip", "install", *requirements(several.releases))), *_runs(several, system, names, "python3")]


def script(several: Several, headline: str, result: str, names: Set[str]) -> str:
    """Return show.sh: the solver under test, which is the first, then the others, then the evidence.

    A command under test runs by itself.
    """

    def shown(system: str) -> Sequence[str]:
        return _shown(system, several, result, names, _PYTHON)

    packages = requirements(several.releases)
    return script_with(packages, tuple(_packaged(several.releases)), shown, headline, names)


def script_with(
    packages: Sequence[str],
    judges: Sequence[str],
    shown: Callable[[str], Sequence[str]],
    headline: str,
    names: Set[str],
) -> str:
    """Return show.sh: it installs packages, runs the lines of `shown` for each problem, and the judges on evidence."""
    lines = [
        "#!/bin/sh",
        comment(f"{headline}."),
        'cd "$(dirname "$0")" || exit',
        'if [ -z "$PYTHON" ]; then',
        venv_in_cache("-".join(packages).replace("==", "-")),
        f'  if ! "$venv/bin/python" -c "import {modules(packages)}" 2>/dev/null; then',
        f'    python3 -m venv "$venv" && "$venv/bin/pip" install --quiet {quoted(packages)} || exit',
        "  fi",
        '  PYTHON="$venv/bin/python"',
        "fi",
        *LIMIT,
    ]
    for stem in ("", *STEMS.values()):
        if system_of(stem) in names:
            lines += [*shown(system_of(stem)), *_checked(prefix_of(stem), names, judges, _PYTHON)]
    return "\n".join(lines) + "\n"


def _packaged(solvers: Mapping[str, str]) -> dict[str, None]:
    """Return the solvers in packages, without their settings."""
    return dict.fromkeys(name.partition(":")[0] for name, release in solvers.items() if release)


def _shown(system: str, several: Several, result: str, names: Set[str], python: str) -> Sequence[str]:
    lines: list[str] = []
    for run, (solver, release) in zip(_runs(several, system, names, python), several.releases.items(), strict=True):
        seen = f": {result}" if not lines else ""
        title = f"{solver} {release}".strip()
        lines += [say(f"{system}, {title}{seen}:"), limited(run)]
    return lines


def _checked(prefix: str, names: Set[str], judges: Sequence[str], python: str) -> Sequence[str]:
    lines = []
    for end, meaning in _CHECKED:
        if prefix + end in names:
            for solver in judges:
                lines.append(say(f"{prefix}{end}: {meaning} ({solver}):"))
                reader = _READERS.get(solver, solver)
                lines.append(limited(run_of(prefix + end, reader, is_tested=False, python=python)))
    return lines


def released_runs(record: Record, system: str, command: Sequence[str]) -> Sequence[ReleasedRun]:
    """Return the runs of the accused solver: Z3's program, and the package of each solver, or a command."""
    if not record.releases:
        return ()
    name, release = next(iter(record.releases.items()))
    command = command or record.command
    if command or not release:
        words = tuple(word.replace(FILE, system) for word in command)
        return (ReleasedRun(by_program(words), words),) if words else ()
    z3 = _z3(record, release) if solver_of(name) == Z3 else None
    program = None if z3 is None else _program(record, release, z3)
    runs = [ReleasedRun(("z3", system), (str(program), system))] if program is not None else []
    words = ("ask_smt.py", name, system)
    environment = _of_package(name, release) if z3 is None else environment_of(z3)
    if environment is not None and front_end_of(name) != PROGRAM:
        runs.append(ReleasedRun(("python3", *words), tuple(python_program.command(*words)), environment))
    return runs


def _program(record: Record, release: str, z3: Release) -> Path | None:
    """Return the z3 program beside the Z3 under test, or the one that the campaign named."""
    return Solving.parsed(record.solving).program() if release == record.z3 else z3.executable


def _z3(record: Record, release: str) -> Release | None:
    """Return the Z3 under test: that of the campaign, or the release that the solver's name has."""
    if release == record.z3:
        solving = Solving.parsed(record.solving)
        return chosen(solving.z3, solving.z3_library)
    return released(release)


def _of_package(name: str, release: str) -> Mapping[str, str]:
    """Return the environment in which Python imports a release of cvc5 or Bitwuzla."""
    package = releases.PACKAGES[solver_of(name)]
    folder: Path | None = None
    if release != metadata.version(package):
        folder = releases.fetched(solver_of(name), release)
    return {} if folder is None else {"PYTHONPATH": str(folder)}
