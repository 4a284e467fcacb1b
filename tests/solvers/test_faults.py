"""Classes of faults, which stored signatures have."""

import json
from pathlib import Path

from chcfuzz.solvers.faults import FaultClass, names_cause

SAMPLE = Path(__file__).parents[1] / "formats" / "samples" / "faults-4.json"


def test_the_classes_of_stored_findings_keep_their_text() -> None:
    stored = json.loads(SAMPLE.read_text())
    assert {each.name: each.value for each in FaultClass if each.name in stored} == stored


def test_a_class_has_the_solvers_own_parts_whatever_is_in_them() -> None:
    assert FaultClass.Z3_RAISES.of("index {0} of {}") == "Z3 raises: index {0} of {}"


def test_a_failed_check_names_its_cause_and_a_signal_does_not() -> None:
    assert names_cause("it dies of signal 6 (Aborted): Assertion `i < size()' failed")
    assert not names_cause("it dies of signal 11 (Segmentation fault)")


def test_a_symbol_that_the_solver_made_names_its_cause_and_one_of_the_problem_does_not() -> None:
    assert names_cause(FaultClass.OWN_SYMBOL.of(".div_0"))
    assert names_cause(FaultClass.ILL_SORTED)
    assert not names_cause(FaultClass.ONE_SIDED)
