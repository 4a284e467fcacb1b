"""Steps of the Z3 package: no alarm on seeds under any option, and the wrong steps of known bugs."""

from itertools import islice
from pathlib import Path

import pytest
from chcfuzz.domains.chc.rows.parameters import parameters
from chcfuzz.domains.chc.solver_steps.judge_worker import reports
from chcfuzz.domains.chc.solver_steps.observation import StepLog
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.execution.solver_steps import SolverStepReport
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.solvers.watchdog import Watchdog

from tests.targets import ROOT

RLIMIT = 1_000_000
SEEDS = sorted((ROOT / "corpus").glob("*/*.smt2"))
ROWS = parameters()  # that mutants set
GPDR = "fp.spacer.gpdr"  # its answers are wrong (Z3 issue 4008), so the answer is a wrong step


def steps_of(text: str, **options: str) -> tuple[SolverStepReport, ...]:
    """Return the judgements on the steps of Spacer in this process, in the Z3 package that is installed."""
    log = StepLog()
    outcome = Spacer(log, Watchdog(60.0)).solve(text, tuple(sorted(options.items())), RLIMIT)
    return reports(log.observation(text, tuple(options.items()), outcome.status.value))


def alarms(file: Path, **options: str) -> list[str]:
    judged = steps_of(file.read_text(), **options)
    return [f"{file.stem} {options}: {each.line}" for each in judged if each.judgement in ("wrong", "unproved")]


def test_the_steps_of_a_seed_are_right() -> None:
    judged = steps_of((ROOT / "corpus/lia/bank-transfer-unsafe.smt2").read_text())
    assert {each.judgement for each in judged if each.kind == "lemma"} == {"right"}


@pytest.mark.parametrize("theory", ["adt", "arrays", "lia", "lra", "mixtures", "shapes"])
def test_no_step_of_a_theory_is_an_alarm(theory: str) -> None:
    seeds = [seed for seed in SEEDS if seed.parent.name == theory]
    assert [line for seed in islice(seeds, 0, None, max(1, len(seeds) // 3)) for line in alarms(seed)] == []


@pytest.mark.slow
def test_no_step_of_any_seed_is_an_alarm() -> None:
    assert [line for seed in SEEDS for line in alarms(seed)] == []


@pytest.mark.parametrize("number", range(len(ROWS)), ids=[row.name for row in ROWS])
def test_no_option_gives_an_alarm_on_a_seed(number: int) -> None:
    row = ROWS[number]
    found = alarms(SEEDS[number * len(SEEDS) // len(ROWS)], **{row.name: row.values[0]})
    assert row.name == GPDR or found == []


@pytest.mark.slow
@pytest.mark.parametrize(("option", "value"), [(row.name, value) for row in ROWS for value in row.values])
def test_no_value_of_an_option_gives_an_alarm(option: str, value: str) -> None:
    found = [line for seed in islice(SEEDS, 25, None, 75) for line in alarms(seed, **{option: value})]
    assert option == GPDR or found == []


@pytest.mark.parametrize(
    ("report", "predicate"),
    [("12-true-premise-dropped", "p"), ("17-equal-array-indices", "p"), ("19-hypothesis-of-the-base-level", "p")],
)
def test_a_wrong_lemma_leads_to_the_wrong_answer_of_a_known_bug(report: str, predicate: str) -> None:
    system = parse((ROOT / "reports/z3" / report / "input.smt2").read_text())
    options = {name.removeprefix(":"): value for name, value in system.options}
    wrong = [
        each for each in steps_of(print_system(system.with_header((), ())), **options) if each.judgement == "wrong"
    ]
    assert [(each.kind, each.predicate, each.level) for each in wrong] == [("lemma", predicate, "oo")]


def test_an_option_that_gives_wrong_answers_has_wrong_steps() -> None:
    text = (ROOT / "corpus/lia/retry-with-backoff-unsafe.smt2").read_text()
    wrong = [each for each in steps_of(text, **{GPDR: "true"}) if each.judgement == "wrong"]
    assert [each.predicate for each in wrong][-1].startswith("query!")
