"""`chcfuzz check`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from chcfuzz.commands import json_output
from chcfuzz.commands.inputs import bytes_of, print_left_out
from chcfuzz.commands.subcommand import Uses
from chcfuzz.execution.console import print_error
from chcfuzz.execution.exit_codes import EXIT_USAGE
from chcfuzz.execution.solving import UsageError
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.printable import counted, printable
from chcfuzz.grammar.reading.decoding import text_of
from chcfuzz.mutators.roots import DOMAINS, load

NAME, HELP, USES = "check", "parse .smt2 files, and print the reason for each file that is refused", Uses.NONE
EXAMPLES = ("chcfuzz check corpus/lia", "chcfuzz check corpus-smt/bv/*.smt2 --domain smt")


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE|FOLDER", help="- is standard input")
    parser.add_argument(
        "--domain", metavar="NAME", help=f"the kind of problems: {', '.join(DOMAINS)} (default: {DOMAINS[0]})"
    )
    json_output.add_flag(parser)


def run(given: argparse.Namespace) -> int:
    """Parse each file; return 1 if one is refused, and exit code 2 if one cannot be read.

    With -v, name every command that solvers do not get, also those that change no answer.
    """
    refusals: dict[str, str] = {}
    unreadable: dict[str, str] = {}
    files, roots = list(dict.fromkeys(_files(given.files))), load(given.domain).roots
    for path in files:
        try:
            if path.is_dir():
                raise UsageError(f"no .smt2 or .smt2.gz file in {str(path)!r}; name another folder")
            text = text_of(bytes_of(path))
            roots.parse(text, str(path))
            print_left_out(path, text, roots, given.verbose)
        except GrammarError as error:
            refusals[str(path)] = printable(str(error))
        except UsageError as error:
            unreadable[str(path)] = printable(str(error))
    code = EXIT_USAGE if unreadable else 1 if refusals else 0
    if given.json:
        json_output.show({"files": len(files), "refused": refusals, "unreadable": unreadable})
        return code
    for reason in refusals.values():
        print(reason)
    for reason in unreadable.values():
        print_error(f"chcfuzz: {reason}")
    read = len(files) - len(refusals) - len(unreadable)
    others = ((refusals, "refused"), (unreadable, "not readable"))
    rest = "".join(f", {len(some)} {what}" for some, what in others if some)
    print(f"{counted(read, roots.noun)} in {counted(len(files), 'file')}{rest}")
    return code


def _files(named: Sequence[Path]) -> Iterator[Path]:
    """Yield the files that are named or in folders that are named, and folders without one."""
    from chcfuzz.corpus_tools.importer import problem_files

    for path in named:
        found = list(problem_files(path)) if path.is_dir() else []
        yield from found or [path]
