"""Scripts with queries for interpolants state interpolation problems."""

import pytest
from chcfuzz.domains.interpolation.solvers.scripts import STYLES, Style, script
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.interpolation.group_text import printed, read
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.interpolation.query_scripts import has_queries, queried
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.mutators.roots import load

THREE = """(set-option :produce-interpolants true)(set-logic QF_LIA)(set-info :status unsat)
(declare-const x Int)(declare-const y Int)(declare-const z Int)
(assert (! (< x y) :named A))(assert (! (< y z) :named |B|))(assert (! (= z x) :named C))(check-sat)
"""


def groups_of(problem: Interpolation) -> list[list[str]]:
    return [[str(problem.assertions[member].name) for member in group] for group in problem.groups]


def only(text: str) -> Interpolation:
    (problem,) = queried(text)
    assert read(printed(problem)) == problem
    return problem


def test_names_are_groups_in_the_order_of_the_query() -> None:
    problem = only(THREE + "(get-interpolants B A C)")
    assert groups_of(problem) == [["B"], ["A"], ["C"]]
    assert problem.status == "unsat"
    assert not problem.is_tree


def test_a_conjunction_of_names_is_one_group() -> None:
    assert groups_of(only(THREE + "(get-interpolants A (and |B| C))")) == [["A"], ["B", "C"]]


def test_parentheses_enclose_a_subtree() -> None:
    problem = only(THREE + "(get-interpolants A (B) C)")
    assert problem.parents == (2, 2)
    four = THREE.replace("(check-sat)", "(assert (! (> z 0) :named D))")
    assert only(four + "(get-interpolants A (B C) D)").parents == (3, 2, 3)
    assert only(four + "(get-interpolants (A (B)) C D)").parents == (2, 2, 3)
    assert not only(four + "(get-interpolants (A) B (and C D))").is_tree


def test_a_query_without_names_makes_each_assertion_a_group() -> None:
    problem = only(THREE.replace("(check-sat)", "(assert (> z 0))(check-sat)") + "(get-interpolants)")
    assert [len(group) for group in problem.groups] == [1, 1, 1, 1]


def test_an_assertion_without_a_group_is_an_axiom() -> None:
    problem = only(THREE.replace("(check-sat)", "(assert (> z 0))(check-sat)") + "(get-interpolants A (and B C))")
    assert problem.axioms == (3,)


def test_each_query_has_the_assertions_of_its_level() -> None:
    more = "(push 1)(assert (! (> z 0) :named D))(check-sat)(get-interpolants A (and B C) D)(pop 1)"
    pair = "(get-interpolants A (and B C))"
    undeclared = THREE.replace("(set-info :status unsat)", "")
    first, second, third = queried(f"{undeclared}{pair}{more}(check-sat)(get-interpolants A B C){pair}")
    assert [len(each.assertions) for each in (first, second, third)] == [3, 4, 3]
    assert (first.cuts, second.cuts, third.cuts) == (1, 2, 2)


@pytest.mark.parametrize("style", [style for style in STYLES if style.trees], ids=lambda style: style.name)
@pytest.mark.parametrize("parents", ["", "g2 g2 g3", "g3 g2 g3", "g1 g3 g3"])
def test_the_script_for_a_solver_states_the_same_problem(style: Style, parents: str) -> None:
    assertions = "".join(f"(assert (! (< x{n} x{(n + 1) % 4}) :interpolation-group g{n}))" for n in range(4))
    constants = "".join(f"(declare-const x{n} Int)" for n in range(4))
    tree = f'(set-info :interpolation-parents "{parents}")' if parents else ""
    problem = read(tree + constants + assertions)
    (again,) = queried(script(problem, style))
    assert sorted(map(str, again.formulas)) == sorted(map(str, problem.formulas))
    sides = {frozenset(map(str, problem.sides(cut)[0])) for cut in range(problem.cuts)}
    assert {frozenset(map(str, again.sides(cut)[0])) for cut in range(again.cuts)} == sides


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("(get-interpolants A D)", "4:21: no assertion has this name, at `D`"),
        ("(get-interpolants A A)", "4:21: an assertion belongs to one group, at `A`"),
        ("(get-interpolants A)", "4:2: 1 groups of assertions: an interpolant needs two"),
        ("(get-interpolants A (B))", "4:2: a tree ends with its root, a group that is not in parentheses"),
        ("(get-interpolants A (and B (and C)))", "4:29: a group is a name, or (and A B) with names, at `(and C)`"),
        ("(get-interpolants A 7)", "4:21: a group is a name, or (and A B) with names, at `7`"),
        ("(get-interpolants A :B)", "4:21: a group is a name, or (and A B) with names, at `:B`"),
        ("(get-interpolant A (< x y))", "4:18: the interpolant needs a new name, at `A`"),
        ("(get-interpolant I)", "4:2: write (get-interpolant NAME FORMULA), or the names of the assertions of A in"),
        ("(get-interpolant)", "4:2: write (get-interpolant NAME FORMULA), or the names of the assertions of A in"),
        ("(get-interpolant (A) (B))", "4:2: write (get-interpolant NAME FORMULA), or the names of the assertions of A"),
        ("(get-interpolant (A B C))", "4:2: all assertions are in A: an interpolant needs B"),
        ("(get-interpolant (A D))", "4:21: no assertion has this name, at `D`"),
        ("(get-interpolant I (< x true))", "4:21: < is not defined on (Int Bool), at `<`"),
        ("(get-interpolant I x)", "4:20: an assertion has sort Bool, not Int, at `x`"),
        ("(reset-assertions)(get-interpolant I true)", "4:20: no assertion: an interpolant needs A"),
    ],
)
def test_a_query_that_states_no_groups_is_refused(query: str, message: str) -> None:
    with pytest.raises(GrammarError, match=message.replace("(", r"\(").replace(")", r"\)")):
        queried(THREE + query)


CONJECTURE = """(set-logic LIA)(set-info :status sat)(declare-fun a () Int)(declare-fun b () Int)
(assert (and (< 3 a) (< a b)))(assert (! (< b 9) :named A))(check-sat)
"""


def sides(problem: Interpolation) -> tuple[list[str], list[str]]:
    a, b = problem.sides(0)
    return list(map(print_term, a)), list(map(print_term, b))


def test_cvc5_interpolates_the_assertions_and_the_negation_of_a_formula() -> None:
    problem = only(f"{CONJECTURE}(get-interpolant I (> b 0))")
    assert sides(problem) == (["(and (< 3 a) (< a b))", "(< b 9)"], ["(not (> b 0))"])
    assert problem.status is None, "the script's status is that of the assertions"
    assert only(f"{CONJECTURE}(get-interpolant |I| (> b 0) ((G Bool)) ((G Bool (true))))") == problem
    named = only(f"{CONJECTURE}( get-interpolant I A)(get-interpolant-next)")
    assert sides(named)[1] == ["(not (< b 9))"]


def test_the_script_for_cvc5_states_the_same_sides() -> None:
    problem = read(
        "(declare-const x Int)(declare-const y Int)(assert (! (< x y) :interpolation-group g0))"
        "(assert (! (< y x) :interpolation-group g1))"
    )
    (again,) = queried(script(problem, next(style for style in STYLES if style.name == "cvc5")))
    assert sides(again) == (["(< x y)"], ["(not (not (< y x)))"])


def test_names_in_parentheses_are_a_and_the_other_assertions_are_b() -> None:
    problem = only(THREE.replace("(check-sat)", "(assert (> z 0))(check-sat)") + "(get-interpolant (A C))")
    assert sides(problem) == (["(< x y)", "(= z x)"], ["(< y z)", "(> z 0)"])
    assert problem.status == "unsat"


def test_a_script_without_a_query_states_nothing() -> None:
    assert queried(THREE) == ()


def test_deep_parentheses_are_read() -> None:
    assert only(f"{THREE}(get-interpolants {'(' * 500}A{')' * 500} (and B C))").cuts == 1


FORMS = {
    "SMTInterpol, OpenSMT": "(get-interpolants (and A B) C)",
    "Bitwuzla": "(get-interpolants (A B))",
    "Bitwuzla, a list of lists": "(get-interpolants ((A B)))",
    "Bitwuzla, one interpolant": "(get-interpolant (A B))",
}


@pytest.mark.parametrize("query", FORMS.values(), ids=FORMS)
def test_one_problem_has_many_forms(query: str) -> None:
    assert groups_of(only(THREE + query)) == [["A", "B"], ["C"]]


def test_the_groups_of_mathsat_are_those_of_the_assertions() -> None:
    labelled = THREE.replace(":named A", ":interpolation-group g1").replace(":named |B|", ":interpolation-group g1")
    problem = only(labelled.replace(":named C", ":interpolation-group g2") + "(get-interpolant (g1))")
    assert [[*map(str, group)] for group in problem.groups] == [["0", "1"], ["2"]]


def test_the_goal_of_cvc5_is_negated() -> None:
    text = THREE.replace("(assert (! (= z x) :named C))", "")
    assert sides(only(text + "(get-interpolant I (distinct z x))")) == (
        ["(< x y)", "(< y z)"],
        ["(not (distinct z x))"],
    )


def test_each_list_of_bitwuzla_is_a_group_and_the_rest_the_last_one() -> None:
    assert groups_of(only(THREE + "(get-interpolants (B) (A))")) == [["B"], ["A"], ["C"]]
    assert groups_of(only(THREE + "(get-interpolants ((B) (A)))")) == [["B"], ["A"], ["C"]]
    with pytest.raises(GrammarError, match="an assertion belongs to one group"):
        queried(THREE + "(get-interpolants (A) (A))")


@pytest.mark.parametrize("word", ["compute-interpolant", "get-tree-interpolant"])
def test_a_query_of_another_form_is_refused_with_its_name(word: str) -> None:
    assert has_queries(f"({word} A B)")
    with pytest.raises(GrammarError, match=f"this query is not read.*{word}"):
        queried(f"{THREE}({word} A B)")


def test_the_last_query_is_the_problem_of_a_text_for_every_command() -> None:
    roots = load("interpolation").roots
    text = THREE + "(get-interpolants A (and B C))(get-interpolants (and A B) C)"
    assert roots.parse(text, "a file") == roots.parse_all(text, "a file")[-1]
    assert roots.parse(text + "(get-interpolants A (and B C))", "a file") == roots.parse_all(text, "a file")[0]
