"""Scripts with several checks, levels and assumptions: each engine gives the answer and the model of the last check."""

import gc
import weakref
from dataclasses import replace
from pathlib import Path

import pytest
import z3
from chcfuzz.domains.smt.solvers.bitwuzla import Bitwuzla
from chcfuzz.domains.smt.solvers.cvc5 import Cvc5
from chcfuzz.domains.smt.solvers.engine import Engine
from chcfuzz.domains.smt.solvers.program_engine import program_engine
from chcfuzz.domains.smt.solvers.script import CHECK, PUSH, steps_of
from chcfuzz.domains.smt.solvers.selection import selected
from chcfuzz.domains.smt.solvers.smt_command import CommandEngine
from chcfuzz.domains.smt.solvers.z3 import Z3
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.form import KINDS, Checks
from chcfuzz.grammar.models.printed_models import read_model
from chcfuzz.grammar.models.structures import judge
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.parse import problem
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.model_text import TextModel, symbols_of
from chcfuzz.solvers.outcome import Status, texts_of
from chcfuzz.solvers.watchdog import Watchdog

RLIMIT = 1_000_000
ENGINES: tuple[Engine, ...] = (Z3(Watchdog(60)), Cvc5(), Bitwuzla())
PROGRAM = program_engine(selected(("z3-program",))[0], Solving(domain="smt", solvers=("z3-program",)))
TEXT = """(declare-fun f ((_ BitVec 4)) (_ BitVec 4))(declare-const |a b| (_ BitVec 4))(declare-const p Bool)
(define-fun twice ((x (_ BitVec 4))) (_ BitVec 4) (f (f x)))
(assert (! (bvult (twice |a b|) (f |a b|)) :named |first one|))(assert (or p (= (f #x1) #xf)))(assert (not p))
(assert (= |a b| #x1)){}(check-sat)"""
SAT = problem(TEXT.format(""))
UNSAT = problem(TEXT.format("(assert (bvugt (twice #x1) #xe))"))
FORMS = [Checks(kind, at) for kind in KINDS for at in (0, 2)]


def in_form(stated: Problem, checks: Checks) -> str:
    return print_problem(replace(stated, form=replace(stated.form, checks=checks)))


@pytest.mark.parametrize("checks", FORMS, ids=str)
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_the_last_check_decides(engine: Engine, checks: Checks) -> None:
    found = engine.solve(in_form(SAT, checks), (), RLIMIT)
    assert (found.status, found.reason) == (Status.SAT, "")
    assert isinstance(found.model, TextModel)
    assert judge(SAT, read_model(found.model.definitions, SAT)) == (True, True, True, True)
    other = engine.solve(in_form(UNSAT, checks), (), RLIMIT)
    assert (other.status, other.reason, other.model) == (Status.UNSAT, "", None)


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_a_script_that_is_not_read_is_refused(engine: Engine) -> None:
    text = in_form(SAT, Checks("again", 1)).replace("bvult", "bvunknown")
    assert engine.solve(text, (), RLIMIT).status is Status.UNSUPPORTED


def test_data_types_may_have_the_names_of_those_that_a_solver_has() -> None:
    stated = problem("""(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))(declare-const l List)
    (assert true)(assert ((_ is cons) l))(assert (= (head l) 3))""")
    for engine in ENGINES[:2]:
        assert engine.solve(in_form(stated, Checks("between", 2)), (), RLIMIT).status is Status.SAT


def test_all_checks_are_run() -> None:
    """More checks take more steps."""
    cvc5, z3 = ENGINES[1], ENGINES[0]
    for engine in (cvc5, z3):
        costs = [engine.solve(in_form(SAT, Checks(kind, 1)), (), RLIMIT).cost for kind in ("push", "again")]
        assert costs[0] < costs[1]


def test_steps_are_those_after_the_declarations() -> None:
    assert steps_of(print_problem(SAT)) is None
    steps = steps_of(in_form(SAT, Checks("again", 3)))
    assert steps is not None
    assert steps.checks == 2
    assert [step.kind for step in steps.steps].count(PUSH) == 2
    assert steps.steps[-1].kind == CHECK
    assert steps.formulas[0] == "(bvult (twice |a b|) (f |a b|))"
    assumed = steps_of(in_form(SAT, Checks("assume", 0)))
    assert assumed is not None
    assert assumed.steps[-1].formulas == ("assume!1", "assume!2", "assume!3")


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_a_script_runs_as_it_is_written(engine: Engine) -> None:
    before = """(set-logic QF_BV)(declare-const p Bool)(declare-const |a q| Bool)(push 1)
    (declare-const v (_ BitVec 4))(assert (bvult v v))(check-sat)(pop 1)(assert (or p |a q|))(check-sat)(push 1)
    (assert (or p (not |a q|)))"""
    answers = {"": Status.SAT, "(not p)": Status.UNSAT, "p": Status.SAT, "(not |a q|) p": Status.SAT}
    for assumed, answer in answers.items():
        text = print_problem(problem(f"{before}(check-sat-assuming ({assumed}))"))
        found = engine.solve(text, (), RLIMIT)
        assert (found.status, found.reason) == (answer, "")
        assert "(pop 1)" in text


def test_a_command_gets_a_script_with_one_check(tmp_path: Path) -> None:
    program = tmp_path / "counts"
    program.write_text('#!/bin/sh\ncase $(grep -c check-sat "$1") in 1) echo sat;; *) echo "(error no)";; esac\n')
    program.chmod(0o755)
    engine = CommandEngine(Command.of(f"{program} {{}}", 60, 1000, requests=0))
    assert engine.solve(in_form(SAT, Checks("again", 1)), (), RLIMIT).status is Status.SAT


NAMED = """(set-option :produce-unsat-cores true)(set-option :produce-unsat-assumptions true)(set-logic QF_UFBV)
(declare-const x (_ BitVec 4))(declare-const p Bool)(declare-fun f ((_ BitVec 4)) (_ BitVec 4))
(assert (! (bvult #x2 x) :named large))"""
QUERIES = {
    "(assert (= x #x7))(check-sat)(get-model)(get-value (x (bvult x #x3)))": ["()", "((x 7) ((bvult x #x3) false))"],
    "(assert (! (bvult x #x2) :named |small|))(assert (! true :named d))(check-sat)(get-unsat-core)": ["(large small)"],
    """(push 1)(assert (! (bvult x #x2) :named b))(check-sat)(get-unsat-core)(pop 1)
    (assert (=> p (bvult x #x2)))(declare-const q Bool)(check-sat-assuming (p (not q)))
    (get-unsat-assumptions)(get-unsat-core)""": ["(large)", "(p)", "(large)"],
}


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_queries_have_the_results_of_the_solver(engine: Engine) -> None:
    for queries, results in QUERIES.items():
        found = engine.solve(print_problem(problem(NAMED + queries)), (), RLIMIT)
        assert found.reason == ""
        texts = [text if "((" in text else f"({' '.join(sorted(symbols_of(text)))})" for text in texts_of(found)]
        assert [text.replace("#b0111", "7").replace("#x7", "7").replace("#b0011", "#x3") for text in texts] == results


def test_queries_behind_the_last_check_have_the_results_that_the_program_prints() -> None:
    found = [PROGRAM.solve(print_problem(problem(NAMED + queries)), (), RLIMIT) for queries in QUERIES]
    texts = [tuple(" ".join(text.split()) for text in texts_of(each)) for each in found]
    assert texts[:2] == [("", "((x #x7) ((bvult x #x3) false))"), ("(large small)",)]
    before, *others = texts[2]
    assert before == ""
    assert ["p" in symbols_of(each) for each in others] == [True, True]
    assert found[0].model is not None


@pytest.mark.parametrize("engine", [*ENGINES, PROGRAM], ids=lambda engine: engine.name)
def test_a_query_that_does_not_fit_the_answer_leaves_the_answer(engine: Engine) -> None:
    text = print_problem(problem(f"{NAMED}(check-sat)(get-unsat-core)(get-proof)(get-info :reason-unknown)"))
    found = engine.solve(text, (), RLIMIT)
    assert (found.status, found.reason) == (Status.SAT, "")
    assert all(result.startswith(("(error", "(:reason-unknown")) or not result for result in texts_of(found))


def test_a_command_gets_levels_checks_and_queries(tmp_path: Path) -> None:
    program = tmp_path / "counts"
    program.write_text(
        """#!/bin/sh
grep -q "get-value" "$1" && grep -q "(pop 1)" "$1" && printf "unsat\\nsat\\n((x #x7))\\n"
grep -q "(get-model)" "$1" && echo "((define-fun x () (_ BitVec 4) #x6))"
"""
    )
    program.chmod(0o755)
    engine = CommandEngine(Command.of(f"{program} {{}}", 60, 1000, requests=0))
    text = "(push 1)(assert (bvult x x))(check-sat)(pop 1)(check-sat)(get-value (x))"
    found = engine.solve(print_problem(problem(NAMED + text)), (), RLIMIT)
    assert (found.status, found.left_out) == (Status.SAT, ())
    assert texts_of(found) == ("((x #x7))",)
    assert found.model is not None
    assert found.model.defined == {"x"}


def test_yices_gets_its_dialect_and_only_problems_that_it_reads(tmp_path: Path) -> None:
    program = tmp_path / "yices-smt2"
    program.write_text(f'#!/bin/sh\ncp "$1" {tmp_path}/got\necho sat\n')
    program.chmod(0o755)
    engine = CommandEngine(Command.of(f"{program} {{}}", 60, 1000, requests=0))
    vectors = "(declare-const v (_ BitVec 4))(assert (bvumulo v v))"
    found = engine.solve(print_problem(problem(vectors)), (("z3.x", "1"),), RLIMIT)
    assert (found.status, found.left_out) == (Status.SAT, ("z3.x",))
    assert "bvumulo" not in (tmp_path / "got").read_text()
    (tmp_path / "got").unlink()
    beyond = print_problem(problem(vectors + "(assert (exists ((n Int)) (> n 0)))"))
    found = engine.solve(beyond, (("z3.x", "1"),), RLIMIT)
    assert (found.status, found.reason, found.left_out) == (
        Status.UNSUPPORTED,
        "yices does not have quantifiers",
        ("z3.x",),
    )
    assert not (tmp_path / "got").exists()


def test_a_command_without_levels_gets_the_assertions_and_the_outcome_says_so(tmp_path: Path) -> None:
    program = tmp_path / "refuses"
    program.write_text('#!/bin/sh\nif grep -q "push\\|get-" "$1"; then echo "(error no)"; else echo sat; fi\n')
    program.chmod(0o755)
    engine = CommandEngine(Command.of(f"{program} {{}}", 60, 1000, requests=0))
    found = engine.solve(in_form(SAT, Checks("again", 1)), (), RLIMIT)
    assert (found.status, found.left_out) == (Status.SAT, ("levels, checks or queries of the script",))


@pytest.mark.parametrize(
    "text", [print_problem(SAT), in_form(SAT, Checks("again", 1)), NAMED + "(check-sat)(get-model)"]
)
def test_the_context_of_a_problem_is_gone_with_its_outcome(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A context in a cycle of references stays until the collector runs: a child process would soon be too large."""
    made: list[weakref.ref[z3.Context]] = []

    class Context(z3.Context):  # type: ignore[misc]
        def __init__(self, *arguments: object, **options: object) -> None:
            super().__init__(*arguments, **options)
            made.append(weakref.ref(self))

    monkeypatch.setattr(z3, "Context", Context)
    gc.disable()
    try:
        ENGINES[0].solve(text, (), RLIMIT)
        assert [each() for each in made] == [None]
    finally:
        gc.enable()
