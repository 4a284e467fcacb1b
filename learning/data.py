"""Training data: problems in folders of SMT-LIB files, each as the numbers of its nodes, in bounded time and memory."""

from __future__ import annotations

import hashlib
import os
import re
import zlib
from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from chcfuzz.grammar.errors import GrammarError, LimitError
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.reading.decoding import content_of, states_horn, text_of
from chcfuzz.grammar.symbols import RESERVED
from chcfuzz.grammar.terms import Function, Predicate, Variable
from chcfuzz.grammar.theory import operator_names
from chcfuzz.learning.places import UnknownWordError, numbers_of
from chcfuzz.learning.productions import MOST_NODES, Node, Productions, sequence

MOST_BYTES = 5 * 1024  # of a file, as in LaST
TOO_LARGE, UNREADABLE, COPIES, SAME, TOO_LONG, EMPTY = (
    "too large", "unreadable", "copies", "same after normalizing", "too many productions", "nothing asserted",
)  # fmt: skip
NOT_DRAWN = "operators that are not drawn"
_NAMES = re.compile(r"`[^`]*`|'[^']*'|\"[^\"]*\"|\|[^|]*\||\d+")
_WORD = re.compile(r"[^\s()|`'\",;]+")
_NOT_WORDS = re.compile(r";[^\r\n]*|\(\s*set-info\s[^|\"()]*(?:\|[^|]*\||\"[^\"]*\")")  # prose
_STANDARD = RESERVED | operator_names() | {"Array", "BitVec", "Bool", "HORN", "Int", "Real"}
_MOST_REASONS, _LONGEST_REASON = 200, 100


@dataclass(frozen=True)
class FileLimits:
    """Limits of a file that a model is trained on."""

    bytes: int = MOST_BYTES
    nodes: int = MOST_NODES


@dataclass(frozen=True)
class Read:
    """A problem that was read: the numbers of its nodes, the key of its normal form, and its theories."""

    numbers: tuple[int, ...]
    key: bytes
    theories: tuple[str, ...]


@dataclass(frozen=True)
class Refused:
    """A file that was left out, with the reason."""

    reason: str


@dataclass
class Sources:
    """Files that were read and left out; `sums` holds a sum over names and contents for each folder."""

    left_out: Tally[str] = field(default_factory=Tally)
    files: Tally[str] = field(default_factory=Tally)
    sums: dict[str, str] = field(default_factory=dict)
    _seen: set[bytes] = field(default_factory=set)

    def is_new(self, key: bytes) -> bool:
        """Return whether a content or a normal form comes for the first time."""
        before = len(self._seen)
        self._seen.add(key)
        return len(self._seen) > before

    def leave_out(self, reason: str) -> None:
        """Count a file that is left out; reasons beyond a number are counted together."""
        known = reason in self.left_out or len(self.left_out) < _MOST_REASONS
        self.left_out[reason if known else "other reasons"] += 1


def contents(folder: Path, limits: FileLimits, sources: Sources) -> Iterator[bytes]:
    """Yield the contents of the files of a folder in the order of their paths, each content once."""
    total = hashlib.blake2b(digest_size=16)
    for path in paths(folder):
        content = learnable(path, limits.bytes)
        if isinstance(content, Refused):
            sources.leave_out(content.reason)
            continue
        key = hashlib.blake2b(content, digest_size=16).digest()
        total.update(str(path.relative_to(folder)).encode("utf-8", "surrogateescape") + b"\0" + key)
        sources.files[str(folder)] += 1
        if sources.is_new(key):
            yield content
        else:
            sources.leave_out(COPIES)
    sources.sums[str(folder)] = total.hexdigest()


def paths(folder: Path) -> Iterator[Path]:
    """Yield the .smt2 and .smt2.gz files below a folder, in the order of their paths."""
    for here, folders, files in os.walk(folder):
        folders.sort()
        yield from (Path(here, name) for name in sorted(files) if name.endswith((".smt2", ".smt2.gz")))


def learnable(path: Path, most: int) -> bytes | Refused:
    """Return the content of a file of at most `most` bytes, unpacked."""
    try:
        content = content_of(path, most) if path.is_file() else Refused(UNREADABLE)
    except (OSError, EOFError, zlib.error):
        return Refused(UNREADABLE)
    return Refused(TOO_LARGE) if content is None else content


def read_file(content: bytes, most_nodes: int = MOST_NODES) -> list[Read | Refused]:
    """Return the problems of a file, or the reasons for those that are left out."""
    found: list[Read | Refused] = []
    try:
        stated = problems(content)
    except GrammarError as error:
        return [Refused(f"not read: {_without_names(error.what, content)}")]
    for problem in stated:
        try:
            found.append(_read(problem, most_nodes))
        except UnknownWordError:
            found.append(Refused(NOT_DRAWN))
        except LimitError:
            found.append(Refused(TOO_LONG))
    return found or [Refused(EMPTY)]


def _without_names(reason: str, content: bytes) -> str:
    """Return a reason without numbers and without words of the file but standard ones: models contain no text."""
    own = set(_WORD.findall(_NOT_WORDS.sub(" ", text_of(content)))) - _STANDARD
    plain = _NAMES.sub("...", reason)
    return _WORD.sub(lambda word: "..." if word[0] in own else word[0], plain)[:_LONGEST_REASON]


def problems(content: bytes) -> Sequence[BaseProblem]:
    """Return the problems that a file states: a CHC system, or one for each check; raises `GrammarError`."""
    text = text_of(content)
    if states_horn(text):
        return (parse.parse(text),)
    return tuple(dict.fromkeys(each for each in parse.checks(text) if each.assertions))


def _read(problem: BaseProblem, most_nodes: int) -> Read:
    found = sequence(problem, most_nodes)
    return Read(tuple(numbers_of(found)), key_of(found), tuple(sorted(problem.theories)) or ("Bool",))


def key_of(productions: Productions) -> bytes:
    """Return a key that problems share if they are equal up to the names of variables and functions."""
    sorts = {sort: str(sort) for sort in {node.sort for node in productions.nodes}}
    lines = [f"{node.production}\0{sorts[node.sort]}\0{_detail(node)}\n" for node in productions.nodes]
    return hashlib.blake2b("".join(lines).encode("utf-8", "surrogatepass"), digest_size=12).digest()


def _detail(node: Node) -> str:
    detail = node.detail
    if isinstance(detail, Function | Predicate):
        return " ".join((detail.name, *map(str, detail.parameters)))
    if isinstance(detail, tuple):
        return " ".join(f"{variable.name} {variable.sort}" for variable in detail)
    if isinstance(detail, int | Fraction):  # Python refuses decimals of more than 4,300 digits
        return f"{detail.numerator:x}/{detail.denominator:x}"
    return detail.name if isinstance(detail, Variable) else detail
