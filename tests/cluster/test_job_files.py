"""Job files: a script that sbatch takes, and objects that Kubernetes takes."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from chcfuzz.cluster.job_files import kubernetes_objects, slurm_job
from chcfuzz.commands import main

from tests.cluster.conftest import FLAGS, Cluster

SCHEMA = json.loads(Path(__file__).with_name("kubernetes.schema.json").read_text())
WORDS = ("-m", "chcfuzz.commands", "cluster", "fuzz", "--into=/out dir", "--store=/shared", "--", "-runs=20")
SBATCH = {"job-name", "ntasks", "cpus-per-task", "mem-per-cpu", "time", "output"}  # long options of sbatch(1)


@pytest.fixture(scope="module")
def objects() -> list[dict[str, Any]]:
    """The objects of a job for Kubernetes."""
    return list(yaml.safe_load_all(kubernetes_objects(3, WORDS, "image:1")))


def test_a_slurm_job_is_a_script_with_known_options(tmp_path: Path) -> None:
    job = tmp_path / "job.sh"
    job.write_text(slurm_job(3, WORDS, sys.executable, "/shared run", tmp_path / "tls"))
    assert subprocess.run(["bash", "-n", job], check=False).returncode == 0
    lines = job.read_text().splitlines()
    options = dict(line.removeprefix("#SBATCH --").split("=") for line in lines if line.startswith("#SBATCH"))
    assert options.keys() == SBATCH
    assert options["ntasks"] == "5"
    last = max(number for number, line in enumerate(lines) if line.startswith("#SBATCH"))
    assert all(line.startswith("#") for line in lines[:last]), "sbatch reads options before the first command only"
    assert re.search(r"cluster fuzz --scheduler \"\$scheduler\" --tls \S+ '--into=/out dir'", job.read_text())


@pytest.mark.exhaustive
def test_a_slurm_job_runs_with_a_stand_in_for_srun(tmp_path: Path, chcfuzz: Cluster, seeds: Path) -> None:
    place = tmp_path / "a place"
    words = ("--into=out", "--slices=1", f"--store={place}/store", "--", "-runs=5", *FLAGS, seeds)
    assert (
        chcfuzz("fuzz", f"--slurm={place.parent}/job.sh", "--workers=1", f"--tls={place}/tls", *words).returncode == 0
    )
    program = tmp_path / "bin" / "srun"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\n[ "$1 $2" = "--ntasks=1 --exact" ] && shift 2 && exec "$@"\n')
    program.chmod(0o755)
    variables = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "SLURM_JOB_ID": "7"}
    done = subprocess.run(["bash", "job.sh"], cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "1 slice: 5 executions" in done.stdout
    assert (place / "store" / "slices" / "00000-00000.pack").is_file()
    assert not list((place / "store").glob("scheduler-*"))


def test_kubernetes_objects_have_the_fields_of_their_schema(objects: list[dict[str, Any]]) -> None:
    for each in objects:
        jsonschema.validate(each, SCHEMA)
    service, scheduler, worker = objects
    labels = [job["spec"]["template"]["metadata"]["labels"] for job in (scheduler, worker)]
    assert service["spec"]["selector"] in labels
    assert worker["spec"]["parallelism"] == worker["spec"]["completions"] == 3
    wrong = {**scheduler, "spec": {**scheduler["spec"], "paralelism": 1}}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, SCHEMA)


def test_a_job_is_written_with_its_certificates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["cluster", "fuzz", "--workers", "3", "--into", "out", "--store", "shared"]
    assert main.main([*words, "--slurm", "job.sh", "--", "-runs=5", "corpus/"]) == 0
    assert main.main([*words[:-1], "s3://b/run", "--kubernetes", "job.yaml", "--", "-runs=5", "corpus/"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "sbatch job.sh"
    assert printed[2] == "kubectl apply -f job.yaml"
    assert f"--into out --store={tmp_path}/shared -- -runs=5 corpus/" in (tmp_path / "job.sh").read_text()
    assert {path.name for path in (tmp_path / "job.tls").iterdir()} == {"ca.pem", "cert.pem", "key.pem"}
    assert "--store=s3://b/run" in (tmp_path / "job.yaml").read_text()
    assert main.main([*words[:-2], "--slurm", "job.sh", "--", "corpus/"]) == 2
    assert main.main([*words[:-1], "s3://b/run", "--slurm", "job.sh", "--", "corpus/"]) == 2
    errors = capsys.readouterr().err
    assert "name a --store that all workers can reach" in errors
    assert "the store of a job for Slurm is a folder" in errors


def test_without_the_extra_one_line_names_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.startswith("chcfuzz.cluster")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "dask", None)  # as if it were not installed
    assert main.main(["cluster", "minimize", "--local", "1", "--", "a", "b"]) == 2
    assert capsys.readouterr().err == "chcfuzz: chcfuzz cluster needs dask; pip install 'chcfuzz[cluster]'\n"
