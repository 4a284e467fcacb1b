"""The envelope of a stored recipe: its format, and whether it is complete.

A stored recipe consists of `PREFIX`, the number of its format (1 byte), and a body (`recipe.fields`) that is compressed
by zlib with the dictionary of that format. The dictionary of a format never changes: with one different byte it could
not decompress earlier recipes, so another dictionary means another format. zlib stores a checksum of the dictionary and
one of the body, which detect truncated and damaged recipes and those with another dictionary.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path

PREFIX = b"chcfuzz"
VERSION = 2  # the format that is written
MAX_BODY = 1 << 24  # bytes; larger bodies are rejected, since a few bytes can decompress to any size
_DICTIONARIES = {
    version: Path(__file__).with_name("dictionaries").joinpath(f"{version}.smt2").read_bytes()
    for version in range(1, VERSION + 1)
}
_PIECE = 256  # bytes that are decompressed at a time, so that the body before a damaged part is read
_HAS_DICTIONARY = 0x20  # RFC 1950: FDICT, a bit of the second byte; then the dictionary's Adler-32 follows


@dataclass(frozen=True)
class Opened:
    """The readable part of a stored recipe's body. `fault` describes the damage: "is cut off ..."."""

    version: int
    body: bytes
    fault: str | None = None


def is_sealed(data: bytes) -> bool:
    """Return whether the bytes are a stored recipe of any format, even a damaged one."""
    return data.startswith(PREFIX)


def sealed(body: bytes) -> bytes:
    """Return a body in the current format."""
    packer = zlib.compressobj(9, zdict=_DICTIONARIES[VERSION])
    return PREFIX + bytes([VERSION]) + packer.compress(body) + packer.flush()


def opened(data: bytes) -> Opened:
    """Return the contents of stored bytes; never raises."""
    version = int.from_bytes(data[len(PREFIX) : len(PREFIX) + 1], "little")
    packed = data[len(PREFIX) + 1 :]
    dictionary = _DICTIONARIES.get(version)
    if dictionary is None:
        return Opened(version, b"", _unknown(version))
    if _dictionary_of(packed) not in (None, zlib.adler32(dictionary)):
        return Opened(version, b"", f"was packed with another dictionary than recipe format {version} has")
    body, fault = _inflated(packed, dictionary)
    return Opened(version, body, fault)


def _unknown(version: int) -> str:
    if version == 0:
        return "is cut off or damaged: its recipe lacks a format"
    return f"was written by a newer chcfuzz: recipe format {version}, this one reads up to {VERSION}"


def _dictionary_of(packed: bytes) -> int | None:
    """Return the checksum of the dictionary that it was compressed with; None if that is missing."""
    return int.from_bytes(packed[2:6], "big") if len(packed) >= 6 and packed[1] & _HAS_DICTIONARY else None


def _inflated(packed: bytes, dictionary: bytes) -> tuple[bytes, str | None]:
    """Return the part that can be decompressed, and the reason why it ends early."""
    unpacker = zlib.decompressobj(zdict=dictionary)
    body = bytearray()
    try:
        for start in range(0, len(packed), _PIECE):
            body += unpacker.decompress(packed[start : start + _PIECE], MAX_BODY + 1 - len(body))
            if len(body) > MAX_BODY:
                return bytes(body[:MAX_BODY]), f"unpacks to more than {MAX_BODY} bytes"
            if unpacker.eof:
                return bytes(body), None
    except zlib.error as error:
        return bytes(body), f"is a damaged recipe ({error})"
    return bytes(body), "is a recipe that is cut off (libFuzzer cuts what is longer than -max_len)"
