"""Strings and regular expressions: the theory of Unicode strings of SMT-LIB 2.7, and operators of Z3 or cvc5 alone.

A value of String is a Python string, a sequence of code points up to 0x2FFFF; surrogates are characters as others. A
value of RegLan is a `Language`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import LimitError, SortError
from chcfuzz.grammar.evaluation import languages
from chcfuzz.grammar.evaluation.languages import LAST, Language
from chcfuzz.grammar.evaluation.values import UNDETERMINED, Undetermined
from chcfuzz.grammar.sort_kinds import Elements, SortKind
from chcfuzz.grammar.sorts import BOOL, INT, Sort, basic
from chcfuzz.grammar.terms import MAX_DIGITS, Apply, Term, Value, conjunction, too_large
from chcfuzz.grammar.theory import (
    ALONE_IN_Z3,
    ExtensionKind,
    Indices,
    Lenience,
    Operator,
    Place,
    Sorts,
    Theory,
    TypingRule,
    WrittenOut,
    joined,
    split_operator,
)

STRING, REGLAN = basic("String"), basic("RegLan")
MOST_CHARACTERS = 100_000  # of a string
READERS = frozenset(("smtlib", "z3", "cvc5"))
_ESCAPE = re.compile(r"\\u(?:([0-9A-Fa-f]{4})|\{([0-9A-Fa-f]{1,4}|[0-2][0-9A-Fa-f]{4})\})")
_PLAIN = re.compile(r"[ !#-\[\]-~]*")  # printable, without quotes and backslashes
_WHITE = "\t\n\r"
_WORDS = (
    "",
    "a",
    "b",
    "ab",
    "ba",
    "aa",
    "abc",
    "0",
    "1",
    "10",
    "-1",
    "01",
    "A",
    " ",
    "\0",
    "\U0002ffff",
    "\\u{61}",
    "é",
)
_MOST_NEAR = 200  # characters of a literal that neighbours are made of


# Literals


def string_of(token: str) -> Value:
    """Return the string of a literal; raises `LimitError`, and `SortError` for a character that SMT-LIB excludes."""
    text = token[1:-1].replace('""', '"')
    odd = next((each for each in text if not " " <= each <= "~" and each not in _WHITE), None)
    if odd is not None:
        raise SortError(f"the character U+{ord(odd):04X} in a string, where SMT-LIB writes \\u{{{ord(odd):x}}}")
    return string(_ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), text))


def string(value: str) -> Value:
    """Return the literal of a string; raises `LimitError`."""
    if len(value) > MOST_CHARACTERS:
        raise LimitError(f"a string of {len(value)} characters; {MOST_CHARACTERS} are read")
    return Value(value, STRING)


def text_of(value: str) -> str:
    """Return a string as a literal of SMT-LIB."""
    if _PLAIN.fullmatch(value):
        return f'"{value}"'
    return '"' + "".join(_written(letter) for letter in value) + '"'


def _written(letter: str) -> str:
    if letter == '"':
        return '""'
    return letter if " " <= letter <= "~" and letter != "\\" else f"\\u{{{ord(letter):x}}}"


def _character(name: str, indices: Indices) -> Term | None:
    """Return the string of `(_ char #x41)`."""
    if name != "char" or len(indices) != 1:
        return None
    if indices[0] > LAST:
        raise SortError(f"(_ char #x{indices[0]:x}): characters end with #x{LAST:x}")
    return string(chr(indices[0]))


# Kinds of sorts


class Strings(SortKind):
    """The sort String; values are Python's strings."""

    name = "String"
    least_weight = 4
    learned_as = "String"
    literal_words = ("0", "1", "-1", "small", "power", "near", "large")
    readers = READERS

    def related(self, _sort: Sort) -> tuple[Sort, ...]:
        """Return Int, for lengths and positions, and RegLan."""
        return INT, REGLAN

    def text(self, value: Any, _sort: Sort) -> str:
        """Return a literal."""
        return text_of(value)

    def has(self, value: Any, _sort: Sort) -> bool:
        """Determine whether a value is a string of characters of SMT-LIB."""
        return isinstance(value, str) and all(ord(letter) <= LAST for letter in value)

    def normal(self, value: Any, _sort: Sort) -> Any:
        """Refuse strings that are too long."""
        return UNDETERMINED if len(value) > MOST_CHARACTERS else value

    def default(self, _sort: Sort, _elements: Elements) -> Any:
        """Return the empty string."""
        return ""

    def samples(self, _sort: Sort, constants: Sequence[Any]) -> Sequence[Any]:
        """Return short strings, and constants with a character more or less."""
        near = (each for value in constants for each in _around(value))
        return list(dict.fromkeys(("", "a", "b", "0", *near, "aa", "ab", "-1")))

    def draw(self, _sort: Sort, choices: Choices, _fuel: int) -> Term:
        """Draw one of a few strings."""
        return string(choices.pick(_WORDS))

    def near(self, value: Value) -> Sequence[Value]:
        """Return the string, and strings with a character more or less, or another one."""
        return [string(each) for each in dict.fromkeys(_around(_text(value)))]

    def number(self, number: int | Fraction, _sort: Sort) -> Value:
        """Return the digits of a number; the empty string for 0."""
        return string(str(int(number)) if number else "")

    def as_number(self, value: Any, _sort: Sort) -> int | Fraction:
        """Return the number that the digits denote, or the length of a string with other characters."""
        is_number = re.fullmatch(r"-?[1-9][0-9]{0,18}", value)
        return int(value) if is_number else len(value)

    def zero(self, _sort: Sort, _inside: tuple[Sort, ...]) -> Term:
        """Return the empty string."""
        return string("")

    def one(self, _sort: Sort) -> Term:
        """Return "a"."""
        return string("a")

    def simpler(self, value: Value) -> Sequence[Value]:
        """Return shorter strings: halves, and those without one character; then those with "a" in place of others."""
        text = _text(value)
        half = len(text) // 2
        found = ["", "a"[: len(text)], text[:half], text[half:], text[1:], text[:-1]]
        found += ["a" * len(text), *(text[:at] + "a" + text[at + 1 :] for at in range(min(len(text), _MOST_NEAR)))]
        return [string(each) for each in dict.fromkeys(found) if _weight(each) < _weight(text)]

    def others(self, value: Value) -> Sequence[Value]:
        """Return a few other strings."""
        text = _text(value)
        return [string(each) for each in dict.fromkeys((text + "z", "zz", "7")) if each != text][:3]


def _text(value: Value) -> str:
    text: Any = value.value
    return str(text)


def _weight(text: str) -> tuple[int, int]:
    return len(text), sum(letter != "a" for letter in text)


def _around(text: str) -> tuple[str, ...]:
    text = text[:_MOST_NEAR]
    return text, text[1:], text[:-1], text + "a", text + text[-1:], text[::-1]


class RegularExpressions(SortKind):
    """RegLan; its only literals are the words `re.none`, `re.all` and `re.allchar`."""

    name = "RegLan"
    least_weight = 5
    learned_as = "String"
    literal_words = ("0", "1", "-1")
    readers = READERS
    is_first_class = False  # equality of languages is not `==` of their expressions

    def related(self, _sort: Sort) -> tuple[Sort, ...]:
        """Return String."""
        return (STRING,)

    def text(self, value: Any, _sort: Sort) -> str:
        """Return the word of a constant."""
        return next(name for name, language in _LANGUAGES.items() if language == value)

    def has(self, value: Any, _sort: Sort) -> bool:
        """Determine whether a value is a language."""
        return isinstance(value, Language)

    def normal(self, value: Any, _sort: Sort) -> Any:
        """Refuse expressions that are too large."""
        return value if value.is_bounded else UNDETERMINED

    def default(self, _sort: Sort, _elements: Elements) -> Any:
        """Return the empty language."""
        return languages.NONE

    def term(self, value: Any, _sort: Sort, _parts: Sequence[Term]) -> Term:
        """Return the regular expression of a language."""
        return _expression(value)

    def draw(self, _sort: Sort, choices: Choices, _fuel: int) -> Term:
        """Draw a constant, the language of a word, or a range."""
        form = choices.index(6)
        if form < len(_LANGUAGES):
            return Value([*_LANGUAGES.values()][form], REGLAN)
        if form == len(_LANGUAGES):
            return Apply("re.range", [string(each) for each in choices.pick((("a", "c"), ("0", "9"), ("b", "a")))])
        return Apply("str.to_re", [string(choices.pick(_WORDS))])

    def near(self, value: Value) -> Sequence[Value]:
        """Return the constant itself."""
        return [value]

    def number(self, number: int | Fraction, _sort: Sort) -> Value:
        """Return the empty language for 0, all words for 1, and one character for other numbers."""
        found = languages.NONE if number == 0 else languages.ALL if number == 1 else languages.ONE
        return Value(found, REGLAN)

    def as_number(self, value: Any, _sort: Sort) -> int | Fraction:
        """Return 0 for the empty language, 1 for that of all words, and -1 for any other."""
        return 0 if value == languages.NONE else 1 if value == languages.ALL else -1

    def zero(self, sort: Sort, _inside: tuple[Sort, ...]) -> Term:
        """Return `re.none`."""
        return self.number(0, sort)

    def one(self, sort: Sort) -> Term:
        """Return `re.all`."""
        return self.number(1, sort)


_LANGUAGES = {"re.none": languages.NONE, "re.all": languages.ALL, "re.allchar": languages.ONE}
_OPERATOR_OF = {"concat": "re.++", "inter": "re.inter", "union": "re.union", "comp": "re.comp"}


def _expression(language: Language) -> Term:
    """Return a term of a language."""
    if language in _LANGUAGES.values():
        return Value(language, REGLAN)
    if language.kind == "word":
        return Apply("str.to_re", (string(language.word),))
    if language.kind == "range":
        return Apply("re.range", [string(chr(each)) for each in (language.low, language.high)])
    parts = [_expression(part) for part in language.parts]
    if language.kind != "loop":
        return Apply(_OPERATOR_OF[language.kind], parts)
    if language.high >= 0:
        return Apply(joined("re.loop", (language.low, language.high)), parts)
    star = Apply("re.*", parts)
    return Apply("re.++", (Apply(joined("re.^", (language.low,)), parts), star)) if language.low else star


# Typing


def signature(result: Sort, *takes: Sort, least: int = 0) -> TypingRule:
    """Return the rule of an operator of these sorts; with `least`, of at least that number of arguments of one sort."""

    def rule(indices: Indices, sorts: Sorts) -> Sort | None:
        fits = len(sorts) >= least and all(sort is takes[0] for sort in sorts) if least else tuple(sorts) == takes
        return result if fits and not indices else None

    def places(sorts: Sorts) -> list[Place]:
        if any(sort not in sorts for sort in takes):
            return []
        return [((), takes * number) for number in range(least, 4)] if least else [((), takes)]

    return TypingRule(rule, places)


def _pairs() -> TypingRule:
    """Return the rule of a chainable comparison, which is drawn with two arguments."""
    return TypingRule(signature(BOOL, STRING, least=2).result, signature(BOOL, STRING, STRING).places)


def _of_vector() -> TypingRule:
    def rule(indices: Indices, sorts: Sorts) -> Sort | None:
        return STRING if not indices and len(sorts) == 1 and sorts[0].is_bitvector else None

    return TypingRule(rule)


def _indexed(*indices: Indices) -> TypingRule:
    """Return the rule of an operator on RegLan with indices; those given here are drawn."""

    def rule(given: Indices, sorts: Sorts) -> Sort | None:
        return REGLAN if len(given) == len(indices[0]) and tuple(sorts) == (REGLAN,) else None

    return TypingRule(rule, lambda sorts: [(each, (REGLAN,)) for each in indices] if REGLAN in sorts else [])


# Values


def _joined(_: Apply, *args: str) -> str | Undetermined:
    return UNDETERMINED if sum(map(len, args)) > MOST_CHARACTERS else "".join(args)


def _substring(_: Apply, text: str, start: int, length: int) -> str:
    return text[start : start + length] if 0 <= start < len(text) and length > 0 else ""


def _index_of(_: Apply, text: str, pattern: str, start: int) -> int:
    return text.find(pattern, start) if 0 <= start <= len(text) else -1


def _replaced_all(_: Apply, text: str, old: str, new: str) -> str | Undetermined:
    if not old:
        return text
    is_long = len(text) + text.count(old) * (len(new) - len(old)) > MOST_CHARACTERS
    return UNDETERMINED if is_long else text.replace(old, new)


def _replaced_matches(least: int, most: int) -> Callable[..., str | Undetermined]:
    def value(_: Apply, text: str, language: Language, new: str) -> str | Undetermined:
        found = languages.matches(language, text, 0, least, most)
        if isinstance(found, Undetermined) or len(text) + len(found) * len(new) > MOST_CHARACTERS:
            return UNDETERMINED
        ends = [0, *(end for _, end in found)]
        before = [text[start:begin] + new for start, (begin, _) in zip(ends, found, strict=False)]
        return "".join(before) + text[ends[-1] :]

    return value


def _index_of_match(_: Apply, text: str, language: Language, start: int) -> int | Undetermined:
    if not 0 <= start <= len(text):
        return -1
    found = languages.matches(language, text, start, 0, 1)
    return found if isinstance(found, Undetermined) else found[0][0] if found else -1


def _to_int(_: Apply, text: str) -> int | Undetermined:
    if not text or not all("0" <= letter <= "9" for letter in text):
        return -1
    digits = text.lstrip("0")
    return UNDETERMINED if len(digits) > MAX_DIGITS else int(digits or "0")


def _updated(_: Apply, text: str, start: int, new: str) -> str:
    """Return the text with the characters from a position on replaced, as many as there are."""
    if not 0 <= start < len(text):
        return text
    return (text[:start] + new + text[start + len(new) :])[: len(text)]


def _cased(first: str, last: str, by: int) -> Callable[[Apply, str], str]:
    table = {code: code + by for code in range(ord(first), ord(last) + 1)}
    return lambda _, text: text.translate(table)


def _digits(_: Apply, number: int) -> str | Undetermined:
    return UNDETERMINED if too_large(number, INT) else str(number)


def _signed_digits(term: Apply, number: int) -> str | Undetermined:
    width = term.children[0].sort.width
    return _digits(term, number - (1 << width) if number >> (width - 1) else number)


def _in_order(follows: Callable[[str, str], bool]) -> Callable[..., bool]:
    return lambda _, *args: all(follows(a, b) for a, b in pairwise(args))


def _power(term: Apply, language: Language) -> Language:
    (times,) = split_operator(term.operator)[1]
    return languages.loop(language, times, times)


def _loop(term: Apply, language: Language) -> Language:
    low, high = split_operator(term.operator)[1]
    return languages.loop(language, low, high)


def _difference(_: Apply, first: Language, *others: Language) -> Language:
    return languages.intersection((first, *map(languages.complement, others)))


# Rows


def _row(name: str, rule: TypingRule, value: Callable[..., Any], **more: Any) -> Operator:
    return Operator(name, rule, value, is_for_smt=True, **more)


def _of_one_solver(solver: str, name: str, rule: TypingRule, value: Callable[..., Any]) -> Operator:
    """Return an operator that only one solver has; it is not drawn."""
    return _row(name, TypingRule(rule.result, lambda _: []), value, readers=frozenset((solver, "smtlib")))


def _loop_of_z3(_: Indices, args: list[Term]) -> Term:
    """Write out `(re.loop r 1 3)` and `(re.loop r 1)`, which only Z3 reads."""
    language, *bounds = args
    numbers = [each.value for each in bounds if isinstance(each, Value) and each.sort is INT and each.value >= 0]
    if not 1 <= len(numbers) == len(bounds) <= 2:
        raise SortError("re.loop is read with a regular expression and one or two numerals")
    if len(numbers) == 2:
        return Apply(joined("re.loop", [int(each) for each in numbers]), (language,))
    return Apply("re.++", (Apply(joined("re.^", (int(numbers[0]),)), (language,)), Apply("re.*", (language,))))


def _chained(name: str) -> Callable[..., Term]:
    """Return the operator in pairs of arguments: Z3 and cvc5 read it with two, although SMT-LIB chains it."""
    return lambda *args: conjunction(*(Apply(name, pair) for pair in pairwise(args)))


_S, _I, _R = STRING, INT, REGLAN
_SOURCE = "src/ast/seq_decl_plugin.cpp"
_SOLVERS = frozenset(("z3", "cvc5"))
_OLD_NAMES = {
    "str.to.re": "str.to_re", "str.in.re": "str.in_re", "str.to.int": "str.to_int", "str.to-int": "str.to_int",
    "int.to.str": "str.from_int", "str.from-int": "str.from_int", "re.complement": "re.comp",
}  # fmt: skip
_SETS = signature(_R, _R, least=2)

THEORY = Theory(
    "strings",
    operators=(
        _row("str.++", signature(_S, _S, least=2), _joined, least_reduced=1),
        _row("str.len", signature(_I, _S), lambda _, text: len(text)),
        _row("str.<", _pairs(), _in_order(lambda a, b: a < b), written_out=_chained("str.<"), lacking=_SOLVERS),
        _row("str.<=", _pairs(), _in_order(lambda a, b: a <= b), written_out=_chained("str.<="), lacking=_SOLVERS),
        _row("str.at", signature(_S, _S, _I), lambda _, text, at: text[at : at + 1] if at >= 0 else ""),
        _row("str.substr", signature(_S, _S, _I, _I), _substring),
        _row("str.prefixof", signature(BOOL, _S, _S), lambda _, part, text: text.startswith(part)),
        _row("str.suffixof", signature(BOOL, _S, _S), lambda _, part, text: text.endswith(part)),
        _row("str.contains", signature(BOOL, _S, _S), lambda _, text, part: part in text),
        _row("str.indexof", signature(_I, _S, _S, _I), _index_of),
        _row("str.replace", signature(_S, _S, _S, _S), lambda _, text, old, new: text.replace(old, new, 1)),
        _row("str.replace_all", signature(_S, _S, _S, _S), _replaced_all),
        _row("str.replace_re", signature(_S, _S, _R, _S), _replaced_matches(0, 1)),
        _row("str.replace_re_all", signature(_S, _S, _R, _S), _replaced_matches(1, MOST_CHARACTERS)),
        _row("str.is_digit", signature(BOOL, _S), lambda _, text: len(text) == 1 and "0" <= text <= "9"),
        _row("str.to_code", signature(_I, _S), lambda _, text: ord(text) if len(text) == 1 else -1),
        _row("str.from_code", signature(_S, _I), lambda _, code: chr(code) if 0 <= code <= LAST else ""),
        _row("str.to_int", signature(_I, _S), _to_int),
        _row("str.from_int", signature(_S, _I), lambda _, number: str(number) if number >= 0 else ""),
        _row("str.to_re", signature(_R, _S), lambda _, text: languages.literal(text)),
        _row("str.in_re", signature(BOOL, _S, _R), lambda _, text, language: languages.has(language, text)),
        _row("re.++", _SETS, lambda _, *args: languages.concatenation(args), least_reduced=1),
        _row("re.union", _SETS, lambda _, *args: languages.union(args), least_reduced=1),
        _row("re.inter", _SETS, lambda _, *args: languages.intersection(args), least_reduced=1),
        _row("re.diff", _SETS, _difference, least_reduced=1),
        _row("re.*", signature(_R, _R), lambda _, language: languages.loop(language, 0)),
        _row("re.+", signature(_R, _R), lambda _, language: languages.loop(language, 1)),
        _row("re.opt", signature(_R, _R), lambda _, language: languages.loop(language, 0, 1)),
        _row("re.comp", signature(_R, _R), lambda _, language: languages.complement(language)),
        _row(
            "re.range",
            signature(_R, _S, _S),
            lambda _, first, last: languages.characters(first, last),
            constants_from=0,
        ),
        _row("re.^", _indexed((0,), (1,), (2,), (3,)), _power),
        _row("re.loop", _indexed((0, 1), (0, 2), (1, 2), (2, 3), (2, 1), (3, 3)), _loop),
        _of_one_solver("cvc5", "str.rev", signature(_S, _S), lambda _, text: text[::-1]),
        _of_one_solver("cvc5", "str.to_lower", signature(_S, _S), _cased("A", "Z", 32)),
        _of_one_solver("cvc5", "str.to_upper", signature(_S, _S), _cased("a", "z", -32)),
        _of_one_solver("cvc5", "str.update", signature(_S, _S, _I, _S), _updated),
        _of_one_solver("cvc5", "str.indexof_re", signature(_I, _S, _R, _I), _index_of_match),
        _of_one_solver("z3", "str.from_ubv", _of_vector(), _digits),
        _of_one_solver("z3", "str.from_sbv", _of_vector(), _signed_digits),
    ),
    kinds=(Strings(), RegularExpressions()),
    constants={"STRING": string_of},
    literal=_character,
    names={name: partial(Value, language, REGLAN) for name, language in _LANGUAGES.items()},
    leniences=(
        *(Lenience(ExtensionKind.ALIAS, (old,), f"{_SOURCE}, get_op_names", new) for old, new in _OLD_NAMES.items()),
        Lenience(ExtensionKind.ALONE, ("str.++", "re.++", "re.union", "re.inter"), ALONE_IN_Z3),
        Lenience(ExtensionKind.WRITTEN_OUT, ("re.loop",), f"{_SOURCE}, OP_RE_LOOP; with numerals as arguments"),
    ),
    readings={"re.loop": WrittenOut(_loop_of_z3)},
    taken=("re.none", "re.all", "re.allchar"),
    taken_sorts=("String", "RegLan"),
    samples=(STRING, REGLAN),
)
