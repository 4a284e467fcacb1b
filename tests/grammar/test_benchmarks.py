"""Real systems: each parses, survives the round trip, and means the same to Z3; cvc5 reads it too."""

from pathlib import Path
from types import ModuleType

import pytest
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse


def check(bench: ModuleType, file: Path) -> None:
    row = bench.measure(file)
    assert row.refused is None
    assert row.round_trip
    assert row.z3_reads
    assert row.cvc5_reads
    assert set(row.clauses) <= {"identical", "proved"}


def test_a_sample_of_the_benchmarks_survives_the_round_trip(bench: ModuleType, benchmarks: tuple[Path, ...]) -> None:
    for file in benchmarks[::25]:
        check(bench, file)


@pytest.mark.slow
def test_every_benchmark_survives_the_round_trip(bench: ModuleType, benchmarks: tuple[Path, ...]) -> None:
    for file in benchmarks:
        check(bench, file)


def test_a_changed_clause_is_seen(bench: ModuleType) -> None:
    text = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (> x 0) (p x))))(exit)"
    system = parse(text)
    assert bench.compare(text, system) == ["identical"]
    assert bench.compare(text.replace("> x 0", ">= x 1"), system) == ["proved"]
    assert bench.compare(text.replace("> x 0", "> x 1"), system) == ["different"]
    assert bench.compare(text.replace("(exit)", "(assert false)"), system) == ["different"]


def test_the_benchmark_prints_a_table_and_names_what_is_refused(
    bench: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.smt2", tmp_path / "bad.smt2"
    good.write_text(print_system(parse("(declare-fun p () Bool)(assert p)")))
    assert bench.main([str(good), "--json", str(tmp_path / "rows.json")]) == 0
    bad.write_text("(assert x)")
    assert bench.main([str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert "round trips    1" in printed
    assert "bad.smt2:1:9: unknown symbol, at `x`" in printed
    assert '"round_trip": true' in (tmp_path / "rows.json").read_text()
