r"""Events of the rule transforms, as Z3 prints them at verbosity 1 (`dl_rule_transformer.cpp`).

The format, in every release from 4.8.12 on::

    (transform N7datalog13mk_coi_filterE...no-op 0s)
    (transform N7datalog15mk_rule_inlinerE...3 rules 0.002s)

An event consists of a transform that changed the rules, and of the change of their number: the same, fewer or more. A
transform that changed nothing is not an event, or each switch of a transform would make a new trace for each seed. The
numbers of rules are left out: with them every clause that a mutation adds would make a new trace.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from itertools import islice

# The output is cut at a place that depends on the lengths of the times in it; its first lines are always complete.
MOST_LINES = 128
_LINE = re.compile(
    rb"^\(transform N\d+[a-z]+\d+(?P<name>\w+)E\.\.\.(?:no-op|(?P<rules>\d+) rules) \S+s\)$", re.MULTILINE
)
_SAME, _FEWER, _MORE = 1, 2, 3
_CHANGES = {_SAME: "changes rules", _FEWER: "leaves fewer rules", _MORE: "makes more rules"}

Transform = tuple[bytes, int]  # the name of its class, and the change of the number of rules


def transforms_in(printed: bytes) -> Iterator[Transform]:
    """Yield the transforms that changed the rules, in order; the number of rules before the first is unknown."""
    before = None
    for line in islice(_LINE.finditer(printed), MOST_LINES):
        if line["rules"] is not None:
            rules = int(line["rules"])
            yield line["name"], _SAME if before in (None, rules) else _FEWER if rules < before else _MORE
            before = rules


def number_of(transform: Transform) -> int:
    """Return the event of a transform, for the hash of a trace: a hash of its name, and its change, in 24 bits."""
    name, change = transform
    return (zlib.crc32(name) & 0x3FFFFF) << 2 | change


def step_of(transform: Transform) -> int:
    """Return the coarser step of a transform, for transitions: 14 bits, never all zero, which is a propagation."""
    name, change = transform
    return change << 12 | zlib.crc32(name) & 0xFFF


def label_of(transform: Transform) -> str:
    """Describe a transform: "mk_slice leaves fewer rules"."""
    name, change = transform
    return f"{name.decode()} {_CHANGES[change]}"
