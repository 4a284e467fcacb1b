"""Check the derivation of false that a solver gives with its answer unsat, step by step.

A derivation names ground facts, and for each of them the facts from which it follows. A clause of the system must
derive the fact from those, at values that one SMT query finds; our own evaluator checks the resulting refutation
(`refutation`). A step is wrong if Z3 shows for every clause that no values exist, and cvc5 does not find any either.
"""

from __future__ import annotations

from chcfuzz.domains.chc.oracles import alethe
from chcfuzz.domains.chc.oracles.checked_derivation import check_derivation, wrong_step
from chcfuzz.domains.chc.solvers.derivation import derivation_of
from chcfuzz.grammar.printable import counted
from chcfuzz.grammar.system import System
from chcfuzz.oracles.verdict import PROOF, Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome
from chcfuzz.solvers.watchdog import Watchdog

RLIMIT = 500_000  # for all steps of a derivation together
MOST_STEPS = 300  # each needs one or more queries
_SHARE = 5  # divides the limit for a step of an Alethe proof


def check(system: System, outcome: Outcome, watchdog: Watchdog, rlimit: int = RLIMIT) -> Verdict:
    """Check the outcome's derivation; PASS if every step is right, so that the answer has a refutation.

    UNDECIDED without a derivation, if a step cannot be read, or if its correctness is not decided.
    """
    proof = derivation_of(outcome)
    if proof is None:
        return Verdict(PROOF.name, VerdictKind.UNDECIDED, "no derivation")
    if proof.fault:
        return Verdict(PROOF.name, VerdictKind.WRONG_PROOF, proof.fault, fault=proof.fault_class)
    if proof.alethe:
        found_wrong = alethe.check(system, proof.alethe, rlimit // _SHARE, watchdog)
        if not found_wrong.message:
            return Verdict(PROOF.name, VerdictKind.PASS, f"{counted(found_wrong.steps, 'step')} of an Alethe proof")
        kind = VerdictKind.WRONG_PROOF if found_wrong.wrong else VerdictKind.UNDECIDED
        judges = ("Z3",) if found_wrong.wrong else ()
        message, evidence = found_wrong.message, found_wrong.evidence
        return Verdict(PROOF.name, kind, message, evidence, judges, fault=found_wrong.fault)
    if len(proof.steps) > MOST_STEPS:
        return Verdict(PROOF.name, VerdictKind.UNDECIDED, f"{len(proof.steps)} steps, more than {MOST_STEPS}")
    found = check_derivation(system, proof.steps, rlimit, watchdog)
    if found.refutation is not None:
        return Verdict(PROOF.name, VerdictKind.PASS, f"{counted(len(found.refutation), 'step')} {found.message}")
    if not found.wrong:
        return Verdict(PROOF.name, VerdictKind.UNDECIDED, found.message)
    return wrong_step(PROOF.name, found)
