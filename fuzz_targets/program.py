"""The main function of every fuzz target.

The process that a user starts is the supervisor of a campaign. A process that the supervisor starts, or libFuzzer for
`-fork`, `-jobs`, `-merge` and `-minimize_crash`, is a worker.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from chcfuzz.campaign import corpus_folder
from chcfuzz.campaign.command_line import check_libfuzzer_flags, parse
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session import scratch
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.supervisor.supervisor import supervise
from chcfuzz.execution.console import divert, print_error
from chcfuzz.execution.domain import check_flags, load
from chcfuzz.execution.exit_codes import EXIT_USAGE
from chcfuzz.execution.files import see_folder, see_writable
from chcfuzz.execution.solving import UsageError
from chcfuzz.fuzz_targets import libfuzzer_flags, preloaded
from chcfuzz.grammar.drawing.drawing_limits import DEFAULT_QUANTIFIED
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.learning import active as learned
from chcfuzz.mutators import roots
from chcfuzz.solvers import python
from chcfuzz.solvers.machine_limits import limits_named


def run(script: Path, arguments: Sequence[str], domain: str | None = None, *, is_command: bool | None = None) -> int:
    """Run a campaign of the target `script`, or one of its workers; return the exit code.

    `domain` is the domain without `--domain`. A target may require `--command`, or refuse it.
    """
    python.raise_when_interrupted()
    python.start_again_in_utf_8()
    session = None
    try:
        with limits_named():
            preloaded.start_again_without_libfuzzer()
            options = _prepared(parse(arguments, domain), domain, is_command)
            session = Session.from_environment()
            if session is None:
                _check(options)
            _activate(options)
            if session is None and options.is_campaign:
                corpus_folder.ensure_of_domain(options.inputs)
            release = options.solving.activate()
            if session is None:
                return _supervise(script, options, load(options.solving.domain).headline(options.solving, release))
            _work(script, options, session)
    except ChcfuzzError as error:
        if session is not None:
            session.exit_reason.write(str(error))
        print_error(f"chcfuzz: {error}")
        return EXIT_USAGE
    except KeyboardInterrupt:  # before the campaign begins, which listens to signals itself
        print_error("chcfuzz: interrupted")
        return python.INTERRUPTED
    return 0


def _prepared(options: Options, domain: str | None, is_command: bool | None) -> Options:
    """Return the options as the domain needs them; raises `UsageError` for those that it does not support."""
    solving = options.solving
    if is_command is False and solving.command is not None:
        raise UsageError("--command is for fuzz_targets/chc_command.py; here Spacer is under test, try --cross")
    if is_command and solving.command is None:
        raise UsageError('--command is missing; name the solver, as in --command "eld -ssol"')
    solving = replace(solving, domain=solving.domain or domain)
    found = load(solving.domain)
    solving = found.prepared(solving, options.experimental)
    if found.counts_resources(solving):
        return replace(options, solving=solving)
    if options.performance:
        raise UsageError("--performance needs a resource count, which a command does not give")
    return replace(options, solving=solving, limit_factor=0)


def _activate(options: Options) -> None:
    """Activate the domain, and the model that the campaign draws with, if it has one."""
    domain = roots.load(options.solving.domain).roots
    roots.activate(domain)
    named = (f"--model {options.model}", options.model != learned.NONE)
    for flag, is_given in (named, ("--learn", options.learn)):
        if is_given and not domain.takes_models:
            raise UsageError(f"{flag}: models draw no {domain.noun}s, which this target fuzzes; leave it out")
    bounds = (("quantified", options.quantified, DEFAULT_QUANTIFIED), ("size", options.size, None))
    for name, value, default in bounds:
        if value != default and not (domain.draws and domain.takes_models):
            raise UsageError(f"--{name} {value} draws SMT problems, and this target fuzzes others; leave it out")
    learned.activate(options.model, options.learn)


def _check(options: Options) -> None:
    """Check all flags and folders before a release is fetched. Raises `ChcfuzzError`."""
    check_libfuzzer_flags(options.libfuzzer, libfuzzer_flags.known())
    check_flags(options.solving)
    if options.is_campaign:
        see_folder(options.findings)
        if options.grown is not None:
            see_folder(options.grown)
        for file in filter(None, (options.json, options.state, options.metrics)):
            if file.parent != options.findings:  # which may be new
                see_writable(file)


def _supervise(script: Path, options: Options, headline: str) -> int:
    load(options.solving.domain).check_usable(options.solving)
    return supervise(script, options, headline)


def _work(script: Path, options: Options, session: Session) -> None:
    # Imported here because these modules need the Z3 that was just activated, and a supervisor does not need them.
    from chcfuzz.campaign.worker.target import Target
    from chcfuzz.fuzz_targets import engine

    scratch.end_with_owner(session.folder)
    divert()
    target = Target(options, session)
    gc.freeze()  # the garbage collector does not have to visit the modules again and again
    callbacks = engine.Callbacks(
        target.test_one_input,
        lambda data, max_size, seed: target.mutate(data, max_size, seed, engine.mutate_bytes),
        target.crossover,
    )
    engine.fuzz(script, options.arguments, callbacks, target.regions)
