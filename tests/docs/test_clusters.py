"""The commands of docs/clusters.md and the crontab of docs/operations.md, run as they stand."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.targets import ROOT

BLOCK = re.compile(r"<!-- not run: tests/docs/test_clusters.py .*? -->\n```sh\n(.*?)```", re.DOTALL)
PREAMBLE = """
set -eu
hostname() { echo "$MACHINE"; }
nproc() { echo 1; }
"""


def blocks() -> list[str]:
    """The commands of the page, with campaigns that end after some executions."""
    text = (ROOT / "docs" / "clusters.md").read_text()
    return [
        re.sub(r"-max_total_time=\d+", "-runs=40 -seed=1 --second-opinion=0", block) for block in BLOCK.findall(text)
    ]


def run(folder: Path, machine: str, script: str) -> None:
    environment = {
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "HOME": str(Path.home()),
        "MACHINE": machine,
        "LOCAL": str(folder / machine),
        "SHARED": str(folder / "shared"),
    }
    done = subprocess.run(
        ["bash", "-c", PREAMBLE + script], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("rsync") is None, reason="needs rsync")
def test_two_folders_work_as_two_machines(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    for seed in sorted((ROOT / "corpus" / "lia").glob("*.smt2"), key=lambda file: (file.stat().st_size, file.name))[:5]:
        shutil.copy(seed, tmp_path / "corpus")
    once, start, copy, daily, again, join = blocks()
    shared = tmp_path / "shared"
    run(tmp_path, "one", once)
    for machine in ("one", "two"):
        run(tmp_path, machine, start)
        run(tmp_path, machine, copy)
    assert any((shared / "incoming").iterdir())
    assert {path.name for path in (shared / "findings").iterdir()} == {"one", "two"}
    run(tmp_path, "one", daily)
    kept = {path.name for path in (shared / "corpus").iterdir()}
    assert kept
    assert kept <= {path.name for path in (shared / "incoming").iterdir()}
    for machine in ("one", "two"):
        run(tmp_path, machine, again)
        run(tmp_path, machine, copy)
    run(tmp_path, "two", daily)
    assert not (shared / "all").exists()
    for part in "12":
        run(tmp_path, "one", f"chcfuzz minimize $SHARED/corpus $SHARED/part-{part} --shard {part}/2")
        run(tmp_path, "one", f"chcfuzz triage $SHARED/findings/* --shard {part}/2")
    run(tmp_path, "one", join)
    assert {path.name for path in (shared / "small").iterdir()} == {path.name for path in (shared / "corpus").iterdir()}
    assert (shared / "buckets.json").is_file()


@pytest.mark.parametrize(("code", "runs"), [(0, 2), (3, 2), (2, 1)])
def test_the_crontab_starts_a_campaign_again_but_not_after_bad_use(tmp_path: Path, code: int, runs: int) -> None:
    if shutil.which("flock") is None:
        pytest.skip("needs flock")
    text = (ROOT / "docs" / "operations.md").read_text()
    found = re.search(r"^(?:\S+ ){5}(cd /srv/chcfuzz .*)$", text, re.MULTILINE)
    assert found is not None
    program = tmp_path / "venv" / "bin" / "chcfuzz"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/ran\nexit {code}\n')
    program.chmod(0o755)
    for _ in range(2):
        subprocess.run(["sh", "-c", found[1].replace("/srv/chcfuzz", str(tmp_path))], check=False)
    assert (tmp_path / "ran").read_text() == "fuzz --resume run --quiet -max_total_time=0\n" * runs
    assert (tmp_path / "stopped").exists() is (code == 2)
