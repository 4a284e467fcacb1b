"""From the steps of a run to judgements, by the rules of the run and the Z3 of this process."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice

import z3
from chcfuzz.domains.chc.oracles.counterexample import description
from chcfuzz.domains.chc.oracles.evidence import formula_script, refutation_script
from chcfuzz.domains.chc.oracles.refutation import facts_of
from chcfuzz.domains.chc.solver_steps import derivations, exposing
from chcfuzz.domains.chc.solver_steps.claims import StepClaim, claim_of
from chcfuzz.domains.chc.solver_steps.components import Component
from chcfuzz.domains.chc.solver_steps.doubts import doubted, lowered
from chcfuzz.domains.chc.solver_steps.formulas import FormulaReader
from chcfuzz.domains.chc.solver_steps.frames import JOINT, Claim, Frames, parameters_of, read_claim
from chcfuzz.domains.chc.solver_steps.judgement import Judged, StepJudgement
from chcfuzz.domains.chc.solver_steps.prover import Prover
from chcfuzz.domains.chc.solver_steps.spacer_rules import RealRules
from chcfuzz.domains.chc.solver_steps.states import Stray, stray, ways_into, ways_to
from chcfuzz.domains.chc.solver_steps.steps import ALL_LEVELS, Lemma, Obligation, ReachFact, SolverStep
from chcfuzz.execution.solver_steps import BARELY, GUESS, HARD, LOWERED, UNDECIDED
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import TRUE, Term, negation
from chcfuzz.oracles import second_solver
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_errors import message

_LEMMA = "; The solver's lemma excludes the fact before the last step."
_STATE = "; By no rule, what the solver's step claims about this state is true: unsat."
MOST_JUDGED = 5_000  # steps of a run; a lemma takes 1.4 ms, an obligation 7 ms
MOST_FACTS = 200  # of a run: each is compared with all earlier ones
MOST_FRAMES = 20  # of a run, whose facts are counted
MOST_SEARCHES = 50  # for a witness, in a run; each within `derivations.RLIMIT`, or a run of cvc5
_NO_SEARCH = f"a witness is searched {MOST_SEARCHES} times in a run"
_WALL_SECONDS = 20.0  # for a question, in case Z3 ignores its resource limit


class StepJudge:
    """Judges the steps of one run in their order."""

    def __init__(
        self, system: System, rules: RealRules, ended: Mapping[StepClaim, str], prover: Prover | None = None
    ) -> None:
        """Judge by these rules; `ended` are the claims that the run does not make, with the reasons.

        A prover over the same data types can be shared, because its context takes as long as several steps.
        """
        self._system = system
        self._rules = rules
        self._ended = ended
        self._reader = FormulaReader(system)
        self._prover = prover or prover_of(system)
        self._frames = Frames(rules.system, self._prover)
        self._facts: list[Claim] = []
        self._seen: set[SolverStep] = set()
        self._claims: dict[tuple[str, str], Claim | str] = {}
        self._judgements = self._judged_facts = self._searches = 0

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
        if numbered and status is Status.SAT and self._is_new(answer):
            invariant.append((len(numbered) + 1, answer))
        found = [*self._judged_together(invariant, status, len(numbered))]
        found += self._judged_in_order(new, _proven(found))
        found.sort(key=lambda each: each.number)
        barely = frozenset(self._barely(found)) if with_doubts else frozenset()
        doubts = ((LOWERED, lowered(numbered)), (BARELY, barely))
        return [doubted(each, [doubt for doubt, numbers in doubts if each.number in numbers]) for each in found]

    def _judged_together(self, invariant: Sequence[tuple[int, Lemma]], status: Status, last: int) -> Iterator[Judged]:
        """Yield the judgements on lemmas at all levels; a step after the `last` one is the answer."""
        if not status.is_decided:
            yield from (open_step(number, step, "the run has no answer") for number, step in invariant)
            return
        for _, step in invariant:
            self._add(step, JOINT)
        for number, step in invariant:
            judged = self._judged(number, step)
            yield replace(judged, component=Component.SEARCH) if _is_wrong(judged) and number > last else judged

    def _judged_in_order(
        self, steps: Sequence[tuple[int, SolverStep]], proven: Container[tuple[str, str]]
    ) -> Iterator[Judged]:
        """Yield the judgements on all other steps, each by the lemmas before it.

        Predicates and formulas that are `proven` at all levels are right at each.
        """
        for number, step in steps:
            if isinstance(step, Lemma):
                self._add(step, step.level)
                if step.level == ALL_LEVELS:
                    continue
                if (step.predicate, step.formula) in proven:
                    yield Judged(number, step, StepJudgement.RIGHT)
                    continue
            yield self._judged(number, step)

    def _barely(self, found: Sequence[Judged]) -> Iterator[int]:
        """Yield the numbers of lemmas that are the last of their predicate, right, and leave it only a few facts."""
        last = {each.step.predicate: each for each in found if isinstance(each.step, Lemma)}
        for each in islice(last.values(), MOST_FRAMES):
            read = self._read(each.step.predicate, each.step.formula)
            if each.judgement is StepJudgement.RIGHT and isinstance(read, Claim) and isinstance(each.step, Lemma):
                with suppress(z3.Z3Exception):  # of a formula that Z3 does not read
                    if self._frames.leaves_few(read.predicate, each.step.level):
                        yield each.number

    def judged_facts(self, facts: Sequence[ReachFact], first: int) -> Iterator[Judged]:
        """Yield the judgement on each fact of a run; those of one predicate are in their order, others are not.

        So a fact may follow from earlier facts of its predicate and from all of other predicates. A predicate without
        facts counts as true everywhere: Z3 does not print those with auxiliary variables. A transform may make a clause
        a fact because another fact matches its body, and the other one may come later.
        """
        read = [self._read(fact.predicate, fact.formula) for fact in facts]
        claims = [each for each in read if isinstance(each, Claim)]
        unread = {fact.predicate for fact, claim in zip(facts, read, strict=True) if isinstance(claim, str)}
        printed = {fact.predicate for fact in facts} - unread
        unknown = [
            Claim(each, parameters_of(each), TRUE) for each in self._rules.system.predicates if each.name not in printed
        ]
        for place, fact in enumerate(facts):
            others = [each for each in claims if each.predicate.name != fact.predicate]
            before, later = (
                [each for each in some if isinstance(each, Claim) and each.predicate.name == fact.predicate]
                for some in (read[:place], read[place + 1 :])
            )
            given = [*others, *before, *unknown]
            self._facts = list(given)
            judged = self._judged(first + place, fact)
            if later and judged.judgement in (StepJudgement.WRONG, StepJudgement.UNPROVED):
                self._facts = self._with_those_that_follow(given, later)
                judged = self._judged(first + place, fact)
            yield judged

    def _with_those_that_follow(self, given: list[Claim], later: Sequence[Claim]) -> list[Claim]:
        """Return facts with those later ones that follow from them, and from each other."""
        rest = list(later)
        while True:
            found = [each for each in rest if stray(self._prover, each, self._ways_to(each, given)) is False]
            if not found:
                return given
            given = [*given, *found]
            rest = [each for each in rest if each not in found]

    def _ways_to(self, fact: Claim, given: Sequence[Claim]) -> Iterator[Term]:
        return ways_to(self._rules.system, fact, given)

    def exposing(self, judged: Judged) -> Iterator[str]:
        """Yield systems whose answer a wrong step may make wrong."""
        read = self._read(judged.step.predicate, judged.step.formula)
        assert isinstance(read, Claim)
        match judged.step:
            case Lemma():
                yield from exposing.of_lemma(self._system, self._rules, read, judged.facts[-1])
            case Obligation():
                yield from exposing.of_obligation(self._rules.system, read, self._known(judged.step), judged.state)
            case ReachFact():
                yield from exposing.of_fact(self._system, read, judged.state)

    def _is_new(self, step: SolverStep) -> bool:
        """Return whether a step is new, and remember it; the level of an obligation does not matter."""
        claim = replace(step, level=0) if isinstance(step, Obligation) else step
        is_new = claim not in self._seen
        self._seen.add(claim)
        return is_new

    def _add(self, step: Lemma, level: int) -> None:
        read = self._read(step.predicate, step.formula)
        if isinstance(read, Claim):
            self._frames.add(read, level)

    def _judged(self, number: int, step: SolverStep) -> Judged:
        read = self._read(step.predicate, step.formula)
        if isinstance(read, str):
            return open_step(number, step, read)
        if claim_of(step) in self._ended:
            return open_step(number, step, self._ended[claim_of(step)])
        self._judgements += 1
        if self._judgements > MOST_JUDGED:
            return open_step(number, step, f"{MOST_JUDGED} steps of the run are judged before it")
        try:
            match step:
                case Lemma():
                    return self._lemma(number, step, read)
                case Obligation():
                    return self._obligation(number, step, read)
                case ReachFact():
                    return self._fact(number, step, read)
        except z3.Z3Exception as error:
            return open_step(number, step, f"Z3 raises: {message(error)}")

    def _read(self, name: str, text: str) -> Claim | str:
        """Return a formula over the parameters of a predicate, or the reason why it is not read; cached."""
        if (name, text) not in self._claims:
            self._claims[name, text] = read_claim(self._rules, self._reader, name, text)
        return self._claims[name, text]

    def _lemma(self, number: int, step: Lemma, read: Claim) -> Judged:
        if step.predicate in self._rules.unread:
            return open_step(number, step, "a rule with this head is not read")
        before = self._prover.hard
        is_right = self._frames.is_inductive(read, step.level)
        if is_right is None:
            return open_step(number, step, UNDECIDED)
        if is_right:
            return Judged(number, step, StepJudgement.RIGHT, doubts=(HARD,) if self._prover.hard > before else ())
        if not self._may_search():
            return Judged(number, step, StepJudgement.UNPROVED, _NO_SEARCH)
        witness = derivations.witness(self._rules.system, read, step.level, self._prover.watchdog)
        if witness is None:
            return Judged(number, step, StepJudgement.UNPROVED, "it does not follow from earlier lemmas by one rule")
        system, refutation = witness
        script = f"{_LEMMA}\n{refutation_script(system, refutation)}"
        height = f"a fact of height {derivations.height_of(refutation)}"
        if not _is_unsat(script):
            return Judged(number, step, StepJudgement.UNPROVED, f"it excludes {height}, which cvc5 does not confirm")
        reason, component = f"it excludes {height}", self._maker(step)
        return Judged(number, step, StepJudgement.WRONG, reason, facts_of(refutation), script, component)

    def _may_search(self) -> bool:
        """Count a search for a witness, and return whether the run may have it."""
        self._searches += 1
        return self._searches <= MOST_SEARCHES

    def _maker(self, step: Lemma) -> Component:
        """Return the component that made a wrong lemma: the obligation that it blocks is reachable, or it is not."""
        if step.is_pushed:
            return Component.PROPAGATION
        blocked = self._read(step.predicate, step.blocked) if step.blocked else ""
        if not isinstance(blocked, Claim):
            return Component.UNKNOWN
        unreachable = replace(blocked, formula=negation(blocked.formula))
        found = derivations.witness(self._rules.system, unreachable, step.level, self._prover.watchdog)
        return Component.GENERALIZER if found is None else Component.BLOCKING

    def _obligation(self, number: int, step: Obligation, read: Claim) -> Judged:
        if not step.is_exact:
            return open_step(number, step, GUESS)
        known = self._known(step)
        if not known or len(known) < len(step.parents):
            return open_step(number, step, "its parent is not read")
        if any(parent.predicate.name in self._rules.unread for parent in known):
            return open_step(number, step, "a rule of its parent is not read")
        ways = ways_into(self._rules.system, read, known)
        judged = self._about_states(number, step, read, ways, "leads into its parent")
        return replace(judged, component=Component.PROJECTION) if _is_wrong(judged) else judged

    def _known(self, step: Obligation) -> list[Claim]:
        """Return the parents of an obligation that are read."""
        parents = [self._read(name, text) for name, text in step.parents]
        return [parent for parent in parents if isinstance(parent, Claim)]

    def _fact(self, number: int, step: ReachFact, read: Claim) -> Judged:
        self._judged_facts += 1
        if self._judged_facts > MOST_FACTS:
            return open_step(number, step, f"{MOST_FACTS} facts of the run are judged before it")
        earlier = tuple(self._facts)
        self._facts.append(read)
        if step.predicate in self._rules.unread:
            return open_step(number, step, "a rule with this head is not read")
        ways = self._ways_to(read, earlier)
        judged = self._about_states(number, step, read, ways, "follows from earlier facts")
        return replace(judged, component=Component.REACH_FACT) if _is_wrong(judged) else judged

    def _about_states(self, number: int, step: SolverStep, read: Claim, ways: Iterator[Term], words: str) -> Judged:
        found = stray(self._prover, read, ways)
        if found is None:
            return open_step(number, step, UNDECIDED)
        if not isinstance(found, Stray):
            return Judged(number, step, StepJudgement.RIGHT)
        if not self._may_search():
            return Judged(number, step, StepJudgement.UNPROVED, _NO_SEARCH)
        reason = f"by no rule {words}: {description(found.state)}"
        script = f"{_STATE}\n{formula_script(self._rules.system, found.claim)}"
        judgement = StepJudgement.WRONG if _is_unsat(script) else StepJudgement.UNPROVED
        return Judged(number, step, judgement, reason, script=script, state=found.state)


def _proven(invariant: Sequence[Judged]) -> frozenset[tuple[str, str]]:
    """Return the predicates and formulas of lemmas at all levels if each is right: then all of them hold."""
    if any(each.judgement is not StepJudgement.RIGHT for each in invariant):
        return frozenset()
    return frozenset((each.step.predicate, each.step.formula) for each in invariant)


def prover_of(system: System) -> Prover:
    """Return a prover for the steps of a run on a system."""
    return Prover(system, Watchdog(_WALL_SECONDS))


def open_step(number: int, step: SolverStep, reason: str) -> Judged:
    """Return the judgement on a step about which nothing is claimed, or nothing is known."""
    return Judged(number, step, StepJudgement.OPEN, reason)


def _is_wrong(judged: Judged) -> bool:
    return judged.judgement is StepJudgement.WRONG


def _is_unsat(script: str) -> bool:
    """Return whether cvc5 answers unsat to each `check-sat` of a script."""
    return set(second_solver.answers(script)) == {"unsat"}
