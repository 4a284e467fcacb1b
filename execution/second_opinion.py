"""What others say of an answer, for one execution in so many: each costs as much as solving, or more.

Which executions are asked about is a property of the mutant, so that a replay asks about the same ones.
"""

from __future__ import annotations

from collections.abc import Callable

from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.chain import Mutant
from chcfuzz.oracles import cross, derive, model, second_solver
from chcfuzz.oracles.evidence import model_script
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers import engines
from chcfuzz.solvers.cross import CrossSolver, cross_solvers
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.spacer import Spacer
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.trace import NOTHING

Other = Callable[[Mutant], Outcome]

_ENGINE_SHARE = 5  # of the resource limit, one such part: bmc only ends where there is a refutation


class SecondOpinion:
    """Asks for a refutation of what is called unsat, cvc5 about models, and other solvers about the same system.

    Those are Z3's other engines where they apply, the commands and releases that the campaign was given, and `spacer`
    where another solver is under test. Raises `CommandError` and `ReleaseError` for what cannot be had.
    """

    def __init__(self, solving: Solving, watchdog: Watchdog, spacer: Spacer | None) -> None:
        self._one_in = solving.second_opinion
        self._rlimit = solving.rlimit
        self._watchdog = watchdog
        limits = (solving.wall_seconds, solving.memory_megabytes)
        self._others = {
            other.name: _asked(other, self._rlimit) for other in cross_solvers(solving.cross, solving.cross_z3, *limits)
        }
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
            found.append(derive.check(mutant.system, self._rlimit, self._watchdog))
            refutation = found[0].detail if found[0].kind is VerdictKind.PASS else ""
        elif outcome.model is not None:
            found.append(_of_cvc5(mutant, outcome))
        for name, ask in (self._others | self._engines(mutant)).items():
            other = ask(mutant)
            if other.status is Status.UNSAT and outcome.status is Status.SAT and not refutation:
                search = derive.derive(mutant.system, self._rlimit, self._watchdog)
                refutation = search.words if search.refutation else ""
            found.append(cross.settle(mutant.system, outcome, other, name, self._watchdog, refutation))
        return tuple(found)

    def _engines(self, mutant: Mutant) -> dict[str, Other]:
        return {f"Z3's {engine}": self._engine(engine) for engine in engines.applicable(mutant.system)}

    def _engine(self, engine: str) -> Other:
        def ask(mutant: Mutant) -> Outcome:
            answer = engines.answer(mutant.system, engine, self._rlimit // _ENGINE_SHARE, self._watchdog)
            return Outcome(answer.status, answer.reason, NOTHING, 0, 0.0)

        return ask


def _asked(other: CrossSolver, rlimit: int) -> Other:
    return lambda mutant: other.solve(mutant.text, rlimit)


def _of_cvc5(mutant: Mutant, outcome: Outcome) -> Verdict:
    """Whether cvc5 finds the model right too; a model that it finds wrong, alone, is a disagreement."""
    assert outcome.model is not None
    undefined = model.undefined(mutant.system, outcome.model)
    if undefined:
        return Verdict("cvc5", VerdictKind.UNDECIDED, f"the model does not define {', '.join(undefined)}")
    said = second_solver.answers(model_script(mutant.system, outcome.model))
    if "sat" in said:
        told = f"cvc5 finds clause {said.index('sat') + 1} false under the model"
        return Verdict("cvc5", VerdictKind.DISAGREEMENT, told)
    if said.count("unsat") == len(mutant.system.clauses):
        return Verdict("cvc5", VerdictKind.PASS)
    return Verdict("cvc5", VerdictKind.UNDECIDED, f"cvc5 decides {said.count('unsat')} clauses")
