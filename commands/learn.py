"""`chcfuzz learn`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from chcfuzz.commands import json_output
from chcfuzz.commands.subcommand import Uses
from chcfuzz.execution.flags import positive
from chcfuzz.execution.solving import UsageError
from chcfuzz.grammar.printable import printable
from chcfuzz.solvers.python import INTERRUPTED

if TYPE_CHECKING:
    from chcfuzz.corpus_tools.learning import Line

NAME, HELP, USES = "learn", "train a model of formulas on .smt2 files, for `generate` and campaigns", Uses.NONE
EXAMPLES = (
    "chcfuzz learn benchmarks/ -o my.model",
    "chcfuzz learn benchmarks/ --triggers bugs/ --weight 20 -o my.model",
    "chcfuzz learn --show my.model",
    "chcfuzz learn --score my.model corpus-smt/",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("folders", nargs="*", type=Path, metavar="DIR", help="folders of .smt2 and .smt2.gz files")
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("-o", "--output", type=Path, metavar="FILE", help="the model to write")
    modes.add_argument("--show", type=Path, metavar="FILE", help="print what a model was trained on, and measurements")
    modes.add_argument("--score", type=Path, metavar="FILE", help="print bits a node of the files by a model")
    parser.add_argument("--sort", default="Bool", metavar="SORT", help="with --show: likely productions of this sort")
    parser.add_argument(
        "--triggers", action="append", default=[], type=Path, metavar="DIR", help="files to fine-tune on; repeatable"
    )
    parser.add_argument(
        "--weight", type=positive, default=10, metavar="N", help="times that a trigger counts (default: %(default)s)"
    )
    parser.add_argument("--all-contexts", action="store_true", help="fine-tune all contexts, not the two deepest ones")
    parser.add_argument("--base", type=Path, metavar="FILE", help="a model whose counts are added")
    parser.add_argument("--refit", action="store_true", help="adapt models of another version of chcfuzz")
    parser.add_argument(
        "--diversity", action="store_true", help="train on ten mutants of each file, too, which differ in a term"
    )
    parser.add_argument("--equivalents", action="store_true", help="train on equivalent forms of triggers by Z3, too")
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="processes (default: %(default)s)")
    parser.add_argument(
        "--max-bytes",
        type=positive,
        default=5 * 1024,
        metavar="N",
        help="leave out larger files (default: %(default)s)",
    )
    parser.add_argument(
        "--max-nodes", type=positive, default=1024, metavar="N", help="and larger problems (default: %(default)s)"
    )
    json_output.add_flag(parser)


def run(given: argparse.Namespace) -> int:
    """Train, show or use a model; return 130 after Ctrl-C, which leaves an old model as it was."""
    try:
        lines, content = _result(given)
    except KeyboardInterrupt:
        print("chcfuzz: interrupted; no model was written", file=sys.stderr)
        return INTERRUPTED
    if given.json:
        json_output.show(content)
    else:
        print("\n".join(map(printable, lines)))
    return 0


def _result(given: argparse.Namespace) -> tuple[list[Line], object]:
    """Return what the command prints: lines of text, and the same for JSON."""
    from chcfuzz.corpus_tools import learning
    from chcfuzz.learning.counts import MOST
    from chcfuzz.learning.data import FileLimits
    from chcfuzz.learning.training import TrainingOptions

    for folder in (*given.folders, *given.triggers):
        if not folder.is_dir():
            raise UsageError(f"{str(folder)!r} is not a folder; name folders of .smt2 files")
    limits = FileLimits(given.max_bytes, given.max_nodes)
    if given.show is not None:
        if given.folders:
            raise UsageError(f"--show reads a model and no folder; leave {str(given.folders[0])!r} out")
        return learning.show(given.show, given.sort, given.refit)
    if given.score is not None:
        return learning.score(given.score, given.folders, limits, given.refit)
    if given.output is None:
        raise UsageError("name the model to write with -o FILE, or a model to read with --show or --score")
    if not given.folders and (given.base is None or not (given.triggers or given.refit)):
        raise UsageError("no folder to train on; name one, or the --base that the triggers fine-tune")
    if not given.triggers and (given.all_contexts or given.equivalents):
        raise UsageError("--all-contexts and --equivalents are about triggers; name a folder with --triggers")
    if given.weight > MOST:
        raise UsageError(f"--weight {given.weight}: a trigger counts at most {MOST} times")
    request = learning.LearnRequest(
        tuple(dict.fromkeys(given.folders)),
        tuple(dict.fromkeys(given.triggers)),
        given.base,
        given.refit,
        given.diversity,
        given.equivalents,
    )
    return learning.learn(
        given.output, request, TrainingOptions(given.weight, given.all_contexts, limits, given.jobs, *request.augment)
    )
