"""The program in a finding's folder that interpolates with a released solver, and checks the interpolants itself."""

import subprocess
import sys
from pathlib import Path

import pytest
from chcfuzz.domains.interpolation import finding_script as itp_script
from chcfuzz.domains.interpolation.finding_script import ASK_ITP, RUNNER, script
from chcfuzz.domains.interpolation.solvers.inputs import input_for
from chcfuzz.grammar.interpolation.group_text import printed, read
from chcfuzz.triage.findings.compared_solvers import Several
from chcfuzz.triage.findings.contents import INPUT

PAIR = """(declare-const x Int)(declare-const y Int)(declare-fun f (Int) Int)
(assert (! (and (> x 3) (= y (f x))) :interpolation-group g0))
(assert (! (forall ((v Int)) (> (f v) 7)) :interpolation-group axiom))
(assert (! (= x 3) :interpolation-group g1))
"""
SEQUENCE = """(declare-const a (_ BitVec 4))(declare-const b (_ BitVec 4))(declare-const c (_ BitVec 4))
(assert (! (bvult a b) :interpolation-group g0))
(assert (! (bvult b c) :interpolation-group g1))
(assert (! (bvult c a) :interpolation-group g2))
"""
TREE = """(set-info :interpolation-parents "g2 g2")
(declare-const x Int)(declare-const y Int)(declare-const z Int)
(assert (! (and (> x 3) (< y x)) :interpolation-group g0))
(assert (! (and (> z 5) (= z x)) :interpolation-group g1))
(assert (! (< x 2) :interpolation-group g2))
"""
DEFINED = """(declare-const x Int)(declare-const y Int)(declare-const z Int)
(define-fun less ((p Int) (q Int)) Bool (< p q))(define-fun first () Bool (less x y))
(assert (! first :interpolation-group g0))
(assert (! (and (less y z) (not (less x z))) :interpolation-group g1))
"""
TWICE = """(declare-const p Bool)(declare-const q Bool)
(assert (! p :interpolation-group g0))(assert (! q :interpolation-group g0))
(assert (! p :interpolation-group g1))(assert (! (not q) :interpolation-group g1))
"""
NUMBERS = """(declare-const x Int)(declare-const y Int)(declare-const z Int)
(assert (! (and (> x 3) (= y (+ x 1))) :interpolation-group g0))
(assert (! (and (< y z) (< z 4)) :interpolation-group g1))
"""


def shown(folder: Path, text: str, solver: str, *command: str) -> str:
    """Return what the program prints about a problem and a solver."""
    problem = read(text)
    (folder / RUNNER).write_text(ASK_ITP)
    (folder / "mutant.smt2").write_text(printed(problem))
    (folder / INPUT).write_text(input_for(problem, solver))
    words = [] if solver == "bitwuzla" else [INPUT, *command]
    line = [sys.executable, RUNNER, solver, "mutant.smt2", *words]
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("solver", "text", "conditions"),
    [("spacer", SEQUENCE, 3), ("spacer", TREE, 3), ("bitwuzla", SEQUENCE, 3), ("cvc5", NUMBERS, 2)],
)
def test_interpolants_of_a_solver_are_checked(tmp_path: Path, solver: str, text: str, conditions: int) -> None:
    output = shown(tmp_path, text, solver)
    assert output.count("Z3 unsat, cvc5 unsat") == conditions
    assert output.count("both sides do not share: none") == conditions - 1


def test_the_interpolants_of_a_command_are_checked_in_its_order(tmp_path: Path) -> None:
    wrong = "print('unsat'); print('((= x x) (= y 7))')"
    output = shown(tmp_path, TREE, "smtinterpol", sys.executable, "-c", wrong)
    assert "interpolant 2: (= y 7)\n  symbols that both sides do not share: y" in output
    assert "group g1 implies interpolant 2: unsat if so; Z3 sat, cvc5 sat" in output


def test_axioms_belong_to_the_last_group_and_their_symbols_are_shared(tmp_path: Path) -> None:
    command = (sys.executable, "-c", "print('unsat'); print('((and (> x 3) (= (f x) (f x))))')")
    output = shown(tmp_path, PAIR, "princess", *command)
    assert "do not share: none" in output
    assert output.count("Z3 unsat") == 2


@pytest.mark.parametrize(("text", "interpolant"), [(DEFINED, "(< x y)"), (TWICE, "(and p q)")])
def test_symbols_of_definitions_and_of_equal_formulas_are_shared(tmp_path: Path, text: str, interpolant: str) -> None:
    command = (sys.executable, "-c", f"print('unsat'); print('({interpolant})')")
    output = shown(tmp_path, text, "princess", *command)
    assert "do not share: none" in output
    assert output.count("Z3 unsat, cvc5 unsat") == 2


def test_show_sh_interpolates_and_then_runs_the_failing_check() -> None:
    releases = {"smtinterpol": "", "bitwuzla": "0.9.1"}
    several = Several(releases, "5.4.1.0", ("java", "-jar", "a b.jar", "{}"))
    names = {"mutant.smt2", "evidence.smt2", INPUT, RUNNER}
    assert itp_script.packages(several) == ("z3-solver==5.4.1.0", "cvc5")
    text = script(several, "smtinterpol: wrong", "unsat was seen here", names)
    assert subprocess.run(["sh", "-n"], input=text, text=True, check=False).returncode == 0
    assert f"ask_itp.py smtinterpol mutant.smt2 {INPUT} java -jar 'a b.jar' {INPUT}" in text
    assert text.index("ask_itp.py smtinterpol") < text.index("ask_smt.py cvc5:arrays-exp=true evidence.smt2")
