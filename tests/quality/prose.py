"""Find the lines of prose that break one of the six rules of docs/writing.md.

Prose is Markdown outside of code blocks, docstrings, comments of Python and shell, and, with `--messages`, string
literals that read as sentences. `python -m tests.quality.prose [--messages] [PATH...]` prints each line that breaks a
rule, and the number of these lines; `--baseline` writes their numbers to prose_baseline.toml.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from tests.sources import listed
from tests.targets import ROOT

BASELINE = Path(__file__).with_name("prose_baseline.toml")
_START = r"(?:^|(?<=[.;:|!?] )|(?<=[.;:|!?]  )|(?<=\| ))[\"'`*(_-]*"
RULES = {
    1: re.compile(_START + r"(?:What|Who|Whoever|Whatever)\b(?![^.]*\?)"),
    2: re.compile(
        r"\b(?:tells?|telling|told|says?|said|saying|asks?|asked|asking|look(?:s|ed|ing)? into)\b", re.IGNORECASE
    ),
    3: re.compile(r"\bso (?:many|often|long|much)\b(?! as\b| that\b)", re.IGNORECASE),
    4: re.compile(
        r"\b(?:is|are|was|were|be|has|have) (?-i:no|none)\b(?! longer| more than| later)|\bnobody\b|\bno one\b",
        re.IGNORECASE,
    ),
    5: re.compile(_START + r"Of (?!course)\w|, of which\b|\bof that\b(?! \w)|; of (?:a|an|the|these|those|what)\b"),
    6: re.compile(
        r"\b(?:besides|anew|dear(?:er|est)?|spoil(?:s|ed|t)?|in vain|mend(?:s|ed|ing)?|lies|lay|lying|stands|stood"
        r"|strikes?|struck|takes? along|took along|go(?:es)? on|went on|going on|of ours)\b",
        re.IGNORECASE,
    ),
}
_CODE = re.compile(r"``[^`]*``|`[^`]*`|\"[^\"]*\"|https?://\S+")
_FENCE = re.compile(r"^\s*(?:```|~~~)")


class Line(NamedTuple):
    """A line of prose: its place and its text."""

    file: Path
    number: int
    text: str

    @property
    def broken(self) -> tuple[int, ...]:
        """Numbers of the rules that it breaks; code and quotations do not count."""
        text = _CODE.sub("`x`", self.text)
        return tuple(number for number, pattern in RULES.items() if pattern.search(text))


def prose(file: Path, messages: bool = False) -> Iterator[Line]:
    """Yield the lines of prose of a file."""
    text = file.read_text()
    if file.suffix == ".md":
        found = _markdown(text)
    elif file.suffix == ".py":
        found = _python(text, messages)
    else:
        found = (
            (n, line.lstrip("# ")) for n, line in enumerate(text.splitlines(), 1) if line.lstrip().startswith("# ")
        )
    for number, line in found:
        if re.search(r"[A-Za-z]{2}", line):
            yield Line(file, number, line)


def _markdown(text: str) -> Iterator[tuple[int, str]]:
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if _FENCE.match(line):
            inside = not inside
        elif not inside:
            yield number, line.strip().lstrip("#>*- ")


def _python(text: str, messages: bool) -> Iterator[tuple[int, str]]:
    lines: list[tuple[int, str]] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline) if "#" in text else ():
        if token.type == tokenize.COMMENT and not re.match(r"#\s*(?:noqa|type:|ruff|pragma|!)", token.string):
            lines.append((token.start[0], token.string.lstrip("#: ")))
    tree = ast.parse(text)
    docstrings: set[ast.expr] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and (
            node.body
            and isinstance(node.body[0], ast.Expr)
            and isinstance(node.body[0].value, ast.Constant)
            and isinstance(node.body[0].value.value, str)
        ):
            constant = node.body[0].value
            docstrings.add(constant)
            lines += [
                (constant.lineno + at, line.strip())
                for at, line in enumerate(str(constant.value).splitlines())
                if line.strip()
            ]
    if messages:
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
                lines += [
                    (node.lineno, line.strip())
                    for line in node.value.splitlines()
                    if len(re.findall(r"\b[a-z]{2,}\b", line)) >= 3 and "(assert" not in line
                ]
    yield from sorted(lines)


def files(paths: list[Path]) -> list[Path]:
    """Return the tracked files of prose below some paths, sorted."""
    below = [path.resolve() for path in paths]
    files = [ROOT / file for file in listed() if file.suffix in (".py", ".md", ".sh")]
    return [file for file in files if any(path in (file, *file.parents) for path in below)]


def counts(lines: Iterable[Line]) -> dict[str, int]:
    """Count the lines that break a rule by top-level folder; files in the top folder count as "."."""
    found: Counter[str] = Counter()
    for line in lines:
        parts = line.file.relative_to(ROOT).parts
        found[parts[0] if len(parts) > 1 else "."] += bool(line.broken)
    return {folder: number for folder, number in sorted(found.items()) if number}


def write_baseline(numbers: dict[str, int]) -> None:
    """Write the numbers to the baseline, below its comment; exit if one is higher than before."""
    before = tomllib.loads(BASELINE.read_text())
    risen = [folder for folder, number in numbers.items() if number > before.get(folder, 0)]
    if risen:
        sys.exit(f"more lines of {', '.join(risen)} break a rule than before; correct them first")
    comment = [line for line in BASELINE.read_text().splitlines() if line.startswith("#")]
    rows = [f"{json.dumps(folder)} = {number}" for folder, number in numbers.items()]
    BASELINE.write_text("\n".join([*comment, "", *rows]).rstrip() + "\n")


def main() -> None:
    """Print the lines that break a rule, or write the baseline."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, default=[Path(".")])
    parser.add_argument("--messages", action="store_true", help="include string literals that read as sentences")
    parser.add_argument("--baseline", action="store_true", help="write prose_baseline.toml and print nothing")
    given = parser.parse_args()
    if given.baseline:
        write_baseline(counts(line for file in files([ROOT]) for line in prose(file)))
        return
    seen = [line for file in files(given.paths) for line in prose(file, given.messages)]
    broken = [line for line in seen if line.broken]
    for line in broken:
        print(f"{line.file.relative_to(ROOT)}:{line.number}: rule {','.join(map(str, line.broken))}: {line.text}")
    print(f"{len(broken)} of {len(seen)} lines break a rule")


if __name__ == "__main__":
    main()
