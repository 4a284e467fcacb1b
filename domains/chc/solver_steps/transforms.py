"""Transforms of rules: the clauses of the file beside the rules that a transform makes of them.

A transform is wrong if the query is derived on one side, and a model of the other side excludes it. The same holds for
facts of a predicate that both sides have, unless the transform is one of `OTHER_FACTS`. A derivation is
accepted by our evaluator, and a model proves each clause; cvc5 contradicts neither. Derivations of a small height and a
few facts are tried, so a transform that is not wrong here may still be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import z3
from chcfuzz.domains.chc.oracles import evidence
from chcfuzz.domains.chc.oracles.bounded_search import bounded_search
from chcfuzz.domains.chc.oracles.query import Query
from chcfuzz.domains.chc.oracles.refutation import Refutation, facts_of, prenex
from chcfuzz.domains.chc.oracles.rule import Rule, equal, free_prefix, replaced
from chcfuzz.domains.chc.solver_steps.derivations import excluded
from chcfuzz.domains.chc.solver_steps.frames import Claim
from chcfuzz.domains.chc.solver_steps.judgement import Difference, JudgedTransform
from chcfuzz.domains.chc.solver_steps.observation import TransformRun
from chcfuzz.domains.chc.solver_steps.prover import Prover
from chcfuzz.domains.chc.solver_steps.spacer_rules import RealRules, real_rules, rules_text
from chcfuzz.domains.chc.solver_steps.text_format import without_queries
from chcfuzz.domains.chc.solver_steps.transform_options import ALWAYS, OTHER_FACTS, all_off
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.domains.chc.witness_search import model_witness, refutation_witness
from chcfuzz.grammar.evaluation.values import as_term
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import FALSE, TRUE, Atom, Predicate, Term, Variable, disjunction, negation
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.progress_log import ProgressLog

_RLIMIT = 500_000  # for each search, in Z3's units
_DEPTH = 6  # of derivations
_FACTS = 2  # of each predicate
_WALL_SECONDS = 20.0  # for a question, in case Z3 ignores its resource limit
OF_FILE, OF_NEIGHBOUR = "the clauses of the file", "the clauses of the file, with facts that reach a query"
_MOST_PREDICATES = 6


class TransformJudge:
    """Compares rules with those that a transform makes of them."""

    def __init__(self, file: RealRules, watchdog: Watchdog) -> None:
        """Compare with the clauses of a file."""
        self._file = file
        self._watchdog = watchdog
        self._solver = Spacer(ProgressLog(), watchdog)

    def difference(self, after: RealRules, keeps_facts: bool) -> Difference | None:
        """Return a difference; None if none is found.

        Only a side whose rules are all read can lack a derivation. Raises `z3.Z3Exception`.
        """
        both = [each for each in self._file.system.predicates if after.predicate(each.name) is each]
        goals: list[tuple[Claim, Claim]] = []
        first, second = self._file.predicate(self._file.query), after.predicate(after.query)
        if first is not None and second is not None:
            goals.append((Claim(first, _parameters(first), FALSE), Claim(second, _parameters(second), FALSE)))
        if keeps_facts:
            claims = [Claim(each, _parameters(each), FALSE) for each in both[:_MOST_PREDICATES] if each is not first]
            goals += [(claim, claim) for claim in claims]
        for own, other in goals:
            sides = [(self._file, own, after, other, True), (after, other, self._file, own, False)]
            for source, goal, target, same, is_lost in sides:
                found = None if target.unread else self._only_in(source.system, goal, target.system, same)
                if found is not None:
                    return Difference(is_lost, *found)
        return None

    def _only_in(self, source: System, goal: Claim, target: System, same: Claim) -> tuple[tuple[str, ...], str] | None:
        """Return facts and a script of a derivation in the first rules whose last fact the second ones lack."""
        known: list[Term] = []
        for _ in range(_FACTS if goal.parameters and goal.predicate is same.predicate else 1):
            wanted = Claim(goal.predicate, goal.parameters, _unless(known))
            system = excluded(source, wanted)
            refutation = self._derived(system)
            if refutation is None:
                return None
            fact = equal(goal.parameters, facts_of(refutation)[-1].values)
            known.append(fact)
            is_query = goal.predicate is not same.predicate
            lacking = FALSE if is_query else negation(fact)
            witness = self._model(excluded(target, replace(same, formula=lacking)))
            derived = None if witness is None else refutation_witness(system, refutation, "")
            if witness is not None and derived is not None:
                facts = tuple(map(str, facts_of(refutation)))
                return facts, f"{derived.script}(reset)\n{witness}"
        return None

    def _derived(self, system: System) -> Refutation | None:
        found, _ = bounded_search(system, Query(system, z3.Context(), _RLIMIT, self._watchdog), _DEPTH)
        return found

    def _model(self, system: System) -> str | None:
        """Return a script that proves a model of rules; None if they derive false, or no model is found."""
        if self._derived(system) is not None:
            return None
        text = print_system(system.with_header((), ()))
        for options in (all_off(), ()):
            outcome = self._solver.solve(text, options, _RLIMIT)
            if outcome.status is Status.SAT and outcome.model is not None:
                definitions = "\n".join(evidence.definitions(system, outcome.model))
                found = model_witness(system, definitions, "", self._watchdog)
                if found is not None:
                    return found.script
        return None


def judged_transforms(runs: Sequence[TransformRun]) -> Iterator[JudgedTransform]:
    """Yield the judgement on each transform that changes the rules of one of its runs.

    The runs of `ALWAYS` have the rules without the other transforms.
    """
    watchdog = Watchdog(_WALL_SECONDS)
    plain = {run.text: rules_text(run.printed) for run in runs if run.option == ALWAYS}
    for option in dict.fromkeys(run.option for run in runs):
        of_option = [run for run in runs if run.option == option]
        own = [run for run in of_option if option == ALWAYS or rules_text(run.printed) != plain.get(run.text)]
        found = ((run, _difference(run, watchdog)) for run in own)
        run, difference = next((pair for pair in found if pair[1] is not None), (of_option[0], None))
        if own:
            yield JudgedTransform(option, OF_FILE if run.text == runs[0].text else OF_NEIGHBOUR, difference)


def _difference(run: TransformRun, watchdog: Watchdog) -> Difference | None:
    """Return a difference between the clauses of a run and its rules; None if none is found, or the rules not read."""
    system = parse(run.text, "the script")
    after = real_rules(run.printed, system)
    try:
        judge = TransformJudge(without_queries(system), watchdog)
        return None if after is None else judge.difference(after, run.option not in OTHER_FACTS)
    except z3.Z3Exception:
        return None


def with_reached_query(system: System) -> str:
    """Return a system with further facts, at which the body of a query holds; empty without one.

    A rule that a transform drops is noticed only where it is needed, and most queries are not reached.
    """
    prover = Prover(system, Watchdog(_WALL_SECONDS))
    for clause in without_queries(system).system.clauses:
        head = clause.head
        if isinstance(head, Atom) and head.predicate not in system.predicates and clause.atoms:
            rule = Rule(prenex(clause), free_prefix(system))
            solver = prover.solver()
            for member in replaced(rule.body, dict.fromkeys(rule.atoms, TRUE)):
                solver.add(member)
            values = solver.values(rule.variables)
            if isinstance(values, dict):
                given = {each: as_term(value, each.sort) for each, value in values.items()}
                facts = dict.fromkeys(Clause(substitute(atom, given)) for atom in rule.atoms)
                return print_system(system.with_clauses((*system.clauses, *facts)).with_header((), ()))
    return ""


def _parameters(predicate: Predicate) -> tuple[Variable, ...]:
    return tuple(Variable(f"{predicate.name}_{i}_n", sort) for i, sort in enumerate(predicate.parameters))


def _unless(known: Sequence[Term]) -> Term:
    """Return the formula that is true of known facts, which excludes all others."""
    return disjunction(*known)
