r"""The rules that Spacer solves, after all transforms, in its output at verbosity 2.

Z3 prints them like this (`src/muz/base/dl_rule.cpp`, `rule::display`)::

    ; rule count: 2
    ; predicate count: 1
    ; output: query!0
    r1;<null>:
    p(#0,(+ (:var 1) 1)) :-
     p(#0,#1),
     (not (<= 0 (:var 1))).

Variables are printed without sorts. These follow from the sorts of predicates in the system, and from formulas in
which only one choice of sorts can be read. A rule that is not understood is an `unread` one: no claim about its head
is checked.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from chcfuzz.domains.chc.solver_steps.formulas import FormulaReader, sorts_of
from chcfuzz.grammar.sorts import BOOL, Sort
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Atom, Predicate, Quantifier, Term, Variable, conjunction, free_variables, implication

_START = "\n; rule count:"
_END = re.compile(r"^(\(|expand: |GPDR |Entering level)", re.MULTILINE)
_NAME = re.compile(r"^\S.*:\n(?=\S+\()", re.MULTILINE)
_ATOM = re.compile(r"([^\s(|]+|\|[^|]*\|)\((.*)\)", re.DOTALL)
_VARIABLE = re.compile(r"\(:var (\d+)\)|(?<![\w!#|])#(\d+)(?![\w!])")
_AMBIGUOUS = re.compile(r"[\s(),#|]")  # in a name, which Z3 prints without bars
_MOST_ROUNDS = 6
_MOST_CHOICES = 3_000  # of the sorts of variables in one formula
_MOST_UNKNOWN = 5  # variables of unknown sorts in one formula


@dataclass(frozen=True)
class RealRules:
    """The rules of a solver as a system without queries, and the names of the heads of rules that were not read.

    `query` is the predicate of whose facts one is enough for the answer unsat.
    """

    system: System
    query: str
    unread: frozenset[str] = frozenset()

    def predicate(self, name: str) -> Predicate | None:
        """Return a predicate by its name; None if the rules do not have it, or its sorts are unknown."""
        return next((each for each in self.system.predicates if each.name == name), None)


@dataclass
class _Atom:
    name: str
    arguments: list[str]


@dataclass
class _Rule:
    head: _Atom
    atoms: list[_Atom]
    formulas: list[str]
    sorts: dict[str, Sort] = field(default_factory=dict)  # of its variables, by name


def real_rules(printed: str, system: System) -> RealRules | None:
    """Return the rules in the output for a system; None if the output lacks them, or they are not understood.

    Names of predicates with brackets, commas or spaces make the output ambiguous.
    """
    if any(_AMBIGUOUS.search(name) for name in system.declared_names):
        return None
    text = rules_text(printed)
    output = re.search(r"^; output: (\S+)", text, re.MULTILINE)
    count = re.match(rf"{_START} (\d+)$", text, re.MULTILINE)
    if output is None or count is None:
        return None
    blocks = _NAME.split(text[output.end() :])
    rules = [_rule(block.strip()) for block in blocks if block.strip()]
    read = [rule for rule in rules if rule is not None]
    if len(read) < len(rules) or len(rules) != int(count[1]) or not _has_one_arity_each(read):
        return None
    return _Inference(system, read).result(output[1])


def rules_text(printed: str) -> str:
    """Return the last rules in the output, as they are printed; empty without them."""
    start = printed.rfind(_START)
    text = printed[start:] if start >= 0 else ""
    end = _END.search(text)
    return text[: end.start()] if end else text


def _has_one_arity_each(rules: Sequence[_Rule]) -> bool:
    """Return whether each predicate has one number of arguments."""
    arities = {(atom.name, len(atom.arguments)) for rule in rules for atom in (rule.head, *rule.atoms)}
    return len(arities) == len({name for name, _ in arities})


def _rule(block: str) -> _Rule | None:
    if not block.endswith("."):
        return None
    head, _, tail = _VARIABLE.sub(lambda found: f"V!{found[1] or found[2]}", block[:-1]).partition(" :-")
    members = [(member, _atom(member)) for member in _members(tail)]
    of = _atom(head.strip())
    if of is None or any(member.startswith("not ") for member, _ in members):
        return None
    return _Rule(of, [atom for _, atom in members if atom], [text for text, atom in members if not atom])


def _atom(text: str) -> _Atom | None:
    found = _ATOM.fullmatch(text)
    return _Atom(found[1].strip("|"), _members(found[2])) if found else None


def _members(text: str) -> list[str]:
    """Return the parts of a text between commas outside of brackets and quoted symbols."""
    parts, depth, quoted, start = [], 0, False, 0
    for place, sign in enumerate(text):
        if sign == "|":
            quoted = not quoted
        elif quoted:
            continue
        elif sign in "()":
            depth += 1 if sign == "(" else -1
        elif sign == "," and depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
    return [part for part in (*parts, text[start:].strip()) if part]


class _Inference:
    """Finds the sorts of predicates and of variables of rules, until no rule gives any more."""

    def __init__(self, system: System, rules: Sequence[_Rule]) -> None:
        self._system = system
        self._rules = rules
        self._reader = FormulaReader(system)
        self._sorts = sorts_of(system)
        declared = {each.name: each.parameters for each in system.predicates}
        self._domains: dict[str, list[Sort | None]] = {}
        for atom in (atom for rule in rules for atom in (rule.head, *rule.atoms)):
            of = declared.get(atom.name, ())
            known = len(of) == len(atom.arguments)
            self._domains.setdefault(atom.name, list(of) if known else [None] * len(atom.arguments))

    def result(self, query: str) -> RealRules:
        """Return the rules whose variables have sorts."""
        clauses: dict[int, Clause | None] = {}
        for _ in range(_MOST_ROUNDS):
            before = len(clauses), str(self._domains)
            for number, rule in enumerate(self._rules):
                if number not in clauses and (clause := self._clause(rule)) is not None:
                    clauses[number] = clause
            if before == (len(clauses), str(self._domains)):
                break
        predicates = tuple(
            Predicate(name, [sort for sort in domain if sort])
            for name, domain in self._domains.items()
            if None not in domain
        )
        unread = frozenset(rule.head.name for number, rule in enumerate(self._rules) if number not in clauses)
        read = tuple(clause for _, clause in sorted(clauses.items()) if clause)
        return RealRules(System(self._system.datatypes, predicates, read), query, unread)

    def _clause(self, rule: _Rule) -> Clause | None:
        self._take_domains(rule)
        for text in sorted(rule.formulas, key=lambda text: len(self._unknown(text, rule))):
            self._infer(text, rule)
        variables = {name: Variable(name, sort) for name, sort in rule.sorts.items()}
        formulas = [self._reader.read(text, variables) for text in rule.formulas]
        atoms = [self._read_atom(atom, variables) for atom in (rule.head, *rule.atoms)]
        members = [*atoms[1:], *formulas]
        if None in members or atoms[0] is None:
            return None
        body = conjunction(*(member for member in members if member is not None))
        formula: Term = implication(body, atoms[0])
        free = free_variables(formula)
        return Clause(Quantifier("forall", free, formula) if free else formula)

    def _take_domains(self, rule: _Rule) -> None:
        for atom in (rule.head, *rule.atoms):
            for argument, sort in zip(atom.arguments, self._domains[atom.name], strict=True):
                if sort is not None and argument.startswith("V!"):
                    rule.sorts.setdefault(argument, sort)

    def _unknown(self, text: str, rule: _Rule) -> list[str]:
        return sorted(set(_names(text)) - rule.sorts.keys())

    def _infer(self, text: str, rule: _Rule) -> None:
        """Find the sorts of the unknown variables of a formula, if only one choice of sorts can be read."""
        unknown = self._unknown(text, rule)
        if not 0 < len(unknown) <= _MOST_UNKNOWN or len(self._sorts) ** len(unknown) > _MOST_CHOICES:
            return
        found = list(itertools.islice(self._choices(text, unknown, rule.sorts), 2))
        if len(found) == 1:
            rule.sorts.update(found[0])

    def _choices(self, text: str, unknown: Sequence[str], known: Mapping[str, Sort]) -> Iterator[dict[str, Sort]]:
        given = {name: Variable(name, known[name]) for name in _names(text) if name in known}
        for sorts in itertools.product(self._sorts, repeat=len(unknown)):
            choice = dict(zip(unknown, sorts, strict=True))
            read = self._reader.read(text, given | {name: Variable(name, sort) for name, sort in choice.items()})
            if read is not None and read.sort is BOOL:
                yield choice

    def _read_atom(self, atom: _Atom, variables: Mapping[str, Variable]) -> Term | None:
        arguments = [self._reader.read(argument, variables) for argument in atom.arguments]
        domain = self._domains[atom.name]
        for place, argument in enumerate(arguments):
            if argument is None or domain[place] not in (None, argument.sort):
                return None
            domain[place] = argument.sort
        return Atom(Predicate(atom.name, [sort for sort in domain if sort]), [each for each in arguments if each])


def _names(text: str) -> list[str]:
    return re.findall(r"V!\d+", text)
