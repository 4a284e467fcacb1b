"""The program `chcfuzz`: everything around a campaign that does not need the fuzzing engine."""

from __future__ import annotations

import argparse
import errno
import os
import platform
import sys
from collections.abc import Sequence
from importlib import metadata
from typing import cast

from chcfuzz.campaign import command_line
from chcfuzz.commands import (
    bridge,
    check,
    cluster,
    common_flags,
    compare,
    confirm,
    corpus,
    coverage,
    dashboard,
    doctor,
    findings,
    fuzz,
    generate,
    help_texts,
    import_,
    init_solver,
    learn,
    locate,
    minimize,
    mutations,
    premerge,
    reduce,
    regress,
    replay,
    report,
    show,
    stats,
    triage,
    trials,
    try_fix,
    watch,
)
from chcfuzz.commands.inputs import recorded, unit_in
from chcfuzz.commands.own_file import NothingWrongError
from chcfuzz.commands.parser import Parser
from chcfuzz.commands.subcommand import Subcommand, Uses
from chcfuzz.execution.domain import check_flags, solving_of
from chcfuzz.execution.recorded_flags import allowed
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printable import printable
from chcfuzz.mutators import roots
from chcfuzz.solvers import python, z3_release
from chcfuzz.solvers.machine_limits import limits_named
from chcfuzz.solvers.process_group import stopped_by_signals

COMMANDS = cast(
    "tuple[Subcommand, ...]",
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
        try_fix,
        confirm,
        import_,
        learn,
        generate,
        check,
        bridge,
        init_solver,
        corpus,
        minimize,
        regress,
        premerge,
        coverage,
        trials,
        compare,
        cluster,
        stats,
        mutations,
    ),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one subcommand; return its exit code: 0, 1 for a bad result, 2 for invalid arguments, 130 after Ctrl-C."""
    python.raise_when_interrupted()
    python.forget_current_folder()
    words = _with_help(list(sys.argv[1:] if arguments is None else arguments))
    parser = build_parser()
    _complete()
    parser.check_command(words[0], [command.NAME for command in COMMANDS])
    if "" in words:
        parser.error("an argument is empty; perhaps a variable of the shell is not set")
    words, after = split(words)
    given, more = parser.parse_known_args(words)
    if more and given.command_module.NAME != fuzz.NAME:
        parser.reject(more[0], given.command_module.NAME)
    try:
        if "input" in given:
            given = parser.parse_args([words[0], *allowed(recorded(given.input), words[1:])])
        if getattr(given, "domain", None):  # the user names it, so a finding may name it, too
            roots.activate(roots.load(given.domain).roots)
        if "input" in given:
            given.unit = unit_in(given.input)
        given.words, given.after = words[1:], after
        with stopped_by_signals(), limits_named(), common_flags.watched(getattr(given, "verbose", False)):
            return _run(given)
    except NothingWrongError as verdict:
        print(printable(f"chcfuzz: {verdict}"), file=sys.stderr)
        return 1
    except ChcfuzzError as error:
        print(printable(f"chcfuzz: {error}"), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("chcfuzz: interrupted", file=sys.stderr)
        return python.INTERRUPTED
    except BrokenPipeError:  # for example with `| head`
        sys.stderr.close()
        return 0
    except OSError as error:  # of a path that a user names: `Path.is_dir` and others raise these two
        if error.errno not in (errno.EACCES, errno.ENAMETOOLONG) or error.filename is None:
            raise
        what = f"cannot use {str(error.filename)!r}: {error.strerror}; name another file or folder"
        print(printable(f"chcfuzz: {what}"), file=sys.stderr)
        return 2


def _run(given: argparse.Namespace) -> int:
    """Run the command with the Z3 that it needs."""
    command: Subcommand = given.command_module
    if command.USES is not Uses.NONE and "z3" in given:
        check_flags(Solving.of(given))
    if command.USES is Uses.GIVEN:
        given.solving = solving_of(given)
        command.check(given)
        given.solving.activate()
    elif command.USES is Uses.INSTALLED:
        z3_release.activate()
    return command.run(given)


def _with_help(words: list[str]) -> list[str]:
    """Replace `help` and `help COMMAND` by the flag; an empty command line means `help`."""
    if words[:1] == ["help"]:
        return [*words[1:2], "--help"]
    return words or ["--help"]


def split(words: list[str]) -> tuple[list[str], list[str]]:
    """Return the words before and after `--`, for a command that hands the rest on."""
    if words[0] not in (trials.NAME, cluster.NAME) or "--" not in words:
        return words, []
    place = words.index("--")
    return words[:place], words[place + 1 :]


def _version() -> str:
    """Return the versions of this project, of the installed Z3 and of Python."""
    z3 = z3_release.installed()
    solver = f"z3-solver {z3.version}" if z3 else "no z3-solver"
    return f"chcfuzz {metadata.version('chcfuzz')} ({solver}, Python {platform.python_version()})"


def _complete() -> None:
    """Print the completions on request of the shell, and exit: `eval "$(register-python-argcomplete chcfuzz)"`."""
    if "_ARGCOMPLETE" in os.environ:
        import argcomplete

        argcomplete.autocomplete(build_parser(completes=True))


def build_parser(completes: bool = False) -> Parser:
    """Return the parser of all commands; with `completes`, it also has the flags of a campaign, for the shell."""
    parser = Parser(
        prog="chcfuzz",
        description="Fuzz solvers of CHC, SMT and interpolation problems, and work with problems, units and findings.",
        epilog='`chcfuzz COMMAND --help` has examples. Completion: eval "$(register-python-argcomplete chcfuzz)"',
    )
    parser.add_argument("--version", action="version", version=_version(), help="show versions and exit")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", title="commands, those for a campaign first")
    for command in COMMANDS:
        its = commands.add_parser(
            command.NAME,
            help=command.HELP,
            description=command.HELP,
            epilog=help_texts.epilog(command.NAME, command.EXAMPLES),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            add_help=command.NAME != fuzz.NAME,
        )
        command.add_flags(its)
        for leaf in common_flags.leaves(its) if command.NAME != fuzz.NAME else ():  # a campaign has its own
            common_flags.add(leaf)
            leaf.epilog, leaf.formatter_class = its.epilog, its.formatter_class
            if not completes:
                help_texts.hide_solver_flags(leaf)
        if completes and command.NAME == fuzz.NAME:  # the campaign program reads its flags
            command_line.add_flags(its)
        its.set_defaults(command_module=command)
    return parser
