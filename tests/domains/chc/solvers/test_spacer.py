"""Spacer in this process: one text in, one outcome out, and nothing left behind."""

import subprocess
import sys
from pathlib import Path

import pytest
import z3
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.progress_log import ProgressLog

RLIMIT = 5_000_000
SPACER = Spacer(ProgressLog(), Watchdog(60))


def counting(steps: int, bound: int) -> str:
    """`y` is counted up to twice `steps`, and must not pass `bound`."""
    return f"""(set-logic HORN)(declare-fun p (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (p x y))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x {steps})) (p (+ x 1) (+ y 2)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (> y {bound})) false)))"""


SAT = counting(5, 10)
UNSAT = counting(5, 9)


def solve(text: str, *parameters: tuple[str, str], rlimit: int = RLIMIT) -> Outcome:
    return SPACER.solve(text, parameters, rlimit)


def test_sat_comes_with_a_model_of_the_predicates() -> None:
    outcome = solve(SAT)
    assert (outcome.status, outcome.reason, outcome.left_out) == (Status.SAT, "", ())
    assert outcome.status.is_decided
    assert outcome.model is not None
    assert outcome.model.defined == {"p"}
    assert outcome.model.definitions.startswith("(define-fun p ((x!0 Int) (x!1 Int)) Bool")
    assert len(outcome.model.assertions) == 3


def test_a_model_outlives_later_executions() -> None:
    model = solve(SAT).model
    solve(UNSAT)
    again = solve(SAT).model
    assert model is not None
    assert again is not None
    assert model.context is not again.context
    assert model.definitions == again.definitions


def test_unsat_has_no_model() -> None:
    outcome = solve(UNSAT)
    assert (outcome.status, outcome.reason, outcome.model) == (Status.UNSAT, "", None)


def test_the_resource_limit_is_no_answer() -> None:
    outcome = solve(counting(1000, 2000), rlimit=20_000)
    assert (outcome.status, outcome.reason) == (Status.LIMIT, "max. resource limit exceeded")
    assert not outcome.status.is_decided
    assert outcome.model is None
    assert outcome.trace.length > 0


def test_the_resource_limit_is_reached_at_the_same_step_again() -> None:
    first, second = (solve(counting(1000, 2000), rlimit=20_000) for _ in range(2))
    assert (first.trace.hash, first.cost) == (second.trace.hash, second.cost)


def test_what_z3_refuses_is_an_error_with_its_message_in_one_line() -> None:
    outcome = solve("(declare-fun p (Int) Bool)\n(assert (p q))")
    assert outcome.status is Status.ERROR
    assert outcome.reason == '(error "line 2 column 11: unknown constant q")'
    assert (outcome.trace.length, outcome.model) == (0, None)


def test_text_that_is_no_script_is_an_error() -> None:
    assert solve("(assert (p").status is Status.ERROR
    assert solve(")").status is Status.ERROR


def test_a_solver_that_gives_up_is_not_at_its_limit() -> None:
    outcome = solve(SAT, ("fp.engine", "duality"))
    assert (outcome.status, outcome.reason) == (Status.UNKNOWN, "unsupported datalog engine type")


@pytest.mark.parametrize("name", ["fp.spacer.trace_file", "fp.spacer.print_json", "fp.print_aig", "fp.spacer.logic"])
def test_a_parameter_that_takes_a_text_is_left_out(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("precious")
    outcome = solve(SAT, (name, str(tmp_path / "file")))
    assert (outcome.status, outcome.left_out) == (Status.SAT, (name,))
    assert (tmp_path / "file").read_text() == "precious"


def test_unknown_parameters_are_left_out_and_named() -> None:
    outcome = solve(
        SAT, ("fp.spacer.no_such", "true"), ("fp.xform.slice", "false"), ("smt.no_such", "1"), ("nlsat.seed", "1")
    )
    assert outcome.status is Status.SAT
    assert outcome.left_out == ("fp.spacer.no_such", "smt.no_such", "nlsat.seed")


def test_options_of_other_modules_reach_spacer_and_are_restored() -> None:
    before, name = z3.get_param("smt.arith.solver"), "smt.arith.solver"
    plain, other, after = solve(SAT), solve(SAT, (name, "2")), solve(SAT)
    assert (other.status, other.left_out) == (Status.SAT, ())
    assert other.cost != plain.cost == after.cost
    assert z3.get_param(name) == before


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("fp.spacer.max_num_contexts", "p"),
        ("fp.spacer.max_num_contexts", "-1"),
        ("fp.spacer.max_num_contexts", "4294967296"),
        ("fp.spacer.max_num_contexts", "٣"),
        ("fp.spacer.ctp", "yes"),
    ],
)
def test_a_value_of_another_kind_is_left_out_and_its_parameter_named(name: str, value: str) -> None:
    outcome = solve(SAT, (name, value))
    assert (outcome.status, outcome.left_out) == (Status.SAT, (name,))


def test_the_fuzzers_own_limits_cannot_be_given_as_parameters() -> None:
    """The fixedpoint module lists these, but a solver refuses them, and then the whole text with them."""
    outcome = solve(SAT, ("fp.timeout", "1"), ("fp.rlimit", "1"), ("fp.ctrl_c", "true"))
    assert outcome.status is Status.SAT
    assert outcome.left_out == ("fp.timeout", "fp.rlimit", "fp.ctrl_c")


def test_boolean_values_are_passed() -> None:
    usual, on, off = solve(UNSAT), *(solve(UNSAT, ("fp.spacer.propagate", value)) for value in ("true", "false"))
    assert usual.trace.hash == on.trace.hash != off.trace.hash
    usual, on, off = solve(UNSAT), *(solve(UNSAT, ("fp.spacer.global", value)) for value in ("true", "false"))
    assert usual.trace.hash == off.trace.hash != on.trace.hash


def test_integer_values_are_passed() -> None:
    assert solve(UNSAT).status is Status.UNSAT
    assert solve(UNSAT, ("fp.spacer.max_level", "2")).status is Status.UNKNOWN
    assert solve(UNSAT, ("fp.spacer.max_level", "50")).status is Status.UNSAT


def test_symbol_values_are_passed() -> None:
    assert solve(UNSAT, ("fp.engine", "bmc")).trace.length == 0
    assert solve(UNSAT, ("fp.engine", "spacer")).trace.length > 0


def test_parameters_do_not_outlive_their_execution() -> None:
    before = solve(UNSAT)
    solve(UNSAT, ("fp.spacer.max_level", "2"), ("fp.spacer.random_seed", "7"))
    assert solve(UNSAT).trace.hash == before.trace.hash


def test_the_same_text_leaves_the_same_trace_and_cost_whatever_ran_before() -> None:
    before = solve(SAT)
    again = solve(SAT)
    for other in (UNSAT, counting(20, 40), "(assert", "(declare-fun p () Bool)(assert p)"):
        solve(other)
    after = solve(SAT)
    assert before.trace.hash == again.trace.hash == after.trace.hash
    assert before.cost == again.cost == after.cost > 0


def test_another_process_leaves_the_same_trace_and_cost() -> None:
    """Nothing that Spacer does here depends on addresses, so a finding can be run again elsewhere."""
    code = f"""
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.progress_log import ProgressLog
outcome = Spacer(ProgressLog(), Watchdog(60)).solve({SAT!r}, [], {RLIMIT})
print(outcome.trace.hash, outcome.cost)
"""
    here = solve(SAT)
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        )
        assert done.stdout.split() == [str(here.trace.hash), str(here.cost)]


def test_an_execution_that_never_starts_does_not_show_the_last_ones_trace() -> None:
    assert solve(SAT).trace.length > 0
    assert solve("(assert").trace.length == 0


def test_cost_and_trace_grow_with_the_work() -> None:
    outcomes = [solve(counting(steps, 2 * steps - 1)) for steps in (2, 5, 10, 20)]
    assert [outcome.status for outcome in outcomes] == [Status.UNSAT] * 4
    costs = [outcome.cost for outcome in outcomes]
    lengths = [outcome.trace.length for outcome in outcomes]
    assert costs == sorted(set(costs))
    assert lengths == sorted(set(lengths))


def test_declarations_of_one_text_are_unknown_to_the_next() -> None:
    solve("(declare-fun left_over () Bool)(assert left_over)")
    assert "left_over" in solve("(assert left_over)").reason


@pytest.mark.parametrize("where", ["SolverFor", "statistics"])
def test_memory_that_runs_out_is_a_limit_wherever_it_does(monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    def exhausted(*_: object, **__: object) -> None:
        raise z3.Z3Exception(b"out of memory")

    monkeypatch.setattr(z3 if where == "SolverFor" else z3.Solver, where, exhausted)
    outcome = solve(SAT)
    assert (outcome.status, outcome.reason, outcome.cost, outcome.model) == (Status.LIMIT, "out of memory", 0, None)
