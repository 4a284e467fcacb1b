"""The program `chcfuzz`: everything around a campaign that needs no fuzzing engine."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import cast

from chcfuzz.campaign import options
from chcfuzz.commands import (
    check,
    confirm,
    corpus,
    coverage,
    dashboard,
    doctor,
    findings,
    fuzz,
    generate,
    import_,
    locate,
    minimize,
    mutations,
    reduce,
    regress,
    replay,
    report,
    show,
    stats,
    triage,
    watch,
)
from chcfuzz.commands.command import Command, Uses
from chcfuzz.commands.inputs import recorded, unit_in
from chcfuzz.execution.solving import Solving, chosen
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printable import printable
from chcfuzz.solvers import python, z3_release

COMMANDS = cast(
    "tuple[Command, ...]",
    (
        fuzz,
        watch,
        dashboard,
        doctor,
        findings,
        triage,
        report,
        show,
        replay,
        reduce,
        locate,
        confirm,
        import_,
        generate,
        check,
        corpus,
        minimize,
        regress,
        coverage,
        stats,
        mutations,
    ),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one sub-command; the exit code is 0, 1 where it has something bad to tell, 2 for bad use."""
    python.forget_current_folder()
    words = list(sys.argv[1:] if arguments is None else arguments)
    parser = _parser()
    _complete()
    given, more = parser.parse_known_args(words)
    if more and given.command_module.NAME != fuzz.NAME:
        parser.parse_args(words)  # leaves, and says what nobody knows
    try:
        if "input" in given:
            given = parser.parse_args([words[0], *chosen(recorded(given.input), words[1:])])
            given.unit = unit_in(given.input)
        given.words = words[1:]
        command: Command = given.command_module
        if command.USES is Uses.GIVEN:
            given.solving = Solving.of(given)
            given.solving.activate()
        elif command.USES is Uses.INSTALLED:
            z3_release.activate()
        return command.run(given)
    except ChcfuzzError as error:
        print(printable(f"chcfuzz: {error}"), file=sys.stderr)
        return 2
    except BrokenPipeError:  # somebody's `| head`
        sys.stderr.close()
        return 0


def _complete() -> None:
    """Answer the shell where it asks how a word goes on, and leave: `eval "$(register-python-argcomplete chcfuzz)"`."""
    if "_ARGCOMPLETE" in os.environ:
        import argcomplete

        argcomplete.autocomplete(_parser(completes=True))


def _parser(completes: bool = False) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="chcfuzz",
        description="Fuzz CHC solvers, and work with systems, recipes and findings.",
        epilog='`chcfuzz COMMAND --help` has examples. Completion: eval "$(register-python-argcomplete chcfuzz)"',
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND", title="commands, those for a campaign first")
    for command in COMMANDS:
        its = commands.add_parser(
            command.NAME,
            help=command.HELP,
            description=command.HELP,
            epilog="\n".join(("examples:", *(f"  {example}" for example in command.EXAMPLES))),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            add_help=command.NAME != fuzz.NAME,
        )
        command.add_flags(its)
        if completes and command.NAME == fuzz.NAME:  # whose flags are read by the main program
            options.add_flags(its)
        its.set_defaults(command_module=command)
    return parser
