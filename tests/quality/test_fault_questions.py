"""Faults in Z3's own code on questions to parts, bench/faults/questions.py."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from chcfuzz.domains.parts.domain import DOMAIN, PartDomain
from chcfuzz.domains.parts.part_solver import PartSolver
from chcfuzz.domains.parts.roots import BUILT_IN
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.mutators import roots
from chcfuzz.mutators.recipe import Recipe

from tests.benchmarks import benchmark

questions, solver, sorting = (benchmark(f"faults.{name}") for name in ("questions", "solver", "sorting"))
Site = benchmark("faults.sites").Site
Sorted, State = sorting.Sorted, sorting.State
OF_CVC5 = '(set-info :chcfuzz-part "(cvc5-simplify)")(declare-const x Int)(assert (< x 1))(check-sat)'


class NoFaults:
    """A switch for the stock package: it notes which fault is on."""

    now = 0

    def check(self, fault: int) -> None:
        """Accept any fault."""

    def clear(self) -> None:
        """Nothing is reached."""

    def reached(self) -> tuple[int, ...]:
        """One site."""
        return (7,)

    @contextmanager
    def on(self, fault: int) -> Iterator[None]:
        """Note a fault."""
        NoFaults.now = fault
        yield
        NoFaults.now = 0


@pytest.fixture
def bench(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Questions to the stock package; the roots are reset after each test."""
    roots.activate(DOMAIN.roots)
    monkeypatch.setattr(solver, "Switch", NoFaults)
    monkeypatch.setattr(
        questions.Questions, "solving", lambda _bench, _fault: Solving(domain="parts", second_opinion=0)
    )
    return questions.Questions({}, tmp_path)


def test_a_question_has_the_same_result_in_this_process(bench: Any) -> None:
    run, pipeline = bench.runner(3), Pipeline(bench.solving(3))
    for text in questions.about_library({text: Recipe(text, (), ()) for text in BUILT_IN}):
        execution, reached = run(Recipe(text, (), ()))
        usual = pipeline.execute(pipeline.mutant(Recipe(text, (), ())), second=False)
        assert execution.outcome.extra == usual.outcome.extra
        assert execution.outcome.status is usual.outcome.status
        assert reached == (7,)
    assert isinstance(pipeline.solver, PartSolver)
    pipeline.solver.close()


def test_the_fault_is_on_only_while_the_part_runs(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen, asked, judged = [], solver.reply_to, PartDomain.verdicts

    def reply(*words: Any) -> Any:
        seen.append(NoFaults.now)
        return asked(*words)

    def verdicts(*words: Any) -> Any:
        seen.append(NoFaults.now)
        return judged(*words)

    monkeypatch.setattr(solver, "reply_to", reply)
    monkeypatch.setattr(PartDomain, "verdicts", verdicts)
    bench.runner(3)(Recipe(BUILT_IN[0], (), ()))
    assert seen == [3, 0]


def test_a_question_that_reaches_a_limit_is_not_tried(bench: Any) -> None:
    seen = [
        sorting.Seen(status, "0", 0, finding) for status, finding in (("result", ""), ("hang", ""), ("result", "x"))
    ]
    assert list(map(bench.is_usable, seen)) == [True, False, False]


def test_only_questions_to_the_library_of_z3_are_tried() -> None:
    units = {name: Recipe(text, (), ()) for name, text in zip(("project", "mbp"), BUILT_IN, strict=False)}
    assert list(questions.about_library(units | {"other": Recipe(OF_CVC5, (), ())})) == ["project"]
    with pytest.raises(UsageError, match="no question to a part of Z3's library"):
        questions.about_library({"mbp": units["mbp"]})


def test_the_table_has_the_states_under_units_and_under_questions() -> None:
    sites = [Site(f"qe/{name}.cpp", 1, "f", "call", 0, 3) for name in "abc"]
    before = {fault: Sorted(fault, State.STUBBORN, 9) for fault in (1, 2)} | {3: Sorted(3, State.SILENT, 9)}
    after = {1: Sorted(1, State.RARE, 2), 2: Sorted(2, State.UNREACHED, 0), 3: Sorted(3, State.NOTICED, 2)}
    head, *rows = questions.table(after, before, sites)
    assert [dict(zip(head, row, strict=True)) for row in rows if row[1] == "all"] == [
        {"units": state, "folder": "all", "faults": sum(counts.values()), **dict.fromkeys(State, 0), **counts}
        for state, counts in (("silent", {"noticed": 1}), ("stubborn", {"rare": 1, "unreached": 1}))
    ]
