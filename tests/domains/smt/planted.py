"""Domains of SMT problems in which one solver has a planted fault."""

import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from chcfuzz.domains.smt.domain import SmtDomain
from chcfuzz.domains.smt.solvers.engine import Engine
from chcfuzz.domains.smt.solvers.isolation import Isolated
from chcfuzz.domains.smt.solvers.solver_engines import smt_solvers
from chcfuzz.domains.smt.solvers.together import SmtSolvers
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.reading import parse
from chcfuzz.solvers.model_text import TextModel, pieces
from chcfuzz.solvers.outcome import Outcome, Status, Texts, texts_of
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.source import Parameters, TraceSource
from chcfuzz.triage.findings.record import Record
from chcfuzz.triage.findings.reproducing import ReleasedRun

TRIGGERS = ("(mod ", "(bvurem ")  # the faults show in problems whose text has one of these
VALUES = {"Int": "123456789", "(_ BitVec 6)": "#b000001"}  # wrong ones, by sort

Fault = Callable[[Engine, str, Parameters, int], Outcome]


def sat_for_unsat(engine: Engine, text: str, parameters: Parameters, rlimit: int) -> Outcome:
    outcome = engine.solve(text, parameters, rlimit)
    return replace(outcome, status=Status.SAT, model=TextModel("")) if outcome.status is Status.UNSAT else outcome


def unsat_for_sat(engine: Engine, text: str, parameters: Parameters, rlimit: int) -> Outcome:
    outcome = engine.solve(text, parameters, rlimit)
    return replace(outcome, status=Status.UNSAT, model=None) if outcome.status is Status.SAT else outcome


def wrong_value(engine: Engine, text: str, parameters: Parameters, rlimit: int) -> Outcome:
    """Give the first number of the model another value."""
    outcome = engine.solve(text, parameters, rlimit)
    if outcome.model is None:
        return outcome
    found = pieces(outcome.model.definitions)
    for place, piece in enumerate(found):
        name = piece.split()[1]
        line = " ".join(piece.split())
        sort = next((sort for sort in VALUES if line.startswith(f"(define-fun {name} () {sort} ")), None)
        if sort is not None:
            found[place] = f"(define-fun {name} () {sort} {VALUES[sort]})"
            break
    return replace(outcome, model=TextModel("\n".join(found)))


def dropped_assertion(engine: Engine, text: str, parameters: Parameters, rlimit: int) -> Outcome:
    """Solve the problem without its last assertion."""
    problem = parse.problem(text)
    return engine.solve(print_problem(problem.with_assertions(problem.assertions[:-1])), parameters, rlimit)


def internal_error(engine: Engine, text: str, parameters: Parameters, rlimit: int) -> Outcome:
    outcome = engine.solve(text, parameters, rlimit)
    reason = "Fatal failure within planted::check at 3: Unreachable code"
    return replace(outcome, status=Status.ERROR, reason=reason, model=None)


def smaller_core(engine: Engine, text: str, parameters: Parameters, rlimit: int) -> Outcome:
    """Leave the first member out of each core."""
    outcome = engine.solve(text, parameters, rlimit)
    cores = tuple(f"({' '.join(result[1:-1].split()[1:])})" for result in texts_of(outcome))
    return replace(outcome, extra=Texts(cores)) if cores else outcome


def death(engine: Engine, text: str, parameters: Parameters, rlimit: int) -> Outcome:
    """Abort the process of the solver: its child process, or this one."""
    os.kill(engine.pid if isinstance(engine, Isolated) else os.getpid(), signal.SIGABRT)
    return engine.solve(text, parameters, rlimit)


def hang(engine: Engine, text: str, parameters: Parameters, rlimit: int) -> Outcome:
    """Ignore the limits: solve until the wall clock of the campaign ends it."""
    outcome = engine.solve(text, parameters, rlimit)
    time.sleep(0.01)
    return replace(outcome, status=Status.HANG, reason="wall clock", model=None)


@dataclass
class Faulty:
    """An engine with a fault in problems that have the trigger."""

    engine: Engine
    fault: Fault
    only: str = ""  # the one text that shows the fault, if it is not empty

    @property
    def name(self) -> str:
        return self.engine.name

    @property
    def version(self) -> str:
        return self.engine.version

    def solve(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        if text != self.only if self.only else not any(trigger in text for trigger in TRIGGERS):
            return self.engine.solve(text, parameters, rlimit)
        return self.fault(self.engine, text, parameters, rlimit)


class PlantedDomain(SmtDomain):
    """SMT problems with a fault of one solver."""

    def __init__(self, name: str, solver: str, fault: Fault, only: str = "") -> None:
        self.name = f"tests.domains.smt.planted:{name}"
        self._solver, self._fault, self._only = solver, fault, only

    def released_runs(self, record: Record, system: str, command: Sequence[str]) -> Sequence[ReleasedRun]:
        """Return no runs: no release has the fault."""
        return ()

    def solver(self, solving: Solving, source: TraceSource | None, watchdog: Watchdog) -> SmtSolvers:
        """Return all solvers, one of them with the fault."""
        whole = smt_solvers(solving, watchdog)
        wrapped = [
            Faulty(each, self._fault, self._only) if each.name == self._solver else each for each in whole.engines
        ]
        return SmtSolvers(wrapped, whole.events)


SAT_FOR_UNSAT = PlantedDomain("SAT_FOR_UNSAT", "cvc5", sat_for_unsat)
UNSAT_FOR_SAT = PlantedDomain("UNSAT_FOR_SAT", "cvc5", unsat_for_sat)
UNSAT_FOR_SAT_OF_Z3 = PlantedDomain("UNSAT_FOR_SAT_OF_Z3", "z3", unsat_for_sat)
SILENT = """(declare-const x (_ BitVec 6))
(declare-const y (_ BitVec 6))
(assert (= (bvurem x #b000100) #b000011))
(assert (= x (bvshl y #b000001)))
(check-sat)
"""  # unsat
SAT_FOR_SILENT = PlantedDomain("SAT_FOR_SILENT", "z3", sat_for_unsat, print_problem(parse.problem(SILENT)))
WRONG_VALUE = PlantedDomain("WRONG_VALUE", "cvc5", wrong_value)
DROPPED_ASSERTION = PlantedDomain("DROPPED_ASSERTION", "cvc5", dropped_assertion)
INTERNAL_ERROR = PlantedDomain("INTERNAL_ERROR", "cvc5", internal_error)
SMALLER_CORE = PlantedDomain("SMALLER_CORE", "cvc5", smaller_core)
DEATH = PlantedDomain("DEATH", "z3", death)
HANG = PlantedDomain("HANG", "cvc5", hang)


FAULTS = (sat_for_unsat, unsat_for_sat, wrong_value, dropped_assertion, internal_error, smaller_core, death, hang)


def __getattr__(name: str) -> PlantedDomain:
    """Return the domain with a fault of a solver: `death_of_bitwuzla`."""
    fault, of, solver = name.partition("_of_")
    found = next((each for each in FAULTS if each.__name__ == fault), None)
    if not of or found is None:
        raise AttributeError(name)
    return PlantedDomain(name, solver, found)
