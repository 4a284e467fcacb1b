"""A Pygments lexer for SMT-LIB, which Pygments does not have."""

from __future__ import annotations

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

_COMMANDS = (
    *("assert", "check-sat", "check-sat-assuming", "declare-const", "declare-datatype", "declare-datatypes"),
    *("declare-fun", "declare-sort", "declare-rel", "declare-var", "define-const", "define-fun", "define-fun-rec"),
    *("define-sort", "exit", "get-model", "get-info", "get-proof", "pop", "push", "query", "rule", "set-info"),
    *("set-logic", "set-option"),
)
_BINDERS = ("forall", "exists", "let", "match", "par", "_", "as", "!")
_OPERATORS = ("=>", "and", "or", "not", "xor", "ite", "distinct", "=", "<", "<=", ">", ">=", "+", "-", "*", "/")
_SORTS = ("Bool", "Int", "Real", "Array", "BitVec", "String")
_END = r"(?=[\s()]|$)"


class SmtLibLexer(RegexLexer):  # type: ignore[misc]  # Pygments has no types
    """SMT-LIB 2.6. The lexer accepts any text: unknown tokens are names."""

    name = "SMT-LIB"
    tokens = {  # noqa: RUF012  (as Pygments wants it)
        "root": [
            (r"\s+", Text.Whitespace),
            (r";[^\n]*", Comment.Single),
            (r"[()]", Punctuation),
            (r'"(?:[^"]|"")*"?', String),
            (r"\|[^|]*\|?", Name.Variable),
            (r":[^\s()]+", Name.Attribute),
            (rf"#b[01]+{_END}|#x[0-9a-fA-F]+{_END}|\d+(?:\.\d+)?{_END}", Number),
            (rf"(?:true|false){_END}", Keyword.Constant),
            (words(_COMMANDS, suffix=_END), Keyword),
            (words(_BINDERS, suffix=_END), Keyword.Reserved),
            (words(_SORTS, suffix=_END), Keyword.Type),
            (words(_OPERATORS, suffix=_END), Operator.Word),
            (r"[^\s()\";|]+", Name),
            (r".", Text),
        ]
    }


def in_colours(text: str) -> str:
    """Return the text as escaped HTML, with a class for each token that the style sheet of the page colours."""
    return str(highlight(text, SmtLibLexer(), HtmlFormatter(nowrap=True)))
