"""From the steps of a run to judgements, by the rules of the run and the Z3 of this process."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import z3
from chcfuzz.domains.chc.solver_steps import exposing
from chcfuzz.domains.chc.solver_steps.claims import StepClaim, claim_of
from chcfuzz.domains.chc.solver_steps.components import Component
from chcfuzz.domains.chc.solver_steps.doubts import doubted, lowered
from chcfuzz.domains.chc.solver_steps.frames import JOINT, Claim, everywhere
from chcfuzz.domains.chc.solver_steps.judgement import Judged, StepJudgement, open_step
from chcfuzz.domains.chc.solver_steps.lemma_judge import LemmaJudge
from chcfuzz.domains.chc.solver_steps.prover import Prover
from chcfuzz.domains.chc.solver_steps.run_claims import RunClaims
from chcfuzz.domains.chc.solver_steps.spacer_rules import RealRules
from chcfuzz.domains.chc.solver_steps.state_judge import StateJudge
from chcfuzz.domains.chc.solver_steps.steps import ALL_LEVELS, Lemma, Obligation, ReachFact, SolverStep
from chcfuzz.execution.solver_steps import BARELY, LOWERED
from chcfuzz.grammar.system import System
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_errors import message

MOST_JUDGED = 5_000  # steps of a run; a lemma takes 1.4 ms, an obligation 7 ms
_WALL_SECONDS = 20.0  # for a question, in case Z3 ignores its resource limit


class StepJudge:
    """Judges the steps of one run in their order."""

    def __init__(
        self,
        system: System,
        rules: RealRules,
        ended: Mapping[StepClaim, str],
        prover: Prover | None = None,
        is_given: bool = False,
    ) -> None:
        """Judge by these rules; `ended` are the claims that the run does not make, with the reasons.

        Steps that are given as a text claim its answer sat even without any other step. A prover over the same data
        types can be shared, because its context takes as long as several steps.
        """
        self._system = system
        self._rules = rules
        self._ended = ended
        self._is_given = is_given
        self._run = RunClaims(system, rules, prover or prover_of(system))
        self._lemmas = LemmaJudge(self._run)
        self._states = StateJudge(self._run)
        self._seen: set[SolverStep] = set()
        self._judgements = 0

    def judged(self, steps: Iterable[SolverStep], status: Status, with_doubts: bool = True) -> list[Judged]:
        """Return the judgement on each step that is not a repetition, in their order.

        Only `with_doubts` are lemmas searched that hold barely, which takes a tenth of the time or more.

        The solver claims that lemmas at all levels are inductive only if it has an answer. The answer sat claims the
        lemma `false` of the query at all levels, as one more step.
        """
        numbered = list(enumerate(steps, 1))
        new = [(number, step) for number, step in numbered if self._is_new(step)]
        invariant = [(number, step) for number, step in new if isinstance(step, Lemma) and step.level == ALL_LEVELS]
        answer = Lemma(self._rules.query, ALL_LEVELS, "false")
        if (numbered or self._is_given) and status is Status.SAT and self._is_new(answer):
            invariant.insert(0, (len(numbered) + 1, answer))  # first, as the number of judged steps is bounded
        found = [*self._judged_together(invariant, status, len(numbered))]
        found += self._judged_in_order(new, _proven(found))
        found.sort(key=lambda each: each.number)
        barely = frozenset(self._lemmas.barely(found)) if with_doubts else frozenset()
        doubts = ((LOWERED, lowered(numbered)), (BARELY, barely))
        return [doubted(each, [doubt for doubt, numbers in doubts if each.number in numbers]) for each in found]

    def _judged_together(self, invariant: Sequence[tuple[int, Lemma]], status: Status, last: int) -> Iterator[Judged]:
        """Yield the judgements on lemmas at all levels; a step after the `last` one is the answer."""
        if not status.is_decided:
            yield from (open_step(number, step, "the run has no answer") for number, step in invariant)
            return
        for _, step in invariant:
            self._lemmas.add(step, JOINT)
        for number, step in invariant:
            judged = self._judged(number, step)
            yield replace(judged, component=Component.SEARCH) if judged.is_wrong and number > last else judged

    def _judged_in_order(
        self, steps: Sequence[tuple[int, SolverStep]], proven: Container[tuple[str, str]]
    ) -> Iterator[Judged]:
        """Yield the judgements on all other steps, each by the lemmas before it.

        Predicates and formulas that are `proven` at all levels are right at each.
        """
        for number, step in steps:
            if isinstance(step, Lemma):
                self._lemmas.add(step, step.level)
                if step.level == ALL_LEVELS:
                    continue
                if (step.predicate, step.formula) in proven:
                    yield Judged(number, step, StepJudgement.RIGHT)
                    continue
            yield self._judged(number, step)

    def judged_facts(self, facts: Sequence[ReachFact], first: int) -> Iterator[Judged]:
        """Yield the judgement on each fact of a run; those of one predicate are in their order, others are not.

        So a fact may follow from earlier facts of its predicate and from all of other predicates. A predicate without
        facts counts as true everywhere: Z3 does not print those with auxiliary variables. A transform may make a clause
        a fact because another fact matches its body, and the other one may come later.
        """
        read = [self._run.read(fact.predicate, fact.formula) for fact in facts]
        claims = [each for each in read if isinstance(each, Claim)]
        unread = {fact.predicate for fact, claim in zip(facts, read, strict=True) if isinstance(claim, str)}
        printed = {fact.predicate for fact in facts} - unread
        unknown = [everywhere(each) for each in self._rules.system.predicates if each.name not in printed]
        for place, fact in enumerate(facts):
            others = [each for each in claims if each.predicate.name != fact.predicate]
            before, later = (
                [each for each in some if isinstance(each, Claim) and each.predicate.name == fact.predicate]
                for some in (read[:place], read[place + 1 :])
            )
            given = [*others, *before, *unknown]
            self._states.facts = list(given)
            judged = self._judged(first + place, fact)
            if later and judged.judgement in (StepJudgement.WRONG, StepJudgement.UNPROVED):
                self._states.facts = self._states.with_those_that_follow(given, later)
                judged = self._judged(first + place, fact)
            yield judged

    def exposing(self, judged: Judged) -> Iterator[str]:
        """Yield systems whose answer a wrong step may make wrong."""
        read = self._run.read(judged.step.predicate, judged.step.formula)
        assert isinstance(read, Claim)
        match judged.step:
            case Lemma():
                yield from exposing.of_lemma(self._system, self._rules, read, judged.facts[-1])
            case Obligation() if judged.state is not None:
                yield from exposing.of_obligation(
                    self._rules.system, read, self._states.known(judged.step), judged.state
                )
            case ReachFact() if judged.state is not None:
                yield from exposing.of_fact(self._system, read, judged.state)

    def _is_new(self, step: SolverStep) -> bool:
        """Return whether a step is new, and remember it; the level of an obligation does not matter."""
        claim = replace(step, level=0) if isinstance(step, Obligation) else step
        is_new = claim not in self._seen
        self._seen.add(claim)
        return is_new

    def _judged(self, number: int, step: SolverStep) -> Judged:
        read = self._run.read(step.predicate, step.formula)
        if isinstance(read, str):
            if isinstance(step, ReachFact):
                self._states.add_unknown(step)
            return open_step(number, step, read)
        if claim_of(step) in self._ended:
            return open_step(number, step, self._ended[claim_of(step)])
        self._judgements += 1
        if self._judgements > MOST_JUDGED:
            return open_step(number, step, f"{MOST_JUDGED} steps of the run are judged before it")
        try:
            match step:
                case Lemma():
                    return self._lemmas.judged(number, step, read)
                case Obligation():
                    return self._states.obligation(number, step, read)
                case ReachFact():
                    return self._states.fact(number, step, read)
        except z3.Z3Exception as error:
            return open_step(number, step, f"Z3 raises: {message(error)}")


def _proven(invariant: Sequence[Judged]) -> frozenset[tuple[str, str]]:
    """Return the predicates and formulas of lemmas at all levels if each is right: then all of them hold."""
    if any(each.judgement is not StepJudgement.RIGHT for each in invariant):
        return frozenset()
    return frozenset((each.step.predicate, each.step.formula) for each in invariant)


def prover_of(system: System) -> Prover:
    """Return a prover for the steps of a run on a system."""
    return Prover(system, Watchdog(_WALL_SECONDS))
