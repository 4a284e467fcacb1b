"""Classes of faults in messages that older versions stored."""

import pytest
from chcfuzz.solvers.faults import FaultClass, names_cause
from chcfuzz.triage.examine.old_messages import fault_in

ILL_SORTED = FaultClass.ILL_SORTED


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
    found = fault_in("wrong-interpolant", detail)
    assert (found, names_cause(found)) == (wanted, is_cause)


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
    assert fault_in("wrong-proof", detail) == wanted


def test_the_class_of_a_death_is_its_message_and_that_of_a_wrong_model_the_complaint() -> None:
    assert fault_in("crash", "it dies of signal 11") == "it dies of signal 11"
    assert fault_in("wrong-model", "clause 3 is false; it complains: line 7: odd") == "line 7: odd"
    assert fault_in("wrong-model", "clause 3 is false") == ""
