"""Commands on texts of SMT problems: printed for other readers, and imported check by check."""

from __future__ import annotations

from pathlib import Path

import pytest
from chcfuzz.grammar.reading.parse import problem
from chcfuzz.mutators.recipe import Recipe, encode

from tests.commands.test_chcfuzz import chcfuzz, refused

TEXT = """(declare-fun f (Int) Int)(declare-const a Int)(assert (> (f a) a))
(push 1)(assert (= (f a) (- 1)))(check-sat)(pop 1)
(check-sat)
(push 1)(assert (not (= (f a) (f a))))(check-sat)(check-sat)(pop 1)
(check-sat)
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A script with five checks."""
    path = tmp_path / "script.smt2"
    path.write_text(TEXT)
    return path


@pytest.mark.slow
def test_a_unit_is_printed_in_the_language_of_alt_ergo(tmp_path: Path, script: Path) -> None:
    done = chcfuzz(tmp_path, "show", script, "--domain", "smt", "--print-for", "alt-ergo")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["logic f : int -> int", "logic a : int", "goal goal_0 : not (f(a) > a)"]


@pytest.mark.slow
def test_a_unit_is_printed_for_the_solvers(tmp_path: Path, script: Path) -> None:
    done = chcfuzz(tmp_path, "show", script, "--domain", "smt", "--print-for", "smtlib")
    assert problem(done.stdout) == problem(TEXT)


@pytest.mark.slow
def test_a_reader_that_is_not_known_is_refused(tmp_path: Path, script: Path) -> None:
    done = chcfuzz(tmp_path, "show", script, "--domain", "smt", "--print-for", "boolector")
    names = "smtlib, z3, cvc5, bitwuzla, princess, yices, mathsat, alt-ergo"
    refused(done, f"--print-for 'boolector' is not known; name one of {names}")
    (tmp_path / "vectors.smt2").write_text("(declare-const a (_ BitVec 4))(assert (bvult a #b1000))")
    done = chcfuzz(tmp_path, "show", "vectors.smt2", "--domain", "smt", "--print-for", "alt-ergo")
    refused(done, "bvult is not an operator of Alt-Ergo's native language")
    (tmp_path / "system.smt2").write_text("(declare-fun p () Bool)(assert p)")
    done = chcfuzz(tmp_path, "show", "system.smt2", "--print-for", "z3")
    refused(done, "--print-for 'z3': a CHC system has one text for all readers; leave the flag out")


@pytest.mark.slow
def test_each_check_of_a_script_is_imported(tmp_path: Path, script: Path) -> None:
    done = chcfuzz(tmp_path, "import", script, "--into", "corpus", "--domain", "smt", "--solvers", "z3")
    assert done.returncode == 0, done.stderr
    stated = [problem(path.read_text()) for path in (tmp_path / "corpus").iterdir()]
    assert sorted(len(each.assertions) for each in stated) == [1, 1, 2, 2, 2]
    assert {each.status for each in stated} == {None}, "the answer of one project alone is no status"
    again = chcfuzz(tmp_path, "import", script, "--into", "corpus", "--domain", "smt", "--solvers", "z3")
    assert "1 known" in again.stdout
    assert len(list((tmp_path / "corpus").iterdir())) == 5


@pytest.mark.slow
def test_a_unit_is_replayed_with_another_solver_under_test(tmp_path: Path, script: Path) -> None:
    flags = ("--domain", "smt", "--solvers", "z3,z3:sat.euf=true")
    done = chcfuzz(tmp_path, "replay", script, *flags, "--solver", "z3:sat.euf=true")
    assert done.returncode == 0, done.stderr
    assert "\nz3:sat.euf=true " in done.stdout
    assert "answers sat; z3 sat\n" in done.stdout
    done = chcfuzz(tmp_path, "replay", script, *flags, "--solver", "cvc5")
    refused(done, "--solver 'cvc5' is not one of z3, z3:sat.euf=true; add it to --solvers, or name one of them")


@pytest.mark.slow
def test_a_problem_crosses_the_bridge_and_a_system_comes_back(tmp_path: Path) -> None:
    (tmp_path / "problem.smt2").write_text("(set-info :status sat)(declare-const a Int)(assert (> a 1))(check-sat)")
    done = chcfuzz(tmp_path, "bridge", "problem.smt2", "--domain", "smt")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("; SMT problem, now a problem of --domain chc\n(set-logic HORN)\n")
    (tmp_path / "system.smt2").write_text(done.stdout)
    back = chcfuzz(tmp_path, "bridge", "system.smt2")
    assert (back.returncode, back.stderr) == (0, "")
    assert problem(back.stdout).status == "unsat"
    refused(
        chcfuzz(tmp_path, "bridge", "problem.smt2", "--domain", "smt", "--depth", "3"),
        "--depth 3: an SMT problem has no derivations; leave the flag out",
    )


@pytest.mark.slow
def test_a_unit_of_another_domain_names_the_flag_that_reads_it(tmp_path: Path) -> None:
    text, recipe, broken = (tmp_path / name for name in ("text.smt2", "recipe", "broken.smt2"))
    text.write_text("(declare-const a Int)(assert (> a 0))(check-sat)")
    recipe.write_bytes(encode(Recipe(text.read_text())))
    broken.write_text("(declare-const a Int)(assert (> a b))(check-sat)")
    for unit in (text, recipe):
        done = chcfuzz(tmp_path, "show", unit)
        refused(done, "a free constant")
        assert done.stderr.endswith("; --domain=smt reads it\n")
    refused(done := chcfuzz(tmp_path, "show", broken), "broken.smt2")
    assert "--domain" not in done.stderr


@pytest.mark.slow
def test_replay_prints_the_results_of_queries_behind_the_check(tmp_path: Path) -> None:
    (tmp_path / "core.smt2").write_text(
        """(set-option :produce-unsat-cores true)(declare-const p Bool)
        (assert (! p :named a))(assert (! (not p) :named b))(check-sat)(get-unsat-core)(get-info :all-statistics)"""
    )
    done = chcfuzz(tmp_path, "replay", "core.smt2", "--domain", "smt", "--solvers", "z3")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("(get-") == 1
    assert "\n(get-unsat-core): (a b)\n" in done.stdout or "\n(get-unsat-core): (b a)\n" in done.stdout
    assert "oracle result: pass" in done.stdout
    done = chcfuzz(tmp_path, "check", "core.smt2", "--domain", "smt", "-v")
    assert "left out" not in done.stderr
