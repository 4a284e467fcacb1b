"""Run folders as campaigns leave them, made in no time: numbers that grow, tables, findings."""

import json
import os
import shutil
from collections import Counter as Tally
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from chcfuzz.campaign.runs.run_folder import TRACES, RunFolder
from chcfuzz.campaign.runs.run_statistics import END, FINDING, PROGRESS, SESSION, Statistics
from chcfuzz.campaign.session.tallies import COST, OUTCOME, STEP

SAMPLE = Path(__file__).resolve().parents[1] / "formats" / "samples" / "finding-4"
BUILD = "0123456789abcdef"
ROWS = ("boolean.swap-and", "rules.unfold", "rules.split", "simplify.som", "names.rename", "parameter.fp.xform.slice")
LEVELS = ("0", "1", "2", "3-4", "5-8")


def made_run(path: Path, lines: int = 60, scale: float = 1.0, finding: bool = True, edges: bool = False) -> RunFolder:
    """A campaign of two sessions, the first of which was killed."""
    run = RunFolder(path)
    run.begin("spacer", ["--workers=2", "corpus"])
    size = _Size(lines, scale, finding, edges)
    seen = 0
    for number in range(2):
        seen = _session(run, size, seen, ends=number == 1)
    run.add_seen(TRACES, BUILD, np.arange(1, seen + 1, dtype=np.uint64))
    run.write_tables(_tables(scale))
    rows = {row: [int(40 * scale * (9 - number)), number * 11] for number, row in enumerate(ROWS)}
    state = {"format": "chcfuzz-state 1", "policy": "bandit", "rows": rows, "known": {}}
    weights = {row: 0.01 * number for number, row in enumerate(ROWS)}
    (run.findings / "state.json").write_text(json.dumps({**state, "weights": weights}))
    if finding:
        shutil.copytree(SAMPLE, run.findings / "wrong-model-default-000000-0123456789ab")
    return run


@dataclass(frozen=True)
class _Size:
    """Number of lines in a session, a factor of its numbers, and whether it has a finding and edges."""

    lines: int
    scale: float
    finding: bool
    edges: bool


def _session(run: RunFolder, size: _Size, before: int, ends: bool) -> int:
    written = Statistics(run.statistics)
    head: dict[str, Any] = {
        "format": "chcfuzz-statistics 1",
        "at": f"2026-01-02T03:04:05.{crc32(os.fsencode(run.path.name)) % 1_000_000:06}+00:00",  # campaigns differ
        "headline": "Z3 4.8.14.0, events from Spacer's progress log",
        "versions": {"chcfuzz": "0.1.0", "z3": "4.8.14.0"},
        "machine": "Linux x86_64",
        "processors": 2,
        "workers": 2,
        "build": BUILD,
        "build_info": "",
        "words": ["--workers=2", "corpus"],
        "traces_before": before,
    }
    written.write(SESSION, 0.0, **head)
    traces = before
    for number in range(size.lines + 1):
        seconds = 20.0 * number
        solved = int(size.scale * 15 * seconds)
        traces = before + int(size.scale * 90 * number**0.7)
        wall = 2 * seconds
        counters = {"wall_time": wall, "solver_time": 0.6 * wall, "check_time": 0.1 * wall, "mutate_time": 0.15 * wall}
        written.write(
            PROGRESS,
            seconds,
            executions=2 * solved,
            solved=solved,
            traces=traces,
            transitions=int(200 * size.scale * (1 - 0.95**number)),
            **({"edges": 9000 + 30 * number, "all_edges": 41_000} if size.edges else {}),
            findings={"wrong-model": 1} if size.finding and number > size.lines // 3 else {},
            waiting=0,
            crashes=0,
            replaced=0,
            units=traces,
            corpus_bytes=900 * traces,
            memory_bytes=300_000_000 + 40_000 * number,
            counters={**counters, "rechecked": number, "stable": number},
        )
        if size.finding and number == size.lines // 3:
            written.write(FINDING, seconds, kind="wrong-model", name="wrong-model-default-000000-0123456789ab")
    if ends:
        written.write(END, 20.0 * size.lines, why="done")
    return traces


def _tables(scale: float) -> "Tally[tuple[str, ...]]":
    tables: Tally[tuple[str, ...]] = Tally()
    for index, theory in enumerate(("LIA", "Arrays", "BV", "ADT", "LRA", "Bool")):
        for other, family in enumerate(("rules", "boolean", "simplify", "seed", "parameter", "interrogation")):
            for third, status in enumerate(("sat", "unsat", "unknown", "limit")):
                tables[OUTCOME, theory, family, status] = int(scale * (60 - 5 * index - 3 * other) / (1 + third * 1.5))
    for bits in range(6, 20):
        tables[COST, "sat", str(bits)] = int(scale * max(1, 300 - 9 * (bits - 12) ** 2))
        tables[COST, "unsat", str(bits)] = int(scale * max(1, 250 - 8 * (bits - 13) ** 2))
    tables[COST, "limit", "20"] = 12
    tables[STEP, BUILD, "begin", "level 0 begins"] = 900
    for index, level in enumerate(LEVELS):
        here, pob, lemma = (
            f"level {level} begins",
            f"expand-pob at level {level}, depth 0",
            f"add-lemma at level {level}",
        )
        for weight, (before, after) in enumerate(
            ((here, pob), (pob, lemma), (lemma, "propagate"), (lemma, pob), (pob, pob), (here, "propagate")), 1
        ):
            tables[STEP, BUILD, before, after] = int(900 / weight / (index + 1) ** 2)
        if index + 1 < len(LEVELS):
            tables[STEP, BUILD, "propagate", f"level {LEVELS[index + 1]} begins"] = 700 // (index + 1) ** 2
            deeper = f"expand-pob at level {level}, depth {LEVELS[index + 1]}"
            tables[STEP, BUILD, pob, deeper] = 30 // (index + 1)
            tables[STEP, BUILD, deeper, lemma] = 3
    return tables
