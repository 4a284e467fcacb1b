"""The outside of a stored recipe: which format it has, and whether it is whole.

A stored recipe is `PREFIX`, the number of its format (1 byte), then zlib with the dictionary of that format over a body
(`recipe.fields`). A dictionary belongs to its format for ever: changed by one byte it would read no recipe that was
written before, so another dictionary is another format. zlib notes which dictionary it was given and a checksum of the
body: what is another dictionary's, cut off or damaged can be told from what is whole.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path

PREFIX = b"chcfuzz"
VERSION = 2  # of the format that is written
MAX_BODY = 1 << 24  # bytes; what unpacks to more is refused, for a few bytes can unpack to any number
_DICTIONARIES = {
    version: Path(__file__).with_name("dictionaries").joinpath(f"{version}.smt2").read_bytes()
    for version in range(1, VERSION + 1)
}
_PIECE = 256  # bytes that are unpacked at a time: what stands before damage is read
_HAS_DICTIONARY = 0x20  # RFC 1950: FDICT, a bit of the second byte; then the dictionary's Adler-32 follows


@dataclass(frozen=True)
class Opened:
    """The body of a stored recipe, as far as it can be read. `fault` says what is wrong with it: "is cut off ..."."""

    version: int
    body: bytes
    fault: str | None = None


def is_sealed(data: bytes) -> bool:
    """Whether bytes are meant as a stored recipe, of any format."""
    return data.startswith(PREFIX)


def sealed(body: bytes) -> bytes:
    """A body in the present format."""
    packer = zlib.compressobj(9, zdict=_DICTIONARIES[VERSION])
    return PREFIX + bytes([VERSION]) + packer.compress(body) + packer.flush()


def opened(data: bytes) -> Opened:
    """What stored bytes hold; never raises."""
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
        return "is cut off or damaged: its recipe has no format"
    return f"was written by a newer chcfuzz: recipe format {version}, this one reads up to {VERSION}"


def _dictionary_of(packed: bytes) -> int | None:
    """The checksum of the dictionary that it was packed with; None where it does not say."""
    return int.from_bytes(packed[2:6], "big") if len(packed) >= 6 and packed[1] & _HAS_DICTIONARY else None


def _inflated(packed: bytes, dictionary: bytes) -> tuple[bytes, str | None]:
    """What can be unpacked, and what ended it before its end."""
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
