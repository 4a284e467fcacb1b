"""show.sh of a finding about Spacer or a command, with checks by Z3 and cvc5, and the runs of its text by chcfuzz."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from chcfuzz.execution.solving import Solving
from chcfuzz.oracles.verdict import Subject, facts_of
from chcfuzz.solvers import python
from chcfuzz.solvers.command import FILE
from chcfuzz.solvers.z3_release import chosen, environment_of
from chcfuzz.triage.examine.conclusion import ANSWERED
from chcfuzz.triage.findings.folder import by_program, result_of, run_of, session_run_of, summary_of
from chcfuzz.triage.findings.record import Record
from chcfuzz.triage.findings.reductions import STEMS, prefix_of, system_of
from chcfuzz.triage.findings.reproducing import ReleasedRun
from chcfuzz.triage.findings.shell import LIMIT, comment, limited, quoted, say, venv_in_cache

_BUILD = "It was seen in a build of Z3 {0}, whose z3 and python $Z3 and $PYTHON name; this is the release:"


def script(record: Record, names: Set[str], reduced: Mapping[str, Sequence[str]]) -> str:
    """Return show.sh; `names` are the files in the folder, `reduced` the command lines on reduced systems."""
    result = result_of(record)
    release = quoted([f"z3-solver=={record.z3}"])
    lines = [
        "#!/bin/sh",
        comment(f"{summary_of(record)}."),
        'cd "$(dirname "$0")" || exit',
        'if [ -z "$Z3" ]; then',
        venv_in_cache(f"z3-solver-{record.z3}"),
        '  if [ ! -x "$venv/bin/z3" ]; then',
        f'    python3 -m venv "$venv" && "$venv/bin/pip" install --quiet {release} || exit',
        '    "$venv/bin/pip" install --quiet cvc5 || echo "no wheel of cvc5 for this machine: cvc5 is skipped"',
        "  fi",
        *([f"  {say(_BUILD.format(record.z3))}"] if record.is_of_build else []),
        '  Z3="$venv/bin/z3" PYTHON="$venv/bin/python"',
        "fi",
        *LIMIT,
        "cvc5() {",
        '  if "${PYTHON:-python3}" -c "import cvc5" 2>/dev/null; then limited "${PYTHON:-python3}" ask_cvc5.py "$1"',
        '  else echo "cvc5 is not installed: pip install cvc5"; fi',
        "}",
        *_shown("mutant.smt2", result, record, record.command),
    ]
    if "session.json" in names:
        lines += ['echo "mutant.smt2, as the last of session.json:"']
        lines += [session_run_of(record.session, '"${PYTHON:-python3}"')]
    lines += _checked("", names)
    if ANSWERED in names:
        lines += _shown(ANSWERED, "a wrong answer, which that step leads to; the right one is its status", record, ())
    for stem in STEMS.values():
        system = system_of(stem)
        if system in names:
            lines += _shown(system, result, record, reduced.get(system) or record.command)
            lines += _checked(prefix_of(stem), names)
    return "\n".join(lines) + "\n"


def _shown(name: str, result: str, record: Record, command: Sequence[str]) -> list[str]:
    """Return the lines that run the solver on a file, and print the solver's own model if it is the one accused."""
    lines = [say(f"{name}: {result}:")]
    if command:
        return [*lines, limited(run_of(name, command))]
    model = " -model" if facts_of(record.kind).subject is Subject.MODEL else ""
    lines.append(limited(run_of(name, (), '"$Z3"') + model))
    as_library = limited(f'"${{PYTHON:-python3}}" ask_z3.py {name}{model}')
    return [*lines, f'echo "{name}, run as a library:"', as_library]


def _checked(prefix: str, names: Set[str]) -> list[str]:
    """Return the lines that check the witnesses of a system."""
    lines = []
    for end, meaning in (
        ("model.smt2", "unsat for each clause, because the model holds"),
        ("refutation.smt2", "unsat for each step, because each is right"),
        ("core.smt2", "unsat according to several solvers"),
        ("evidence.smt2", "sat, because the model that the solver gave is wrong"),
        ("step.smt2", "a step of the solver is wrong, as the first line of the file explains"),
    ):
        name = prefix + end
        if name in names:
            lines += [f'echo "{name}: {meaning} (Z3):"', limited(f'"$Z3" {name}')]
            lines += [f'echo "{name} (cvc5):"', f"cvc5 {name}"]
    return lines


def released_runs(record: Record, system: str, command: Sequence[str]) -> Sequence[ReleasedRun]:
    """Return the runs of the z3 program and of the library, or of a command; none for a class in Spacer's place."""
    solving = Solving.parsed(record.solving)
    if solving.solver is not None:
        return ()
    command = command or record.command
    if command:
        words = tuple(word.replace(FILE, system) for word in command)
        return (ReleasedRun(by_program(words), words),)
    more = ("-model",) if facts_of(record.kind).subject is Subject.MODEL else ()
    program, release = solving.program(), chosen(solving.z3, solving.z3_library)
    runs = [] if program is None else [ReleasedRun(("z3", system, *more), (str(program), system, *more))]
    environment = None if release is None or record.front_end else environment_of(release)
    if environment is not None:
        words = ("ask_z3.py", system, *more)
        runs.append(ReleasedRun(("python3", *words), tuple(python.command(*words)), environment))
    return runs
