"""Options of scripts: those that may let a solver write a file, and those that a system may set."""

import pytest
from chcfuzz.grammar.solver_options import is_allowed, writing_option


@pytest.mark.parametrize(
    ("script", "option"),
    [
        ('(set-option :regular-output-channel "x")', ":regular-output-channel"),
        ('(set-option ;\n:diagnostic-output-channel "x")', ":diagnostic-output-channel"),
        ('(echo "\\")(set-option :regular-output-channel "x")', ":regular-output-channel"),
        ("(check-sat)( set-option :fp.spacer.trace_file x)", ":fp.spacer.trace_file"),
        ("(set-option :trace-file-name x)", ":trace-file-name"),
        ("(set-option :fp.spacer.dump_benchmarks true)", ":fp.spacer.dump_benchmarks"),
        ("(set-option :solver.proof.log x)", ":solver.proof.log"),
        (
            "(set-option :fp.spacer.random_seed 7)(set-option :print-success false)(set-option :produce-models true)",
            None,
        ),
        ("(set-info :source |a log file|)(declare-fun output () Int)", None),
        ("; (set-option :trace-file-name x)\n(check-sat)(set-option", None),
    ],
)
def test_options_that_may_write_are_found(script: str, option: str | None) -> None:
    assert writing_option(script) == option


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("smt.arith.solver", "2", True),
        ("sat.euf", "true", True),
        ("rewriter.flat", "false", True),
        ("fp.xform.inline_eager", "false", True),
        ("smt.core.validate", "true", False),  # a failed check ends the process
        ("smt.logic", "a b", False),
        ("sat.drat.file", "x", False),
        ("solver.axioms2files", "true", False),
        ("smtx.arith.solver", "2", False),
    ],
)
def test_a_system_may_set_options_that_change_how_spacer_solves(name: str, value: str, allowed: bool) -> None:
    assert is_allowed(name, value) == allowed
