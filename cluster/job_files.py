"""Files that start a scheduler, workers and a `chcfuzz cluster` command: a script for Slurm, objects for Kubernetes."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from chcfuzz.cluster.connection import CA, CERTIFICATE, KEY

PORT = 8786
_NAME, _SECRET, _TLS = "chcfuzz", "chcfuzz-tls", "/tls"
_SLURM = """\
#!/bin/bash
#SBATCH --job-name=chcfuzz
#SBATCH --ntasks={tasks}
#SBATCH --cpus-per-task=1
#SBATCH --mem-per-cpu=2G
#SBATCH --time=24:00:00
#SBATCH --output=chcfuzz-%j.log
# The first two tasks are the scheduler and the command, the other {workers} are workers. The folder of the store and
# that of the certificates have to be visible on all nodes. If the job is ended, the same job continues.
set -eu
scheduler={store}/scheduler-$SLURM_JOB_ID.json
tls=(--tls-ca-file {tls}/{ca} --tls-cert {tls}/{certificate} --tls-key {tls}/{key})
mkdir -p {store}
srun --ntasks=1 --exact {python} -m distributed.cli.dask_scheduler --protocol tls --port 0 --no-dashboard \\
    --scheduler-file "$scheduler" "${{tls[@]}}" &
srun --ntasks={workers} --exact {python} -m distributed.cli.dask_worker --protocol tls --nthreads 1 \\
    --memory-limit 0 --death-timeout 300 --no-dashboard --scheduler-file "$scheduler" "${{tls[@]}}" &
until [ -e "$scheduler" ]; do sleep 1; done
code=0
srun --ntasks=1 --exact {command} || code=$?
rm -f "$scheduler"
kill $(jobs -p) 2> /dev/null || true
wait
exit $code
"""


def slurm_job(workers: int, words: Sequence[str], python: str, store: str, tls: Path) -> str:
    """Return a script for `sbatch`; `words` are the arguments of Python for the command, without the scheduler."""
    quoted_store, quoted_tls = shlex.quote(store), shlex.quote(str(tls))
    program = shlex.join([python, *words[:4]])
    command = f'{program} --scheduler "$scheduler" --tls {quoted_tls} {shlex.join(words[4:])}'
    return _SLURM.format(
        tasks=workers + 2,
        workers=workers,
        store=quoted_store,
        tls=quoted_tls,
        ca=CA,
        certificate=CERTIFICATE,
        key=KEY,
        python=shlex.quote(python),
        command=command,
    )


def kubernetes_objects(workers: int, words: Sequence[str], image: str) -> str:
    """Return a service and two jobs as YAML; `words` are the arguments of Python, without the scheduler.

    The pod of the command also has the scheduler. The certificates are in the secret `chcfuzz-tls`.
    """
    here = ["--scheduler", f"tls://localhost:{PORT}", "--tls", _TLS]
    tls = ["--tls-ca-file", f"{_TLS}/{CA}", "--tls-cert", f"{_TLS}/{CERTIFICATE}", "--tls-key", f"{_TLS}/{KEY}"]
    quiet = ["--protocol", "tls", "--no-dashboard", *tls]
    scheduler = ["-m", "distributed.cli.dask_scheduler", "--port", str(PORT), *quiet]
    worker = ["-m", "distributed.cli.dask_worker", f"tls://{_NAME}:{PORT}", "--nthreads", "1", "--memory-limit", "0"]
    worker += ["--death-timeout", "300"]  # seconds without a scheduler, so that the job ends with it
    # A sidecar: an init container that restarts ends with the pod's last container.
    beside = {**_container("scheduler", image, scheduler), "restartPolicy": "Always"}
    command = _container("command", image, [*words[:4], *here, *words[4:]])
    objects = [
        {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": {"name": _NAME},
            "spec": {"selector": {"app": f"{_NAME}-scheduler"}, "ports": [{"port": PORT, "targetPort": PORT}]},
        },
        _job("scheduler", 1, {"initContainers": [beside], "containers": [command]}),
        _job("worker", workers, {"containers": [_container("worker", image, [*worker, *quiet])]}),
    ]
    return str(yaml.safe_dump_all(objects, sort_keys=False))


def _container(name: str, image: str, words: Sequence[str]) -> dict[str, Any]:
    return {
        "name": name,
        "image": image,
        "command": ["python3"],
        "args": list(words),
        "resources": {"requests": {"cpu": "1", "memory": "2Gi"}},
        "volumeMounts": [{"name": "tls", "mountPath": _TLS, "readOnly": True}],
    }


def _job(name: str, number: int, containers: dict[str, Any]) -> dict[str, Any]:
    """Return a job whose pods start again when their node is lost."""
    pod = {"restartPolicy": "OnFailure", **containers}
    pod["volumes"] = [{"name": "tls", "secret": {"secretName": _SECRET}}]
    labels = {"app": f"{_NAME}-{name}"}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": f"{_NAME}-{name}"},
        "spec": {
            "parallelism": number,
            "completions": number,
            "backoffLimit": 100,
            "template": {"metadata": {"labels": labels}, "spec": pod},
        },
    }
