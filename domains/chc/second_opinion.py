"""Second opinions on answers to CHC systems: refutations, cvc5, Z3's other engines, and other CHC solvers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from chcfuzz.domains.chc.oracles import cross, derive, failing, model, plain_smt
from chcfuzz.domains.chc.oracles.evidence import model_script
from chcfuzz.domains.chc.reserves import reserves
from chcfuzz.domains.chc.solver_steps.oracle import StepsOracle
from chcfuzz.domains.chc.solvers import z3_engines as engines
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.domains.protocol import MutantSample, Solve
from chcfuzz.execution.solving import PROGRAM, Solving
from chcfuzz.grammar.printable import counted
from chcfuzz.grammar.system import System, as_system
from chcfuzz.mutators.chain import Mutant
from chcfuzz.oracles import left_open, second_solver
from chcfuzz.oracles.reserve_use import ReserveUse
from chcfuzz.oracles.verdict import CVC5, Verdict, VerdictKind
from chcfuzz.solvers.other_solvers import CrossSolver, cross_solvers
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.solver_model import AnyModel
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.trace import NOTHING

_ENGINE_SHARE = 5  # of the resource limit, one such part: bmc only ends where there is a refutation


class ChcSecondOpinion:
    """Searches a refutation of an answer unsat, checks models with cvc5, and runs other solvers on the same system.

    These are Z3's other engines if they apply, the commands and releases in the flags, and `spacer` if another
    solver is under test; `solve` runs that one. If none of them decides, solvers in reserve follow, until one answers.
    `samples` judge some mutants in addition. Raises `CommandError` and `ReleaseError` for unusable solvers.
    """

    def __init__(
        self,
        solving: Solving,
        watchdog: Watchdog,
        solve: Solve,
        spacer: Spacer | None,
        samples: Sequence[MutantSample] = (),
    ) -> None:
        self.solve = solve
        self._rlimit = solving.rlimit
        self._watchdog = watchdog
        self._tests_spacer = spacer is None
        limits = (solving.wall_seconds, solving.memory_megabytes)
        others = cross_solvers(solving.cross, solving.cross_z3, *limits, under_test=solving.solver_command())
        self.others = {other.name: _asked(other, self._rlimit) for other in others}
        self.has_others = bool(others)
        shows_steps = solving.command is None and solving.front_end != PROGRAM
        self.steps = StepsOracle(solving) if shows_steps else None
        self.samples = samples
        self._solving = solving
        self.reserves = ReserveUse()
        if spacer is not None:
            self.others["Spacer"] = lambda mutant: spacer.solve(mutant.text, (), solving.rlimit)

    def verdicts(self, mutant: Mutant, outcome: Outcome) -> tuple[Verdict, ...]:
        """Return the verdicts of all others; none for a mutant without a decided outcome."""
        if not outcome.status.is_decided:
            return ()
        found = []
        refutation = ""
        if outcome.status is Status.UNSAT:
            found.append(derive.check(_system(mutant), self._rlimit, self._watchdog, self._tests_spacer))
            refutation = found[0].detail if found[0].kind is VerdictKind.PASS else ""
        elif outcome.model is not None:
            found.append(_of_cvc5(mutant, outcome, failing.z3_query(self._rlimit, self._watchdog)))
        if outcome.status is Status.SAT:
            found.append(plain_smt.check(_system(mutant)))
        for name, solve in (self.others | self._engines(mutant)).items():
            other = solve(mutant)
            if other.status is Status.UNSAT and outcome.status is Status.SAT and not refutation:
                search = derive.derive(_system(mutant), self._rlimit, self._watchdog)
                refutation = search.message if search.refutation else ""
            opinion = cross.Opinion(name, other, refutation)
            verdict = cross.settle(_system(mutant), outcome, opinion, self._watchdog)
            found.append(self._unless_left_open(mutant, solve, verdict))
        if all(verdict.kind is VerdictKind.UNDECIDED for verdict in found):
            found += self._in_reserve(mutant, outcome)
        return tuple(found)

    def _in_reserve(self, mutant: Mutant, outcome: Outcome) -> Iterator[Verdict]:
        """Yield the verdicts of the solvers in reserve, up to the first that answers."""
        self.reserves.answers += 1
        if not self.solvers_in_reserve:
            return
        with self.reserves.querying():
            for other in self.solvers_in_reserve:
                solve = _asked(other, self._rlimit)
                opinion = cross.Opinion(other.name, solve(mutant))
                verdict = cross.settle(_system(mutant), outcome, opinion, self._watchdog)
                verdict = self._unless_left_open(mutant, solve, verdict)
                yield verdict
                if verdict.kind is not VerdictKind.UNDECIDED:
                    self.reserves.decided += 1
                    return

    @cached_property
    def solvers_in_reserve(self) -> tuple[CrossSolver, ...]:
        """The solvers in reserve."""
        return reserves(self._solving)

    def _unless_left_open(self, mutant: Mutant, solve: Solve, verdict: Verdict) -> Verdict:
        """Return the verdict, undecided if solvers differ only in operators that SMT-LIB leaves partly open.

        Both solve the system again with a fixed meaning of these operators.
        """
        open_terms = left_open.in_terms(*(clause.formula for clause in _system(mutant).clauses))
        if verdict.kind is not VerdictKind.DISAGREEMENT or not open_terms:
            return verdict
        closed = replace(mutant, problem=left_open.closed(_system(mutant)))
        ours, other = self.solve(closed), solve(closed)
        if not ours.status.is_decided or ours.status is not other.status:
            return verdict
        detail = (
            f"{verdict.detail}; they agree once {', '.join(open_terms)} has a value wherever SMT-LIB leaves it open"
        )
        return replace(verdict, kind=VerdictKind.UNDECIDED, detail=detail, evidence="")

    def _engines(self, mutant: Mutant) -> dict[str, Solve]:
        return {f"Z3's {engine}": self._engine(engine) for engine in engines.applicable(_system(mutant))}

    def _engine(self, engine: str) -> Solve:
        def solve(mutant: Mutant) -> Outcome:
            answer = engines.answer(_system(mutant), engine, self._rlimit // _ENGINE_SHARE, self._watchdog)
            return Outcome(answer.status, answer.reason, NOTHING, 0, 0.0)

        return solve


def _system(mutant: Mutant) -> System:
    return as_system(mutant.problem)


def _asked(other: CrossSolver, rlimit: int) -> Solve:
    return lambda mutant: other.solve(_system(mutant), rlimit)


def _of_cvc5(mutant: Mutant, outcome: Outcome, z3: failing.Query) -> Verdict:
    """Return the verdict of cvc5 on the model; a clause that cvc5 alone finds false is a disagreement."""
    assert outcome.model is not None
    undefined = model.undefined(_system(mutant), outcome.model)
    if undefined:
        return Verdict(CVC5.name, VerdictKind.UNDECIDED, f"the model does not define {', '.join(undefined)}")
    twice = model.ambiguous(_system(mutant), outcome.model)
    if twice:
        return Verdict(CVC5.name, VerdictKind.UNDECIDED, f"the model gives {', '.join(twice)} more than one meaning")
    answers = second_solver.answers(model_script(_system(mutant), outcome.model))
    false = [_false_to_cvc5(mutant, outcome.model, number, z3) for number, each in enumerate(answers) if each == "sat"]
    if false:
        return next((verdict for verdict in false if verdict.kind.is_finding), false[0])
    if answers.count("unsat") == len(_system(mutant).clauses):
        return Verdict(CVC5.name, VerdictKind.PASS)
    return Verdict(CVC5.name, VerdictKind.UNDECIDED, f"cvc5 decides {counted(answers.count('unsat'), 'clause')}")


def _false_to_cvc5(mutant: Mutant, given: AnyModel, number: int, z3: failing.Query) -> Verdict:
    """Return the verdict on a clause that cvc5 finds false: the model is wrong if the evaluator agrees."""
    system = _system(mutant)
    found = failing.confirm(system, given, number, failing.cvc5_query(system), z3)
    where = f" at {found.where}" if found.where else ""
    detail = f"cvc5 finds clause {number + 1} false under the model{where}"
    if found.answer != "sat":
        return Verdict(CVC5.name, VerdictKind.UNDECIDED, f"{detail}, its script is {found.answer}")
    if found.holds is False:
        return Verdict(CVC5.name, VerdictKind.WRONG_MODEL, detail, found.script, found.judges("cvc5"))
    if found.holds:
        return Verdict(CVC5.name, VerdictKind.UNDECIDED, f"{detail}, our evaluator finds it true there")
    if found.open_term:
        detail = f"{detail}, which depends on what SMT-LIB leaves open of {found.open_term}"
        return Verdict(CVC5.name, VerdictKind.UNDECIDED, detail)
    return Verdict(CVC5.name, VerdictKind.DISAGREEMENT, detail, found.script, found.judges("cvc5"))
