"""Compare generators of SMT problems: features of all solvers in the same number of executions, with statistics.

python -m bench.generators.features --out DIR  # six generators, ten seeds, 1,000 executions each
python -m bench.generators.features --out DIR --arms uniform,mixed  # some of them
python -m bench.generators.features --out DIR --blocks  # count the basic blocks of Z3 that are reached, too

A trial draws problems with one seed of random numbers, and gives each to Z3, cvc5 and Bitwuzla. Generators:

uniform      without a model
learned      a model trained on corpus/ and corpus-smt/, augmented, and tuned on changed seeds of known wrong answers
mixed        half of the problems uniform, half by this model, as in campaigns
online       mixed, and units that open features are learned, as with --learn
untuned      mixed, by a model that was not tuned
unaugmented  mixed, by a model that was tuned, trained without augmentation
plain        mixed, by a model that was neither tuned nor augmented

Each trial is a line of DIR/trials.jsonl, and a run that was interrupted continues. Longer trials with the same seed are
compared after --runs executions. Needs `pip install -e
'.[statistics]'`.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import mean, median

import numpy as np
from chcfuzz.corpus_tools.learning import LearnRequest, learn
from chcfuzz.domains.smt.roots import SmtRoots
from chcfuzz.domains.smt.solvers.solver_engines import smt_solvers
from chcfuzz.domains.smt.solvers.together import SmtSolvers
from chcfuzz.execution.solving import Solving
from chcfuzz.experiments.statistics import Sample, compared, holm
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Problem
from chcfuzz.learning import active
from chcfuzz.learning.counts import Counts
from chcfuzz.learning.drawn_roots import draw_root
from chcfuzz.learning.online import SLOTS, FeatureRarity, Learned, added, nodes_of
from chcfuzz.learning.training import TrainingOptions
from chcfuzz.solvers import z3_release
from chcfuzz.solvers.outcome import Outcome
from chcfuzz.solvers.watchdog import Watchdog

from bench.campaigns import ROOT, ResultFile, parser, print_table, write_json
from bench.generators.blocks import Blocks

MODELS = {  # of each generator: whether the model is tuned, and whether it is augmented
    "uniform": None,
    "learned": (True, True),
    "mixed": (True, True),
    "online": (True, True),
    "untuned": (False, True),
    "unaugmented": (True, False),
    "plain": (False, False),
}
PAIRS = (
    *(("uniform", arm) for arm in tuple(MODELS)[1:]),
    ("mixed", "online"),
    ("untuned", "mixed"),
    ("unaugmented", "mixed"),
    ("plain", "mixed"),
)
BUGS = ROOT / "tests" / "quality" / "rediscovery"
MERGED_EVERY = 100  # executions, as in campaigns
POINT = 100  # executions between two points of a curve
_FIRST = "(set-logic ALL)\n(assert true)\n(check-sat)\n"


@dataclass(frozen=True)
class Trial:
    """One generator with one seed: features, and blocks of Z3, after every hundredth execution; answers; mean nodes."""

    arm: str
    seed: int
    features: tuple[int, ...]
    unsat: int
    decided: int
    nodes: float
    blocks: tuple[int, ...] = ()


# Models --------------------------------------------------------------------------------------------


def model(out: Path, tuned: bool, augmented: bool) -> str:
    """Return the file of a model, which is trained unless it is there."""
    path = out / f"model-{'tuned' if tuned else 'plain'}-{'augmented' if augmented else 'alone'}"
    if not path.exists():
        triggers = [_triggers(out)] if tuned else []
        folders = [ROOT / "corpus", ROOT / "corpus-smt"]
        request = LearnRequest(folders, triggers, diversity=augmented, equivalents=augmented and tuned)
        files, tuning = request.augment
        lines, _ = learn(path, request, TrainingOptions(augment=files, augment_triggers=tuning))
        print("\n".join(lines))
    return str(path)


def _triggers(out: Path) -> Path:
    """Write the seeds of known wrong answers, with the change that shows the bug."""
    folder = out / "triggers"
    folder.mkdir(exist_ok=True)
    for name, row in tomllib.loads((BUGS / "smt.toml").read_text()).items():
        text = (BUGS / "smt" / f"{name}.smt2").read_text()
        (folder / f"{name}.smt2").write_text(text.replace(*row["change"]) if "change" in row else text)
    return folder


# Trials --------------------------------------------------------------------------------------------


class Online:
    """Counts of one trial, as `campaign.worker.online_counts` has them for a campaign of one worker."""

    def __init__(self) -> None:
        self._base = active.counts()
        self._learned = Learned(Counts.none(), 0)
        self._rarity = FeatureRarity(np.zeros(SLOTS, dtype=np.int64))
        self._waiting: list[tuple[tuple[int, ...], int]] = []
        self._runs = 0

    def executed(self, problem: Problem, outcome: Outcome, opened: bool) -> None:
        self._runs += 1
        self._rarity.executed(outcome.trace.keys)
        if opened:
            self._waiting.append((nodes_of(problem), self._rarity.weight(outcome.trace.keys)))
        if self._runs % MERGED_EVERY == 0:
            self._learned = self._learned.at(self._runs).plus(self._waiting)
            self._waiting = []
            active.replace(added(self._base, self._learned))


def drawn(arm: str, choices: Choices) -> Problem:
    weights = active.drawn(choices) if arm == "learned" else None
    return SmtRoots().draw(choices) if weights is None else draw_root(weights, choices)


def trial(arm: str, seed: int, runs: int, given: argparse.Namespace) -> Trial:
    """Draw and solve problems; only `online` changes its model."""
    trained = MODELS[arm]
    active.activate(active.NONE if trained is None else model(given.out, *trained))
    solvers = smt_solvers(given.solving, Watchdog(given.solving.wall_seconds))
    online = Online() if arm == "online" else None
    blocks = counted_blocks(given.out, solvers, given.solving) if given.blocks else None
    keys: set[int] = set()
    curve: list[int] = []
    reached: list[int] = []
    sizes: list[int] = []
    answers = {"sat": 0, "unsat": 0}
    for number in range(runs):
        problem = drawn(arm, Choices(b"", f"{seed} {number}".encode()))
        outcome = solvers.solve(print_problem(problem), (), given.solving.rlimit)
        before = len(keys)
        keys.update(outcome.trace.keys.tolist())
        if online is not None:
            online.executed(problem, outcome, len(keys) > before)
        statuses = {outcome.status.value, *(other.status.value for _, other in outcome.others)}
        for answer in ("unsat", "sat"):
            if answer in statuses:
                answers[answer] += 1
                break
        sizes.append(problem.nodes)
        if (number + 1) % POINT == 0:
            curve.append(len(keys))
            reached += [] if blocks is None else [len(blocks.reached())]
    return Trial(arm, seed, tuple(curve), answers["unsat"], sum(answers.values()), mean(sizes), tuple(reached))


def counted_blocks(out: Path, solvers: SmtSolvers, solving: Solving) -> Blocks:
    """Count blocks from here on, but none of those that the first problem of a process runs."""
    solvers.solve(_FIRST, (), solving.rlimit)
    blocks = _listed(out)
    blocks.begin()
    return blocks


@cache
def _listed(out: Path) -> Blocks:
    return Blocks(out)


def trials(given: argparse.Namespace) -> list[Trial]:
    """Return all trials, after running those that are missing."""
    file = ResultFile(given.out / "trials.jsonl", Trial)
    done = {(each.arm, each.seed): each for each in file.read() if _is_long(each, given)}
    for key in [(arm, seed) for seed in range(given.seeds) for arm in given.arms]:
        if key not in done:
            done[key] = trial(*key, given.runs, given)
            file.add(done[key])
    return [each for (arm, seed), each in done.items() if arm in given.arms and seed < given.seeds]


def _is_long(trial: Trial, given: argparse.Namespace) -> bool:
    points = given.runs // POINT
    return len(trial.features) >= points and (not given.blocks or len(trial.blocks) >= points)


def tables(found: Sequence[Trial], runs: int, measure: str) -> dict[str, object]:
    """Print the numbers of all generators, and the comparisons; the measure is a curve of trials."""
    arms = [arm for arm in MODELS if any(each.arm == arm for each in found)]
    values = {arm: [getattr(each, measure)[runs // POINT - 1] for each in found if each.arm == arm] for arm in arms}
    rows: list[list[object]] = [
        ["generator", f"{measure} in {runs}", "smallest", "largest", "unsat %", "decided %", "nodes"]
    ]
    for arm in arms:
        own = [each for each in found if each.arm == arm]
        shares = ([t.unsat / len(t.features) for t in own], [t.decided / len(t.features) for t in own])  # of POINT: %
        numbers = (f"{median(v):.1f}" for v in (*shares, [t.nodes for t in own]))
        rows.append([arm, median(values[arm]), min(values[arm]), max(values[arm]), *numbers])
    print_table(rows)
    pairs = [(a, b) for a, b in PAIRS if a in values and b in values]
    tests = [compared(_sample(values[b]), _sample(values[a])) for a, b in pairs]
    corrected = holm([each.p for each in tests])
    compared_rows: list[list[object]] = [["second beside first", "A12", "p", "p (Holm)"]]
    for (a, b), each, p in zip(pairs, tests, corrected, strict=True):
        compared_rows.append([f"{b} beside {a}", each.a12, each.p, p])
    print_table(compared_rows)
    return {"generators": rows, "comparisons": compared_rows}


def _sample(values: Sequence[int]) -> Sample:
    return Sample(tuple(map(float, values)), (False,) * len(values))


def own_parser(description: str | None) -> argparse.ArgumentParser:
    """Return the flags of scripts that compare generators."""
    flags = parser(description)
    flags.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the trials and models")
    flags.add_argument("--arms", default=",".join(MODELS), type=lambda text: text.split(","), metavar="NAME,NAME")
    flags.add_argument("--blocks", action="store_true", help="count basic blocks of Z3, too")
    Solving.add_flags(flags)
    return flags


def parsed(flags: argparse.ArgumentParser) -> argparse.Namespace:
    """Parse the flags, choose the Z3, and make the folder."""
    given = flags.parse_args()
    given.solving = Solving.of(given)
    z3_release.activate(given.solving.z3, given.solving.z3_library)
    given.out.mkdir(parents=True, exist_ok=True)
    return given


def main() -> None:
    """Run what is missing, and print the tables."""
    flags = own_parser(__doc__)
    flags.add_argument("--runs", type=int, default=1000, metavar="N", help="executions of a trial")
    flags.add_argument("--seeds", type=int, default=10, metavar="N", help="trials of a generator")
    given = parsed(flags)
    found = trials(given)
    measures = ("features", "blocks") if given.blocks else ("features",)
    write_json(given.json, {measure: tables(found, given.runs, measure) for measure in measures})


if __name__ == "__main__":
    main()
