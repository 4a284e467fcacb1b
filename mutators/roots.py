"""The domain of this process, by its name, and its roots: how its problems are read and printed.

A process works in one domain, as it works with one Z3: `activate` chooses it, else it is that of CHC systems. Bytes and
texts do not name their domain, so `active()` is that of units, recipes, chains and seeds which are made without one.
They keep it, and pass it on; nothing else about the domain is known to them.
"""

from __future__ import annotations

import importlib
import sys

from chcfuzz.domains.protocol import Domain, Roots
from chcfuzz.grammar.errors import ChcfuzzError

DEFAULT_DOMAIN = "chc"
DOMAINS = (DEFAULT_DOMAIN, "smt", "interpolation", "parts")  # those in `domains`


class DomainError(ChcfuzzError):
    """A domain that cannot be loaded."""


def load(name: str | None, recorded: bool = False) -> Domain:
    """Return the domain of this name: a module in `domains`, or `module:object`; raises `DomainError`.

    A `recorded` name comes from a file and not from the user, so it does not import a module outside of `domains`.
    """
    module, _, attribute = (name or DEFAULT_DOMAIN).partition(":")
    path = module if attribute else f"chcfuzz.domains.{module}.domain"
    if recorded and attribute and module not in sys.modules:
        raise DomainError(f"a record names the domain {name!r}; to import that module, add --domain {name}")
    try:
        found: Domain = getattr(importlib.import_module(path), attribute or "DOMAIN")
    except (ImportError, AttributeError, ValueError, SyntaxError) as error:
        message = f"no domain {name!r}: {error}; write {', '.join(DOMAINS)}, or module:object that Python finds"
        raise DomainError(message) from error
    return found


_active: list[Roots] = []  # at most one


def activate(roots: Roots) -> None:
    """Make these the roots of this process."""
    _active[:] = [roots]


def active() -> Roots:
    """Return the roots of this process."""
    if not _active:
        _active.append(load(None).roots)
    return _active[0]
