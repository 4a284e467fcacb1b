"""The table of kinds of findings: one row decides how a kind is queued, judged, printed and reduced."""

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.mutators.recipe import Recipe, encode
from chcfuzz.oracles import verdict
from chcfuzz.oracles.verdict import (
    FINDINGS,
    ORACLES,
    Facts,
    Severity,
    Subject,
    VerdictKind,
    asks_others,
    facts_of,
    headline_of,
)
from chcfuzz.triage.examine.finding_scope import standing
from chcfuzz.triage.examine.suspicion import Suspicion

from tests.sources import listed
from tests.targets import ROOT

TABLE = "oracles/verdict.py"
# Kinds that are examined like other kinds of the same subject, and the modules of the oracles that detect each.
PLAIN_KINDS = {
    "EXCEPTION": {"oracles/outcome_checks.py", "domains/smt/oracles/errors.py", "domains/parts/oracles/errors.py"},
    "LIMIT": {"oracles/outcome_checks.py"},
    "MEMORY": {"oracles/outcome_checks.py"},
    "PERFORMANCE": {"oracles/outcome_checks.py"},
}


def uses(kind: str) -> set[str]:
    """The source files that name a kind."""
    files = [file for file in listed() if file.suffix == ".py" and file.parts[0] != "tests"]
    return {str(file) for file in files if _names(ROOT / file, kind)}


def _names(file: Path, kind: str) -> bool:
    text = file.read_text()
    return f"VerdictKind.{kind}" in text and any(
        isinstance(node, ast.Attribute) and node.attr == kind and ast.unparse(node.value) == "VerdictKind"
        for node in ast.walk(ast.parse(text))
    )


@pytest.mark.parametrize(("kind", "oracles"), PLAIN_KINDS.items())
def test_a_kind_of_finding_is_in_the_table_and_its_oracles(kind: str, oracles: set[str]) -> None:
    """Adding a kind touches the table and the module of its oracle."""
    assert uses(kind) == {TABLE, *oracles}


def test_a_row_decides_severity_rank_and_headline(monkeypatch: pytest.MonkeyPatch) -> None:
    grave = Facts(Subject.MESSAGE, Severity.CRASH, 1, "too much memory")
    monkeypatch.setattr(verdict, "FINDINGS", {**FINDINGS, VerdictKind.MEMORY: grave})
    assert standing("memory", (), None, None).severity is Severity.CRASH
    assert Suspicion(encode(Recipe(BUILT_IN[0])), "memory").name.startswith("1-")
    assert headline_of("memory") == "too much memory"


def test_ranks_are_those_in_stored_file_names() -> None:
    graver = ["wrong-answer", "crash", "contradiction", "disagreement", "wrong-model", "wrong-proof"]
    assert [facts_of(kind).rank for kind in graver] == list(range(6))
    of_rank_4 = ["wrong-lemma", "wrong-obligation", "wrong-fact"]
    assert {facts_of(kind).rank for kind in of_rank_4} == {4}
    of_rank_5 = ["malformed-model", "wrong-interpolant", "wrong-result", "foreign-symbol", "unreadable"]
    assert {facts_of(kind).rank for kind in of_rank_5} == {5}
    assert {facts.rank for kind, facts in FINDINGS.items() if kind.value not in graver + of_rank_4 + of_rank_5} == {6}


def test_a_kind_of_another_version_is_the_slightest() -> None:
    assert facts_of("wrong-sat") == Facts()
    assert headline_of("wrong-sat") == "wrong-sat"


def test_an_oracle_that_asks_others_says_so() -> None:
    own = [oracle.name for oracle in ORACLES if not asks_others(oracle.name)]
    assert own == [
        "errors",
        "answer",
        "resources",
        "model",
        "proof",
        "interpolant",
        "result",
        "answers",
        "cost",
        "carry-over",
    ]
    assert not asks_others("")
    assert asks_others("an oracle of another version")


def test_the_table_decides_how_each_kind_is_examined_and_reduced() -> None:
    def names(chosen: Callable[[Facts], bool]) -> set[str]:
        return {kind.value for kind, facts in FINDINGS.items() if chosen(facts)}

    irreducible = {"contradiction", "disagreement", "carry-over", "performance", "broken-promise"}
    assert names(lambda facts: not facts.is_reducible) == irreducible
    of_steps = {"wrong-lemma", "wrong-obligation", "wrong-fact"}
    assert names(lambda facts: facts.keeps_class) == {"wrong-interpolant", "wrong-result", *of_steps}
    assert names(lambda facts: facts.keeps_answer) == of_steps
    assert names(lambda facts: facts.evidence != "evidence.smt2") == {*of_steps, "wrong-proof"}
    subjects = {
        Subject.ANSWER: {"wrong-answer", "contradiction", "disagreement"},
        Subject.MODEL: {"wrong-model"},
        Subject.OUTPUT: {
            *("malformed-model", "wrong-proof", "wrong-interpolant", "foreign-symbol", "unreadable"),
            *("wrong-lemma", "wrong-obligation", "wrong-fact", "wrong-result"),
        },
        Subject.DEATH: {"crash"},
        Subject.MESSAGE: {"exception", "limit", "memory", "broken-promise"},
        Subject.COST: {"performance"},
        Subject.HISTORY: {"carry-over"},
    }
    for subject, kinds in subjects.items():
        assert {kind.value for kind, facts in FINDINGS.items() if facts.subject is subject} == kinds


def test_every_oracle_gives_the_class_of_a_fault_that_signatures_have() -> None:
    """A finding without a class would have one signature with all others of its kind."""
    files = [file for file in listed() if file.suffix == ".py" and file.parts[0] in ("oracles", "domains")]
    calls = [call for file in files for call in _verdicts(ROOT / file)]
    assert len(calls) > 10
    assert [ast.unparse(call) for call in calls if all(keyword.arg != "fault" for keyword in call.keywords)] == []


def _verdicts(file: Path) -> list[ast.Call]:
    """Return the calls that make a verdict of a kind whose subject has classes."""
    calls = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)]
    made = [call for call in calls if ast.unparse(call.func) == "Verdict" and len(call.args) > 1]
    kinds = {f"VerdictKind.{kind.name}" for kind, facts in FINDINGS.items() if facts.subject not in _WITHOUT_CLASS}
    return [call for call in made if ast.unparse(call.args[1]) in kinds]


_WITHOUT_CLASS = (Subject.ANSWER, Subject.MODEL)
