"""The names of the files in a finding's folder, each with its meaning, and its programs."""

from __future__ import annotations

from chcfuzz.triage.findings.reductions import STEMS, prefix_of, record_of, system_of
from chcfuzz.triage.findings.scripts import ASK_CVC5, ASK_SESSION, ASK_Z3
from chcfuzz.triage.shrink.result import Mode

INPUT = "solver-input.smt2"
PROGRAMS = {"ask_cvc5.py": ASK_CVC5, "ask_session.py": ASK_SESSION, "ask_z3.py": ASK_Z3}  # of every domain


def _of_reduction(stem: str, meaning: str) -> dict[str, str]:
    system, prefix = system_of(stem), prefix_of(stem)
    return {
        system: f"{meaning}, with its parameters",
        f"{prefix}{INPUT}": f"the text that the solver reads in place of {system}",
        f"{prefix}model.smt2": f"a model of {system}, like model.smt2",
        f"{prefix}refutation": f"a derivation of false from the clauses of {system}",
        f"{prefix}refutation.smt2": "the same for a solver",
        f"{prefix}core.smt2": f"the assertions of {system}: several other solvers answer unsat",
        f"{prefix}evidence.smt2": f"the same for {system}",
        f"{prefix}step.smt2": f"the same for a step of its derivation for {system}",
        f"{prefix}recipe": "the unit without the steps and parameters that it does not need",
        record_of(stem): f"sizes before and after, number of tests, evidence for {system}",
    }


FILES = {
    "mutant.smt2": "the system, with its parameters as set-option",
    "seed.smt2": "the system that the chain of mutations started from",
    "model.smt2": "a model of mutant.smt2, and each clause negated under it: unsat each time, so mutant.smt2 is sat",
    "refutation": "a derivation of false from the clauses of mutant.smt2: so mutant.smt2 is unsat",
    "refutation.smt2": "the same for a solver: each step negated, unsat each time",
    "core.smt2": "the assertions of mutant.smt2: several other solvers answer unsat",
    "evidence.smt2": "the model or interpolant that the solver gave, and what it makes false: sat, because it is wrong",
    "step.smt2": "shows that a step of the solver is wrong; its first line explains how",
    "wrong-answer.smt2": "another system, which the solver answers wrongly because of the wrong step; with its options",
    "session.json": "the systems that one process solves, mutant.smt2 the last",
    "ask_session.py": "runs one process on all systems of session.json for show.sh",
    "show.sh": "runs all of these; makes a virtual environment for it in ./venv, or takes $Z3 and $PYTHON",
    "ask_cvc5.py": "runs cvc5, the second solver, for show.sh",
    "ask_z3.py": "runs Z3 as a library, like chcfuzz: the z3 program may answer differently",
    "ask_smt.py": "runs an SMT solver as a library, for show.sh",
    "ask_itp.py": "interpolates mutant.smt2 with the solver and checks the interpolants, for show.sh",
    INPUT: "the text that the solver reads in place of mutant.smt2",
    "recipe": "the same as a unit: chcfuzz show, chcfuzz replay",
    "suspicion.json": "input of chcfuzz confirm, which examines it again with larger limits or other solvers",
    **_of_reduction(STEMS[Mode.FINDING], "the smallest system with the same finding that chcfuzz reduce found"),
    **_of_reduction(STEMS[Mode.EQUIVALENT], "the smallest one whose clauses are equivalent to those of mutant.smt2"),
    "location.json": "result of chcfuzz locate, printed below",
    "introduced.diff": "changes of the solver's sources by the commit that introduced it",
    "fix.patch": "a candidate fix of the solver, in its sources",
    "fix.json": "effects of fix.patch on findings and a corpus, as chcfuzz try-fix measured them",
    "record.json": "versions, answers, configurations tried, signature, chain of mutations in words",
}


OF_THIS_MACHINE = frozenset(("record.json", *map(record_of, STEMS.values()), "suspicion.json", "fix.json"))
