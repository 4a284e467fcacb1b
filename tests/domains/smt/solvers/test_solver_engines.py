"""Each engine turns a script into an outcome, and keeps nothing from one problem to the next."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
import z3
from chcfuzz.domains.smt.oracles.model import check
from chcfuzz.domains.smt.solvers.bitwuzla import Bitwuzla
from chcfuzz.domains.smt.solvers.cvc5 import Cvc5
from chcfuzz.domains.smt.solvers.engine import Engine
from chcfuzz.domains.smt.solvers.z3 import Z3
from chcfuzz.grammar.models.printed_models import read_model
from chcfuzz.grammar.models.structures import judge
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.reading.parse import problem
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.model_text import TextModel
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.edges import NO_EDGES
from chcfuzz.tracing.trace import Trace

from tests.domains.smt.solvers.problems import BITS, INTEGERS, NO_BITS, SORTS, pigeons

RLIMIT = 1_000_000
Z3_ENGINE, CVC5, BITWUZLA = Z3(Watchdog(60)), Cvc5(), Bitwuzla()
ALL: tuple[Engine, ...] = (Z3_ENGINE, CVC5, BITWUZLA)
by_engine = pytest.mark.parametrize("engine", ALL, ids=lambda engine: engine.name)


def definitions(outcome: Outcome) -> str:
    assert isinstance(outcome.model, TextModel)
    return outcome.model.definitions


@by_engine
def test_sat_comes_with_a_definition_of_every_symbol(engine: Engine) -> None:
    outcome = engine.solve(BITS, (), RLIMIT)
    assert (outcome.status, outcome.reason, outcome.left_out) == (Status.SAT, "", ())
    assert outcome.model is not None
    assert outcome.model.defined == {"x y", "y", "p", "a"}


@by_engine
def test_a_model_satisfies_its_problem(engine: Engine) -> None:
    model = definitions(engine.solve(BITS, (), RLIMIT))
    assertions = [line for line in BITS.splitlines() if line.startswith("(assert")]
    script = "\n".join(("(set-logic ALL)", model, *assertions, "(check-sat)"))
    assert Z3_ENGINE.solve(script, (), RLIMIT).status is Status.SAT


@by_engine
def test_unsat_has_no_model(engine: Engine) -> None:
    outcome = engine.solve(NO_BITS, (), RLIMIT)
    assert (outcome.status, outcome.reason, outcome.model) == (Status.UNSAT, "", None)


@by_engine
def test_values_of_declared_sorts_are_in_the_model(engine: Engine) -> None:
    outcome = engine.solve(SORTS, (), RLIMIT)
    assert outcome.model is not None
    assert outcome.model.defined == {"g", "u", "v"}


@pytest.mark.parametrize(
    ("engine", "options"), [(Z3_ENGINE, ()), (CVC5, (("finite-model-find", "true"),))], ids=["z3", "cvc5"]
)
def test_the_universes_of_sorts_are_in_the_model(engine: Engine, options: tuple[tuple[str, str], ...]) -> None:
    stated = problem("""(declare-sort |odd U| 0)(declare-fun f (|odd U|) |odd U|)(declare-const a |odd U|)
    (declare-const b |odd U|)(assert (distinct a b))(assert (forall ((x |odd U|)) (or (= x a) (= x b))))
    (assert (exists ((x |odd U|)) (distinct (f x) x)))""")
    outcome = engine.solve(print_problem(stated), options, RLIMIT)
    assert isinstance(outcome.model, TextModel)
    assert outcome.model.universes.count("declare-fun") == 2
    assert judge(stated, read_model(outcome.model.whole, stated)) == (True, True, True)
    assert outcome.model.defined == {"a", "b", "f"}


@pytest.mark.parametrize("engine", [Z3_ENGINE, CVC5], ids=lambda engine: engine.name)
def test_functions_on_integers_have_a_model(engine: Engine) -> None:
    outcome = engine.solve(INTEGERS, (), RLIMIT)
    assert outcome.model is not None
    assert outcome.model.defined == {"x", "f"}


@by_engine
def test_text_that_is_not_smt_lib_is_refused_with_the_message_of_the_solver(engine: Engine) -> None:
    outcome = engine.solve("(set-logic ALL)(declare-const p Bool)(assert (and p nowhere))", (), RLIMIT)
    assert outcome.status is Status.UNSUPPORTED
    assert "nowhere" in outcome.reason
    assert "\n" not in outcome.reason


@by_engine
def test_the_resource_limit_ends_a_long_search(engine: Engine) -> None:
    outcome = engine.solve(pigeons(), (), 1_000)
    assert outcome.status is Status.LIMIT
    assert outcome.cost > 0


@by_engine
def test_an_execution_repeats_after_others(engine: Engine) -> None:
    first = engine.solve(BITS, (), RLIMIT)
    for other in (NO_BITS, SORTS, "(assert", pigeons()):
        engine.solve(other, (), 2_000)
    again = engine.solve(BITS, (), RLIMIT)
    assert first.trace.hash == again.trace.hash
    assert definitions(first) == definitions(again)
    assert first.cost == again.cost
    assert first.trace.length == len(first.trace.keys) > 5


@pytest.mark.parametrize(
    ("engine", "name", "value"),
    [(Z3_ENGINE, "sat.euf", "true"), (CVC5, "simplification", "none"), (BITWUZLA, "preprocess", "false")],
    ids=lambda value: getattr(value, "name", value),
)
def test_a_parameter_changes_one_execution_and_no_other(engine: Engine, name: str, value: str) -> None:
    before = engine.solve(BITS, (), RLIMIT)
    changed = engine.solve(BITS, ((name, value),), RLIMIT)
    after = engine.solve(BITS, (), RLIMIT)
    assert changed.left_out == ()
    assert changed.status is Status.SAT
    assert changed.trace.hash != before.trace.hash == after.trace.hash


def test_z3_solves_by_the_logic_of_a_script() -> None:
    in_all, own = (Z3_ENGINE.solve(NO_BITS.replace("ALL", logic), (), RLIMIT) for logic in ("ALL", "QF_BV"))
    unknown = Z3_ENGINE.solve(NO_BITS.replace("ALL", "QF_NOSUCH"), (), RLIMIT)  # is ignored, as by the command
    assert in_all.status is own.status is unknown.status is Status.UNSAT
    assert own.trace.hash != in_all.trace.hash


def test_z3_refuses_a_script_that_has_more_than_its_logic() -> None:
    text = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> (* x x) 3))\n(check-sat)\n"
    outcome = Z3_ENGINE.solve(text, (), RLIMIT)
    assert (outcome.status, "nonlinear" in outcome.reason) == (Status.UNSUPPORTED, True)


@pytest.mark.parametrize("option", ["produce-proofs true", "produce-unsat-cores true"])
def test_options_of_smtlib_reach_z3_and_stay_in_their_script(option: str) -> None:
    text = pigeons(5, named=True)
    texts = (text, f"(set-option :{option})\n{text}", text)
    plain, other, after = (Z3_ENGINE.solve(each, (), RLIMIT) for each in texts)
    assert plain.status is other.status is Status.UNSAT
    assert other.trace.hash != plain.trace.hash == after.trace.hash


@by_engine
def test_a_parameter_that_the_solver_does_not_have_is_left_out(engine: Engine) -> None:
    outcome = engine.solve(BITS, (("no-such.option", "1"),), RLIMIT)
    assert (outcome.status, outcome.left_out) == (Status.SAT, ("no-such.option",))


@by_engine
def test_a_parameter_that_writes_a_file_is_left_out(engine: Engine) -> None:
    names = ("smt.proof.log", "dump-models-to", "write-cnf", "trace_file_name")
    outcome = engine.solve(BITS, tuple((name, "here") for name in names), RLIMIT)
    assert outcome.left_out[-len(names) :] == names


def test_a_number_that_z3_prints_with_an_exponent_is_restored() -> None:
    name = "sat.restart.emaslowglue"
    before = z3.get_param(name)
    assert "e" in before, "Z3 refuses numbers that are written like this"
    assert Z3_ENGINE.solve(BITS, ((name, "0.5"),), RLIMIT).left_out == ()
    assert z3.get_param(name) == before


def test_a_value_that_z3_ignores_is_left_out() -> None:
    given = (("smt.arith.solver", "simplex"), ("smt.qi.eager_threshold", "10.000"), ("sat.restart.factor", "0.750"))
    assert Z3_ENGINE.solve(BITS, given, RLIMIT).left_out == ("smt.arith.solver",)


class Events:
    """A source of events in the place of a traced build: one transition for each execution since its start."""

    name, edges, traces_refusals, has_features = "events", NO_EDGES, False, False

    def __init__(self) -> None:
        self.executions = 0

    def options(self) -> tuple[tuple[str, str], ...]:
        return ()

    @contextmanager
    def recording(self) -> Iterator[None]:
        self.executions += 1
        yield

    def read(self) -> Trace:
        return Trace(7, 1, np.array([self.executions], np.uint32), np.ones(1, np.uint32))


def test_transitions_of_a_traced_build_are_features_too() -> None:
    plain, traced = Z3_ENGINE, Z3(Watchdog(60), events=Events())
    one, other = traced.solve(BITS, (), RLIMIT).trace, traced.solve(BITS, (), RLIMIT).trace
    assert len(one.keys) == len(plain.solve(BITS, (), RLIMIT).trace.keys) + 1
    assert len(set(one.keys) ^ set(other.keys)) == 2


def test_settings_of_an_engine_hold_unless_a_parameter_changes_them() -> None:
    plain, other = Z3(Watchdog(60)), Z3(Watchdog(60), (("sat.euf", "true"),), "z3:sat.euf=true")
    default = plain.solve(INTEGERS, (), RLIMIT).trace.hash
    assert other.solve(INTEGERS, (), RLIMIT).trace.hash != default
    assert plain.solve(INTEGERS, (("sat.euf", "true"),), RLIMIT).trace.hash != default
    assert plain.solve(INTEGERS, (), RLIMIT).trace.hash == default


HALF = "(set-logic ALL)\n(declare-const x Float16)\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(set-logic ALL)\n(declare-datatypes ((D 0)) (((d))))\n(declare-const x D)\n(check-sat)\n", "no datatypes"),
        ("(set-logic ALL)\n(declare-datatype D ((d)))\n(declare-const x D)\n(check-sat)\n", "no datatypes"),
        (INTEGERS, "no integers"),
        ("(set-logic ALL)\n(declare-const x Real)\n(assert (= x x))\n(check-sat)\n", "no reals"),
        ("(set-logic ALL)\n(declare-const b Bool)\n(assert (or b (< 1 2)))\n(check-sat)\n", "no arithmetic"),
        (f"{HALF}(assert (= (fp.to_real x) (fp.to_real x)))\n(check-sat)\n", "no reals"),
        (f"{HALF}(assert (= x ((_ to_fp 5 11) RNE (- (/ 1.0 3.0)))))\n(check-sat)\n", "no arithmetic"),
        (
            "(set-logic ALL)\n(declare-const x (_ FloatingPoint 3 5))\n(assert (fp.lt x x))\n(check-sat)\n",
            "no floating-point formats but the standard ones",
        ),
    ],
)
def test_a_theory_that_bitwuzla_lacks_is_the_reason_of_its_refusal(text: str, reason: str) -> None:
    outcome = BITWUZLA.solve(text, (), RLIMIT)
    assert (outcome.status, outcome.reason) == (Status.UNSUPPORTED, reason)


def test_bitwuzla_reads_numbers_that_become_floats() -> None:
    text = f"{HALF}(assert (fp.lt x ((_ to_fp 5 11) RNE (/ 1.0 3.0))))\n(check-sat)\n"
    assert BITWUZLA.solve(text, (), RLIMIT).status is Status.SAT


def test_cvc5_reads_other_formats_only_with_its_expert_option() -> None:
    text = f"{HALF}(assert (fp.lt x (_ +zero 5 11)))\n(check-sat)\n"
    refused = CVC5.solve(text, (), RLIMIT)
    reason = "no floating-point formats but Float32 and Float64"
    assert (refused.status, refused.reason) == (Status.UNSUPPORTED, reason)
    assert CVC5.solve(text, (("fp-exp", "true"),), RLIMIT).status is Status.SAT


@pytest.mark.parametrize(
    ("term", "missing"),
    [
        ("(seq.len (seq.mapi (lambda ((at Int) (x Int)) x) 0 s))", "seq.mapi"),
        ("(seq.foldl (lambda ((sum Int) (x Int)) sum) 0 s)", "seq.foldl"),
        ("(str.len (str.from_ubv #b1))", "str.from_ubv"),
    ],
)
def test_an_operator_that_cvc5_lacks_is_named(term: str, missing: str) -> None:
    outcome = CVC5.solve(f"(declare-const s (Seq Int))(assert (= {term} 0))(check-sat)", (), RLIMIT)
    assert (outcome.status, outcome.reason) == (Status.UNSUPPORTED, f"no {missing}")


def test_cvc5_reads_constant_arrays_only_with_its_expert_option() -> None:
    text = """(set-logic ALL)\n(declare-const a (Array Int Int))\n(declare-const i Int)
    (assert (= a (store ((as const (Array Int Int)) 0) i 5)))\n(assert (> (select a 3) 2))\n(check-sat)\n"""
    refused = CVC5.solve(text, (), RLIMIT)
    assert (refused.status, refused.reason) == (Status.UNSUPPORTED, "no constant arrays")
    assert CVC5.solve(text, (("arrays-exp", "true"),), RLIMIT).status is Status.SAT


@pytest.mark.parametrize("engine", ALL, ids=lambda engine: engine.name)
def test_a_problem_without_symbols_has_an_empty_model_that_is_judged(engine: Engine) -> None:
    text = "(set-logic ALL)\n(assert (= (bvadd #b1 #b1) #b0))\n(check-sat)\n"
    outcome = engine.solve(text, (), RLIMIT)
    assert check(problem(text), outcome).kind is VerdictKind.PASS
    assert check(problem(text.replace("#b0", "#b1")), outcome).kind is VerdictKind.WRONG_MODEL


def test_cvc5_refuses_constant_arrays_before_the_last_check_in_the_same_words() -> None:
    text = """(set-logic ALL)\n(declare-const a (Array Int Int))\n(push 1)
    (assert (= a (store ((as const (Array Int Int)) 0) 1 5)))\n(check-sat)\n(pop 1)\n(check-sat)\n"""
    refused = CVC5.solve(print_problem(problem(text)), (), RLIMIT)
    assert (refused.status, refused.reason) == (Status.UNSUPPORTED, "no constant arrays")


def test_cvc5_checks_once_as_its_program_does() -> None:
    """An option that cvc5 does not allow in an incremental run."""
    option = (("sygus-inference", "try"),)
    text = "(set-logic ALL)\n(declare-const p Bool)\n(assert p)\n(check-sat)\n"
    assert CVC5.solve(text, option, RLIMIT).status is Status.SAT


def test_bitwuzla_reads_symbols_that_are_named_like_theories() -> None:
    text = "(set-logic QF_BV)\n(declare-const |Int| Bool)\n(declare-const |a declare-datatype | Bool)\n(check-sat)\n"
    assert BITWUZLA.solve(text, (), RLIMIT).status is Status.SAT
