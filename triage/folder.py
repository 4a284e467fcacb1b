"""What lies in a finding's folder: all that a person needs to see it with nothing but released solvers.

::

    README.txt      a line on what was found, and one on each file
    mutant.smt2     the system, its parameters as set-option (options of a command are in show.sh)
    seed.smt2       the system that the chain started from
    model.smt2      a model as define-funs, and each clause negated under it: a solver answers unsat each time
    refutation      a derivation of false from ground facts, a line a step, to be checked by hand
    refutation.smt2 the same for a solver: each step negated, unsat each time
    evidence.smt2   for a wrong model: plain SMT-LIB that is satisfiable exactly because the model is wrong
    show.sh         makes a virtual environment with the solver's release and cvc5, and runs all of these
    ask_cvc5.py     how show.sh asks cvc5
    suspicion.json  of a contradiction: what `chcfuzz confirm` looks into again
    recipe          the unit, for `chcfuzz show` and `chcfuzz replay`
    record.json     versions, promise, answers, what was tried, cause, chain in words; format `chcfuzz-finding 4`
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from importlib import metadata
from typing import Any

from chcfuzz.solvers.command import FILE
from chcfuzz.triage.confirm import Confirmation
from chcfuzz.triage.scope import Standing

FORMAT = "chcfuzz-finding 4"
_KINDS = {"wrong-answer": "wrong answer", "wrong-model": "wrong model"}

_ASK_CVC5 = '''"""Prints what cvc5 answers to the check-sats of a script: python ask_cvc5.py FILE (pip install cvc5)."""

import sys

import cvc5

solver = cvc5.Solver(cvc5.TermManager())
for option, value in (("incremental", "true"), ("arrays-exp", "true"), ("tlimit-per", "60000")):
    solver.setOption(option, value)
parser = cvc5.InputParser(solver)
parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.argv[1])
while not (command := parser.nextCommand()).isNull():
    print(command.invoke(solver, parser.getSymbolManager()), end="")
'''


def headline(confirmation: Confirmation) -> str:
    """A line on what was found."""
    kind = str(confirmation.conclusion["kind"])
    parameters = ", ".join(f"{name}={value}" for name, value in confirmation.description["parameters"])
    return f"{_KINDS.get(kind, kind)} ({confirmation.conclusion['words']}; {parameters or 'default parameters'})"


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
        texts["evidence.smt2"] = conclusion["evidence"]
    script = _script(confirmation, texts)
    texts |= {"show.sh": script, "ask_cvc5.py": _ASK_CVC5}
    if conclusion["end"] == "contradiction":
        texts["suspicion.json"] = confirmation.suspicion.written().decode()
    texts["README.txt"] = _readme(confirmation, [*texts, "recipe", "record.json"])
    record = json.dumps(_record(confirmation, standing), indent=2) + "\n"
    return {name: text.encode() for name, text in texts.items()} | {
        "recipe": confirmation.unit,
        "record.json": record.encode(),
    }


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
    "show.sh": "runs all of these; makes a virtual environment for it in ./venv, or takes $Z3 and $PYTHON",
    "ask_cvc5.py": "how show.sh asks cvc5, the second judge",
    "recipe": "the same as a unit: chcfuzz show, chcfuzz replay",
    "suspicion.json": "what chcfuzz confirm looks into again, with larger limits or other solvers",
    "record.json": "versions, answers, what was tried, the cause, the chain of mutations in words",
}


def _readme(confirmation: Confirmation, names: list[str]) -> str:
    solver = _solver(confirmation)
    lines = [f"{solver}: {headline(confirmation)}", ""]
    return "\n".join([*lines, *(f"{name:<16}{_FILES[name]}" for name in _FILES if name in names), ""])


def _solver(confirmation: Confirmation) -> str:
    command = _command(confirmation)
    return shlex.join(command) if command else f"z3-solver {confirmation.description['z3']}"


def _command(confirmation: Confirmation) -> list[str]:
    return list(confirmation.runs.get("given", {}).get("command", []))


def _script(confirmation: Confirmation, texts: Mapping[str, str]) -> str:
    description, conclusion = confirmation.description, confirmation.conclusion
    command = _command(confirmation)
    answer = confirmation.runs.get("given", {}).get("status", "a death")
    right = (conclusion.get("witness") or {}).get("status") or description["expected"]
    lines = [
        "#!/bin/sh",
        f"# {_solver(confirmation)}: {' '.join(str(conclusion['words']).split())}.",
        'cd "$(dirname "$0")" || exit',
        'if [ -z "$Z3" ]; then',
        '  venv="${VENV:-./venv}"',
        '  if [ ! -x "$venv/bin/z3" ]; then',
        f'    python3 -m venv "$venv" && "$venv/bin/pip" install --quiet z3-solver=={description["z3"]} || exit',
        '    "$venv/bin/pip" install --quiet cvc5 || echo "no wheel of cvc5 for this machine: it is not asked"',
        "  fi",
        '  Z3="$venv/bin/z3" PYTHON="$venv/bin/python"',
        "fi",
        "cvc5() {",
        '  if "${PYTHON:-python3}" -c "import cvc5" 2>/dev/null; then "${PYTHON:-python3}" ask_cvc5.py "$1"',
        '  else echo "cvc5 is not installed: pip install cvc5"; fi',
        "}",
        f'echo "mutant.smt2: {answer} was seen here{f", {right} is right" if right and right != answer else ""}:"',
        shlex.join(word.replace(FILE, "mutant.smt2") for word in command) if command else '"$Z3" mutant.smt2',
    ]
    for name, meaning in (
        ("model.smt2", "unsat for each clause, because the model holds"),
        ("refutation.smt2", "unsat for each step, because each is right"),
        ("evidence.smt2", "sat, because the model that the solver gave is wrong"),
    ):
        if name in texts:
            lines += [f'echo "{name}: {meaning}, says Z3:"', f'"$Z3" {name}']
            lines += [f'echo "{name}, says cvc5:"', f"cvc5 {name}"]
    return "\n".join(lines) + "\n"
