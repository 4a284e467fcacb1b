"""The domain of interpolation problems: roots, solvers, parameters, reduction and shape."""

import pytest
from chcfuzz.domains.interpolation.campaign_solvers import parameters
from chcfuzz.domains.interpolation.domain import DOMAIN
from chcfuzz.domains.interpolation.roots import as_interpolation
from chcfuzz.domains.interpolation.solvers.interpolating_engines import commands, names
from chcfuzz.domains.interpolation.solvers.selection import selected
from chcfuzz.domains.smt.solvers.selection import SelectionError
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.interpolation.group_text import read
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.mutators import roots
from chcfuzz.mutators.recipe import Recipe, decode, encode
from chcfuzz.triage.shrink.result import Mode
from chcfuzz.triage.shrink.search import one_by_one

LARGE = read("""(set-info :status unsat)
(declare-fun f (Int) Int)
(declare-const |odd name| Int)
(declare-const y Int)
(declare-const z (_ BitVec 8))
(assert (! (and (> |odd name| 3) (= (f y) (+ |odd name| 1))) :interpolation-group g0))
(assert (! (bvult z #x11) :interpolation-group g1))
(assert (! (forall ((v Int)) (< (f v) 3)) :interpolation-group g2))
(assert (! (= (f 0) 0) :interpolation-group axiom))
(check-sat)
""")


@pytest.fixture(autouse=True)
def _in_the_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roots, "_active", [DOMAIN.roots])


@pytest.mark.parametrize("text", DOMAIN.roots.built_in)
def test_built_in_problems_are_read_and_printed(text: str) -> None:
    problem = DOMAIN.roots.parse(text, "built-in")
    assert problem.status == "unsat"
    assert DOMAIN.roots.parse(DOMAIN.roots.print(problem), "printed") == problem
    assert DOMAIN.roots.class_of(problem) in DOMAIN.roots.classes


def test_rows_for_plain_entropy_exist() -> None:
    registry = DOMAIN.registry(Solving(domain="interpolation"))
    assert all(registry.get(row) is not None for row in DOMAIN.roots.entropy_rows)


def test_a_text_without_groups_is_refused() -> None:
    with pytest.raises(GrammarError, match="an assertion without a group"):
        DOMAIN.roots.parse("(declare-const x Int)(assert (> x 0))", "plain")


def test_a_recipe_holds_the_solver_under_test_and_its_options() -> None:
    given = (("bitwuzla.interpolants-algo", "pudlak"), ("solver", "bitwuzla"), ("spacer.fp.spacer.global", "true"))
    recipe = decode(encode(Recipe(DOMAIN.roots.built_in[0], (), (*given, ("spacer.fp.spacer.trace_file", "x")))))
    assert recipe.parameters == given
    assert DOMAIN.roots.shown_options(given) == (("interpolants-algo", "pudlak"),)
    assert DOMAIN.concerns((("solver", "bitwuzla"),), "bitwuzla.interpolants-algo")
    assert not DOMAIN.concerns((("solver", "spacer"),), "bitwuzla.interpolants-algo")


def test_flags_name_solvers_and_commands() -> None:
    assert names(Solving()) == ("spacer", "bitwuzla")
    assert names(Solving(solver="instances")) == ("instances",)
    assert (names(Solving(solver="opensmt {}")), commands(Solving(solver="opensmt {}"))) == ((), ("opensmt {}",))
    assert (names(Solving(solver="z3")), commands(Solving(solver="z3"))) == (("z3",), ())
    assert names(Solving(solver="no-such-program")) == ("no-such-program",)
    assert names(Solving(solvers=())) == ()
    assert names(Solving(solvers=("z3", "cvc5", "bitwuzla"))) == ("z3", "cvc5", "bitwuzla")
    assert names(Solving(solvers=("spacer:fp.spacer.global=true",))) == ("spacer:fp.spacer.global=true",)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "z3",
            "no interpolating solver 'z3'; there are spacer, bitwuzla, instances, cvc5, smtinterpol, ",
        ),
        ("spacer:x", "'x' in 'spacer:x' is not a setting; write NAME=VALUE after the colon"),
        ("spacer:smt.core.validate=true", "cannot be set"),
        ("spacer@4.8.14.0", "--z3 4.8.14.0 for Spacer"),
        ("instances:x=1", "'x' in 'instances:x=1' cannot be set; needed-only and simplify are true or false"),
    ],
)
def test_a_solver_that_does_not_exist_is_one_line(name: str, message: str) -> None:
    with pytest.raises(SelectionError, match=message):
        selected((name,), ("bitwuzla",))


def test_no_solver_at_all_is_one_line() -> None:
    with pytest.raises(SelectionError, match="--solvers is empty; name some of spacer, bitwuzla"):
        DOMAIN.check_usable(Solving(domain="interpolation", solvers=()))


def test_transforms_that_spoil_interpolants_are_not_parameters() -> None:
    found = {row.name for row in parameters(Solving())}
    assert {"solver", "bitwuzla.interpolants-algo", "spacer.fp.spacer.global"} <= found
    assert "spacer.fp.xform.inline_eager" not in found
    assert "bitwuzla.produce-interpolants" not in found


def smallest(needed: str) -> str:
    """Return the text of the smallest problem whose text has a word."""

    def passes(candidate: BaseProblem) -> bool:
        return needed in DOMAIN.roots.print(candidate)

    (*_, last) = DOMAIN.shrink(LARGE, one_by_one(passes), Mode.FINDING, lambda _counts: None)
    assert last.minimal
    assert len(as_interpolation(last.system).groups) == 2
    return DOMAIN.roots.print(last.system)


@pytest.mark.parametrize(
    ("needed", "rest"), [("bvult", "(bvult #b0 #b0)"), ("forall", "(forall ((x Int))\n    true)"), ("axiom", "axiom")]
)
def test_a_problem_shrinks_to_two_groups_and_what_a_test_needs(needed: str, rest: str) -> None:
    text = smallest(needed)
    assert rest in text
    assert text.count("(assert") <= 3
    assert "declare" not in text


def test_single_edits_are_other_problems() -> None:
    found = list(DOMAIN.single_edits(LARGE))
    assert len({name for name, _ in found}) == len(found) > 15
    assert all(problem != LARGE for _, problem in found)


def test_the_shape_tells_pairs_from_sequences_and_trees() -> None:
    assert DOMAIN.shape(LARGE).rules == "sequence"
    assert DOMAIN.shape(read(DOMAIN.roots.built_in[0])).rules == "pair"
    assert (
        DOMAIN.shape(
            read(DOMAIN.roots.print(LARGE).replace("(declare", '(set-info :interpolation-parents "g2 g2")(declare', 1))
        ).rules
        == "tree"
    )
