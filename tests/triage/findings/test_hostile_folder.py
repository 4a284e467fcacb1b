"""A findings folder of somebody else is data: its programs do not run, its fields are quoted, links are not read."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from chcfuzz.commands.main import main
from chcfuzz.execution.files import LinkError, read_plain
from chcfuzz.execution.recorded_flags import allowed, chosen, trusted
from chcfuzz.execution.seed_answers import SeedAnswers
from chcfuzz.execution.signed_lines import append_line
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.mutators import roots
from chcfuzz.mutators.roots import DomainError
from chcfuzz.triage.buckets.background import Background
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.confirmation_queue import ConfirmationQueue
from chcfuzz.triage.findings.folder import rewrite
from chcfuzz.triage.findings.record import Finding
from chcfuzz.triage.findings.store import DROPPED, FindingStore, finding_folders
from chcfuzz.triage.findings.suspicions import RESULTS, Result, Suspicions

from tests.campaign.conftest import UNSAT

SAMPLE = Path(__file__).parents[2] / "formats" / "samples" / "finding-4"
NAME = "wrong-model-ed2298-7c8717863a1e"
CODE = ("--command=x y", "--cross=golem", "--solver=module:Class", "--domain=module:object", "--z3-library=/build")


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """A program that leaves a trace when it runs."""
    program = tmp_path / "evil"
    program.write_text('#!/bin/sh\ntouch "$0.ran"\necho sat\n')
    program.chmod(0o755)
    return program


def has_run(program: Path) -> bool:
    return program.with_name(f"{program.name}.ran").exists()


@pytest.fixture
def hostile(tmp_path: Path, evil: Path) -> Path:
    """A findings folder with a finding and a suspicion that name the program."""
    folder = tmp_path / "findings"
    shutil.copytree(SAMPLE, folder / NAME)
    record = msgspec.structs.replace(Finding.read(folder / NAME).record, solving=(f"--command={evil}",))
    (folder / NAME / "record.json").write_bytes(record.to_json())
    seen = Suspicion(UNSAT.encode(), "wrong-answer", "answer", "sat", "unsat", solving=(f"--command={evil}",))
    Suspicions(folder).add(seen)
    return folder


@pytest.mark.parametrize("command", ["show", "replay", "reduce", "locate"])
def test_a_recorded_program_needs_the_users_own_word(
    hostile: Path, evil: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, str(hostile / NAME)]) == 2
    assert f"it was recorded with --command {evil}, which runs code" in capsys.readouterr().err
    assert not has_run(evil)


@pytest.mark.slow
def test_confirm_leaves_a_suspicion_that_names_a_program(
    hostile: Path, evil: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["confirm", str(hostile)]) == 1
    assert "to allow that, add this flag" in capsys.readouterr().err
    assert not has_run(evil)
    assert len(Suspicions(hostile)) == 1
    main(["confirm", str(hostile), "--command", str(evil)])
    assert has_run(evil)


def test_a_campaign_leaves_a_suspicion_with_a_program_that_is_not_its_own(hostile: Path, evil: Path) -> None:
    queue = ConfirmationQueue(FindingStore(hostile, 5), SeedAnswers(), lambda *_: None)
    for name in queue.suspicions.names():
        assert queue.process(name) is None
    assert not has_run(evil)
    assert len(queue.suspicions) == 1


def test_triage_does_not_run_the_program_of_a_finding(
    hostile: Path, evil: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["triage", str(hostile)]) == 0
    assert f"{NAME} not reduced: it was recorded with" in capsys.readouterr().err
    assert "which runs code" in (Background(hostile, 5, 5).process(hostile / NAME).reduction or "")
    assert not has_run(evil)


@pytest.mark.parametrize("word", CODE)
def test_every_flag_that_runs_code_needs_a_word(word: str) -> None:
    with pytest.raises(UsageError, match="runs code"):
        allowed([word], ["--rlimit=7"])
    assert word in allowed([word, "--rlimit=9"], [word])
    with pytest.raises(UsageError, match="runs code"):
        trusted([word], Solving())
    assert trusted([word], Solving.parsed([word])) == Solving.parsed([word])
    with pytest.raises(UsageError, match="runs code"):
        trusted([word], Solving.parsed([f"{word}else"]))


def test_a_domain_of_chcfuzz_needs_no_word() -> None:
    assert "--domain=smt" in allowed(["--domain=smt", "--rlimit=9"], [])
    assert trusted(["--domain=smt"], Solving()) == Solving(domain="smt")


def test_no_other_spelling_gets_a_program_past_the_check() -> None:
    for words in (["--command", "x"], ["--cross", "x"], ["--solver", "m:C"]):
        with pytest.raises(UsageError, match="runs code"):
            allowed(words, [])
    assert allowed(["--comm=x", "--json", "positional"], []) == []  # not flags of a configuration


def test_words_of_the_user_replace_recorded_ones() -> None:
    assert allowed(["--command=old", "--rlimit=9"], ["--command", "new"]) == ["--rlimit=9", "--command", "new"]
    assert allowed(["--z3-library=/b"], ["--z3", "5.4.0.0"]) == ["--z3", "5.4.0.0"]
    assert chosen(["--z3=1", "--command=x"], ["--z3=2"]) == ["--command=x", "--z3=2"]


def test_a_recorded_domain_imports_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hostile_domain.py").write_text("raise SystemExit('it is imported')")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(DomainError, match="add --domain hostile_domain:DOMAIN"):
        roots.load("hostile_domain:DOMAIN", recorded=True)
    assert roots.load("chc", recorded=True) is roots.load(None)


def test_fields_of_a_record_are_quoted_in_the_script(tmp_path: Path) -> None:
    finding = tmp_path / NAME
    shutil.copytree(SAMPLE, finding)
    harm = {name: f"$(touch {tmp_path / name}); touch {tmp_path / name}\ntouch {tmp_path / name}" for name in "abcd"}
    record = Finding.read(finding).record
    record = msgspec.structs.replace(
        record, promise=harm["a"], answer=harm["b"], witness=harm["c"], expected=harm["d"], witness_for=None
    )
    (finding / "record.json").write_bytes(record.to_json())
    rewrite(finding)
    environment = {**os.environ, "Z3": "true", "PYTHON": "true"}
    subprocess.run(["sh", str(finding / "show.sh")], env=environment, capture_output=True, check=True)
    del environment["Z3"]
    shutil.copy(shutil.which("true") or "", tmp_path / "python3")
    environment["PATH"] = f"{tmp_path}:{environment['PATH']}"
    subprocess.run(["sh", str(finding / "show.sh")], env=environment, capture_output=True, check=False)
    assert not any((tmp_path / name).exists() for name in harm)


@pytest.mark.slow
def test_a_report_follows_no_link_and_copies_no_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    finding, secret = tmp_path / NAME, tmp_path / "secret"
    shutil.copytree(SAMPLE, finding)
    secret.write_text("private")
    (finding / "ask_z3.py").write_text("raise SystemExit('the folder's own program')")
    assert main(["report", str(finding), "--no-bisect", "--out", str(tmp_path / "first")]) == 0
    assert "own program" not in (tmp_path / "first" / "ask_z3.py").read_text()
    (finding / "seed.smt2").unlink(missing_ok=True)
    (finding / "seed.smt2").symlink_to(secret)
    assert main(["report", str(finding), "--out", str(tmp_path / "second")]) == 2
    assert "links are not followed" in capsys.readouterr().err
    assert not (tmp_path / "second").exists()


@pytest.mark.parametrize("name", ["record.json", "recipe"])
def test_a_link_in_a_finding_is_not_read(tmp_path: Path, name: str) -> None:
    finding = tmp_path / NAME
    shutil.copytree(SAMPLE, finding)
    (finding / name).rename(tmp_path / "elsewhere")
    (finding / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(LinkError, match="links are not followed"):
        _ = Finding.read(finding).unit


def test_a_link_in_the_spool_is_put_aside(hostile: Path, tmp_path: Path) -> None:
    suspicions = Suspicions(hostile)
    (name,) = suspicions.names()
    suspicions.path(name).rename(tmp_path / "elsewhere")
    suspicions.path(name).symlink_to(tmp_path / "elsewhere")
    assert suspicions.read(name) is None
    assert suspicions.names() == []
    assert (tmp_path / "elsewhere").exists()


def test_a_link_to_a_folder_is_not_a_finding(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, tmp_path / "elsewhere")
    (tmp_path / "findings").mkdir()
    (tmp_path / "findings" / NAME).symlink_to(tmp_path / "elsewhere")
    assert finding_folders(tmp_path / "findings") == []


def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(LinkError):
        read_plain(tmp_path / "pipe")


def test_a_suspicion_of_the_campaigns_own_solver_is_confirmed() -> None:
    own = Solving(solver="m:C", rlimit=7)
    assert trusted(replace(own, rlimit=9).arguments, own) == replace(own, rlimit=9)


@pytest.mark.parametrize("command", ["solver -model {}", '"/opt/the solver" {} "-x y"', "solver"])
def test_a_suspicion_of_the_campaigns_own_command_is_confirmed(command: str) -> None:
    own = Solving.parsed(["--command", command, "--cross", command])
    assert trusted(own.arguments, own).solver_key("") == own.solver_key("")
    with pytest.raises(UsageError, match="runs code"):
        trusted(own.arguments, replace(own, cross=(f"{command} else",)))


def test_the_page_names_every_flag_that_runs_code() -> None:
    text = (Path(__file__).parents[3] / "SECURITY.md").read_text()
    assert all(f"`{word.partition('=')[0]}`" in text for word in CODE)


@pytest.mark.parametrize("command", ["replay", "reduce"])
def test_a_finding_whose_record_is_of_another_version_is_not_run_with_other_flags(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    finding = tmp_path / NAME
    shutil.copytree(SAMPLE, finding)
    record = finding / "record.json"
    record.write_text(record.read_text().replace("chcfuzz-finding 4", "chcfuzz-finding 3"))
    assert main([command, str(finding)]) == 2
    said = capsys.readouterr().err
    assert "is not of the format 'chcfuzz-finding 4' but of 'chcfuzz-finding 3'" in said
    assert "or name the file 'recipe' in it" in said


@pytest.mark.parametrize("command", ["reduce", "locate", "report"])
@pytest.mark.parametrize("name", ["mutant.smt2", "evidence.smt2"])
def test_a_script_that_lets_its_solver_write_a_file_is_refused(
    tmp_path: Path, command: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "findings" / NAME
    shutil.copytree(SAMPLE, folder)
    with (folder / name).open("a") as file:
        file.write('(set-option ; a comment\n :diagnostic-output-channel "/home/somebody/.profile")\n')
    before = sorted(folder.iterdir())
    given = {"report": ["--buckets", str(tmp_path / "none.json"), "--out", str(tmp_path / "out")]}
    assert main([command, str(folder), *given.get(command, [])]) == 2
    assert (
        f"{name}' sets :diagnostic-output-channel, with which a solver may overwrite a file" in capsys.readouterr().err
    )
    assert sorted(folder.iterdir()) == before
    assert not (tmp_path / "out").exists()
    with pytest.raises(ChcfuzzError):
        rewrite(folder)


def test_names_of_removed_findings_by_others_take_no_room_and_their_results_cost_an_execution(tmp_path: Path) -> None:
    store = FindingStore(tmp_path, 1)
    signature = Finding.read(SAMPLE).record.signature
    name, waiting = f"{signature.name}-0123456789ab", "wrong-model-1234"
    (tmp_path / DROPPED).write_text(f"{name}\n{name}\t{'0' * 32}\n")
    (tmp_path / RESULTS).write_text(f"{waiting}\t\n{waiting}\t\t{'0' * 32}\n")
    assert store.has_room(signature)
    assert Suspicions(store.folder).lost([waiting]) == {waiting}
    append_line(tmp_path / DROPPED, name)
    append_line(tmp_path / DROPPED, f"{name}x")
    Suspicions(store.folder).note(waiting, Result())
    assert not store.has_room(signature)
    assert Suspicions(store.folder).lost([waiting]) == set()
