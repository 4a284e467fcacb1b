"""SMT-LIB files as they are on two builds: forms, settings, and changed answers."""

from pathlib import Path

import pytest
from chcfuzz.corpus_tools import script_trial
from chcfuzz.corpus_tools.script_trial import (
    AS_ASSERTIONS,
    AS_IT_IS,
    AS_RULES,
    ScriptFile,
    ScriptPool,
    ScriptTrial,
    effect_of,
    files_in,
    forms,
)
from chcfuzz.execution.solving import Solving

from tests.triage.examine.test_examination import SAT

SEVERAL = """(set-logic QF_LIA)
(declare-const x Int)
(assert (> x 0))
(check-sat)
(push 1)
(assert (< x 0))
(check-sat)
(pop 1)
"""
RULES = """(declare-rel p (Int))
(declare-rel q ())
(declare-var x Int)
(rule (p 0))
(rule (=> (and (p x) (= x 0)) q))
(query q)
"""
CTP = (("fp.spacer.ctp", "false"),)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A CHC system, rules, and a script with two checks."""
    for name, text in (("a-system", SAT), ("b-rules", RULES), ("c-several", SEVERAL)):
        (tmp_path / f"{name}.smt2").write_text(text)
    (tmp_path / "other.txt").write_text("no script")
    return tmp_path


def test_each_system_has_two_forms(corpus: Path) -> None:
    found = [(script.name, script.form) for path in files_in([corpus]) for script in forms(path)]
    assert found == [
        ("a-system.smt2", AS_IT_IS),
        ("a-system.smt2", AS_RULES),
        ("b-rules.smt2", AS_IT_IS),
        ("b-rules.smt2", AS_ASSERTIONS),
        ("c-several.smt2", AS_IT_IS),
    ]


def test_both_forms_have_the_same_answers_under_all_settings(corpus: Path) -> None:
    with ScriptPool(Solving(), 1) as pool:
        for setting in ((), CTP):
            found = [pool.answers(script, setting) for path in files_in([corpus]) for script in forms(path)]
            assert found == ["sat", "sat", "unsat", "unsat", "sat unsat"]
        assert pool.answers(ScriptFile("short", AS_IT_IS, SAT), (("rlimit", "1"),)) != "sat"
        assert pool.answers(ScriptFile("good", AS_IT_IS, SEVERAL), ()) == "sat unsat", "parameters are reset"


def test_changed_answers_are_found_in_each_setting(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Pool(ScriptPool):
        """The second build answers `unsat` under the parameters of the finding."""

        made = 0

        def __init__(self, solving: Solving, jobs: int) -> None:
            super().__init__(solving, jobs)
            Pool.made += 1
            self.number = Pool.made

        def answers(self, script: ScriptFile, parameters: tuple[tuple[str, str], ...]) -> str:
            assert script.text
            return "unsat" if self.number == 2 and parameters else "sat"

    monkeypatch.setattr(script_trial, "ScriptPool", Pool)
    runs, found = ScriptTrial(Solving(), Solving(), 1).run([corpus / "a-system.smt2"], [(), CTP])
    assert runs == 4
    assert [one.unit for one in found] == [
        f"a-system.smt2 ({form}; fp.spacer.ctp=false)" for form in (AS_IT_IS, AS_RULES)
    ]
    assert all(one.is_wrong for one in found)


@pytest.mark.parametrize(
    ("expected", "before", "after", "change", "is_wrong"),
    [
        (("sat",), "sat", "unsat", "contradiction", True),
        (("sat",), "unsat", "sat", "contradiction", False),
        ((), "unsat", "sat", "contradiction", None),
        ((), "sat unsat", "sat unknown", "lost", False),
        (("sat", "unsat"), "sat unknown", "sat sat", "gained", True),
    ],
)
def test_a_change_is_judged_by_the_status_of_the_file(
    expected: tuple[str, ...], before: str, after: str, change: str, is_wrong: bool | None
) -> None:
    found = effect_of(ScriptFile("a", AS_IT_IS, "", expected), (), before, after)
    assert (found.unit, found.change, found.is_wrong) == ("a (as it is; default parameters)", change, is_wrong)
