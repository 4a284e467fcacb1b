"""Measure how soon campaigns find known wrong answers (tests/quality/rediscovery), and compare kinds of campaigns.

python -m bench.power.rediscovery --into DIR  # each wrong answer of Z3 from its clean seed, ten trials
python -m bench.power.rediscovery --into DIR --arm novelty='--portfolio=novelty --scope=all' --arm default=
python -m bench.power.rediscovery --into DIR --arm before= --tree before=../other-checkout --arm now=
python -m bench.power.rediscovery --into DIR --until end --runs 2000 --trials 3  # how all contradictions end
python -m bench.power.rediscovery --into DIR --mixed 4.13.4.0 --minutes 15 --trials 6 --jobs 2 --pin
python -m bench.power.rediscovery --into DIR --smt --runs 500  # wrong answers of SMT solvers

A trial is a campaign of one worker, and its run folder is DIR/ARM/CORPUS/trial-SEED. It ends at the first answer that
contradicts the truth, at the first confirmed finding (`--until finding`, the default of `--smt`), or at its limit:
without the event, it is censored. With `--until end` and `--mixed`, it runs to its limit, and a wrong answer is found
at the first confirmed one for a mutant of its seed, whatever else is found before; `--until end` also counts how the
contradictions ended: "nothing" are those that were not recorded or not reproduced, and must be 0. A mixed corpus has
the seeds of all wrong answers of a release and fifty files of `corpus/`. Arms take turns, and are compared with the
first one. Times depend on the load of the machine; executions and `solver_work`, the solver's resource count, do not.
`--pin` gives each campaign a processor, which its confirmation shares. An interrupted run continues; DIR/trials.jsonl
has the results, DIR/survival.json the curves. Takes about ten seconds a trial without `--mixed`. Needs `pip install -e
'.[statistics]'`.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from chcfuzz.campaign.runs import history
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.execution.solving import UsageError
from chcfuzz.experiments.statistics import survival
from chcfuzz.experiments.trials import Runner, Trials

from bench.campaigns import ROOT, arms_of, named_flags, print_table
from bench.power.comparison import AT_END, Campaign, comparable, ends, sample, single, table
from bench.power.known import Corpus, alone, mixed, of_smt

END = "end"


@dataclass(frozen=True)
class ArmTrials(Trials):
    """The trials of an arm on a corpus; `tree` is the project's folder, whose `.venv` runs them."""

    arm: str
    corpus: Corpus
    tree: Path
    until: str

    @property
    def content(self) -> dict[str, object]:
        """The content of the file that describes the trials: those of another checkout are of another kind."""
        return {**super().content, "tree": str(self.tree)}

    def command(self, seed: int) -> list[str]:
        """Return the command line of a trial, which writes its summary beside its run folder."""
        python = self.tree / ".venv" / "bin" / "python"
        program = [str(python) if python.exists() else sys.executable, str(self.tree / "fuzz_targets" / "spacer.py")]
        own = [f"--run-dir={self.path(seed)}", f"-seed={seed}", "--quiet", f"--json={self.summary(seed)}"]
        return [*program, *own, *self.words]

    def summary(self, seed: int) -> Path:
        """Return the file with the summary of a trial."""
        return self.path(seed).with_suffix(".json")

    def result(self, seed: int) -> Campaign:
        """Return the result of a trial that has ended."""
        numbers = json.loads(self.summary(seed).read_text())
        end = {measure: numbers[measure] for measure in AT_END if measure in numbers}
        if self.until == END:
            found = {bug: self._at(seed, seconds) for bug, seconds in self.corpus.first_found(self.path(seed))}
            return Campaign(self.arm, self.corpus.name, seed, self.corpus.bugs, found, end, _ends(numbers))
        event = numbers["first"].get(self.until)
        is_known = event is not None and self.corpus.accepts(self.path(seed))
        found = dict.fromkeys(self.corpus.bugs, event) if is_known else {}
        ends = {} if is_known or event is None else {"other faults": 1}
        return Campaign(self.arm, self.corpus.name, seed, self.corpus.bugs, found, end, ends)

    def _at(self, seed: int, seconds: float) -> dict[str, float]:
        """Return the numbers at a time: those of the next line of statistics, at most a hundredth later."""
        past = history.read(RunFolder(self.path(seed)))
        point = next(point for point in past.points if point.seconds >= seconds or point is past.last)
        numbers = {"executions": point.executions, "solver_seconds": point.counters["solver_time"]}
        return {"seconds": seconds, **numbers}


def _ends(numbers: Mapping[str, Any]) -> dict[str, int]:
    """Count the executions that contradict the known answer; "alike" counts suspicions of all kinds."""
    contradicting, suspicions = numbers["contradicting"], numbers["suspicions"]
    dropped = contradicting["seen"] - contradicting["suspected"]
    return {
        "contradicting": contradicting["seen"],
        "confirmed": int(numbers["findings"].get("wrong-answer", 0)),
        "contradictions": int(numbers["findings"].get("contradiction", 0)),
        "alike": int(suspicions["alike"]),
        "waiting": int(suspicions["waiting"]),
        "nothing": dropped + suspicions["vanished"].get("wrong-answer", 0),
    }


def measured(trials: Sequence[ArmTrials], jobs: int, *, is_pinned: bool) -> list[Campaign]:
    """Run the trials that have not ended, one of each arm and corpus in turn, and return the results of all."""
    every = [(each, seed) for seed in trials[0].seeds for each in trials]
    missing = [(each, seed) for each, seed in every if not each.is_complete(seed)]
    ended = len(every) - len(missing)

    def report(which: Trials, seed: int, code: int) -> None:
        nonlocal ended
        ended += 1
        print(f"{ended} of {len(every)}: {which.folder}, seed {seed}", file=sys.stderr, flush=True)
        if code:
            print(f"{which.path(seed)} failed with exit code {code}", file=sys.stderr, flush=True)

    if any(Runner(jobs, report, is_pinned=is_pinned).run(missing)):
        raise SystemExit("a campaign failed: start it again, or exclude its bug")
    return [each.result(seed) for each, seed in every]


def _given() -> argparse.Namespace:
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--into", type=Path, required=True, metavar="DIR", help="run folders and results")
    flags.add_argument("--arm", type=named_flags, action="append", metavar="NAME=FLAGS", help="a kind of campaigns")
    flags.add_argument("--tree", type=named_flags, action="append", default=[], metavar="NAME=DIR", help="its checkout")
    flags.add_argument("--bug", action="append", help="only this one; may be repeated")
    flags.add_argument("--mixed", metavar="VERSION", help="one corpus with all wrong answers of a release")
    flags.add_argument("--z3-library", type=Path, metavar="DIR", help="the solver of --mixed, in place of the release")
    flags.add_argument("--smt", action="store_true", help="wrong answers of SMT solvers")
    flags.add_argument("--until", choices=("contradiction", "finding", END), help="(default: contradiction)")
    flags.add_argument("--runs", type=int, default=600, metavar="N", help="(default: %(default)s)")
    flags.add_argument("--minutes", type=float, metavar="N", help="limit of a trial, in place of --runs")
    flags.add_argument("--finish-seconds", type=float, metavar="S", help="time for confirmation after the limit")
    flags.add_argument("--trials", type=int, default=10, metavar="N", help="seeds of libFuzzer (default: %(default)s)")
    flags.add_argument("--jobs", type=int, default=1, metavar="N", help="campaigns at a time (default: %(default)s)")
    flags.add_argument("--pin", action="store_true", help="each campaign on a processor of its own")
    given = flags.parse_args()
    given.until = END if given.mixed else given.until or ("finding" if given.smt else "contradiction")
    return given


def _limits(given: argparse.Namespace) -> list[str]:
    limit = f"-runs={given.runs}" if given.minutes is None else f"-max_total_time={given.minutes * 60:.0f}"
    finish = {"contradiction": 0.1, "finding": None, END: 1.0 if given.mixed else 600.0}[given.until]
    finish = given.finish_seconds if given.finish_seconds is not None else finish
    words = [limit] if given.until == END else [limit, f"--stop-at-first={given.until}"]
    return [*words, *([] if finish is None else [f"--finish-seconds={finish}"])]


def _corpora(given: argparse.Namespace) -> list[Corpus]:
    corpora = of_smt() if given.smt else mixed(given.mixed, given.z3_library) if given.mixed else alone()
    unknown = set(given.bug or ()) - {bug for corpus in corpora for bug in corpus.bugs}
    if unknown:
        raise SystemExit(f"{', '.join(sorted(unknown))}: not in the table of known wrong answers")
    return [corpus for corpus in corpora if given.mixed or not given.bug or set(corpus.bugs) & set(given.bug)]


def main() -> None:
    """Run the trials, and print the tables."""
    given = _given()
    arms, trees = arms_of(given.arm), dict(given.tree)
    corpora = _corpora(given)
    trials = []
    for corpus in corpora:
        corpus.write(given.into / "seeds" / corpus.name)
        for arm, flags in arms.items():
            words = (*corpus.flags, *_limits(given), "--status-seconds=0.3", *shlex.split(flags))
            words = (*words, str((given.into / "seeds" / corpus.name).resolve()))
            tree = Path(trees.get(arm, ROOT)).resolve()
            folder = given.into.resolve() / arm / corpus.name
            trials.append(ArmTrials(folder, words, given.trials, arm, corpus, tree, given.until))
    for each in trials:
        each.prepare()
    campaigns = measured(trials, given.jobs, is_pinned=given.pin)
    (given.into / "trials.jsonl").write_bytes(b"".join(msgspec.json.encode(each) + b"\n" for each in campaigns))
    bugs = [bug for corpus in corpora for bug in corpus.bugs if bug in (given.bug or corpus.bugs)]
    first, *others = arms
    for arm in arms:
        print(f"\n{arm}:")
        print_table(single(campaigns, arm, bugs, ("executions", "seconds")))
    for other in others:
        for measure in comparable(campaigns):
            print(f"\n{measure} until found:")
            print_table(table(campaigns, (first, other), bugs, measure))
    print()
    print_table(ends(campaigns, arms))
    curves = {arm: {bug: survival(sample(campaigns, arm, bug, "executions")) for bug in bugs} for arm in arms}
    (given.into / "survival.json").write_text(json.dumps(curves, indent=1) + "\n")


if __name__ == "__main__":
    try:
        main()
    except UsageError as error:
        sys.exit(f"{error}")
