"""The rules that Spacer really solves, read from its output at verbosity 2."""

import pytest
from chcfuzz.domains.chc.solver_steps.spacer_rules import real_rules
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System

COUNTER = parse("(declare-fun p (Int Real) Bool)(assert (p 0 0.0))")
LISTS = parse("(declare-datatypes ((L 0)) (((nil) (c (h Int) (t L)))))(declare-fun p (L) Bool)(assert (p nil))")


def printed(*rules: str) -> str:
    """Return output of Z3 that ends with these rules; only the last rules in an output count."""
    head = "(transform X...no-op 0s)\n; rule count: 1\n; output: old\n<null>:\nold().\n(transform Y...no-op 0s)"
    blocks = "\n".join(f"<null>:\n{rule}." for rule in rules)
    return (
        f"{head}\n; rule count: {len(rules)}\n; predicate count: 2\n; output: query!0\n{blocks}\nexpand: query!0 (0, 0)"
    )


def clauses(system: System, *rules: str) -> list[str]:
    read = real_rules(printed(*rules), system)
    assert read is not None
    return [print_term(clause.formula) for clause in read.system.clauses]


def test_variables_get_the_sorts_of_the_predicates_of_the_system() -> None:
    assert clauses(COUNTER, "p((+ (:var 0) 1),#1) :- \n p(#0,#1),\n (<= (:var 1) 2.0)") == [
        "(forall ((V!0 Int) (V!1 Real)) (=> (and (p V!0 V!1) (<= V!1 2.0)) (p (+ V!0 1) V!1)))"
    ]


def test_sorts_of_a_predicate_of_z3_follow_from_rules_that_use_it() -> None:
    read = real_rules(printed("q!7(#3) :- \n p(#3,#1)", "query!0() :- \n q!7(#2),\n (< (:var 2) 0)"), COUNTER)
    assert read is not None
    assert not read.unread
    assert [str(sort) for sort in read.predicate("q!7").parameters] == ["Int"]


def test_a_sort_that_only_one_choice_makes_readable_is_found() -> None:
    assert clauses(LISTS, "query!0() :- \n (= (:var 0) (t (:var 1)))") == [
        "(forall ((V!0 L) (V!1 L)) (=> (= V!0 (t V!1)) query!0))"
    ]


def test_a_rule_with_two_choices_of_sorts_is_not_guessed() -> None:
    read = real_rules(printed("query!0() :- \n (not (= (:var 0) (:var 1)))", "p(0,0.0)"), COUNTER)
    assert read is not None
    assert read.unread == {"query!0"}
    assert len(read.system.clauses) == 1


def test_a_number_is_not_converted_to_make_a_choice_readable() -> None:
    """`(= x 1)` is about an Int: Z3 prints a Real as 1.0."""
    assert clauses(COUNTER, "query!0() :- \n (= (:var 0) 1)") == ["(forall ((V!0 Int)) (=> (= V!0 1) query!0))"]


def test_lets_over_several_lines_are_read() -> None:
    rule = "p(#0,0.0) :- \n (let ((a!1 (+ (:var 0)\n      1)))\n   (< a!1 2))"
    assert clauses(COUNTER, rule) == ["(forall ((V!0 Int)) (=> (< (+ V!0 1) 2) (p V!0 0.0)))"]


@pytest.mark.parametrize("name", ["a,b", "a(b", "a b", "a\n; output: p\n", "a#1"])
def test_a_name_that_z3_prints_without_bars_makes_the_output_unreadable(name: str) -> None:
    system = parse(f"(declare-fun |{name}| (Int) Bool)(assert (|{name}| 0))")
    assert real_rules(printed(f"{name}(0)"), system) is None


@pytest.mark.parametrize(
    "output",
    [
        "",
        printed("p(0,0.0) :- \n p(0)"),
        "; rule count: 1",
        printed("p(0"),
        printed("p(0,0.0) :- \n not p(1,1.0)"),
        printed("nothing"),
        printed("p(0,0.0)").replace("count: 1", "count: 2"),
    ],
    ids=["empty", "two arities", "cut", "unbalanced", "negated", "no atom", "fewer rules"],
)
def test_other_output_has_no_rules(output: str) -> None:
    assert real_rules(output, COUNTER) is None


def test_a_release_that_solves_nothing_prints_no_rule() -> None:
    read = real_rules(
        "\n; rule count: 0\n; predicate count: 0\n; output: query!0\n(define-fun p () Bool true)\n", COUNTER
    )
    assert read is not None
    assert read.system.clauses == ()
