"""`chcfuzz check`."""

from __future__ import annotations

import argparse
from pathlib import Path

from chcfuzz.commands import json_output
from chcfuzz.commands.command import Uses
from chcfuzz.commands.inputs import bytes_of
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.printable import printable
from chcfuzz.grammar.reading import text_of
from chcfuzz.mutators.roots import DOMAINS, active

NAME, HELP, USES = "check", "parse .smt2 files, and print the reason for each file that is refused", Uses.NONE
EXAMPLES = ("chcfuzz check corpus/lia/*.smt2", "chcfuzz check corpus-smt/bv/*.smt2 --domain smt")


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="- is standard input")
    parser.add_argument(
        "--domain", metavar="NAME", help=f"the kind of problems: {', '.join(DOMAINS)} (default: {DOMAINS[0]})"
    )
    json_output.add_flag(parser)


def run(given: argparse.Namespace) -> int:
    """Parse each file; return 1 if one is refused."""
    refusals: dict[str, str] = {}
    files = list(dict.fromkeys(given.files))
    for path in files:
        try:
            active().parse(text_of(bytes_of(path)), str(path))
        except GrammarError as error:
            refusals[str(path)] = printable(str(error))
    total, refused = len(files), len(refusals)
    if given.json:
        json_output.show({"files": total, "refused": refusals})
        return 1 if refused else 0
    for reason in refusals.values():
        print(reason)
    print(f"{total - refused} of {total} files are {active().noun}s" + (f", {refused} refused" if refused else ""))
    return 1 if refused else 0
