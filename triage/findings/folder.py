"""What lies in a finding's folder: all that a person needs to see it with nothing but released solvers.

::

    README.txt      a line on what was found, and one on each file
    mutant.smt2     the system, its parameters as set-option (options of a command are in show.sh)
    seed.smt2       the system that the chain started from
    model.smt2      a model as define-funs, and each clause negated under it: a solver answers unsat each time
    refutation      a derivation of false from ground facts, a line a step, to be checked by hand
    refutation.smt2 the same for a solver: each step negated, unsat each time
    evidence.smt2   for a wrong model: plain SMT-LIB that is satisfiable exactly because the model is wrong
    session.json    of what depends on what the process solved before: all these systems, the mutant last
    step.smt2       for a wrong derivation: plain SMT-LIB that shows a wrong step of it, as its first line says
    show.sh         makes a virtual environment with the solver's release and cvc5, and runs all of these
    ask_cvc5.py     how show.sh asks cvc5
    ask_session.py  how show.sh asks one process for all of these
    ask_z3.py       how show.sh asks Z3 as a library, which is how chcfuzz does; its program may answer otherwise
    suspicion.json  of a contradiction: what `chcfuzz confirm` looks into again
    recipe          the unit, for `chcfuzz show` and `chcfuzz replay`
    record.json     versions, promise, answers, what was tried, cause, chain in words; format `chcfuzz-finding 4`

and what `chcfuzz reduce` adds (`reduce.Written`): `reduced.smt2`, with a witness of its own; and `chcfuzz locate`:
`location.json`, and in README.txt the same in words.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence, Set
from importlib import metadata
from pathlib import Path
from typing import Any

from chcfuzz.execution.files import write_whole
from chcfuzz.solvers.command import FILE
from chcfuzz.triage.examine.confirm import Confirmation
from chcfuzz.triage.examine.scope import Standing
from chcfuzz.triage.findings.location import Location, in_words, read_location
from chcfuzz.triage.findings.scripts import ASK_CVC5, ASK_SESSION, ASK_Z3

FORMAT = "chcfuzz-finding 4"
_KINDS = {
    "wrong-answer": "wrong answer",
    "wrong-model": "wrong model",
    "wrong-proof": "wrong proof",
    "carry-over": "what was solved before changes it",
}


def headline(confirmation: Confirmation) -> str:
    """A line on what was found."""
    conclusion, parameters = confirmation.conclusion, dict(confirmation.description["parameters"])
    return _headline(str(conclusion["kind"]), str(conclusion["words"]), parameters)


def _headline(kind: str, words: str, parameters: Mapping[str, str]) -> str:
    under = ", ".join(f"{name}={value}" for name, value in parameters.items())
    return f"{_KINDS.get(kind, kind)} ({words}; {under or 'default parameters'})"


def files(confirmation: Confirmation, standing: Standing) -> dict[str, bytes]:
    """The files of a finding's folder, by name."""
    description, conclusion = confirmation.description, confirmation.conclusion
    texts: dict[str, str] = {"mutant.smt2": description["mutant"], "seed.smt2": description["seed"]}
    for witness in (conclusion.get("witness"), conclusion.get("against")):
        if witness and witness["status"] == "sat":
            texts["model.smt2"] = witness["script"]
        elif witness:
            texts["refutation"] = witness["text"]
            texts["refutation.smt2"] = witness["script"]
    if conclusion.get("evidence"):
        name = "step.smt2" if conclusion["kind"] == "wrong-proof" else "evidence.smt2"
        texts[name] = conclusion["evidence"]
    texts["ask_cvc5.py"] = ASK_CVC5
    if conclusion["kind"] == "carry-over":
        texts |= {"session.json": _session(confirmation), "ask_session.py": ASK_SESSION}
    if conclusion["end"] == "contradiction":
        texts["suspicion.json"] = confirmation.suspicion.written().decode()
    record = _record(confirmation, standing)
    if not record["command"]:
        texts["ask_z3.py"] = ASK_Z3
    texts["record.json"] = json.dumps(record, indent=2) + "\n"
    names = {*texts, "recipe", "show.sh"}
    texts |= {"show.sh": _script(record, names), "README.txt": _readme(record, names)}
    return {name: text.encode() for name, text in texts.items()} | {"recipe": confirmation.unit}


def _session(confirmation: Confirmation) -> str:
    """What one process is asked; how it is started is in the record."""
    told = confirmation.conclusion["session"]
    return json.dumps({name: told[name] for name in ("server", "requests")}, indent=1) + "\n"


def rewrite(finding: Path) -> None:
    """Write README.txt and show.sh of a finding's folder anew, from its record and what lies there.

    Raises `OSError`, and `LocationError` for a damaged `location.json`, and then leaves the old ones.
    """
    names = {path.name for path in finding.iterdir()}
    record = json.loads((finding / "record.json").read_text())
    reduced = json.loads((finding / "reduced.json").read_text()) if "reduced.json" in names else {}
    write_whole(finding / "show.sh", _script(record, names, reduced.get("command", ())).encode(), mode=0o755)
    location = read_location(finding)
    write_whole(finding / "README.txt", _readme(record, names, location).encode())


def portable(finding: Path) -> dict[str, bytes]:
    """The files of a finding that can be handed on: what says how the solver is started on this machine stays here.

    README.txt and show.sh name those alone, and of a command only its program. Raises `OSError`.
    """
    names = {"show.sh", *(path.name for path in finding.iterdir() if path.name in _FILES)} - _OF_THIS_MACHINE
    record = json.loads((finding / "record.json").read_text())
    reduced = json.loads((finding / "reduced.json").read_text()) if (finding / "reduced.json").is_file() else {}
    record |= {name: by_program(record.get(name, ())) for name in ("command", "session")}
    found = {name: (finding / name).read_bytes() for name in sorted(names - {"show.sh"})}
    script = _script(record, names, by_program(reduced.get("command", ())))
    return found | {"README.txt": _readme(record, names).encode(), "show.sh": script.encode()}


def by_program(command: Sequence[str]) -> list[str]:
    """A command with its program by name alone: where it lies is this machine's."""
    return [Path(word).name if number == 0 else word for number, word in enumerate(command)]


def run_of(name: str, command: Sequence[str], z3: str = "z3") -> str:
    """The shell's line that runs the solver on a file of the folder."""
    return shlex.join(word.replace(FILE, name) for word in command) if command else f"{z3} {name}"


def session_run_of(start: Sequence[str], python: str = "python3") -> str:
    """The shell's line that asks one process, started by these words, for all of session.json."""
    return f"{python} ask_session.py {shlex.join(start)}"


def _record(confirmation: Confirmation, standing: Standing) -> dict[str, Any]:
    description, conclusion = confirmation.description, confirmation.conclusion
    witness, seed = conclusion.get("witness"), confirmation.suspicion.seed
    given: Mapping[str, Any] = confirmation.runs.get("given", {})
    return {
        "format": FORMAT,
        "kind": conclusion["kind"],
        "cause": conclusion["cause"],
        "scope": standing.record(),
        "witness": conclusion["words"],
        "witness_for": witness["status"] if witness else None,
        "cvc5": {"evidence": conclusion.get("cvc5", ""), "witness": list(witness["cvc5"]) if witness else []},
        "chcfuzz": metadata.version("chcfuzz"),
        "z3": description["z3"],
        "solving": list(confirmation.suspicion.solving),
        "command": given.get("command", []),
        "session": list(conclusion.get("session", {}).get("start", ())),
        "expected": description["expected"],
        "seed": {"status": seed.status, "ground": seed.ground} if seed else None,
        "answer": given.get("status", "death"),
        "promise": description["promise"],
        "parameters": dict(description["parameters"]),
        "chain": description["chain"],
        "answers_along_the_chain": list(conclusion.get("statuses", ())),
        "tried": dict(conclusion.get("tried", {})),
        "runs": {name: _without_evidence(run) for name, run in confirmation.runs.items() if name == "given"},
    }


def _without_evidence(run: Mapping[str, Any]) -> dict[str, Any]:
    verdicts = [{k: v for k, v in verdict.items() if k != "evidence"} for verdict in run["verdicts"]]
    return {**run, "verdicts": verdicts}


_FILES = {
    "mutant.smt2": "the system, with its parameters as set-option",
    "seed.smt2": "the system that the chain of mutations started from",
    "model.smt2": "a model of mutant.smt2, and each clause negated under it: unsat each time, so mutant.smt2 is sat",
    "refutation": "a derivation of false from the clauses of mutant.smt2 (counted from 0): so mutant.smt2 is unsat",
    "refutation.smt2": "the same for a solver: each step negated, unsat each time",
    "evidence.smt2": "the model that the solver gave, and a clause negated: sat, because the model is wrong",
    "step.smt2": "shows that a step of the solver's derivation does not follow; its first line says how",
    "session.json": "the systems that one process is asked for, mutant.smt2 the last",
    "ask_session.py": "how show.sh asks one process for all systems of session.json",
    "show.sh": "runs all of these; makes a virtual environment for it in ./venv, or takes $Z3 and $PYTHON",
    "ask_cvc5.py": "how show.sh asks cvc5, the second judge",
    "ask_z3.py": "how show.sh asks Z3 as a library, as chcfuzz does: its program may take another way",
    "recipe": "the same as a unit: chcfuzz show, chcfuzz replay",
    "suspicion.json": "what chcfuzz confirm looks into again, with larger limits or other solvers",
    "reduced.smt2": "the smallest system that chcfuzz reduce found to show the same, with its parameters",
    "reduced-model.smt2": "a model of reduced.smt2, as model.smt2 is one of mutant.smt2",
    "reduced-refutation": "a derivation of false from the clauses of reduced.smt2",
    "reduced-refutation.smt2": "the same for a solver",
    "reduced-evidence.smt2": "the model that the solver gives of reduced.smt2, and a clause negated: sat",
    "reduced-step.smt2": "the same for a step of its derivation for reduced.smt2",
    "reduced-recipe": "the unit without the steps and parameters that it does not need",
    "reduced.json": "sizes before and after, tests, how the reduced system shows the finding",
    "location.json": "what chcfuzz locate found: where it comes from, as below",
    "record.json": "versions, answers, what was tried, the cause, the chain of mutations in words",
}


_OF_THIS_MACHINE = frozenset(("record.json", "reduced.json", "suspicion.json"))
_WIDTH = max(map(len, _FILES)) + 2


def _readme(record: Mapping[str, Any], names: Set[str], location: Location | None = None) -> str:
    headline = _headline(record["kind"], record["witness"], record["parameters"])
    lines = [f"{_solver(record)}: {headline}", ""]
    lines += [f"{name:<{_WIDTH}}{_FILES[name]}" for name in _FILES if name in names]
    if location is not None:
        lines += ["", "Where it comes from:", *(f"{about:<{_WIDTH}}{text}" for about, text in in_words(location))]
    return "\n".join([*lines, ""])


def _solver(record: Mapping[str, Any]) -> str:
    return shlex.join(record["command"]) if record["command"] else f"z3-solver {record['z3']}"


def _script(record: Mapping[str, Any], names: Set[str], reduced_command: Sequence[str] = ()) -> str:
    answer, right = record["answer"], record["witness_for"] or record["expected"]
    answer = "a death" if answer == "death" else answer
    told = f"{answer} was seen here{f', {right} is right' if right and right != answer else ''}"
    lines = [
        "#!/bin/sh",
        f"# {_solver(record)}: {' '.join(record['witness'].split())}.",
        'cd "$(dirname "$0")" || exit',
        'if [ -z "$Z3" ]; then',
        '  venv="${VENV:-./venv}"',
        '  if [ ! -x "$venv/bin/z3" ]; then',
        f'    python3 -m venv "$venv" && "$venv/bin/pip" install --quiet z3-solver=={record["z3"]} || exit',
        '    "$venv/bin/pip" install --quiet cvc5 || echo "no wheel of cvc5 for this machine: it is not asked"',
        "  fi",
        '  Z3="$venv/bin/z3" PYTHON="$venv/bin/python"',
        "fi",
        "cvc5() {",
        '  if "${PYTHON:-python3}" -c "import cvc5" 2>/dev/null; then "${PYTHON:-python3}" ask_cvc5.py "$1"',
        '  else echo "cvc5 is not installed: pip install cvc5"; fi',
        "}",
        *_shown("mutant.smt2", told, record["command"], names),
    ]
    if "session.json" in names:
        lines += ['echo "mutant.smt2, as the last of session.json:"']
        lines += [session_run_of(record["session"], '"${PYTHON:-python3}"')]
    lines += _checked("", names)
    if "reduced.smt2" in names:
        lines += _shown("reduced.smt2", told, reduced_command or record["command"], names)
        lines += _checked("reduced-", names)
    return "\n".join(lines) + "\n"


def _shown(name: str, told: str, command: Sequence[str], names: Set[str]) -> list[str]:
    """The lines that run the solver on a file."""
    lines = [f'echo "{name}: {told}:"', run_of(name, command, '"$Z3"')]
    if "ask_z3.py" in names:
        lines += [f'echo "{name}, asked as a library:"', f'"${{PYTHON:-python3}}" ask_z3.py {name}']
    return lines


def _checked(prefix: str, names: Set[str]) -> list[str]:
    """The lines that check what lies there for a system."""
    lines = []
    for end, meaning in (
        ("model.smt2", "unsat for each clause, because the model holds"),
        ("refutation.smt2", "unsat for each step, because each is right"),
        ("evidence.smt2", "sat, because the model that the solver gave is wrong"),
        ("step.smt2", "a step of the solver's derivation does not follow, as the first line of the file says"),
    ):
        name = prefix + end
        if name in names:
            lines += [f'echo "{name}: {meaning}, says Z3:"', f'"$Z3" {name}']
            lines += [f'echo "{name}, says cvc5:"', f"cvc5 {name}"]
    return lines
