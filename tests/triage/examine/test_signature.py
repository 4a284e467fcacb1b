"""Signatures: equal facts have the same name, and each different fact changes it."""

from dataclasses import replace

import msgspec
from chcfuzz.execution.codec import converted
from chcfuzz.triage.examine.signature import Signature, without_numbers

ANSWER = Signature("wrong-answer", True, "unsat", "order.swap-clauses", "0123abcd", ("transforms off",))


def test_the_name_begins_with_the_kind_and_marks_known_and_default() -> None:
    assert ANSWER.name.startswith("wrong-answer-default-")
    known = Signature("wrong-model", False, parameters=("fp.spacer.ctp",), known="Z3 issue 7319")
    assert known.name.startswith("wrong-model-known-")
    assert "default" not in known.name


def test_every_fact_changes_the_name() -> None:
    others = [
        replace(ANSWER, kind="contradiction"),
        replace(ANSWER, default=False),
        replace(ANSWER, seen="sat"),
        replace(ANSWER, parts_at="seed"),
        replace(ANSWER, seed="another"),
        replace(ANSWER, cures=()),
        replace(ANSWER, parameters=("fp.spacer.ctp",)),
        replace(ANSWER, known="known"),
        replace(ANSWER, detail="of signal 11"),
    ]
    assert len({signature.name for signature in (ANSWER, *others)}) == 1 + len(others)


def test_the_name_is_the_same_in_every_process() -> None:
    assert ANSWER.name == "wrong-answer-default-be3e3f"


def test_a_signature_is_read_as_it_was_written() -> None:
    assert converted(msgspec.to_builtins(ANSWER), Signature) == ANSWER


def test_numbers_do_not_distinguish_errors() -> None:
    assert without_numbers("file.cpp:12, 3 times") == without_numbers("file.cpp:9999, 0 times")
