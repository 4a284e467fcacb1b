"""Regular languages: expressions in a normal form, their derivatives, membership and equality, all with a bound.

An expression is a `Language`; the functions that make one simplify it, so derivatives stay small. The answers are
`UNDETERMINED` if they take more than `MOST_STEPS` derivatives of parts, or deeper expressions than `MOST_DEPTH`.
The method: J. A. Brzozowski, "Derivatives of regular expressions", 1964.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from chcfuzz.grammar.evaluation.values import UNDETERMINED, Undetermined

LAST = 0x2FFFF  # code point of the last character
MOST_STEPS = 50_000
MOST_DEPTH = 150
MOST_PARTS = 10_000  # of an expression as a tree
MOST_LETTERS = 100_000  # of the words of an expression


@dataclass(frozen=True)
class Language:
    """A regular expression: a kind of node, its parts, and a word, a range of characters or the bounds of a loop.

    Kinds are "word", "range", "concat", "union", "inter", "comp" and "loop", whose upper bound -1 means none.
    """

    kind: str
    parts: tuple[Language, ...] = ()
    word: str = ""
    low: int = 0
    high: int = 0

    @cached_property
    def _hash(self) -> int:
        return hash((self.kind, self.parts, self.word, self.low, self.high))

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def depth(self) -> int:
        """Nesting of the expression."""
        return 1 + max((part.depth for part in self.parts), default=0)

    @cached_property
    def size(self) -> int:
        """Number of nodes as a tree."""
        return 1 + sum(part.size for part in self.parts)

    @cached_property
    def letters(self) -> int:
        """Number of characters of its words, as a tree."""
        return len(self.word) + sum(part.letters for part in self.parts)

    @cached_property
    def has_empty(self) -> bool:
        """Whether the empty word is in the language."""
        match self.kind:
            case "word":
                return not self.word
            case "range":
                return False
            case "concat" | "inter":
                return all(part.has_empty for part in self.parts)
            case "union":
                return any(part.has_empty for part in self.parts)
            case "comp":
                return not self.parts[0].has_empty
        return self.low == 0 or self.parts[0].has_empty

    @cached_property
    def marks(self) -> frozenset[int]:
        """Characters at which words may begin to differ: each is the first one of a class, or the one behind it."""
        found = {mark for letter in self.word for mark in (ord(letter), ord(letter) + 1)}
        if self.kind == "range":
            found |= {self.low, self.high + 1}
        return frozenset(found.union(*(part.marks for part in self.parts)))

    @property
    def is_bounded(self) -> bool:
        """Whether the expression is small enough to be worked with."""
        return self.depth <= MOST_DEPTH and self.size <= MOST_PARTS and self.letters <= MOST_LETTERS


NONE, EMPTY, ONE = Language("union"), Language("word"), Language("range", high=LAST)
ALL = Language("loop", (ONE,), high=-1)


def literal(word: str) -> Language:
    """Return the language of one word."""
    return Language("word", word=word)


def characters(first: str, last: str) -> Language:
    """Return the words of one character of a range; none unless both bounds have one character, in this order."""
    if len(first) != 1 or len(last) != 1 or first > last:
        return NONE
    return literal(first) if first == last else Language("range", low=ord(first), high=ord(last))


def concatenation(parts: Iterable[Language]) -> Language:
    """Return the words that are made of one word of each part."""
    found: list[Language] = []
    for part in parts:
        for each in part.parts if part.kind == "concat" else (part,):
            if each is NONE or each == NONE:
                return NONE
            if each.kind == "word" and found and found[-1].kind == "word":
                found[-1] = literal(found[-1].word + each.word)
            elif each != EMPTY:
                found.append(each)
    return found[0] if len(found) == 1 else Language("concat", tuple(found)) if found else EMPTY


def union(parts: Iterable[Language]) -> Language:
    """Return the words of all parts."""
    found = _members("union", parts)
    if ALL in found:
        return ALL
    return found[0] if len(found) == 1 else Language("union", found)


def intersection(parts: Iterable[Language]) -> Language:
    """Return the words that all parts have."""
    found = tuple(part for part in _members("inter", parts) if part != ALL)
    if NONE in found:
        return NONE
    return found[0] if len(found) == 1 else Language("inter", found) if found else ALL


def _members(kind: str, parts: Iterable[Language]) -> tuple[Language, ...]:
    return tuple(dict.fromkeys(each for part in parts for each in (part.parts if part.kind == kind else (part,))))


def complement(part: Language) -> Language:
    """Return all other words."""
    if part == NONE:
        return ALL
    if part == ALL:
        return NONE
    return part.parts[0] if part.kind == "comp" else Language("comp", (part,))


def loop(part: Language, low: int, high: int = -1) -> Language:
    """Return the words that are made of `low` to `high` words of a part; -1 means any number of them."""
    if -1 < high < low:
        return NONE
    if part == NONE or high == 0:
        return EMPTY if low == 0 else NONE
    if part == EMPTY or (low == high == 1):
        return part
    if part.kind == "loop" and part.low == 0 and part.high < 0:  # r* as often as one likes
        return part
    return Language("loop", (part,), low=0 if part.has_empty else low, high=high)


class _ExhaustedError(Exception):
    """More steps than a question may take."""


class _Derivatives:
    """Derivatives by characters, with a bound for all of them together."""

    def __init__(self, most: int = MOST_STEPS) -> None:
        self._left = most
        self._known: dict[tuple[Language, int], Language] = {}

    def of(self, language: Language, letter: int) -> Language:
        """Return the words that a letter can be put in front of, with a result in the language."""
        key = language, letter
        self._left -= 1
        if key not in self._known:
            self._left -= len(language.parts) + len(language.word) // 1000
            if not language.is_bounded:
                raise _ExhaustedError
            self._known[key] = self._derived(language, letter)
        if self._left < 0:
            raise _ExhaustedError
        return self._known[key]

    def _derived(self, language: Language, letter: int) -> Language:
        match language.kind:
            case "word":
                is_first = bool(language.word) and ord(language.word[0]) == letter
                return literal(language.word[1:]) if is_first else NONE
            case "range":
                return EMPTY if language.low <= letter <= language.high else NONE
            case "union":
                return union(self.of(part, letter) for part in language.parts)
            case "inter":
                return intersection(self.of(part, letter) for part in language.parts)
            case "comp":
                return complement(self.of(language.parts[0], letter))
            case "concat":
                return union(self._of_concatenation(language.parts, letter))
        (part,) = language.parts
        rest = loop(part, max(0, language.low - 1), language.high - 1 if language.high > 0 else -1)
        return concatenation((self.of(part, letter), rest if language.high != 1 else EMPTY))

    def _of_concatenation(self, parts: tuple[Language, ...], letter: int) -> Iterator[Language]:
        for number, part in enumerate(parts):
            self._left -= 1
            yield concatenation((self.of(part, letter), *parts[number + 1 :]))
            if not part.has_empty:
                return

    def has(self, language: Language, word: str) -> bool:
        """Determine whether a word is in a language."""
        for position, letter in enumerate(word):
            if language in (NONE, ALL):
                break
            if language.kind == "word":
                return word[position:] == language.word
            language = self.of(language, ord(letter))
        return language.has_empty

    def shortest(self, language: Language, word: str, start: int, least: int) -> int | None:
        """Return the end of the shortest part of a word from a start that is in the language, `least` letters long."""
        for end in range(start, len(word) + 1):
            if end - start >= least and language.has_empty:
                return end
            if end < len(word):
                language = self.of(language, ord(word[end]))
            if language == NONE:
                return None
        return None

    def first_match(self, language: Language, word: str, start: int, least: int) -> tuple[int, int] | None:
        """Return the bounds of the leftmost shortest part of a word, from a start on, that is in the language."""
        for begin in range(start, len(word) + 1):
            end = self.shortest(language, word, begin, least)
            if end is not None:
                return begin, end
        return None

    def are_equal(self, a: Language, b: Language) -> bool:
        """Determine whether two languages have the same words."""
        letters = sorted({0, *(mark for mark in a.marks | b.marks if mark <= LAST)})
        done, todo = {(a, b)}, [(a, b)]
        while todo:
            a, b = todo.pop()
            if a.has_empty is not b.has_empty:
                return False
            pairs = ((self.of(a, letter), self.of(b, letter)) for letter in letters)
            new = dict.fromkeys(pair for pair in pairs if pair not in done and pair[0] != pair[1])
            done.update(new)
            todo += new
        return True


def has(language: Language, word: str) -> bool | Undetermined:
    """Determine whether a word is in a language."""
    try:
        return _Derivatives().has(language, word)
    except _ExhaustedError:
        return UNDETERMINED


def are_equal(a: Language, b: Language) -> bool | Undetermined:
    """Determine whether two languages have the same words."""
    try:
        return a == b or _Derivatives().are_equal(a, b)
    except _ExhaustedError:
        return UNDETERMINED


def matches(language: Language, word: str, start: int, least: int, most: int) -> list[tuple[int, int]] | Undetermined:
    """Return the bounds of at most `most` parts of a word that are in a language, from left to right.

    Each is the leftmost and then the shortest one, with at least `least` letters, behind the one before it.
    """
    derivatives, found = _Derivatives(), list[tuple[int, int]]()
    try:
        while len(found) < most and (match := derivatives.first_match(language, word, start, least)):
            found.append(match)
            start = match[1]
    except _ExhaustedError:
        return UNDETERMINED
    return found
