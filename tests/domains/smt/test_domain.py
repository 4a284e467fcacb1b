"""The domain of SMT problems: roots, parameters, reduction and shape."""

import pytest
from chcfuzz.domains.smt.domain import DOMAIN
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.problem import BaseProblem, Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.mutators import roots
from chcfuzz.mutators.recipe import Recipe, Unit, decode, encode, trivial_like
from chcfuzz.triage.shrink.result import Mode
from chcfuzz.triage.shrink.search import one_by_one


@pytest.fixture(autouse=True)
def _in_the_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roots, "_active", [DOMAIN.roots])


@pytest.mark.parametrize("text", DOMAIN.roots.built_in)
def test_built_in_problems_are_read_and_printed(text: str) -> None:
    problem = DOMAIN.roots.parse(text, "built-in")
    assert problem.status in ("sat", "unsat")
    assert DOMAIN.roots.parse(DOMAIN.roots.print(problem), "printed") == problem
    assert DOMAIN.roots.class_of(problem) in DOMAIN.roots.classes


def test_rows_for_plain_entropy_exist() -> None:
    registry = DOMAIN.registry(Solving(domain="smt"))
    assert all(registry.get(row) is not None for row in DOMAIN.roots.entropy_rows)


def test_a_recipe_holds_the_solver_under_test_and_options_of_all_solvers() -> None:
    parameters = (("cvc5.decision", "internal"), ("solver", "cvc5"), ("z3.smt.arith.solver", "2"))
    recipe = decode(encode(Recipe(DOMAIN.roots.built_in[0], (), (*parameters, ("z3.trace_file_name", "x")))))
    assert recipe.parameters == parameters
    assert recipe.selection == (("solver", "cvc5"),)
    assert recipe.options == (parameters[0], parameters[2])


def test_a_recipe_keeps_the_domain_in_which_its_unit_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    data = encode(Recipe(DOMAIN.roots.built_in[0], (), (("solver", "z3:sat.euf=true"),)))
    monkeypatch.setattr(roots, "_active", [roots.load("chc").roots])
    unit = Unit(data, DOMAIN.roots)
    assert unit.fault is None
    assert unit.canonical.in_force == (("z3.sat.euf", "true"),)
    assert trivial_like(unit.recipe).seed in DOMAIN.roots.built_in


def test_a_script_for_people_has_the_options_of_the_solver_under_test() -> None:
    parameters = (("cvc5.decision", "internal"), ("solver", "cvc5"), ("z3.smt.arith.solver", "2"))
    assert DOMAIN.roots.shown_options(parameters) == (("decision", "internal"),)
    problem = DOMAIN.roots.parse(DOMAIN.roots.built_in[0], "built-in")
    printed = DOMAIN.roots.print(problem.with_header((), DOMAIN.roots.shown_options(parameters)))
    assert printed.startswith("(set-option :decision internal)\n(set-logic ALL)\n")


def test_a_text_without_a_problem_is_refused() -> None:
    with pytest.raises(GrammarError, match="no assertion and no function"):
        DOMAIN.roots.parse("(set-logic ALL)(check-sat)", "empty")


LARGE = parse.problem("""(set-logic ALL)
(set-info :status unsat)
(declare-sort U 0)
(declare-datatypes ((P 0)) (((pair (left Int) (right Int)))))
(declare-const unused P)
(declare-const |odd name| (_ BitVec 32))
(declare-fun g ((_ BitVec 32) U) (_ BitVec 32))
(declare-const u U)
(assert (! (bvult (g |odd name| u) (bvadd (g |odd name| u) #x00000011)) :named first))
(assert (forall ((v U) (w Int)) (or (distinct v u) (> w 3) (bvugt |odd name| #x00000002))))
(assert (and true (not (= |odd name| #x0000000a))))
(check-sat)
""")


def smallest(problem: Problem, needed: str) -> str:
    """Return the text of the smallest problem whose text has a word."""

    def passes(candidate: BaseProblem) -> bool:
        return needed in DOMAIN.roots.print(candidate)

    test = one_by_one(passes)
    (*_, last) = DOMAIN.shrink(problem, test, Mode.FINDING, lambda _counts: None)
    assert last.minimal
    return DOMAIN.roots.print(last.system)


@pytest.mark.parametrize(
    ("needed", "rest"),
    [
        ("bvult", "(assert (bvult #b0 #b0))"),
        ("forall", "(assert (forall ((x Int))\n    true))"),
        ("distinct", "(assert (distinct true false))"),
        ("declare-sort", "(declare-sort S 0)\n(assert true)"),
    ],
)
def test_a_problem_shrinks_to_what_a_test_needs(needed: str, rest: str) -> None:
    assert smallest(LARGE, needed) == f"(set-logic ALL)\n{rest}\n(check-sat)\n"


def test_a_reduction_keeps_the_commands_that_a_test_needs() -> None:
    script = """(declare-const b Bool)(push 1)(assert b)(check-sat)(push 1)(check-sat-assuming ((not b)))(pop 1)(pop 1)
    (push 1)(assert (or b true))(check-sat)"""
    expected = """(set-info :chcfuzz-checks written-0)
(declare-fun b () Bool)
(check-sat-assuming ((not b)))
(assert true)
(check-sat)
"""
    assert smallest(parse.problem(script), "(check-sat-assuming ((not b)))") == expected


def test_single_edits_are_smaller_or_other_problems() -> None:
    found = list(DOMAIN.single_edits(LARGE))
    assert len({name for name, _ in found}) == len(found) > 20
    assert all(problem != LARGE for _, problem in found)


def test_the_shape_has_theories_and_operators_and_no_rules() -> None:
    shape = DOMAIN.shape(parse.problem(DOMAIN.roots.built_in[1]))
    assert shape.summary() == "BV; bit-vector order, bits, equality of BV"
