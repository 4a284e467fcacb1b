"""Judgements on lemmas: by the frames of those before them, and by a derivation of a fact that one excludes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice

import z3
from chcfuzz.domains.chc.oracles.evidence import refutation_script
from chcfuzz.domains.chc.oracles.refutation import facts_of
from chcfuzz.domains.chc.solver_steps import derivations
from chcfuzz.domains.chc.solver_steps.components import Component
from chcfuzz.domains.chc.solver_steps.frames import Claim, Frames
from chcfuzz.domains.chc.solver_steps.judgement import Judged, StepJudgement, open_step
from chcfuzz.domains.chc.solver_steps.run_claims import NO_SEARCH, RunClaims
from chcfuzz.domains.chc.solver_steps.steps import Lemma
from chcfuzz.execution.solver_steps import HARD, UNDECIDED
from chcfuzz.grammar.terms import negation
from chcfuzz.oracles.second_solver import refutes

_LEMMA = "; The solver's lemma excludes the fact before the last step."
MOST_FRAMES = 20  # of a run, whose facts are counted


class LemmaJudge:
    """Judges the lemmas of a run; each is added to the frames before it is judged."""

    def __init__(self, run: RunClaims) -> None:
        """Begin without lemmas."""
        self._run = run
        self._frames = Frames(run.rules.system, run.prover)

    def add(self, step: Lemma, level: int) -> None:
        """Add a lemma to the frames if it is read."""
        read = self._run.read(step.predicate, step.formula)
        if isinstance(read, Claim):
            self._frames.add(read, level)

    def judged(self, number: int, step: Lemma, read: Claim) -> Judged:
        """Return the judgement on a lemma. Raises `z3.Z3Exception` for a formula that Z3 does not read."""
        if step.predicate in self._run.rules.unread:
            return open_step(number, step, "a rule with this head is not read")
        before = self._run.prover.hard
        is_right = self._frames.is_inductive(read, step.level)
        if is_right is None:
            return open_step(number, step, UNDECIDED)
        if is_right:
            return Judged(number, step, StepJudgement.RIGHT, doubts=(HARD,) if self._run.prover.hard > before else ())
        if not self._run.may_search():
            return Judged(number, step, StepJudgement.UNPROVED, NO_SEARCH)
        witness = derivations.witness(self._run.rules.system, read, step.level, self._run.prover.watchdog)
        if witness is None:
            return Judged(number, step, StepJudgement.UNPROVED, "it does not follow from earlier lemmas by one rule")
        system, refutation = witness
        script = f"{_LEMMA}\n{refutation_script(system, refutation)}"
        height = f"a fact of height {derivations.height_of(refutation)}"
        if not refutes(script):
            return Judged(number, step, StepJudgement.UNPROVED, f"it excludes {height}, which cvc5 does not confirm")
        reason, component = f"it excludes {height}", self._maker(step)
        return Judged(number, step, StepJudgement.WRONG, reason, facts_of(refutation), script, component)

    def barely(self, found: Sequence[Judged]) -> Iterator[int]:
        """Yield the numbers of lemmas that are the last of their predicate, right, and leave it only a few facts."""
        last = {each.step.predicate: each for each in found if isinstance(each.step, Lemma)}
        for each in islice(last.values(), MOST_FRAMES):
            read = self._run.read(each.step.predicate, each.step.formula)
            if each.judgement is StepJudgement.RIGHT and isinstance(read, Claim) and isinstance(each.step, Lemma):
                with suppress(z3.Z3Exception):  # of a formula that Z3 does not read
                    if self._frames.leaves_few(read.predicate, each.step.level):
                        yield each.number

    def _maker(self, step: Lemma) -> Component:
        """Return the component that made a wrong lemma: the obligation that it blocks is reachable, or it is not."""
        if step.is_pushed:
            return Component.PROPAGATION
        blocked = self._run.read(step.predicate, step.blocked) if step.blocked else ""
        if not isinstance(blocked, Claim):
            return Component.UNKNOWN
        unreachable = replace(blocked, formula=negation(blocked.formula))
        found = derivations.witness(self._run.rules.system, unreachable, step.level, self._run.prover.watchdog)
        return Component.GENERALIZER if found is None else Component.BLOCKING
