"""What others say of an answer, for one execution in so many: each costs as much as solving, or more.

Which executions are asked about is a property of the mutant, so that a replay asks about the same ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.system import as_system
from chcfuzz.mutators.chain import Mutant
from chcfuzz.oracles import cross, derive, failing, left_open, model, second_solver
from chcfuzz.oracles.evidence import model_script
from chcfuzz.oracles.verdict import CVC5, Verdict, VerdictKind
from chcfuzz.solvers import engines
from chcfuzz.solvers.cross import CrossSolver, cross_solvers
from chcfuzz.solvers.model import AnyModel
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.spacer import Spacer
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.trace import NOTHING

Other = Callable[[Mutant], Outcome]

_ENGINE_SHARE = 5  # of the resource limit, one such part: bmc only ends where there is a refutation


class SecondOpinion:
    """Asks for a refutation of what is called unsat, cvc5 about models, and other solvers about the same system.

    Those are Z3's other engines where they apply, the commands and releases that the campaign was given, and `spacer`
    where another solver is under test; `solve` runs the one that is. Raises `CommandError` and `ReleaseError` for what
    cannot be had.
    """

    def __init__(self, solving: Solving, watchdog: Watchdog, solve: Other, spacer: Spacer | None) -> None:
        self._solve = solve
        self._one_in = solving.second_opinion
        self._rlimit = solving.rlimit
        self._watchdog = watchdog
        self._tests_spacer = spacer is None
        limits = (solving.wall_seconds, solving.memory_megabytes)
        others = cross_solvers(solving.cross, solving.cross_z3, *limits, under_test=solving.solver_command())
        self._others = {other.name: _asked(other, self._rlimit) for other in others}
        self.has_others = bool(others)
        if spacer is not None:
            self._others["Spacer"] = lambda mutant: spacer.solve(mutant.text, (), solving.rlimit)

    def is_wanted(self, mutant: Mutant) -> bool:
        """Whether this mutant is one of those that are asked about."""
        return self._one_in > 0 and int.from_bytes(mutant.key[:4]) % self._one_in == 0

    def verdicts(self, mutant: Mutant, outcome: Outcome) -> tuple[Verdict, ...]:
        """A verdict from everybody who has something to say."""
        if not outcome.status.is_decided:
            return ()
        found = []
        refutation = ""
        if outcome.status is Status.UNSAT:
            found.append(derive.check(as_system(mutant.problem), self._rlimit, self._watchdog, self._tests_spacer))
            refutation = found[0].detail if found[0].kind is VerdictKind.PASS else ""
        elif outcome.model is not None:
            found.append(_of_cvc5(mutant, outcome, failing.z3_query(self._rlimit, self._watchdog)))
        for name, ask in (self._others | self._engines(mutant)).items():
            other = ask(mutant)
            if other.status is Status.UNSAT and outcome.status is Status.SAT and not refutation:
                search = derive.derive(as_system(mutant.problem), self._rlimit, self._watchdog)
                refutation = search.message if search.refutation else ""
            opinion = cross.Opinion(name, other, refutation)
            verdict = cross.settle(as_system(mutant.problem), outcome, opinion, self._watchdog)
            found.append(self._unless_left_open(mutant, ask, verdict))
        return tuple(found)

    def _unless_left_open(self, mutant: Mutant, ask: Other, verdict: Verdict) -> Verdict:
        """The verdict; but solvers that differ only in what SMT-LIB leaves open do not disagree.

        They are asked again about the system without that, where each means the same by it.
        """
        open_terms = left_open.in_terms(*(clause.formula for clause in as_system(mutant.problem).clauses))
        if verdict.kind is not VerdictKind.DISAGREEMENT or not open_terms:
            return verdict
        closed = replace(mutant, problem=left_open.closed(as_system(mutant.problem)))
        ours, other = self._solve(closed), ask(closed)
        if not ours.status.is_decided or ours.status is not other.status:
            return verdict
        told = f"{verdict.detail}; they agree once {', '.join(open_terms)} has a value wherever SMT-LIB leaves it open"
        return Verdict(verdict.oracle, VerdictKind.UNDECIDED, told)

    def _engines(self, mutant: Mutant) -> dict[str, Other]:
        return {f"Z3's {engine}": self._engine(engine) for engine in engines.applicable(as_system(mutant.problem))}

    def _engine(self, engine: str) -> Other:
        def ask(mutant: Mutant) -> Outcome:
            answer = engines.answer(as_system(mutant.problem), engine, self._rlimit // _ENGINE_SHARE, self._watchdog)
            return Outcome(answer.status, answer.reason, NOTHING, 0, 0.0)

        return ask


def _asked(other: CrossSolver, rlimit: int) -> Other:
    return lambda mutant: other.solve(as_system(mutant.problem), rlimit)


def _of_cvc5(mutant: Mutant, outcome: Outcome, z3: failing.Query) -> Verdict:
    """Whether cvc5 finds the model right too; what it alone finds wrong is a disagreement."""
    assert outcome.model is not None
    undefined = model.undefined(as_system(mutant.problem), outcome.model)
    if undefined:
        return Verdict(CVC5.name, VerdictKind.UNDECIDED, f"the model does not define {', '.join(undefined)}")
    said = second_solver.answers(model_script(as_system(mutant.problem), outcome.model))
    looked_at = [_false_to_cvc5(mutant, outcome.model, number, z3) for number, told in enumerate(said) if told == "sat"]
    if looked_at:
        return next((verdict for verdict in looked_at if verdict.kind.is_finding), looked_at[0])
    if said.count("unsat") == len(as_system(mutant.problem).clauses):
        return Verdict(CVC5.name, VerdictKind.PASS)
    return Verdict(CVC5.name, VerdictKind.UNDECIDED, f"cvc5 decides {said.count('unsat')} clauses")


def _false_to_cvc5(mutant: Mutant, given: AnyModel, number: int, z3: failing.Query) -> Verdict:
    """What a clause is that cvc5 finds false: a model is wrong where our evaluator agrees at cvc5's values."""
    system = as_system(mutant.problem)
    found = failing.confirm(system, given, number, failing.cvc5_query(system), z3)
    where = f" at {found.where}" if found.where else ""
    told = f"cvc5 finds clause {number + 1} false under the model{where}"
    if found.answer != "sat":
        return Verdict(CVC5.name, VerdictKind.UNDECIDED, f"{told}, its script is {found.answer}")
    if found.holds is False:
        return Verdict(CVC5.name, VerdictKind.WRONG_MODEL, told, found.script, found.judges("cvc5"))
    if found.holds:
        return Verdict(CVC5.name, VerdictKind.UNDECIDED, f"{told}, our evaluator finds it true there")
    if found.open_term:
        told = f"{told}, which depends on what SMT-LIB leaves open of {found.open_term}"
        return Verdict(CVC5.name, VerdictKind.UNDECIDED, told)
    return Verdict(CVC5.name, VerdictKind.DISAGREEMENT, told, found.script, found.judges("cvc5"))
