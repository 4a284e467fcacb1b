"""Solver parameters: every one of the installed Z3 is a row or excluded, and every name here is one of Z3's."""

import pytest
import z3
from chcfuzz.domains.chc.roots import ChcRoots
from chcfuzz.domains.chc.rows import parameters
from chcfuzz.domains.chc.rows.parameters import EXCLUDED, EXPERIMENTAL, NEEDS, goes_to_datalog, scope_of
from chcfuzz.domains.chc.rows.registry import registry
from chcfuzz.domains.chc.solvers.eldarica import OPTIONS
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.solver_options import is_allowed
from chcfuzz.mutators.mutation import Parameter, Scope
from chcfuzz.mutators.recipe import is_parameter
from chcfuzz.mutators.registry import Registry
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_parameters import ENGINE, Description, fixedpoint_parameters
from chcfuzz.tracing.progress_log import ProgressLog

from tests.targets import ROOT

# HornFuzz's tenth kind, from the paper and its code, without parameters that the HORN tactic refuses.
HORNFUZZ = """
    spacer.ctp spacer.elim_aux spacer.eq_prop spacer.ground_pobs spacer.keep_proxy spacer.mbqi spacer.propagate
    spacer.reach_dnf spacer.use_array_eq_generalizer spacer.use_derivations spacer.use_inc_clause
    spacer.use_inductive_generalizer spacer.p3.share_invariants spacer.p3.share_lemmas spacer.use_lim_num_gen
    spacer.reset_pob_queue spacer.simplify_lemmas_post spacer.simplify_lemmas_pre spacer.simplify_pob
    spacer.use_bg_invs spacer.use_euf_gen spacer.use_lemma_as_cti
    xform.coi xform.compress_unbound xform.inline_eager xform.inline_linear xform.slice xform.tail_simplifier_pve
    xform.array_blast xform.array_blast_full xform.coalesce_rules xform.elim_term_ite xform.inline_linear_branch
    xform.instantiate_quantifiers xform.transform_arrays
    spacer.order_children spacer.random_seed spacer.gg.concretize spacer.gg.conjecture spacer.gg.subsume spacer.global
"""


@pytest.fixture(scope="module")
def installed() -> dict[str, Description]:
    return {found.name: found for found in fixedpoint_parameters()}


@pytest.fixture(scope="module")
def made(rows: Registry) -> dict[str, Parameter]:
    return {row.name.removeprefix("fp."): row for row in rows.parameters}


def is_named(name: str, by: str) -> bool:
    return name.startswith(by) if by[-1] in "._" else name == by


def test_every_row_is_an_allowed_option(made: dict[str, Parameter]) -> None:
    for row in made.values():
        assert all(is_parameter(row.name, value, ChcRoots()) for value in row.values), row.name


def test_no_parameter_of_z3_that_prints_or_takes_a_symbol_is_allowed(installed: dict[str, Description]) -> None:
    output = [name for name, reason in EXCLUDED.items() if reason in ("affects only the output", "writes files")]
    for found in installed.values():
        if found.kind not in ("bool", "unsigned int") and found.name != "engine":
            assert not any(is_allowed(f"fp.{found.name}", value) for value in ("true", "1", "x", found.default))
        if any(is_named(found.name, by) for by in output):
            assert not any(is_allowed(f"fp.{found.name}", value) for value in ("true", "false", "1"))


def test_every_boolean_and_integer_and_the_engine_is_a_row_or_excluded(
    installed: dict[str, Description], made: dict[str, Parameter]
) -> None:
    wanted = {name for name, found in installed.items() if found.kind in ("bool", "unsigned int")} | {"engine"}
    excluded = {name for name in wanted if any(is_named(name, by) for by in EXCLUDED)}
    assert set(made) == wanted - excluded
    assert len(made) > 60


def test_every_excluded_name_is_one_of_z3s(installed: dict[str, Description]) -> None:
    assert [by for by in EXCLUDED if not any(is_named(name, by) for name in installed)] == []


@pytest.mark.parametrize("name", [name for name, why in EXCLUDED.items() if "HORN tactic" in why and name[-1] != "."])
def test_the_horn_tactic_rejects_the_parameters_that_are_excluded_for_it(name: str) -> None:
    solver = z3.SolverFor("HORN")
    solver.set(name, True)
    solver.from_string("(declare-fun p (Int) Bool)(assert (p 0))")
    assert solver.check() == z3.unknown
    assert "unsupported parameter" in solver.reason_unknown()


def test_every_experimental_name_is_one_of_z3s_and_has_rows(made: dict[str, Parameter]) -> None:
    for name in EXPERIMENTAL:
        assert made[name].scope is Scope.EXPERIMENTAL
        assert made[name].source == EXPERIMENTAL[name]


def test_every_name_of_a_parameter_that_needs_another_is_one_of_z3(made: dict[str, Parameter]) -> None:
    needy = {name for name, row in made.items() if row.needs}
    assert {key for key in NEEDS if any(is_named(name, key) for name in needy)} == set(NEEDS)
    others = [words for words in NEEDS.values() if "." in words and " " not in words]
    assert set(others) <= set(made)
    assert all(not made[name].needs for name in others)


def test_every_number_that_has_values_of_its_own_is_one_of_z3s(installed: dict[str, Description]) -> None:
    assert {installed[name].kind for name in parameters.NUMBERS} == {"unsigned int"}


def test_what_belongs_to_an_experimental_switch_is_experimental_too(made: dict[str, Parameter]) -> None:
    assert made["spacer.gpdr.bfs"].scope is Scope.EXPERIMENTAL
    assert made["spacer.iuc.arith"].scope is Scope.EXPERIMENTAL
    assert made["xform.instantiate_quantifiers"].scope is Scope.SINGLE_SWITCH
    assert made["spacer.gg.subsume"].scope is Scope.SINGLE_SWITCH
    assert {name for name, row in made.items() if row.scope is Scope.DEFAULT} == {"engine"}


def test_values_are_others_than_the_default(installed: dict[str, Description], made: dict[str, Parameter]) -> None:
    for name, row in made.items():
        assert row.default == installed[name].default
        assert row.values
        assert row.default not in row.values
        assert len(set(row.values)) == len(row.values)


def test_z3_takes_every_value(made: dict[str, Parameter]) -> None:
    import z3

    solver = z3.SolverFor("HORN", ctx=z3.Context())
    for row in made.values():
        for value in row.values:
            solver.set(row.name, {"true": True, "false": False}.get(value, int(value) if value.isdigit() else value))


@pytest.mark.parametrize(
    ("name", "is_for_datalog"),
    [
        ("bv/counter-overflow-safe", True),
        ("bv/rotate-unsafe", True),
        ("bv/xor-swap-unsafe", False),
        ("bool/expert-system-unsafe", True),
        ("bool/latch-unsafe", False),
        ("lia/even-steps-safe", False),
    ],
)
def test_z3_solves_a_system_otherwise_with_spacer_if_it_goes_to_the_datalog_engine(
    name: str, is_for_datalog: bool
) -> None:
    text = (ROOT / "corpus" / f"{name}.smt2").read_text()
    spacer = Spacer(ProgressLog(), Watchdog(60))
    costs = {spacer.solve(text, parameters, 1_000_000).cost for parameters in ((), (ENGINE,))}
    assert goes_to_datalog(parse(text, name)) is is_for_datalog is (len(costs) == 2)


def test_what_hornfuzz_varied_is_varied(installed: dict[str, Description], made: dict[str, Parameter]) -> None:
    still = [name for name in HORNFUZZ.split() if name in installed]
    assert len(still) > len(HORNFUZZ.split()) - 4
    assert [name for name in still if name not in made] == []


def test_a_row_has_the_name_of_z3s_parameter(made: dict[str, Parameter]) -> None:
    assert made["spacer.ctp"].name == "fp.spacer.ctp"
    assert made["spacer.ctp"].id == "parameter.fp.spacer.ctp"


def test_the_options_of_a_command_are_rows_of_their_own(made: dict[str, Parameter]) -> None:
    rows = registry("eldarica").parameters
    assert [row.name for row in rows] == [f"eldarica.{option.name}" for option in OPTIONS]
    assert {row.scope for row in rows} == {Scope.SINGLE_SWITCH, Scope.EXPERIMENTAL}
    assert all(scope_of(row.name) is row.scope for row in rows)
    assert registry("plain").parameters == ()
    assert registry("z3").parameters == ()
    assert {f"fp.{name}" for name in made}.isdisjoint(row.name for row in rows)


def test_every_solver_has_the_same_mutations() -> None:
    ids = {dialect: [row.id for row in registry(dialect).mutations] for dialect in (None, "eldarica", "plain")}
    assert ids[None] == ids["eldarica"] == ids["plain"]
