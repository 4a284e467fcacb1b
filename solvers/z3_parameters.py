"""Which parameters the Z3 of this process has: every list of them comes from here, never from memory."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

_LINE = re.compile(r"^\s*(?P<name>[\w.]+) \((?P<kind>[\w ]+)\)(?P<text>.*?)(?:\(default: (?P<default>[^)]*)\))?\s*$")

# Default preprocessing that breaks models: inlining (Z3 issue 7319), and slicing, which is another cause.
INLINING = ("fp.xform.inline_eager", "fp.xform.inline_linear")
SPOILING_TRANSFORMS = (*INLINING, "fp.xform.slice")
# By default, Z3 gives a system over bit-vectors and Bools alone to its Datalog engine. Its joins count no resources and
# do not stop when they are interrupted: two written problems of corpus-itp ran for more than 15 seconds with 260 units.
ENGINE = ("fp.engine", "spacer")


def with_transforms_off(parameters: Sequence[tuple[str, str]] = ()) -> tuple[tuple[str, str], ...]:
    """Return these parameters with the transforms off that are known to break models."""
    return with_off(parameters, SPOILING_TRANSFORMS)


def with_off(parameters: Sequence[tuple[str, str]], switches: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return these parameters with these switches off."""
    return tuple({**dict(parameters), **dict.fromkeys(switches, "false")}.items())


@dataclass(frozen=True)
class Description:
    """One parameter: `kind` is Z3's word for its values ("bool", "unsigned int", "symbol", ...)."""

    name: str
    kind: str
    default: str


@functools.cache
def fixedpoint_parameters() -> tuple[Description, ...]:
    """Return the parameters of the fixedpoint module by name, without the prefix `fp.`."""
    import z3

    context = z3.Context()
    fixedpoint = z3.Fixedpoint(ctx=context)
    return _described(str(z3.Z3_fixedpoint_get_help(context.ref(), fixedpoint.fixedpoint)))


@functools.cache
def simplify_parameters() -> tuple[Description, ...]:
    """Return the parameters of `simplify` by name."""
    import z3

    context = z3.Context()
    return _described(str(z3.Z3_simplify_get_help(context.ref())))


def _described(help_text: str) -> tuple[Description, ...]:
    found = (_LINE.match(line) for line in help_text.splitlines())
    rows = {m["name"]: Description(m["name"], m["kind"], m["default"] or "") for m in found if m}
    return tuple(rows[name] for name in sorted(rows))
