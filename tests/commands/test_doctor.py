"""commands/doctor.py: libFuzzer's output reveals whether a campaign works."""

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from chcfuzz.commands import doctor
from chcfuzz.commands.doctor import State, read_campaign

from tests.targets import Finished
from tests.traced import TRACED, needs_traced_build

CHCFUZZ = Path(sys.executable).parent / "chcfuzz"
WORKS = """\
INFO: Loaded 2 modules   (256380 inline 8-bit counters): 65552 [0x1, 0x2), 190828 [0x3, 0x4),
#20\tINITED cov: 107 ft: 131 corp: 12/6374b exec/s: 0 rss: 96Mb
#26\tREDUCE cov: 107 ft: 140 corp: 12/6374b lim: 1048576 exec/s: 0 rss: 96Mb L: 140/844 MS: 1 Custom-
#27\tNEW    cov: 107 ft: 141 corp: 12/6122b lim: 1048576 exec/s: 0 rss: 121Mb L: 159/844 MS: 1 CustomCrossOver-
Done 40 runs in 1 second(s)
"""
# Output of a campaign with a preloaded libFuzzer, which chcfuzz does not prevent here.
BLIND = """\
#25\tINITED exec/s: 0 rss: 310Mb
WARNING: no interesting inputs were found so far. Is the code instrumented for coverage?
#30\tDONE   corp: 1/1b lim: 1048576 exec/s: 30 rss: 466Mb
"""


def results(output: str, code: int = 0) -> list[tuple[State, str]]:
    return [(check.state, check.message) for check in read_campaign(code, output)]


def test_a_campaign_that_sees_and_mutates_is_fine() -> None:
    assert results(WORKS) == [
        (State.FINE, "libFuzzer sees 256380 counters; 40 executions show 141 features"),
        (State.FINE, "the custom mutator is live: it made all 2 units that were kept"),
    ]


@pytest.mark.slow
def test_a_real_campaign_is_fine(finished: Finished) -> None:
    assert [state for state, _ in results(finished.ended.err)] == [State.FINE, State.FINE]


def test_a_blind_campaign_is_reported_though_it_ends_well() -> None:
    assert [state for state, _ in results(BLIND)] == [State.BAD, State.BAD]
    assert "libFuzzer does not see the coverage counters" in results(BLIND)[0][1]


@pytest.mark.parametrize(("numbers", "state"), [((0, 0, 0, 0), State.BAD), ((0, 0, 0, 3), State.FINE)])
def test_a_program_whose_answers_are_not_understood_is_reported(numbers: tuple[int, ...], state: State) -> None:
    counts = "sat {}, unsat {}, unknown {}, resource limit {}, error 40, hang 0".format(*numbers)
    checks = list(read_campaign(0, f"{WORKS}chcfuzz: summary\n  answers     {counts}\n", has_events=False))
    assert checks[0].state is state
    assert (checks[0].message == "none of 40 executions ended with an answer") == (state is State.BAD)


def test_a_dead_custom_mutator_is_reported_with_advice() -> None:
    checks = list(read_campaign(0, WORKS.replace("CustomCrossOver", "ChangeBit")))
    assert checks[0].state is State.FINE
    assert checks[1].message == "the custom mutator made 1 of 2 units that were kept"
    assert "google/atheris issue 54" in checks[1].advice


def test_a_line_of_the_supervisor_inside_a_line_of_libfuzzer_is_no_mutation() -> None:
    between = WORKS.replace("MS: 1 Custom-", "MS: 1 chcfuzz 0:05 | 61 executions\nCustom-")
    within = WORKS.replace("MS: 1 CustomCrossOver-", "MS: 2 CustomCrossOver-chcfuzz: status of 12 seeds\nCustom-")
    fine = "the custom mutator is live: it made all {} units that were kept"
    assert results(between)[1] == (State.FINE, fine.format(1))
    assert results(within)[1] == (State.FINE, fine.format(2))


def test_a_campaign_that_fails_is_reported_with_its_last_line() -> None:
    ((state, words),) = results("chcfuzz: first\nchcfuzz: libFuzzer does not list its flags\n", 2)
    assert state is State.BAD
    assert words.endswith("exit code 2: chcfuzz: libFuzzer does not list its flags")


def test_a_package_that_is_missing_is_named_with_the_command_that_gets_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "requires", lambda _name: ["no-such-solver>=1.2", 'mypy>=1.13; extra == "dev"'])
    first, second = doctor.package_checks()
    assert (first.state, first.message, first.advice) == (
        State.BAD,
        "no-such-solver is missing",
        "pip install 'no-such-solver>=1.2'",
    )
    assert second.state is State.FINE


def test_other_solvers_are_found_on_path_or_named_with_where_to_get_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "golem"
    program.write_text("#!/bin/sh\necho sat\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    eldarica, golem = doctor.other_solver_checks()
    assert (golem.state, golem.message.partition(";")[0]) == (State.FINE, f"golem is {program}")
    assert (eldarica.state, eldarica.message) == (State.NOTE, "eldarica is not on PATH (eld or eldarica)")
    assert eldarica.advice.endswith("published at https://github.com/uuverifiers/eldarica")


def run(*flags: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(CHCFUZZ), "doctor", *flags], capture_output=True, text=True, check=False)


def test_a_z3_that_cannot_be_used_is_bad_and_no_campaign_is_tried() -> None:
    done = run("--z3-library=/nowhere")
    assert done.returncode == 1
    assert "BAD   no Z3 in '/nowhere': not a folder; " in done.stdout
    assert "libFuzzer" not in done.stdout
    assert done.stdout.endswith("1 to fix before a campaign works\n")


@pytest.mark.slow
@needs_traced_build
def test_the_command_tries_the_z3_that_it_is_given() -> None:
    done = run(f"--z3-library={TRACED}", "--wall-seconds=200")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "events: traced:spacer" in done.stdout
    assert "the custom mutator is live" in done.stdout
    assert "BAD" not in done.stdout
    assert "not a traced build" not in done.stdout
