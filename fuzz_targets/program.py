"""What every fuzz target does with its command line.

Started by a user it is the supervisor of a campaign; started by the supervisor, or by libFuzzer again for `-fork`,
`-jobs`, `-merge` and `-minimize_crash`, it is a worker.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from chcfuzz.campaign import scratch
from chcfuzz.campaign.options import Options, parse, see_libfuzzers
from chcfuzz.campaign.session import Session
from chcfuzz.campaign.supervisor import supervise
from chcfuzz.execution.solving import EXIT_USAGE
from chcfuzz.execution.usable import see_usable
from chcfuzz.fuzz_targets import libfuzzer_flags, preloaded
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers.z3_release import Release

Prepare = Callable[[Options], Options]
Headline = Callable[[Options, Release], str]


def run(script: Path, arguments: Sequence[str], prepare: Prepare, headline: Headline) -> int:
    """Run a campaign of the target `script`, or be one of its workers; the exit code.

    `prepare` says what these options mean to this target, and raises `UsageError` for those that mean nothing;
    `headline` is what a campaign tells first.
    """
    session = None
    try:
        preloaded.start_again_without_libfuzzer()
        options = prepare(parse(arguments))
        release = options.solving.activate()
        session = Session.from_environment()
        if session is None:
            return _supervise(script, options, headline(options, release))
        _work(script, options, session)
    except ChcfuzzError as error:
        if session is not None:
            session.say_why_left(str(error))
        print(f"chcfuzz: {error}", file=sys.stderr)
        return EXIT_USAGE
    return 0


def _supervise(script: Path, options: Options, headline: str) -> int:
    see_libfuzzers(options.libfuzzer, libfuzzer_flags.known())
    see_usable(options.solving)
    return supervise(script, options, headline)


def _work(script: Path, options: Options, session: Session) -> None:
    # Not at the top: all this needs the Z3 that was just chosen, and a supervisor needs none of it.
    from chcfuzz.campaign.worker import Target
    from chcfuzz.fuzz_targets import engine

    scratch.end_with_owner(session.folder)
    target = Target(options, session)
    gc.freeze()  # modules stay: the garbage collector need not look through them again and again
    engine.fuzz(
        script,
        options.arguments,
        target.test_one_input,
        lambda data, max_size, seed: target.mutate(data, max_size, seed, engine.mutate_bytes),
        target.crossover,
        target.regions,
    )
