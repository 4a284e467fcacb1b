"""The model, clause by clause: a negated clause must be unsatisfiable under it.

Two steps, because a false alarm costs more than a missed bug. First every clause is evaluated under the model, and what
evaluation leaves open is decided, one solver for all: a model of Spacer's in the context that made it, a model that is
text in a context of its own, its `define-fun`s macros to Z3's reader. Only if a clause fails is it written down as
plain SMT-LIB (the model as `define-fun`s, the clause negated: the community's rule for models of CHC systems), and a
fresh context has to find that satisfiable, at values at which our own evaluator does not find it true (`failing`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import z3
from chcfuzz.grammar.printer import print_datatypes, print_term
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Atom, fresh_name
from chcfuzz.oracles import failing
from chcfuzz.oracles.evidence import definitions, names
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.model import AnyModel, Model
from chcfuzz.solvers.model_text import TextModel, name_of, pieces
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.trace import NOTHING

RLIMIT = 100_000  # a clause; a clause of a small system takes some hundreds, and three times as much decides no more
_AFTER_UNDECIDED = 5  # times less for the clauses after one that was not proved: the model can only be wrong now
_BUILT_IN = frozenset(("const", "true", "false", "let", "forall", "exists"))
_GIVE_UP_AFTER = 3  # clauses that were not proved


def check(system: System, outcome: Outcome, watchdog: Watchdog, rlimit: int = RLIMIT) -> Verdict:
    """Check the outcome's model, at most `rlimit` a clause; PASS if every clause holds under it.

    UNDECIDED if there is no model, a clause could not be decided, or the two steps disagree.
    """
    model = outcome.model
    if model is None:
        return Verdict("model", VerdictKind.UNDECIDED, "no model")
    ambiguous = _ambiguous(system, model)
    if ambiguous:
        return Verdict("model", VerdictKind.UNDECIDED, f"the model gives {', '.join(ambiguous)} more than one meaning")
    undecided: list[str] = []
    try:
        with watchdog.guard(model.context):
            not_proved = _not_proved(system, model, rlimit)
    except z3.Z3Exception as error:
        return Verdict("model", VerdictKind.UNDECIDED, f"Z3 raises: {error}")
    for number, why in not_proved:
        if why is None:
            verdict = _failing(system, model, number, failing.z3_asked(10 * rlimit, watchdog))
            if verdict.kind is VerdictKind.WRONG_MODEL:
                return verdict
            undecided.append(verdict.detail)
        else:
            undecided.append(f"clause {number + 1}: {why}")
    if undecided:
        return Verdict("model", VerdictKind.UNDECIDED, "; ".join(undecided))
    return Verdict("model", VerdictKind.PASS)


def check_text(system: System, definitions: str, watchdog: Watchdog, rlimit: int = RLIMIT) -> Verdict:
    """Check `define-fun`s, wherever they come from, as `check` does a model: in a context of their own."""
    claimed = Outcome(Status.SAT, "", NOTHING, cost=0, seconds=0.0, model=TextModel(definitions))
    return check(system, claimed, watchdog, rlimit)


def _not_proved(system: System, model: AnyModel, rlimit: int) -> list[tuple[int, str | None]]:
    """The first few clauses that do not hold by evaluation: why they are undecided, or None where they fail."""
    solver = z3.SimpleSolver(ctx=model.context)  # what push makes of the other one, without its start: 12 ms in 4.8.14
    solver.set("rlimit", rlimit)
    found: list[tuple[int, str | None]] = []
    for number, value in enumerate(_values_of_clauses(system, model)):
        if z3.is_true(value):
            continue
        solver.push()
        solver.add(z3.Not(value))
        answer = solver.check()
        why = solver.reason_unknown() if answer == z3.unknown else None
        solver.pop()
        if answer != z3.unsat:
            found.append((number, why))
            solver.set("rlimit", max(1, rlimit // _AFTER_UNDECIDED))  # zero is no limit
            if len(found) == _GIVE_UP_AFTER:
                break
    return found


def undefined(system: System, model: AnyModel, clause: Clause | None = None) -> list[str]:
    """The predicates, of a clause or of all the system, that a model which is text leaves out.

    Nobody says what these are: a clause that fails with them false says nothing against the model (the command of Z3's
    bmc engine prints an empty one). A model of Spacer's leaves out those that are false.
    """
    if isinstance(model, Model):
        return []
    asked = {predicate.name for predicate in system.predicates}
    if clause is not None:
        asked = {atom.predicate.name for atom in (*clause.atoms, clause.head) if isinstance(atom, Atom)}
    return sorted(quoted(name) for name in asked - model.defined)


def _ambiguous(system: System, model: AnyModel) -> list[str]:
    """Return the names that a model in text defines twice, or defines although SMT-LIB or the system does.

    Solvers differ in which meaning they take, so nothing is proved under such a model.
    """
    if isinstance(model, Model):
        return []
    defined = Counter(name_of(piece).strip("|") for piece in pieces(model.definitions))
    predicates = {predicate.name for predicate in system.predicates}
    built_in = (names(system) | _BUILT_IN) - predicates
    return [quoted(name) for name, number in defined.items() if number > 1 or name in built_in]


def _values_of_clauses(system: System, model: AnyModel) -> Iterator[Any]:
    """What every clause becomes under a model: a term of the model's context, without predicates."""
    if isinstance(model, Model):
        for assertion in model.assertions:
            yield model.model.eval(assertion, model_completion=True)
        return
    taken = names(system) | {name_of(piece).strip("|") for piece in pieces(model.definitions)}
    marked = quoted(fresh_name("marked", taken))  # what reads a script may drop an assertion that is true, but not this
    lines = [*map(print_datatypes, system.datatypes), *definitions(system, model), f"(declare-const {marked} Bool)"]
    lines += [f"(assert (=> {marked} {print_term(clause.formula)}))" for clause in system.clauses]
    read = z3.parse_smt2_string("\n".join(lines), ctx=model.context)
    for _, marked_clause in zip(system.clauses, read, strict=True):
        yield z3.simplify(marked_clause.arg(1))


def _failing(system: System, model: AnyModel, number: int, ask: failing.Ask) -> Verdict:
    """The clause fails by evaluation: see whether it fails as a script in a fresh context too."""
    missing = undefined(system, model, system.clauses[number])
    if missing:
        told = f"clause {number + 1}: the model does not define {', '.join(missing)}"
        return Verdict("model", VerdictKind.UNDECIDED, told)
    found = failing.look(system, model, number, ask, ask)
    name, where = f"clause {number + 1}", f" at {found.where}" if found.where else ""
    if found.answer != "sat":
        return Verdict("model", VerdictKind.UNDECIDED, f"{name} fails by evaluation, its script is {found.answer}")
    if found.holds:
        told = f"Z3 finds {name} false{where}, our evaluator finds it true"
        return Verdict("model", VerdictKind.UNDECIDED, told)
    if found.open_term:
        told = f"whether {name} is false{where} depends on what SMT-LIB leaves open of {found.open_term}"
        return Verdict("model", VerdictKind.UNDECIDED, told)
    told = f"{name} is false under the model{where}"
    return Verdict("model", VerdictKind.WRONG_MODEL, told, found.script, found.judges("Z3"))
