"""The configuration of a solver: how flags become one, and which solver they put under test."""

import pytest
from chcfuzz.execution import exit_codes
from chcfuzz.execution.solving import Solving


def test_the_default_domain_is_the_same_whether_it_is_named_or_not() -> None:
    assert Solving.parsed(["--domain=chc"]) == Solving.parsed([]) == Solving()
    assert Solving.parsed(["--domain=chc"]).arguments == Solving().arguments
    assert Solving.parsed(["--domain=smt"]).domain == "smt"
    assert "--domain=smt" in Solving.parsed(["--domain=smt"]).arguments


def test_other_words_of_a_command_line_are_ignored() -> None:
    assert Solving.parsed(["-runs=5", "corpus", "--findings=x", "--rlimit=7"]).rlimit == 7


def test_a_command_is_under_test_in_the_place_of_z3() -> None:
    spacer, command = Solving(), Solving(command="sh -c 'cat {}'", dialect="golem")
    assert (spacer.uses_z3, spacer.counts_resources, spacer.uses_release) == (True, True, True)
    assert (command.uses_z3, command.counts_resources, command.uses_release) == (False, False, False)
    assert not Solving.parsed(["--z3-library=/a/build"]).uses_release
    assert spacer.solver_command() is None
    assert spacer.command_dialect is None
    dialect = command.command_dialect
    assert dialect is not None
    assert dialect.name == "golem"
    assert not spacer.counts_edges
    assert not command.counts_edges


@pytest.mark.parametrize(
    ("solving", "key"),
    [
        (Solving(), "Spacer 5.4.0.0"),
        (Solving(solver="module:Class"), "module:Class 5.4.0.0"),
        (Solving(command="/some/folder/golem -e spacer 'a b'"), "golem -e spacer 'a b'"),
    ],
)
def test_the_key_of_a_solver_has_no_folders(solving: Solving, key: str) -> None:
    assert solving.solver_key("5.4.0.0") == key


def test_objects_that_users_name_are_listed() -> None:
    assert Solving().named_objects == ()
    assert Solving(solver="module:Class", domain="smt").named_objects == ("module:Class",)
    assert Solving(domain="other:DOMAIN").named_objects == ("other:DOMAIN",)


def test_exit_codes_are_those_of_libfuzzer_and_differ() -> None:
    """LibFuzzer and OSS-Fuzz read them (FuzzerOptions.h)."""
    libfuzzer = exit_codes.EXIT_STUCK, exit_codes.EXIT_OOM, exit_codes.EXIT_INTERRUPTED, exit_codes.EXIT_CRASH
    assert libfuzzer == (70, 71, 72, 77)
    own = exit_codes.EXIT_USAGE, exit_codes.EXIT_OURS, exit_codes.EXIT_LARGE, exit_codes.EXIT_FULL
    assert len({*libfuzzer, *own, *exit_codes.Z3_EXITS, 0, 1}) == 10 + len(exit_codes.Z3_EXITS)
