"""The benchmark of repaired wrong answers, bench/triage/repaired.py: its table, its patches and its ranks."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.solvers import z3_release

from tests.benchmarks import benchmark
from tests.quality.rediscovery.known import table
from tests.quality.test_rediscovery import opposite, run_scripts

SOURCE = "int f() {\n  return 0;\n}\nint g() {\n  if (n > 0)\n    return 0;\n  return 1;\n}\n"


@pytest.fixture(scope="module")
def repaired() -> ModuleType:
    return benchmark("triage.repaired")


def test_every_row_has_a_wrong_answer_whose_system_can_be_read(repaired: ModuleType) -> None:
    repairs = repaired.all_repairs()
    assert {name for repair in repairs.values() for name in repair.triggers} <= {row.name for row in table()}
    for name, repair in repairs.items():
        assert repair.triggers or repair.system, name
        for trigger in repair.system:
            assert not parse(trigger.text, trigger.name).options
            assert trigger.answer in ("sat", "unsat")


def test_a_repair_is_taken_back_at_the_first_place_after_the_named_text(repaired: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(SOURCE)
    changes = (repaired.Change("a.cpp", "int g", "return 0", "return 2"), repaired.Change("a.cpp", "", "n > 0", "true"))
    patch = repaired.taken_back(repaired.Repair("1", "g", changes), tmp_path)
    lines = [line for line in patch.splitlines() if line[:1] in "+-"]
    assert lines == [
        *("--- a/a.cpp", "+++ b/a.cpp"),
        *("-  if (n > 0)", "-    return 0;", "+  if (true)", "+    return 2;"),
    ]
    with pytest.raises(ValueError, match="substring not found"):
        repaired.taken_back(repaired.Repair("1", "g", (repaired.Change("a.cpp", "int g", "gone", ""),)), tmp_path)


def test_the_rank_is_the_first_place_in_the_repaired_function(repaired: ModuleType) -> None:
    repair = repaired.Repair("1", "mk_slice::prune_rule", (repaired.Change("src/dl_mk_slice.cpp", "", "", ""),))
    places = ["dl_mk_slice.cpp:3 datalog::mk_slice::operator()", "dl_mk_slice.cpp:9 prune_rule -> end"]
    assert repaired.rank_of(places, repair) == 2
    assert repaired.rank_of(["a.cpp:1 datalog::mk_slice::prune_rule", *places], repair) == 1
    assert repaired.rank_of(places[:1], repair) is None


@pytest.mark.slow
def test_releases_answer_the_systems_of_the_table_wrongly_and_the_installed_one_right(repaired: ModuleType) -> None:
    for repair in repaired.all_repairs().values():
        for trigger in repair.system:
            assert run_scripts([], [(trigger.text, trigger.parameters)]) == (trigger.answer,)
            shown = trigger.shown
            script = [(shown.text or trigger.text, trigger.parameters)]
            assert run_scripts([], script) == (shown.answer,)
            try:
                z3_release.released(shown.release)
            except z3_release.ReleaseError:  # no network, or older than the oldest release that chcfuzz runs
                continue
            assert run_scripts([shown.release], script) == (opposite(shown.answer),), trigger.name
