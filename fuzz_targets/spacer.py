#!/usr/bin/env python3
"""Fuzz Spacer: `python fuzz_targets/spacer.py corpus/`; `--help` tells the rest.

Started by a user this is the supervisor of a campaign; started by the supervisor, or by libFuzzer again for `-fork`,
`-jobs`, `-merge` and `-minimize_crash`, it is a worker.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from chcfuzz.campaign.options import EXIT_USAGE, Options, parse
from chcfuzz.campaign.session import Session
from chcfuzz.campaign.supervisor import supervise
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers.z3_release import Release

SCRIPT = Path(__file__).resolve()


def main(arguments: Sequence[str]) -> int:
    """Run a campaign, or be one of its workers; the exit code."""
    try:
        options = parse(arguments)
        release = options.solving.activate()
        session = Session.from_environment()
        if session is None:
            return supervise(SCRIPT, options, _headline(options, release))
        _work(options, session)
    except ChcfuzzError as error:
        print(f"chcfuzz: {error}", file=sys.stderr)
        return EXIT_USAGE
    return 0


def _headline(options: Options, release: Release) -> str:
    if release.traced:
        events = f"events of trace sites ({', '.join(options.solving.trace_tags)}) and edges from {release.traced}"
    else:
        events = f"events from Spacer's progress log, library in {release.library_folder}"
    return f"Z3 {release.version}, {events}"


def _work(options: Options, session: Session) -> None:
    # Not at the top: all this needs the Z3 that was just chosen, and a supervisor needs none of it.
    from chcfuzz.campaign.worker import Target
    from chcfuzz.fuzz_targets import engine

    target = Target(options, session)
    engine.fuzz(
        SCRIPT,
        options.arguments,
        target.test_one_input,
        lambda data, max_size, seed: target.mutate(data, max_size, seed, engine.mutate_bytes),
        target.crossover,
        target.regions,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
