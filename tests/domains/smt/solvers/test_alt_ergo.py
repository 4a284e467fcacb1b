"""Alt-Ergo runs as a command, in its native language or in SMT-LIB; planted programs speak for it."""

import argparse
from pathlib import Path

import pytest
from chcfuzz.domains.smt.solvers.alt_ergo import AltErgo, is_alt_ergo
from chcfuzz.domains.smt.solvers.smt_command import CommandEngine
from chcfuzz.domains.smt.solvers.solver_engines import running
from chcfuzz.execution.domain import solving_of
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.mutators.roots import load
from chcfuzz.solvers.outcome import Status

NATIVE = "(set-logic ALL)\n(declare-fun x () Int)\n(assert (> x 2))\n(check-sat)\n"
VECTORS = "(set-logic ALL)\n(declare-fun x () (_ BitVec 4))\n(assert (= (bvadd x x) #x1))\n(check-sat)\n"


def solved(folder: Path, text: str, output: str) -> tuple[Status, str, str]:
    """Let a program that prints this output solve a text; return the status, the reason and the text that it got."""
    program = folder / "alt-ergo"
    program.write_text(f"#!/bin/sh\ncp \"$1\" {folder}/got\necho '{output}'\n")
    program.chmod(0o755)
    outcome = CommandEngine(AltErgo.of(str(program), 60)).solve(text, (), 0)
    return outcome.status, outcome.reason, (folder / "got").read_text()


@pytest.mark.parametrize(
    ("output", "status"),
    [
        ('File "p.ae", line 3, characters 10-15: Valid (0.1450) (2 steps) (goal g)', Status.UNSAT),
        ('File "p.ae", line 3, characters 10-15: I don\'"\'"\'t know (0.1) (7 steps) (goal g)', Status.UNKNOWN),
        ('File "p.ae", line 3, characters 10-15: Invalid (0.1) (7 steps) (goal g)', Status.UNKNOWN),
        ("[Error]File p.ae, line 3, characters 10-22:Typing Error: undefined symbol f", Status.UNSUPPORTED),
        ("Fatal error: exception Assert_failure(src/lib/reasoners/ite.ml, 4, 2)", Status.ERROR),
    ],
)
def test_a_problem_is_a_goal_and_its_answer_unsat_or_unknown(tmp_path: Path, output: str, status: Status) -> None:
    found, reason, got = solved(tmp_path, NATIVE, output)
    assert found is status
    assert got == "logic x : int\ngoal goal_0 : not (x > 2)\n"
    assert ("undefined symbol f" in reason) == (status is Status.UNSUPPORTED)


@pytest.mark.parametrize(("output", "status"), [("unsat", Status.UNSAT), ("sat", Status.UNKNOWN)])
def test_a_problem_that_the_native_language_lacks_is_smt_lib(tmp_path: Path, output: str, status: Status) -> None:
    found, _, got = solved(tmp_path, VECTORS, output)
    assert (found, got) == (status, VECTORS)


def test_alt_ergo_among_the_solvers_is_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "alt-ergo").write_text("#!/bin/sh\n")
    (tmp_path / "alt-ergo").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    prepared = load("smt").prepared(Solving(domain="smt", solvers=("z3", "alt-ergo")), False)
    assert (prepared.solvers, prepared.cross) == (("z3",), ("alt-ergo",))
    assert running(prepared) == ("z3", "alt-ergo")
    assert is_alt_ergo("/usr/bin/alt-ergo --sat-solver Tableaux {}")
    assert not is_alt_ergo("yices-smt2 {}")
    assert not is_alt_ergo("")


def test_commands_read_the_names_of_programs_as_campaigns_do() -> None:
    given = parsed(["--domain=smt", "--solvers=z3,alt-ergo", "--front-end=program"])
    solving = solving_of(given)
    assert (solving.solvers, solving.cross) == (("z3-program",), ("alt-ergo",))
    assert load("smt").resolved(solving) == solving
    with pytest.raises(UsageError, match="--solvers alt-ergo: name another solver first, for example z3,alt-ergo"):
        solving_of(parsed(["--domain=smt", "--solvers=alt-ergo"]))
    with pytest.raises(UsageError, match="--command is for"):
        solving_of(parsed(["--domain=smt", "--command=eld"]))


def parsed(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    Solving.add_flags(parser)
    return parser.parse_args(words)
