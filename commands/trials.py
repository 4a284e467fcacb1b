"""`chcfuzz trials`."""

from __future__ import annotations

import argparse
import re
import sys
import time
from pathlib import Path

from chcfuzz.campaign.command_line import default_corpus, parse, parser
from chcfuzz.commands import json_output
from chcfuzz.commands.subcommand import Uses
from chcfuzz.execution.domain import check_flags
from chcfuzz.execution.flags import add_shard, positive, share
from chcfuzz.grammar.printable import clock, counted
from chcfuzz.solvers.python import INTERRUPTED

NAME, HELP, USES = "trials", "run campaigns that differ only in libFuzzer's seed, for `chcfuzz compare`", Uses.NONE
EXAMPLES = (
    "chcfuzz trials 10 --into novelty/ -- --portfolio=novelty=1 -max_total_time=600",
    "chcfuzz trials 10 --into default/ --jobs 2 -- -runs=1000 corpus/",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("number", type=positive, metavar="N", help="number of campaigns; their seeds are 1 to N")
    parser.add_argument(
        "--into",
        type=Path,
        required=True,
        metavar="DIR",
        help="folder for a run folder of each; existing ones are kept",
    )
    parser.add_argument(
        "--jobs", type=positive, default=1, metavar="N", help="campaigns at a time (default: %(default)s)"
    )
    add_shard(parser)
    parser.usage = "%(prog)s [--jobs N] --into DIR N -- FLAGS"
    parser.description = f"{HELP}; FLAGS are those of `chcfuzz fuzz`, with a limit such as -runs=N, "
    parser.description += "and corpora; -runs counts after the seeds"


def with_seeds(words: list[str]) -> list[str]:
    """Return flags whose -runs also counts the files of the corpora, so that N mutants follow the seeds."""
    from chcfuzz.campaign.corpus_folder import size

    seeds = size(map(Path, corpora_in(words)))
    found = [word for word in words if re.fullmatch(r"-runs=\d+", word)]
    if not found or not seeds:
        return words
    runs = int(found[-1].partition("=")[2])
    print(
        f"chcfuzz: {counted(runs, 'execution')} after {counted(seeds, 'seed')}: -runs={runs + seeds}", file=sys.stderr
    )
    return [f"-runs={runs + seeds}" if word == found[-1] else word for word in words]


def corpora_in(words: list[str]) -> list[str]:
    """Return the words that name corpora."""
    _, rest = parser().parse_known_args(words)
    return [word for word in rest if not word.startswith("-")]


def run(given: argparse.Namespace) -> int:
    """Run the campaigns that are missing; return 130 after Ctrl-C, and the largest exit code of a campaign."""
    from chcfuzz.experiments.trials import Runner, Trials

    check_flags(parse(given.after).solving)  # raises, as `parse` does, for flags that a campaign would refuse
    words = with_seeds([*given.after, *default_corpus(given.after)])
    trials = Trials(given.into, tuple(words), given.number)
    trials.prepare()
    seeds = share(trials.seeds, given.shard)
    missing = [seed for seed in seeds if not trials.is_complete(seed)]
    ended = len(seeds) - len(missing)
    begun, before = time.monotonic(), ended

    codes_by_seed = {seed: 0 for seed in seeds if seed not in missing}

    def report(_trials: Trials, seed: int, code: int) -> None:
        nonlocal ended
        ended += 1
        codes_by_seed[seed] = code
        if given.quiet and not code:
            return
        failed = f" with exit code {code}" if code else ""
        left = (time.monotonic() - begun) / (ended - before) * (len(seeds) - ended)
        rest = f", about {clock(left)} left" if ended < len(seeds) else ""
        print(f"chcfuzz: trial {seed} has ended{failed}; {ended} of {len(seeds)}{rest}", file=sys.stderr, flush=True)

    try:
        codes = Runner(given.jobs, report).run([(trials, seed) for seed in missing])
    except KeyboardInterrupt:
        print("chcfuzz: interrupted; the same command runs the rest", file=sys.stderr)
        return INTERRUPTED
    if given.json:
        json_output.show({"into": str(given.into), "exit_codes": dict(sorted(codes_by_seed.items()))})
        return max(codes, default=0)
    number = counted(len(seeds), "trial", "is", "are")
    print(f"{number} in {str(given.into)!r}; `chcfuzz compare` compares them with others")
    return max(codes, default=0)
