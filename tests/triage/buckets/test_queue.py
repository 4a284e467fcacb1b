"""The queue of reports: which bucket is filed next, and which are set aside."""

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from chcfuzz.triage.buckets.buckets import Member, bucketed
from chcfuzz.triage.buckets.cause import Cause
from chcfuzz.triage.buckets.known_issues import Issue, Matches, Project, project_of, projects
from chcfuzz.triage.buckets.queue import QueueEntry, QueuePlace, ReportCandidate, lines, queue
from chcfuzz.triage.findings.fix import Effect, FindingEffect, Fix

from tests.triage.buckets.test_buckets import traits

RULES = (Project(name="Z3", solvers=("Spacer",), per_week=2, order=("wrong unsat", "wrong sat"), needs=("fix",)),)
FIX = Fix("0", ("src/a.cpp",), "5.4.0.0", (FindingEffect("a", True, "", "", Effect.CURED),))


def candidate(name: str, **more: Any) -> ReportCandidate:
    """A bucket of one finding; its theories make its key, and its witness and transform its thread."""
    found = traits(name, **more)
    (bucket,) = bucketed([Member(found)])
    return ReportCandidate(bucket, f"findings/{name}", Cause(found, "z3-solver 5.4.0.0"))


def test_wrong_answers_under_default_parameters_come_first_and_only_some_are_due() -> None:
    found = queue(
        [
            candidate("option", witness="wrong unsat", kind="wrong-answer", parameters=("fp.spacer.ctp=false",)),
            candidate("model", witness="wrong model", kind="wrong-model"),
            candidate("sat", witness="wrong sat", kind="wrong-answer"),
        ],
        RULES,
    )
    assert [entry.candidate.traits.id for entry in found] == ["sat", "model", "option"]
    assert [entry.place for entry in found] == [QueuePlace.NOW, QueuePlace.NOW, QueuePlace.LATER]


def test_one_thread_for_a_class() -> None:
    one = candidate("one", witness="wrong sat", kind="wrong-answer")
    other = replace(one, cause=replace(one.cause, traits=replace(one.traits, name="wrong-answer-123456-two")))
    other = replace(other, bucket=replace(one.bucket, name="another"))
    found = queue([one, other], RULES)
    assert [entry.place for entry in found] == [QueuePlace.NOW, QueuePlace.SAME_THREAD]
    assert found[1].reason == f"with {one.bucket.name}"


def test_public_bugs_and_bugs_that_are_gone_are_set_aside_with_the_reason() -> None:
    issue = Issue(id="z3-1", url="https://example.org/1", title="x", matches=Matches(kind="wrong-model"))
    public = replace(candidate("public", kind="wrong-model", witness="wrong model"), issues=(issue,))
    gone = candidate("gone", kind="crash", witness="it dies of signal 11")
    gone = replace(gone, release="z3-solver 5.4.1.0", rerun="sat, right", shows=False)
    many = candidate("many", kind="wrong-answer", witness="wrong sat", parameters=("a=1", "b=2"))
    found = {entry.candidate.traits.id: entry for entry in queue([public, gone, many], RULES)}
    assert {entry.place for entry in found.values()} == {QueuePlace.ASIDE}
    assert found["public"].reason == "public: https://example.org/1"
    assert found["gone"].reason == "gone in z3-solver 5.4.1.0: sat, right"
    assert found["many"].reason.startswith("not wanted: ")


def test_parts_that_the_project_wants_are_named() -> None:
    bare = candidate("bare", kind="wrong-answer", witness="wrong sat")
    fixed = replace(bare, cause=replace(bare.cause, fix=FIX))
    assert [entry.reason for entry in queue([bare], RULES)] == ["missing: a candidate fix"]
    assert [entry.reason for entry in queue([fixed], RULES)] == [""]


def test_the_lines_name_project_place_and_cause() -> None:
    one = candidate("one", kind="wrong-answer", witness="wrong sat")
    one = replace(one, cause=replace(one.cause, fix=FIX), release="z3-solver 5.4.1.0", rerun="sat, wrong", shows=True)
    expected = [
        "Z3: at most 2 a week",
        f"  file now: {one.bucket.name} (wrong sat, default parameters); z3-solver 5.4.1.0: sat, wrong",
        "    findings/one, 1 finding; cause: in src/a.cpp, because a patch there cures it",
    ]
    assert lines([QueueEntry(one, RULES[0], QueuePlace.NOW, "")]) == expected
    rules = msgspec.structs.replace(RULES[0], url="https://example.org/rules", thread="https://example.org/1")
    assert lines([QueueEntry(one, rules, QueuePlace.NOW, "")]) == [
        "Z3: at most 2 a week (https://example.org/rules)",
        "  reports of fuzzers are collected in https://example.org/1",
        *expected[1:],
    ]


@pytest.mark.parametrize(("solver", "name", "limit"), [("Spacer", "Z3", 0), ("cvc5", "cvc5", 3), ("golem", "golem", 0)])
def test_the_rules_of_projects(solver: str, name: str, limit: int) -> None:
    project = project_of(solver, projects())
    assert (project.name, project.per_week) == (name, limit)
