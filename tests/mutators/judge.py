"""The judge of promises: whether a row keeps its promise on one draw, for answers, clauses and witnesses.

A row is judged by its promise alone, regardless of its family. The judge does not know how the row works, and no answer
of a CHC solver counts:

- EQUIVALENT: Z3's SMT solver proves, with uninterpreted predicates, that each removed clause follows from the new
  system, and the reverse; for a sample, cvc5 must prove the same;
- the other promises: `decision` of the system before and of the one after. A system over finite sorts is decided by its
  least fixpoint, with our evaluator; any other one by a checked witness: a refutation in which every step evaluates to
  true, or a model under which the SMT solver proves every clause;
- the converter: a checked model, and the facts of a checked refutation, of the system before are converted. Every
  clause of the system after must hold, and false must follow. If the models are the same, no conversion is needed.

A draw is BROKEN only if a witness shows it. Undecided draws are OPEN, and the tests bound their share.
"""

from __future__ import annotations

import enum
import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

from chcfuzz.domains.chc.oracles import witnesses
from chcfuzz.domains.chc.oracles.derive import refutation_from_facts
from chcfuzz.domains.chc.oracles.model import check_text
from chcfuzz.domains.chc.oracles.refutation import facts_of
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import UNDETERMINED, Ground, Undetermined, domain
from chcfuzz.grammar.printing.printer import print_system, print_term
from chcfuzz.grammar.printing.witness import Fact, print_definition
from chcfuzz.grammar.system import Clause, System, as_system
from chcfuzz.grammar.terms import (
    Atom,
    Predicate,
    Quantifier,
    Term,
    Variable,
    apply,
    conjunction,
    negation,
    subterms,
)
from chcfuzz.learning import active
from chcfuzz.mutators.mutation import Move, Mutation, Promise
from chcfuzz.mutators.rewriting.model_converter import SAME, carried_facts, carried_model, converter_of
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.watchdog import Watchdog

Ask = Callable[..., str]

RLIMIT = 300_000  # of one question to Z3
_RLIMIT_CVC5 = 20_000
_MOST_INSTANCES = 20_000  # of a clause, and
_MOST_NODES = 2_000  # of a system whose fixpoint is looked for
_WATCHDOG = Watchdog(60)


class Judgment(enum.Enum):
    """The judgment of a promise on one draw."""

    KEPT = "kept"
    BROKEN = "broken"
    OPEN = "open"  # undecided, or without a claim to decide


@dataclass(frozen=True)
class Draw:
    """A row that changed a system: `move` has the systems before and after."""

    row: Mutation
    name: str
    move: Move

    def __str__(self) -> str:
        return f"{self.row.id} on {self.name}:\n{print_system(self.before)}\n{print_system(self.after)}"

    @property
    def before(self) -> System:
        return as_system(self.move.before)

    @property
    def after(self) -> System:
        return as_system(self.move.after)


def draws(rows: Iterable[Mutation], seeds: Mapping[str, System], numbers: Iterable[int]) -> Iterator[Draw]:
    """Yield every row on every seed that it changes; a draw depends only on its row, its seed and its number."""
    for row in rows:
        for name, seed in seeds.items():
            for number in numbers:
                found = draw(row, name, seed, number)
                if found is not None:
                    yield found


def draw(row: Mutation, name: str, seed: System, number: int) -> Draw | None:
    """One draw of a row; None where it changes nothing."""
    data, key = b"", b""
    if number:  # the first draw takes the first choice everywhere
        digest = hashlib.shake_128(f"{row.id} {name} {number}".encode()).digest(12)
        data, key = digest[:8], digest[8:]
    if row.data_for is not None:
        active.activate(active.BUILT_IN)
        data = row.data_for(seed, Choices(b"", data + key)) or b""
        active.activate(active.NONE)
    after = row.rewrite(seed, Choices(data, key))
    return None if after is None else Draw(row, name, Move(seed, after, row, data, key))


# Clauses -------------------------------------------------------------------------------------------


def declarations(system: System) -> str:
    """Return the script of a system without its clauses, for queries about one of them."""
    empty = print_system(replace(system, clauses=(), info=(), options=()))
    return empty.replace("(set-logic HORN)\n", "").replace("(check-sat)\n", "")


@lru_cache(maxsize=4096)
def z3_answer(system: System, *claims: Term) -> str:
    """Return the answer of Z3's SMT solver to the conjunction of claims, with uninterpreted predicates."""
    import z3

    solver = z3.Solver(ctx=z3.Context())
    solver.set("rlimit", RLIMIT)
    solver.from_string(declarations(system) + "".join(f"(assert {print_term(claim)})" for claim in claims))
    return str(solver.check())


def cvc5_answer(system: System, *claims: Term) -> str:
    """The same of cvc5."""
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    for option, value in (("parsing-mode", "lenient"), ("rlimit-per", str(_RLIMIT_CVC5))):
        solver.setOption(option, value)
    parser = cvc5.InputParser(solver)
    asserted = "".join(f"(assert {print_term(claim)})" for claim in claims)
    script = f"(set-logic ALL){declarations(system)}{asserted}(check-sat)"
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "claim")
    result = ""
    while not (command := parser.nextCommand()).isNull():
        result = str(command.invoke(solver, parser.getSymbolManager())) or result
    return result.partition(" ")[0].strip()  # `unknown` comes with its reason


def equivalence(found: Draw, ask_cvc5: bool = False) -> Judgment:
    """Whether the systems before and after have the same models."""
    if set(found.before.predicates) != set(found.after.predicates):
        return Judgment.BROKEN
    before, after = Counter(found.before.clauses), Counter(found.after.clauses)
    gone, came, kept = (list(part.elements()) for part in (before - after, after - before, before & after))
    ask = cvc5_answer if ask_cvc5 else z3_answer
    empty = replace(found.before, clauses=(), info=(), options=())
    if len(gone) == len(came) == 1 and ask(empty, apply("distinct", gone[0].formula, came[0].formula)) == "unsat":
        return Judgment.KEPT
    result = {
        _follows(ask, empty, given, kept, clause) for given, new in ((came, gone), (gone, came)) for clause in new
    }
    return Judgment.BROKEN if "sat" in result else Judgment.KEPT if result <= {"unsat"} else Judgment.OPEN


def _follows(ask: Ask, empty: System, near: list[Clause], kept: list[Clause], clause: Clause) -> str:
    """Whether a clause follows, as the answer to its negation: from those in its place, or from all."""
    answer = ""
    for given in (near, [*near, *kept]):
        answer = ask(empty, *(each.formula for each in given), negation(clause.formula))
        if answer == "unsat":
            break
    return answer


# Answers -------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def decision(system: System) -> str | None:
    """Decide "sat" or "unsat" by a fixpoint or a checked witness; return None if neither is found."""
    system = replace(system, info=(), options=())
    found = fixpoint(system)
    if found is None and not any(clause.is_query for clause in system.clauses):
        return "sat"  # a predicate without rules against it may be true everywhere
    if found is None and witnesses.model_of(system) is not None:
        return "sat"
    if found is None and witnesses.refutation_of(system) is not None:
        return "unsat"
    return found


def fixpoint(system: System) -> str | None:
    """The answer by the system's least model; None where a sort has too many values, or one is not known."""
    if system.nodes > _MOST_NODES:
        return None
    instances = [_assignments(clause) for clause in system.clauses]
    if None in instances:
        return None
    facts: set[Fact] = set()

    def holds(predicate: Predicate, values: tuple[Ground, ...]) -> bool:
        return Fact(predicate, values) in facts

    size = -1
    while len(facts) > size:
        size = len(facts)
        for clause, assignments in zip(system.clauses, instances, strict=True):
            for values in assignments or ():
                body = evaluate(conjunction(*clause.body), values, holds)
                head: Ground | Undetermined | Fact
                if isinstance(clause.head, Atom):
                    arguments = tuple(evaluate(argument, values) for argument in clause.head.children)
                    head = UNDETERMINED if UNDETERMINED in arguments else Fact(clause.head.predicate, arguments)  # type: ignore[arg-type]
                else:
                    head = evaluate(clause.head, values)
                if body is False or head is True:
                    continue
                if body is UNDETERMINED or head is UNDETERMINED:
                    return None
                if head is False:
                    return "unsat"
                assert isinstance(head, Fact)
                facts.add(head)
    return "sat"


def _assignments(clause: Clause) -> list[dict[Variable, Ground]] | None:
    bound = [v for term in subterms(*clause.body) if isinstance(term, Quantifier) for v in term.variables]
    domains = [domain(variable.sort, _MOST_INSTANCES) for variable in (*clause.variables, *bound)]
    if None in domains:
        return None
    own = domains[: len(clause.variables)]
    if math.prod(len(values or ()) for values in own) > _MOST_INSTANCES:
        return None
    return [dict(zip(clause.variables, values, strict=True)) for values in product(*(values or () for values in own))]


def answers(found: Draw) -> Judgment:
    """Whether the answer is what the row promises, where the one before is such that it promises something."""
    before = decision(found.before)
    expected = found.row.promise.expected(before)
    carries = carries_model if expected == "sat" else carries_refutation
    if expected is not None and carries(found) is Judgment.KEPT:
        return Judgment.KEPT  # a witness of that answer was checked on the system after
    after = None if expected is None else decision(found.after)
    if after is None:
        return Judgment.OPEN
    return Judgment.KEPT if after == expected else Judgment.BROKEN


def promise(found: Draw) -> Judgment:
    """Whether the row's promise is kept, in the sense that is right for it."""
    return equivalence(found) if found.row.promise is Promise.EQUIVALENT else answers(found)


# Witnesses -----------------------------------------------------------------------------------------


def _carries_nothing(row: Mutation) -> bool:
    return row.promise is Promise.EQUIVALENT and converter_of(row) is SAME


@lru_cache(maxsize=4096)
def carries_model(found: Draw) -> Judgment:
    """Whether a checked model, carried along the row, is a model of what it makes."""
    model = None if _carries_nothing(found.row) else witnesses.model_of(found.before)
    if model is None:
        return Judgment.OPEN
    definitions = "\n".join(print_definition(predicate, result) for predicate, result in model.items())
    carried = carried_model([found.move], definitions)
    if carried is None:
        return Judgment.OPEN
    kind = check_text(found.after, carried, _WATCHDOG).kind
    return {VerdictKind.PASS: Judgment.KEPT, VerdictKind.WRONG_MODEL: Judgment.BROKEN}.get(kind, Judgment.OPEN)


@lru_cache(maxsize=4096)
def carries_refutation(found: Draw) -> Judgment:
    """Whether false follows along the facts of a checked refutation that were carried along the row."""
    refutation = None if _carries_nothing(found.row) else witnesses.refutation_of(found.before)
    facts = None if refutation is None else carried_facts([found.move], facts_of(refutation))
    if facts is None:
        return Judgment.OPEN
    derived = refutation_from_facts(found.after, facts, RLIMIT, _WATCHDOG)
    return Judgment.KEPT if derived is not None else Judgment.BROKEN
