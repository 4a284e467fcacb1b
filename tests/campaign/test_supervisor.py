"""Who watches over libFuzzer leaves nothing running behind."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from chcfuzz.campaign import supervisor
from chcfuzz.campaign.options import Options

from tests.targets import ends

# A worker that starts a job, tells both numbers, and goes on for long.
WORKER = """
import os, subprocess, sys, time
job = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
with open({told!r}, "w") as file:
    file.write(f"{{os.getpid()}} {{job.pid}} told")
time.sleep(300)
"""


def test_an_error_while_libfuzzer_runs_leaves_no_process_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: Callable[..., Options]
) -> None:
    told = tmp_path / "told"
    script = tmp_path / "worker.py"
    script.write_text(WORKER.format(told=str(told)))

    def full(_self: object) -> None:
        if told.exists() and told.read_text().endswith("told"):
            raise OSError("no space left")

    monkeypatch.setattr("signal.signal", lambda *_: None)  # those of this process stay
    monkeypatch.setattr(supervisor.Supervisor, "_look_after_it", full)
    with pytest.raises(OSError, match="no space left"):
        supervisor.supervise(script, options(f"--state={tmp_path / 'state'}", "--status-seconds=0.2"), "a campaign")
    worker, job, _ = told.read_text().split()
    left = [process for process in (int(worker), int(job)) if not ends(process)]
    for process in left:
        os.kill(process, 9)
    assert not left
