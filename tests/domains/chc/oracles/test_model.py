"""Models that are right pass; models made wrong on purpose are refused, with evidence that any solver can check.

A wrong model is made by solving a weaker system, one clause short, and holding its model against the whole system.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cvc5
import pytest
import z3
from chcfuzz.domains.chc.oracles import evidence, model, plain_smt
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.model_text import TextModel
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.solver_model import Model
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.progress_log import ProgressLog
from chcfuzz.tracing.trace import NOTHING

CORPUS = Path(__file__).resolve().parents[4] / "corpus"
RLIMIT = 1_000_000
WATCHDOG = Watchdog(60)
SPACER = Spacer(ProgressLog(), WATCHDOG)

Build = Callable[[z3.Context, z3.ModelRef], None]


@cache
def seeds(status: str) -> tuple[tuple[str, System], ...]:
    found = [(path.stem, parse(path.read_text(), path.stem)) for path in sorted(CORPUS.rglob("*.smt2"))]
    return tuple((name, system) for name, system in found if system.status == status)


def solve(system: System) -> Outcome:
    return SPACER.solve(print_system(system), [], RLIMIT)


def held_against(system: System, outcome: Outcome) -> Outcome:
    """An outcome whose model claims to be one of `system`."""
    assert outcome.model is not None, outcome
    context = outcome.model.context
    solver = z3.Solver(ctx=context)
    solver.from_string(print_system(system))
    return replace(outcome, model=Model(context, solver.assertions(), outcome.model.model))


def without(system: System, number: int) -> System:
    return system.with_clauses([*system.clauses[:number], *system.clauses[number + 1 :]])


def test_a_model_that_z3_does_not_read_is_undecided_with_its_message() -> None:
    stated = parse("(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))(check-sat)")
    verdict = model.check_text(stated, "(define-fun p ((x Int)) Bool (nowhere x))", WATCHDOG)
    assert verdict.kind is VerdictKind.UNDECIDED
    assert verdict.detail.startswith('Z3 raises: (error "line 1 ')


def model_of_less(system: System) -> Outcome | None:
    """The first model of the system without one of its clauses, the last ones first, held against all of it."""
    for number in reversed(range(len(system.clauses))):
        outcome = solve(without(system, number))
        if outcome.status is Status.SAT:
            return held_against(system, outcome)
    return None


def handmade(text: str, build: Build) -> Outcome:
    """A model that `build` writes, for the system in a text."""
    context = z3.Context()
    solver = z3.Solver(ctx=context)
    solver.from_string(text)
    made = z3.ModelRef(z3.Z3_mk_model(context.ref()), context)
    build(context, made)
    return Outcome(Status.SAT, "", NOTHING, cost=1, seconds=0.0, model=Model(context, solver.assertions(), made))


def define(made: z3.ModelRef, name: str, domain: list[Any], body: Any) -> Any:
    """A function of a model; the body has `z3.Var`s for the parameters."""
    function = z3.Function(name, *domain, body.sort())
    z3.Z3_add_func_interp(made.ctx.ref(), made.model, function.ast, body.ast)
    return function


def z3_answer(script: str) -> str:
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(script)
    return str(solver.check())


def cvc5_answer(script: str) -> str:
    """The answer of another solver, or its complaint."""
    solver = cvc5.Solver()
    solver.setOption("rlimit-per", "200000")
    solver.setOption("produce-models", "true")
    solver.setOption("arrays-exp", "true")  # for constant arrays
    reader = cvc5.InputParser(solver)
    reader.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "evidence")
    command = reader.nextCommand()
    result = ""
    while not command.isNull() and not result:
        result = str(command.invoke(solver, reader.getSymbolManager())).strip()
        command = reader.nextCommand()
    return result


def judged(outcome: Outcome) -> str:
    """A model by another way: predicates replaced by their definitions, as terms; "sat" if it is wrong."""
    found = outcome.model
    assert found is not None
    definitions = []
    for predicate in {declaration.name(): declaration for declaration in found.model.decls()}.values():
        value = found.model[predicate]
        body = value.else_value() if isinstance(value, z3.FuncInterp) else value
        if isinstance(value, z3.FuncInterp):
            parameters = [z3.Var(i, predicate.domain(i)) for i in range(predicate.arity())]
            for entry in map(value.entry, range(value.num_entries())):
                same = [parameter == entry.arg_value(i) for i, parameter in enumerate(parameters)]
                body = z3.If(z3.And(*same), entry.value(), body)
        definitions.append((predicate, body))
    solver = z3.Solver(ctx=found.context)
    solver.add(z3.Not(z3.substitute_funs(z3.And(*found.assertions), *definitions)))
    return str(solver.check())


@pytest.mark.slow
def test_models_of_all_sat_seeds_pass() -> None:
    verdicts = {name: model.check(system, solve(system), WATCHDOG, RLIMIT) for name, system in seeds("sat")}
    assert len(verdicts) > 100
    assert {name: verdict for name, verdict in verdicts.items() if verdict.kind is not VerdictKind.PASS} == {}


def refused(name: str, system: System) -> Verdict:
    outcome = model_of_less(system)
    assert outcome is not None, name
    verdict = model.check(system, outcome, WATCHDOG, RLIMIT)
    assert verdict.kind is VerdictKind.WRONG_MODEL, (name, verdict)
    assert z3_answer(verdict.evidence) == "sat", (name, verdict.evidence)
    return verdict


@pytest.mark.slow
def test_no_model_of_an_unsat_seed_passes() -> None:
    """The seed is unsatisfiable, so every model of it is wrong."""
    for name, system in seeds("unsat")[::3]:
        refused(name, system)


@pytest.mark.slow
def test_no_model_of_any_unsat_seed_passes_and_cvc5_agrees() -> None:
    """cvc5 lacks nested constant arrays and may reach its limit, but it never finds the clause true."""
    result = [cvc5_answer(refused(name, system).evidence) for name, system in seeds("unsat")]
    assert result.count("unsat") == 0
    assert result.count("sat") >= 0.95 * len(result)


@pytest.mark.slow
def test_evidence_is_satisfiable_for_cvc5_too() -> None:
    """Seeds of every theory: cvc5 does not decide arrays inside of data types, so it may give up on some of them."""
    answers: dict[frozenset[str], set[str]] = {}
    for name, system in seeds("unsat"):
        known = answers.setdefault(frozenset(system.theories), set())
        if "sat" not in known:
            known.add(cvc5_answer(refused(name, system).evidence))
    assert [theories for theories, known in answers.items() if "sat" not in known] == []


@pytest.mark.slow
def test_verdicts_agree_with_another_way_to_judge() -> None:
    """Sat seeds, one clause dropped: some models still hold for the whole system, some do not."""
    verdicts = []
    for name, system in seeds("sat")[::3]:
        if system.theories != {"LIA"} or len(system.clauses) > 4:
            continue
        for number in range(len(system.clauses)):
            outcome = solve(without(system, number))
            if outcome.status is not Status.SAT:
                continue
            outcome = held_against(system, outcome)
            verdict = model.check(system, outcome, WATCHDOG, RLIMIT)
            expected = {"sat": VerdictKind.WRONG_MODEL, "unsat": VerdictKind.PASS}.get(judged(outcome))
            assert expected in (None, verdict.kind), (name, number, verdict)
            verdicts.append(verdict.kind)
    assert verdicts.count(VerdictKind.WRONG_MODEL) > 10
    assert verdicts.count(VerdictKind.PASS) > 0


COUNTING = """(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (> x 0) (p x))))
(assert (forall ((x Int)) (=> (p x) (> x {}))))"""


CHAIN = "(set-logic HORN)(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)(assert (p 0))"
CHAIN += "".join(f"(assert (forall ((x Int)) (=> (and (p x) (< x {n})) (p (+ x {n})))))" for n in range(1, 12))
CHAIN += "(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))"


def test_the_clauses_of_a_large_system_share_a_part_of_the_cost_of_solving(monkeypatch: pytest.MonkeyPatch) -> None:
    system = parse(CHAIN)
    outcome = solve(system)
    assert model.check(system, outcome, WATCHDOG) == Verdict("model", VerdictKind.PASS)
    monkeypatch.setattr(model, "LARGE", 10)
    assert model.check(system, outcome, WATCHDOG).kind is VerdictKind.PASS, "the least budget suffices"
    monkeypatch.setattr(model, "LEAST", 1)
    found = model.check(system, replace(outcome, cost=2), WATCHDOG)
    assert (found.kind, found.left_out) == (VerdictKind.UNDECIDED, len(system.clauses) - 1)
    assert found.detail.startswith(f"{found.left_out} of {len(system.clauses)} clauses are not checked")
    assert model.check(system, replace(outcome, cost=10_000_000), WATCHDOG).kind is VerdictKind.PASS


def test_a_system_is_large_by_its_bound_variables_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of a clause of few nodes and 150 variables took four times as long as solving."""
    variables = " ".join(f"(v{number} Int)" for number in range(150))
    system = parse(CHAIN.replace("(forall ((x Int))", f"(forall ((x Int) {variables})"))
    outcome = replace(solve(system), cost=2)
    monkeypatch.setattr(model, "LARGE", system.nodes + 150)
    monkeypatch.setattr(model, "LEAST", 1)
    assert model.check(system, outcome, WATCHDOG).left_out == len(system.clauses) - 1


def test_a_large_system_is_judged_alike_each_time_and_mutants_of_it_by_other_clauses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(model, "LARGE", 10)
    monkeypatch.setattr(model, "LEAST", 1)
    right = solve(parse(CHAIN))
    kinds = []
    for number in range(12):  # of clauses that the model contradicts, and whose size differs
        conjuncts = " ".join(["(= x 0)"] * number)
        wrong = parse(CHAIN + f"(assert (forall ((x Int)) (=> (and (p x) {conjuncts} (= x 0)) false)))")
        claimed = replace(held_against(wrong, right), cost=20_000)
        verdicts = [model.check(wrong, claimed, WATCHDOG) for _ in range(2)]
        assert verdicts[0] == verdicts[1]
        kinds.append(verdicts[0].kind)
    assert VerdictKind.WRONG_MODEL in kinds
    cheap = [model.check(wrong, replace(claimed, cost=2), WATCHDOG).left_out for _ in range(2)]
    assert cheap[0] == cheap[1]


def test_a_model_that_was_checked_in_part_starts_no_second_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline = Pipeline(Solving(second_opinion=0))
    asked: list[System] = []
    monkeypatch.setattr(plain_smt, "check", asked.append)
    monkeypatch.setattr(model, "_budget", lambda *_: 1)
    execution = pipeline.execute(pipeline.mutant(Recipe(CHAIN)))
    assert any(verdict.left_out for verdict in execution.verdicts)
    assert asked == []


def positive(context: z3.Context, made: z3.ModelRef) -> None:
    """The predicate is `x > 0`, by way of an auxiliary function that is used as an array."""
    integer = z3.IntSort(context)
    x = z3.Var(0, integer)
    sign = define(made, "k!0", [integer], z3.If(x > 0, z3.IntVal(1, context), z3.IntVal(0, context)))
    array = z3.ArrayRef(z3.Z3_mk_as_array(context.ref(), sign.ast), context)
    define(made, "p", [integer], z3.Select(array, x) == 1)


@pytest.mark.parametrize(("bound", "kind"), [(0, VerdictKind.PASS), (1, VerdictKind.WRONG_MODEL)])
def test_auxiliary_functions_are_understood(bound: int, kind: VerdictKind) -> None:
    text = COUNTING.format(bound)
    verdict = model.check(parse(text), handmade(text, positive), WATCHDOG, RLIMIT)
    assert verdict.kind is kind
    if kind is VerdictKind.WRONG_MODEL:
        assert verdict.detail == "clause 2 is false under the model at x = 1"
        assert "(_ as-array k!0)" in verdict.evidence
        assert z3_answer(verdict.evidence) == "sat"


def test_auxiliary_functions_stand_before_their_use() -> None:
    """Z3 prints a model's functions in any order."""

    def build(context: z3.Context, made: z3.ModelRef) -> None:
        integer = z3.IntSort(context)
        x = z3.Var(0, integer)
        last = z3.Function("a!0", integer, integer)
        middle = z3.Function("b!0", integer, integer)
        define(made, "p", [integer], middle(x) > 0)
        define(made, "b!0", [integer], last(x) + 0)
        define(made, "a!0", [integer], x + 1)

    text = COUNTING.format(1)
    outcome = handmade(text, build)
    script = evidence.under_model(parse(text), outcome.model, 1).script()  # type: ignore[arg-type]
    places = [script.index(f"(define-fun {name} ") for name in ("a!0", "b!0", "p")]
    assert places == sorted(places)
    assert z3_answer(script) == cvc5_answer(script) == "sat"


def test_a_bit_as_a_boolean_which_only_z3_writes_is_read_by_all() -> None:
    def even(context: z3.Context, made: z3.ModelRef) -> None:
        x = z3.Var(0, z3.BitVecSort(4, context))
        define(made, "p", [x.sort()], z3.Not(z3.BoolRef(z3.Z3_mk_bit2bool(context.ref(), 0, x.as_ast()), context)))

    text = """(set-logic HORN)(declare-fun p ((_ BitVec 4)) Bool)
    (assert (p #x2))
    (assert (forall ((x (_ BitVec 4))) (=> (p x) (= x #x2))))"""
    outcome = handmade(text, even)
    assert outcome.model is not None
    assert "bit2bool" in outcome.model.model.sexpr()
    verdict = model.check(parse(text), outcome, WATCHDOG, RLIMIT)
    assert verdict.kind is VerdictKind.WRONG_MODEL
    assert verdict.judges == ("our evaluator", "Z3")
    assert z3_answer(verdict.evidence) == cvc5_answer(verdict.evidence) == "sat"


def test_a_model_with_arrays_is_checked_and_written_down() -> None:
    text = """(set-logic HORN)(declare-fun p ((Array Int Int) Int) Bool)
    (assert (forall ((a (Array Int Int))) (=> (= a ((as const (Array Int Int)) 7)) (p a 0))))
    (assert (forall ((a (Array Int Int)) (i Int)) (=> (p a i) (p (store a i 7) (+ i 1)))))
    (assert (forall ((a (Array Int Int)) (i Int)) (=> (p a i) (= (select a 3) {}))))"""
    right, wrong = parse(text.format(7)), parse(text.format(8))
    outcome = solve(right)
    assert model.check(right, outcome, WATCHDOG, RLIMIT).kind is VerdictKind.PASS
    verdict = model.check(wrong, held_against(wrong, outcome), WATCHDOG, RLIMIT)
    assert verdict.kind is VerdictKind.WRONG_MODEL
    assert z3_answer(verdict.evidence) == cvc5_answer(verdict.evidence) == "sat"


def test_evidence_declares_the_data_types_it_needs() -> None:
    text = """(set-logic HORN)
    (declare-datatypes ((|my list| 0)) (((nil) (cons (head Int) (tail |my list|)))))
    (declare-fun p (|my list|) Bool)
    (assert (p nil))
    (assert (forall ((l |my list|)) (=> (p l) (p (cons 1 l)))))
    (assert (forall ((l |my list|)) (=> (and (p l) ((_ is cons) l)) (= (head l) {}))))"""
    right, wrong = parse(text.format(1)), parse(text.format(2))
    outcome = solve(right)
    assert model.check(right, outcome, WATCHDOG, RLIMIT).kind is VerdictKind.PASS
    verdict = model.check(wrong, held_against(wrong, outcome), WATCHDOG, RLIMIT)
    assert verdict.kind is VerdictKind.WRONG_MODEL
    assert verdict.evidence.index("(declare-datatypes ((|my list| 0))") < verdict.evidence.index("(define-fun p")
    assert z3_answer(verdict.evidence) == cvc5_answer(verdict.evidence) == "sat"


@pytest.mark.parametrize(
    ("clause", "kind"),
    [
        ("(forall ((x Int)) (=> (q x x) (> x 0)))", VerdictKind.PASS),
        ("(forall ((x Int)) (=> (p x) (q x x)))", VerdictKind.WRONG_MODEL),
    ],
)
def test_a_predicate_that_the_model_does_not_mention_is_false(clause: str, kind: VerdictKind) -> None:
    text = f"(declare-fun p (Int) Bool)(declare-fun q (Int Int) Bool)(assert {clause})"
    outcome = handmade(text, positive)
    assert outcome.model is not None
    assert "q" not in outcome.model.defined
    verdict = model.check(parse(text), outcome, WATCHDOG, RLIMIT)
    assert verdict.kind is kind


def test_a_predicate_that_the_model_does_not_mention_is_defined_in_the_evidence() -> None:
    """Once, whoever looked at the model before: evaluating it adds the predicate to Z3's model."""
    text = "(declare-fun p (Int) Bool)(declare-fun q (Int Int) Bool)(assert (forall ((x Int)) (=> (p x) (q x x))))"
    outcome = handmade(text, positive)
    assert outcome.model is not None
    before = evidence.under_model(parse(text), outcome.model, 0).script()
    assert "(define-fun q ((x!0 Int) (x!1 Int)) Bool false)" in before
    after = model.check(parse(text), outcome, WATCHDOG, RLIMIT).evidence
    assert after.count("(define-fun q ") == 1
    assert z3_answer(before) == z3_answer(after) == "sat"


def test_evidence_has_what_the_clause_needs_of_a_model_alone() -> None:
    def build(context: z3.Context, made: z3.ModelRef) -> None:
        integer = z3.IntSort(context)
        x = z3.Var(0, integer)
        auxiliary = z3.Function("a!0", integer, integer)
        define(made, "p", [integer], auxiliary(x) > 0)
        define(made, "a!0", [integer], x + 1)
        define(made, "b!0", [integer], x + 2)

    text = COUNTING.format(1) + "(declare-fun q (Int) Bool)(assert (forall ((x Int)) (=> (p x) (q x))))"
    outcome = handmade(text, build)
    assert outcome.model is not None
    script = evidence.under_model(parse(text), outcome.model, 1).script()
    assert [line.split()[1] for line in script.splitlines() if line.startswith("(define-fun")] == ["a!0", "p"]
    other = evidence.under_model(parse(text), outcome.model, len(parse(text).clauses) - 1).script()
    assert "(define-fun q ((x!0 Int)) Bool false)" in other
    assert "b!0" not in other
    assert z3_answer(other) == cvc5_answer(other) == "sat"


def test_names_that_need_quotes_and_names_that_clash_are_written_down() -> None:
    """A variable named like a predicate, a predicate named like Z3's parameters, blanks in names."""
    text = """(declare-fun |a b| (Int) Bool)(declare-fun x!0 () Bool)
    (assert (forall ((|c d| Int)) (=> (> |c d| 0) (|a b| |c d|))))
    (assert (forall ((|a b| Int)) (=> (> |a b| 0) x!0)))"""
    system = parse(text)
    outcome = handmade(print_system(system), lambda _context, _made: None)
    verdict = model.check(system, outcome, WATCHDOG, RLIMIT)
    assert verdict.detail == "clause 1 is false under the model at |c d| = 1"
    for number in range(2):
        script = evidence.under_model(system, outcome.model, number).script()  # type: ignore[arg-type]
        assert z3_answer(script) == cvc5_answer(script) == "sat"


def test_evidence_is_unsatisfiable_for_a_clause_that_holds() -> None:
    text = COUNTING.format(1)
    script = evidence.under_model(parse(text), handmade(text, positive).model, 0).script()  # type: ignore[arg-type]
    assert z3_answer(script) == "unsat"


def test_without_a_model_nothing_is_decided() -> None:
    outcome = Outcome(Status.UNSAT, "", NOTHING, cost=1, seconds=0.0)
    verdict = model.check(parse(COUNTING.format(0)), outcome, WATCHDOG, RLIMIT)
    assert verdict == Verdict("model", VerdictKind.UNDECIDED, "no model")


def test_what_cannot_be_checked_within_the_limit_is_undecided() -> None:
    text = COUNTING.format(1)
    verdict = model.check(parse(text), handmade(text, positive), WATCHDOG, rlimit=1)
    assert verdict.kind is VerdictKind.UNDECIDED
    assert verdict.detail == "clause 2: canceled"
    assert verdict.evidence == ""


def test_the_clauses_after_an_undecided_one_are_limited_too() -> None:
    system = parse(COUNTING.format(1))
    first, rule = system.clauses
    twice = system.with_clauses((first, rule, rule))
    verdict = model.check(twice, handmade(print_system(twice), positive), WATCHDOG, rlimit=1)
    assert verdict.detail == "clause 2: canceled; clause 3: canceled"


def test_an_undecidable_clause_does_not_hide_a_wrong_one() -> None:
    """The first clause is Fermat's last theorem for cubes."""
    text = """(declare-fun p (Int) Bool)
    (assert (forall ((x Int) (y Int) (z Int))
      (=> (and (> x 0) (> y 0) (> z 0) (= (+ (* x x x) (* y y y)) (* z z z))) (p x))))
    (assert (forall ((x Int)) (=> (> x 0) (p x))))"""

    def never(context: z3.Context, made: z3.ModelRef) -> None:
        define(made, "p", [z3.IntSort(context)], z3.Var(0, z3.IntSort(context)) < 0)

    only_first = parse(text).with_clauses(parse(text).clauses[:1])
    undecided = model.check(only_first, handmade(print_system(only_first), never), WATCHDOG, RLIMIT)
    assert undecided.kind is VerdictKind.UNDECIDED
    verdict = model.check(parse(text), handmade(text, never), WATCHDOG, RLIMIT)
    assert (verdict.kind, verdict.detail) == (
        VerdictKind.WRONG_MODEL,
        "clause 2 is false under the model at x = 1",
    )


def test_steps_that_disagree_are_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clause that is false by evaluation but not by its script is nothing to report."""
    monkeypatch.setattr(evidence.ClauseUnderModel, "script", lambda _: "(assert false)")
    text = COUNTING.format(1)
    verdict = model.check(parse(text), handmade(text, positive), WATCHDOG, RLIMIT)
    assert verdict == Verdict("model", VerdictKind.UNDECIDED, "clause 2 fails by evaluation, its script is unsat")


def test_checking_twice_gives_the_same_verdict() -> None:
    text = COUNTING.format(1)
    outcome = handmade(text, positive)
    assert model.check(parse(text), outcome, WATCHDOG, RLIMIT) == model.check(parse(text), outcome, WATCHDOG, RLIMIT)


def text_model(definitions: str) -> Outcome:
    """The outcome of a command that prints these definitions."""
    return Outcome(Status.SAT, "", NOTHING, cost=0, seconds=0.0, model=TextModel(definitions))


def printed(outcome: Outcome) -> Outcome:
    """The same model as text alone."""
    assert outcome.model is not None
    return text_model(outcome.model.definitions)


@pytest.mark.slow
def test_models_of_sat_seeds_pass_as_text_too() -> None:
    verdicts = {
        name: model.check(system, printed(solve(system)), WATCHDOG, RLIMIT) for name, system in seeds("sat")[::4]
    }
    assert len(verdicts) > 25
    assert {name: verdict for name, verdict in verdicts.items() if verdict.kind is not VerdictKind.PASS} == {}


@pytest.mark.slow
def test_a_wrong_model_is_refused_as_text_for_the_same_clause() -> None:
    for name, system in seeds("unsat")[::6]:
        outcome = model_of_less(system)
        assert outcome is not None, name
        verdict = model.check(system, printed(outcome), WATCHDOG, RLIMIT)
        assert verdict.kind is VerdictKind.WRONG_MODEL, (name, verdict)
        assert verdict.detail.split()[:2] == refused(name, system).detail.split()[:2], name
        assert z3_answer(verdict.evidence) == "sat", (name, verdict.evidence)


@pytest.mark.parametrize(("bound", "kind"), [(0, VerdictKind.PASS), (1, VerdictKind.WRONG_MODEL)])
def test_a_model_that_is_text_is_checked_with_its_auxiliary_functions(bound: int, kind: VerdictKind) -> None:
    text = COUNTING.format(bound)
    definitions = "(define-fun p ((y Int)) Bool (= (sign y) 1)) (define-fun sign ((y Int)) Int (ite (> y 0) 1 0))"
    verdict = model.check(parse(text), text_model(definitions), WATCHDOG, RLIMIT)
    assert verdict.kind is kind
    if kind is VerdictKind.WRONG_MODEL:
        assert verdict.detail == "clause 2 is false under the model at x = 1"
        assert z3_answer(verdict.evidence) == cvc5_answer(verdict.evidence) == "sat"


@pytest.mark.parametrize(
    ("definition", "kind"),
    [
        ("(define-fun |p| ((x Int)) Bool (let ((y x)) (exists ((z Int)) (and (= z y) (> z 0)))))", VerdictKind.PASS),
        ("(define-fun p ((x Int)) Bool true)", VerdictKind.WRONG_MODEL),
        ("", VerdictKind.UNDECIDED),
        ("(define-fun p ((x Int) (y Int)) Bool true)", VerdictKind.MALFORMED_MODEL),
        ("(define-fun p ((x Real)) Bool (> x 0.0))", VerdictKind.MALFORMED_MODEL),  # Z3 converts integers
        ("(define-fun p ((x Int)) Int x)", VerdictKind.MALFORMED_MODEL),
        ("(define-fun p ((x Integer)) Bool (> x 0))", VerdictKind.UNDECIDED),  # maybe a name of the solver for Int
        ("(define-fun p ((|x y| |Int|)) ; a comment\n Bool (> |x y| 0))", VerdictKind.PASS),
        ("(define-fun p Bool true)", VerdictKind.UNDECIDED),
        ("(define-fun p ((x Int)) Bool (no-such-function x))", VerdictKind.UNDECIDED),
    ],
)
def test_definitions_of_all_kinds_get_a_verdict_and_no_exception(definition: str, kind: VerdictKind) -> None:
    verdict = model.check(parse(COUNTING.format(0)), text_model(definition), WATCHDOG, RLIMIT)
    assert verdict.kind is kind, verdict


@pytest.mark.parametrize(
    ("definitions", "words"),
    [
        ("(define-fun p ((x Int)) Bool (> x 5))(define-fun p ((x Int)) Bool (> x 0))", "gives p more"),
        ("(define-fun p ((x Int)) Bool (> x 0))(define-fun |p| ((x Int)) Bool (> x 5))", "gives p more"),
        ("(define-fun p ((x Int)) Bool (> x 0))(define-fun p ((x Real)) Bool true)", "gives p more"),
        ("(define-fun sign () Int 0)(define-fun p ((x Int)) Bool (> x sign))(define-fun sign () Int 5)", "gives sign"),
        ("(define-fun p ((x Int)) Bool (> x 0))(define-fun > ((x Int) (y Int)) Bool true)", "gives > more"),
        ("(define-fun p ((x Int)) Bool (> x 0))(define-fun const ((x Int)) Int 0)", "gives const more"),
    ],
)
def test_a_model_that_defines_a_name_twice_does_not_pass(definitions: str, words: str) -> None:
    verdict = model.check(parse(COUNTING.format(0)), text_model(definitions), WATCHDOG, RLIMIT)
    assert verdict.kind is VerdictKind.UNDECIDED
    assert words in verdict.detail


ABOUT_TWO = """(declare-fun p (Int) Bool)(declare-fun |a q| () Bool)
    (assert (forall ((x Int)) (=> (> x 0) (p x))))
    (assert (forall ((x Int)) (=> (p x) {})))"""


@pytest.mark.parametrize(
    ("definition", "kind"),
    [
        ("(define-fun p ((x Int)) Bool (> x 0))", VerdictKind.UNDECIDED),  # may be right
        ("(define-fun p ((x Int)) Bool (> x 1))", VerdictKind.WRONG_MODEL),  # is wrong whatever the other one is
        ("(define-fun p ((x Int)) Bool (> x 0))(define-fun |a q| () Bool false)", VerdictKind.WRONG_MODEL),
        ("(define-fun p ((x Int)) Bool (> x 0))(define-fun |a q| () Bool true)", VerdictKind.PASS),
    ],
)
def test_what_a_text_leaves_out_is_not_held_against_it(definition: str, kind: VerdictKind) -> None:
    verdict = model.check(parse(ABOUT_TWO.format("|a q|")), text_model(definition), WATCHDOG, RLIMIT)
    assert verdict.kind is kind
    if kind is VerdictKind.UNDECIDED:
        assert verdict.detail == "clause 2: the model does not define |a q|"


def test_what_a_text_leaves_out_may_be_false() -> None:
    text = ABOUT_TWO.format("(or (not |a q|) (> x 0))")
    verdict = model.check(parse(text), text_model("(define-fun p ((x Int)) Bool (> x 0))"), WATCHDOG, RLIMIT)
    assert verdict.kind is VerdictKind.PASS


def test_a_clause_that_is_always_true_does_not_shift_the_others() -> None:
    text = """(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (p x) true)))(assert true)
    (assert (forall ((x Int)) (=> (> x 7) (p x))))"""
    verdict = model.check(parse(text), text_model("(define-fun p ((x Int)) Bool (> x 8))"), WATCHDOG, RLIMIT)
    assert verdict.detail == "clause 3 is false under the model at x = 8"


def test_a_text_model_that_cannot_be_checked_within_the_limit_is_undecided() -> None:
    text = COUNTING.format(1)
    verdict = model.check(parse(text), text_model("(define-fun p ((x Int)) Bool (> x 0))"), WATCHDOG, rlimit=1)
    assert verdict.kind is VerdictKind.UNDECIDED


@pytest.mark.parametrize(
    ("constraint", "kind"),
    [
        ("(= x (div 1 0))", VerdictKind.UNDECIDED),  # P may hold for every value of 1 divided by 0
        ("(= x (div 7 2))", VerdictKind.WRONG_MODEL),
        ("(= (div 1 x) (+ (div 1 x) 1))", VerdictKind.WRONG_MODEL),  # false, whatever that is
    ],
)
def test_a_model_that_rests_on_what_the_standard_leaves_open_is_not_called_wrong(
    constraint: str, kind: VerdictKind
) -> None:
    system = parse("(declare-fun p (Int) Bool)(assert (p 0))")
    text = f"(define-fun p ((x Int)) Bool {constraint})"
    outcome = Outcome(Status.SAT, "", NOTHING, 0, 0.0, TextModel(text))
    assert model.check(system, outcome, WATCHDOG).kind is kind


@pytest.mark.parametrize(
    ("definition", "found"),
    [
        ("(define-fun p ((x Int) (y Int)) Bool true)", "(Int Int) Bool"),
        ("(define-fun p ((x Real)) Bool (> x 0.0))", "(Real) Bool"),
        ("(define-fun p ((x Int)) Int x)", "(Int) Int"),
        ("(define-fun p () Bool true)", "() Bool"),
    ],
)
def test_a_malformed_model_is_described_with_both_signatures(definition: str, found: str) -> None:
    verdict = model.check(parse(COUNTING.format(0)), text_model(definition), WATCHDOG, RLIMIT)
    assert verdict.detail == f"the model defines p with other sorts than declared: {found} instead of (Int) Bool"
