"""Options of scripts: those that may let a solver write a file, and those that no solver gets."""

import pytest
from chcfuzz.grammar.solver_options import left_out, writing_option


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


def test_options_that_no_solver_gets_are_named_unless_they_change_nothing() -> None:
    script = """(set-option :fp.xform.inline_eager false)(set-option :smt.arith.solver 2) ; (set-option :x 1)
        (set-option :produce-models true)(set-option :print-success false)(set-option :fp.spacer.trace_file x)
        (set-option :regular-output-channel "x")(set-option :rlimit 7)(check-sat)"""
    assert left_out(script) == (":smt.arith.solver 2", ":fp.spacer.trace_file x", ":rlimit 7")
