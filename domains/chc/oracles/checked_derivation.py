"""The check of a solver's derivation: the clause of each step and the values of its variables.

One SMT query for each step finds them, unless the solver names them. A fact that no clause derives is a finding: the
derivation is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import z3
from chcfuzz.domains.chc.oracles.evidence import names
from chcfuzz.domains.chc.oracles.query import Query
from chcfuzz.domains.chc.oracles.refutation import DerivationStep, Refutation, fault, fault_of_step, prenex
from chcfuzz.domains.chc.oracles.refutation_text import parse_fact
from chcfuzz.domains.chc.oracles.rule import Rule, equal, free_prefix
from chcfuzz.domains.chc.solvers.derivation import Derived
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import UNDETERMINED
from chcfuzz.grammar.printing.printer import print_datatypes, print_term
from chcfuzz.grammar.printing.witness import Fact
from chcfuzz.grammar.reading.parse import parse_term
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Atom
from chcfuzz.oracles import second_solver
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.model_text import symbols_of
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_errors import message as error_message


@dataclass(frozen=True)
class CheckedDerivation:
    """The result of checking a solver's derivation: a checked refutation, or None.

    If `wrong`, one of its steps does not follow from any clause and the facts that it names. `judge` names the
    checker that found this without a solver, or is empty; `evidence` poses the same question to any solver, and all
    its answers must be unsat; `fault` is the class. Otherwise `message` is the reason why the derivation could not be
    checked.
    """

    refutation: Refutation | None
    message: str
    wrong: bool = False
    evidence: str = ""
    judge: str = ""
    fault: FaultClass = FaultClass.STEP


def wrong_step(oracle: str, found: CheckedDerivation, where: str = "") -> Verdict:
    """Return the verdict on a wrong step: WRONG_PROOF with all who agree, or UNDECIDED if cvc5 finds values."""
    message = f"{where}{found.message}"
    if found.judge:
        return Verdict(oracle, VerdictKind.WRONG_PROOF, message, found.evidence, (found.judge,), fault=found.fault)
    answers = second_solver.answers(found.evidence)
    if "sat" in answers:
        return Verdict(oracle, VerdictKind.UNDECIDED, f"{message} according to Z3, but cvc5 finds values")
    agrees = answers and all(answer == "unsat" for answer in answers)
    judges = ("Z3", "cvc5") if agrees else ("Z3",)
    return Verdict(oracle, VerdictKind.WRONG_PROOF, message, found.evidence, judges, fault=found.fault)


def check_derivation(
    system: System,
    derived: Sequence[Derived],
    rlimit: int,
    watchdog: Watchdog,
    way: str = "along the solver's derivation",
) -> CheckedDerivation:
    """Find the clause of each step and the values of its variables, within `rlimit` for all steps together.

    Never raises because of Z3.
    """
    query = Query(system, z3.Context(), rlimit, watchdog)
    steps: list[DerivationStep] = []
    for number, each in enumerate(derived):
        try:
            fact = None if each.fact is None else parse_fact(system, each.fact)
        except ChcfuzzError as error:
            return CheckedDerivation(None, f"step {number}: {error}")
        given = [known for premise in each.premises if (known := steps[premise].fact) is not None]
        named = _named_step(system, steps, fact, each)
        if isinstance(named, DerivationStep):
            steps.append(named)
            continue
        if named is not None:
            return named
        try:
            step, is_none = find_step(system, fact, each.premises, given, query)
        except z3.Z3Exception as error:
            return CheckedDerivation(None, f"step {number}: Z3 raises: {error_message(error)}")
        if step is None:
            wrong = f"{fact or 'false'} follows from no clause and {', '.join(map(str, given)) or 'no fact'}"
            if not is_none:
                return CheckedDerivation(None, f"no clause was found that gives {fact or 'false'}")
            evidence = _evidence(system, fact, given)
            return CheckedDerivation(None, wrong, wrong=True, evidence=evidence, fault=FaultClass.NO_CLAUSE)
        steps.append(step)
    found = fault(system, tuple(steps))
    return CheckedDerivation(tuple(steps), way) if found is None else CheckedDerivation(None, found.message)


def _named_step(
    system: System, steps: Sequence[DerivationStep], fact: Fact | None, derived: Derived
) -> DerivationStep | CheckedDerivation | None:
    """Return the step with the clause and values that the solver names, or the reason why it is wrong.

    None if the solver names none that can be read; they must then be searched.
    """
    if not derived.clause:
        return None
    try:
        formula = parse_term(derived.clause, (), system)
        values = tuple(evaluate(parse_term(value, (), system), {}) for value in derived.values)
    except ChcfuzzError:
        return None
    number = next((number for number, clause in enumerate(system.clauses) if clause.formula is formula), None)
    if number is None or UNDETERMINED in values:
        return None
    clause = prenex(system.clauses[number])
    if len(values) != len(clause.variables):  # Golem leaves out bound variables without occurrences
        return None
    where = ", ".join(f"{quoted(v.name)} = {text}" for v, text in zip(clause.variables, derived.values, strict=True))
    name = f"clause {number + 1}{' at ' if where else ''}{where}"
    left = sorted({variable.name for variable in clause.variables} & set(_names_in(derived.instance)) - names(system))
    if left and derived.values:
        message = f"{name}: the instance still has {', '.join(map(quoted, left))}"
        return CheckedDerivation(None, message, True, judge="its text", fault=FaultClass.INSTANCE)
    step = DerivationStep(number, derived.premises, values, fact)  # type: ignore[arg-type]
    found = fault_of_step(system, steps, len(steps), step)
    if found is None:
        return step
    if not found.certain:
        return CheckedDerivation(None, f"{name}: {found.message}")
    given = [known for premise in derived.premises if (known := steps[premise].fact) is not None]
    return CheckedDerivation(
        None, f"{name}: {found.message}", True, _evidence(system, fact, given, step), "our evaluator"
    )


def _names_in(text: str) -> list[str]:
    return [symbol.strip("|") for symbol in symbols_of(text)]


def find_step(
    system: System, fact: Fact | None, premises: tuple[int, ...], given: Sequence[Fact], query: Query
) -> tuple[DerivationStep | None, bool]:
    """Return a step by which the fact follows from given ones, or None and whether it is certain that none exists."""
    certain = True
    for number, rule in _rules_for(system, fact):
        values = query.values(rule.variables, rule.derives(fact, given))
        if values is not None:
            return DerivationStep(number, premises, tuple(values[variable] for variable in rule.variables), fact), False
        certain &= query.has_none
    return None, certain


def _rules_for(system: System, fact: Fact | None) -> Iterator[tuple[int, Rule]]:
    """Yield the clauses, with their numbers, whose head has a fact's predicate (no predicate for None)."""
    for number, clause in enumerate(system.clauses):
        head = clause.head.predicate if isinstance(clause.head, Atom) else None
        if head is (fact.predicate if fact else None):
            yield number, Rule(prenex(clause), free_prefix(system))


def _evidence(system: System, fact: Fact | None, given: Sequence[Fact], at: DerivationStep | None = None) -> str:
    """Return a script that checks whether the fact follows by any clause, or by the clause of a step at its values."""
    name = f"Whether {fact or 'false'} follows from {', '.join(map(str, given)) or 'nothing'}"
    lines = [f"; {name} by a clause: unsat each time, so it does not.", "(set-logic ALL)"]
    lines += [print_datatypes(group) for group in system.datatypes]
    for number, rule in _rules_for(system, fact):
        if at is not None and number != at.clause:
            continue
        lines += ["(push 1)", f"; clause {number + 1}"]
        lines += [f"(declare-const {quoted(variable.name)} {variable.sort})" for variable in rule.variables]
        lines += [f"(assert {print_term(assertion)})" for assertion in rule.derives(fact, given)]
        if at is not None:
            lines.append(f"(assert {print_term(equal(rule.variables, at.values))})")
        lines += ["(check-sat)", "(pop 1)"]
    return "\n".join(lines) + "\n"
