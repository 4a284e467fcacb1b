"""Unrollings of CHC systems: interpolation problems that state that a derivation of false up to some depth exists.

A node of the unrolling is a place in the derivation, and a group. For each predicate it has a Bool constant, which is
true if the derivation has a fact of the predicate there, and constants for the arguments of this fact. The group of a
node states that each of its facts follows, by some clause, from facts at its children; nodes without children use
clauses without predicates. The group of the root states that some query is violated. If no clause has two different
predicates in its body, the nodes are a sequence, else a tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.sorts import BOOL, Sort
from chcfuzz.grammar.substitution import fresh_name, substitute
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    Atom,
    Binder,
    Call,
    Function,
    Predicate,
    Term,
    apply,
    conjunction,
    disjunction,
    implication,
    negation,
    postorder,
    subterms,
)

MOST_NODES = 200


@dataclass
class _Unrolling:
    """The nodes, functions and assertions so far."""

    system: System
    taken: set[str]
    functions: dict[tuple[str, ...], Function] = field(default_factory=dict)
    assertions: list[Assertion] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)

    def constant(self, sort: Sort, *key: str) -> Term:
        """Return the constant with this key, which is made if it is new."""
        if key not in self.functions:
            name = fresh_name(".".join(key[1:]), self.taken)
            self.taken.add(name)
            self.functions[key] = Function(name, (), sort)
        return Call(self.functions[key])

    def fact(self, predicate: Predicate, node: str) -> tuple[Term, list[Term]]:
        """Return the constants for a fact of a predicate at a node: whether it is there, and its arguments."""
        present = self.constant(BOOL, "fact", predicate.name, node)
        sorts = enumerate(predicate.parameters)
        return present, [self.constant(sort, "fact", predicate.name, node, str(number)) for number, sort in sorts]

    def node(self, wanted: Sequence[Predicate] | None, depth: int, place: str) -> int:
        """Add a node and those below it; return its number. `wanted` is None at the root."""
        clauses = [
            clause
            for clause in self.system.clauses
            if (clause.is_query if wanted is None else _head(clause) in wanted) and (depth or clause.is_fact)
        ]
        slots = max((len(_atoms(clause)) for clause in clauses), default=0)
        children: list[int] = []
        for slot in range(slots):
            below = dict.fromkeys(_atoms(clause)[slot].predicate for clause in clauses if len(_atoms(clause)) > slot)
            children.append(self.node(list(below), depth - 1, _below(place, slot)))
        number = len(self.parents)
        if number >= MOST_NODES:
            raise ChcfuzzError(f"the unrolling has more than {MOST_NODES} nodes: unroll to a lower depth")
        self.parents.append(number)
        for child in children:
            self.parents[child] = number
        for formula in self._formulas(wanted, clauses, place):
            self.assertions.append(Assertion(formula))
            self.groups.append(number)
        return number

    def _formulas(self, wanted: Sequence[Predicate] | None, clauses: Sequence[Clause], place: str) -> Iterator[Term]:
        if wanted is None:
            yield disjunction(*(self._instance(clause, number, place) for number, clause in enumerate(clauses)))
            return
        for predicate in wanted:
            present, _ = self.fact(predicate, place)
            ways = [
                self._instance(clause, number, place)
                for number, clause in enumerate(clauses)
                if _head(clause) is predicate
            ]
            yield implication(present, disjunction(*ways))

    def _instance(self, clause: Clause, number: int, place: str) -> Term:
        """Return that a clause derives its head at a node from facts at the children."""
        own = {
            variable: self.constant(variable.sort, "variable", variable.name, str(number), place)
            for variable in clause.variables
        }
        slots = {atom: slot for slot, atom in enumerate(_atoms(clause))}
        members = [substitute(self._with_facts(member, slots, place), own) for member in clause.body]
        if isinstance(clause.head, Atom):
            _, args = self.fact(clause.head.predicate, place)
            values = [substitute(value, own) for value in clause.head.children]
            members += [apply("=", arg, value) for arg, value in zip(args, values, strict=True)]
        else:
            members.append(negation(substitute(clause.head, own)))
        return conjunction(*members)

    def _with_facts(self, member: Term, slots: dict[Atom, int], place: str) -> Term:
        """Return a member of a body with facts at the children for its predicates."""
        if not member.has_atoms:
            return member
        done: dict[Term, Term] = {}
        for here in postorder(member):
            children = [done[child] for child in here.children]
            if isinstance(here, Atom):
                present, args = self.fact(here.predicate, _below(place, slots[here]))
                equal = [apply("=", arg, value) for arg, value in zip(args, children, strict=True)]
                done[here] = conjunction(present, *equal)
            else:
                done[here] = here.rebuild(children)
        return done[member]


def _below(place: str, slot: int) -> str:
    """Return the name of a child of a node: the number of steps to the root, or the slots on the path from it."""
    if slot == 0 and (not place or (place[0] == "n" and place[1:].isdigit())):
        return f"n{int(place[1:] or 0) + 1}"
    return f"{place}s{slot}"


def _head(clause: Clause) -> Predicate | None:
    return clause.head.predicate if isinstance(clause.head, Atom) else None


def _atoms(clause: Clause) -> tuple[Atom, ...]:
    return tuple(dict.fromkeys(clause.atoms))


def from_system(system: System, depth: int) -> Interpolation:
    """Return the unrolling of a system; raises `ChcfuzzError` if it is too large.

    It is unsatisfiable if the system is satisfiable, or if no derivation of false has at most this depth.
    """
    formulas = list(system.formulas)
    binders = [here for here in subterms(*formulas) if isinstance(here, Binder)]
    names = {variable.name for binder in binders for variable in binder.variables}
    made = _Unrolling(system, names | system.datatype_names)
    made.node(None, min(depth, MOST_NODES), "")  # a path of this depth has too many nodes already
    info = (("status", "unsat"),) if system.status == "sat" else ()
    problem = Problem(system.datatypes, (), tuple(made.functions.values()), tuple(made.assertions), info)
    return Interpolation.of(problem, made.groups, made.parents[:-1])
