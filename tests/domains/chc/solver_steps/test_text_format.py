"""The text format in which any solver can print its steps."""

import pytest
from chcfuzz.domains.chc.solver_steps.steps import ALL_LEVELS, Lemma, Obligation, ReachFact
from chcfuzz.domains.chc.solver_steps.text_format import check_end, own_lines, read_steps
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.solvers.outcome import Status

SYSTEM = parse("(declare-fun |a b| (Int) Bool)(assert (|a b| 0))(assert (forall ((x Int)) (=> (|a b| x) (< x 9))))")
TEXT = """; steps of a solver
lemma |a b| oo (< |a b_0_n| 9)

obligation |a b| 3 (= |a b_0_n| 9)
obligation |a b| 2 (= |a b_0_n| 8) of 2
fact |a b| (= |a b_0_n| 0)
answer unsat
"""


def test_all_kinds_of_lines_are_read() -> None:
    rules, steps, status = read_steps(TEXT, SYSTEM, "steps.txt")
    assert status is Status.UNSAT
    assert steps == (
        Lemma("a b", ALL_LEVELS, "(< |a b_0_n| 9)"),
        Obligation("a b", 3, "(= |a b_0_n| 9)"),
        Obligation("a b", 2, "(= |a b_0_n| 8)", (("a b", "(= |a b_0_n| 9)"),), is_exact=True),
        ReachFact("a b", "(= |a b_0_n| 0)"),
    )
    assert rules.query == "query!"
    assert not any(clause.is_query for clause in rules.system.clauses)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("lema p 1 true", "no rule, lemma, obligation, fact, answer, declaration or comment"),
        ("lemma p one true", "a lemma has a level, a number or `oo`, and a formula"),
        ("obligation p 1 true of 7", "step 7 is not an obligation before this one"),
        ("answer maybe", "no rule, lemma, obligation, fact, answer, declaration or comment"),
        ("rule (p", "a rule or a declaration is one expression in its line"),
        ("rule (|a b| 1) (|a b| 2)", "a rule or a declaration is one expression in its line"),
        ("rule (|a b| 1))(assert (|a b| 2)", "a rule or a declaration is one expression in its line"),
        ("rule (foo 1)", "unknown operator, at `foo`"),
        ("(declare-fun p)", "unexpected here, at `)`"),
        ("(declare-datatypes ((D 0)) (((d))))", "only predicates are declared; sorts are those of the file"),
        ("(assert (|a b| 7))", "no rule, lemma, obligation, fact, answer, declaration or comment"),
    ],
)
def test_another_line_is_one_error_that_names_it(line: str, message: str) -> None:
    with pytest.raises(GrammarError) as caught:
        read_steps(f"; one\nrule (|a b| 3)\n{line}", SYSTEM, "steps.txt")
    assert message in str(caught.value)
    assert str(caught.value).startswith("steps.txt:3:1: ")


def test_a_predicate_may_have_the_name_of_a_command() -> None:
    system = parse("(declare-fun |(check-sat)| (Int) Bool)(assert (|(check-sat)| 0))")
    rules, _, _ = read_steps("rule (|(check-sat)| 1)", system, "steps.txt")
    assert [print_term(clause.formula) for clause in rules.system.clauses] == ["(|(check-sat)| 1)"]


def test_a_rule_and_a_declaration_may_have_a_comment_behind_them() -> None:
    lines = ("(declare-fun q (Int) Bool) ; new", "rule (q 1) ; (", "rule (|a b| 2)")
    rules, _, _ = read_steps("\n".join(lines), SYSTEM, "steps.txt")
    assert [print_term(clause.formula) for clause in rules.system.clauses] == ["(q 1)", "(|a b| 2)"]
    with pytest.raises(GrammarError, match=r"^steps\.txt:4:1: unknown operator"):
        read_steps("\n".join((*lines, "rule (r 1)")), SYSTEM, "steps.txt")


def test_a_file_that_ends_inside_a_step_is_refused() -> None:
    check_end(TEXT, "steps.txt")
    check_end(TEXT + "; the end", "steps.txt")
    with pytest.raises(GrammarError, match=r"^steps\.txt:8:1: the last line may be cut"):
        check_end(TEXT + "obligation p 0 true of 1", "steps.txt")


@pytest.mark.parametrize(
    "broken",
    [
        "solving ..lemma query! 0 false",
        "solving ..fact query! true",
        "x obligation |a b| oo (= 1 1) of 2",
        "and (< |a b_0_n| 9)",
    ],
)
def test_a_step_behind_other_output_is_refused(broken: str) -> None:
    with pytest.raises(GrammarError, match=r"^stderr:2:1: a part of a step, whose line other output has broken"):
        own_lines(f"lemma p 1 true\n{broken}\n", "stderr")


def test_other_output_becomes_empty_lines() -> None:
    printed = "solving\nlemma p 1 true\na lemma was found, 3 obligations, fact 7 is true\n"
    assert own_lines(printed, "stderr") == "\nlemma p 1 true\n\n"
