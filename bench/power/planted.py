"""Check the reports of campaigns on solvers with a planted fault.

python -m bench.power.planted --into planted                  # every cell; stop and start again at any time
python -m bench.power.planted --into planted --jobs 2
python -m bench.power.planted --cell wrong_sat/default/lia    # single cells; * and ? match
python -m bench.power.planted --into planted --markdown       # the table of docs/measurements.md

A cell is a fault, a condition for it, and a theory (`planted_solver.py`). Each cell is one campaign
with a fixed seed of libFuzzer, on a safe and an unsafe system of the theory, without other sources of bugs: few rows,
and the solver is Spacer apart from the fault. The condition "default" is a property of the system that only mutations
make, "switch" is one parameter. `EXPECTED` is the report that a fault deserves, with the reason.

A cell passes if the campaign ends with exit code 0 and a summary, without internal errors and failed confirmations; if
it reports the expected kinds and no others, each with one signature for both seeds, since the cell has one bug; and
if each finding has exactly the parameters that the fault needs. With `--into DIR`, results are appended to
DIR/cells.jsonl, and cells that are there already are not run again. The exit code is 1 if a cell fails.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec
from chcfuzz.triage.findings.record import Record

from bench.campaigns import CORPUS, ROOT, SPACER, ResultFile, parser, print_table, summary_of, write_json
from bench.power.planted_solver import CONDITIONS, FAULTS, SWITCH

SYSTEMS = {
    "lia": "lia/even-steps",
    "lra": "lra/bouncing-ball",
    "bv": "bv/counter-overflow",
    "arrays": "arrays/find",
    "adt": "adt/list-length",
    "bool": "bool/johnson-counter",
}
ROWS = "boolean.dup-and,order.shuffle-clauses,parameter.fp.spacer.ctp"
SLOW = ("hang", "stuck")
_SECONDS = 900.0  # limit of one campaign, which takes 10 to 60 seconds on an idle processor


@dataclass(frozen=True)
class Expectation:
    """The report that a fault deserves, and the reason.

    `kinds` are the kinds of findings. `vanished` are the kinds of suspicions that a fresh process must not reproduce.
    `counter` names a number in the summary that must not be zero.
    """

    reason: str
    kinds: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()
    counter: str = ""


EXPECTED = {
    "none": Expectation("every finding would be a false alarm"),
    "wrong_sat": Expectation("a checked refutation contradicts the answer", ("wrong-answer",)),
    "wrong_unsat": Expectation("a checked model contradicts the answer", ("wrong-answer",)),
    "wrong_model": Expectation("the answer is right, and a fact is false under the model", ("wrong-model",)),
    "dropped_clause": Expectation(
        "one fault with two symptoms: a wrong sat for the unsafe system, a wrong model for the safe one",
        ("wrong-answer", "wrong-model"),
    ),
    "death": Expectation("a fresh process dies of the same unit in the same way", ("crash",)),
    "hang": Expectation("slowness is counted and is not a finding", counter="hangs"),
    "stuck": Expectation(
        "slowness is not a finding: the worker is replaced, and the unit is not executed again", counter="replaced"
    ),
    "chatter": Expectation(
        "output of the solver is not part of any protocol, so its wrong unsat is reported as always", ("wrong-answer",)
    ),
    "memory": Expectation("a fresh process reaches the memory limit again", ("memory",)),
    "second_time": Expectation(
        "the first answer of a fresh process is right, and Spacer does not have sessions to repeat",
        vanished=("wrong-answer",),
    ),
}


@dataclass(frozen=True)
class Cell:
    """A fault, its condition and a theory."""

    fault: str
    condition: str
    theory: str

    @property
    def name(self) -> str:
        """Name in `--cell` and in the results."""
        return f"{self.fault}/{self.condition}/{self.theory}"

    @property
    def solver(self) -> str:
        """Value of `--solver`."""
        return f"bench.power.planted_solver:{self.fault}_{self.condition}"


class Found(msgspec.Struct, frozen=True):
    """A finding: its kind, the name of its signature, and its parameters."""

    kind: str
    signature: str
    parameters: Mapping[str, str]


class Result(msgspec.Struct, frozen=True):
    """Report of the campaign of a cell.

    `code` is the exit code. `counts` holds numbers of the summary, and `vanished` the suspicions that were not
    reproduced, by kind; both are empty without a summary, and `error` is then the end of the standard error.
    """

    cell: str
    code: int
    seconds: float
    findings: tuple[Found, ...] = ()
    counts: Mapping[str, int] = {}
    vanished: Mapping[str, int] = {}
    error: str = ""

    @property
    def signatures(self) -> Counter[str]:
        """Number of signatures by kind."""
        return Counter(kind for kind, _ in {(found.kind, found.signature) for found in self.findings})


CELLS = tuple(Cell(fault, condition, theory) for theory in SYSTEMS for fault in FAULTS for condition in CONDITIONS)


def run(cell: Cell, executions: int) -> Result:
    """Run the campaign of a cell."""
    with tempfile.TemporaryDirectory(prefix="chcfuzz-bench-") as name:
        folder = Path(name)
        corpus = folder / "seeds"
        corpus.mkdir()
        for safety in ("safe", "unsafe"):
            file = CORPUS / f"{SYSTEMS[cell.theory]}-{safety}.smt2"
            (corpus / file.name).write_bytes(file.read_bytes())
        flags = [f"--solver={cell.solver}", f"--rows={ROWS}", "--policy=equal", "--rlimit=50000", "--per-bucket=1"]
        flags += ["--finish-seconds=600", "--findings=found", "-seed=1"]
        if cell.fault in SLOW:  # each hang takes seconds
            flags += ["--wall-seconds=1", f"-runs={2 * executions // 3}"]
        else:
            flags += ["--wall-seconds=60", f"-runs={executions}"]
        paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
        start = time.monotonic()
        done = subprocess.run(
            [sys.executable, str(SPACER), *flags, "seeds"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
        return _result(cell, done, folder / "found", time.monotonic() - start)


def _result(cell: Cell, done: subprocess.CompletedProcess[str], findings: Path, seconds: float) -> Result:
    summary = summary_of(done.stdout)
    if not summary:
        return Result(cell.name, done.returncode, round(seconds, 1), error=done.stderr[-2000:])
    counts = {name: summary[name] for name in ("executions", "hangs", "crashes", "replaced", "own_errors")}
    counts |= {name: summary["suspicions"][name] for name in ("seen", "waiting", "failed")}
    found = tuple(map(_found, sorted(findings.glob("*/record.json"))))
    vanished = summary["suspicions"]["vanished"]
    return Result(cell.name, done.returncode, round(seconds, 1), found, counts, vanished)


def _found(file: Path) -> Found:
    record = msgspec.json.decode(file.read_bytes(), type=Record)
    return Found(record.kind, record.signature.name, record.parameters)


def faults_of(cell: Cell, result: Result) -> list[str]:
    """Return the differences between a result and the expected report; empty if the cell passes."""
    expected = EXPECTED[cell.fault]
    if not result.counts:
        return [f"exit code {result.code} without a summary"]
    parameters = dict([SWITCH]) if cell.condition == "switch" else {}
    faults = [f"exit code {result.code}"] if result.code else []
    for name in ("own_errors", "failed"):
        faults += [f"{name}: {result.counts[name]}"] if result.counts[name] else []
    faults += [f"no {kind}" for kind in expected.kinds if kind not in result.signatures]
    faults += [f"unexpected {kind}" for kind in sorted(result.signatures) if kind not in expected.kinds]
    faults += [f"{number} signatures of {kind}" for kind, number in sorted(result.signatures.items()) if number > 1]
    faults += sorted(
        {f"{found.kind} with {_names(found)}" for found in result.findings if found.parameters != parameters}
    )
    faults += [f"no vanished {kind}" for kind in expected.vanished if kind not in result.vanished]
    faults += [f"vanished {kind}" for kind in sorted(result.vanished) if kind not in expected.vanished]
    if expected.counter and not result.counts[expected.counter]:
        faults.append(f"{expected.counter}: 0")
    return faults


def _names(found: Found) -> str:
    return " ".join(f"{name}={value}" for name, value in found.parameters.items()) or "default parameters"


def _row(cell: Cell, result: Result) -> list[object]:
    """Return the table row of a cell."""
    expected, wrong = EXPECTED[cell.fault], faults_of(cell, result)
    reported = [f"{kind} {number}" for kind, number in sorted(result.signatures.items())]
    reported += [f"vanished {kind}" for kind in sorted(result.vanished)]
    reported += [f"{expected.counter} {result.counts[expected.counter]}"] if result.counts and expected.counter else []
    deserved = [*expected.kinds, *(f"vanished {kind}" for kind in expected.vanished), *filter(None, [expected.counter])]
    cells = [", ".join(deserved) or "nothing", ", ".join(reported) or "nothing", "; ".join(wrong) or "pass"]
    return [cell.name, *cells, f"{result.seconds:.0f} s"]


def _markdown(results: Mapping[str, Result]) -> list[str]:
    """Return the table of docs/measurements.md: a row for each fault, with the cells that pass under each condition."""
    lines = ["| fault | expected | reason | default | one switch |", "| --- | --- | --- | --- | --- |"]
    for fault in FAULTS:
        shares = []
        for condition in CONDITIONS:
            cells = [cell for cell in CELLS if (cell.fault, cell.condition) == (fault, condition)]
            among = [cell for cell in cells if cell.name in results]
            passed = [cell for cell in among if not faults_of(cell, results[cell.name])]
            shares.append(f"{len(passed)} of {len(among)}")
        expected = EXPECTED[fault]
        kinds = [f"`{kind}`" for kind in expected.kinds] + [f"`{kind}` not reproduced" for kind in expected.vanished]
        counted = f"counted as `{expected.counter}`" if expected.counter else "nothing"
        lines.append(f"| `{fault}` | {', '.join(kinds) or counted} | {expected.reason} | {' | '.join(shares)} |")
    return lines


def _chosen(patterns: Sequence[str]) -> list[Cell]:
    chosen = [cell for cell in CELLS if any(fnmatchcase(cell.name, pattern) for pattern in patterns or "*")]
    if not chosen:
        raise SystemExit(f"no cell is named {patterns}; a name is fault/condition/theory, such as {CELLS[0].name}")
    return chosen


def main() -> int:
    """Run the cells without a result, and print the table."""
    flags = parser(__doc__)
    flags.add_argument("--cell", action="append", default=[], metavar="PATTERN", help="only these; may be repeated")
    flags.add_argument("--executions", type=int, default=30, metavar="N", help="of a campaign (default: %(default)s)")
    flags.add_argument("--jobs", type=int, default=1, metavar="N", help="campaigns at once (default: %(default)s)")
    flags.add_argument("--into", type=Path, metavar="DIR", help="folder for cells.jsonl")
    flags.add_argument("--markdown", action="store_true", help="print the table of docs/measurements.md")
    given = flags.parse_args()
    cells = _chosen(given.cell)
    file = ResultFile(None if given.into is None else given.into / "cells.jsonl", Result)
    results = {result.cell: result for result in file.read()}

    def measure(cell: Cell) -> Result:
        return run(cell, given.executions)

    with ThreadPoolExecutor(given.jobs) as pool:
        for result in pool.map(measure, [cell for cell in cells if cell.name not in results]):
            results[result.cell] = result
            print(f"{result.cell}: {result.seconds} s", file=sys.stderr, flush=True)
            file.add(result)
    if given.markdown:
        print("\n".join(_markdown(results)))
    else:
        head = ["cell", "expected", "signatures reported", "result", "time"]
        print_table([head, *(_row(cell, results[cell.name]) for cell in cells)])
    failed = [cell for cell in cells if faults_of(cell, results[cell.name])]
    print(f"{len(cells) - len(failed)} of {len(cells)} cells pass", file=sys.stderr)
    write_json(given.json, {cell.name: faults_of(cell, results[cell.name]) for cell in cells})
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
