"""The z3 program as one of several SMT solvers."""

import pytest
from chcfuzz.domains.smt.solvers.program_engine import program_engine
from chcfuzz.domains.smt.solvers.selection import SelectionError, selected
from chcfuzz.domains.smt.solvers.solver_engines import check_usable, smt_solvers
from chcfuzz.domains.smt.solvers.together import front_end_of, project_of, solver_of
from chcfuzz.execution.solving import Solving
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog

from tests.domains.smt.solvers.problems import INTEGERS

BOTH = Solving(domain="smt", solvers=("z3", "z3-program"))
CHECKS = "(set-logic ALL)\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n"


def test_the_program_is_of_the_same_project_and_has_the_same_options() -> None:
    assert solver_of("z3-program@5.3.0.0:sat.euf=true") == solver_of("z3") == "z3"
    programs = ("z3-program", "z3@5.3.0.0", "z3-4.12", "Z3.sh", "cvc5_old", "bitwuzla:seed=1", "yices-smt2", "z3str4")
    assert [*map(project_of, programs)] == ["z3"] * 4 + ["cvc5", "bitwuzla", "yices-smt2", "z3str4"]
    assert front_end_of("z3-program:sat.euf=true") == "z3-program"
    solvers = smt_solvers(BOTH, Watchdog(60))
    outcome = solvers.solve(CHECKS, (("z3.smt.arith.solver", "2"), ("z3.no_such", "1")), 1_000_000)
    ((name, program),) = outcome.others
    assert (name, outcome.status, program.status) == ("z3-program", Status.SAT, Status.SAT)
    assert outcome.left_out == program.left_out == ("no_such",)
    assert program.model is not None
    assert program.command == ()


def test_one_process_solves_the_problems_without_options() -> None:
    (one,) = selected(("z3-program",))
    engine = program_engine(one, BOTH)
    assert [engine.solve(text, (), 1_000_000).status for text in (CHECKS, INTEGERS, CHECKS)][::2] == [Status.SAT] * 2
    assert engine.solve("(set-logic ALL)\n(assert (foo))\n(check-sat)\n", (), 1_000).status is Status.UNSUPPORTED


def test_a_setting_that_the_program_lacks_is_refused_and_named() -> None:
    with pytest.raises(SelectionError, match=r"z3-program does not have 'no\.such' of 'z3-program:no\.such=1'"):
        check_usable(Solving(domain="smt", solvers=("z3-program:no.such=1",)))
