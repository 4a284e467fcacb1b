"""Values of flags of a campaign, read from text."""

from __future__ import annotations

import argparse
import shlex

from chcfuzz.mutators.mutation import Kind
from chcfuzz.mutators.portfolio import Strategy
from chcfuzz.mutators.seed_groups import ORDERS


def read_heuristic(text: str) -> str:
    """Return the text if it names orders of seeds; raises `ArgumentTypeError`."""
    if text != "none" and not set(text.split("+")) <= set(ORDERS):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not none, one of {', '.join(ORDERS)}, or two of them joined by +"
        )
    return text


def read_shares(text: str) -> tuple[tuple[Strategy, int], ...]:
    """Return the share of each strategy; raises `ArgumentTypeError`."""
    found: dict[Strategy, int] = {}
    for part in text.split(","):
        name, _, share = part.partition("=")
        if name not in tuple(Strategy) or not (share or "1").isdecimal():
            raise argparse.ArgumentTypeError(f"{part!r} is not STRATEGY=SHARE with one of {', '.join(Strategy)}")
        found[Strategy(name)] = int(share or "1")
    if not any(found.values()):
        raise argparse.ArgumentTypeError(f"{text!r} gives no strategy a share")
    return tuple(found.items())


def read_kinds(text: str) -> tuple[Kind, ...]:
    """Return the kinds of mutations; raises `ArgumentTypeError`."""
    try:
        return tuple(Kind(word) for word in text.split(","))
    except ValueError as error:
        known = ", ".join(kind.value for kind in Kind)
        raise argparse.ArgumentTypeError(f"{text!r} names an unknown kind; the kinds are {known}") from error


def read_command(text: str) -> str:
    """Return the text if a shell reads it as a command; raises `ArgumentTypeError`."""
    try:
        words = shlex.split(text)
    except ValueError as error:  # a quote that is not closed
        raise argparse.ArgumentTypeError(f"{text!r} is not a command: {error}") from error
    if not words:
        raise argparse.ArgumentTypeError(f"{text!r} names no command")
    return text
