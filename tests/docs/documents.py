"""The Markdown documents of the project, and the code blocks in them."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.sources import listed
from tests.targets import ROOT

FOLDERS = ("", "docs", "bench", "reports")
DOCUMENTS = [ROOT / file for file in listed() if file.suffix == ".md" and (*file.parts[:-1], "")[0] in FOLDERS]
_MARK = re.compile(r"<!-- (.*) -->")
# Marks of blocks that are not executed, in an HTML comment on the line before the block, each with a reason behind it.
_NOT_EXECUTED = ("not run: ", "needs ")
_SLOW = ("slow: ", "run-command")
_TESTS_THEMSELVES = "test-command"


@dataclass(frozen=True)
class Block:
    """A fenced code block; `mark` is the HTML comment before it, or empty."""

    file: Path
    line: int
    language: str
    mark: str
    text: str

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.line}"

    @property
    def is_executed(self) -> bool:
        """Whether a test executes the commands of the block, instead of only checking their flags."""
        return not self.mark.startswith((*_NOT_EXECUTED, _TESTS_THEMSELVES))

    @property
    def is_slow(self) -> bool:
        """Whether only the slow tests execute it."""
        return self.mark.startswith(_SLOW)

    @property
    def has_known_mark(self) -> bool:
        """Whether the mark is empty or one of those that the tests understand."""
        return not self.mark or self.is_slow or not self.is_executed

    def commands(self) -> Iterator[list[str]]:
        """Yield the commands of a block of shell code as lists of words, without comments."""
        for line in self.text.replace("\\\n", " ").splitlines():
            command: list[str] = []
            for word in shlex.split(line, comments=True):
                if word == "&&":
                    yield command
                    command = []
                else:
                    command.append(word)
            if command:
                yield command


def blocks(language: str) -> list[Block]:
    """Return the fenced blocks of a language in all documents."""
    return [block for file in DOCUMENTS for block in _blocks(file) if block.language == language]


def _blocks(file: Path) -> Iterator[Block]:
    lines = file.read_text().splitlines()
    start: int | None = None
    for number, line in enumerate(lines):
        if not line.startswith("```"):
            continue
        if start is None:
            start = number
            continue
        before = _MARK.fullmatch(lines[start - 1]) if start else None
        text = "\n".join(lines[start + 1 : number]) + "\n"
        yield Block(file, start + 1, lines[start][3:], before.group(1) if before else "", text)
        start = None


def prose(file: Path) -> str:
    """Return the text of a document without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", file.read_text(), flags=re.MULTILINE | re.DOTALL)
