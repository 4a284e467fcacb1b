"""Files of lines, each with a signature of this user (`execution.own_secret`), to which several processes append.

A findings folder may come from somebody else. Lines of others, and a line that was cut off, are not read: they only
cost the time to do again the work that they claim.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from chcfuzz.execution.files import open_plain, read_plain
from chcfuzz.execution.own_secret import signature


def append_line(path: Path, text: str, durable: bool = False) -> None:
    """Append a text without line breaks; with `durable`, it is on the disk when the call returns. Raises `OSError`."""
    with open_plain(path, "ab") as file:
        file.write(f"{text}\t{_signature(path, text)}\n".encode())
        if durable:
            file.flush()
            os.fsync(file.fileno())


def read_lines(path: Path) -> list[str]:
    """Return the texts that this user has appended, none if the file does not exist.

    Raises `OSError`, and `LinkError` for a file that is not plain.
    """
    lines: list[str] = []
    with suppress(FileNotFoundError):
        lines = read_plain(path).decode(errors="replace").split("\n")
    parts = (line.rpartition("\t") for line in lines)
    return [text for text, _, signed in parts if signed == _signature(path, text)]


def _signature(path: Path, text: str) -> str:
    return signature(f"line {path.name} {text}")
