"""The scripts in the folder of a finding: z3's own command gets SMT-LIB, and a program calls the other parts."""

import subprocess
import sys
from pathlib import Path

import pytest
from chcfuzz.domains.parts.domain import DOMAIN
from chcfuzz.domains.parts.finding_script import ASK_PART, commands, script
from chcfuzz.domains.parts.question_text import read

from tests.targets import SAFETY_NET

BETWEEN = "(declare-const x Int)(declare-const y Int)(assert (< 0 x))(assert (< x y))"
VALUES = "((x 1) (y 2))"


def text(question: str) -> str:
    return f'(set-info :chcfuzz-part "{question}")\n{BETWEEN}'


@pytest.mark.parametrize(
    ("question", "command"),
    [
        (f"(mbp (x) {VALUES})", "(mbp (and (< 0 x) (< x y)) (x))"),
        (
            "(tactic (simplify smt) () ((som true)))",
            "(check-sat-using (then (using-params simplify :som true) smt smt))",
        ),
        ("(simplifier (simplify der))", "(set-simplifier (then simplify der))"),
        (f"(eliminate (x) {VALUES} ((by qe2)))", "(apply qe2)"),
        (f"(qsat (x) {VALUES})", "(assert (exists ((x Int)) (and (< 0 x) (< x y) true)))\n(apply qsat)"),
        (f"(consequences (x y) {VALUES})", "(get-consequences () (x y))"),
        ("(soft () () ((engine rc2)))", "(set-option :opt.maxsat_engine rc2)\n(assert (or (< 0 x) (< x y)))"),
        ("(proof)", "(check-sat)\n(get-proof)"),
        ("(tactic-proof (nnf))", "(check-sat-using (then nnf smt))\n(get-proof)"),
    ],
)
def test_a_part_of_the_command_has_a_script(question: str, command: str) -> None:
    assert command in DOMAIN.input_for(read(text(question)), "z3", ())


def test_other_parts_have_no_script_and_a_program() -> None:
    problem = read(text(f"(project (x) {VALUES})"))
    assert DOMAIN.input_for(problem, "z3", ()) == ""
    assert commands("5.4.1.0", "mutant.smt2", set())[1] == "python3 ask_part.py mutant.smt2"
    assert commands("5.4.1.0", "reduced.smt2", {"reduced-solver-input.smt2"})[1] == "z3 reduced-solver-input.smt2"
    shown = script("5.4.1.0", "z3", "wrong", {"mutant.smt2", "evidence.smt2"})
    assert "ask_part.py mutant.smt2" in shown
    assert "the answers that its comments state" in shown


@pytest.mark.parametrize(
    ("question", "printed"),
    [
        (f"(project (x) {VALUES})", ("(and (>= y 2))", "(not (<= y 1))")),
        (f"(implicant () {VALUES})", ("(and (< 0 x) (< x y))", "(and (< x y) (< 0 x))")),
        ("(simplify)", ("(and (not (<= x 0)) (not (<= y x)))",)),
        ("(core)", ("sat []",)),
        ("(cube)", ("[[]]",)),
        (f"(consequences (x) {VALUES} ((assumed true)))", ("(sat, [])",)),
        (f"(cover (x) {VALUES})", ("unsat\ntrue", "unsat\n(not (<= y 1))", "unsat\n(and (not (<= y 1)) true)")),
    ],
)
def test_the_program_calls_a_part(tmp_path: Path, question: str, printed: tuple[str, ...]) -> None:
    (tmp_path / "ask_part.py").write_text(ASK_PART)
    (tmp_path / "mutant.smt2").write_text(text(question))
    done = subprocess.run(
        [sys.executable, "ask_part.py", "mutant.smt2"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=SAFETY_NET,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() in printed
