"""Releases of the solver under test: to compare with, and to search for the first bad one."""

import pytest
from chcfuzz.domains.smt.domain import DOMAIN
from chcfuzz.domains.smt.solvers import releases
from chcfuzz.domains.smt.solvers.together import release_of, solver_of
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.mutators import roots
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.triage.locate.messages import ParameterRow
from chcfuzz.triage.locate.parameters import alone, single_changes

ALL = Solving(domain="smt")


@pytest.fixture(autouse=True)
def _in_the_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roots, "_active", [DOMAIN.roots])
    monkeypatch.setattr(releases, "fetched", lambda *_: None)


def test_a_name_is_a_solver_with_a_release_and_settings() -> None:
    assert solver_of("cvc5@1.3.2:decision=internal") == "cvc5"
    assert release_of("cvc5@1.3.2:decision=internal") == ("cvc5:decision=internal", "1.3.2")
    assert release_of("z3:sat.euf=true") == ("z3:sat.euf=true", "")


def test_the_key_of_a_solver_does_not_depend_on_the_way_in_which_its_release_was_selected() -> None:
    solving = Solving(domain="smt", solvers=("bitwuzla@0.9.1", "z3", "z3@4.12.2.0"))
    assert DOMAIN.solver_key(solving, (), "5.4.0.0") == "bitwuzla 0.9.1"
    assert DOMAIN.solver_key(solving, (("solver", "z3@4.12.2.0"),), "5.4.0.0") == "z3 4.12.2.0"


def test_a_script_installs_one_release_of_each_solver_that_of_the_accused_one() -> None:
    solving = Solving(domain="smt", solvers=("z3", "z3@4.12.2.0", "z3:sat.euf=true"))
    assert DOMAIN.releases(solving, (("solver", "z3@4.12.2.0"),), "5.4.0.0") == {"z3": "4.12.2.0"}
    assert DOMAIN.releases(solving, (), "5.4.0.0") == {"z3": "5.4.0.0", "z3:sat.euf=true": "5.4.0.0"}


def test_another_release_takes_the_place_of_the_solver_under_test() -> None:
    solving, selection = DOMAIN.with_release(ALL, (("solver", "bitwuzla"),), "0.9.0")
    assert solving.solvers == ("z3", "cvc5", "bitwuzla@0.9.0")
    assert selection == (("solver", "bitwuzla@0.9.0"),)
    again, _ = DOMAIN.with_release(solving, selection, "0.9.1")
    assert again.solvers == ("z3", "cvc5", "bitwuzla@0.9.1")
    solving, selection = DOMAIN.with_release(ALL, (("solver", "z3"),), "4.12.2.0")
    assert (solving.z3, solving.solvers, selection) == ("4.12.2.0", ALL.solvers, (("solver", "z3"),))
    with pytest.raises(ChcfuzzError, match="'yices-smt2' has no releases"):
        DOMAIN.with_release(ALL, (("solver", "yices-smt2"),), "2.6.4")


def test_two_releases_are_compared_without_other_solvers() -> None:
    compared = DOMAIN.against(ALL, "cvc5@1.3.2:decision=internal")
    assert compared is not None
    assert [each.solvers for each in compared] == [("cvc5@1.3.2:decision=internal",), ("cvc5",)]
    compared = DOMAIN.against(ALL, "4.12.2.0")
    assert compared is not None
    assert [(each.z3, each.solvers) for each in compared] == [("4.12.2.0", ("z3",)), (None, ("z3",))]
    with pytest.raises(ChcfuzzError, match="no SMT solver 'yices'; there are z3, cvc5"):
        DOMAIN.against(ALL, "yices")
    assert DOMAIN.runs(compared[0], (("solver", "z3:sat.euf=true"),))
    assert not DOMAIN.runs(compared[0], (("solver", "cvc5"),))


def test_changes_of_parameters_keep_the_solver_under_test() -> None:
    recipe = Recipe("seed", (), (("cvc5.decision", "internal"), ("solver", "cvc5")))
    rows = (ParameterRow("cvc5.decision", "stoponly", ("internal", "justification")),)
    for changes in (single_changes(recipe, rows), alone(recipe, rows)):
        assert {name for name, _ in changes} == {"cvc5.decision"}
        assert all(each.recipe.selection == (("solver", "cvc5"),) for each in changes.values())
    assert single_changes(recipe, rows)["cvc5.decision", "stoponly"].recipe.options == ()
