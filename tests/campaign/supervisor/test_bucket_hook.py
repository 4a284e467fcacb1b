"""The command of --on-bucket is run once for each new signature or bucket, and its failure ends nothing."""

import json
import time
from pathlib import Path

import pytest
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.supervisor.bucket_hook import MOST_SECONDS, BucketHook

from tests.targets import SAFETY_NET, comes_true, ends, lives

OLD, FIRST, ALIKE, SECOND = (f"wrong-model-{name}" for name in ("0a0a0a-1", "abcdef-2", "abcdef-3", "012345-4"))


@pytest.fixture
def hook_script(tmp_path: Path) -> Path:
    """A command that writes its bucket and its last word to a file."""
    script = tmp_path / "hook"
    script.write_text(f'#!/bin/sh\necho "$CHCFUZZ_BUCKET $2" >> {tmp_path}/out\nexit "$1"\n')
    script.chmod(0o755)
    return script


def run_out(hook: BucketHook) -> None:
    hook.finish(SAFETY_NET)


def test_each_new_signature_runs_it_once(session: Session, tmp_path: Path, hook_script: Path) -> None:
    found = tmp_path / "findings"
    hook = BucketHook(f"{hook_script} 0", found, session.findings, uses_buckets=False)
    hook.begin(frozenset([OLD]))
    for name in (OLD, FIRST, ALIKE):
        session.findings.mark("wrong-model", name)
    run_out(hook)
    assert (tmp_path / "out").read_text() == f"wrong-model-abcdef {found / FIRST}\n"
    session.findings.mark("wrong-model", SECOND)
    run_out(hook)
    assert (tmp_path / "out").read_text().splitlines()[1:] == [f"wrong-model-012345 {found / SECOND}"]


def test_with_triage_it_follows_the_buckets(session: Session, tmp_path: Path, hook_script: Path) -> None:
    found = tmp_path / "findings"
    found.mkdir()
    hook = BucketHook(f"{hook_script} 0", found, session.findings, uses_buckets=True)
    (found / "buckets.json").write_text(json.dumps({"buckets": [{"name": "old", "representative": OLD}]}))
    hook.begin(frozenset([OLD]))
    session.findings.mark("wrong-model", FIRST)
    run_out(hook)
    assert not (tmp_path / "out").exists()
    rows = [{"name": "old", "representative": OLD}, {"name": "new", "representative": FIRST}]
    (found / "buckets.json").write_text(json.dumps({"buckets": rows}))
    run_out(hook)
    assert (tmp_path / "out").read_text() == f"new {found / FIRST}\n"


@pytest.mark.parametrize(
    ("command", "message"), [("{hook} 3", "ended with exit code 3"), ("/no/such/program", "No such file or directory")]
)
def test_a_failure_is_one_line(
    session: Session, hook_script: Path, capsys: pytest.CaptureFixture[str], command: str, message: str
) -> None:
    text = command.replace("{hook}", str(hook_script))
    hook = BucketHook(text, hook_script.parent, session.findings, uses_buckets=False)
    hook.begin(frozenset())
    session.findings.mark("wrong-model", FIRST)
    run_out(hook)
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


@pytest.fixture
def hanging(session: Session, tmp_path: Path) -> BucketHook:
    """A command that starts another process, writes its id to `out`, and ends by itself only after an hour."""
    script = tmp_path / "hanging"
    script.write_text(f"#!/bin/sh\nsleep 3600 &\necho $! >> {tmp_path}/out\nwait\n")
    script.chmod(0o755)
    hook = BucketHook(str(script), tmp_path / "findings", session.findings, uses_buckets=False)
    hook.begin(frozenset())
    for name in (FIRST, SECOND):
        session.findings.mark("wrong-model", name)
    return hook


def has_begun(tmp_path: Path) -> bool:
    return (tmp_path / "out").exists() and (tmp_path / "out").read_text().endswith("\n")


def test_all_commands_at_the_end_have_one_limit_and_leave_no_process(
    hanging: BucketHook, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hanging.update()
    assert comes_true(lambda: has_begun(tmp_path))
    hanging.finish(0.2)
    (child,) = map(int, (tmp_path / "out").read_text().split())
    assert ends(child)
    assert "is killed, because the campaign has ended; 1 more were not run" in capsys.readouterr().err


def test_a_user_in_a_hurry_ends_them_at_once(hanging: BucketHook, tmp_path: Path) -> None:
    hanging.finish(SAFETY_NET, lambda: has_begun(tmp_path))
    (child,) = map(int, (tmp_path / "out").read_text().split())
    assert ends(child)


def test_a_command_that_hangs_during_a_campaign_is_killed_and_the_next_one_runs(
    hanging: BucketHook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hanging.update()
    assert comes_true(lambda: has_begun(tmp_path))
    hanging.update()
    (child,) = map(int, (tmp_path / "out").read_text().split())
    assert lives(child)
    now = time.monotonic()
    monkeypatch.setattr("time.monotonic", lambda: now + MOST_SECONDS + 1)
    hanging.update()
    monkeypatch.undo()
    assert ends(child)
    assert "has not ended after 600 s, and is killed" in capsys.readouterr().err
    assert comes_true(lambda: len((tmp_path / "out").read_text().split()) == 2)
    hanging.stop()
    assert all(map(ends, map(int, (tmp_path / "out").read_text().split())))
