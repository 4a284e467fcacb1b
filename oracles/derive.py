"""Search for a refutation: along Spacer's own proof if it gives one, otherwise by bounded search.

Results are not trusted: `refutation.fault` checks them.

Spacer's proof names ground facts (solvers/hyper_resolution.py). One SMT query per step finds its clause and the values
of the clause's variables. A fact that no clause derives is a finding: the proof is wrong. The bounded search encodes
all derivation trees up to a depth as one SMT query. It has a node for each predicate and each path of body atoms from
the root, and uses at most one predicate of a path.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import z3
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.evaluate import UNDETERMINED, Ground, as_term, evaluate
from chcfuzz.grammar.parse import parse_term
from chcfuzz.grammar.printer import print_datatypes, print_term
from chcfuzz.grammar.sorts import BOOL
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import (
    FALSE,
    Atom,
    Predicate,
    Term,
    Variable,
    apply,
    conjunction,
    disjunction,
    negation,
    postorder,
    substitute,
)
from chcfuzz.grammar.witness import Fact, Facts
from chcfuzz.oracles import second_solver
from chcfuzz.oracles.counterexample import completed, values_of
from chcfuzz.oracles.evidence import names
from chcfuzz.oracles.refutation import (
    DerivationStep,
    PrenexClause,
    Refutation,
    fault,
    fault_of_step,
    needed,
    parse_fact,
    prenex,
)
from chcfuzz.oracles.verdict import REFUTATION, Verdict, VerdictKind
from chcfuzz.solvers import hyper_resolution
from chcfuzz.solvers.derivation import Derived
from chcfuzz.solvers.model_text import symbols_of
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.spacer import message as error_message
from chcfuzz.solvers.watchdog import Watchdog

_DEPTHS = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144)
_MOST_RULES = 4_000  # copies of clauses in one query of the bounded search
_MOST_NODES = 100_000  # of these copies, so that printing the query takes a second or two


@dataclass(frozen=True)
class Search:
    """The result of a search: a checked refutation, or None.

    `message` describes how it was found, or why it was not. `status` is Spacer's answer with its transforms off.
    """

    refutation: Refutation | None
    message: str
    status: Status
    checked: CheckedDerivation | None = None  # the check of Spacer's proof, if it gave one


def derive(system: System, rlimit: int, watchdog: Watchdog, along_proof: bool = True, thorough: bool = True) -> Search:
    """Search for a refutation in two ways, each within `rlimit`. Never raises because of Z3.

    Without `along_proof` Spacer is not run, and `status` is unknown. Unless `thorough`, the search ends if Spacer
    answers sat or reaches its limit.
    """
    answer = hyper_resolution.Answer(Status.UNKNOWN, "")
    if along_proof:
        answer = hyper_resolution.facts(system, rlimit, watchdog)
    if not thorough and answer.status in (Status.SAT, Status.LIMIT):
        return Search(None, f"Spacer answers {answer.status.value}", answer.status)
    checked = (
        check_derivation(system, answer.derived, rlimit, watchdog, "along Spacer's proof") if answer.derived else None
    )
    if checked is not None and checked.refutation is not None:
        return Search(checked.refutation, checked.message, answer.status, checked)
    answered = f"with its transforms off, Spacer answers {answer.status.value} {answer.reason}".rstrip()
    why = answered if checked is None else f"along Spacer's proof: {checked.message}"
    try:
        found, further = _bounded(system, Query(system, z3.Context(), rlimit, watchdog))
    except z3.Z3Exception as error:
        found, further = None, f"Z3 raises: {error_message(error)}"
    return Search(found, f"{why}; {further}" if along_proof else further, answer.status, checked)


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
            step = _step(system, fact, tuple(range(len(steps))), steps, query)
            if step is not None:
                steps.append(replace(step, premises=_used(system, step, steps)))
    except z3.Z3Exception:
        return None
    return _checked(system, needed(tuple(steps)), "along given facts")[0]


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
        return Verdict(REFUTATION.name, VerdictKind.PASS, f"{len(search.refutation)} steps {search.message}")
    if search.status is Status.SAT:
        return Verdict(REFUTATION.name, VerdictKind.WRONG_ANSWER, "answers unsat, and sat with its transforms off")
    return Verdict(REFUTATION.name, VerdictKind.UNDECIDED, search.message)


def _checked(system: System, steps: Refutation, way: str) -> tuple[Refutation | None, str]:
    found = fault(system, steps)
    return (steps, way) if found is None else (None, f"{way}: {found.message}")


class Query:
    """SMT queries about a system, with a common resource limit and a wall-clock limit for each."""

    def __init__(self, system: System, context: z3.Context, rlimit: int, watchdog: Watchdog) -> None:
        self._system = system
        self._context = context
        self._rlimit = rlimit
        self.spent = 0
        self._watchdog = watchdog
        self.has_none = False  # whether the last assertions were shown to be unsatisfiable

    def values(self, declared: Sequence[Variable], assertions: Sequence[Term]) -> dict[Variable, Ground] | None:
        """Return values that satisfy the assertions; None if none exist, or none can be found or read."""
        lines = [print_datatypes(group) for group in self._system.datatypes]
        lines += [f"(declare-const {quoted(variable.name)} {variable.sort})" for variable in declared]
        lines += [f"(assert {print_term(assertion)})" for assertion in assertions]
        found: dict[str, str] | None = None
        with self._watchdog.guard(self._context):
            solver = z3.Solver(ctx=self._context)
            before = _cost(solver)
            solver.set("rlimit", max(1, self._rlimit - self.spent))
            solver.from_string("\n".join(lines))
            answer = solver.check()
            if answer == z3.sat:
                found = values_of(solver.model())
            self.has_none = answer == z3.unsat
            self.spent += _cost(solver) - before
        if self._watchdog.interrupted:
            self.spent = self._rlimit
        return None if found is None else completed(self._system, declared, found)

    @property
    def exhausted(self) -> bool:
        """Whether the resource limit is used up, or the wall-clock limit was reached."""
        return self.spent >= self._rlimit


def _cost(solver: z3.Solver) -> int:
    """Return the resources that the solver's context has used so far, in all its solvers together."""
    statistics = solver.statistics()
    return int(statistics.get_key_value("rlimit count")) if "rlimit count" in statistics.keys() else 0  # noqa: SIM118


# Along a solver's proof ----------------------------------------------------------------------------


@dataclass(frozen=True)
class CheckedDerivation:
    """The result of checking a solver's derivation: a checked refutation, or None.

    If `wrong`, one of its steps does not follow from any clause and the facts that it names. `judge` names the
    checker that found this without a solver, or is empty; `evidence` poses the same question to any solver, and all
    its answers must be unsat. Otherwise `message` is the reason why the derivation could not be checked.
    """

    refutation: Refutation | None
    message: str
    wrong: bool = False
    evidence: str = ""
    judge: str = ""


def wrong_step(oracle: str, found: CheckedDerivation, where: str = "") -> Verdict:
    """Return the verdict on a wrong step: WRONG_PROOF with all who agree, or UNDECIDED if cvc5 finds values."""
    message = f"{where}{found.message}"
    if found.judge:
        return Verdict(oracle, VerdictKind.WRONG_PROOF, message, found.evidence, (found.judge,))
    answers = second_solver.answers(found.evidence)
    if "sat" in answers:
        return Verdict(oracle, VerdictKind.UNDECIDED, f"{message} according to Z3, but cvc5 finds values")
    agrees = answers and all(answer == "unsat" for answer in answers)
    return Verdict(oracle, VerdictKind.WRONG_PROOF, message, found.evidence, ("Z3", "cvc5") if agrees else ("Z3",))


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
            step, is_none = _find_step(system, fact, each.premises, given, query)
        except z3.Z3Exception as error:
            return CheckedDerivation(None, f"step {number}: Z3 raises: {error_message(error)}")
        if step is None:
            wrong = f"{fact or 'false'} follows from no clause and {', '.join(map(str, given)) or 'no fact'}"
            if not is_none:
                return CheckedDerivation(None, f"no clause was found that gives {fact or 'false'}")
            return CheckedDerivation(None, wrong, wrong=True, evidence=_evidence(system, fact, given))
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
    name = f"clause {number}{' at ' if where else ''}{where}"
    left = sorted({variable.name for variable in clause.variables} & set(_names_in(derived.instance)) - names(system))
    if left and derived.values:
        return CheckedDerivation(
            None, f"{name}: the instance still has {', '.join(map(quoted, left))}", True, "", "its text"
        )
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


def _step(
    system: System, fact: Fact | None, premises: tuple[int, ...], earlier: Sequence[DerivationStep], query: Query
) -> DerivationStep | None:
    """Return a clause with values for its variables by which the fact follows from the premises."""
    given = [known for number in premises if (known := earlier[number].fact) is not None]
    return _find_step(system, fact, premises, given, query)[0]


def _find_step(
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


def _rules_for(system: System, fact: Fact | None) -> Iterator[tuple[int, _Rule]]:
    """Yield the clauses, with their numbers, whose head has a fact's predicate (no predicate for None)."""
    for number, clause in enumerate(system.clauses):
        head = clause.head.predicate if isinstance(clause.head, Atom) else None
        if head is (fact.predicate if fact else None):
            yield number, _Rule(prenex(clause), _mark(system))


def _evidence(system: System, fact: Fact | None, given: Sequence[Fact], at: DerivationStep | None = None) -> str:
    """Return a script that checks whether the fact follows by any clause, or by the clause of a step at its values."""
    name = f"Whether {fact or 'false'} follows from {', '.join(map(str, given)) or 'nothing'}"
    lines = [f"; {name} by a clause: unsat each time, so it does not.", "(set-logic ALL)"]
    lines += [print_datatypes(group) for group in system.datatypes]
    for number, rule in _rules_for(system, fact):
        if at is not None and number != at.clause:
            continue
        lines += ["(push 1)", f"; clause {number}"]
        lines += [f"(declare-const {quoted(variable.name)} {variable.sort})" for variable in rule.variables]
        lines += [f"(assert {print_term(assertion)})" for assertion in rule.derives(fact, given)]
        if at is not None:
            lines.append(f"(assert {print_term(_equals(rule.variables, at.values))})")
        lines += ["(check-sat)", "(pop 1)"]
    return "\n".join(lines) + "\n"


def _mark(system: System) -> str:
    """Return a prefix for our constants that no constructor or selector begins with."""
    mark = "v"
    while any(operator.startswith(mark) for operator in system.signature):
        mark += "!"
    return mark


def _one_of(atom: Atom, facts: Sequence[Fact]) -> Term:
    """Return the formula that the atom is one of these facts."""
    return disjunction(*(_equals(atom.children, fact.values) for fact in facts if fact.predicate is atom.predicate))


def _equals(terms: Sequence[Term], values: Sequence[Ground]) -> Term:
    return conjunction(
        *(apply("=", term, as_term(value, term.sort)) for term, value in zip(terms, values, strict=True))
    )


class _Rule:
    """A clause over new variables."""

    def __init__(self, clause: PrenexClause, prefix: str) -> None:
        fresh = {old: Variable(f"{prefix}!{i}", old.sort) for i, old in enumerate(clause.variables)}
        self.variables = tuple(fresh.values())
        self.body = [substitute(member, fresh) for member in clause.body]
        self.head = substitute(clause.head, fresh)
        self.atoms = tuple(here for here in postorder(*self.body) if isinstance(here, Atom))

    def derives(self, fact: Fact | None, given: Sequence[Fact]) -> list[Term]:
        """Return the formulas that state that the fact follows from given ones by this clause."""
        body = _replaced(self.body, {atom: _one_of(atom, given) for atom in self.atoms})
        return [*body, self.gives(fact.values if fact else ())]

    def gives(self, values: Sequence[Ground]) -> Term:
        """Return the formula that the head is an atom with these values, or is false if it is not an atom."""
        if isinstance(self.head, Atom):
            return _equals(self.head.children, values)
        return negation(self.head)


def _replaced(terms: Sequence[Term], replacement: Mapping[Term, Term]) -> list[Term]:
    """Return the terms with their atoms replaced."""
    done: dict[Term, Term] = dict(replacement)
    for here in postorder(*terms):
        if here not in done:
            done[here] = here.rebuild([done[child] for child in here.children]) if here.has_atoms else here
    return [done[term] for term in terms]


# Bounded search ------------------------------------------------------------------------------------


def _bounded(system: System, query: Query) -> tuple[Refutation | None, str]:
    """Search for a derivation tree of growing depth."""
    way = "bounded search"
    why = way
    for depth in _DEPTHS:
        tree = Tree(system, depth)
        if tree.is_too_big:
            return None, f"{why}, too many rules for depth {depth}"
        values = query.values(tree.declared, tree.assertions)
        if values is not None:
            return _checked(system, tree.refutation(values), f"{way}, depth {depth}")
        why = f"{way}: no derivation of depth {depth}"
        if query.exhausted:
            return None, f"{way}: limit reached at depth {depth}"
        if not tree.is_cut:
            break
    return None, why


@dataclass
class _Node:
    """A node of derivation trees for one predicate (None: false); a derivation uses at most one node of a path."""

    path: tuple[int, ...]
    predicate: Predicate | None
    used: Variable
    values: tuple[Variable, ...]
    rules: dict[int, tuple[Variable, _Rule, list[_Node]]] = field(default_factory=dict)


class Tree:
    """All derivation trees up to a depth, as assertions; `is_cut` if deeper ones exist."""

    def __init__(self, system: System, depth: int) -> None:
        self.declared: list[Variable] = []
        self.assertions: list[Term] = []
        self._rules = 0
        self._nodes_written = 0
        self.is_cut = False
        self._system = system
        self._mark = _mark(system)
        self._nodes: dict[tuple[tuple[int, ...], Predicate | None], _Node] = {}
        self._root = self._node((), None)
        self.assertions.append(self._root.used)
        open_nodes = [self._root]
        for node in open_nodes:  # grows during the loop
            if self.is_too_big:
                return
            known = len(self._nodes)
            self._expand(node, depth)
            open_nodes += list(self._nodes.values())[known:]

    @property
    def is_too_big(self) -> bool:
        """Whether the assertions are more than Z3 should read; they are incomplete then."""
        return self._rules > _MOST_RULES or self._nodes_written > _MOST_NODES

    def _node(self, path: tuple[int, ...], predicate: Predicate | None) -> _Node:
        node = self._nodes.get((path, predicate))
        if node is None:
            number = len(self._nodes)
            used = Variable(f"{self._mark}!{number}", BOOL)
            sorts = predicate.parameters if predicate else ()
            values = tuple(Variable(f"{used.name}!{i}", sort) for i, sort in enumerate(sorts))
            node = self._nodes[path, predicate] = _Node(path, predicate, used, values)
            self.declared += [used, *values]
        return node

    def _expand(self, node: _Node, depth: int) -> None:
        for number, clause in enumerate(self._system.clauses):
            head = clause.head.predicate if isinstance(clause.head, Atom) else None
            if head is not node.predicate:
                continue
            self._rules += 1
            self._nodes_written += clause.formula.size
            chosen = Variable(f"{node.used.name}!r{number}", BOOL)
            rule = _Rule(prenex(clause), f"{chosen.name}!v")
            self.declared += [chosen, *rule.variables]
            replacement, below = self._below(node, rule.atoms, depth)
            gives = (
                conjunction(*(apply("=", a, v) for a, v in zip(rule.head.children, node.values, strict=True)))
                if head
                else negation(rule.head)
            )
            holds = conjunction(gives, *_replaced(rule.body, replacement))
            self.assertions.append(apply("=>", chosen, holds))
            node.rules[number] = (chosen, rule, below)
        choice = disjunction(*(chosen for chosen, _, _ in node.rules.values()))
        self.assertions.append(apply("=>", node.used, choice))

    def _below(self, node: _Node, atoms: Sequence[Atom], depth: int) -> tuple[dict[Term, Term], list[_Node]]:
        """Return the formulas for the atoms of a rule's body in this node, and the nodes below."""
        if len(node.path) + 1 >= depth:
            self.is_cut |= bool(atoms)
            return dict.fromkeys(atoms, FALSE), []
        replacement: dict[Term, Term] = {}
        nodes = []
        for place, atom in enumerate(atoms):
            child = self._node((*node.path, place), atom.predicate)
            nodes.append(child)
            equal = (apply("=", value, term) for value, term in zip(child.values, atom.children, strict=True))
            replacement[atom] = conjunction(child.used, *equal)
        return replacement, nodes

    def refutation(self, values: Mapping[Variable, Ground]) -> Refutation:
        """Return the derivation that these values describe, with each fact once."""
        steps: list[DerivationStep] = []
        numbers: dict[Fact | None, int] = {}
        stack = [(self._root, False)]
        while stack:
            node, opened_before = stack.pop()
            fact = Fact(node.predicate, tuple(values[v] for v in node.values)) if node.predicate else None
            if fact in numbers:
                continue
            clause = next(number for number, (chosen, _, _) in node.rules.items() if values[chosen])
            _, rule, below = node.rules[clause]
            used = [child for child in below if values[child.used]]
            if not opened_before:
                stack += [(node, True), *((child, False) for child in reversed(used))]
                continue
            premises = {numbers[Fact(c.predicate, tuple(values[v] for v in c.values))] for c in used if c.predicate}
            numbers[fact] = len(steps)
            steps.append(
                DerivationStep(clause, tuple(sorted(premises)), tuple(values[v] for v in rule.variables), fact)
            )
        return tuple(steps)
