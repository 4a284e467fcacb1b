"""Bounded search for a refutation: all derivation trees up to a depth are one SMT query.

The query has a node for each predicate and each path of body atoms from the root, and uses at most one predicate of a
path.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from chcfuzz.domains.chc.oracles.query import Query
from chcfuzz.domains.chc.oracles.refutation import DerivationStep, Refutation, fault, prenex
from chcfuzz.domains.chc.oracles.rule import Rule, free_prefix, replaced
from chcfuzz.grammar.evaluation.values import Ground
from chcfuzz.grammar.printing.witness import Fact
from chcfuzz.grammar.sorts import BOOL
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
    nodes,
)

_DEPTHS = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144)
_MOST_RULES = 4_000  # copies of clauses in one query
_MOST_NODES = 100_000  # of these copies, so that printing the query takes a second or two


def bounded_search(system: System, query: Query, most_depth: int = _DEPTHS[-1]) -> tuple[Refutation | None, str]:
    """Search for a derivation tree of growing depth, at most `most_depth`: a query on a fact has depth 2."""
    way = "bounded search"
    why = way
    for depth in (*(depth for depth in _DEPTHS if depth < most_depth), most_depth):
        tree = DerivationTrees(system, depth)
        if tree.is_too_big:
            return None, f"{why}, too many rules for depth {depth}"
        values = query.values(tree.declared, tree.assertions)
        if values is not None:
            way = f"{way}, depth {depth}"
            refutation = tree.refutation(values)
            found = fault(system, refutation)
            return (refutation, way) if found is None else (None, f"{way}: {found.message}")
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
    rules: dict[int, tuple[Variable, Rule, list[_Node]]] = field(default_factory=dict)


class DerivationTrees:
    """All derivation trees up to a depth, as assertions; `is_cut` if deeper ones exist."""

    def __init__(self, system: System, depth: int) -> None:
        self.declared: list[Variable] = []
        self.assertions: list[Term] = []
        self._rules = 0
        self._nodes_written = 0
        self.is_cut = False
        self._system = system
        self._prefix = free_prefix(system)
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
            used = Variable(f"{self._prefix}!{number}", BOOL)
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
            self._nodes_written += nodes(clause.formula)
            chosen = Variable(f"{node.used.name}!r{number}", BOOL)
            rule = Rule(prenex(clause), f"{chosen.name}!v")
            self.declared += [chosen, *rule.variables]
            replacement, below = self._below(node, rule.atoms, depth)
            gives = (
                conjunction(*(apply("=", a, v) for a, v in zip(rule.head.children, node.values, strict=True)))
                if head
                else negation(rule.head)
            )
            holds = conjunction(gives, *replaced(rule.body, replacement))
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
