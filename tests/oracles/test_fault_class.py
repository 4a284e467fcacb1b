"""Classes of faults, and the words that name a cause."""

import pytest
from chcfuzz.oracles.fault_class import ILL_SORTED, fault_class, names_cause


@pytest.mark.parametrize(
    ("detail", "wanted", "is_cause"),
    [
        ("cut 1 of 3: it is not implied by A", "it is not implied", False),
        ("cut 2 of 2: it is not implied by its group and the interpolants below", "it is not implied", False),
        ("cut 1 of 1: it does not contradict the side B", "it does not contradict", False),
        (
            "cut 1 of 1: the interpolant has a symbol of one side, `x`",
            "the interpolant has a symbol of one side",
            False,
        ),
        (
            "cut 1 of 1: the interpolant has a symbol of the solver's own, `.div_24_30`",
            "the interpolant has a symbol of the solver's own, `.div_0_0`",
            True,
        ),
        ("cut 1 of 1: the interpolant is not read: = is not defined on ((_ BitVec 32) Int) `=`", ILL_SORTED, True),
        ("cut 2 of 3: the interpolant is not read: named!1 takes (Bool), not (Int) `named!1`", ILL_SORTED, True),
        (
            "cut 1 of 1: the interpolant is not read: unexpected here `)`",
            "the interpolant is not read: unexpected here `)`",
            False,
        ),
        ("step t12 follows from no clause at 3", "step 0 follows from no clause at 0", False),
    ],
)
def test_the_class_of_a_fault_has_no_names_of_the_problem(detail: str, wanted: str, is_cause: bool) -> None:
    assert (fault_class(detail), names_cause(fault_class(detail))) == (wanted, is_cause)


def test_a_failed_check_names_its_cause_and_a_signal_does_not() -> None:
    assert names_cause("it dies of signal 6 (Aborted): Assertion `i < size()' failed")
    assert not names_cause("it dies of signal 11 (Segmentation fault)")


@pytest.mark.parametrize(
    ("detail", "wanted"),
    [
        ("clause 3 at x = 1: the instance still has |y|", "the instance still has"),
        ("(p 3) follows from no clause and no fact", "follows from no clause"),
        ("step 3 follows from itself", "follows from itself"),
        ("there is no step 9", "there is no step"),
        ("2 interpolants instead of 3", "interpolants instead of"),
        ("the model defines p with other sorts than declared: (Int) Bool", "with other sorts than declared"),
        ("clause 3 at x = 7: its body does not hold", "a step at its values"),
    ],
)
def test_a_derivation_has_one_of_few_classes(detail: str, wanted: str) -> None:
    assert fault_class(detail) == wanted
