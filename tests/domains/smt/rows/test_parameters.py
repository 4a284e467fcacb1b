"""Rows for parameters: of the solvers that are named, and which of them is under test."""

from collections import Counter

from chcfuzz.domains.smt.rows.parameters import rows
from chcfuzz.domains.smt.rows.registry import registry
from chcfuzz.mutators.mutation import Scope

NAMES = ("z3", "cvc5", "bitwuzla", "z3:sat.euf=true")


def test_each_solver_has_parameters_once() -> None:
    found = rows(NAMES)
    solvers = Counter(row.name.partition(".")[0] for row in found)
    assert set(solvers) == {"solver", "z3", "cvc5", "bitwuzla"}
    assert min(solvers["z3"], solvers["cvc5"], solvers["bitwuzla"]) > 20
    assert len({row.id for row in found}) == len(found)
    assert all(row.values and row.default not in row.values for row in found)


def test_one_parameter_selects_the_solver_under_test() -> None:
    (selection,) = (row for row in rows(NAMES) if row.name == "solver")
    assert (selection.default, selection.values) == ("z3", ("cvc5", "bitwuzla", "z3:sat.euf=true"))
    assert selection.scope is Scope.DEFAULT
    assert all(row.name != "solver" for row in rows(["cvc5"]))


def test_experts_options_are_experimental() -> None:
    scopes = {row.name: row.scope for row in rows(["cvc5"])}
    assert {Scope.EXPERIMENTAL, Scope.SINGLE_SWITCH} == set(scopes.values())


def test_a_registry_has_them_beside_the_mutations() -> None:
    found = registry(rows(NAMES))
    assert found.takes("solver", "bitwuzla")
    assert found.get("smt_subterm.copy") is not None
