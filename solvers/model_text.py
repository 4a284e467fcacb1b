"""Models as SMT-LIB text, which is how commands give them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from chcfuzz.grammar.symbols import quoted

_SYMBOL = re.compile(r"\|[^|]*\||[^\s()|]+")
_WORD = re.compile(r"\|[^|]*\||[^\s()|]+|[()]")
_WITH_NAME = re.compile(r"\(\s*[^\s()|]+(?:\s+|(?=\|))(?:\|[^|]*\||[^\s()|]+)")  # a definition or a declaration
_COMMENT = re.compile(r'(\|[^|]*\||"[^"]*")|;.*')  # or what may contain a semicolon
_RECURSIVE = ("define-fun-rec", "define-funs-rec")
_NO_RESULT = "unsupported"
_BRACKETS = re.compile(r"\|[^|]*\||\(\(_ bit2bool (\d+)\)|[()]")


class TextModel:
    """The `define-fun`s of a model; other predicates are left open.

    `universes` are the elements of uninterpreted sorts, each as a `declare-fun`, all of them.
    """

    def __init__(self, definitions: str, universes: str = "") -> None:
        self.definitions = definitions
        self.universes = universes

    @property
    def whole(self) -> str:
        """The universes, followed by the definitions."""
        return f"{self.universes}\n{self.definitions}" if self.universes else self.definitions

    @cached_property
    def defined(self) -> frozenset[str]:
        """The names of the functions that it defines, without bars."""
        return frozenset(name_of(piece).strip("|") for piece in pieces(self.definitions))

    @cached_property
    def context(self) -> Any:
        """The Z3 context that the model is checked in: its own."""
        import z3

        return z3.Context()


def model_in(text: str) -> TextModel | None:
    """Return the model that is printed in a text: `define-fun`s, or those inside `(model ...)` or plain parentheses.

    None without a model, if the text ends within an expression, if a part of it is not a `define-fun`, or if one lacks
    its name: the model would be incomplete.
    """
    found: list[str] = []
    elements: list[str] = []
    present = False
    outermost, whole = _scanned(without_comments(text))
    if not whole:
        return None
    for piece in outermost:
        head = _head(piece)
        if head == "define-fun":
            parts = [piece]
        elif head == "model" or _is_wrapper(piece):
            parts = pieces(piece[1:-1])
        else:
            elements += [piece] if head == "declare-fun" else []
            continue
        present = True
        elements += [part for part in parts if _head(part) == "declare-fun"]
        if any(_head(part) in _RECURSIVE for part in parts):
            return None
        found += [part for part in parts if _head(part) == "define-fun"]
    have_names = all(map(_WITH_NAME.match, (*found, *elements))) and all(len(symbols_of(each)) > 2 for each in elements)
    if not present or not have_names:
        return None
    return TextModel("\n".join(found), "\n".join(elements))


def _head(piece: str) -> str:
    """Return the first symbol of an expression; empty if it begins with another expression."""
    return str(match[0]) if (match := _SYMBOL.match(piece[1:].lstrip())) else ""


def _is_wrapper(piece: str) -> bool:
    inner = pieces(piece[1:-1])
    return not _head(piece) and all(_head(part).startswith(("define-", "declare-", "forall")) for part in inner)


def results_in(text: str, number: int, has_model: bool) -> tuple[str, ...]:
    """Return the results of queries that a command prints behind an answer, in order; empty if they are not clear.

    With `has_model`, that of one more query ends the text. A command that stops at an error prints fewer results.
    """
    found = [standard(each) for each in members(f"({text}\n)")]
    wanted = number + has_model
    if found and found[-1].startswith("(error"):
        found += [""] * (wanted - len(found))
    is_clear = len(found) == wanted and all(each.startswith("(") or each in ("", _NO_RESULT) for each in found)
    return tuple(found[:number]) if is_clear else ()


def name_of(definition: str) -> str:
    """Return the name that a definition gives, with its bars."""
    return str(_SYMBOL.findall(definition)[1])


def signature_of(definition: str) -> list[str] | None:
    """Return the sorts of the parameters of a `define-fun`, then its result sort; None for any other text."""
    parts = members(definition)
    if len(parts) != 5 or not parts[2].startswith("("):  # define-fun, name, parameters, sort, body
        return None
    parameters = [members(piece) for piece in pieces(parts[2][1:-1])]
    if any(len(parameter) != 2 for parameter in parameters):
        return None
    return [plain_sort(sort) for sort in (*(sort for _, sort in parameters), parts[3])]


def plain_sort(sort: str) -> str:
    """Return a sort on one line, without the bars of its names."""
    words = " ".join(_WORD.findall(sort)).replace("|", "")
    return words.replace("( ", "(").replace(" )", ")")


def symbols_of(definition: str) -> list[str]:
    """Return all symbols and constants of a definition, with their bars, in order."""
    return _SYMBOL.findall(definition)


def renamed(definition: str, names: Mapping[str, str]) -> str:
    """Return the definition with these symbols renamed; names are without bars."""

    def other(found: re.Match[str]) -> str:
        new = names.get(found[0].strip("|"))
        return found[0] if new is None else quoted(new)

    return _SYMBOL.sub(other, definition)


def standard(text: str) -> str:
    """Return the text of Z3 in standard SMT-LIB: only Z3 reads bits as Booleans.

    src/ast/bv_decl_plugin.cpp, OP_BIT2BOOL.
    """
    if "(_ bit2bool " not in text:
        return text
    is_bit: list[bool] = []  # of each bracket that is open

    def written(found: re.Match[str]) -> str:
        if found[0] == ")":
            return ") #b1)" if is_bit.pop() else ")"
        if not found[0].startswith("("):
            return found[0]
        is_bit.append(found[1] is not None)
        return f"(= ((_ extract {found[1]} {found[1]})" if found[1] else found[0]

    return _BRACKETS.sub(written, text)


def error_text(message: str) -> str:
    """Return a message as solvers print their errors."""
    doubled = message.replace('"', '""')
    return f'(error "{doubled}")'


def pieces(text: str) -> list[str]:
    """Return the parenthesized expressions of a text; quoted symbols, strings and comments are respected.

    An incomplete expression does not count.
    """
    return _scanned(text)[0]


def without_comments(text: str) -> str:
    """Return the text without SMT-LIB's comments."""
    return _COMMENT.sub(r"\1", text)


def members(text: str) -> list[str]:
    """Return the members of the first list in a text, symbols included, without comments; empty without a list."""
    outermost = pieces(text)
    if not outermost:
        return []
    inside, found, at = outermost[0][1:-1], list[str](), 0
    for piece in [*pieces(inside), ""]:
        end = inside.index(piece, at) if piece else len(inside)
        found += [*_SYMBOL.findall(without_comments(inside[at:end])), *([piece] if piece else [])]
        at = end + len(piece)
    return found


def _scanned(text: str) -> tuple[list[str], bool]:
    """Return the expressions of a text, and whether it ends outside of all of them."""
    found: list[str] = []
    depth, start = 0, 0
    ends_with = ""  # what ends the symbol, string or comment that the text is in
    for position, character in enumerate(text):
        if ends_with:
            ends_with = "" if character == ends_with else ends_with
        elif character in '|"':
            ends_with = character
        elif character == ";":
            ends_with = "\n"
        elif character == "(":
            start = position if depth == 0 else start
            depth += 1
        elif character == ")" and depth:
            depth -= 1
            if depth == 0:
                found.append(text[start : position + 1])
    return found, depth == 0 and ends_with in ("", "\n")
