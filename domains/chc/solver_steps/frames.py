"""The claim of a lemma: it is inductive relative to the lemmas of one level less.

A lemma of P at level k excludes no fact of P with a derivation of height at most k. It is right if for each rule with
head P, the body and the lemmas at levels of at least k - 1 imply it; at level 0, no atom of a body holds. Lemmas at
all levels (`oo`) are inductive together, and imply those of other levels with the same formula. An atom may stand under
`or`, so a lemma counts only where its atom is used.

If a lemma is not inductive in this way, it may still be true. Only a derivation decides (`derivations`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from chcfuzz.domains.chc.oracles.refutation import prenex
from chcfuzz.domains.chc.oracles.rule import Rule, free_prefix, replaced
from chcfuzz.domains.chc.solver_steps.formulas import FormulaReader
from chcfuzz.domains.chc.solver_steps.prover import IncrementalSolver, Prover
from chcfuzz.domains.chc.solver_steps.spacer_rules import RealRules
from chcfuzz.domains.chc.solver_steps.steps import ALL_LEVELS, level_text
from chcfuzz.grammar.sorts import BOOL
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import TRUE, Atom, Predicate, Term, Variable, apply, conjunction, implication, negation

JOINT = ALL_LEVELS + 1  # level of the lemmas at all levels, as they are inductive together
FEW = 2  # facts that a frame leaves if its lemmas hold barely
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


def used(rule: Rule, prefix: str) -> dict[Term, Term]:
    """Return a variable for each atom of a rule, in their order: whether the body needs it."""
    return {atom: Variable(f"{prefix}@{number}!used", BOOL) for number, atom in enumerate(rule.atoms)}


def parameters_of(predicate: Predicate) -> tuple[Variable, ...]:
    """Return the arguments of a predicate, by the names that the progress log has for them."""
    return tuple(Variable(f"{predicate.name}_{i}_n", sort) for i, sort in enumerate(predicate.parameters))


def everywhere(predicate: Predicate) -> Claim:
    """Return the claim that holds of each state of a predicate."""
    return Claim(predicate, parameters_of(predicate), TRUE)


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
    """A rule: its solver has asserted the body, and lemmas about its atoms, each under the literal of its level.

    The arguments of its head have the names of a lemma's parameters, and those of its atoms the names of `places`,
    which other rules share. So Z3 reads a lemma once for each place, and not for each rule.
    """

    rule: Rule
    solver: IncrementalSolver
    places: list[tuple[Variable, ...]]  # for each atom, variables that have the values of its arguments
    added: list[int]  # for each atom, the number of lemmas that were asserted


class Frames:
    """The lemmas so far, and the rules that they are judged by; those of a predicate come with its first lemma."""

    def __init__(self, system: System, prover: Prover) -> None:
        self._system = system
        self._prover = prover
        self._lemmas: dict[Predicate, list[tuple[int, Claim]]] = {predicate: [] for predicate in system.predicates}
        self._rules: dict[Predicate, list[_RuleFrame] | None] = {}
        self._loaded = 0
        self._prefix = free_prefix(system)
        self._at_places: dict[tuple[Claim, tuple[Variable, ...]], Term] = {}

    def add(self, lemma: Claim, level: int) -> None:
        """Add a lemma to the frames. At `JOINT`, it counts only for those at all levels."""
        self._lemmas[lemma.predicate].append((level, lemma))

    def is_inductive(self, lemma: Claim, level: int) -> bool | None:
        """Return whether a lemma follows from the frames by each rule; None if the judge does not decide.

        One at all levels may use only those at all levels.
        """
        rules = self._rules_of(lemma.predicate)
        found: bool | None = None if rules is None else True
        for frame in rules or ():
            unused = [negation(each) for each in used(frame.rule, self._prefix).values()] if level == 0 else []
            fails = frame.solver.is_consistent([negation(lemma.formula), *unused], self._literals(frame, level))
            if fails:
                return False
            found = found if fails is False else None
        return found

    def leaves_few(self, predicate: Predicate, level: int) -> bool:
        """Return whether the lemmas of a predicate at a level leave it facts, but only a few."""
        solver = self._prover.solver()
        for of, lemma in self._lemmas[predicate]:
            if level <= of < JOINT:
                solver.add(lemma.formula)
        return solver.has_few_models(parameters_of(predicate), FEW)

    def _rules_of(self, head: Predicate) -> list[_RuleFrame] | None:
        """Return the rules with this head; None if there are too many."""
        if head not in self._rules:
            rules = list(rules_of(self._system, head))
            self._loaded += len(rules)
            self._rules[head] = None if self._loaded > MOST_RULES else [self._frame(rule) for rule in rules]
        return self._rules[head]

    def _frame(self, rule: Rule) -> _RuleFrame:
        assert isinstance(rule.head, Atom)
        places = [self._place(number, atom) for number, atom in enumerate(rule.atoms)]
        named = ((parameters_of(rule.head.predicate), rule.head), *zip(places, rule.atoms, strict=True))
        values = (each for names, atom in named for each in equal_terms(names, atom.children))
        solver = self._prover.solver()
        solver.add(conjunction(*replaced(rule.body, used(rule, self._prefix)), *values))
        return _RuleFrame(rule, solver, places, [0] * len(rule.atoms))

    def _place(self, number: int, atom: Atom) -> tuple[Variable, ...]:
        """Return the names of the arguments of the atom with this number in a rule."""
        sorts = atom.predicate.parameters
        return tuple(
            Variable(f"{self._prefix}@{number}!{i}!{atom.predicate.name}", sort) for i, sort in enumerate(sorts)
        )

    def _literals(self, frame: _RuleFrame, level: int) -> Iterator[Variable]:
        """Assert the lemmas that are new to a rule, and yield the literals of the levels that a claim may use."""
        usable = range(JOINT, JOINT + 1) if level == ALL_LEVELS else range(level - 1, JOINT)
        named = zip(frame.rule.atoms, used(frame.rule, self._prefix).values(), strict=True)
        for place, (atom, is_used) in enumerate(named):
            lemmas = self._lemmas[atom.predicate]
            for of, lemma in lemmas[frame.added[place] :]:
                holds = conjunction(_literal(of), is_used)
                frame.solver.add(implication(holds, self._at(lemma, frame.places[place])))
            frame.added[place] = len(lemmas)
        levels = {of for atom in frame.rule.atoms for of, _ in self._lemmas[atom.predicate]}
        return (_literal(each) for each in sorted(levels) if each in usable)

    def _at(self, lemma: Claim, place: tuple[Variable, ...]) -> Term:
        """Return a lemma about the arguments at a place, cached."""
        if (lemma, place) not in self._at_places:
            self._at_places[lemma, place] = lemma.at(place)
        return self._at_places[lemma, place]


def equal_terms(first: Iterable[Term], second: Iterable[Term]) -> Iterator[Term]:
    """Yield the equality of each pair of terms."""
    return (apply("=", each, other) for each, other in zip(first, second, strict=True))


def _literal(level: int) -> Variable:
    return Variable(f"level!{level_text(level)}", BOOL)
