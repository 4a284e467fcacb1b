"""Options of scripts of SMT problems: whose they are, and those that no solver gets."""

import pytest
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.reading.horn_script import HornScript
from chcfuzz.grammar.reading.parse import left_out, problem
from chcfuzz.grammar.reading.problem_script import ProblemScript
from chcfuzz.grammar.smt_options import is_harmless, is_self_check, owners

REST = "(declare-const p Bool)(assert p)(check-sat)"


@pytest.mark.parametrize(
    ("name", "solvers"),
    [
        ("smt.arith.solver", ("z3",)),
        ("auto_config", ("z3",)),
        ("auto-config", ("z3",)),
        ("fp.spacer.ctp", ("z3",)),
        ("decision", ("cvc5",)),
        ("nl-cov", ("cvc5",)),
        ("rewrite-level", ("bitwuzla",)),
        ("prop-sext", ("bitwuzla",)),
        ("bv-solver", ("cvc5", "bitwuzla")),
        ("z3.sat.euf", ("z3",)),
        ("cvc5.decision", ("cvc5",)),
    ],
)
def test_the_form_of_a_name_says_whose_option_it_is(name: str, solvers: tuple[str, ...]) -> None:
    assert owners(name) == solvers


def test_options_of_solvers_are_parameters_and_those_of_smtlib_stay_in_the_text() -> None:
    read = problem(
        f"""(set-option :sat.euf true)(set-option :bv-solver "prop")(set-option :produce-unsat-cores true)
        (set-option :random-seed 7)(set-option :produce-models false)(set-option :z3.sat.euf false){REST}"""
    )
    assert read.options == (
        ("z3.sat.euf", "true"),
        ("cvc5.bv-solver", "prop"),
        ("bitwuzla.bv-solver", "prop"),
        ("z3.sat.euf", "false"),
    )
    printed = print_problem(read)
    assert printed.startswith("(set-option :produce-unsat-cores true)\n(set-option :random-seed 7)\n(declare-fun")
    assert problem(printed).form == read.form


@pytest.mark.parametrize(
    ("option", "reason", "matters"),
    [
        (":timeout 10", "limits of its own", True),
        (':regular-output-channel "x"', "may write a file", True),
        (":smt.proof.log x", "may write a file", True),
        (":smt.qi.cost (+ weight generation)", "only truth values, numbers and words", True),
        (":print-success true", "changes no answer", False),
        (":produce-models false", "changes no answer", False),
        (":sat.euf true", "an option of z3", False),
    ],
)
def test_an_option_that_a_solver_does_not_get_is_named_with_the_reason(option: str, reason: str, matters: bool) -> None:
    (found,) = left_out(ProblemScript("a"), f"(set-option {option}){REST}")
    assert found.command.startswith(f"(set-option {option.split()[0]} ")
    assert (reason in found.reason, found.matters) == (True, matters)


def test_an_option_behind_a_check_is_left_out() -> None:
    text = f"{REST}(set-option :sat.euf true){REST.replace('p', 'q')}"
    (found,) = left_out(ProblemScript("a"), text)
    assert ("behind a check" in found.reason, found.matters) == (True, True)
    assert problem(text).options == ()


def test_options_behind_a_reset_are_those_of_a_new_script() -> None:
    text = f"(set-option :sat.euf true){REST}(reset)(set-option :rewriter.hi-div0 false){REST}"
    assert problem(text).options == (("z3.rewriter.hi_div0", "false"),)
    assert not any(each.matters for each in left_out(ProblemScript("a"), text))


@pytest.mark.parametrize("name", ["model-validate", "model_validate", "smt.Core.validate", "check-models"])
def test_a_check_of_its_own_results_is_one_in_every_spelling(name: str) -> None:
    assert is_self_check(name)
    assert not is_harmless(name, "true")


def test_options_of_systems_are_named_unless_they_change_nothing() -> None:
    text = """(set-option :fp.xform.inline_eager false)(set-option :smt.arith.solver 2) ; (set-option :x 1)
        (set-option :produce-models true)(set-option :print-success false)(set-option :fp.spacer.trace_file x)
        (set-option :regular-output-channel "x")(set-option :rlimit 7)(set-option :sat.euf maybe.so)
        (assert true)(check-sat)"""
    found = [each.command for each in left_out(HornScript("a"), text) if each.matters]
    assert found == [
        "(set-option :fp.spacer.trace_file x)",
        '(set-option :regular-output-channel "x")',
        "(set-option :rlimit 7)",
        "(set-option :sat.euf maybe.so)",
    ]


def test_queries_are_named_for_those_who_want_every_command() -> None:
    found = left_out(ProblemScript("a"), f"{REST}(get-value (p))(get-abduct A p)(echo |a b|)")
    assert [(each.command, each.matters) for each in found] == [("(get-abduct A p)", True), ("(echo |a b|)", False)]


def test_objectives_are_named() -> None:
    found = left_out(ProblemScript("a"), f"(declare-const x Int)(minimize x)(assert-soft (> x 0)){REST}")
    assert [(each.command, each.matters) for each in found] == [("(minimize x)", True), ("(assert-soft (> x 0))", True)]
