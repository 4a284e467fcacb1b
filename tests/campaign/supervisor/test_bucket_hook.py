"""The command of --on-bucket is run once for each new signature or bucket, and its failure ends nothing."""

import json
from pathlib import Path

import pytest
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.supervisor.bucket_hook import BucketHook

from tests.targets import SAFETY_NET

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
