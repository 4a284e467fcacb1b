"""Finding a refutation: along Spacer's own proof where it gives one, else by bounded search.

Nothing here is trusted: what is found is checked by `refutation.fault`.

Spacer's proof names ground facts (solvers/hyper_resolution.py); the clause of each step and the values of its variables
come from one SMT query a step. The bounded search writes down all derivations whose tree is at most so deep as one SMT
query: a node for each path of body atoms from the root and each predicate, at most one predicate of a path in use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import z3
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.evaluate import Ground, as_term, evaluate
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
from chcfuzz.oracles.counterexample import completed, values_of
from chcfuzz.oracles.refutation import Opened, Refutation, Step, fault, needed, opened, parse_fact
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers import hyper_resolution
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.spacer import message
from chcfuzz.solvers.watchdog import Watchdog

_DEPTHS = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144)
_MOST_RULES = 4_000  # copies of clauses in one query of the bounded search
_MOST_NODES = 100_000  # of these copies, so that it is written down in a second or two


@dataclass(frozen=True)
class Search:
    """`refutation` is checked and right, or None. `words`: which way it was found, or why none was.

    `status` is what Spacer answers with its transforms off.
    """

    refutation: Refutation | None
    words: str
    status: Status


def derive(system: System, rlimit: int, watchdog: Watchdog, along_proof: bool = True) -> Search:
    """Look for a refutation, each of the two ways within `rlimit`. Never raises for what Z3 does.

    Without `along_proof` Spacer is not asked, and `status` is unknown.
    """
    answer = hyper_resolution.Answer(Status.UNKNOWN, "")
    if along_proof:
        answer = hyper_resolution.facts(system, rlimit, watchdog)
    context = z3.Context()
    try:
        found, why = _along(system, answer, _Query(system, context, rlimit, watchdog))
        if found is None:
            found, further = _bounded(system, _Query(system, context, rlimit, watchdog))
            why = f"{why}; {further}" if along_proof else further
    except z3.Z3Exception as error:
        found, why = None, f"Z3 raises: {message(error)}"
    return Search(found, why, answer.status)


def refutation_from_facts(system: System, facts: Facts, rlimit: int, watchdog: Watchdog) -> Refutation | None:
    """A refutation whose steps derive these facts, or some of them, in this order, and then false.

    The facts are a hint (those of a refutation of a system that this one was made from): the clause of each step and
    the values of its variables are looked for anew, within `rlimit` for all of them together. A fact that follows from
    no clause and the facts before it is left out. None if false is not found, or our evaluator does not find every step
    right. Never raises for what Z3 does.
    """
    query = _Query(system, z3.Context(), rlimit, watchdog)
    steps: list[Step] = []
    try:
        for fact in (*dict.fromkeys(facts), None):
            step = _step(system, fact, tuple(range(len(steps))), steps, query)
            if step is not None:
                steps.append(replace(step, premises=_used(system, step, steps)))
    except z3.Z3Exception:
        return None
    return _checked(system, needed(tuple(steps)), "along given facts")[0]


def _used(system: System, step: Step, earlier: Sequence[Step]) -> tuple[int, ...]:
    """The steps whose facts the body's atoms are at the step's values."""
    clause = opened(system.clauses[step.clause])
    values = dict(zip(clause.variables, step.values, strict=True))
    atoms = (here for here in postorder(*clause.body) if isinstance(here, Atom))
    asked = {(atom.predicate, tuple(evaluate(argument, values) for argument in atom.children)) for atom in atoms}
    facts = ((number, given.fact) for number, given in enumerate(earlier))
    return tuple(number for number, fact in facts if fact and (fact.predicate, fact.values) in asked)


def check(system: System, rlimit: int, watchdog: Watchdog) -> Verdict:
    """Check the answer unsat: PASS if it has a refutation.

    WRONG_ANSWER if it has none and Spacer answers sat with its transforms off: one of the two is wrong.
    """
    search = derive(system, rlimit, watchdog)
    if search.refutation is not None:
        return Verdict("refutation", VerdictKind.PASS, f"{len(search.refutation)} steps {search.words}")
    if search.status is Status.SAT:
        return Verdict("refutation", VerdictKind.WRONG_ANSWER, "answers unsat, and sat with its transforms off")
    return Verdict("refutation", VerdictKind.UNDECIDED, search.words)


def _checked(system: System, steps: Refutation, way: str) -> tuple[Refutation | None, str]:
    found = fault(system, steps)
    return (steps, way) if found is None else (None, f"{way}: {found.words}")


class _Query:
    """SMT queries about a system, all together within a resource limit, each within the watchdog's wall clock."""

    def __init__(self, system: System, context: z3.Context, rlimit: int, watchdog: Watchdog) -> None:
        self._system = system
        self._context = context
        self._rlimit = rlimit
        self._spent = 0
        self._watchdog = watchdog

    def values(self, declared: Sequence[Variable], assertions: Sequence[Term]) -> dict[Variable, Ground] | None:
        """Values at which the assertions hold; None where there are none, or none can be found or read."""
        lines = [print_datatypes(group) for group in self._system.datatypes]
        lines += [f"(declare-const {quoted(variable.name)} {variable.sort})" for variable in declared]
        lines += [f"(assert {print_term(assertion)})" for assertion in assertions]
        found: dict[str, str] | None = None
        with self._watchdog.guard(self._context):
            solver = z3.Solver(ctx=self._context)
            before = _cost(solver)
            solver.set("rlimit", max(1, self._rlimit - self._spent))
            solver.from_string("\n".join(lines))
            if solver.check() == z3.sat:
                found = values_of(solver.model())
            self._spent += _cost(solver) - before
        if self._watchdog.interrupted:
            self._spent = self._rlimit
        return None if found is None else completed(self._system, declared, found)

    @property
    def exhausted(self) -> bool:
        """Whether the resource limit is spent, or the wall clock was reached."""
        return self._spent >= self._rlimit


def _cost(solver: z3.Solver) -> int:
    """What the solver's context has spent so far, in all its solvers together."""
    statistics = solver.statistics()
    return int(statistics.get_key_value("rlimit count")) if "rlimit count" in statistics.keys() else 0  # noqa: SIM118


# Along Spacer's proof ------------------------------------------------------------------------------


def _along(system: System, answer: hyper_resolution.Answer, query: _Query) -> tuple[Refutation | None, str]:
    if not answer.derived:
        return None, f"with its transforms off, Spacer says {answer.status.value} {answer.reason}".rstrip()
    way = "along Spacer's proof"
    steps: list[Step] = []
    for derived in answer.derived:
        try:
            fact = None if derived.fact is None else parse_fact(system, derived.fact)
        except ChcfuzzError as error:
            return None, f"{way}: {error}"
        step = _step(system, fact, derived.premises, steps, query)
        if step is None:
            return None, f"{way}: no clause was found that gives {fact or 'false'}"
        steps.append(step)
    return _checked(system, tuple(steps), way)


def _step(
    system: System, fact: Fact | None, premises: tuple[int, ...], earlier: Sequence[Step], query: _Query
) -> Step | None:
    """A clause with values for its variables through which the fact follows from the premises."""
    given = [known for number in premises if (known := earlier[number].fact) is not None]
    for number, clause in enumerate(system.clauses):
        head = clause.head.predicate if isinstance(clause.head, Atom) else None
        if head is not (fact.predicate if fact else None):
            continue
        rule = _Rule(opened(clause), _mark(system))
        body = _replaced(rule.body, {atom: _one_of(atom, given) for atom in rule.atoms})
        values = query.values(rule.variables, [*body, rule.gives(fact.values if fact else ())])
        if values is not None:
            return Step(number, premises, tuple(values[variable] for variable in rule.variables), fact)
    return None


def _mark(system: System) -> str:
    """What the names of our constants begin with, and those of no constructor and selector."""
    mark = "v"
    while any(operator.startswith(mark) for operator in system.signature):
        mark += "!"
    return mark


def _one_of(atom: Atom, facts: Sequence[Fact]) -> Term:
    """That the atom is one of these facts."""
    return disjunction(*(_equals(atom.children, fact.values) for fact in facts if fact.predicate is atom.predicate))


def _equals(terms: Sequence[Term], values: Sequence[Ground]) -> Term:
    return conjunction(
        *(apply("=", term, as_term(value, term.sort)) for term, value in zip(terms, values, strict=True))
    )


class _Rule:
    """A clause over variables of its own."""

    def __init__(self, clause: Opened, prefix: str) -> None:
        fresh = {old: Variable(f"{prefix}!{i}", old.sort) for i, old in enumerate(clause.variables)}
        self.variables = tuple(fresh.values())
        self.body = [substitute(member, fresh) for member in clause.body]
        self.head = substitute(clause.head, fresh)
        self.atoms = tuple(here for here in postorder(*self.body) if isinstance(here, Atom))

    def gives(self, values: Sequence[Ground]) -> Term:
        """That the head is an atom with these values, or false where it is none."""
        if isinstance(self.head, Atom):
            return _equals(self.head.children, values)
        return negation(self.head)


def _replaced(terms: Sequence[Term], replacement: Mapping[Term, Term]) -> list[Term]:
    """The terms with something else for each of their atoms."""
    done: dict[Term, Term] = dict(replacement)
    for here in postorder(*terms):
        if here not in done:
            done[here] = here.rebuild([done[child] for child in here.children]) if here.has_atoms else here
    return [done[term] for term in terms]


# Bounded search ------------------------------------------------------------------------------------


def _bounded(system: System, query: _Query) -> tuple[Refutation | None, str]:
    """Look for a derivation tree of growing depth."""
    way = "bounded search"
    why = way
    for depth in _DEPTHS:
        tree = _Tree(system, depth)
        if tree.is_too_big:
            return None, f"{why}, too many rules for depth {depth}"
        values = query.values(tree.declared, tree.assertions)
        if values is not None:
            return _checked(system, tree.refutation(values), f"{way}, depth {depth}")
        why = f"{way}: none found of depth {depth}"
        if query.exhausted:
            return None, f"{way}: limit reached at depth {depth}"
        if not tree.is_cut:
            break
    return None, why


@dataclass
class _Node:
    """A place in derivation trees, for one predicate (None: false). At most one node of a path is in use."""

    path: tuple[int, ...]
    predicate: Predicate | None
    used: Variable
    values: tuple[Variable, ...]
    rules: dict[int, tuple[Variable, _Rule, list[_Node]]] = field(default_factory=dict)


class _Tree:
    """All derivation trees up to a depth, as assertions.

    `is_cut`: whether there are deeper ones.
    """

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
        for node in open_nodes:  # grows as it is walked through
            if self.is_too_big:
                return
            known = len(self._nodes)
            self._expand(node, depth)
            open_nodes += list(self._nodes.values())[known:]

    @property
    def is_too_big(self) -> bool:
        """Whether this is more than Z3 should read; then it is not all there."""
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
            rule = _Rule(opened(clause), f"{chosen.name}!v")
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
        """What the atoms of a rule's body mean here, and the nodes they lead to."""
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
        """The derivation that these values describe, each fact once."""
        steps: list[Step] = []
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
            steps.append(Step(clause, tuple(sorted(premises)), tuple(values[v] for v in rule.variables), fact))
        return tuple(steps)
