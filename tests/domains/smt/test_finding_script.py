"""The script and the program in the folder of a finding about one of several SMT solvers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from chcfuzz.domains.smt.domain import DOMAIN
from chcfuzz.domains.smt.finding_script import ASK_SMT, commands, run_of, script
from chcfuzz.domains.smt.roots import SmtRoots
from chcfuzz.grammar.reading.parse import problem
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.triage.findings.compared_solvers import Several, requirements

SOLVERS = {"cvc5": "1.4.2", "z3:sat.euf=true": "5.4.1.0", "z3": "5.4.1.0", "yices-smt2 {}": ""}
SYSTEM = """(set-option :{option})
(set-logic ALL)
(declare-const x (_ BitVec 4))
(assert (bvult x #x1))
(check-sat)
"""


def test_the_packages_of_all_solvers_are_installed_once() -> None:
    assert requirements(SOLVERS) == ("cvc5==1.4.2", "z3-solver==5.4.1.0")


def test_only_the_solver_under_test_gets_the_options_in_the_file() -> None:
    assert run_of("mutant.smt2", "cvc5", is_tested=True) == "python3 ask_smt.py cvc5 mutant.smt2"
    assert run_of("mutant.smt2", "z3", is_tested=False) == "python3 ask_smt.py z3 mutant.smt2 --plain"


def test_the_script_is_a_shell_script_that_runs_every_solver() -> None:
    text = script(Several(SOLVERS), "cvc5 1.4.2: wrong", "sat was seen here", {"mutant.smt2", "evidence.smt2"})
    assert subprocess.run(["sh", "-n"], input=text, text=True, check=False).returncode == 0
    assert text.count("ask_smt.py cvc5 mutant.smt2") == text.count("ask_smt.py cvc5:arrays-exp=true evidence.smt2") == 1
    assert "ask_smt.py z3:sat.euf=true mutant.smt2 --plain" in text


def test_a_command_under_test_runs_itself_on_the_mutant_and_on_the_reduced_problem() -> None:
    several = Several(
        {"mathsat": "", "z3": "5.4.1.0"}, "", ("mathsat", "-a", "{}"), {"reduced.smt2": ("mathsat", "{}")}
    )
    text = script(several, "mathsat: wrong", "unsat was seen here", {"mutant.smt2", "reduced.smt2"})
    assert "printf '%s\\n' 'mutant.smt2, mathsat: unsat was seen here:'\nlimited mathsat -a mutant.smt2\n" in text
    assert "\nlimited mathsat reduced.smt2\n" in text
    assert commands(several, "mutant.smt2", set())[1:] == [
        "mathsat -a mutant.smt2",
        "python3 ask_smt.py z3 mutant.smt2 --plain",
    ]


SETS = "(declare-const s (Set Int))(assert (set.is_singleton s))"


def test_z3_under_test_runs_on_a_text_with_its_own_names_of_sets() -> None:
    stated, other = problem(SETS), problem("(declare-const x Int)(assert (< x 1))")
    text = DOMAIN.input_for(stated, "z3:sat.euf=true", (("sat.euf", "true"),))
    assert "(set-option :sat.euf true)\n" in text
    assert "(assert (= (set.size s) 1))" in text
    assert DOMAIN.input_for(stated, "z3-program", ()) == DOMAIN.input_for(stated, "z3-4.15", ()) != ""
    assert [DOMAIN.input_for(stated, name, ()) for name in ("cvc5", "bitwuzla", "another")] == [""] * 3
    assert DOMAIN.input_for(other, "z3", ()) == ""


def test_the_script_runs_the_solver_under_test_on_its_own_text_and_the_others_on_the_problem() -> None:
    several = Several({"z3": "5.4.1.0", "cvc5": "1.4.2"})
    names = {"mutant.smt2", "solver-input.smt2", "reduced.smt2", "reduced-solver-input.smt2"}
    text = script(several, "z3 5.4.1.0: wrong", "unsat was seen here", names)
    for prefix, system in (("", "mutant.smt2"), ("reduced-", "reduced.smt2")):
        assert f"ask_smt.py z3 {prefix}solver-input.smt2\n" in text
        assert f"ask_smt.py cvc5 {system} --plain\n" in text
    assert "ask_smt.py z3 mutant.smt2" not in text
    assert commands(several, "reduced.smt2", names)[1] == "python3 ask_smt.py z3 reduced-solver-input.smt2"


@pytest.mark.parametrize(
    ("solver", "option"), [("z3", "smt.arith.solver 2"), ("cvc5", "decision internal"), ("bitwuzla", "seed 3")]
)
def test_the_program_runs_a_solver_with_the_options_in_the_file(tmp_path: Path, solver: str, option: str) -> None:
    (tmp_path / "ask_smt.py").write_text(ASK_SMT)
    (tmp_path / "mutant.smt2").write_text(SYSTEM.format(option=option))
    command = [sys.executable, "ask_smt.py", solver, "mutant.smt2"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("sat\n")
    (tmp_path / "mutant.smt2").write_text(SYSTEM.format(option="no-such-option true"))
    wrong = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert any(message in wrong.stdout + wrong.stderr for message in ("refuses the script", "unknown parameter"))
    plain = subprocess.run([*command, "--plain"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert plain.stdout.startswith("sat\n")


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_a_wrong_answer_is_printed_though_the_text_states_the_right_one(tmp_path: Path, solver: str) -> None:
    (tmp_path / "ask_smt.py").write_text(ASK_SMT)
    stated = "(set-logic ALL)\n(set-info :status unsat)\n(declare-const x Int)\n(assert (> x 3))\n"
    (tmp_path / "mutant.smt2").write_text(f"{stated}(push 1)\n(check-sat)\n(pop 1)\n(check-sat)\n(get-unsat-core)\n")
    command = [sys.executable, "ask_smt.py", solver, "mutant.smt2"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split()[:3] == ["sat", "sat", "(error"]


def test_a_release_of_cvc5_without_term_managers_runs(tmp_path: Path) -> None:
    (tmp_path / "ask_smt.py").write_text(ASK_SMT)
    (tmp_path / "mutant.smt2").write_text("(check-sat)\n")
    (tmp_path / "cvc5.py").write_text("from fake import InputLanguage, InputParser, Solver\n")
    (tmp_path / "fake.py").write_text(
        "from unittest.mock import MagicMock\nInputLanguage = Solver = MagicMock()\n"
        "command, end = MagicMock(), MagicMock()"
        "\nend.isNull.return_value, command.isNull.return_value = True, False\ncommand.invoke.return_value = 'sat\\n'\n"
        "InputParser = MagicMock()\nInputParser.return_value.nextCommand.side_effect = [command, end]\n"
        "InputParser.return_value.getSymbolManager.return_value = object()\n"
    )
    command = [sys.executable, "ask_smt.py", "cvc5", "mutant.smt2"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "sat\n"


def test_an_installation_that_failed_is_repeated(tmp_path: Path) -> None:
    """Without a network, the first call leaves a virtual environment without the solvers."""
    (tmp_path / "show.sh").write_text(
        script(Several({"cvc5": "1.4.2"}), "cvc5: wrong", "sat was seen here", {"mutant.smt2"})
    )
    fake = f"#!/bin/sh\nmkdir -p {tmp_path}/venv/bin; cp {tmp_path}/pip {tmp_path}/python {tmp_path}/venv/bin\n"
    pip = f"#!/bin/sh\necho installing; test -e {tmp_path}/network && touch {tmp_path}/installed\n"
    python = f"#!/bin/sh\ntest -e {tmp_path}/installed && echo runs\n"
    for name, text in (("python3", fake), ("pip", pip), ("python", python)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "VENV": f"{tmp_path}/venv"}

    def shown() -> list[str]:
        command = ["sh", str(tmp_path / "show.sh")]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False).stdout.splitlines()

    assert shown() == ["installing"]
    (tmp_path / "network").touch()
    result = ["mutant.smt2, cvc5 1.4.2: sat was seen here:", "runs"]
    assert shown() == ["installing", *result]
    assert shown() == ["runs", *result]  # the first line is that of the fake interpreter, for the modules


def test_the_settings_of_the_solver_under_test_are_options_of_the_text() -> None:
    assert SmtRoots().shown_options((("solver", "z3:smt.bv.solver=2"), ("z3.sat.euf", "true"))) == (
        ("smt.bv.solver", "2"),
        ("sat.euf", "true"),
    )
    recipe = Recipe("", (), (("solver", "z3@5.1.0.0:smt.bv.solver=2"), ("z3.sat.euf", "true")), SmtRoots())
    assert recipe.in_force == (("z3.sat.euf", "true"), ("z3.smt.bv.solver", "2"))
    assert Recipe("", (), (("solver", "z3"),), SmtRoots()).in_force == ()
