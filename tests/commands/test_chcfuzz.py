"""The `chcfuzz` command as users type it."""

import gzip
import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from chcfuzz.campaign.session.session import Session
from chcfuzz.commands import main, replay
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.grammar.reading.parse import parse, problem
from chcfuzz.grammar.terms import Quantifier, Term, Variable, subterms
from chcfuzz.mutators.recipe import Recipe, Step, encode
from chcfuzz.solvers import z3_release
from chcfuzz.triage.examine.finding_scope import Standing, Switches, standing
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.suspicions import Suspicions

from tests.campaign.conftest import FORGETFUL, MORE_SAT, UNSAT, doubled, looked_into
from tests.targets import SAFETY_NET
from tests.triage.records import a_record, write_record

CHCFUZZ = Path(sys.executable).parent / "chcfuzz"


def chcfuzz(cwd: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [str(CHCFUZZ), *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=SAFETY_NET, check=False)


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """A recipe with a step and a parameter."""
    path = tmp_path / "unit"
    path.write_bytes(doubled(seed=MORE_SAT, parameters=(("fp.spacer.ctp", "false"),)))
    return path


def refused(done: subprocess.CompletedProcess[str], told: str) -> None:
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("chcfuzz: ")
    assert told in done.stderr


@pytest.mark.slow
def test_check_says_where_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "good.smt2").write_text(UNSAT)
    (tmp_path / "bad.smt2").write_text("(set-logic HORN)\n(assert (forall ((x Int)) (=> (< x) false)))\n")
    done = chcfuzz(tmp_path, "check", "good.smt2", "bad.smt2")
    assert done.returncode == 1
    told, summary = done.stdout.splitlines()
    assert told.startswith("bad.smt2:2:")
    assert told.split(":")[2].strip().isdecimal()
    assert summary == "1 CHC system in 2 files, 1 refused"


@pytest.mark.parametrize("words", [("show",), ("findings",), ("learn", "--output=model")])
def test_a_path_that_is_too_long_is_one_line(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main([*words, "x" * 300]) == 2
    assert (
        capsys.readouterr().err
        == f"chcfuzz: cannot use '{'x' * 300}': File name too long; name another file or folder\n"
    )


@pytest.mark.slow
def test_check_reads_a_file_that_is_named_twice_once(tmp_path: Path) -> None:
    (tmp_path / "bad.smt2").write_text("foo")
    done = chcfuzz(tmp_path, "check", "bad.smt2", "bad.smt2")
    assert done.stdout.splitlines()[-1] == "0 CHC systems in 1 file, 1 refused"


def test_check_is_content_with_systems(tmp_path: Path) -> None:
    (tmp_path / "good.smt2").write_text(UNSAT)
    done = chcfuzz(tmp_path, "check", "good.smt2")
    assert (done.returncode, done.stdout) == (0, "1 CHC system in 1 file\n")


def test_options_that_no_solver_gets_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.smt2").write_text(f"(set-option :rlimit 2)(set-option :smt.arith.solver 2){UNSAT}(get-model)")
    left_out = "chcfuzz: 'a.smt2': left out: (set-option :rlimit 2): chcfuzz has limits of its own\n"
    for words in (["check", "a.smt2"], ["show", "a.smt2", "--smt2"]):
        done = chcfuzz(tmp_path, *words)
        assert (done.returncode, done.stderr) == (0, left_out)
    assert "(set-option :smt.arith.solver 2)" in done.stdout
    every = chcfuzz(tmp_path, "check", "-v", "a.smt2")
    assert every.stderr.startswith(f"{left_out}chcfuzz: 'a.smt2': left out: (get-model): it prints")


@pytest.mark.slow
def test_show_tells_the_chain_in_words_and_prints_the_mutant(tmp_path: Path, unit: Path) -> None:
    done = chcfuzz(tmp_path, "show", unit)
    assert done.returncode == 0, done.stderr
    words = [line for line in done.stdout.splitlines() if line.startswith(";")]
    assert words[0] == "; 1 step from the seed"
    assert "boolean.dup-and" in words[1]
    assert "fp.spacer.ctp = false" in done.stdout
    assert "; promise: equisatisfiable; expected: sat" in words
    assert parse(done.stdout, "shown").status is None, "only the seed's file declares a status"


@pytest.mark.slow
def test_show_smt2_prints_the_mutant_alone(tmp_path: Path, unit: Path) -> None:
    done = chcfuzz(tmp_path, "show", "--smt2", unit)
    system = parse(done.stdout, "shown")
    assert not any(line.startswith(";") for line in done.stdout.splitlines())
    assert system.options == (("fp.spacer.ctp", "false"),)
    assert len(system.clauses) == len(parse(MORE_SAT, "seed").clauses)


@pytest.mark.slow
def test_show_takes_a_plain_seed_and_mere_bytes(tmp_path: Path) -> None:
    (tmp_path / "seed.smt2").write_text(UNSAT)
    (tmp_path / "bytes").write_bytes(b"\0\1\2\3\4\5\6\7")
    assert "; the seed itself" in chcfuzz(tmp_path, "show", "seed.smt2").stdout
    assert parse(chcfuzz(tmp_path, "show", "--smt2", "bytes").stdout, "shown").clauses


@pytest.mark.slow
def test_replay_prints_every_verdict(tmp_path: Path, unit: Path) -> None:
    done = chcfuzz(tmp_path, "replay", unit)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert any(line.startswith("z3 ") and line.endswith(" answers sat") for line in lines)
    oracles = [line.split()[1] for line in lines if line.startswith("oracle ")]
    assert oracles == ["errors:", "answer:", "resources:", "model:"]


@pytest.mark.slow
def test_replay_prints_the_events_of_the_trace_on_request(tmp_path: Path, unit: Path) -> None:
    usual, done = chcfuzz(tmp_path, "replay", unit), chcfuzz(tmp_path, "replay", "--events", unit)
    printed = done.stdout.splitlines()
    trace = next(number for number, line in enumerate(printed) if line.startswith("trace ")) + 1
    verdicts = next(number for number, line in enumerate(printed) if line.startswith("oracle "))
    events = printed[trace:verdicts]
    assert printed[:trace] + printed[verdicts:] == usual.stdout.splitlines()
    assert f", {len(events)} events;" in usual.stdout
    assert "  level 1 begins" in events
    said = json.loads(chcfuzz(tmp_path, "replay", "--events", "--json", unit).stdout)
    assert said["trace"] == [event.strip() for event in events]


@pytest.mark.slow
def test_events_of_a_solver_without_a_sequence_of_them_are_refused(tmp_path: Path) -> None:
    (tmp_path / "seed.smt2").write_text("(set-logic QF_LIA)(declare-const x Int)(assert (> x 0))(check-sat)")
    words = ("replay", "--events", "--domain=smt", "seed.smt2")
    refused(chcfuzz(tmp_path, *words), "--events: the traces of this solver")


@pytest.mark.slow
def test_replay_json_is_for_machines_and_always_the_same(tmp_path: Path, unit: Path) -> None:
    first, second = (chcfuzz(tmp_path, "replay", "--json", unit) for _ in range(2))
    assert first.stdout == second.stdout
    said = json.loads(first.stdout)
    assert {"status", "expected", "verdicts", "trace_hash", "cost", "z3", "reason"} <= set(said)
    assert (said["status"], said["expected"]) == ("sat", "sat")
    assert [verdict["kind"] for verdict in said["verdicts"]] == ["pass"] * 4
    assert len(said["trace_hash"]) == 16
    assert said["cost"] > 0


def test_replay_has_an_exit_code_for_bisection(unit: Path) -> None:
    assert [main.main(["replay", str(unit), *flags]) for flags in ([], ["--exit-code"])] == [0, 0]
    undecided = [main.main(["replay", str(unit), "--rlimit=1000", *flags]) for flags in ([], ["--exit-code"])]
    assert undecided == [0, replay.UNDECIDED]
    assert [main.main(["replay", str(unit), FORGETFUL, *flags]) for flags in ([], ["--exit-code"])] == [1, 1]


@pytest.mark.slow
def test_a_system_is_read_from_standard_input(tmp_path: Path) -> None:
    for words in (["check", "-", "--json"], ["show", "-", "--json"], ["replay", "-", "--json"]):
        done = subprocess.run(
            [str(CHCFUZZ), *words], cwd=tmp_path, input=UNSAT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)
        assert len(done.stdout.splitlines()) == 1


def test_replay_stops_at_the_limit_it_is_given(tmp_path: Path, unit: Path) -> None:
    said = json.loads(chcfuzz(tmp_path, "replay", "--json", "--rlimit=100", unit).stdout)
    assert said["status"] == "limit"
    assert said["reason"]


@pytest.fixture
def wrong_model(tmp_path: Path) -> Path:
    """The folder of a wrong model."""
    (tmp_path / "session").mkdir()
    session = Session(tmp_path / "session")
    findings = tmp_path / "found"
    Suspicions(findings).add(Suspicion(MORE_SAT.encode(), "wrong-model", "model", "sat", "sat", solving=(FORGETFUL,)))
    (folder,) = looked_into(findings, session)
    return folder


@pytest.mark.slow
def test_a_finding_is_replayed_with_the_solver_that_it_is_of_or_with_another(tmp_path: Path, wrong_model: Path) -> None:
    kinds = {
        flags: [verdict["kind"] for verdict in json.loads(chcfuzz(tmp_path, *flags, wrong_model).stdout)["verdicts"]]
        for flags in (
            ("replay", "--json", FORGETFUL),
            ("replay", "--json", "--solver=chcfuzz.domains.chc.solvers.spacer:Spacer"),
        )
    }
    assert list(kinds.values()) == [["pass", "pass", "pass", "wrong-model"], ["pass"] * 4]


def test_mutations_are_a_table(tmp_path: Path) -> None:
    done = chcfuzz(tmp_path, "mutations")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split()[:3] == ["id", "promise", "scope"]
    ids = [line.split()[0] for line in lines[1:] if line.split()]
    assert {"boolean.dup-and", "order.shuffle-clauses", "parameter.fp.spacer.ctp"} <= set(ids)
    assert len(ids) == len(set(ids))


@pytest.mark.slow
@pytest.mark.parametrize("command", ["show", "replay"])
def test_a_text_that_is_no_system_is_refused_as_check_refuses_it(tmp_path: Path, command: str) -> None:
    (tmp_path / "bad.smt2").write_bytes(b"\xef\xbb\xbf(set-logic HORN) ; caf\xe9\n(pop 1)\n")
    checked = chcfuzz(tmp_path, "check", "bad.smt2").stdout.splitlines()[0]
    assert checked.startswith("bad.smt2:2:2: ")
    refused(chcfuzz(tmp_path, command, "bad.smt2"), checked)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["show", "replay"])
def test_an_input_that_is_not_there_is_one_line(tmp_path: Path, command: str) -> None:
    (tmp_path / "folder").mkdir()
    refused(chcfuzz(tmp_path, command, "missing"), "'missing'")
    refused(chcfuzz(tmp_path, command, "folder"), "'folder' is not a finding")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["show", "replay"])
def test_a_unit_that_is_not_what_it_begins_as_is_one_line(tmp_path: Path, command: str) -> None:
    whole = encode(Recipe(MORE_SAT, (Step("boolean.dup-and", b"\0\0"),) * 3))
    for name, content, told in (
        ("half", whole[: len(whole) // 2], "'half' is a recipe that is cut off"),
        ("magic", whole[:8], "'magic' is a recipe that is cut off"),
        ("newer", whole.replace(b"chcfuzz\2", b"chcfuzz\3"), "'newer' was written by a newer chcfuzz"),
        ("text", b"(assert (p 0))", "text/recipe:1:10: unknown operator"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "recipe").write_bytes(content)
        refused(chcfuzz(tmp_path, command, name), told)


def test_a_finding_without_its_recipe_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "wrong-answer-default-0").mkdir()
    (tmp_path / "wrong-answer-default-0/record.json").write_text("{}")
    refused(chcfuzz(tmp_path, "replay", "wrong-answer-default-0"), "the file `recipe` is missing")


def test_a_file_that_cannot_be_read_hides_no_result_of_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.smt2").write_text(UNSAT)
    (tmp_path / "typo.smt2").write_text("(asert true)")
    (tmp_path / "link.smt2").symlink_to("nowhere")
    (tmp_path / "empty").mkdir()
    words = ["check", "missing.smt2", "good.smt2", "link.smt2", "typo.smt2", "empty"]
    assert main.main(words) == 2
    printed = capsys.readouterr()
    refusal, summary = printed.out.splitlines()
    assert refusal.startswith("typo.smt2:1:2: ")
    assert summary == "1 CHC system in 5 files, 1 refused, 3 not readable"
    reasons = [
        f"cannot read {name!r}: No such file or directory; name another file" for name in ("missing.smt2", "link.smt2")
    ]
    reasons.append("no .smt2 or .smt2.gz file in 'empty'; name another folder")
    assert printed.err.splitlines() == [f"chcfuzz: {reason}" for reason in reasons]
    assert main.main([*words, "--json"]) == 2
    shown = json.loads(capsys.readouterr().out)
    assert (shown["files"], list(shown["refused"])) == (5, ["typo.smt2"])
    assert list(shown["unreadable"].values()) == reasons


def test_check_reads_the_files_in_a_folder_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "within").mkdir()
    for name in ("b.smt2", "within/a.smt2", "notes.txt"):
        (tmp_path / name).write_text(UNSAT)
    (tmp_path / "within/packed.smt2.gz").write_bytes(gzip.compress(b"(asert true)"))
    assert main.main(["check", "b.smt2", str(tmp_path)]) == 1
    assert main.main(["check", "b.smt2", "."]) == 1
    of_path, of_dot = capsys.readouterr().out.split("CHC systems in")[:2]
    assert f"{tmp_path}/within/packed.smt2.gz:1:2: " in of_path
    assert of_dot.splitlines()[1].startswith("within/packed.smt2.gz:1:2: ")
    assert main.main(["check", "."]) == 1
    assert capsys.readouterr().out.endswith("2 CHC systems in 3 files, 1 refused\n")


@pytest.mark.parametrize(
    ("flag", "told"),
    [
        ("--z3=4.7.1", "'4.7.1'"),
        ("--solver=nowhere:Nothing", "nowhere:Nothing"),
        ("--solver=json:loads", "json:loads"),
        ("--solver=json", "json"),
    ],
)
def test_a_z3_or_a_solver_that_cannot_be_had_is_one_line(tmp_path: Path, unit: Path, flag: str, told: str) -> None:
    refused(chcfuzz(tmp_path, "replay", flag, unit), told)


@pytest.mark.parametrize("arguments", [["no-such-command"], ["check"], ["replay", "--rlimit=0", "unit"]])
def test_bad_use_is_a_failure_without_a_traceback(tmp_path: Path, arguments: list[str]) -> None:
    done = chcfuzz(tmp_path, *arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_replay_survives_a_solver_that_dies(tmp_path: Path) -> None:
    (tmp_path / "unlucky.smt2").write_text(BUILT_IN[0].replace("inv", "unlucky"))
    done = chcfuzz(tmp_path, "replay", "--json", "unlucky.smt2", "--solver=tests.fuzz_targets.solvers:DyingSpacer")
    said = json.loads(done.stdout)
    assert (done.returncode, said["status"]) == (1, "crash")
    assert [verdict["kind"] for verdict in said["verdicts"]] == ["crash"]


def recorded(folder: Path, name: str, standing: Standing) -> None:
    """A finding as its folder holds it."""
    parameters = {"fp.spacer.ctp": "false"} if standing.switches is Switches.ONE else {}
    witness = f"witness of {name}"
    kind = name.rpartition("-")[0]
    record = a_record(kind, z3="5.4.0", parameters=parameters, witness=witness, standing=standing)
    write_record(folder / name, record)


@pytest.fixture
def three_findings(tmp_path: Path) -> Path:
    folder = tmp_path / "findings"
    recorded(folder, "performance-1", standing("performance", (), None, None))
    recorded(folder, "wrong-model-2", standing("wrong-model", ("fp.spacer.ctp",), "known as 7319", None))
    recorded(folder, "wrong-answer-3", standing("wrong-answer", (), None, None))
    (folder / "unconfirmed").mkdir()
    (folder / "unconfirmed" / "crash-4").write_bytes(b"")
    return folder


@pytest.mark.slow
def test_findings_are_listed_the_grave_ones_first(tmp_path: Path, three_findings: Path) -> None:
    done = chcfuzz(tmp_path, "findings", three_findings)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "wrong-answer-3",
        "  z3 5.4.0, default parameters: witness of wrong-answer-3",
        "  wrong answer; all options default",
        "wrong-model-2",
        "  z3 5.4.0, fp.spacer.ctp=false: witness of wrong-model-2",
        "  wrong model; one option changed; known as 7319",
        "performance-1",
        "  z3 5.4.0, default parameters: witness of performance-1",
        "  cost; all options default",
        "3 of 3 findings",
    ]
    assert chcfuzz(tmp_path, "findings").stdout == done.stdout, "the folder of campaigns is the default"


def test_of_equal_kinds_those_under_default_options_are_listed_first(tmp_path: Path) -> None:
    recorded(tmp_path, "wrong-model-1", standing("wrong-model", ("fp.spacer.ctp",), None, None))
    recorded(tmp_path, "wrong-model-2", standing("wrong-model", (), None, None))
    said = chcfuzz(tmp_path, "findings", tmp_path).stdout.splitlines()
    assert [said[0], said[3]] == ["wrong-model-2", "wrong-model-1"]


def test_a_finding_of_a_command_is_listed_with_it(tmp_path: Path) -> None:
    recorded(tmp_path, "crash-1", standing("crash", (), None, None))
    path = tmp_path / "crash-1" / "record.json"
    record = json.loads(path.read_text())
    path.write_text(json.dumps({**record, "command": ["/opt/my solvers/eld", "-stac", "{}"]}))
    said = chcfuzz(tmp_path, "findings", tmp_path).stdout.splitlines()
    assert said[1] == "  '/opt/my solvers/eld' -stac '{}', default parameters: witness of crash-1"


def test_a_witness_of_many_values_is_one_short_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded(tmp_path, "wrong-model-1", standing("wrong-model", (), None, None))
    path = tmp_path / "wrong-model-1" / "record.json"
    witness = "clause 1 is false under the model at " + ", ".join(f"x{number} = {number}" for number in range(150))
    path.write_text(json.dumps({**json.loads(path.read_text()), "witness": witness}))
    assert main.main(["findings", str(tmp_path)]) == 0
    line = capsys.readouterr().out.splitlines()[1]
    assert line.startswith("  z3 5.4.0, default parameters: clause 1 is false under the model at x0 = 0, x1 = 1, ")
    assert line.endswith(" more characters)")
    assert len(line) < 320
    assert main.main(["findings", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["witness"] == witness


def test_findings_for_maintainers_are_those_they_want(tmp_path: Path, three_findings: Path) -> None:
    done = chcfuzz(tmp_path, "findings", "--scope", "maintainers", three_findings)
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if not line.startswith(" ")] == [
        "wrong-answer-3",
        "1 of 3 findings",
    ]


def test_a_finding_that_cannot_be_read_hides_no_other_one(
    three_findings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (three_findings / "wrong-answer-3" / "record.json").write_text("{")
    assert main.main(["findings", str(three_findings)]) == 2
    printed = capsys.readouterr()
    assert printed.out.splitlines()[::3] == ["wrong-model-2", "performance-1", "2 of 2 findings"]
    assert "wrong-answer-3/record.json' is damaged" in printed.err
    assert len(printed.err.splitlines()) == 1


def test_no_findings_are_none(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = chcfuzz(tmp_path, "findings", "empty")
    assert (done.returncode, done.stdout) == (0, "0 of 0 findings\n")


def test_a_real_finding_is_listed(tmp_path: Path, wrong_model: Path) -> None:
    listed = chcfuzz(tmp_path, "findings", "--scope=maintainers", "found").stdout.splitlines()
    assert listed[0] == wrong_model.name
    assert "is false under the model" in listed[1]
    assert listed[2:] == ["  wrong model; all options default", "1 of 1 finding"]


@pytest.mark.parametrize(("into", "code"), [(">&-", 0), ("> /dev/full", 2), ("| true", 0)])
def test_an_output_that_is_closed_full_or_not_read_is_no_traceback(tmp_path: Path, into: str, code: int) -> None:
    (tmp_path / "a.smt2").write_text(BUILT_IN[0])
    program = Path(sys.executable).parent / "chcfuzz"
    command = f"set -o pipefail; {shlex.quote(str(program))} check a.smt2 {into}"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert len(done.stderr.splitlines()) == (code == 2), done.stderr


@pytest.mark.slow
def test_what_waits_is_looked_into_by_hand(tmp_path: Path) -> None:
    Suspicions(tmp_path / "found").add(
        Suspicion(MORE_SAT.encode(), "wrong-model", "model", "sat", "sat", solving=(FORGETFUL,))
    )
    done = chcfuzz(tmp_path, "confirm", "found", FORGETFUL)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["findings: wrong-model 1", "0 suspicions wait"]
    assert "chcfuzz: wrong model (clause" in done.stderr
    refused(chcfuzz(tmp_path, "confirm", "elsewhere"), "no findings folder 'elsewhere'")


@pytest.mark.slow
def test_a_findings_folder_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    refused(chcfuzz(tmp_path, "findings"), "no findings folder 'findings'")
    refused(chcfuzz(tmp_path, "findings", "elsewhere"), "no findings folder 'elsewhere'")


@pytest.mark.parametrize(
    ("record", "told"),
    [
        ("{", "is damaged"),
        ("[]", "not of the format"),
        ("{}", "not of the format"),
        ('{"format": "chcfuzz-finding 1"}', "not of the format"),
    ],
)
def test_a_finding_that_cannot_be_read_is_one_line(tmp_path: Path, record: str, told: str) -> None:
    (tmp_path / "findings" / "crash-1").mkdir(parents=True)
    (tmp_path / "findings" / "crash-1" / "record.json").write_text(record)
    done = chcfuzz(tmp_path, "findings")
    assert (done.returncode, done.stdout) == (2, "0 of 0 findings\n")
    assert len(done.stderr.splitlines()) == 1
    assert told in done.stderr


@pytest.mark.slow
def test_regress_tells_what_changed_and_fails_on_it(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "unit").write_bytes(doubled(seed=MORE_SAT))
    (corpus / "seed.smt2").write_text(UNSAT)
    planted = ("--solver=tests.quality.planted:PlantedSpacer", "--wall-seconds=100")
    old = z3_release.activate().version
    flags = ("--json=changes.json", "--minimal=small")
    done = chcfuzz(tmp_path, "regress", "corpus", f"--against={old}", *planted, *flags)
    assert done.returncode == 1, done.stderr
    assert "contradiction" in done.stdout
    assert "2 units: 1 contradiction, 1 same" in done.stdout
    said = json.loads((tmp_path / "changes.json").read_text())
    assert said["counts"]["contradiction"] == 1
    assert [Path(each["unit"]).name for each in said["changes"]] == ["unit"]
    assert len(list((tmp_path / "small").iterdir())) == 2
    assert chcfuzz(tmp_path, "regress", "small", f"--against={old}", *planted, "--fail-on=lost").returncode == 0


@pytest.mark.slow
def test_regress_reports_which_findings_still_show(tmp_path: Path, wrong_model: Path) -> None:
    (tmp_path / "seed.smt2").write_text(UNSAT)
    old = z3_release.activate().version
    common = ("regress", "seed.smt2", f"--against={old}", f"--findings={wrong_model.parent}")
    gone = chcfuzz(tmp_path, *common)
    assert f"{wrong_model.name}: gone (sat)" in gone.stdout, gone.stderr
    there = chcfuzz(tmp_path, *common, FORGETFUL)
    assert f"{wrong_model.name}: still there (sat, wrong model: " in there.stdout, there.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("regress", "nowhere", "--against=5.4.0.0"), "no such file or folder: 'nowhere'"),
        (("regress", "seed.smt2", "--against=no-such-solver"), "'no-such-solver'"),
        (("regress", "seed.smt2", "--against=1.2.3"), "1.2.3"),
    ],
)
def test_regress_refuses_what_it_cannot_use_in_one_line(tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    (tmp_path / "seed.smt2").write_text(UNSAT)
    refused(chcfuzz(tmp_path, *arguments), told)


@pytest.mark.slow
def test_generate_makes_seeds_that_check_reads(tmp_path: Path) -> None:
    done = chcfuzz(tmp_path, "generate", "made", "--count=2", "--kind=sat", "--theory=BV", "--levels=0")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("2 sat in made: ")
    files = sorted((tmp_path / "made").iterdir())
    assert chcfuzz(tmp_path, "check", *files).stdout == "2 CHC systems in 2 files\n"
    assert len(list((tmp_path / "made.witnesses").iterdir())) == 2


@pytest.mark.parametrize(
    ("domain", "kind"), [("chc", "drawn"), ("smt", "both"), ("interpolation", "both"), ("parts", "both")]
)
def test_generate_draws_roots_of_a_domain_that_can(tmp_path: Path, domain: str, kind: str) -> None:
    for _ in range(2):
        words = (f"--domain={domain}", f"--kind={kind}", "drawn", "--count=3", "--seed=5")
        done = chcfuzz(tmp_path, "generate", *words)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("3 drawn in drawn: ")
    files = sorted((tmp_path / "drawn").iterdir())
    assert [file.name for file in files] == [f"drawn-5-0000{number}.smt2" for number in range(3)]
    assert chcfuzz(tmp_path, "check", f"--domain={domain}", *files).returncode == 0


def test_generate_bounds_the_quantified_variables(tmp_path: Path) -> None:
    for most, bound in ((0, {"none"}), (1, {"none", "one"})):
        done = chcfuzz(tmp_path, "generate", "--domain=smt", f"to-{most}", "--count=30", f"--quantified={most}")
        assert done.returncode == 0, done.stderr
        problems = [problem(file.read_text()) for file in sorted((tmp_path / f"to-{most}").iterdir())]
        numbers = [len(quantified_in(formula)) for each in problems for formula in each.formulas]
        assert {("none", "one", "more")[min(2, number)] for number in numbers} == bound


def test_generate_bounds_the_size_of_assertions(tmp_path: Path) -> None:
    done = chcfuzz(tmp_path, "generate", "--domain=smt", "drawn", "--count=30", "--size=100")
    assert done.returncode == 0, done.stderr
    problems = [problem(file.read_text()) for file in sorted((tmp_path / "drawn").iterdir())]
    assert max(formula.size for each in problems for formula in each.formulas) > 80


def quantified_in(formula: Term) -> set[Variable]:
    found = (term for term in subterms(formula) if isinstance(term, Quantifier))
    return {variable for each in found for variable in each.variables}


@pytest.mark.parametrize("name", ["quantified", "size"])
def test_generate_refuses_a_bound_for_a_domain_that_does_not_draw(tmp_path: Path, name: str) -> None:
    done = chcfuzz(tmp_path, "generate", "made", f"--{name}=2")
    refused(done, f"--{name} 2 draws SMT problems; add --domain smt")


def test_generate_draws_with_a_model_different_problems_of_a_theory(tmp_path: Path) -> None:
    words = ("generate", "-n", "12", "--model=builtin", "--temperature=0.7", "--theory=LIA", "-o", "drawn")
    done = chcfuzz(tmp_path, *words)
    assert (done.returncode, done.stderr) == (0, "")
    texts = [file.read_text() for file in (tmp_path / "drawn").iterdir()]
    assert len(texts) == len(set(texts)) == 12
    assert {theory for text in texts for theory in problem(text).theories} == {"LIA"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("-n", "1"), "-o DIR"),
        (("made", "-o", "made"), "name one"),
        (("made", "--model=builtin", "--temperature=nan"), "--temperature nan"),
        (("made", "--model=builtin", "--temperature=0"), "--temperature 0"),
        (("made", "--temperature=0.5"), "name one with --model"),
        (("made", "--model=builtin", "--uniform=1.5"), "--uniform 1.5"),
        (("made", "--model=builtin", "--temperature=1e9999999999999999999"), "--temperature 1e9999"),
        (("made", "--model=builtin", "--kind=sat"), "--kind sat"),
        (("made", "--domain=smt", "--levels=3"), "--levels 3"),
        (("made", "--domain=interpolation", "--kind=memory", "--model=builtin"), "draws SMT problems"),
        (("made", "--domain=interpolation", "--kind=memory", "--theory=BV"), "leave the flag out"),
        (("made", "--model=builtin", "--domain=chc"), "--domain smt"),
        (("made", "--kind=drawn", "--levels=3"), "--levels 3"),
        (("made", "--kind=drawn", "--theory=BV"), "leave the flag out"),
        (("made", "--kind=drawn", "--size=3"), "--size 3"),
        (("made", "--kind=drawm"), "'drawm' is not known for CHC systems; name one of sat, unsat, both, drawn"),
        (("made", "--model=gone"), "no model 'gone'"),
    ],
)
def test_generate_refuses_what_it_cannot_use_in_one_line(tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    refused(chcfuzz(tmp_path, "generate", *arguments), told)


def test_generate_refuses_a_folder_that_it_cannot_make(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused(chcfuzz(tmp_path, "generate", "file/made"), "cannot write to 'file/made'")
