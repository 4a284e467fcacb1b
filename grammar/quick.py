"""A quick reader of the scripts that chcfuzz prints, and of most others: the trees of lark, six times as fast.

It reads the usual commands and terms. For anything else, such as annotations, `match`, parametric data types and every
text with an error, it returns None, and lark decides: the grammar in `smtlib.lark` is the only definition of the
language, and all messages are lark's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lark import Token

Node = Any  # a Token, or a Tree
Build = Callable[[str, list[Node]], Node]  # makes a tree of a rule and its parts

_END = r"(?![A-Za-z0-9~!@$%^&*_+=<>.?\/-])"
# The terminals of `smtlib.lark`, in the order of their priorities; names of groups are those of the terminals.
_TOKENS = re.compile(
    r"(?P<SPACE>[ \t\r\n\f]+)|(?P<OPEN>\()|(?P<CLOSE>\))"
    rf"|(?P<DECIMAL>-?[0-9]+\.[0-9]*{_END})|(?P<NUMERAL>-?[0-9]+{_END})"
    r"|(?P<SYMBOL>([A-Za-z~!@$%^&*_+=<>.?\/]|-(?![0-9]))[A-Za-z0-9~!@$%^&*_+=<>.?\/-]*)"
    r"|(?P<KEYWORD>:[A-Za-z0-9~!@$%^&*_+=<>.?\/-]+)|(?P<QUOTED>\|[^|\\\n]*\|)"
    r"|(?P<HEXADECIMAL>#x[0-9A-Fa-f]+)|(?P<BINARY>#b[01]+)|(?P<STRING>\"[^\"\n]*\"(?!\"))"
    r"|(?P<COMMENT>;[^\n]*)"
)
_QUANTIFIERS = frozenset(("forall", "exists", "lambda", "choice"))
_SYMBOLS = ("SYMBOL", "QUOTED")
_NO_TERMS = ("KEYWORD", "STRING")
_TERMS = ("application", "indexed", "qualified", "let", "quantified")
_DEEPEST_SORT = 50
_RAW = "raw"  # a list that is not a term


class _UnreadError(Exception):
    """The text has something that this module does not read."""


def read(text: str, build: Build) -> Node | None:
    """Return the tree of a script, built by `build`; None if lark has to read it."""
    try:
        return _Reader(build).script(text)
    except _UnreadError:
        return None


def _require(condition: object) -> None:
    if not condition:
        raise _UnreadError


class _Reader:
    def __init__(self, build: Build) -> None:
        self._build = build
        self._commands: Mapping[str, Callable[[Sequence[Node]], Node]] = {
            "assert": self._assertion,
            "declare-fun": self._declare_fun,
            "declare-datatypes": self._declare_datatypes,
            "set-logic": lambda parts: self._simple("set_logic", parts, _is_symbol),
            "set-info": lambda parts: self._attribute("set_info", parts),
            "set-option": lambda parts: self._attribute("set_option", parts),
            "check-sat": lambda parts: self._alone("check-sat", parts),
            "get-model": lambda parts: self._alone("get-model", parts),
        }
        self._alone_token: Token | None = None

    def script(self, text: str) -> Node:
        """Return the tree of a script."""
        commands: list[Node] = []
        frames: list[list[Node]] = []
        parts: list[Node] = commands
        line, line_start, position = 1, 0, 0
        for found in _TOKENS.finditer(text):
            start = found.start()
            _require(start == position)
            position = found.end()
            kind = found.lastgroup
            if kind == "SPACE":
                piece = found[0]
                breaks = piece.count("\n")
                if breaks:
                    line += breaks
                    line_start = start + piece.rindex("\n") + 1
            elif kind == "OPEN":
                frames.append(parts)
                parts = []
            elif kind == "CLOSE":
                _require(frames)
                outer = frames.pop()
                outer.append(self._closed(parts) if frames else self._command(parts))
                parts = outer
            elif kind != "COMMENT":
                _require(frames)
                parts.append(Token(kind or "", found[0], start, line, start - line_start + 1))
        _require(position == len(text) and not frames)
        return self._build("start", commands)

    def _closed(self, parts: list[Node]) -> Node:
        """Return the tree of a bracket inside a command: a term if it can be one, else raw."""
        if not parts:
            return self._build(_RAW, parts)
        head = parts[0]
        if not isinstance(head, Token):
            is_head = head.rule in ("indexed", "qualified")
            return self._application(parts) if is_head else self._build(_RAW, parts)
        if head.type == "QUOTED":
            return self._application(parts)
        if head.type != "SYMBOL":
            return self._build(_RAW, parts)
        if head == "_":
            _require(len(parts) >= 3 and _is_symbol(parts[1]))
            _require(all(_is_symbol(part) or _is(part, "NUMERAL") for part in parts[2:]))
            return self._build("indexed", parts[1:])
        if head == "as":
            _require(len(parts) == 3 and _is_symbol(parts[1]))
            return self._build("qualified", [parts[1], self._sort(parts[2])])
        if head == "let":
            return self._let(parts)
        if head in _QUANTIFIERS:
            return self._quantified(parts)
        _require(head not in ("!", "match", "par"))
        return self._application(parts)

    def _application(self, parts: list[Node]) -> Node:
        is_term = len(parts) > 1 and all(_is_term(part) for part in parts[1:])
        return self._build("application" if is_term else _RAW, parts)

    def _let(self, parts: list[Node]) -> Node:
        _require(len(parts) == 3 and _is_term(parts[2]))
        bindings = [self._build("binding", pair) for pair in _pairs(parts[1])]
        return self._build("let", [*bindings, parts[2]])

    def _quantified(self, parts: list[Node]) -> Node:
        _require(len(parts) == 3 and _is_term(parts[2]))
        variables = [self._build("sorted_var", [name, self._sort(sort)]) for name, sort in _pairs(parts[1])]
        word = parts[0]
        return self._build("quantified", [_renamed(word, "QUANTIFIER"), *variables, parts[2]])

    def _sort(self, node: Node, depth: int = 0) -> Node:
        if isinstance(node, Token):
            _require(node.type in _SYMBOLS)
            return node
        _require(depth < _DEEPEST_SORT)
        if node.rule == "indexed":
            _require(all(_is(part, "NUMERAL") for part in node.children[1:]))
            return self._build("indexed_sort", node.children)
        _require(node.rule == "application" and isinstance(node.children[0], Token))
        inside = [self._sort(part, depth + 1) for part in node.children[1:]]
        return self._build("sort_application", [node.children[0], *inside])

    def _command(self, parts: list[Node]) -> Node:
        _require(parts and _is(parts[0], "SYMBOL") and parts[0] in self._commands)
        self._alone_token = parts[0]
        return self._commands[parts[0]](parts[1:])

    def _assertion(self, parts: Sequence[Node]) -> Node:
        return self._simple("assertion", parts, _is_term)

    def _simple(self, rule: str, parts: Sequence[Node], fits: Callable[[Node], bool]) -> Node:
        _require(len(parts) == 1 and fits(parts[0]))
        return self._build(rule, list(parts))

    def _attribute(self, rule: str, parts: Sequence[Node]) -> Node:
        _require(parts and _is(parts[0], "KEYWORD"))
        _require(len(parts) == 1 or (len(parts) == 2 and isinstance(parts[1], Token) and parts[1].type != "KEYWORD"))
        return self._build(rule, list(parts))

    def _alone(self, name: str, parts: Sequence[Node]) -> Node:
        _require(not parts and self._alone_token == name)
        return self._build("other", [self._alone_token])

    def _declare_fun(self, parts: Sequence[Node]) -> Node:
        _require(len(parts) == 3 and _is_symbol(parts[0]) and not isinstance(parts[1], Token))
        _require(parts[1].rule in ("application", _RAW))
        sorts = [self._sort(part) for part in parts[1].children]
        return self._build("declare_fun", [parts[0], self._build("sorts", sorts), self._sort(parts[2])])

    def _declare_datatypes(self, parts: Sequence[Node]) -> Node:
        _require(len(parts) == 2 and not any(isinstance(part, Token) for part in parts))
        _require(parts[0].rule == parts[1].rule == _RAW and parts[0].children and parts[1].children)
        names = [self._build("sort_dec", list(pair)) for pair in _pairs(parts[0])]
        _require(all(_is(name.children[1], "NUMERAL") for name in names))
        types = [self._datatype(part) for part in parts[1].children]
        return self._build("declare_datatypes", [self._build("sort_decs", names), self._build("datatype_decs", types)])

    def _datatype(self, node: Node) -> Node:
        _require(not isinstance(node, Token) and node.rule == _RAW and node.children)
        return self._build("constructors", [self._constructor(part) for part in node.children])

    def _constructor(self, node: Node) -> Node:
        if isinstance(node, Token):
            _require(node.type in _SYMBOLS)
            return self._build("constructor", [node])
        _require(node.rule in ("application", _RAW) and node.children and _is_symbol(node.children[0]))
        name, *selectors = node.children
        made = []
        for selector in selectors:
            _require(_is_pair(selector))
            made.append(self._build("selector", [selector.children[0], self._sort(selector.children[1])]))
        return self._build("constructor", [name, *made])


def _is(node: Node, kind: str) -> bool:
    return isinstance(node, Token) and node.type == kind


def _is_symbol(node: Node) -> bool:
    return isinstance(node, Token) and node.type in _SYMBOLS


def _is_term(node: Node) -> bool:
    return node.type not in _NO_TERMS if isinstance(node, Token) else node.rule in _TERMS


def _is_pair(node: Node) -> bool:
    """Whether a bracket has a symbol and one more part."""
    if isinstance(node, Token) or node.rule != "application" or len(node.children) != 2:
        return False
    return _is_symbol(node.children[0])


def _pairs(node: Node) -> list[list[Node]]:
    """Return the pairs that a bracket lists: variables with sorts, or names with terms."""
    _require(not isinstance(node, Token) and node.rule == _RAW and node.children)
    _require(all(_is_pair(part) for part in node.children))
    return [part.children for part in node.children]


def _renamed(token: Token, kind: str) -> Token:
    return Token(kind, str(token), token.start_pos, token.line, token.column)
