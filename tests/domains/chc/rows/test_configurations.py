"""Configurations: each is one that the installed Z3 takes, sets more than a single switch, and names its source."""

import re

import pytest
from chcfuzz.domains.chc.roots import ChcRoots
from chcfuzz.domains.chc.rows import configurations
from chcfuzz.domains.chc.rows.configurations import FEATURES, USERS
from chcfuzz.domains.chc.rows.parameters import scope_of
from chcfuzz.domains.chc.rows.registry import registry
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.mutators.mutation import Configuration, Scope
from chcfuzz.mutators.recipe import is_parameter
from chcfuzz.mutators.registry import Registry
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_parameters import fixedpoint_parameters
from chcfuzz.tracing.progress_log import ProgressLog

DEFAULTS = {f"fp.{found.name}": found.default for found in fixedpoint_parameters()}


@pytest.fixture(scope="module")
def made(rows: Registry) -> dict[str, Configuration]:
    return {row.name: row for row in rows.configurations}


def test_the_installed_z3_has_every_row(made: dict[str, Configuration]) -> None:
    assert list(made) == [name for name, _, _ in (*USERS, *FEATURES)]
    assert [word for _, words, _ in (*USERS, *FEATURES) for word in words.split() if word.count("=") != 1] == []


def test_a_user_names_its_repository_and_file_and_a_feature_a_file_of_z3() -> None:
    assert [source for _, _, source in USERS if not re.fullmatch(r"[\w-]+/[\w-]+, [\w/-]+\.\w+", source)] == []
    assert [source for _, _, source in FEATURES if not re.match(r"muz/\w+/\w+\.cpp\b", source)] == []


def test_settings_are_others_than_the_defaults_and_no_two_rows_set_the_same(made: dict[str, Configuration]) -> None:
    for row in made.values():
        assert row.settings == tuple(sorted(row.settings))
        assert all(DEFAULTS[name] != value for name, value in row.settings)
        assert all(is_parameter(name, value, ChcRoots()) for name, value in row.settings)
    assert len({row.settings for row in made.values()}) == len(made)


def test_no_row_does_what_a_single_switch_does(rows: Registry, made: dict[str, Configuration]) -> None:
    alone = [row.settings[0] for row in made.values() if len(row.settings) == 1]
    assert [pair for pair in alone if rows.takes(*pair)] == []


def test_z3_takes_every_row(made: dict[str, Configuration]) -> None:
    spacer = Spacer(ProgressLog(), Watchdog(60))
    system = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))(assert (forall ((x Int)) (=> (p x) (< x 1))))"
    for row in made.values():
        outcome = spacer.solve(system, row.settings, 1_000_000)
        assert (row.name, outcome.status.value, outcome.left_out) == (row.name, "sat", ())


def test_a_row_is_experimental_if_one_of_its_parameters_is(made: dict[str, Configuration]) -> None:
    for row in made.values():
        experimental = any(scope_of(name) is Scope.EXPERIMENTAL for name, _ in row.settings)
        assert row.scope is (Scope.EXPERIMENTAL if experimental else Scope.SINGLE_SWITCH)
    assert made["tutorial"].scope is Scope.SINGLE_SWITCH
    assert made["solidity"].scope is Scope.EXPERIMENTAL  # mbqi


def test_a_z3_without_a_parameter_has_no_row_that_sets_it(
    made: dict[str, Configuration], monkeypatch: pytest.MonkeyPatch
) -> None:
    fewer = tuple(found for found in fixedpoint_parameters() if found.name != "spacer.global")
    monkeypatch.setattr(configurations, "fixedpoint_parameters", lambda: fewer)
    gone = {row.name for row in made.values()} - {row.name for row in configurations.configurations()}
    assert gone == {name for name, words, _ in (*USERS, *FEATURES) if "spacer.global=" in words}
    assert "guidance" in gone


def test_a_command_has_none() -> None:
    assert registry("eldarica").configurations == ()
