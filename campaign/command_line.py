"""The command line of a fuzz target: chcfuzz's flags begin with two dashes, all others are libFuzzer's."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import NoReturn

from chcfuzz.campaign import corpus_folder
from chcfuzz.campaign.libfuzzer_modes import check_handed_on
from chcfuzz.campaign.options import FIRST, KEPT, MADE, Options
from chcfuzz.campaign.presets import PRESETS
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.execution import flags
from chcfuzz.execution.domain import load
from chcfuzz.execution.recorded_flags import chosen
from chcfuzz.execution.solving import BESIDES, LIMITS, SOLVER, Solving, UsageError
from chcfuzz.mutators.portfolio import CHAIN_ALONE

_SHORT = {
    "-q": "--quiet",
    "-v": "--verbose",
    "-h": "--help",
}  # libFuzzer's flags have one dash, and -verbosity begins with -v


_NO_SHARD = (
    "a campaign has no --shard; give each job of an array a --run-dir of its own, and later all of their folders to "
    "`chcfuzz triage` and `minimize` (docs/clusters.md)"
)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see --help")


def parser(program: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of chcfuzz's own flags; its help text mentions libFuzzer's."""
    made = _Parser(
        prog=program,
        usage="%(prog)s [--flags] [-libfuzzer_flags] [CORPUS_FOLDER ... | FILE ...]",
        description="Fuzz a solver with mutants of the problems in the corpus folders, and examine every wrong answer. "
        "Without a folder, the seeds of chcfuzz for the domain are the corpus. Ctrl-C ends a campaign, and "
        "-max_total_time=3600 ends it after an hour.",
        epilog="A campaign writes new units to the first corpus folder. libFuzzer's flags have one dash and an equals "
        "sign, for example -runs=1000 -max_total_time=60 -seed=1 -fork=2 -jobs=2 -merge=1 -minimize_crash=1 "
        "-artifact_prefix=DIR/; -help=1 lists them. Files instead of folders are run once each. Exit codes: 0 success, "
        "2 bad use or a full disk, 3 internal errors (in findings/ours), 77 a finding of a file or with "
        "--stop-on-finding, 130 Ctrl-C before the campaign has begun.",
        add_help=False,
        allow_abbrev=False,
    )
    add_flags(made)
    flags.group_of(made, FIRST).add_argument("--help", action="help", help="show this text and exit")
    return made


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add chcfuzz's own flags to a parser, in groups, the most common ones first."""
    for title in (FIRST, SOLVER, LIMITS, BESIDES, KEPT, MADE):
        flags.group_of(parser, title)
    flags.add(parser, Options)
    Solving.add_flags(parser, dict.fromkeys(("z3", "command"), FIRST))


def _check_inputs(inputs: Sequence[str]) -> None:
    """Raise `UsageError` for an input that does not exist.

    The first of several folders may be new: new units are written there. A single name is misspelt, a unit that was
    deleted, or a folder for new units that needs a corpus beside it.
    """
    for number, name in enumerate(inputs):
        if Path(name).exists() or (number == 0 and len(inputs) > 1):
            continue
        advice = f"; for new units in that folder, name a corpus after it: {name} CORPUS" if len(inputs) == 1 else ""
        raise UsageError(f"no such file or folder: {name!r}; create it, or name another corpus{advice}")
    files = [name for name in inputs if Path(name).is_file()]
    if files and len(files) < len(inputs):
        raise UsageError(_in_a_folder(files[0]))


def _in_a_folder(file: str) -> str:
    """Return the message for a file where a campaign needs a folder."""
    return f"{file!r} is a file, and a corpus is a folder; put it into one: mkdir mine && cp {quote(file)} mine/"


def default_corpus(words: Sequence[str], domain: str | None = None) -> list[str]:
    """Return the project's seeds of the domain if no corpus is named and no campaign is resumed."""
    ours, rest = parser().parse_known_args(words)
    if ours.resume is not None or not all(word.startswith("-") for word in rest):
        return []
    seeds = load(ours.domain or domain).seeds
    return [] if seeds is None else [str(seeds)]


def check_libfuzzer_flags(flags: Sequence[str], known: Collection[str]) -> None:
    """Raise `UsageError` for a flag of libFuzzer that is not `known`, without its dash; libFuzzer would only warn."""
    for word in flags:
        name, _, value = word[1:].partition("=")
        if name not in known:
            near = difflib.get_close_matches(name, sorted(known), n=1)
            advice = f"did you mean -{near[0]}={value}?" if near else "-help=1 lists its flags"
            raise UsageError(f"libFuzzer does not know the flag {word!r}; {advice}")


def _kept_in(options: Options, run: RunFolder) -> Options:
    """Return the options of a campaign that is stored in a run folder."""
    if options.findings != Options.findings:
        raise UsageError(f"--findings={options.findings}: with --run-dir, findings are in {str(run.path)!r}")
    if options.run_dir and run.is_begun:
        raise UsageError(f"{str(run.path)!r} holds a campaign; use --resume={run.path}, or a new folder")
    if options.replays_files:
        raise UsageError(_in_a_folder(str(options.inputs[0])))
    if options.merges or options.minimizes or options.asks_help:
        raise UsageError(f"{str(run.path)!r} is for a campaign; leave out -merge, -minimize_crash and -help")
    inputs = {path.absolute(): path for path in options.inputs}  # --resume may name the recorded ones again
    return replace(options, findings=run.findings, inputs=(run.corpus, *inputs.values()))


def parse(arguments: Sequence[str], domain: str | None = None) -> Options:
    """Return the options of a command line. Raises `UsageError` for missing inputs and unknown flags.

    `domain` is the domain without `--domain`; each has a folder of its own for new units beside the project's seeds.
    A bare `--`, with which OSS-Fuzz's runner begins, is left out, as libFuzzer does.
    """
    arguments = [_SHORT.get(word, word) for word in arguments if word != "--"]
    for word in arguments:
        if not word:
            raise UsageError("an argument is empty; perhaps a variable of the shell is not set")
        if any("\ud800" <= character <= "\udfff" for character in word):
            raise UsageError(f"{word!r} is not UTF-8, which libFuzzer's arguments have to be; name a link to it")
    resumed = _Parser(add_help=False, allow_abbrev=False)
    resumed.add_argument("--resume", type=flags.path)
    folder, more = resumed.parse_known_args(arguments)
    if folder.resume is None or "--help" in more:
        return _parsed(arguments, domain)
    _, words = RunFolder(folder.resume).begun_with()
    return _parsed([f"--resume={folder.resume}", *chosen(words, more)], domain)


def _with_implied(options: Options) -> Options:
    """Return the options with the values that others imply."""
    if options.performance:
        options = replace(options, limit_factor=0)
    if options.mutates_groups_only:
        is_given = options.portfolio != Options.portfolio
        portfolio = options.portfolio if is_given else tuple(CHAIN_ALONE.items())
        options = replace(options, portfolio=portfolio, prices="none")
    return options


def _parsed(arguments: Sequence[str], domain: str | None) -> Options:
    ours, rest = parser().parse_known_args(arguments)
    if ours.preset is not None:
        ours, rest = parser().parse_known_args([*PRESETS[ours.preset], *arguments])
    unknown = [word for word in rest if word.startswith("--")]
    if unknown and unknown[0].partition("=")[0] == "--shard":
        raise UsageError(_NO_SHARD)
    if unknown:
        raise UsageError(f"unknown flag {unknown[0]!r}; --help lists chcfuzz's flags, -help=1 libFuzzer's")
    options = Options(
        **flags.values(ours, Options),
        solving=Solving.of(ours),
        libfuzzer=tuple(word for word in rest if word.startswith("-")),
        inputs=tuple(Path(word) for word in rest if not word.startswith("-")),
    )
    options = _with_implied(options)
    if options.is_campaign and not options.merges:
        options = replace(options, inputs=options.inputs or tuple(map(Path, default_corpus(arguments, domain))))
    if options.run is not None:
        options = _kept_in(options, options.run)
    if options.workers > 1 and options.starts_processes:
        raise UsageError(f"--workers={options.workers} cannot be combined with -fork, -jobs and -merge")
    if options.minimizes and options.inputs and not options.replays_files:
        raise UsageError("-minimize_crash=1 needs one file, the unit to minimize")
    valueless = next((word for word in options.libfuzzer if "=" not in word), None)
    if valueless is not None:
        raise UsageError(f"libFuzzer's {valueless!r} needs an equals sign and a value, as in {valueless}=1")
    _check_inputs([word for word in rest if not word.startswith("-")])
    if options.run is None and options.grown is not None and corpus_folder.is_own(options.grown):
        options = replace(
            options,
            inputs=(corpus_folder.grown(options.solving.domain or domain), *options.inputs),
            spares_own_seeds=True,
        )
    if options.starts_processes:
        for word in (*options.ours, *options.libfuzzer):  # inputs get links
            check_handed_on(word)
    return options
