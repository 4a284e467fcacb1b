"""Search for a refutation: along Spacer's own proof if it gives one, otherwise by bounded search.

Results are not trusted: `refutation.fault` checks them. `domains.chc.solvers.hyper_resolution` reads the facts of
Spacer's proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import z3
from chcfuzz.domains.chc.oracles.bounded_search import bounded_search
from chcfuzz.domains.chc.oracles.checked_derivation import CheckedDerivation, check_derivation, find_step, wrong_step
from chcfuzz.domains.chc.oracles.query import Query
from chcfuzz.domains.chc.oracles.refutation import DerivationStep, Refutation, fault, needed, prenex
from chcfuzz.domains.chc.solvers import hyper_resolution
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.printable import counted
from chcfuzz.grammar.printing.witness import Facts
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Atom, postorder
from chcfuzz.oracles.verdict import REFUTATION, Verdict, VerdictKind
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_errors import message as error_message


@dataclass(frozen=True)
class SearchResult:
    """The result of a search: a checked refutation, or None.

    `message` describes how it was found, or why it was not. `status` is Spacer's answer with its transforms off.
    """

    refutation: Refutation | None
    message: str
    status: Status
    checked: CheckedDerivation | None = None  # the check of Spacer's proof, if it gave one


def derive(
    system: System, rlimit: int, watchdog: Watchdog, along_proof: bool = True, thorough: bool = True
) -> SearchResult:
    """Search for a refutation in two ways, each within `rlimit`. Never raises because of Z3.

    Without `along_proof` Spacer is not run, and `status` is unknown. Unless `thorough`, the search ends if Spacer
    answers sat or reaches its limit.
    """
    answer = hyper_resolution.HyperResolutionAnswer(Status.UNKNOWN, "")
    if along_proof:
        answer = hyper_resolution.facts(system, rlimit, watchdog)
    if not thorough and answer.status in (Status.SAT, Status.LIMIT):
        return SearchResult(None, f"Spacer answers {answer.status.value}", answer.status)
    checked = (
        check_derivation(system, answer.derived, rlimit, watchdog, "along Spacer's proof") if answer.derived else None
    )
    if checked is not None and checked.refutation is not None:
        return SearchResult(checked.refutation, checked.message, answer.status, checked)
    answered = f"with its transforms off, Spacer answers {answer.status.value} {answer.reason}".rstrip()
    why = answered if checked is None else f"along Spacer's proof: {checked.message}"
    try:
        found, further = bounded_search(system, Query(system, z3.Context(), rlimit, watchdog))
    except z3.Z3Exception as error:
        found, further = None, f"Z3 raises: {error_message(error)}"
    return SearchResult(found, f"{why}; {further}" if along_proof else further, answer.status, checked)


def refutation_from_facts(system: System, facts: Facts, rlimit: int, watchdog: Watchdog) -> Refutation | None:
    """Return a refutation whose steps derive these facts, or some of them, in this order, and then false.

    The facts are a hint (those of a refutation of a system that this one was made from). The clause of each step
    and the values of its variables are searched again, within `rlimit` for all steps together. A fact that does not
    follow from a clause and the facts before it is left out. None if false is not derived, or our evaluator rejects
    a step. Never raises because of Z3.
    """
    query = Query(system, z3.Context(), rlimit, watchdog)
    steps: list[DerivationStep] = []
    try:
        for fact in (*dict.fromkeys(facts), None):
            given = [known.fact for known in steps if known.fact is not None]
            step = find_step(system, fact, tuple(range(len(steps))), given, query)[0]
            if step is not None:
                steps.append(replace(step, premises=_used(system, step, steps)))
    except z3.Z3Exception:
        return None
    refutation = needed(tuple(steps))
    return refutation if fault(system, refutation) is None else None


def _used(system: System, step: DerivationStep, earlier: Sequence[DerivationStep]) -> tuple[int, ...]:
    """Return the steps whose facts occur in the body at the step's values."""
    clause = prenex(system.clauses[step.clause])
    values = dict(zip(clause.variables, step.values, strict=True))
    atoms = (here for here in postorder(*clause.body) if isinstance(here, Atom))
    required = {(atom.predicate, tuple(evaluate(argument, values) for argument in atom.children)) for atom in atoms}
    facts = ((number, given.fact) for number, given in enumerate(earlier))
    return tuple(number for number, fact in facts if fact and (fact.predicate, fact.values) in required)


def check(system: System, rlimit: int, watchdog: Watchdog, tests_spacer: bool = True) -> Verdict:
    """Check the answer unsat: PASS if there is a refutation.

    Without a refutation, WRONG_ANSWER if Spacer answers sat with its transforms off: one of its two answers is
    wrong. WRONG_PROOF if Spacer is the solver under test and a step of the proof that it then gives is wrong, even
    if another refutation exists.
    """
    search = derive(system, rlimit, watchdog)
    if tests_spacer and search.checked is not None and search.checked.wrong:
        return wrong_step(REFUTATION.name, search.checked, "in Spacer's own proof, its transforms off, ")
    if search.refutation is not None:
        return Verdict(REFUTATION.name, VerdictKind.PASS, f"{counted(len(search.refutation), 'step')} {search.message}")
    if search.status is Status.SAT:
        detail = f"answers unsat, and {'' if tests_spacer else 'Spacer '}sat with its transforms off"
        return Verdict(REFUTATION.name, VerdictKind.WRONG_ANSWER, detail)
    return Verdict(REFUTATION.name, VerdictKind.UNDECIDED, search.message)
