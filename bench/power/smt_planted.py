"""Check that campaigns find planted faults of each SMT solver, under the right name (tests/domains/smt/planted.py).

python -m bench.power.smt_planted --into planted    # every cell; stop and start again at any time
python -m bench.power.smt_planted --into planted --cell 'death of bitwuzla'

A cell is a fault and a solver: a campaign with a fixed seed of libFuzzer on two small problems that show the fault,
and all three solvers solve each problem. A cell passes if its findings have the expected kinds and accuse this solver
alone; a hang must be counted as one of this solver, and is not a finding. The exit code is 1 if a cell fails.

The problems have bit-vectors, which all solvers decide. Those of the cells "under quantifiers" have integers and
quantifiers, which only Z3 and cvc5 decide: a contradiction between them accuses neither, unless a model or a third
solver decides the assertions that the answer unsat needs. No cell passes if it accuses a solver without the fault.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec
from chcfuzz.triage.findings.record import Record

from bench.campaigns import ROOT, ResultFile, parser, print_table, summary_of, write_json

SMT = ROOT / "fuzz_targets" / "smt.py"
DOMAIN = "tests.domains.smt.planted"
# The kinds that a fault may have. With an empty model, a wrong sat is a contradiction or a wrong model.
EXPECTED: Mapping[str, frozenset[str]] = {
    "sat_for_unsat": frozenset(("contradiction", "wrong-answer", "wrong-model")),
    "unsat_for_sat": frozenset(("wrong-answer",)),
    "wrong_value": frozenset(("wrong-model",)),
    "dropped_assertion": frozenset(("wrong-model", "contradiction", "wrong-answer")),
    "death": frozenset(("crash",)),
    "hang": frozenset(),
}
SOLVERS = ("z3", "cvc5", "bitwuzla")
PROBLEMS = {
    "sat": "(declare-const x (_ BitVec 6))(declare-const y (_ BitVec 6))(assert (= (bvurem x #b000111) #b000011))"
    "(assert (bvugt x #b010100))(assert (bvult y x))",
    "unsat": "(declare-const x (_ BitVec 6))(declare-const y (_ BitVec 6))(assert (= (bvurem x #b000100) #b000011))"
    "(assert (= x (bvshl y #b000001)))",
}
_WITHOUT_STATUS = " under quantifiers"
QUANTIFIED = {
    "sat": "(declare-const a Int)(assert (forall ((x Int)) (=> (> x a) (> (+ x (mod a 4)) 10))))"
    "(assert (< (mod a 5) 2))",
    "unsat": "(declare-fun f (Int) Int)(assert (forall ((x Int)) (= (mod (f x) 4) 3)))(assert (= (f 2) 8))",
}
CELLS = (
    *(f"{fault} of {solver}" for fault in EXPECTED for solver in SOLVERS),
    *(f"{fault} of {s}{_WITHOUT_STATUS}" for fault in ("sat_for_unsat", "unsat_for_sat") for s in ("z3", "cvc5")),
)


class Result(msgspec.Struct, frozen=True):
    """The report of one campaign: kinds and accused solvers of its findings, "" for none, and hangs by solver."""

    cell: str
    seconds: float
    executions: int | None = None
    found: tuple[tuple[str, str], ...] = ()
    hangs: Mapping[str, int] = {}
    own_errors: int = 0
    error: str = ""


def run(cell: str, executions: int) -> Result:
    """Run the campaign of a cell."""
    fault, solver, is_quantified = _parts(cell)
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="chcfuzz-bench-") as name:
        folder = Path(name)
        (folder / "seeds").mkdir()
        for status, text in (QUANTIFIED if is_quantified else PROBLEMS).items():
            info = "" if is_quantified else f"(set-info :status {status})"  # a declared status would accuse a solver
            script = f"(set-logic ALL){info}{text}(check-sat)\n"
            (folder / "seeds" / f"{status}.smt2").write_text(script)
        flags = [f"--domain={DOMAIN}:{fault}_of_{solver}", f"-runs={executions}", "-seed=1", "--wall-seconds=60"]
        flags += ["--findings=found", "--per-bucket=1", "--finish-seconds=300"]
        paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
        done = subprocess.run(
            [sys.executable, str(SMT), "seeds", *flags],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        seconds = round(time.monotonic() - start, 1)
        summary = summary_of(done.stdout)
        if not summary:
            return Result(cell, seconds, error=done.stderr[-1500:])
        records = [msgspec.json.decode(file.read_bytes(), type=Record) for file in folder.glob("found/*/record.json")]
        found = tuple(sorted({(record.kind, _accused(record)) for record in records}))
        hangs = {each: counts["hang"] for each, counts in summary["solvers"].items() if counts.get("hang")}
        first = summary["first"]["finding"]
        return Result(cell, seconds, first and first["executions"], found, hangs, summary["own_errors"])


def _parts(cell: str) -> tuple[str, str, bool]:
    """Return the fault of a cell, its solver, and whether its problems have quantifiers."""
    fault, _, solver = cell.removesuffix(_WITHOUT_STATUS).partition(" of ")
    return fault, solver, cell.endswith(_WITHOUT_STATUS)


def _accused(record: Record) -> str:
    """Return the solver that a finding accuses; empty for a contradiction that accuses none."""
    return "" if record.signature.between else record.parameters.get("solver", "")


def faults_of(result: Result) -> list[str]:
    """Return the differences to the expected report; empty if the cell passes."""
    fault, solver, is_quantified = _parts(result.cell)
    if result.error:
        return ["no summary"]
    named = {solver, ""} if is_quantified else {solver}
    wrong = [f"{kind} of {accused or 'no solver'}" for kind, accused in result.found if accused not in named]
    expected = EXPECTED[fault] | ({"contradiction"} if is_quantified else set())
    wrong += [f"unexpected {kind}" for kind, _ in result.found if kind not in expected]
    if EXPECTED[fault] and not result.found:
        wrong.append("not found")
    if fault == "hang" and set(result.hangs) != {solver}:
        wrong.append(f"hangs of {', '.join(result.hangs) or 'no solver'}")
    return wrong + ([f"{result.own_errors} internal errors"] if result.own_errors else [])


def _row(result: Result) -> list[object]:
    found = [f"{kind} of {accused or 'no solver'}" for kind, accused in result.found]
    found += [f"{number} hangs of {solver}" for solver, number in result.hangs.items()]
    first = "-" if result.executions is None else str(result.executions)
    return [result.cell, ", ".join(found) or "nothing", first, "; ".join(faults_of(result)) or "pass"]


def main() -> int:
    """Run the cells without a result, and print the table."""
    flags = parser(__doc__)
    flags.add_argument("--cell", action="append", choices=CELLS, metavar="CELL", help="only this; may be repeated")
    flags.add_argument("--executions", type=int, default=20, metavar="N", help="of a campaign (default: %(default)s)")
    flags.add_argument("--into", type=Path, metavar="DIR", help="folder for cells.jsonl")
    given = flags.parse_args()
    file = ResultFile(None if given.into is None else given.into / "cells.jsonl", Result)
    results = {result.cell: result for result in file.read()}
    cells = given.cell or CELLS
    for cell in cells:
        if cell in results:
            continue
        results[cell] = result = run(cell, given.executions)
        print(f"{cell}: {result.seconds} s", file=sys.stderr, flush=True)
        file.add(result)
    print_table([["cell", "found", "executions", "result"], *(_row(results[cell]) for cell in cells)])
    failed = [cell for cell in cells if faults_of(results[cell])]
    print(f"{len(cells) - len(failed)} of {len(cells)} cells pass", file=sys.stderr)
    write_json(given.json, {cell: faults_of(results[cell]) for cell in cells})
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
