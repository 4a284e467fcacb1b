"""Measure how long a campaign takes to find known wrong answers of Z3 releases again (tests/quality/rediscovery).

python -m bench.power.rediscovery                                 # every row, three seeds of libFuzzer
python -m bench.power.rediscovery --row select-of-store --runs 5000
python -m bench.power.rediscovery --flag=--kinds=own,parameter    # a flag for every campaign

Each campaign starts from the clean seed of one row, with the release that the row names. The table shows the seconds
and executions until the first confirmed wrong answer, and then how many executions contradicted the promised answer and
how they ended. "nothing" counts those without a recorded suspicion and those that were not reproduced: it must be 0.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.triage.findings.record import FolderName
from chcfuzz.triage.findings.store import finding_folders

from bench.campaigns import ROOT, SPACER, parser, print_table, summary_of, write_json

SEEDS = ROOT / "tests" / "quality" / "rediscovery"
_EXECUTIONS = re.compile(r"^chcfuzz \d+:\d+ \| (\d+) executions,", re.MULTILINE)
_POLL = 0.2  # seconds


def _has_wrong_answer(findings: Path) -> bool:
    """Whether a findings folder holds a confirmed wrong answer."""
    kinds = {FolderName.parse(folder.name).kind for folder in finding_folders(findings)}
    return VerdictKind.WRONG_ANSWER.value in kinds


def rediscover(name: str, release: str, seed: int, flags: Sequence[str]) -> dict[str, Any]:
    """Run one campaign to its end; return the first confirmed wrong answer and how every contradiction ended.

    "seconds" and "executions" are those until the first wrong answer; None without one.
    """
    with tempfile.TemporaryDirectory(prefix="chcfuzz-bench-") as folder:
        corpus, found, log = Path(folder, "seed"), Path(folder, "found"), Path(folder, "stderr")
        corpus.mkdir()
        (corpus / f"{name}.smt2").write_bytes((SEEDS / f"{name}.smt2").read_bytes())
        own = [f"--z3={release}", f"--findings={found}", f"-seed={seed}", "--status-seconds=1"]
        command = [sys.executable, str(SPACER), *own, *flags]
        first: tuple[float, int] | None = None
        start = time.monotonic()
        with log.open("w") as errors, Path(folder, "stdout").open("w+") as output:
            process = subprocess.Popen([*command, str(corpus)], stdout=output, stderr=errors)
            while process.poll() is None:
                time.sleep(_POLL)
                if first is None and _has_wrong_answer(found):
                    first = time.monotonic() - start, _executions(log)
            output.seek(0)
            summary = summary_of(output.read())
        if process.returncode != 0 or not summary:
            raise SystemExit(f"the campaign on {name} failed with exit code {process.returncode}:\n{_tail(log)}")
        seconds, executions = first or (None, None)
        return {"seed": seed, "seconds": seconds, "executions": executions, **_ends(summary)}


def _executions(log: Path) -> int:
    """Return the number of executions in the last status line."""
    counts = _EXECUTIONS.findall(log.read_text(errors="replace"))
    return int(counts[-1]) if counts else 0


def _tail(log: Path) -> str:
    return log.read_text(errors="replace")[-2000:]


def _ends(summary: Mapping[str, Any]) -> dict[str, int]:
    """Count the executions that contradict the known answer; "alike" counts suspicions of all kinds."""
    contradicting, suspicions = summary["contradicting"], summary["suspicions"]
    dropped = contradicting["seen"] - contradicting["suspected"]
    return {
        "contradicting": contradicting["seen"],
        "confirmed": int(summary["findings"].get("wrong-answer", 0)),
        "contradictions": int(summary["findings"].get("contradiction", 0)),
        "alike": int(suspicions["alike"]),
        "waiting": int(suspicions["waiting"]),
        "nothing": dropped + suspicions["vanished"].get("wrong-answer", 0),
    }


def _shown(name: str, release: str, campaigns: list[dict[str, Any]]) -> list[object]:
    """Return a table row: medians over the campaigns that found the wrong answer, sums of the other numbers."""

    def middle(what: str) -> str:
        values = [campaign[what] for campaign in campaigns if campaign[what] is not None]
        return f"{median(values):.0f}" if values else "never"

    times = f"{sum(campaign['seconds'] is not None for campaign in campaigns)} of {len(campaigns)}"
    ends = ("contradicting", "confirmed", "contradictions", "alike", "waiting", "nothing")
    sums = [str(sum(campaign[end] for campaign in campaigns)) for end in ends]
    return [name, release, times, middle("seconds"), middle("executions"), *sums]


def main() -> None:
    """Measure every row with every seed."""
    table = tomllib.loads((SEEDS / "known.toml").read_text())
    flags = parser(__doc__)
    flags.add_argument("--row", action="append", choices=sorted(table), help="only this row; may be repeated")
    flags.add_argument("--runs", type=int, default=2000, help="executions of a campaign (default: %(default)s)")
    flags.add_argument("--repeats", type=int, default=3, metavar="N", help="seeds of libFuzzer for each row")
    flags.add_argument(
        "--finish-seconds", type=float, default=600.0, metavar="S", help="time to confirm waiting suspicions at the end"
    )
    flags.add_argument("--flag", action="append", default=[], help="a flag for every campaign")
    given = flags.parse_args()
    measured: dict[str, list[dict[str, Any]]] = {}
    flags_of_all = [f"-runs={given.runs}", f"--finish-seconds={given.finish_seconds}", *given.flag]
    for name in given.row or table:
        measured[name] = []
        for seed in range(1, given.repeats + 1):
            run = rediscover(name, table[name]["release"], seed, flags_of_all)
            print(f"{name}, seed {seed}: {run}", file=sys.stderr, flush=True)
            measured[name].append(run)
    head = ["", "release", "found", "seconds", "executions", "contradicting", "confirmed", "contradictions", "alike"]
    rows = [_shown(name, table[name]["release"], campaigns) for name, campaigns in measured.items()]
    print_table([[*head, "waiting", "nothing"], *rows])
    write_json(given.json, measured)


if __name__ == "__main__":
    main()
