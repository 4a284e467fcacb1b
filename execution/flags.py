"""Flags as fields of a dataclass, which define their names, values, help texts and how they are handed on.

    @dataclass(frozen=True)
    class Limits:
        rlimit: int = flag(1_000_000, "Z3's resource limit (default: {default})", read=positive, metavar="N")

A field is the flag `--rlimit`: `add` adds it to a parser, `values` reads it from the parsed arguments, and `words`
writes it for another process as one word, as libFuzzer needs it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any, TypedDict, TypeVar, Unpack
from weakref import WeakKeyDictionary

T = TypeVar("T")

_ROW = "flag"
MOST_RESOURCES = (1 << 32) - 1


# Groups of flags by parser and title, so that several dataclasses can add flags to one group.
_GROUPS: WeakKeyDictionary[argparse.ArgumentParser, dict[str, argparse._ArgumentGroup]] = WeakKeyDictionary()


class Details(TypedDict, total=False):
    """Optional properties of a flag.

    `read` parses the value or raises `ArgumentTypeError`, `write` is its inverse. A `repeated` flag may be given more
    than once, and is a tuple of values. Only the first process of a campaign needs a flag that is not `handed_on`. The
    environment's `variable` overrides the default; `instead_of` names a flag that excludes this one; `group` is the
    heading in the help text.
    """

    read: Callable[[str], Any]
    write: Callable[[Any], str]
    metavar: str
    choices: tuple[str, ...]
    repeated: bool
    handed_on: bool
    variable: str
    instead_of: str
    group: str


@dataclass(frozen=True)
class _Row:
    help: str
    read: Callable[[str], Any] = str
    write: Callable[[Any], str] = str
    metavar: str | None = None
    choices: tuple[str, ...] | None = None
    repeated: bool = False
    handed_on: bool = True
    variable: str = ""
    instead_of: str = ""
    group: str = ""


def flag(default: T, help: str, **details: Unpack[Details]) -> T:
    """Return a field that is a flag; `{default}` in its help text becomes the default. False makes a switch."""
    return field(default=default, metadata={_ROW: _Row(help, **details)})


def add(parser: argparse.ArgumentParser, cls: type, headings: Mapping[str, str] | None = None) -> None:
    """Add all flags of a dataclass to the parser; `headings` replaces the group of some fields, by name."""
    exclusive: dict[str, argparse._MutuallyExclusiveGroup] = {}
    for this, row in _rows(cls):
        action = _added(group_of(parser, (headings or {}).get(this.name, row.group)), this, row)
        rival = row.instead_of or next(
            (other.instead_of for _, other in _rows(cls) if other.instead_of == _name(this)), ""
        )
        if rival:  # the two may have different headings, which argparse does not offer
            group = exclusive[rival] = exclusive.get(rival) or parser.add_mutually_exclusive_group()
            group._group_actions.append(action)  # noqa: SLF001


def _added(into: argparse._ActionsContainer, this: Field[Any], row: _Row) -> argparse.Action:
    """Add the flag of a field."""
    text = _help(row, this.default)
    if this.default is False:
        return into.add_argument(_name(this), action="store_true", help=text)
    given = os.environ.get(row.variable) if row.variable else None
    return into.add_argument(
        _name(this),
        type=row.read,
        action="append" if row.repeated else "store",
        default=[] if row.repeated else row.read(given) if given else this.default,
        metavar=row.metavar,
        choices=row.choices,
        help=text,
    )


def group_of(parser: argparse.ArgumentParser, title: str) -> argparse._ActionsContainer:
    """Return the parser's group of this title, created at first use; the parser itself without a title."""
    if not title:
        return parser
    groups = _GROUPS.setdefault(parser, {})
    if title not in groups:
        groups[title] = parser.add_argument_group(title)
    return groups[title]


def values(given: argparse.Namespace, cls: type) -> dict[str, Any]:
    """Return the values of the flags of a dataclass, by field name; a value that is repeated counts once."""
    found = {this.name: getattr(given, this.name) for this, _ in _rows(cls)}
    return {name: tuple(dict.fromkeys(value)) if isinstance(value, list) else value for name, value in found.items()}


def words(flags: Any, everything: bool = False) -> tuple[str, ...]:
    """Write the flags of an object, each as one word; `values` is the inverse.

    With `everything`, flags that are not handed on are included, and paths are absolute.
    """
    found = []
    for this, row in _rows(type(flags)):
        value = getattr(flags, this.name)
        if not (row.handed_on or everything) or value is None or value is False:
            continue
        if value is True:
            found.append(_name(this))
        else:
            each = value if row.repeated else (value,)
            values = [one.absolute() if everything and isinstance(one, Path) else one for one in each]
            found += [f"{_name(this)}={row.write(one)}" for one in values]
    return tuple(found)


def _rows(cls: type) -> list[tuple[Field[Any], _Row]]:
    return [(this, this.metadata[_ROW]) for this in fields(cls) if _ROW in this.metadata]


def _name(this: Field[Any]) -> str:
    return f"--{this.name.replace('_', '-')}"


def _help(row: _Row, default: Any) -> str:
    text = row.help.replace("{default}", row.write(default)) if "{default}" in row.help else row.help
    return text.replace("%", "%%")


def listed(text: str) -> tuple[str, ...]:
    """Parse words that are separated by commas."""
    return tuple(text.split(","))


def listed_or_none(text: str) -> tuple[str, ...]:
    """Parse words that are separated by commas, or an empty text."""
    return listed(text) if text else ()


def path(text: str) -> Path:
    """Parse a path; raises `ArgumentTypeError` for an empty text, which would be the current folder, and an address."""
    if not text:
        raise argparse.ArgumentTypeError("the path is empty; perhaps a variable of the shell is not set")
    if "://" in text:
        raise argparse.ArgumentTypeError(f"{text!r} is an address; name a file or folder of this machine")
    return Path(text)


def count(text: str) -> int:
    """Parse a whole number; raises `ArgumentTypeError`."""
    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def positive(text: str) -> int:
    """Parse a positive whole number; raises `ArgumentTypeError`."""
    if not (text.isascii() and text.isdecimal() and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive whole number")
    if int(text) > sys.maxsize:
        raise argparse.ArgumentTypeError(f"{text!r} is too large; {sys.maxsize} is the largest number")
    return int(text)


def resource_limit(text: str) -> int:
    """Parse a limit that Z3 can hold: its bindings would cut a larger number to 32 bits; raises `ArgumentTypeError`."""
    limit = positive(text)
    if limit > MOST_RESOURCES:
        raise argparse.ArgumentTypeError(f"{text} is more than {MOST_RESOURCES}, the largest limit of Z3")
    return limit


def add_shard(parser: argparse.ArgumentParser, help: str = "run only the part I of N, as in an array of jobs") -> None:
    """Add the flag for a part of a job."""
    parser.add_argument("--shard", type=shard, default=WHOLE, metavar="I/N", help=help)


def shard(text: str) -> tuple[int, int]:
    """Parse a part of a job as I/N: the part with the number I, from 1 on, of N; raises `ArgumentTypeError`."""
    number, slash, parts = text.partition("/")
    if not (slash and number.isdecimal() and parts.isdecimal() and 1 <= int(number) <= int(parts)):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a part; write I/N, such as 2/8 for the second of eight parts"
        )
    return int(number), int(parts)


WHOLE = (1, 1)  # part of a job


def share(items: Sequence[T], part: tuple[int, int]) -> list[T]:
    """Return the items of a part: every N-th one, so that each item belongs to exactly one part."""
    number, parts = part
    return list(items[number - 1 :: parts])


def duration(text: str) -> float:
    """Return a time as seconds: a number of seconds, or one with the unit s, m or h, such as 10m."""
    units = {"s": 1, "m": 60, "h": 3600}
    number, unit = (text[:-1], text[-1]) if text[-1:] in units else (text, "s")
    try:
        return positive_float(number) * units[unit]
    except (ValueError, argparse.ArgumentTypeError) as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time; write a number of seconds, or 10m, or 2h") from error


def positive_float(text: str) -> float:
    """Parse a positive number; raises `ArgumentTypeError`."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number")
    return value
