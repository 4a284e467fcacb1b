"""Compare generators of SMT problems: features of all solvers in the same number of executions, with statistics.

python bench/generators.py --out DIR                          # six generators, ten seeds, 1,000 executions each
python bench/generators.py --out DIR --arms uniform,mixed     # some of them
python bench/generators.py --out DIR --mutants OTHER          # features of Z3: mutants in a folder, ours, both together

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
import json
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import mean, median

import numpy as np
from campaigns import ROOT, parser, print_table, write_json
from chcfuzz.corpus_tools.learning import Request, learn
from chcfuzz.domains.smt.roots import SmtRoots
from chcfuzz.execution.solving import Solving
from chcfuzz.experiments.statistics import Sample, compared, holm
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printer import print_problem
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading import text_of
from chcfuzz.learning import active
from chcfuzz.learning.counts import Counts
from chcfuzz.learning.online import Learned, Rarity, added, nodes_of
from chcfuzz.learning.roots import draw_root
from chcfuzz.learning.training import Options
from chcfuzz.solvers import z3_release
from chcfuzz.solvers.outcome import Outcome
from chcfuzz.solvers.smt.engines import smt_solvers
from chcfuzz.solvers.watchdog import Watchdog

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


@dataclass(frozen=True)
class Trial:
    """One generator with one seed: features after every hundredth execution, answers, and mean nodes."""

    arm: str
    seed: int
    features: tuple[int, ...]
    unsat: int
    decided: int
    nodes: float


# Models --------------------------------------------------------------------------------------------


def model(out: Path, tuned: bool, augmented: bool) -> str:
    """Return the file of a model, which is trained unless it is there."""
    path = out / f"model-{'tuned' if tuned else 'plain'}-{'augmented' if augmented else 'alone'}"
    if not path.exists():
        triggers = [_triggers(out)] if tuned else []
        folders = [ROOT / "corpus", ROOT / "corpus-smt"]
        request = Request(folders, triggers, diversity=augmented, equivalents=augmented and tuned)
        files, tuning = request.augment
        lines, _ = learn(path, request, Options(augment=files, augment_triggers=tuning))
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
        self._rarity = Rarity(np.zeros(Rarity.slots(), dtype=np.int64))
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
    keys: set[int] = set()
    curve: list[int] = []
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
    return Trial(arm, seed, tuple(curve), answers["unsat"], sum(answers.values()), mean(sizes))


def kept(file: Path) -> list[Trial]:
    """Return the trials of a file."""
    lines = file.read_text().splitlines() if file.exists() else []
    return [Trial(**{**each, "features": tuple(each["features"])}) for each in map(json.loads, lines)]


def trials(given: argparse.Namespace) -> list[Trial]:
    """Return all trials, after running those that are missing."""
    file = given.out / "trials.jsonl"
    done = kept(file)
    there = {(each.arm, each.seed) for each in done if len(each.features) >= given.runs // POINT}
    for seed in range(given.seeds):
        for arm in given.arms:
            if (arm, seed) not in there:
                done.append(trial(arm, seed, given.runs, given))
                with file.open("a") as lines:
                    lines.write(json.dumps(asdict(done[-1])) + "\n")
    long = (each for each in done if len(each.features) >= given.runs // POINT)
    return [each for each in long if each.arm in given.arms and each.seed < given.seeds]


def tables(found: Sequence[Trial], runs: int) -> dict[str, object]:
    """Print the numbers of all generators, and the comparisons."""
    arms = [arm for arm in MODELS if any(each.arm == arm for each in found)]
    values = {arm: [each.features[runs // POINT - 1] for each in found if each.arm == arm] for arm in arms}
    rows: list[list[object]] = [
        ["generator", f"features in {runs}", "smallest", "largest", "unsat %", "decided %", "nodes"]
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


# Mutants of another tool ---------------------------------------------------------------------------


def beside(given: argparse.Namespace) -> dict[str, object]:
    """Print the features of Z3 of the files in a folder, of as many of our problems, and of both together."""
    solving = replace(given.solving, solvers=("z3",))
    solvers = smt_solvers(solving, Watchdog(solving.wall_seconds))
    theirs = [text_of(path.read_bytes()) for path in sorted(given.mutants.rglob("*.smt2"))]
    sets = {str(given.mutants): _features(theirs, solvers, solving)}
    for arm in given.arms:
        trained = MODELS[arm]
        active.activate(active.NONE if trained is None else model(given.out, *trained))
        ours = (print_problem(drawn(arm, Choices(b"", f"0 {number}".encode()))) for number in range(len(theirs)))
        sets[arm] = _features(ours, solvers, solving)
    first = sets[str(given.mutants)]
    rows: list[list[object]] = [["texts", "features of Z3", "not in theirs", "together"]]
    rows += [[name, len(keys), len(keys - first), len(keys | first)] for name, keys in sets.items()]
    print(f"{len(theirs)} texts each")
    print_table(rows)
    return {"texts": len(theirs), "rows": rows}


def _features(texts: Iterator[str] | Sequence[str], solvers: object, solving: Solving) -> set[int]:
    keys: set[int] = set()
    for text in texts:
        keys.update(solvers.solve(text, (), solving.rlimit).trace.keys.tolist())  # type: ignore[attr-defined]
    return keys


def main() -> None:
    """Run what is missing, and print the tables."""
    flags = parser(__doc__)
    flags.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the trials and models")
    flags.add_argument("--runs", type=int, default=1000, metavar="N", help="executions of a trial")
    flags.add_argument("--seeds", type=int, default=10, metavar="N", help="trials of a generator")
    flags.add_argument("--arms", default=",".join(MODELS), type=lambda text: text.split(","), metavar="NAME,NAME")
    flags.add_argument("--mutants", type=Path, metavar="DIR", help="compare with these files instead")
    Solving.add_flags(flags)
    given = flags.parse_args()
    given.solving = Solving.of(given)
    z3_release.activate(given.solving.z3, given.solving.z3_library)
    given.out.mkdir(parents=True, exist_ok=True)
    write_json(given.json, beside(given) if given.mutants else tables(trials(given), given.runs))


if __name__ == "__main__":
    main()
