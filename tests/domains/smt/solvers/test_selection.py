"""`--solvers` selects solvers and their settings; each mistake is one line with the next action."""

import shlex
import sys
from pathlib import Path

import pytest
from chcfuzz.domains.smt.solvers.isolation import Isolated
from chcfuzz.domains.smt.solvers.selection import Selected, selected
from chcfuzz.domains.smt.solvers.solver_engines import check_usable, smt_solvers, trace_source
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers import z3_release
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog

from tests.domains.smt.solvers.problems import INTEGERS, NO_BITS

YES = """#!/bin/sh
echo sat
"""
REFUSES = """#!/bin/sh
echo '(error "at line 1, column 12: logic not supported")'
"""


def test_a_name_may_have_settings() -> None:
    assert selected(("z3", "cvc5:arrays-exp=true:bitblast=eager"), ("cvc5",)) == (
        Selected("z3", "z3", (), isolated=False),
        Selected(
            "cvc5:arrays-exp=true:bitblast=eager",
            "cvc5",
            (("arrays-exp", "true"), ("bitblast", "eager")),
            isolated=True,
        ),
    )


def test_a_release_runs_in_a_child_process() -> None:
    (found,) = selected(("z3@4.12.2.0:a=1",), ())
    assert found == Selected("z3@4.12.2.0:a=1", "z3", (("a", "1"),), isolated=True, release="4.12.2.0")


_ASSUMED = """(set-logic ALL)(set-info :chcfuzz-checks assume-0)
(declare-const |a b| (_ BitVec 4))(declare-const b Bool)
(assert (=> b (bvult |a b| #x0)))
(check-sat-assuming (b))
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bitwuzla@0.9.1", "cvc5@1.3.2", "cvc5@1.0.9", "z3@4.12.2.0"])
def test_released_solvers_solve_beside_the_installed_ones(name: str) -> None:
    solving = Solving(domain="smt", solvers=(name, name.partition("@")[0]))
    z3_release.activate()
    try:
        check_usable(solving)
    except ChcfuzzError as error:
        pytest.skip(f"needs the wheel of {name}: {error}")
    solvers = smt_solvers(solving, Watchdog(60.0))
    assert solvers.engines[0].version.startswith(name.partition("@")[2].removesuffix(".0"))
    text = "(set-logic ALL)(declare-const a (_ BitVec 4))(assert (bvult a #x3))(check-sat)"
    outcome = solvers.solve(text, (), 100_000)
    assumed = solvers.solve(_ASSUMED, (), 100_000)
    for engine in solvers.engines:
        if isinstance(engine, Isolated):
            engine.close()
    assert [outcome.status, *(other.status for _, other in outcome.others)] == [Status.SAT] * 2
    assert outcome.model is not None
    assert [assumed.status, *(other.status for _, other in assumed.others)] == [Status.UNSAT] * 2


@pytest.mark.parametrize(
    ("names", "isolated", "message"),
    [
        (["yices"], [], "no SMT solver 'yices'; there are z3, cvc5, bitwuzla"),
        ([""], [], "no SMT solver ''"),
        (["z3"], ["cvc"], "no SMT solver 'cvc'"),
        (["z3", "cvc5", "z3"], [], "'z3' is selected twice"),
        (["z3:sat.euf"], [], "'sat.euf' in 'z3:sat.euf' is not a setting; write NAME=VALUE"),
        (["z3:smt.proof.log=file"], [], "'smt.proof.log=file' in 'z3:smt.proof.log=file' cannot be set"),
        (["cvc5@new"], [], "'new' in 'cvc5@new' is not a version; write cvc5@1.3.2"),
        (["cvc5@"], [], "'' in 'cvc5@' is not a version"),
        (["cvc5:check-models=true"], ["bitwuzla"], "ends the process if it fails; add --isolate bitwuzla,cvc5"),
    ],
)
def test_a_mistake_is_one_line_with_the_next_action(names: list[str], isolated: list[str], message: str) -> None:
    with pytest.raises(ChcfuzzError) as raised:
        check_usable(Solving(solvers=tuple(names), isolate=tuple(isolated)))
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("cross", "message"),
    [
        (("auto",), "--cross auto names CHC solvers"),
        (("nosuch-solver",), "cannot start 'nosuch-solver'"),
        (("true", "true {}"), "two solvers have the name 'true'"),
        ((shlex.quote(str(Path(sys.executable).with_name("z3"))),), "two solvers have the name 'z3'"),
    ],
)
def test_a_command_that_cannot_run_beside_them_is_refused(cross: tuple[str, ...], message: str) -> None:
    with pytest.raises(ChcfuzzError, match=message):
        check_usable(Solving(cross=cross))


def in_this_process(*names: str, cross: tuple[str, ...] = ()) -> Solving:
    z3_release.activate(None, None)
    return Solving(solvers=names, isolate=(), cross=cross)


@pytest.mark.parametrize(
    "name", ["z3:sat.nowhere=true", "z3:smt.arith.solver=simplex", "cvc5:nowhere=1", "bitwuzla:sat-solver=nosuch"]
)
def test_a_setting_that_the_solver_does_not_have_is_refused(name: str) -> None:
    with pytest.raises(ChcfuzzError, match=f"{name.partition(':')[0]} does not have '.*' of '{name}'"):
        smt_solvers(in_this_process(name), Watchdog(60))


def test_a_campaign_does_not_start_with_such_a_setting() -> None:
    with pytest.raises(ChcfuzzError, match="bitwuzla does not have 'nowhere' of 'bitwuzla:nowhere=1'"):
        check_usable(Solving(solvers=("bitwuzla:nowhere=1",)))
    check_usable(Solving(solvers=("bitwuzla:preprocess=false",), isolate=()))


def test_a_solver_that_is_not_installed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "chcfuzz.domains.smt.solvers.solver_engines.find_spec", lambda name: None if name == "cvc5" else name
    )
    with pytest.raises(ChcfuzzError, match="'cvc5' is not installed; pip install cvc5"):
        check_usable(Solving())
    check_usable(Solving(solvers=("z3", "bitwuzla"), isolate=("bitwuzla",)))


def test_two_settings_of_one_solver_are_two_solvers() -> None:
    solvers = smt_solvers(in_this_process("z3", "z3:sat.euf=true"), Watchdog(60))
    outcome = solvers.solve(INTEGERS, (), 1_000_000)
    ((name, other),) = outcome.others
    assert (name, outcome.status, other.status) == ("z3:sat.euf=true", Status.SAT, Status.SAT)


def test_a_command_runs_beside_them_and_may_answer_without_a_model(tmp_path: Path) -> None:
    programs = []
    for name, text in (("yes", YES), ("refuses", REFUSES)):
        programs.append(tmp_path / name)
        programs[-1].write_text(text)
        programs[-1].chmod(0o755)
    solving = in_this_process("z3", cross=tuple(map(str, programs)))
    outcome = smt_solvers(solving, Watchdog(60)).solve(NO_BITS, (), 1_000_000)
    assert [(name, other.status, other.model) for name, other in outcome.others] == [
        ("yes", Status.SAT, None),
        ("refuses", Status.UNSUPPORTED, None),
    ]


def test_the_source_of_traces_is_named_after_the_solvers() -> None:
    one, other = (trace_source(in_this_process(*names)).name for names in (("z3",), ("z3", "z3:sat.euf=true")))
    assert one != other
    assert " " not in other


def test_an_empty_list_of_solvers_is_one_line() -> None:
    with pytest.raises(ChcfuzzError, match="--solvers is empty; name some of z3, cvc5, bitwuzla"):
        check_usable(Solving(domain="smt", solvers=()))
