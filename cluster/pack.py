"""Packs: units with their traces, files and numbers in one compressed message."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

import msgspec
from chcfuzz.execution.files import below, read_plain, write_whole
from chcfuzz.grammar.errors import ChcfuzzError

FORMAT = "chcfuzz-pack 1"
# Caches and signed files are of one machine or user: SQLite is unreliable on shared file systems, and a signature that
# another user's secret made does not verify.
LOCAL_NAMES = frozenset((".outcomes", ".results", ".dropped", "lock", "logs"))


class PackError(ChcfuzzError):
    """A pack that cannot be read."""


class PackedUnit(msgspec.Struct, frozen=True):
    """A unit, with the hash of its trace under the build of its pack as far as known."""

    data: bytes
    trace: int | None = None


class Pack(msgspec.Struct, frozen=True):
    """The content of a pack.

    Attributes:
        format: The format of the pack.
        build: The build of the solver, as in a run folder; traces of two builds cannot be compared.
        units: Units that are new in it.
        files: Contents of files by their paths, which are relative.
        numbers: Counters, which add up over packs.
        merged: In packs of the exchange: the names of the packs that it sums up.
    """

    format: str = FORMAT
    build: str = ""
    units: tuple[PackedUnit, ...] = ()
    files: dict[str, bytes] = {}
    numbers: dict[str, int | float] = {}
    merged: tuple[str, ...] = ()

    def written(self) -> bytes:
        """Return the bytes of the pack, the same for the same content."""
        return zlib.compress(msgspec.msgpack.encode(self, order="sorted"))


def read(content: bytes, name: str) -> Pack:
    """Return the pack with these bytes; raises `PackError`."""
    try:
        pack = msgspec.msgpack.decode(zlib.decompress(content), type=Pack)
    except (zlib.error, msgspec.DecodeError) as error:
        raise PackError(f"the pack {name!r} is damaged: {error}; remove it, and run the command again") from error
    if pack.format != FORMAT:
        raise PackError(f"the pack {name!r} has the format {pack.format!r}; use one version of chcfuzz for all tasks")
    return pack


def gathered(paths: Iterable[tuple[str, Path]]) -> dict[str, bytes]:
    """Return the contents of files and of all files in folders, by their names in a pack.

    Each path is given with its own name there. Links and files of this machine are left out.
    """
    found: dict[str, bytes] = {}
    for name, path in paths:
        if path.is_dir():
            inside = ((f"{name}/{each.name}", each) for each in sorted(path.iterdir()) if _travels(each))
            found |= gathered(inside)
        elif path.is_file():
            found[name] = read_plain(path)
    return found


def _travels(path: Path) -> bool:
    return not path.is_symlink() and path.name not in LOCAL_NAMES and not path.name.startswith(".writing-")


def scatter(files: Mapping[str, bytes], folder: Path) -> None:
    """Write files into a folder; raises `LinkError` for a path that leads out of it, and `OSError`."""
    for name, content in sorted(files.items()):
        path = below(folder, *PurePosixPath(name).parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content, mode=0o755 if name.endswith(".sh") else 0o644)
