"""The registry: its ids, its kinds, the table that people read."""

import re

import pytest
from chcfuzz.domains.chc.rows import interrogation
from chcfuzz.domains.chc.rows.registry import OWN, registry
from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators.families import boolean
from chcfuzz.mutators.mutation import Kind, Promise, Scope
from chcfuzz.mutators.registry import Registry

FAMILIES = {module.__name__.rpartition(".")[2]: module.MUTATIONS for module in OWN}
HORNFUZZ = {
    "HornFuzz 1 SWAP_AND": "boolean.swap-and",
    "HornFuzz 2 DUP_AND": "boolean.dup-and",
    "HornFuzz 3 BREAK_AND": "boolean.break-and",
    "HornFuzz 4 SWAP_OR": "boolean.swap-or",
    "HornFuzz 5 MIX_BOUND_VARS": "quantifiers.mix-bound-vars",
    "HornFuzz 6 ADD_INEQ": "arithmetic.add-ineq",
    "HornFuzz 7 ADD_LIN_RULE": "rules.add-lin-rule",
    "HornFuzz 8 ADD_NONLIN_RULE": "rules.add-nonlin-rule",
}


def chance(number: int) -> Choices:
    return Choices(b"", str(number).encode())


def test_ids_are_unique_and_of_one_form(rows: Registry) -> None:
    ids = [*(row.id for row in rows.mutations), *(row.id for row in rows.parameters)]
    ids += [row.id for row in rows.configurations]
    assert len(set(ids)) == len(ids)
    assert [name for name in ids if not re.fullmatch(r"[a-z0-9]+(\.[a-z0-9_-]+)+", name)] == []
    assert max(map(len, ids)) < 256  # what a recipe can hold


def test_every_row_of_every_family_is_registered_under_its_modules_name(rows: Registry) -> None:
    for name, family in FAMILIES.items():
        for row in family:
            assert rows.get(row.id) is row
            assert (row.family, row.kind) == (name, Kind.OWN)
    assert len(rows.of_kind(Kind.OWN)) == sum(map(len, FAMILIES.values()))


def test_interrogation_is_a_kind_of_its_own(rows: Registry) -> None:
    assert rows.of_kind(Kind.INTERROGATION) == interrogation.MUTATIONS
    assert {row.family for row in interrogation.MUTATIONS} == {"interrogation"}
    assert [row.source for row in interrogation.MUTATIONS if "HornGator (ASE 2025), " not in row.source] == []


def test_the_eight_mutations_of_hornfuzz_are_there(rows: Registry) -> None:
    found = {row.source: row.id for row in rows.mutations}
    assert {source: found.get(source) for source in HORNFUZZ} == HORNFUZZ


def test_kinds_part_the_mutations(rows: Registry) -> None:
    assert tuple(row for kind in Kind for row in rows.of_kind(kind)) == rows.mutations
    assert rows.of_kind(Kind.PARAMETER) == ()


def test_every_row_promises_something(rows: Registry) -> None:
    assert Promise.NOTHING not in {row.promise for row in rows.mutations}


def test_an_unknown_id_has_no_row(rows: Registry) -> None:
    assert rows.get("boolean.no-such-thing") is None
    assert rows.get("") is None


def test_an_id_cannot_be_used_twice() -> None:
    with pytest.raises(ValueError, match="two mutations have the same id"):
        Registry([*boolean.MUTATIONS, boolean.MUTATIONS[0]], [])


def test_the_registry_is_made_once() -> None:
    assert registry() is registry()


def test_kinds_can_be_left_out(rows: Registry) -> None:
    fewer = rows.limited([Kind.OWN])
    assert {row.kind for row in fewer.mutations} == {Kind.OWN}
    assert (fewer.parameters, fewer.configurations) == ((), ())
    same = rows.limited(tuple(Kind))
    assert (same.parameters, same.configurations) == (rows.parameters, rows.configurations)


def test_a_scope_can_be_left_out(rows: Registry) -> None:
    fewer = rows.limited(tuple(Kind), [Scope.EXPERIMENTAL])
    assert fewer.mutations == rows.mutations
    assert {row.scope for row in fewer.parameters} == {Scope.SINGLE_SWITCH, Scope.DEFAULT}
    gone = set(rows.parameters) - set(fewer.parameters)
    assert {row.scope for row in gone} == {Scope.EXPERIMENTAL}
    assert {row.scope for row in fewer.configurations} == {Scope.SINGLE_SWITCH}
    assert {row.scope for row in set(rows.configurations) - set(fewer.configurations)} == {Scope.EXPERIMENTAL}


def test_rows_can_be_named_by_patterns(rows: Registry) -> None:
    few = rows.limited(tuple(Kind), called=("wrappers.*", "parameter.fp.xform.slice"))
    assert {row.family for row in few.mutations} == {"wrappers"}
    assert [row.id for row in few.parameters] == ["parameter.fp.xform.slice"]
    assert few.configurations == ()


def test_a_pattern_that_matches_no_row_is_refused(rows: Registry) -> None:
    with pytest.raises(ValueError, match=r"no mutation, parameter or configuration is called 'wrapers\.\*'"):
        rows.limited(tuple(Kind), called=("boolean.*", "wrapers.*"))


def test_a_row_has_the_parameters_that_it_sets(rows: Registry) -> None:
    quantified = (("fp.spacer.ground_pobs", "false"), ("fp.spacer.q3.use_qgen", "true"))
    assert rows.settings("configuration.quantified", chance(0)) == quantified
    drawn = {rows.settings("parameter.fp.spacer.order_children", chance(number)) for number in range(50)}
    assert drawn == {(("fp.spacer.order_children", "1"),), (("fp.spacer.order_children", "2"),)}
    assert rows.settings("boolean.swap-and", chance(0)) == ()


def test_a_configuration_that_became_whole_is_what_was_added_and_not_its_parts(rows: Registry) -> None:
    pobs, qgen, normal = (
        ("fp.spacer.ground_pobs", "false"),
        ("fp.spacer.q3.use_qgen", "true"),
        ("fp.spacer.q3.instantiate", "false"),
    )
    ctp = ("fp.spacer.ctp", "false")
    assert rows.added((), (pobs, qgen)) == ("configuration.quantified",)
    assert rows.added((ctp,), (ctp, pobs)) == ("parameter.fp.spacer.ground_pobs",)
    assert rows.added((pobs,), (ctp, pobs, qgen)) == ("configuration.quantified", "parameter.fp.spacer.ctp")
    assert rows.added((), (pobs, qgen, normal)) == ("configuration.quantified-lazy",)
    assert rows.added((pobs, qgen), (pobs, qgen, ctp)) == ("parameter.fp.spacer.ctp",)
    assert rows.added((pobs, qgen), (pobs,)) == ()


def test_the_table_shows_every_row_once(rows: Registry) -> None:
    head, *lines = rows.table().splitlines()
    assert head.split() == ["id", "promise", "scope", "description", "source"]
    assert [line.split()[0] for line in lines] == [
        *(row.id for row in rows.mutations),
        *(row.id for row in rows.parameters),
        *(row.id for row in rows.configurations),
    ]
    for row, line in zip(rows.mutations, lines, strict=False):
        assert line.split()[1:3] == [row.promise.value, row.scope.value]
        assert row.summary in line
        assert line.endswith(row.source)
    for parameter, line in zip(rows.parameters, lines[len(rows.mutations) :], strict=False):
        assert f"{' or '.join(parameter.values)} instead of {parameter.default}" in line
        assert line.endswith(parameter.source)
    for configuration, line in zip(rows.configurations, lines[-len(rows.configurations) :], strict=True):
        assert line.endswith(f"{configuration.source}; {' '.join(map('='.join, configuration.settings))}")


def test_the_table_has_aligned_columns(rows: Registry) -> None:
    head, *lines = rows.table().splitlines()
    for column in ("promise", "scope", "description", "source"):
        at = head.index(column)
        assert all(line[at - 2 : at] == "  " and line[at] != " " for line in lines)


@pytest.mark.parametrize("one", Promise)
@pytest.mark.parametrize("other", Promise)
def test_two_promises_keep_what_both_keep(one: Promise, other: Promise) -> None:
    both = one.weakest(other)
    assert both is other.weakest(one)
    for status in ("sat", "unsat", None):
        kept = one.expected(status) and other.expected(status)
        assert both.expected(status) == kept
    assert one.weakest(one) is one
    assert one.weakest(Promise.EQUIVALENT) is one
    assert one.weakest(Promise.NOTHING) is Promise.NOTHING
