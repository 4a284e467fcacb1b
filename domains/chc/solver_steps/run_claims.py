"""The rules of a run, and the formulas of its steps as claims about them, for the judges of lemmas and of states."""

from __future__ import annotations

from chcfuzz.domains.chc.solver_steps.formulas import FormulaReader
from chcfuzz.domains.chc.solver_steps.frames import Claim, read_claim
from chcfuzz.domains.chc.solver_steps.prover import Prover
from chcfuzz.domains.chc.solver_steps.spacer_rules import RealRules
from chcfuzz.grammar.system import System

MOST_SEARCHES = 50  # for a witness, in a run; each within `derivations.RLIMIT`, or a run of cvc5
NO_SEARCH = f"a witness is searched {MOST_SEARCHES} times in a run"


class RunClaims:
    """The rules of a run, its prover, and the searches for a witness that it may still have."""

    def __init__(self, system: System, rules: RealRules, prover: Prover) -> None:
        """Read formulas over the predicates of these rules, and the data types of the system."""
        self.rules = rules
        self.prover = prover
        self._reader = FormulaReader(system)
        self._claims: dict[tuple[str, str], Claim | str] = {}
        self._searches = 0

    def read(self, name: str, text: str) -> Claim | str:
        """Return a formula over the parameters of a predicate, or the reason why it is not read; cached."""
        if (name, text) not in self._claims:
            self._claims[name, text] = read_claim(self.rules, self._reader, name, text)
        return self._claims[name, text]

    def may_search(self) -> bool:
        """Count a search for a witness, and return whether the run may have it."""
        self._searches += 1
        return self._searches <= MOST_SEARCHES
