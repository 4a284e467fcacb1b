"""The arguments of a campaign's libFuzzer workers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from chcfuzz.campaign.libfuzzer_modes import check_handed_on, is_handed_on
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.in_flight import MAX_UNIT
from chcfuzz.campaign.session.session import Session

# Defaults that suit this fuzzer better than libFuzzer's; a user's own flag comes later and wins.
_DEFAULTS = (
    "-len_control=0",  # recipes are compressed, so a short one may be complex
    f"-max_len={MAX_UNIT}",
    "-detect_leaks=0",
    "-rss_limit_mb=6144",  # Z3 has its own limit, which is lower
    "-timeout=7200",  # chcfuzz has its own wall clock
)


def libfuzzer_arguments(options: Options, session: Session) -> list[str]:
    """Return the arguments of every worker, and create the folders that they name."""
    arguments = [*_DEFAULTS]
    if options.workers > 1:
        # Seconds between two looks at the corpus folder; each look lists the whole folder.
        arguments.append(f"-reload={max(1, options.workers // 4)}")
    elif not options.has_jobs:
        arguments.append("-reload=0")  # otherwise a clock decides when libFuzzer reads its own folder again
    if options.solving.counts_edges:
        arguments.append("-entropic=0")  # measured: it takes half of the time with ten thousands of edges
    if options.forks and not options.stop_on_finding:
        arguments.append("-ignore_crashes=1")
    if options.is_campaign and not options.stop_on_finding:  # what is worth keeping is kept as a finding
        artifacts = session.folder / "artifacts"
        artifacts.mkdir()
        arguments.append(f"-artifact_prefix={artifacts}/")
    arguments += [*options.ours, *options.libfuzzer, *_inputs(options, session)]
    if options.is_campaign and not options.inputs:
        corpus = session.folder / "corpus"  # so that a new worker finds what the one before it has found
        corpus.mkdir()
        arguments.append(str(corpus))
    return arguments


def merge_arguments(options: Options, session: Session, units: str) -> list[str]:
    """Return the arguments that merge a folder of units into the corpus."""
    return ["-merge=1", "-verbosity=0", *options.ours, _inputs(options, session)[0], units]


def _inputs(options: Options, session: Session) -> list[str]:
    """Return the words that name the inputs: links to those that libFuzzer cannot pass to its processes.

    Raises `UsageError` for a temporary folder whose path it cannot pass on either.
    """
    words = list(map(str, options.inputs))
    if not options.starts_processes:
        return words
    check_handed_on(str(session.folder), "or name another folder in TMPDIR")
    return [word if is_handed_on(word) else _link(session, number, word) for number, word in enumerate(words)]


def _link(session: Session, number: int, word: str) -> str:
    link = session.folder / f"input-{number}"
    if not link.is_symlink():
        link.symlink_to(Path(word).absolute())
    return str(link)


def with_values(arguments: Sequence[str], values: dict[str, int]) -> list[str]:
    """Return arguments in which these flags have these values."""
    kept = [word for word in arguments if word.partition("=")[0] not in values]
    return [*kept, *(f"{name}={value}" for name, value in values.items())]
