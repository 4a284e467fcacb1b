"""The clauses of a system as plain SMT, for cvc5: its answer unsat contradicts the answer sat, whatever the model is.

A wrong model does not determine the answer, so an answer sat without a correct model lacks any evidence. cvc5
refutes most unsatisfiable systems of `corpus/` within the limit, half of them in 10 ms; it proves few satisfiable ones.
Its instantiations then usually give a refutation, which chcfuzz checks.
"""

from __future__ import annotations

from dataclasses import dataclass

from chcfuzz.domains.chc.oracles import instantiations
from chcfuzz.domains.chc.oracles.evidence import clauses_script
from chcfuzz.domains.chc.oracles.refutation import Refutation
from chcfuzz.grammar.printable import counted
from chcfuzz.grammar.system import System
from chcfuzz.oracles import second_solver
from chcfuzz.oracles.verdict import PLAIN_SMT, Verdict, VerdictKind

RLIMIT = 20_000  # in cvc5's own units: five times as much refutes one more of 60 systems, and takes up to 14 s
UNSAT = "cvc5 answers unsat to the clauses as plain SMT"
_OPTIONS = f"""(set-option :rlimit-per {RLIMIT})
(set-option :enum-inst true)
(set-option :print-inst-full true)
(set-option :dag-thresh 0)
"""


@dataclass(frozen=True)
class PlainSmtResult:
    """Whether cvc5 answers unsat to the clauses of a system, and a checked refutation, if its instantiations give one.

    Only the refutation is a witness.
    """

    is_unsat: bool
    refutation: Refutation | None = None


def ask(system: System) -> PlainSmtResult:
    """Query cvc5 on the clauses of a system."""
    script = _OPTIONS + clauses_script(instantiations.named(system))
    printed = second_solver.output(script, second_solver.INSTANTIATIONS)
    if second_solver.answers_in(printed) != ("unsat",):
        return PlainSmtResult(is_unsat=False)
    return PlainSmtResult(is_unsat=True, refutation=instantiations.refutation(system, printed))


def check(system: System) -> Verdict:
    """Check an answer sat: WRONG_ANSWER with a refutation, DISAGREEMENT if cvc5 only answers unsat, else UNDECIDED."""
    found = ask(system)
    if found.refutation is not None:
        detail = f"answers sat, but cvc5's instantiations give a refutation of {counted(len(found.refutation), 'step')}"
        return Verdict(PLAIN_SMT.name, VerdictKind.WRONG_ANSWER, detail)
    if found.is_unsat:
        return Verdict(PLAIN_SMT.name, VerdictKind.DISAGREEMENT, f"answers sat, {UNSAT}")
    return Verdict(PLAIN_SMT.name, VerdictKind.UNDECIDED)
