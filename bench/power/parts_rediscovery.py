"""Whether campaigns find known faults of Z3's parts from clean neighbours, counted in executions.

    python -m bench.power.parts_rediscovery --direct            judges each faulty question and its neighbour once
    python -m bench.power.parts_rediscovery out.jsonl --trials 10 --runs 2000

A trial is a campaign on the neighbour alone, limited to its part; it succeeds, and ends, if a finding or a waiting
suspicion has the fault of the row. Results are appended to the file, and trials that it has are not repeated. `--only`
chooses rows; `--flag` is a flag of all campaigns, such as `--flag=--features=all`. A file is for one choice of them.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from chcfuzz.domains.parts.domain import DOMAIN
from chcfuzz.domains.parts.part_solver import PartSolver
from chcfuzz.domains.parts.question import PartProblem
from chcfuzz.domains.parts.question_text import read
from chcfuzz.execution.solving import Solving
from chcfuzz.solvers.watchdog import Watchdog

ROOT = Path(__file__).resolve().parents[2]
KNOWN: dict[str, dict[str, str]] = tomllib.loads((ROOT / "bench" / "power" / "parts_known.toml").read_text())
TARGET = ROOT / "fuzz_targets" / "parts.py"
RLIMIT = 1_000_000
_ENOUGH = 0.5  # of the trials of a row
_BETWEEN = 0.5  # seconds between two looks at the findings of a campaign


def text_of(row: dict[str, str], which: str) -> str:
    """Return the text of the faulty question of a row (`formula`), or of its neighbour."""
    return f'(set-info :chcfuzz-part "{row["question"]}")\n{row["declared"]}\n(assert {row[which]})\n(check-sat)\n'


def direct() -> None:
    """Judge each question once, and print the faults that are found."""
    solving = Solving(domain="parts")
    solving.activate()
    watchdog = Watchdog(solving.wall_seconds)
    solver = DOMAIN.solver(solving, None, watchdog)
    assert isinstance(solver, PartSolver)
    found = 0
    for name, row in KNOWN.items():
        faults = [_fault(solver, watchdog, text_of(row, which)) for which in ("formula", "neighbour")]
        is_found = faults[0].startswith(row["fault"])
        found += is_found
        print(f"{name}: {'found' if is_found else 'MISSED'}: {faults[0] or '-'}; its neighbour: {faults[1] or 'clean'}")
    print(f"{found} of {len(KNOWN)} faults are found")
    solver.close()


def _fault(solver: PartSolver, watchdog: Watchdog, text: str) -> str:
    from chcfuzz.domains.parts.oracles.contracts import judged  # it imports Z3, whose release was chosen before

    problem = read(text)
    assert isinstance(problem, PartProblem)
    outcome = solver.solve(text, (), RLIMIT)
    verdicts = (DOMAIN.errors(outcome), judged(problem, outcome, watchdog))
    return next((verdict.fault for verdict in verdicts if verdict.kind.is_finding), "")


def trial(name: str, seed: int, runs: int, given: Sequence[str] = ()) -> dict[str, Any]:
    """Run one campaign; return whether it found the fault, and the executions until then."""
    row = KNOWN[name]
    with tempfile.TemporaryDirectory() as folder:
        seeds = Path(folder) / "seeds"
        seeds.mkdir()
        (seeds / "neighbour.smt2").write_text(text_of(row, "neighbour"))
        part = row["question"].strip("()").split(" ")[0]
        flags = [f"--part={part}", f"-runs={runs}", f"-seed={seed}", "--finish-seconds=1", *given]
        seen = _seen([sys.executable, str(TARGET), "seeds", *flags], Path(folder), row["fault"])
    return {"name": name, "seed": seed, "runs": runs, "found": bool(seen), "execution": min(seen, default=None)}


def _seen(words: Sequence[str], folder: Path, fault: str) -> list[int]:
    """Run a campaign until it ends or its folder has the fault; return the executions that saw the fault."""
    log = folder / "log"
    with log.open("w") as file:
        campaign = subprocess.Popen(words, cwd=folder, stdout=file, stderr=file, start_new_session=True)
    seen: list[int] = []
    while campaign.poll() is None and not seen:
        time.sleep(_BETWEEN)
        seen = list(_executions(folder / "findings", fault))
    if campaign.returncode is None:
        os.killpg(campaign.pid, signal.SIGINT)
    if campaign.wait() != 0 and not seen:
        raise SystemExit(f"the campaign fails: {log.read_text()[-300:]}")
    return seen or list(_executions(folder / "findings", fault))


def _executions(findings: Path, fault: str) -> Iterator[int]:
    """Yield the numbers of the executions that saw a fault, from all findings and suspicions that wait."""
    for file in findings.glob("*/record.json"):
        record = json.loads(file.read_text())
        if record["witness"].startswith(fault):
            yield record["execution"]
    for file in findings.glob(".suspicions/*.json"):
        try:
            suspicion = json.loads(file.read_text())
        except FileNotFoundError:  # it has just been examined
            continue
        if str(suspicion.get("fault", "")).startswith(fault):
            yield suspicion["execution"]


def summary(done: Sequence[Mapping[str, Any]], runs: int) -> Iterator[str]:
    """Yield a line for each row: its successes, and the median of executions, which are all those of other trials."""
    successes = []
    for name in KNOWN:
        results = [each for each in done if each["name"] == name and each["runs"] == runs]
        if results:
            executions = median(each.get("execution") or runs for each in results)
            found = sum(each["found"] for each in results)
            successes.append(found / len(results))
            yield f"{name}: {found} of {len(results)}, median {executions:g} executions"
    enough = sum(share >= _ENOUGH for share in successes)
    yield f"{enough} of {len(KNOWN)} are found in at least half of their trials"


def main() -> None:
    """Run the trials that the file lacks, and print the number of successes by row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", nargs="?", type=Path)
    parser.add_argument("--direct", action="store_true")
    parser.add_argument("--only", nargs="+", choices=tuple(KNOWN), default=tuple(KNOWN), metavar="NAME")
    parser.add_argument("--trials", type=int, default=10)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--flag", action="append", default=[])
    given = parser.parse_args()
    if given.direct or given.out is None:
        direct()
        return
    lines = given.out.read_text().splitlines() if given.out.exists() else []
    done = [json.loads(line) for line in lines]
    known = {(each["name"], each["seed"], each["runs"]) for each in done}
    for seed in range(1, given.trials + 1):
        for name in given.only:
            if (name, seed, given.runs) not in known:
                done.append(trial(name, seed, given.runs, given.flag))
                with given.out.open("a") as file:
                    file.write(json.dumps(done[-1]) + "\n")
    print("\n".join(summary(done, given.runs)))


if __name__ == "__main__":
    main()
