"""Which formulas are Horn clauses: each accepted shape with its parts, each refused one with its reason."""

import pytest
import z3
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.horn import NotHornError, Shape, read
from chcfuzz.grammar.paths import at, replace_at
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import Clause
from chcfuzz.grammar.terms import FALSE, Quantifier, apply, conjunction, disjunction, implication, is_operator, negation

DECLARATIONS = (
    "(set-logic HORN)(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)"
    "(declare-fun r () Bool)(declare-fun b (Bool) Bool)"
)


def clause(formula: str) -> Clause:
    return parse(f"{DECLARATIONS}(assert {formula})").clauses[0]


ACCEPTED = [
    # formula, shape, body, head
    ("r", Shape.FACT, "", "r"),
    ("(p 1)", Shape.FACT, "", "(p 1)"),
    ("(forall ((x Int)) (p x))", Shape.FACT, "", "(p x)"),
    ("(forall ((x Int)) (=> (and (p x) (> x 0)) (q x)))", Shape.IMPLICATION, "(p x) (> x 0)", "(q x)"),
    ("(forall ((x Int)) (=> (p x) (> x 0) (q x)))", Shape.IMPLICATION, "(p x) (> x 0)", "(q x)"),
    ("(forall ((x Int)) (=> (p x) (=> (> x 0) (q x))))", Shape.IMPLICATION, "(p x) (> x 0)", "(q x)"),
    ("(forall ((x Int)) (=> (p x) false))", Shape.IMPLICATION, "(p x)", "false"),
    ("(forall ((x Int)) (=> (p x) (> x 0)))", Shape.IMPLICATION, "(p x)", "(> x 0)"),
    ("(=> r false)", Shape.IMPLICATION, "r", "false"),
    (
        "(forall ((x Int)) (or (not (p x)) (not (> x 0)) (q x)))",
        Shape.DISJUNCTION,
        "(p x) (> x 0)",
        "(q x)",
    ),
    (
        "(forall ((x Int)) (or (not (p x)) (> x 0) (q x)))",
        Shape.DISJUNCTION,
        "(p x) (not (> x 0))",
        "(q x)",
    ),
    ("(forall ((x Int)) (or (not (p x)) (> x 0)))", Shape.DISJUNCTION, "(p x)", "(> x 0)"),
    (
        "(forall ((x Int)) (not (and (p x) (> x 0) (not (q x)))))",
        Shape.NEGATED_CONJUNCTION,
        "(p x) (> x 0)",
        "(q x)",
    ),
    ("(forall ((x Int)) (not (and (p x) (> x 0))))", Shape.NEGATED_CONJUNCTION, "(p x) (> x 0)", "false"),
    ("(not (exists ((x Int)) (and (p x) (> x 0))))", Shape.NEGATED_CONJUNCTION, None, "false"),
    # what Z3's simplify with elim_and makes of a body
    (
        "(forall ((x Int)) (=> (not (or (not (p x)) (not (> x 0)))) (q x)))",
        Shape.IMPLICATION,
        "(p x) (> x 0)",
        "(q x)",
    ),
    (
        "(forall ((x Int)) (=> (not (or (not (p x)) (> x 0))) (q x)))",
        Shape.IMPLICATION,
        "(p x) (not (> x 0))",
        "(q x)",
    ),
    ("(forall ((x Int)) (=> (not (not (p x))) (q x)))", Shape.IMPLICATION, "(p x)", "(q x)"),
    ("(forall ((x Int)) (=> (not (=> (p x) (> x 0))) r))", Shape.IMPLICATION, "(p x) (not (> x 0))", "r"),
    # bodies with structure of their own stay one member
    ("(forall ((x Int)) (=> (or (p x) (q x)) r))", Shape.IMPLICATION, "(or (p x) (q x))", "r"),
    ("(=> (exists ((x Int)) (p x)) r)", Shape.IMPLICATION, "(exists ((x Int)) (p x))", "r"),
    (
        "(forall ((x Int)) (=> (or (not (or (> x 0) (not (p x)))) (q x)) r))",
        Shape.IMPLICATION,
        "(or (not (or (> x 0) (not (p x)))) (q x))",
        "r",
    ),
    (
        "(forall ((x Int)) (=> (ite (> x 0) (p x) (q x)) r))",
        Shape.IMPLICATION,
        "(ite (> x 0) (p x) (q x))",
        "r",
    ),
    ("(=> r (forall ((x Int)) (p x)))", Shape.IMPLICATION, "r", "(p x)"),
    ("(forall ((x Int)) (forall ((y Int)) (=> (p x) (q y))))", Shape.IMPLICATION, "(p x)", "(q y)"),
]


@pytest.mark.parametrize(("formula", "shape", "body", "head"), ACCEPTED)
def test_every_shape_is_read_with_its_body_and_head(formula: str, shape: Shape, body: str | None, head: str) -> None:
    found = clause(formula)
    assert found.shape is shape
    assert print_term(found.head) == head
    if body is not None:
        assert " ".join(map(print_term, found.body)) == body


@pytest.mark.parametrize("formula", [formula for formula, *_ in ACCEPTED])
def test_the_parts_put_together_are_equivalent_to_the_clause(formula: str) -> None:
    found = clause(formula)
    rule = implication(conjunction(*found.body), found.head)
    rebuilt = Quantifier("forall", found.variables, rule) if found.variables else rule
    claim = negation(conjunction(implication(found.formula, rebuilt), implication(rebuilt, found.formula)))
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(f"{DECLARATIONS.replace('(set-logic HORN)', '')}(assert {print_term(claim)})")
    assert solver.check() == z3.unsat


@pytest.mark.parametrize("formula", [formula for formula, *_ in ACCEPTED])
def test_body_paths_lead_to_what_is_negated_in_the_clause(formula: str) -> None:
    """Making a body impossible makes the clause true: each path leads to a member of the body."""
    found = clause(formula)
    for path in found.body_paths:
        weaker = replace_at(found.formula, path, disjunction())
        solver = z3.Solver(ctx=z3.Context())
        negated = print_term(negation(weaker))
        solver.from_string(f"{DECLARATIONS.replace('(set-logic HORN)', '')}(assert {negated})")
        assert solver.check() == z3.unsat
    assert found.body_paths or not found.body


def test_body_paths_do_not_lie_in_one_another() -> None:
    paths = clause("(forall ((x Int)) (=> (p x) (not (and (> x 0) (not (=> (> x 2) (q x)))))))").body_paths
    assert paths == ((0, 0), (0, 1, 0))


def test_siblings_that_bind_the_same_name_are_kept_apart() -> None:
    found = clause("(or (forall ((x Int)) (not (p x))) (forall ((x Int)) (not (q x))))")
    assert [variable.name for variable in found.variables] == ["x", "x!1"]
    assert " ".join(map(print_term, found.body)) == "(p x) (q x!1)"


def test_a_clause_knows_what_kind_it_is() -> None:
    rule = clause("(forall ((x Int)) (=> (and (p x) (or (q x) (q (+ x 1)))) r))")
    assert [print_term(atom) for atom in rule.atoms] == ["(p x)", "(q x)", "(q (+ x 1))"]
    assert (rule.is_query, rule.is_fact, rule.is_linear) == (False, False, False)
    query = clause("(forall ((x Int)) (=> (p x) (> x 0)))")
    assert (query.is_query, query.is_fact, query.is_linear) == (True, False, True)
    fact = clause("(forall ((x Int)) (=> (> x 0) (p x)))")
    assert (fact.is_query, fact.is_fact, fact.is_linear) == (False, True, True)


@pytest.mark.parametrize(
    ("formula", "reason"),
    [
        ("(forall ((x Int)) (or (p x) (q x)))", "one predicate in its head, not two, at `(q x)`"),
        (
            "(=> r (and (p 1) (q 1)))",
            "a head is one predicate, or a formula without predicates, at `(and (p 1)",
        ),
        ("(=> (=> (p 1) r) r)", "a predicate in a body must not be negated, at `(p 1)`"),
        ("(=> (not (p 1)) r)", "one predicate in its head, not two"),
        ("(=> (or (not (p 1)) r) r)", "a predicate in a body must not be negated, at `(p 1)`"),
        ("(=> (= (p 1) r) r)", "a predicate may stand only below and, or, not and exists, at `(= (p 1) r)`"),
        ("(=> (forall ((x Int)) (p x)) r)", "a predicate may stand only below and, or, not and exists"),
        ("(=> r (exists ((x Int)) (p x)))", "a head is one predicate, or a formula without predicates"),
        ("(=> (ite r true false) (p 1))", "a predicate may stand only below"),
        ("(=> (xor r true) (p 1))", "a predicate may stand only below"),
        ("(=> (b (p 0)) false)", "a predicate must not stand in an argument of another predicate, at `(b (p 0))`"),
        ("(=> r (b (p 0)))", "a predicate must not stand in an argument of another predicate, at `(b (p 0))`"),
        ("(b (not (p 0)))", "a predicate must not stand in an argument of another predicate"),
        ("(or (b r) (not (p 0)))", "a predicate must not stand in an argument of another predicate, at `(b r)`"),
        ("(=> (exists ((x Int)) (and r (b (p x)))) r)", "a predicate must not stand in an argument of another"),
        ("(=> (p (ite r 0 1)) false)", "a predicate must not stand in an argument of another predicate"),
    ],
)
def test_what_is_not_horn_is_refused_with_a_reason_and_a_place(formula: str, reason: str) -> None:
    with pytest.raises(GrammarError) as caught:
        clause(formula)
    assert str(caught.value).startswith("<text>:1:")
    assert "not a Horn clause: " in str(caught.value)
    assert reason in str(caught.value)


def test_deep_clauses_are_read_without_recursion() -> None:
    deep = "(and (p 1) " * 5000 + "(p 2)" + ")" * 5000
    assert len(clause(f"(=> {deep} r)").body) == 5001
    deep = "(not (not " * 5000 + "(p 2)" + "))" * 5000
    assert len(clause(f"(=> {deep} r)").body) == 1
    found = clause("(=> r " * 1000 + "(p 1)" + ")" * 1000)
    assert len(found.body_paths) == 1000
    assert is_operator(found.formula, "=>")
    assert print_term(at(found.formula, found.body_paths[-1])) == "r"


@pytest.mark.parametrize("operator", ["and", "or"])
def test_what_doubles_forty_times_is_read_at_once(operator: str) -> None:
    """The walk visits shared terms once, not 2^40 members."""
    body = member = clause("(p 1)").formula
    for _ in range(40):
        body = apply(operator, body, body)
    found = read(implication(body, FALSE))
    assert found.body == ((member,) if operator == "and" else (body,))
    assert Clause(implication(body, FALSE)).atoms == (member,)


def test_a_member_that_stands_twice_in_a_small_clause_counts_twice() -> None:
    assert [print_term(member) for member in clause("(=> (and (and r (p 1)) (and r (p 1))) false)").body] == [
        "r",
        "(p 1)",
        "r",
        "(p 1)",
    ]


def test_a_negated_predicate_below_shared_terms_is_found() -> None:
    body = negation(clause("(p 1)").formula)
    for _ in range(40):
        body = apply("or", apply("and", body, body), body)
    with pytest.raises(NotHornError, match="a predicate in a body must not be negated"):
        read(implication(body, FALSE))
