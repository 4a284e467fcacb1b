"""A flag is one field, which defines how it is read, handed on and described."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import pytest
from chcfuzz.campaign.command_line import parse, parser
from chcfuzz.campaign.options import Options
from chcfuzz.execution import flags
from chcfuzz.execution.flags import count, flag, listed, positive
from chcfuzz.execution.solving import Solving

# Another value than the default for every flag there is, as a user writes it.
OTHER = {
    "domain": "chcfuzz.domains.chc.domain:DOMAIN",
    "features": "both",
    "findings": "elsewhere",
    "part": "euf",
    "per_bucket": "7",
    "triage": None,
    "triage_tests": "77",
    "kinds": "rewrite,own",
    "rows": "wrappers.*,parameter.*",
    "limit_factor": "3",
    "hard_seeds": "7",
    "policy": "equal",
    "heuristic": "simple",
    "model": "some.model",
    "quantified": 1,
    "size": 60,
    "learn": None,
    "portfolio": "swarm=2,novelty=1",
    "prices": "none",
    "experimental": None,
    "scope": "all",
    "performance": None,
    "self_check": None,
    "stop_on_finding": None,
    "stop_on_known": None,
    "z3": "4.8.14.0",
    "z3_library": "/some build",
    "trace_tags": "spacer,dl",
    "rlimit": "77",
    "wall_seconds": "1.5",
    "solver": "some:Class",
    "second_opinion": "0",
    "judge_solver_steps": "all",
    "z3_program": "/some build/bin/z3",
    "front_end": "library",
    "command": "'my solver' -x {}",
    "dialect": "eldarica",
    "memory_megabytes": "5",
    "requests": "6",
    "solvers": "z3,z3:sat.euf=true",
    "isolate": "",
    "cross": "golem {}",
    "cross_z3": "4.13.4.0",
}
OF_A_RUN_FOLDER = {"run_dir", "resume", "corpus_megabytes", "corpus_units"}
OF_THE_FIRST_PROCESS = {
    "status_seconds",
    "verbose",
    "metrics",
    "on_bucket",
    "quiet",
    "finish_seconds",
    "state",
    "json",
    "workers",
    "stop_at_first",
    "stop_after_quiet",
    "preset",
    *OF_A_RUN_FOLDER,
}


@dataclass(frozen=True)
class Few:
    many: tuple[str, ...] = flag((), "as often as wanted; 100 % of it", repeated=True)
    some: tuple[str, ...] = flag(("a", "b"), "with commas (default: {default})", read=listed, write=",".join)
    limit: int = flag(5, "a number (default: {default})", read=positive)
    chosen: str | None = flag(None, "one of {}", variable="CHCFUZZ_TEST_CHOSEN")
    other: str | None = flag(None, "not both", instead_of="--chosen")
    own: int = flag(1, "of this process", read=count, handed_on=False)
    not_a_flag: int = 0


def few(*words: str) -> Few:
    made = argparse.ArgumentParser(exit_on_error=False)
    flags.add(made, Few)
    return Few(**flags.values(made.parse_args(words), Few))


@pytest.mark.parametrize(
    "given",
    [(), ("--many=x", "--many=y z"), ("--some=c",), ("--limit=7", "--chosen=x"), ("--other=", "--some=")],
)
def test_what_is_handed_on_says_the_same(given: Sequence[str]) -> None:
    flags_of = few(*given)
    assert few(*flags.words(flags_of)) == flags_of


def test_what_only_the_first_process_needs_is_not_handed_on() -> None:
    assert few(*flags.words(few("--own=3"))).own == 1


def test_the_environment_says_a_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHCFUZZ_TEST_CHOSEN", "here")
    assert (few().chosen, few("--chosen=there").chosen) == ("here", "there")


def test_flags_that_exclude_each_other_are_not_taken_together() -> None:
    with pytest.raises(argparse.ArgumentError, match="not allowed with"):
        few("--chosen=x", "--other=y")


def test_help_shows_the_default_as_it_is_written() -> None:
    made = argparse.ArgumentParser()
    flags.add(made, Few)
    text = " ".join(made.format_help().split())
    assert "with commas (default: a,b)" in text
    assert "a number (default: 5)" in text
    assert "one of {}" in text
    assert "100 % of it" in text


@pytest.mark.parametrize(("read", "bad"), [(count, "-1"), (count, "x"), (count, "²"), (positive, "0"), (positive, "٣")])
def test_what_is_no_number_is_refused_with_what_it_is(read: type, bad: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=bad):
        read(bad)


@pytest.mark.parametrize(
    ("read", "good", "value"),
    [
        (count, "0", 0),
        (positive, "1", 1),
        (flags.resource_limit, str(2**32 - 1), 2**32 - 1),
        (flags.positive_float, "1e-3", 0.001),
        (flags.path, "a b", Path("a b")),
        (flags.listed_or_none, "", ()),
        (flags.listed_or_none, "a,b", ("a", "b")),
    ],
)
def test_values_are_read(read: Callable[[str], object], good: str, value: object) -> None:
    assert read(good) == value


@pytest.mark.parametrize(
    ("read", "bad", "message"),
    [
        (flags.resource_limit, str(2**32), "4294967296 is more than 4294967295, the largest limit of Z3"),
        (flags.resource_limit, "0", "'0' is not a positive whole number"),
        (flags.positive, str(2**63), "'9223372036854775808' is too large; 9223372036854775807 is the largest number"),
        (flags.positive_float, "0", "'0' is not a positive number"),
        (flags.positive_float, "-1", "'-1' is not a positive number"),
        (flags.positive_float, "inf", "'inf' is not a positive number"),
        (flags.positive_float, "nan", "'nan' is not a positive number"),
        (flags.positive_float, "x", "'x' is not a positive number"),
        (flags.path, "", "the path is empty; perhaps a variable of the shell is not set"),
    ],
)
def test_values_are_refused_with_the_reason(read: Callable[[str], object], bad: str, message: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError) as caught:
        read(bad)
    assert str(caught.value) == message


def test_every_flag_of_a_campaign_reaches_its_workers_as_it_was_given() -> None:
    assert OTHER.keys() | OF_THE_FIRST_PROCESS == {
        this.name for cls in (Options, Solving) for this in fields(cls) if "flag" in this.metadata
    }
    default = parse([])
    for name, value in OTHER.items():
        word = f"--{name.replace('_', '-')}" + ("" if value is None else f"={value}")
        given = parse([word])
        again = parse(given.arguments)
        assert again.arguments == given.arguments != default.arguments, name
        handed_on = [word for word in again.arguments if word.startswith("-")]
        assert not any(" " in word for word in handed_on if name in ("command", "cross")), name


def test_a_released_z3_is_taken_though_the_environment_names_a_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHCFUZZ_Z3_LIBRARY", "/a/build")
    assert parse([]).solving.z3_library == Path("/a/build")
    released = parse(["--z3=4.8.14.0"])
    assert (released.solving.z3, released.solving.z3_library) == ("4.8.14.0", None)
    assert parse(released.arguments).solving == released.solving


def test_the_help_of_a_campaign_names_every_flag() -> None:
    text = parser().format_help()
    assert all(f"--{name.replace('_', '-')}" in text for name in (*OTHER, *OF_THE_FIRST_PROCESS))


@pytest.mark.parametrize("cls", [Options, Solving])
def test_every_flag_is_under_a_heading_and_names_its_value(cls: type) -> None:
    for this in fields(cls):
        if "flag" in this.metadata:
            row = this.metadata["flag"]
            assert row.group, this.name
            assert this.default is False or row.choices or row.metavar, this.name


@pytest.mark.parametrize("parts", [1, 3, 7])
def test_each_item_belongs_to_exactly_one_part(parts: int) -> None:
    found = [flags.share(range(10), flags.shard(f"{number}/{parts}")) for number in range(1, parts + 1)]
    assert sorted(item for part in found for item in part) == list(range(10))


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "a/b", "1/0", "-1/3", "1/3/4"])
def test_a_part_that_does_not_exist_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is not a part; write I/N"):
        flags.shard(text)
