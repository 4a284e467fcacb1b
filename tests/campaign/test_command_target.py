"""Features of a command for libFuzzer: its answers, the structure of its models, its error classes; no times."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.worker.target import Target
from chcfuzz.mutators.mutation import Scope
from chcfuzz.mutators.recipe import Recipe, encode

from tests.campaign.conftest import MORE_SAT, SAT, UNSAT

Make = Callable[..., Target]


@pytest.fixture
def target(tmp_path: Path, session: Session, options: Callable[..., Options]) -> Make:
    """A target whose command is a shell script."""

    def make(script: str, *flags: str, name: str = "solver") -> Target:
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        fixed = (f"--command={shlex.quote(str(path))}", "--limit-factor=0", "--second-opinion=0")
        return Target(options(*fixed, *flags), session)

    return make


def shown(target: Target, unit: str) -> tuple[int, ...]:
    """Which counters an execution sets."""
    target.test_one_input(unit.encode())
    return tuple(target.counters.counters.nonzero()[0].tolist())


@pytest.mark.parametrize("script", ["echo sat", "echo unknown", "echo '(error \"no\")'; exit 1", "exit 3"])
def test_what_a_command_says_is_a_feature_undecided_or_not(target: Make, script: str) -> None:
    assert len(shown(target(script), SAT)) > 3


@pytest.mark.parametrize("script", ["exec sleep 100", "echo timeout", "kill -KILL $$"])
def test_what_was_ended_is_none(target: Make, script: str) -> None:
    assert shown(target(script, "--wall-seconds=0.5"), SAT) == ()


def test_what_takes_too_much_memory_is_none(target: Make) -> None:
    hog = f"exec {shlex.quote(sys.executable)} -c 'kept = [bytearray(1 << 20) for _ in range(3000)]'"
    assert shown(target(hog, "--memory-megabytes=200"), SAT) == ()


def test_errors_of_one_class_show_the_same_and_of_another_class_something_else(target: Make) -> None:
    refuses = target("""grep -q Real "$1" && echo '(error "no reals")' || echo "(error \\"line $$\\")" """)
    one, same, other = (shown(refuses, unit) for unit in (SAT, UNSAT, MORE_SAT))
    assert one == same != other


def test_a_seed_is_solved_once(target: Make, tmp_path: Path, session: Session) -> None:
    """A command does not count resources, so the cost of a seed cannot set a limit."""
    noted = target(f"echo run >> {tmp_path}/runs; echo unknown")
    noted.test_one_input(encode(Recipe(SAT, (), (("eldarica.lbe", "on"),))))
    assert (tmp_path / "runs").read_text().splitlines() == ["run"]
    assert session.counters.totals()[Counter.EXECUTIONS] == 1


def test_rows_are_those_of_the_command(target: Make) -> None:
    eldarica = target("echo sat", name="eld")
    parameters = eldarica.context.pipeline.chains.registry.parameters
    assert {row.name.partition(".")[0] for row in parameters} == {"eldarica"}
    ids = eldarica.mutations.learning.policy.rows.ids
    assert "parameter.eldarica.lbe" in ids
    assert not any(row.startswith("parameter.fp.") for row in ids)
    unsupported = {row.id for row in parameters if row.scope is Scope.EXPERIMENTAL}
    assert unsupported
    assert unsupported.isdisjoint(ids)


def test_the_outcome_of_a_command_is_remembered_under_its_own_name(target: Make) -> None:
    one, other = target("echo sat"), target("echo sat", name="solver2")
    assert one.context.pipeline.setting != other.context.pipeline.setting
    assert one.context.pipeline.setting.source == one.context.pipeline.solver.events.name


@pytest.mark.parametrize(("ends", "compared"), [("", 1), (" TIMEOUT", 0)])
def test_a_trace_in_which_a_clock_of_the_solver_had_a_say_is_not_compared(
    target: Make, session: Session, ends: str, compared: int
) -> None:
    clocked = target(f"echo 'Interpolation abstraction: p: <x> .{ends}' >&2; echo unknown", "--requests=0", name="eld")
    for number in range(10):  # of which the ninth is followed by an earlier one
        clocked.test_one_input(
            MORE_SAT.replace("(check-sat)", f"(assert (or true (= {number} 0)))\n(check-sat)").encode()
        )
    assert session.counters.totals()[Counter.RECHECKED] == compared
