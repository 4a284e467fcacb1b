"""Bytes to systems: the one reader of files and units that may be SMT-LIB."""

from __future__ import annotations

from chcfuzz.grammar.parse import parse
from chcfuzz.grammar.system import System

# Marks at the front of a text, and the encodings that they tell. Z3 stumbles over them; editors write them.
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def text_of(data: bytes) -> str:
    """The text that bytes are: by their mark, else UTF-8, else Latin-1, which every byte is a letter of.

    SMT-LIB leaves the encoding open (2.6, section 3.1), and Z3 takes bytes as they come.
    """
    encoding = next((encoding for mark, encoding in _MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return data.decode("latin-1")


def looks_like_script(data: bytes) -> bool:
    """Whether bytes are meant as SMT-LIB: they begin with a command or a comment."""
    return text_of(data).lstrip()[:1] in ("(", ";")


def read_system(data: bytes, name: str) -> System:
    """The system that bytes state; raises `GrammarError`, which names the place, for anything else."""
    return parse(text_of(data), name)
