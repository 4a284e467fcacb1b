"""The claim of a lemma: it is inductive relative to the lemmas of one level less.

A lemma of P at level k excludes no fact of P with a derivation of height at most k. It is right if for each rule with
head P, the body and the lemmas at levels of at least k - 1 imply it; at level 0, rules with predicates in their body
do not count. Lemmas at all levels (`oo`) are inductive together, so they are judged after the last step.

If a lemma is not inductive in this way, it may still be true. Only a derivation decides (`derivations`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from chcfuzz.domains.chc.oracles.refutation import prenex
from chcfuzz.domains.chc.oracles.rule import Rule, free_prefix, replaced
from chcfuzz.domains.chc.solver_steps.formulas import FormulaReader
from chcfuzz.domains.chc.solver_steps.prover import IncrementalSolver, Prover
from chcfuzz.domains.chc.solver_steps.spacer_rules import RealRules
from chcfuzz.domains.chc.solver_steps.steps import ALL_LEVELS, level_text
from chcfuzz.grammar.sorts import BOOL
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import TRUE, Atom, Predicate, Term, Variable, implication, negation

MOST_RULES = 1_000  # of the predicates of a run's lemmas; each takes a solver of 0.5 MB


@dataclass(frozen=True)
class Claim:
    """A formula about the facts of a predicate, over `parameters`."""

    predicate: Predicate
    parameters: tuple[Variable, ...]
    formula: Term

    def at(self, arguments: Sequence[Term]) -> Term:
        """Return the formula about these arguments."""
        return substitute(self.formula, dict(zip(self.parameters, arguments, strict=True)))


def rules_of(system: System, head: Predicate) -> Iterator[Rule]:
    """Yield the rules with this head, each over variables of its own."""
    prefix = free_prefix(system)
    for number, clause in enumerate(system.clauses):
        assert isinstance(clause.head, Atom)
        if clause.head.predicate is head:
            yield Rule(prenex(clause), f"{prefix}!{number}")


def parameters_of(predicate: Predicate) -> tuple[Variable, ...]:
    """Return the arguments of a predicate, by the names that the progress log has for them."""
    return tuple(Variable(f"{predicate.name}_{i}_n", sort) for i, sort in enumerate(predicate.parameters))


def read_claim(rules: RealRules, reader: FormulaReader, name: str, text: str) -> Claim | str:
    """Return a formula over the parameters of a predicate, or the reason why it is not read."""
    predicate = rules.predicate(name)
    if predicate is None:
        return "the rules do not have its predicate"
    parameters = parameters_of(predicate)
    formula = reader.read(text, {each.name: each for each in parameters})
    if formula is None or formula.sort is not BOOL:
        return "its formula is not read"
    return Claim(predicate, parameters, formula)


@dataclass
class _RuleFrame:
    """A rule: its solver has asserted the body, and lemmas about its atoms, each under the literal of its level."""

    rule: Rule
    solver: IncrementalSolver
    added: list[int] = field(default_factory=list)  # for each atom, the number of lemmas that were asserted


class Frames:
    """The lemmas so far, and the rules that they are judged by; those of a predicate come with its first lemma."""

    def __init__(self, system: System, prover: Prover) -> None:
        self._system = system
        self._prover = prover
        self._lemmas: dict[Predicate, list[tuple[int, Claim]]] = {predicate: [] for predicate in system.predicates}
        self._rules: dict[Predicate, list[_RuleFrame] | None] = {}
        self._loaded = 0

    def add(self, lemma: Claim, level: int) -> None:
        """Add a lemma to the frames."""
        self._lemmas[lemma.predicate].append((level, lemma))

    def is_inductive(self, lemma: Claim, level: int) -> bool | None:
        """Return whether a lemma follows from the frames by each rule; None if the judge does not decide."""
        rules = self._rules_of(lemma.predicate)
        found: bool | None = None if rules is None else True
        for frame in rules or ():
            if level == 0 and frame.rule.atoms:
                continue
            assert isinstance(frame.rule.head, Atom)
            fails = frame.solver.is_consistent(
                [negation(lemma.at(frame.rule.head.children))], self._literals(frame, level)
            )
            if fails:
                return False
            found = found if fails is False else None
        return found

    def _rules_of(self, head: Predicate) -> list[_RuleFrame] | None:
        """Return the rules with this head; None if there are too many."""
        if head not in self._rules:
            rules = list(rules_of(self._system, head))
            self._loaded += len(rules)
            self._rules[head] = None if self._loaded > MOST_RULES else [self._frame(rule) for rule in rules]
        return self._rules[head]

    def _frame(self, rule: Rule) -> _RuleFrame:
        solver = self._prover.solver()
        for member in replaced(rule.body, dict.fromkeys(rule.atoms, TRUE)):
            solver.add(member)
        return _RuleFrame(rule, solver, [0] * len(rule.atoms))

    def _literals(self, frame: _RuleFrame, level: int) -> Iterator[Variable]:
        """Assert the lemmas that are new to a rule, and yield the literals of the levels that a claim may use."""
        least = ALL_LEVELS if level == ALL_LEVELS else level - 1
        for place, atom in enumerate(frame.rule.atoms):
            lemmas = self._lemmas[atom.predicate]
            for of, lemma in lemmas[frame.added[place] :]:
                frame.solver.add(implication(_literal(of), lemma.at(atom.children)))
            frame.added[place] = len(lemmas)
        levels = {of for atom in frame.rule.atoms for of, _ in self._lemmas[atom.predicate]}
        return (_literal(each) for each in sorted(levels) if each >= least)


def _literal(level: int) -> Variable:
    return Variable(f"level!{level_text(level)}", BOOL)
