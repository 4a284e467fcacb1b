"""Bytes to text: the one reader of files and units that may be SMT-LIB."""

from __future__ import annotations

import codecs
import gzip
import re
from pathlib import Path

_PIECE = 1 << 20  # bytes
_HORN = re.compile(r"\(\s*set-logic\s+HORN\s*\)")
_COMMENT = re.compile(r";[^\r\n]*")


def content_of(path: Path, most: int) -> bytes | None:
    """Return the content of a file, unpacked if its name ends in .gz; None if it has more than `most` bytes.

    Raises `OSError`, and `EOFError` or `zlib.error` for a file that is not packed correctly. A single `read` would
    allocate `most` bytes first.
    """
    content = bytearray()
    with gzip.open(path) if path.name.endswith(".gz") else path.open("rb") as file:
        while piece := file.read(min(_PIECE, most + 1 - len(content))):
            content += piece
    return bytes(content) if len(content) <= most else None


def text_of(data: bytes) -> str:
    """Decode bytes: UTF-16 with a byte order mark, else UTF-8, else Latin-1, which accepts all bytes.

    SMT-LIB leaves the encoding open (2.6, section 3.1), and Z3 takes bytes as they come, but stumbles over the marks
    that some editors write.
    """
    for mark in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        if data.startswith(mark) and len(data) % 2 == 0:
            return data.decode("utf-16", "replace")
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def states_horn(text: str) -> bool:
    """Return whether a script states the logic of CHC systems; comments and white space do not matter."""
    return _HORN.search(_COMMENT.sub("", text)) is not None


def looks_like_script(data: bytes) -> bool:
    """Return whether bytes are meant as SMT-LIB: they begin with a command or a comment."""
    return text_of(data).lstrip()[:1] in ("(", ";")
