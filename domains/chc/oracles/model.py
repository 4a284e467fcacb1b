"""Check the model clause by clause: each negated clause must be unsatisfiable under it.

There are two steps, because a false alarm costs more than a missed bug. First every clause is evaluated under the
model, and one solver decides what evaluation leaves open: for a model of Spacer in the context that made it, and for a
model in text in a new context, where its `define-fun`s are macros of Z3's reader. If a clause fails, it is printed as
plain SMT-LIB (the model as `define-fun`s, the clause negated: the community's rule for models of CHC systems). A fresh
context must find that satisfiable, at values at which our own evaluator does not find the clause true (`failing`).
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import z3
from chcfuzz.domains.chc.oracles import failing
from chcfuzz.domains.chc.oracles.evidence import definitions, names
from chcfuzz.domains.chc.oracles.query import cost_of
from chcfuzz.grammar.printing.printer import print_datatypes, print_term
from chcfuzz.grammar.sorts import BOOL
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import Clause, System
from chcfuzz.oracles.verdict import MODEL, Verdict, VerdictKind
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.model_text import TextModel, name_of, pieces, plain_sort, signature_of
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.solver_model import AnyModel, Model
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_errors import message
from chcfuzz.tracing.trace import NOTHING

RLIMIT = 100_000  # for a clause; small systems need some hundreds, and three times the limit decides no more clauses
_AFTER_UNDECIDED = 5  # divides the limit of the clauses after one that was not proved: PASS is no longer possible
_SORTS = ("Bool", "Int", "Real", "(_ BitVec 1)", "Array")
_BUILT_IN = frozenset(("const", "true", "false", "let", "forall", "exists"))
_GIVE_UP_AFTER = 3  # clauses that were not proved
LARGE = 10_000  # nodes and bound variables: fifty times a median seed
LEAST = 50_000  # resources for all clauses of a large system, however cheap the solution was
_OF_COMMAND = 500_000  # the same if the solver does not count its own
_UNBOUNDED = 1 << 62  # on small systems, the limit of each clause suffices
_CLAUSES_IN_BUDGET = 4  # that may reach their limits


def check(system: System, outcome: Outcome, watchdog: Watchdog, rlimit: int = RLIMIT) -> Verdict:
    """Check the outcome's model with at most `rlimit` for each clause; PASS if every clause holds under it.

    A model in text may also be malformed. UNDECIDED without a model, if a clause could not be decided, or if the two
    steps disagree.
    """
    model = outcome.model
    if model is None:
        return Verdict(MODEL.name, VerdictKind.UNDECIDED, "no model")
    twice = ambiguous(system, model)
    if twice:
        return Verdict(MODEL.name, VerdictKind.UNDECIDED, f"the model gives {', '.join(twice)} more than one meaning")
    malformed = _malformed(system, model)
    if malformed is not None:
        return malformed
    undecided: list[str] = []
    budget = _budget(system, outcome)
    try:
        with watchdog.guard(model.context):
            not_proved, left_out = _not_proved(system, model, min(rlimit, budget // _CLAUSES_IN_BUDGET), budget)
    except z3.Z3Exception as error:
        return Verdict(MODEL.name, VerdictKind.UNDECIDED, f"Z3 raises: {message(error)}")
    for number, why in not_proved:
        if why is None:
            verdict = _confirmed(system, model, number, failing.z3_query(10 * rlimit, watchdog))
            if verdict.kind is VerdictKind.WRONG_MODEL:
                return verdict
            undecided.append(verdict.detail)
        else:
            undecided.append(f"clause {number + 1}: {why}")
    if left_out:
        undecided.append(
            f"{left_out} of {len(system.clauses)} clauses are not checked, which would cost more than solving"
        )
    if undecided:
        return Verdict(MODEL.name, VerdictKind.UNDECIDED, "; ".join(undecided), left_out=left_out)
    return Verdict(MODEL.name, VerdictKind.PASS)


def _budget(system: System, outcome: Outcome) -> int:
    """Return the resources for all clauses together."""
    if not _is_large(system):
        return _UNBOUNDED
    return _OF_COMMAND if outcome.command else max(LEAST, outcome.cost // 2)


def _is_large(system: System) -> bool:
    """Return whether the check of all clauses may cost more than solving; Z3 makes a constant of each variable."""
    return system.nodes + sum(len(clause.variables) for clause in system.clauses) > LARGE


def check_text(system: System, definitions: str, watchdog: Watchdog, rlimit: int = RLIMIT) -> Verdict:
    """Check `define-fun`s from any source, like a model, in a new context."""
    claimed = Outcome(Status.SAT, "", NOTHING, cost=0, seconds=0.0, model=TextModel(definitions))
    return check(system, claimed, watchdog, rlimit)


def _not_proved(system: System, model: AnyModel, rlimit: int, budget: int) -> tuple[list[tuple[int, str | None]], int]:
    """Return the first clauses that are not proved, and the number of clauses that the budget left out.

    A clause has the reason if it is undecided, or None if it fails.
    """
    # z3.Solver becomes a simple solver after push, but takes 12 ms to start in 4.8.14.
    solver = z3.SimpleSolver(ctx=model.context)
    solver.set("rlimit", rlimit)
    is_bounded = budget < _UNBOUNDED  # statistics cost as much as many a check
    before = cost_of(solver) if is_bounded else 0
    order, value_of = _order(system), _values_of_clauses(system, model)
    found: list[tuple[int, str | None]] = []
    for done, number in enumerate(order):
        if done and is_bounded and cost_of(solver) - before >= budget:
            return found, len(order) - done
        value = value_of(number)
        if z3.is_true(value):
            continue
        solver.push()
        solver.add(z3.Not(value))
        answer = solver.check()
        why = solver.reason_unknown() if answer == z3.unknown else None
        solver.pop()
        if answer != z3.unsat:
            found.append((number, why))
            solver.set("rlimit", max(1, rlimit // _AFTER_UNDECIDED))  # zero would mean unlimited
            if len(found) == _GIVE_UP_AFTER:
                break
    return found, 0


def _order(system: System) -> Sequence[int]:
    """Return the numbers of the clauses as they are checked.

    Those of a large system are ordered by hashes, which differ between mutants because their sizes do. The texts are
    not part of the hashes: printing them would take as long as solving.
    """
    numbers = range(len(system.clauses))
    if not _is_large(system):
        return numbers
    return sorted(numbers, key=lambda number: hashlib.blake2b(f"{number} {system.nodes}".encode()).digest())


def undefined(system: System, model: AnyModel, clause: Clause | None = None) -> list[str]:
    """Return the predicates, of a clause or of the system, that a model in text does not define.

    Their meaning is unknown, so a clause that fails with them false does not make the model wrong (the command of
    Z3's bmc engine prints an empty model). A model of Spacer omits predicates that are false.
    """
    if isinstance(model, Model):
        return []
    required = set(system.declared_names) if clause is None else clause.predicate_names
    return sorted(quoted(name) for name in required - model.defined)


def ambiguous(system: System, model: AnyModel) -> list[str]:
    """Return the names that a model in text defines twice, or defines although SMT-LIB or the system does.

    Solvers differ in which meaning they take, so nothing is proved under such a model.
    """
    if isinstance(model, Model):
        return []
    defined = Counter(name_of(piece).strip("|") for piece in pieces(model.definitions))
    predicates = {predicate.name for predicate in system.predicates}
    built_in = (names(system) | _BUILT_IN) - predicates
    return [quoted(name) for name, number in defined.items() if number > 1 or name in built_in]


def _malformed(system: System, model: AnyModel) -> Verdict | None:
    """Return a finding if a model in text defines a predicate over other sorts than it is declared with.

    Z3 would not notice all of these: its reader converts an integer for a parameter that is a real. A solver may have
    its own names for sorts, so only sorts in words of the system's predicates or of SMT-LIB are compared.
    """
    if isinstance(model, Model):
        return None
    declared = {each.name: [plain_sort(str(sort)) for sort in (*each.parameters, BOOL)] for each in system.predicates}
    known = _words([*_SORTS, *(sort for sorts in declared.values() for sort in sorts)])
    for definition in pieces(model.definitions):
        name = name_of(definition).strip("|")
        stated, found = declared.get(name), signature_of(definition)
        if stated is None or found is None or found == stated:
            continue
        if len(found) != len(stated) or _words(found) <= known:
            detail = f"the model defines {quoted(name)} with other sorts than declared: "
            detail += f"{_signature(found)} instead of {_signature(stated)}"
            return Verdict(MODEL.name, VerdictKind.MALFORMED_MODEL, detail, fault=FaultClass.OTHER_SORTS)
    return None


def _words(sorts: Sequence[str]) -> set[str]:
    """Return the names in sorts; the widths of bit-vectors are not names."""
    return {word for sort in sorts for word in re.findall(r"[^\s()]+", sort) if not word.isdigit()}


def _signature(sorts: list[str]) -> str:
    return f"({' '.join(sorts[:-1])}) {sorts[-1]}"


def _values_of_clauses(system: System, model: AnyModel) -> Callable[[int], Any]:
    """Return the function from the number of a clause to it under a model: a term of the model's context."""
    if isinstance(model, Model):
        assertions = model.assertions
        return lambda number: model.model.eval(assertions[number], model_completion=True)
    taken = names(system) | {name_of(piece).strip("|") for piece in pieces(model.definitions)}
    marked = quoted(fresh_name("marked", taken))  # the reader of scripts may drop true assertions, but not this one
    lines = [*map(print_datatypes, system.datatypes), *definitions(system, model), f"(declare-const {marked} Bool)"]
    lines += [f"(assert (=> {marked} {print_term(clause.formula)}))" for clause in system.clauses]
    read = z3.parse_smt2_string("\n".join(lines), ctx=model.context)
    assert len(read) == len(system.clauses)
    return lambda number: z3.simplify(read[number].arg(1))


def _confirmed(system: System, model: AnyModel, number: int, query: failing.Query) -> Verdict:
    """Return the verdict on a clause that fails by evaluation: it must also fail as a script in a fresh context."""
    missing = undefined(system, model, system.clauses[number])
    if missing:
        detail = f"clause {number + 1}: the model does not define {', '.join(missing)}"
        return Verdict(MODEL.name, VerdictKind.UNDECIDED, detail)
    found = failing.confirm(system, model, number, query, query)
    name, where = f"clause {number + 1}", f" at {found.where}" if found.where else ""
    if found.answer != "sat":
        return Verdict(MODEL.name, VerdictKind.UNDECIDED, f"{name} fails by evaluation, its script is {found.answer}")
    if found.holds:
        detail = f"Z3 finds {name} false{where}, our evaluator finds it true"
        return Verdict(MODEL.name, VerdictKind.UNDECIDED, detail)
    if found.open_term:
        detail = f"whether {name} is false{where} depends on a value of {found.open_term} that SMT-LIB leaves open"
        return Verdict(MODEL.name, VerdictKind.UNDECIDED, detail)
    detail = f"{name} is false under the model{where}"
    return Verdict(MODEL.name, VerdictKind.WRONG_MODEL, detail, found.script, found.judges("Z3"))
