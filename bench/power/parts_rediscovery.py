"""Whether campaigns find known faults of Z3's parts from clean neighbours, counted in executions.

    python -m bench.power.parts_rediscovery --direct            judges each faulty question and its neighbour once
    python -m bench.power.parts_rediscovery out.jsonl --trials 10 --runs 2000

A trial is a campaign on the neighbour alone, limited to its part; it succeeds if a finding or a waiting suspicion has
the fault of the row. Results are appended to the file, and trials that it has are not repeated.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
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


def trial(name: str, seed: int, runs: int) -> dict[str, Any]:
    """Run one campaign; return whether it found the fault, and the executions until then."""
    row = KNOWN[name]
    with tempfile.TemporaryDirectory() as folder:
        seeds = Path(folder) / "seeds"
        seeds.mkdir()
        (seeds / "neighbour.smt2").write_text(text_of(row, "neighbour"))
        part = row["question"].strip("()").split(" ")[0]
        flags = [f"--part={part}", f"-runs={runs}", f"-seed={seed}", "--finish-seconds=1"]
        done = subprocess.run(
            [sys.executable, str(TARGET), "seeds", *flags], cwd=folder, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise SystemExit(f"{name}: the campaign fails: {done.stderr[-300:]}")
        is_found = any(fault.startswith(row["fault"]) for fault in _faults(Path(folder) / "findings"))
    return {"name": name, "seed": seed, "runs": runs, "found": is_found}


def _faults(findings: Path) -> Iterator[str]:
    """Yield the words of all findings and of suspicions that wait."""
    for file in findings.glob("*/record.json"):
        yield json.loads(file.read_text())["witness"]
    for file in findings.glob(".suspicions/*.json"):
        yield str(json.loads(file.read_text()).get("detail", ""))


def main() -> None:
    """Run the trials that the file lacks, and print the number of successes by row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", nargs="?", type=Path)
    parser.add_argument("--direct", action="store_true")
    parser.add_argument("--trials", type=int, default=10)
    parser.add_argument("--runs", type=int, default=2000)
    given = parser.parse_args()
    if given.direct or given.out is None:
        direct()
        return
    lines = given.out.read_text().splitlines() if given.out.exists() else []
    done = [json.loads(line) for line in lines]
    known = {(each["name"], each["seed"], each["runs"]) for each in done}
    for seed in range(1, given.trials + 1):
        for name in KNOWN:
            if (name, seed, given.runs) not in known:
                done.append(trial(name, seed, given.runs))
                with given.out.open("a") as file:
                    file.write(json.dumps(done[-1]) + "\n")
    for name in KNOWN:
        results = [each["found"] for each in done if each["name"] == name and each["runs"] == given.runs]
        print(f"{name}: {sum(results)} of {len(results)}")
    shares = [sum(r) for r in ([e["found"] for e in done if e["name"] == n] for n in KNOWN)]
    print(f"median {median(shares)} of {given.trials}")


if __name__ == "__main__":
    main()
