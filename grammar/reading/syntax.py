"""From text to trees of tokens, with positions in the text: lark reads by `smtlib.lark`, without recursion."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path as FilePath

from chcfuzz.grammar.errors import GrammarError, Refusal
from chcfuzz.grammar.reading.tree import Node, Tree
from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken

# Trees are kept of this many texts of at most this many characters, which is 512 KB of text and at most 40 MB of trees.
# Most texts that come again are clauses as Z3's simplify writes them. Trees are never changed.
_REMEMBERED, _SHORT = 256, 2000


@cache
def _parser() -> Lark:
    return Lark(
        FilePath(__file__).with_name("smtlib.lark").read_text(),
        parser="lalr",
        lexer="contextual",
        start=["start", "term"],
        tree_class=Tree,
        maybe_placeholders=False,
    )


def _read(text: str, start: str) -> Tree:
    return _parser().parse(text, start=start)  # type: ignore[return-value]


_read_short = lru_cache(_REMEMBERED)(_read)


def tree_of(text: str, name: str, start: str = "start") -> Tree:
    """Return the tree of a script, or of a "term"; raises `GrammarError`."""
    if "\0" in text:
        raise _at(text, text.index("\0"), name, "a byte 0, where Z3 stops reading")
    try:
        return (_read_short if len(text) <= _SHORT else _read)(text, start)
    except UnexpectedInput as error:
        raise _syntax_error(text, name, error) from None


def _at(text: str, position: int, name: str, what: str) -> GrammarError:
    line = text.count("\n", 0, position) + 1
    return GrammarError(name, line, position - text.rfind("\n", 0, position), what, text[position:][:20])


def _syntax_error(text: str, name: str, error: UnexpectedInput) -> GrammarError:
    line, column = max(error.line, 1), max(error.column, 1)
    token = error.token if isinstance(error, UnexpectedToken) else None
    if isinstance(error, UnexpectedCharacters) or (token is not None and token.type == "_REST"):
        at = text[error.pos_in_stream or 0 :][:20]
        return GrammarError(name, line, column, "unexpected character", at).because(Refusal.CHARACTER)
    if isinstance(error, UnexpectedEOF) or (token is not None and token.type == "$END"):
        lines = text.splitlines() or [""]
        line, column, at = len(lines), len(lines[-1]) + 1, lines[-1][-20:]
        return GrammarError(name, line, column, "the text ends inside a bracket", at).because(Refusal.END)
    if token is not None:
        position = token.start_pos or 0
        at = text[position : position + 40]
        return GrammarError(name, line, column, "unexpected here", at).because(Refusal.UNEXPECTED)
    return GrammarError(name, line, column, "not understood", "")


def first_token(node: Node) -> Token:
    """Return the first token of a piece, for error positions."""
    while isinstance(node, Tree):
        if not node.children:
            return Token("NOTHING", "", line=1, column=1)
        node = node.children[0]
    assert isinstance(node, Token)
    return node


def symbol_of(token: Token) -> str:
    """Return the name of a symbol, without its bars."""
    return str(token[1:-1]) if token.type == "QUOTED" else str(token)


def spelled(node: Node) -> str:
    """Return the source text of a piece on one line, for the value of an attribute or for an error."""
    pieces: list[str] = []
    stack: list[Node] = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, str):
            pieces.append(str(here))
        else:
            inside = [part for child in here.children for part in (" ", child)][1:]
            stack += reversed(["(", *inside, ")"] if here.rule == "list" else inside)
    return "".join(pieces)


def spelled_all(nodes: Iterable[Node]) -> str:
    """Return the source text of pieces on one line."""
    return " ".join(map(spelled, nodes))


def labels_of(node: Tree) -> list[Token]:
    """Return the names that an annotation gives."""
    return [
        value
        for keyword, value in (attribute.children for attribute in node.children[1:] if len(attribute.children) > 1)
        if keyword == ":named" and isinstance(value, Token) and value.type in ("SYMBOL", "QUOTED")
    ]


def without_labels(node: Node) -> tuple[Node, list[Token]]:
    """Return the term in an annotation, and the names that it is given, the innermost first."""
    labels: list[Token] = []
    while isinstance(node, Tree) and node.rule == "annotated":
        labels = [*labels_of(node), *labels]
        node = node.children[0]
    return node, labels


def values_of(node: Node, keyword: str) -> list[tuple[Tree, Node | None]]:
    """Return the attributes of this keyword that annotate a term, with their values; None for one without a value."""
    found: list[tuple[Tree, Node | None]] = []
    while isinstance(node, Tree) and node.rule == "annotated":
        for attribute in node.children[1:]:
            own, *value = attribute.children
            if own == keyword:
                found.append((attribute, value[0] if value else None))
        node = node.children[0]
    return found
