"""Signatures: equal facts have the same name, and each different fact changes it."""

from dataclasses import replace

import msgspec
from chcfuzz.execution.codec import converted
from chcfuzz.execution.solving import Solving
from chcfuzz.triage.examine.signature import Signature, without_addresses, without_numbers

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
        replace(ANSWER, cures=()),
        replace(ANSWER, parameters=("fp.spacer.ctp",)),
        replace(ANSWER, known="known"),
        replace(ANSWER, detail="of signal 11"),
        replace(ANSWER, solver="Spacer 5.4.1.0"),
        replace(ANSWER, theories=("LIA",)),
    ]
    assert len({signature.name for signature in (ANSWER, *others)}) == 1 + len(others)


def test_one_bug_on_many_seeds_has_one_signature() -> None:
    assert {replace(ANSWER, seed=str(number)).name for number in range(9)} == {ANSWER.name}


def test_the_name_is_the_same_in_every_process() -> None:
    assert ANSWER.name == "wrong-answer-default-dca948"


def test_a_signature_is_read_as_it_was_written() -> None:
    assert converted(msgspec.to_builtins(ANSWER), Signature) == ANSWER


def test_numbers_do_not_distinguish_errors() -> None:
    assert without_numbers("file.cpp:12, 3 times") == without_numbers("file.cpp:9999, 0 times")


def test_the_numbers_of_a_signal_and_of_an_exit_code_stay() -> None:
    assert without_numbers("it dies of signal 11 (x.cpp:12)") == "it dies of signal 11 (x.cpp:0)"
    assert without_numbers("Z3 raises: index 7 of 4") == "Z3 raises: index 0 of 0"
    assert without_numbers("it ends the process with exit code 114") == "it ends the process with exit code 114"


def test_the_name_of_a_solver_has_its_release_or_the_command_without_its_folder() -> None:
    assert Solving().solver_key("5.4.1.0") == "Spacer 5.4.1.0"
    assert Solving(solver="module:Class").solver_key("5.4.1.0") == "module:Class 5.4.1.0"
    assert Solving(command="/opt/x/golem -l QF_LIA").solver_key("5.4.1.0") == "golem -l QF_LIA"


def test_addresses_and_processes_do_not_distinguish_messages() -> None:
    """A sanitizer prints them; they differ between two runs of one unit."""
    first = "it says: ==71==ERROR: AddressSanitizer: SEGV on 0x60200a00c010 (pc 0x55d1f00baa T0), signal 6"
    other = "it says: ==9032==ERROR: AddressSanitizer: SEGV on 0x7ffe1200 (pc 0xdeadbeef T0), signal 6"
    assert without_numbers(first) == without_numbers(other)
    assert without_numbers(first).endswith("signal 6")
    assert without_addresses(first) == without_addresses(other)
    assert without_addresses("it dies of signal 11: x.cpp:12: a") == "it dies of signal 11: x.cpp:12: a"
