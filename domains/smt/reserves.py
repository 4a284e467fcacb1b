"""Solvers in reserve: they are queried where no other project answers, because the partners hang or refuse the text.

First comes another release of the solver that answers, then each installed project that the flags leave out. Nothing is
fetched: the releases are those in the cache, and the installed one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import metadata
from importlib.util import find_spec

from chcfuzz.domains.smt.roots import as_problem
from chcfuzz.domains.smt.solvers import releases
from chcfuzz.domains.smt.solvers.isolation import Isolated
from chcfuzz.domains.smt.solvers.selection import SOLVERS, Z3, selected
from chcfuzz.domains.smt.solvers.solver_engines import running
from chcfuzz.domains.smt.solvers.together import release_of, solver_of
from chcfuzz.domains.smt.standoff import projects
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.chain import Mutant
from chcfuzz.oracles import left_open
from chcfuzz.oracles.reserve_use import ReserveUse
from chcfuzz.oracles.verdict import CROSS, Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome
from chcfuzz.solvers.solver_names import SOLVER
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_release import active

ONE_IN = 10  # of the problems that one project alone answers, in a campaign


class Reserves:
    """The solvers in reserve for these flags; each runs in a child process, which starts when it is needed."""

    def __init__(self, solving: Solving, watchdog: Watchdog) -> None:
        self._solving = solving
        self._watchdog = watchdog
        self._running = running(solving)
        self._engines: dict[str, Isolated] = {}

    def names(self, alone: str) -> Sequence[str]:
        """Return the names of the solvers in reserve for one that answers alone."""
        solver = solver_of(alone)
        others = [name for name in SOLVERS if name not in projects(self._running) and find_spec(name) is not None]
        release = self._other_release(alone) if solver in SOLVERS else ""
        return [*([f"{solver}@{release}"] if release else []), *(name for name in others if name != solver)]

    def outcomes(self, alone: str, text: str) -> Iterator[tuple[str, Outcome]]:
        """Yield the outcomes of the solvers in reserve, by name."""
        for name in self.names(alone):
            yield name, self._engine(name).solve(text, (), self._solving.rlimit)

    def all_outcomes(self, alone: str, text: str) -> dict[str, Outcome]:
        """Return the outcomes of all solvers in reserve, by name."""
        return dict(self.outcomes(alone, text))

    def close(self) -> None:
        """End the child processes."""
        for engine in self._engines.values():
            engine.close()

    def _engine(self, name: str) -> Isolated:
        if name not in self._engines:
            (one,) = selected([name], SOLVERS)
            self._engines[name] = Isolated(one, replace(self._solving, z3=None, z3_library=None), self._watchdog)
        return self._engines[name]

    def _other_release(self, alone: str) -> str:
        """Return the installed release, or else the newest one in the cache, that is not the one that answers."""
        solver, own = solver_of(alone), release_of(alone)[1] or self._own_release(solver_of(alone))
        known = releases.in_cache(solver)
        installed = metadata.version(releases.PACKAGES[solver]) if find_spec(solver) is not None else ""
        return next((each for each in (installed, *reversed(known)) if each and each != own), "")

    def _own_release(self, solver: str) -> str:
        return active().version if solver == Z3 else metadata.version(releases.PACKAGES[solver])


class ReserveOpinion:
    """The opinion of solvers in reserve, on problems that one project answers."""

    def __init__(self, reserves: Reserves, first: str) -> None:
        self._reserves = reserves
        self.reserves = ReserveUse()
        self._first = first  # the solver under test unless a parameter names another one

    def verdicts(self, mutant: Mutant, outcome: Outcome) -> tuple[Verdict, ...]:
        """Return the verdict on an answer that only one project gives, if this problem is one of the chosen."""
        tested = dict(mutant.parameters).get(SOLVER, self._first)
        alone = answering_alone({tested: outcome, **dict(outcome.others)})
        if not alone or left_open.in_terms(*as_problem(mutant.problem).formulas):
            return ()
        self.reserves.answers += 1
        if int.from_bytes(mutant.key[4:8]) % ONE_IN:
            return ()
        own = outcome if alone == tested else dict(outcome.others)[alone]
        with self.reserves.querying():
            verdict = self._compared(alone, own, mutant.text)
        self.reserves.decided += verdict.kind is not VerdictKind.UNDECIDED
        if alone == tested:
            return (verdict,)
        return (replace(verdict, accuses=((SOLVER, alone),), seen=own.status.value),)

    def _compared(self, alone: str, own: Outcome, text: str) -> Verdict:
        for name, other in self._reserves.outcomes(alone, text):
            if other.status.is_decided:
                words = f"answers {own.status.value}, {name} {other.status.value}, and no partner answers"
                kind = VerdictKind.PASS if other.status is own.status else VerdictKind.DISAGREEMENT
                return Verdict(CROSS.name, kind, words, judges=(name,))
        return Verdict(CROSS.name, VerdictKind.UNDECIDED, "neither partners nor solvers in reserve answer")


def answering_alone(outcomes: Mapping[str, Outcome]) -> str:
    """Return the first solver that answers if all that do are of its project; empty if none or several answer."""
    names = [name for name, outcome in outcomes.items() if outcome.status.is_decided]
    return names[0] if len(projects(names)) == 1 else ""
