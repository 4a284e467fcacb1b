"""The parser of `chcfuzz`, whose errors are one line with the next action."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Collection
from typing import NoReturn

from chcfuzz.execution.exit_codes import EXIT_USAGE
from chcfuzz.grammar.printable import printable


class Parser(argparse.ArgumentParser):
    """A parser that prints one line for an error, instead of its usage."""

    def error(self, message: str) -> NoReturn:
        """Print the message and the command for help, and exit with 2."""
        self.exit(EXIT_USAGE, printable(f"{self.prog}: {message}; `{self.prog} --help` lists its arguments") + "\n")

    def check_command(self, word: str, known: Collection[str]) -> None:
        """Exit with an error for a word that is neither a flag nor a known command."""
        if word.startswith("-") or word in known:
            return
        near = difflib.get_close_matches(word, sorted(known), n=1)
        self.error(f"unknown command {word!r}{f', did you mean {near[0]}?' if near else ''}")

    def reject(self, word: str, command: str) -> NoReturn:
        """Exit with an error for a word that a command does not know."""
        name = f"{self.prog} {command}"
        self.exit(
            EXIT_USAGE, printable(f"{name}: unknown argument {word!r}; `{name} --help` lists its arguments") + "\n"
        )
