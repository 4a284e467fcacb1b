"""`chcfuzz generate`: seeds with a witness next to them, of enough effort, and the summary."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from chcfuzz.commands.generate import summary
from chcfuzz.corpus_tools import generating
from chcfuzz.corpus_tools.generating import GenerateOptions, Generation, generate_seeds
from chcfuzz.domains.chc.generation import generate as generation
from chcfuzz.domains.chc.generation.generate import generated
from chcfuzz.domains.chc.generation.transitions import Generated
from chcfuzz.domains.chc.oracles.model import check_text
from chcfuzz.domains.chc.oracles.refutation import fault
from chcfuzz.domains.chc.oracles.refutation_text import parse_refutation
from chcfuzz.execution.seed_answers import Ground, declared
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.witness import Meaning
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.terms import FALSE
from chcfuzz.mutators.rewriting.model_converter import itself
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers import z3_release
from chcfuzz.solvers.made import Effort
from chcfuzz.solvers.watchdog import Watchdog


@pytest.fixture(autouse=True)
def _installed_z3() -> None:
    z3_release.activate()


@pytest.fixture
def options(tmp_path: Path) -> GenerateOptions:
    return GenerateOptions(tmp_path / "made", 3, ("sat", "unsat"), None, 0, 0)


def generate(options: GenerateOptions) -> dict[str, Generation]:
    return generate_seeds(options, Solving())


def costing(monkeypatch: pytest.MonkeyPatch, *efforts: Effort) -> None:
    """Pretend that the solver takes these efforts, one after the other."""
    rest = list(efforts)

    def seen(*_: object) -> generating.CheckedWitness:
        return generating.CheckedWitness(True, rest.pop(0) if len(rest) > 1 else rest[0])

    monkeypatch.setattr(generating, "_checked", seen)


def test_seeds_declare_the_status_of_the_witness_next_to_them_and_claim_no_check(options: GenerateOptions) -> None:
    generate(options)
    files = sorted(options.into.iterdir())
    assert [file.name for file in files] == [
        *(f"sat-0-{number:05}.smt2" for number in range(3)),
        *(f"unsat-0-{number:05}.smt2" for number in range(3)),
    ]
    assert len(list(options.witnesses.iterdir())) == 6
    for file in files:
        text = file.read_text()
        answer, system = declared(text), parse(text)
        assert answer is not None
        assert (answer.status, answer.ground) == (system.status, Ground.DECLARED)
        if system.status == "sat":
            model = (options.witnesses / f"{file.stem}.model").read_text()
            assert check_text(system, model, Watchdog(60)).kind is VerdictKind.PASS
        else:
            steps = (options.witnesses / f"{file.stem}.derivation").read_text()
            assert fault(system, parse_refutation(system, steps)) is None


@pytest.mark.slow
def test_the_same_seed_makes_the_same_files_and_another_one_others(options: GenerateOptions) -> None:
    def texts(given: GenerateOptions) -> list[str]:
        generate(given)
        return [file.read_text() for file in sorted(given.into.iterdir())]

    again = replace(options, into=options.into.with_name("again"))
    other = replace(options, into=options.into.with_name("other"), seed=1)
    assert texts(options) == texts(again) != texts(other)


def test_the_clock_of_an_execution_does_not_decide_which_seeds_are_made(
    options: GenerateOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    clocks: list[float] = []

    def watchdog(seconds: float) -> Watchdog:
        clocks.append(seconds)
        return Watchdog(seconds)

    monkeypatch.setattr(generating, "Watchdog", watchdog)
    generate(replace(options, count=1, statuses=("sat",)))
    assert clocks == [20 * Solving().wall_seconds]


def test_only_what_takes_enough_levels_is_kept(options: GenerateOptions, monkeypatch: pytest.MonkeyPatch) -> None:
    one = replace(options, count=1, statuses=("sat",), levels=3)
    costing(monkeypatch, Effort("sat", 2, 9), Effort("unknown", 7, 9), Effort("sat", 3, 5))
    found = generate(one)
    assert [file.name for file in one.into.iterdir()] == ["sat-0-00002.smt2"]
    line = summary(found, one)[0]
    assert "3 (90th percentile 3) levels, 5 (90th percentile 5) lemmas" in line
    assert line.endswith("(of 3 generated: 2 sat, 1 unknown)")


def test_it_ends_if_no_system_takes_enough_levels(options: GenerateOptions, monkeypatch: pytest.MonkeyPatch) -> None:
    one = replace(options, count=1, statuses=("unsat",), levels=9)
    costing(monkeypatch, Effort("unsat", 1, 1))
    assert summary(generate(one), one)[0].startswith(f"0 unsat in {one.into}")


def test_an_answer_against_the_witness_is_kept_and_reported(
    options: GenerateOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = replace(options, count=1, statuses=("sat",), levels=1)
    costing(monkeypatch, Effort("unsat", 0, 0))
    found = generate(one)
    assert found["sat"].contradictions == ["sat-0-00000.smt2: the solver contradicts the witness"]
    assert (one.into / "sat-0-00000.smt2").is_file()
    assert summary(found, one)[1] == found["sat"].contradictions[0]


def test_a_witness_that_is_wrong_makes_no_seed_and_is_reported(
    options: GenerateOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the generator made mistakes: a model of false, a refutation without its end."""

    def spoilt(status: str, choices: Choices, theories: tuple[str, ...] | None) -> Generated:
        made = generated(status, choices, theories)
        if made.refutation is not None:
            return replace(made, refutation=made.refutation[:-1])
        none = {predicate: Meaning(itself(predicate).parameters, FALSE) for predicate in made.system.predicates}
        return replace(made, meanings=none)

    monkeypatch.setattr(generation, "generated", spoilt)
    found = generate(replace(options, count=1))
    assert list(options.into.iterdir()) == []
    for status in ("sat", "unsat"):
        assert found[status].contradictions == [
            f"{status}-0-00000 is not written: its witness is wrong, which is an internal error"
        ]


def test_a_status_whose_witness_nobody_could_check_is_declared_alone(
    options: GenerateOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Generated, "is_right", lambda *_: None)
    generate(replace(options, count=1))
    for file in options.into.iterdir():
        answer = declared(file.read_text())
        assert answer is not None
        assert answer.ground is Ground.DECLARED


def test_a_folder_whose_name_is_not_utf8_is_printed_as_its_escape_sequence(options: GenerateOptions) -> None:
    (line,) = summary({"sat": Generation()}, replace(options, into=Path(os.fsdecode(b"a\xff"))))
    assert line == "0 sat in a\\udcff"


def test_a_folder_that_cannot_be_made_is_reported(options: GenerateOptions) -> None:
    options.into.parent.joinpath("file").write_text("")
    with pytest.raises(UsageError, match="cannot write seeds to"):
        generate(replace(options, into=options.into.parent / "file" / "made"))
