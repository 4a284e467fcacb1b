"""What others say of an answer, for one execution in so many: each costs as much as solving, or more.

Which executions are asked about is a property of the mutant, so that a replay asks about the same ones.
"""

from __future__ import annotations

from chcfuzz.mutators.chain import Mutant
from chcfuzz.oracles import derive, model, second_solver
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog


class SecondOpinion:
    """Asks for a refutation of what is called unsat, and cvc5 about models."""

    def __init__(self, one_in: int, rlimit: int, watchdog: Watchdog) -> None:
        self._one_in = one_in
        self._rlimit = rlimit
        self._watchdog = watchdog

    def is_wanted(self, mutant: Mutant) -> bool:
        """Whether this mutant is one of those that are asked about."""
        return self._one_in > 0 and int.from_bytes(mutant.key[:4]) % self._one_in == 0

    def verdicts(self, mutant: Mutant, outcome: Outcome) -> tuple[Verdict, ...]:
        """A verdict from everybody who has something to say."""
        if outcome.status is Status.UNSAT:
            return (derive.check(mutant.system, self._rlimit, self._watchdog),)
        if outcome.status is Status.SAT and outcome.model is not None:
            return (_of_cvc5(mutant, outcome),)
        return ()


def _of_cvc5(mutant: Mutant, outcome: Outcome) -> Verdict:
    """Whether cvc5 finds the model right too; a model that it finds wrong, alone, is a disagreement."""
    assert outcome.model is not None
    said = second_solver.answers(model.validity(mutant.system, outcome.model))
    if "sat" in said:
        told = f"cvc5 finds clause {said.index('sat') + 1} false under the model"
        return Verdict("cvc5", VerdictKind.DISAGREEMENT, told)
    if said.count("unsat") == len(mutant.system.clauses):
        return Verdict("cvc5", VerdictKind.PASS)
    return Verdict("cvc5", VerdictKind.UNDECIDED, f"cvc5 decides {said.count('unsat')} clauses")
