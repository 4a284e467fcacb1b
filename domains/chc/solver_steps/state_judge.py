"""Judgements on obligations and facts: each of their states leads into a parent, or follows from earlier facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chcfuzz.domains.chc.oracles.counterexample import description
from chcfuzz.domains.chc.oracles.evidence import formula_script
from chcfuzz.domains.chc.oracles.rule import equal
from chcfuzz.domains.chc.solver_steps.components import Component
from chcfuzz.domains.chc.solver_steps.frames import Claim, everywhere
from chcfuzz.domains.chc.solver_steps.judgement import Judged, State, StepJudgement, open_step
from chcfuzz.domains.chc.solver_steps.run_claims import NO_SEARCH, RunClaims
from chcfuzz.domains.chc.solver_steps.states import Stray, stray, ways_into, ways_to
from chcfuzz.domains.chc.solver_steps.steps import Obligation, ReachFact, SolverStep
from chcfuzz.execution.solver_steps import GUESS, UNDECIDED
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.terms import Term, conjunction, negation
from chcfuzz.oracles.second_solver import refutes

_STATE = "; By no rule, what the solver's step claims about this state is true: unsat."
_EMPTY = "; The formula of the step, which a model must satisfy: unsat."
_MEMBER = "; The formula of the step is false in this state: unsat."
MOST_FACTS = 200  # of a run: each is compared with all earlier ones


class StateJudge:
    """Judges the obligations and facts of a run."""

    def __init__(self, run: RunClaims) -> None:
        """Begin without facts."""
        self.facts: list[Claim] = []  # from which the next fact may follow
        self._run = run
        self._judged_facts = 0

    def obligation(self, number: int, step: Obligation, read: Claim) -> Judged:
        """Return the judgement on an obligation. Raises `z3.Z3Exception` for a formula that Z3 does not read."""
        if not step.is_exact:
            return open_step(number, step, GUESS)
        solver = self._run.prover.solver()
        solver.add(read.formula)
        if solver.is_consistent([]) is False:
            script = f"{_EMPTY}\n{formula_script(self._run.rules.system, read.formula)}"
            return self._refuted(number, step, [script], "it is unsatisfiable, although a model was projected to it")
        known = self.known(step)
        if not known or len(known) < len(step.parents):
            return open_step(number, step, "its parent is not read")
        if any(parent.predicate.name in self._run.rules.unread for parent in known):
            return open_step(number, step, "a rule of its parent is not read")
        ways = ways_into(self._run.rules.system, read, known)
        return self._about_states(number, step, read, ways, "leads into its parent")

    def known(self, step: Obligation) -> list[Claim]:
        """Return the parents of an obligation that are read."""
        parents = [self._run.read(name, text) for name, text in step.parents]
        return [parent for parent in parents if isinstance(parent, Claim)]

    def fact(self, number: int, step: ReachFact, read: Claim) -> Judged:
        """Return the judgement on a fact, and add it to `facts`. Raises `z3.Z3Exception` as `obligation` does."""
        self._judged_facts += 1
        if self._judged_facts > MOST_FACTS:
            return open_step(number, step, f"{MOST_FACTS} facts of the run are judged before it")
        earlier = tuple(self.facts)
        self.facts.append(read)
        if step.predicate in self._run.rules.unread:
            return open_step(number, step, "a rule with this head is not read")
        ways = self._ways_to(read, earlier)
        return self._about_states(number, step, read, ways, "follows from earlier facts")

    def add_unknown(self, step: ReachFact) -> None:
        """Count a fact that is not read as one that holds everywhere, so that none after it is wrong for its sake."""
        predicate = self._run.rules.predicate(step.predicate)
        if predicate is not None:
            self.facts.append(everywhere(predicate))

    def with_those_that_follow(self, given: list[Claim], later: Sequence[Claim]) -> list[Claim]:
        """Return facts with those later ones that follow from them, and from each other."""
        rest = list(later)
        while True:
            found = [each for each in rest if stray(self._run.prover, each, self._ways_to(each, given)) is False]
            if not found:
                return given
            given = [*given, *found]
            rest = [each for each in rest if each not in found]

    def _ways_to(self, fact: Claim, given: Sequence[Claim]) -> Iterator[Term]:
        return ways_to(self._run.rules.system, fact, given)

    def _about_states(self, number: int, step: SolverStep, read: Claim, ways: Iterator[Term], words: str) -> Judged:
        found = stray(self._run.prover, read, ways)
        if found is None:
            return open_step(number, step, UNDECIDED)
        if not isinstance(found, Stray):
            return Judged(number, step, StepJudgement.RIGHT)
        reason = f"by no rule {words}: {description(found.state)}"
        scripts = [f"{_STATE}\n{formula_script(self._run.rules.system, found.claim)}"]
        if evaluate(read.formula, found.state) is not True:  # it has a quantifier, or a term that SMT-LIB leaves open
            state = equal(tuple(found.state), tuple(found.state.values()))
            outside = conjunction(state, negation(read.formula))
            scripts.append(f"{_MEMBER}\n{formula_script(self._run.rules.system, outside)}")
        return self._refuted(number, step, scripts, reason, found.state)

    def _refuted(
        self, number: int, step: SolverStep, scripts: Sequence[str], reason: str, state: State | None = None
    ) -> Judged:
        """Return the judgement on a step that Z3 finds wrong: it is wrong if cvc5 refutes the scripts, too."""
        if not self._run.may_search():
            return Judged(number, step, StepJudgement.UNPROVED, NO_SEARCH)
        script = "\n(reset)\n".join(scripts)
        if not all(map(refutes, scripts)):
            return Judged(number, step, StepJudgement.UNPROVED, reason, script=script, state=state)
        component = Component.REACH_FACT if isinstance(step, ReachFact) else Component.PROJECTION
        return Judged(number, step, StepJudgement.WRONG, reason, script=script, component=component, state=state)
