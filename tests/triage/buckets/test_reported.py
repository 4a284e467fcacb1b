"""The class of a fault in reports: the name before its colon has its digits, and numbers after it are left out."""

import pytest
from chcfuzz.triage.buckets.reported import with_name


@pytest.mark.parametrize(
    ("words", "fault", "shown"),
    [
        ("tactic bv0-blast: it dies of signal 11", "tactic bv1-blast: it dies of signal 11", "tactic bv1-blast"),
        ("cvc0-simplify: it raises: line 0", "cvc5-simplify: it raises: line 12", "cvc5-simplify: it raises: line 0"),
        ("step 0 follows from 0", "step 3 follows from 2", "step 0 follows from 0"),
        ("Z3 raises: line 0", "Z3 raises: line 7", "Z3 raises: line 0"),
        ("another class: of the reduced finding", "tactic bv1-blast: it dies", "another class: of the reduced finding"),
    ],
)
def test_a_name_has_its_digits_and_a_message_does_not(words: str, fault: str, shown: str) -> None:
    assert with_name(words, fault).startswith(shown)
