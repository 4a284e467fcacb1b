"""Status lines and summary of a campaign."""

import json
from collections import Counter as Tally
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.session.marks import FirstEvent
from chcfuzz.campaign.session.tallies import Totals
from chcfuzz.campaign.supervisor.solver_counts import SolverCounts, solver_counts
from chcfuzz.campaign.supervisor.status import SUMMARY_PREFIX, Progress
from chcfuzz.campaign.supervisor.status_line import fitted
from chcfuzz.campaign.supervisor.summary import describe_seeds, summary
from chcfuzz.campaign.worker.hung_units import HungUnits
from chcfuzz.execution.seed_answers import Ground
from chcfuzz.mutators.recipe import Unit
from chcfuzz.triage.findings.examiner import ALIKE, STATUSES


def progress(counts: dict[Counter, int] | None = None, **other: Any) -> Progress:
    numbers = np.zeros(len(Counter), dtype=np.int64)
    for counter, number in (counts or {}).items():
        numbers[counter] = number
    fields = {"seconds": 10.0, "unique_traces": 7, "transitions": 8, "crashes": 1, "findings": {}}
    return Progress(counts=numbers, **{**fields, **other})


def test_the_machine_line_is_json_with_the_documented_keys() -> None:
    counts = {Counter.EXECUTIONS: 50, Counter.SAT: 20, Counter.UNSAT: 10, Counter.UNKNOWN: 1, Counter.LIMIT: 2}
    counts |= {Counter.ERROR: 3, Counter.HANG: 4, Counter.SOLVER_TIME: 3, Counter.WALL_TIME: 4}
    counts |= {Counter.UNSUPPORTED: 6, Counter.PROOFS: 8, Counter.PROOFS_UNDECIDED: 3}
    counts |= {Counter.RECHECKED: 5, Counter.STABLE: 5}
    counts |= {Counter.SUSPICIONS: 9}
    counts |= {Counter.CONTRADICTING: 2, Counter.CONTRADICTING_SUSPECTED: 2}
    other: dict[str, Any] = {"waiting": 3, "counted": 1, "queue": {ALIKE: 2}, "vanished": {"wrong-model": 1}}
    other |= {"seeds": {Ground.WITNESS: 5, Ground.ANSWER: 1}}
    other |= {"first": {"contradiction": FirstEvent(3, 9_000, 0.5, 0.7), "finding": None}}
    counts |= {Counter.RESERVE_ANSWERS: 118, Counter.RESERVE_QUERIED: 12, Counter.RESERVE_DECIDED: 9}
    counts |= {Counter.RESERVE_TIME: 4_100_000_000}
    counts |= {Counter.OBSERVED: 40, Counter.SOLVER_WORK: 12_000}
    counts |= {Counter.SOLVER_TIME: 3_000_000, Counter.WALL_TIME: 4_000_000}
    counts |= {Counter.DEFAULT_TIME: 1_500_000, Counter.SWITCH_TIME: 750_000}
    other |= {"full_switches": [("fp.xform.slice", "wrong-model")]}
    other |= {"sightings": (10, 2), "signatures": ["wrong-model-1", "wrong-model-1"]}
    line = progress(counts, findings={"wrong-model": 2}, **other).machine_line()
    assert "\n" not in line
    assert line.startswith(SUMMARY_PREFIX)
    assert json.loads(line.removeprefix(SUMMARY_PREFIX)) == {
        "executions": 50,
        "seconds": 10.0,
        "finishing_seconds": 0.0,
        "solved": 44,
        "mutants": 0,
        "solved_per_second": 4.4,
        "solver_share": 0.75,
        "solver_work": 12_000,
        "solver_seconds": 0.003,
        "first": {
            "contradiction": {"executions": 3, "solver_work": 9_000, "solver_seconds": 0.5, "seconds": 0.7},
            "finding": None,
        },
        "sat": 20,
        "unsat": 10,
        "undecided": 6,
        "contradicting": {"seen": 2, "suspected": 2},
        "hangs": 4,
        "unsupported": 6,
        "models": {"checked": 0, "undecided": 0},
        "proofs": {"checked": 8, "undecided": 3},
        "reserves": {"answers": 118, "queried": 12, "decided": 9, "seconds": 4.1},
        "solver_steps": {"judged": 0, "undecided": 0, "unstable": 0},
        "crashes": 1,
        "replaced": 0,
        "own_errors": 0,
        "unique_traces": 7,
        "transitions": 8,
        "stability": 1.0,
        "findings": {"wrong-model": 2},
        "findings_before": 0,
        "suspicions": {
            "seen": 9,
            "alike": 3,
            "counted": 1,
            "waiting": 3,
            "vanished": {"wrong-model": 1},
            "others": 0,
            "wrong statuses": 0,
            "failed": 0,
        },
        "seeds": {"witness": 5, "answer": 1},
        "scope": {"default": 0.5, "accepted": 0.75, "rare": [["fp.xform.slice", "wrong-model"]]},
        "estimate": {
            "mutants": 40,
            "traces": {"once": 10, "twice": 2, "chance": 0.25, "next_hour": 24.4},
            "signatures": {"once": 0, "twice": 1, "chance": 0.0, "next_hour": 0.0},
        },
    }


def test_the_summary_names_the_folder_of_units_that_hung(tmp_path: Path) -> None:
    hung = progress({Counter.HANG: 3})
    assert "hang 3\n" in summary(hung, str(tmp_path)), "nothing was kept"
    HungUnits(tmp_path).keep(Unit(b"unit"))
    assert f"hang 3 (units in '{tmp_path}/hangs')\n" in summary(hung, str(tmp_path))
    assert "hang 0\n" in summary(progress(), str(tmp_path)), "those of an earlier campaign"


def test_the_summary_shows_the_budget_of_solvers_in_reserve() -> None:
    counts = {Counter.RESERVE_ANSWERS: 118, Counter.RESERVE_QUERIED: 12, Counter.RESERVE_DECIDED: 9}
    shown = summary(progress({**counts, Counter.RESERVE_TIME: 4_100_000_000}, reserve_budget="one in 10"), "findings")
    words = "queried for 12 of 118 answers that nothing else decides (budget: one in 10); 9 decided, 4.1 s"
    assert f"reserves    {words}" in shown
    assert "reserves" not in summary(progress(), "findings")


def test_a_campaign_without_executions_has_a_summary_too() -> None:
    empty = progress(seconds=0.0)
    numbers = json.loads(empty.machine_line().removeprefix(SUMMARY_PREFIX))
    assert (numbers["solved_per_second"], numbers["stability"]) == (0, None)
    assert "stability not measured |" in empty.line()
    assert "stability   not measured" in summary(empty, "findings")


@pytest.mark.parametrize(
    ("stable", "rechecked", "said"),
    [(5, 5, "100 %"), (99_999_999, 100_000_000, "99.99 %"), (1, 2, "50.00 %"), (0, 3, "0.00 %")],
)
def test_a_hundred_percent_are_said_only_when_they_are(stable: int, rechecked: int, said: str) -> None:
    told = progress({Counter.STABLE: stable, Counter.RECHECKED: rechecked})
    assert f"stability {said} " in told.line()
    assert f"{said} of {rechecked} executions repeated" in summary(told, "findings")


def test_a_summary_has_a_row_for_a_model_that_drew_roots() -> None:
    counts = {Counter.OTHER_ROOTS: 9, Counter.MODEL_ROOTS: 4}
    assert "\n  model       drew 4 of 9 new roots\n" in summary(progress(counts), "findings")
    assert "\n  model  " not in summary(progress({Counter.OTHER_ROOTS: 9}), "findings")


def test_a_summary_is_wrapped_between_words_beside_its_labels() -> None:
    whole = summary(progress(), "findings").splitlines()
    wrapped = summary(progress(), "findings", 80).splitlines()
    assert max(map(len, whole)) > 80 >= max(map(len, wrapped))
    assert " ".join(" ".join(wrapped).split()) == " ".join(" ".join(whole).split())
    assert all(line.startswith("  ") for line in wrapped[1:])


def test_the_machine_line_says_1_only_when_all_were_stable() -> None:
    line = progress({Counter.STABLE: 99_999_999, Counter.RECHECKED: 100_000_000}).machine_line()
    assert json.loads(line.removeprefix(SUMMARY_PREFIX))["stability"] < 1


def test_the_status_line_is_one_line_and_names_the_findings() -> None:
    assert ", 8 transitions, " in progress().line()
    assert ", 8 features, " in progress(has_features=True).line()
    line = progress({Counter.EXECUTIONS: 12}, seconds=61.0, findings={"crash": 1, "wrong-model": 2}).line()
    assert "\n" not in line
    assert line.startswith("chcfuzz 1:01 | 12 executions")
    assert line.endswith("findings: crash 1, wrong-model 2")


def test_the_report_says_where_findings_are_and_what_became_of_other_suspicions() -> None:
    counts, queue = {Counter.SUSPICIONS: 9}, {ALIKE: 1, STATUSES: 1}
    told = summary(progress(counts, findings={"crash": 1}, waiting=3, counted=1, queue=queue), "some/folder")
    assert "crash 1, in some/folder\n" in told
    results = "1 duplicate, 1 only counted, 1 seed with a wrong declared status, 3 not confirmed yet"
    assert f" 9 in total, {results}\n" in told
    assert " 9 in total, 0 duplicates, 1 only counted, 0 not confirmed yet\n" in summary(
        progress(counts, counted=1), "some/folder"
    )


def test_the_status_line_says_what_is_still_to_be_looked_into() -> None:
    assert progress(findings={"crash": 1}, waiting=2).line().endswith("findings: crash 1, 2 to confirm")


def test_a_resumed_folder_with_findings_never_reads_as_one_without() -> None:
    told = progress(before=13)
    assert told.line().endswith("findings: none new, 13 of earlier campaigns")
    assert "none new, 13 of earlier campaigns, in some/folder" in summary(told, "some/folder")
    both = progress(before=1, findings={"crash": 2})
    assert both.line().endswith("findings: crash 2, 1 of earlier campaigns")


def test_time_after_fuzzing_does_not_lower_the_rate() -> None:
    told = progress({Counter.EXECUTIONS: 40}, finishing_seconds=30.0)
    assert "40 in 10.0 s; 40 solved, 4.0 a second; then 30.0 s of confirmation" in summary(told, "findings")
    assert json.loads(told.machine_line().removeprefix(SUMMARY_PREFIX))["solved_per_second"] == 4
    assert "confirmation" not in summary(progress(), "findings").splitlines()[1]
    assert told.line().startswith("chcfuzz 0:40 | ")
    assert told.line().endswith(" | fuzzing has ended")


def test_on_what_ground_the_answers_of_seeds_stand_is_said_in_words() -> None:
    assert describe_seeds({Ground.DECLARED: 2, Ground.ANSWER: 1, Ground.NONE: 0}) == (
        "status of 3 seeds: 2 declared by the file, 1 answered by the solver under test alone"
    )
    assert describe_seeds({Ground.NONE: 0}) == "no seeds yet"


def test_internal_errors_are_printed_if_there_are_any() -> None:
    some = progress({Counter.OWN_ERRORS: 3})
    assert "| internal errors: 3" in some.line()
    assert "3 internal errors, in found/ours" in summary(some, "found")
    assert json.loads(some.machine_line().removeprefix(SUMMARY_PREFIX))["own_errors"] == 3
    assert "internal" not in progress().line() + summary(progress(), "found")


def test_each_of_several_solvers_has_its_counts_and_its_most_frequent_refusal() -> None:
    totals: Totals = Tally(
        {
            ("solver", "z3", "unsat"): 3,
            ("solver", "z3", "sat"): 4,
            ("solver", "bitwuzla", "unsupported"): 7,
            ("refusal", "bitwuzla", "invalid sort <name>"): 6,
            ("refusal", "bitwuzla", "undefined symbol <name>"): 1,
            ("cost", "sat", "14"): 4,
            ("solver", "eld", "undecided"): 1,
            ("solver", "eld", "disagrees"): 2,
        }
    )
    counts = solver_counts(totals)
    assert [(each.name, each.description()) for each in counts] == [
        ("bitwuzla", "unsupported 7 (most often: invalid sort <name>)"),
        ("eld", "disagrees 2, undecided 1"),
        ("z3", "sat 4, unsat 3"),
    ]


def test_a_long_name_of_a_solver_moves_the_second_column_of_all_lines() -> None:
    named = progress(solvers=[SolverCounts("bitwuzla@0.9.0", {"sat": 3})])
    lines = summary(named, "findings").splitlines()[1:]
    assert "  bitwuzla@0.9.0 sat 3" in lines
    assert {line[17] for line in lines if not line.startswith("  bitwuzla")}.isdisjoint(" ")
    assert {line[16] for line in lines} == {" "}


def test_the_status_line_counts_the_units_of_the_corpus_while_they_are_read() -> None:
    assert " | reading seeds 120/450 | " in progress(reading=(120, 450)).line()
    assert "reading seeds 120/450" in fitted(progress(reading=(120, 450)), 200)
    assert "reading" not in progress().line() + fitted(progress(), 200)


def test_the_summary_names_the_reason_if_no_mutant_was_executed() -> None:
    def row(given: Progress) -> str:
        return next(line for line in summary(given, "found").splitlines() if line.startswith("  mutants"))

    assert row(progress(reading=(120, 450))).endswith("none, because the campaign ended after 120 of the 450 seeds")
    assert row(progress(without_mutants="-runs=4 allows none")).endswith("none, because -runs=4 allows none")
    assert row(progress({Counter.MUTANTS: 3}, reading=(120, 450))).endswith("3 solved")


def test_the_summary_counts_the_models_that_were_checked_in_part() -> None:
    counts = {Counter.MODELS: 5, Counter.MODELS_UNDECIDED: 3, Counter.MODELS_IN_PART: 2}
    expected = "5 checked, 3 of them undecided, because all clauses cost more than solving: 2\n"
    assert expected in summary(progress(counts), "found")
    assert "cost more" not in summary(progress({Counter.MODELS: 5}), "found")
