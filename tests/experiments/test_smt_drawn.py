"""`bench/domains/smt_drawn.py`: drawn problems of a theory are solved once, and an interrupted run continues."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
from chcfuzz.execution.solving import Solving

from tests.benchmarks import benchmark


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    return benchmark("domains.smt_drawn")


def test_an_interrupted_measurement_continues_with_the_next_problem(bench: ModuleType, tmp_path: Path) -> None:
    file, solving = tmp_path / "drawn.jsonl", Solving(solvers=("z3", "cvc5"), isolate=())
    results = bench.ResultFile(file, bench.Drawn)
    bench.measure(["Strings"], 2, results, solving)
    first = file.read_bytes()
    file.write_bytes(first + b'{"theory":"Strings","se')  # killed while it wrote
    bench.measure(["Strings"], 4, results, solving)
    assert file.read_bytes().startswith(first)
    found = results.read()
    assert len({each.seed for each in found}) == len(found) == 4
    assert [each.seed for each in found] == sorted(each.seed for each in found)
    assert all("Strings" in each.theories for each in found)
    assert all(set(each.answers) == {"z3", "cvc5"} for each in found)


def test_a_problem_that_the_clock_ended_is_solved_again(bench: ModuleType, tmp_path: Path) -> None:
    solving = Solving(solvers=("cvc5",), isolate=())
    results = bench.ResultFile(tmp_path / "drawn.jsonl", bench.Drawn)
    bench.measure(["Strings"], 2, results, solving)
    first, second = results.read()
    results.add(bench.Drawn(first.theory, first.seed, first.theories, {"cvc5": bench.Answer("hang", 9.0)}))
    assert next(each.answers["cvc5"].status for each in bench.latest(results.read())) == "hang"
    bench.solve_again(results, solving)
    assert len(results.read()) == 4
    ends = {each.seed: each.answers["cvc5"].status for each in bench.latest(results.read())}
    assert ends == {each.seed: each.answers["cvc5"].status for each in (first, second)}


def test_the_report_has_shares_reasons_contradictions_and_wrong_models(
    bench: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = bench.Answer
    rows = [
        {"z3": answer("sat", 0.1, model="PASS"), "cvc5": answer("sat", 3.0, model="PASS")},
        {"z3": answer("sat", 0.1, model="WRONG_MODEL"), "cvc5": answer("unsat", 0.1)},
        {"z3": answer("limit", 5.0), "cvc5": answer("unsupported", 0.0, "no constant arrays")},
        {"z3": answer("unsat", 0.1), "cvc5": answer("unsat", 2.0)},
    ]
    bench.report([bench.Drawn("FP", number, "FP", row) for number, row in enumerate(rows)], 2.0)
    printed = capsys.readouterr().out.splitlines()
    assert printed[1].split() == ["FP", "4", "100.00%", "75.00%", "(75.00%)", "75.00%", "75.00%", "(50.00%)"]
    assert printed[2:] == [
        "z3, FP: 1 times limit",
        "cvc5, FP: 1 times unsupported no constant arrays",
        "FP, seed 1: z3 sat WRONG_MODEL, cvc5 unsat",
    ]
