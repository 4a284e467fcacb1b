"""Several SMT solvers that solve the same problem in one execution, those in child processes at the same time."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

from cachetools import LRUCache
from chcfuzz.domains.smt.solvers.engine import Concurrent, Engine, Pairs
from chcfuzz.solvers import z3_program
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.solver import Solver
from chcfuzz.solvers.solver_names import SOLVER
from chcfuzz.tracing.solver_statistics import StatisticsSource, merged
from chcfuzz.tracing.source import Parameters

_MOST_KEPT = 256  # outcomes
_OF_PROJECT = re.compile(r"(z3|cvc5|bitwuzla)(?![^\W_])", re.IGNORECASE)  # what begins the name of a program
Key = tuple[str, str, Pairs, int]  # an engine's name, a text, its parameters and the resource limit


class SmtSolvers(Solver):
    """Solvers that all solve each problem; the parameter `solver` names the one under test, otherwise the first.

    Parameters have the name of their solver as a prefix, `z3.smt.arith.solver`; all settings of one solver get them.
    """

    counts_resources = True

    def __init__(
        self, engines: Sequence[Engine], source: StatisticsSource, program: Callable[[], Engine] | None = None
    ) -> None:
        """Run these engines in this order; their names differ, and the first is under test by default.

        `program` makes the engine of the z3 program, which runs only if the parameter `solver` names it.
        """
        self._engines = {engine.name: engine for engine in engines}
        self._make_program = program
        self._source = source
        self._kept: LRUCache[Key, Outcome] | None = None

    @property
    def name(self) -> str:
        """The names of all solvers."""
        return ", ".join(self._engines)

    @property
    def names(self) -> tuple[str, ...]:
        """The names that the parameter `solver` takes."""
        return tuple(self._engines)

    @property
    def engines(self) -> tuple[Engine, ...]:
        """The solvers, in their order."""
        return tuple(self._engines.values())

    @property
    def events(self) -> StatisticsSource:
        """The source of the traces: features of all solvers."""
        return self._source

    def under_test(self, parameters: Parameters) -> str:
        """Return the name of the solver under test; an unknown name means the first solver."""
        wanted = dict(parameters).get(SOLVER, "")
        return wanted if self._runs(wanted) else next(iter(self._engines))

    def other_front_ends(self, parameters: Parameters) -> Sequence[tuple[str, Parameters]]:
        """Return the z3 program if Z3's library is under test without settings, and the reverse."""
        other = {"z3": z3_program.NAME, z3_program.NAME: "z3"}.get(self.under_test(parameters), "")
        if not self._runs(other):
            return ()
        return ((other, tuple(sorted({**dict(parameters), SOLVER: other}.items()))),)

    @cached_property
    def program(self) -> Engine | None:
        """The engine of the z3 program beside the others; None if it is one of them, or is not tested."""
        return None if self._make_program is None else self._make_program()

    def _runs(self, name: str) -> bool:
        """Return whether the parameter `solver` may have this value."""
        return name in self._engines or (name == z3_program.NAME and self._make_program is not None)

    def _engine(self, name: str) -> Engine:
        engine = self._engines.get(name) or self.program
        assert engine is not None
        return engine

    def solve(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Return the outcome of the solver under test, with those of the others, the features and the time of all."""
        tested, start = self.under_test(parameters), time.perf_counter()
        outcomes = self._outcomes(text, parameters, rlimit)
        if tested not in outcomes:
            outcomes[tested] = self.alone(tested, text, parameters, rlimit)
        others = tuple((name, outcome) for name, outcome in outcomes.items() if name != tested)
        trace = merged({name: outcome.trace for name, outcome in outcomes.items()})
        if any(outcome.status is Status.HANG for outcome in outcomes.values()):  # a clock decided what it contains
            trace = replace(trace, complete=False)
        left_out = (*outcomes[tested].left_out, *self._unknown(parameters))
        seconds = time.perf_counter() - start
        return replace(outcomes[tested], trace=trace, seconds=seconds, others=others, left_out=left_out)

    def alone(self, name: str, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Return the outcome of one solver, without features of the others."""
        return self._outcome((name, text, own(name, parameters), rlimit))

    def remember(self) -> None:
        """Keep outcomes from now on, and do not solve a problem again that differs in parameters of other solvers."""
        self._kept = LRUCache(maxsize=_MOST_KEPT)

    def _outcomes(self, text: str, parameters: Parameters, rlimit: int) -> dict[str, Outcome]:
        """Return the outcomes of all solvers by name; those in other processes solve while this process does."""
        keys: dict[str, Key] = {name: (name, text, own(name, parameters), rlimit) for name in self._engines}
        elsewhere = {
            name: engine
            for name, engine in self._engines.items()
            if isinstance(engine, Concurrent) and self._known(keys[name]) is None
        }
        try:
            for name, engine in elsewhere.items():
                engine.begin(*keys[name][1:])
            found = {name: self._outcome(key) for name, key in keys.items() if name not in elsewhere}
            found |= {name: self._keep(keys[name], engine.finish()) for name, engine in elsewhere.items()}
        except BaseException:  # a child that still solves would return this outcome for the next problem
            for engine in elsewhere.values():
                engine.close()
            raise
        return {name: found[name] for name in keys}

    def _outcome(self, key: Key) -> Outcome:
        known = self._known(key)
        return self._keep(key, self._engine(key[0]).solve(*key[1:])) if known is None else known

    def _known(self, key: Key) -> Outcome | None:
        return None if self._kept is None else self._kept.get(key)

    def _keep(self, key: Key, outcome: Outcome) -> Outcome:
        if self._kept is not None:
            self._kept[key] = outcome
        return outcome

    def _unknown(self, parameters: Parameters) -> tuple[str, ...]:
        """Return the parameters that no solver gets, and `solver` if it names none of them."""
        solvers = {solver_of(name) for name in self._engines}
        return tuple(
            name
            for name, value in parameters
            if (not self._runs(value) if name == SOLVER else name.partition(".")[0] not in solvers)
        )


def solver_of(name: str) -> str:
    """Return the solver of an engine's name: `z3` of `z3:sat.euf=true`, of `z3@5.3.0.0` and of the z3 program."""
    solver = front_end_of(name)
    return "z3" if solver == z3_program.NAME else solver


def project_of(name: str) -> str:
    """Return the project of an engine, also of a command such as `cvc5-1.3.0`."""
    found = _OF_PROJECT.match(name)
    return found[1].lower() if found else solver_of(name)


def front_end_of(name: str) -> str:
    """Return the name of an engine without settings and release: the program of Z3 is another one than its library."""
    return name.partition(":")[0].partition("@")[0]


def release_of(name: str) -> tuple[str, str]:
    """Return the name of an engine without its release, and the release, or an empty text."""
    named, colon, settings = name.partition(":")
    solver, _, release = named.partition("@")
    return f"{solver}{colon}{settings}", release


def settings_of(name: str) -> Pairs:
    """Return the settings in an engine's name."""
    found = (setting.partition("=") for setting in name.split(":")[1:])
    return tuple((parameter, value) for parameter, _, value in found)


def own(name: str, parameters: Parameters) -> Pairs:
    """Return the parameters of an engine, without its solver's name."""
    prefix = f"{solver_of(name)}."
    return tuple((key.removeprefix(prefix), value) for key, value in parameters if key.startswith(prefix))
