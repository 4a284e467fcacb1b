"""Measure how many executions a campaign takes to find known wrong answers of SMT solvers (tests/quality/rediscovery).

python -m bench.power.smt_rediscovery --into trials    # every row, ten seeds of libFuzzer; stop and start again
python -m bench.power.smt_rediscovery --into trials --row sum-of-shifts --runs 2000
python -m bench.power.smt_rediscovery --into trials --name unguided --flag=--features=edges

Each trial is a campaign from the clean seed of one row. The affected release is a solver, beside the installed
releases of the others, and the campaign ends with the first finding. Its place is counted in executions, which do not
depend on the load of the machine. A trial counts as found if the finding is a wrong answer of the affected release, or
a wrong model where unsat is right, and if `first_good`, the release with the fix, does not answer so. `--name`
distinguishes trials with other flags. `--into DIR` keeps a line for each trial in DIR/trials.jsonl; trials that are
there already are not run again.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import msgspec
from chcfuzz.triage.findings.record import Record

from bench.campaigns import ROOT, ResultFile, parser, print_table, summary_of, write_json
from tests.quality.rediscovery.known_smt import SOLVER, KnownSmt, table

SMT = ROOT / "fuzz_targets" / "smt.py"
_MAIN = "import sys; from chcfuzz.commands.main import main; sys.exit(main())"


class Trial(msgspec.Struct, frozen=True):
    """One campaign.

    `executions` are those until the finding, None without one; then `kind` is empty. `accused` is the solver that the
    finding accuses, and `is_fixed` whether the release with the fix does not show it. `total` counts all executions.
    """

    name: str
    row: str
    seed: int
    total: int
    seconds: float
    executions: int | None = None
    kind: str = ""
    accused: str = ""
    options: tuple[str, ...] = ()
    is_fixed: bool = False
    error: str = ""


def affected(known: KnownSmt) -> str:
    """Return the affected release as `--solvers` names it."""
    return f"{SOLVER[known.package]}@{known.release}"


def run(known: KnownSmt, name: str, seed: int, flags: Sequence[str]) -> Trial:
    """Run one trial."""
    others = [name for name in SOLVER.values() if name not in (SOLVER[known.package], *known.without)]
    solvers = ",".join((affected(known), *others))
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="chcfuzz-bench-") as folder:
        seeds, found = Path(folder, "seeds"), Path(folder, "found")
        seeds.mkdir()
        (seeds / f"{known.name}.smt2").write_text(known.seed)
        own = [f"--solvers={solvers}", f"--findings={found}", f"-seed={seed}", "--stop-on-finding"]
        done = subprocess.run(
            [sys.executable, str(SMT), *own, *flags, str(seeds)],
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        summary = summary_of(done.stdout)
        seconds = round(time.monotonic() - start, 1)
        if not summary:  # wrong flags, for example: later trials would end like this, too
            failed = f"a campaign of {known.name!r} failed with exit code {done.returncode}"
            raise SystemExit(f"{failed}:\n{done.stderr[-1000:]}")
        total = summary["executions"]
        if summary["own_errors"]:
            return Trial(name, known.name, seed, total, seconds, error="internal error")
        findings = sorted(found.glob("*/record.json"))
        if not findings:
            return Trial(name, known.name, seed, total, seconds)
        record = msgspec.json.decode(findings[0].read_bytes(), type=Record)
        first = summary["first"]["finding"]["executions"]
        accused = record.parameters.get("solver", "")
        options = tuple(f"{key}={value}" for key, value in record.parameters.items() if key != "solver")
        is_fixed = accused == affected(known) and _is_fixed(findings[0].parent, known, record.answer)
        return Trial(name, known.name, seed, total, seconds, first, record.kind, accused, options, is_fixed)


def _is_fixed(finding: Path, known: KnownSmt, answer: str) -> bool:
    """Return whether the release with the fix does not answer as the affected one, or has a right model."""
    good = f"{SOLVER[known.package]}@{known.first_good}"
    words = ["replay", str(finding), f"--solvers={good}", f"--solver={good}", "--json"]
    done = subprocess.run([sys.executable, "-c", _MAIN, *words], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):  # 1: a verdict is a finding
        return False
    replayed = json.loads(done.stdout)
    return bool(replayed["status"] != answer or replayed["model_holds"])


def _is_known(known: KnownSmt, trial: Trial) -> bool:
    """Return whether a trial found the known wrong answer: a crash, for example, is another fault of the release."""
    answers = {"wrong-answer", "contradiction"} | (
        {"wrong-model"} if "unsat" in (known.answer, known.changed) else set()
    )
    return trial.is_fixed and trial.kind in answers


def _row(name: str, known: KnownSmt, trials: Sequence[Trial]) -> list[object]:
    """Return a row of the table; a trial without the wrong answer counts with all of its executions."""
    found = sorted(trial.executions or 0 for trial in trials if _is_known(known, trial))
    other = sum(trial.kind != "" and not _is_known(known, trial) for trial in trials)
    spread = f"{median(found):.0f} ({found[0]} to {found[-1]})" if found else "none"
    missed = max((trial.total for trial in trials if not trial.is_fixed and not trial.kind), default=0)
    times = f"{len(found)} of {len(trials)}"
    return [known.name, affected(known), name, times, spread, str(other), str(missed) if missed else "-"]


def main() -> None:
    """Run the trials that are missing, and print the table."""
    rows = {known.name: known for known in table()}
    flags = parser(__doc__)
    flags.add_argument("--into", type=Path, required=True, metavar="DIR", help="folder for trials.jsonl")
    flags.add_argument("--row", action="append", choices=sorted(rows), help="only this row; may be repeated")
    flags.add_argument("--runs", type=int, default=500, help="executions of a trial, at most (default: %(default)s)")
    flags.add_argument("--trials", type=int, default=10, metavar="N", help="seeds of libFuzzer for each row")
    flags.add_argument("--name", default="guided", help="name of these flags in the table (default: %(default)s)")
    flags.add_argument("--flag", action="append", default=[], help="a flag for every campaign")
    flags.add_argument("--minutes", type=float, metavar="M", help="start no trial after M minutes")
    given = flags.parse_args()
    file = ResultFile(given.into / "trials.jsonl", Trial)
    trials = file.read()
    done = {(trial.name, trial.row, trial.seed) for trial in trials}
    start = time.monotonic()
    chosen = given.row or list(rows)
    for seed, row in ((seed, row) for seed in range(1, given.trials + 1) for row in chosen):
        is_late = given.minutes is not None and time.monotonic() - start > 60 * given.minutes
        if is_late or (given.name, row, seed) in done:
            continue
        trial = run(rows[row], given.name, seed, [f"-runs={given.runs}", *given.flag])
        print(f"{row}, {given.name}, seed {seed}: {trial}", file=sys.stderr, flush=True)
        trials.append(trial)
        file.add(trial)
    keys = sorted({(trial.row, trial.name) for trial in trials if trial.row in rows and not trial.error})
    head = ["row", "release", "flags", "found", "executions", "other findings", "executions without one"]
    by_key = [(name, rows[row], [t for t in trials if (t.row, t.name) == (row, name)]) for row, name in keys]
    print_table([head, *(_row(*each) for each in by_key)])
    write_json(given.json, [msgspec.to_builtins(trial) for trial in trials])


if __name__ == "__main__":
    main()
