"""The clauses of a system as plain SMT, for cvc5: its answer unsat contradicts the answer sat, whatever the model is.

A wrong model does not determine the answer, so an answer sat without a correct model lacks any evidence. cvc5
refutes most unsatisfiable systems of `corpus/` within the limit, half of them in 10 ms; it proves few satisfiable ones.
"""

from __future__ import annotations

from chcfuzz.grammar.system import System
from chcfuzz.oracles import second_solver
from chcfuzz.oracles.evidence import clauses_script
from chcfuzz.oracles.verdict import PLAIN_SMT, Verdict, VerdictKind

RLIMIT = 20_000  # in cvc5's own units: five times as much refutes one more of 60 systems, and takes up to 14 s
UNSAT = "cvc5 answers unsat to the clauses as plain SMT"


def is_refuted(system: System) -> bool:
    """Return whether cvc5 answers unsat to the clauses of a system."""
    options = f"(set-option :rlimit-per {RLIMIT})\n(set-option :enum-inst true)\n"
    return second_solver.answers(options + clauses_script(system)) == ("unsat",)


def check(system: System) -> Verdict:
    """Check an answer sat: DISAGREEMENT if cvc5 answers unsat, UNDECIDED otherwise."""
    if is_refuted(system):
        return Verdict(PLAIN_SMT.name, VerdictKind.DISAGREEMENT, f"answers sat, {UNSAT}")
    return Verdict(PLAIN_SMT.name, VerdictKind.UNDECIDED)
