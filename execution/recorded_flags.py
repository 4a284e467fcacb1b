"""Recorded flags of a solver, which may come from somebody else and run code that the user has not named."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.solvers.command import packed, unpacked

# Fields whose values run code: they start a program, import a module, or load a library.
CODE = ("command", "cross", "solver", "domain", "z3_library")
_WITHOUT_CODE: Mapping[str, Any] = {field: () if field == "cross" else None for field in CODE}


def chosen(recorded: Sequence[str], words: Sequence[str]) -> list[str]:
    """Return the recorded flags followed by `words`; if `words` choose a Z3, recorded flags that do so are dropped."""
    named = any(word.startswith("--z3") for word in words)
    return [*(flag for flag in recorded if not (named and flag.startswith("--z3"))), *words]


def allowed(recorded: Sequence[str], words: Sequence[str]) -> list[str]:
    """Return `chosen` for the flags of a finding or a suspicion, which may come from somebody else.

    A flag that runs code is taken from `words`, the user's own. Raises `UsageError` for one that they do not have.
    """
    own, found, usual = Solving.parsed(words), Solving.parsed(recorded), Solving().arguments
    for field in CODE:
        value = getattr(found, field)
        if _runs_code(field, value) and not getattr(own, field) and not (field == "z3_library" and own.z3):
            raise UsageError(_needs_word(field, value))
    domain = None if _runs_code("domain", found.domain) else found.domain
    kept = [word for word in replace(found, **{**_WITHOUT_CODE, "domain": domain}).arguments if word not in usual]
    return chosen(kept, words)


def trusted(recorded: Sequence[str], own: Solving) -> Solving:
    """Return the recorded configuration; raises `UsageError` if it runs code that `own`, the user's, does not name."""
    found = Solving.parsed(recorded)
    for field in CODE:
        value, permitted = getattr(found, field), _programs(field, getattr(own, field))
        if _runs_code(field, value) and not _programs(field, value) <= permitted:
            raise UsageError(_needs_word(field, value))
    return found


def code_flags(own: Solving) -> str:
    """Return the flags that run code, as a shell reads them, each after a blank: later commands need them again."""
    flags = []
    for field in CODE:
        value = getattr(own, field)
        for one in value if isinstance(value, tuple) else (value,):
            if _runs_code(field, one):
                flags.append(f" --{field.replace('_', '-')} {shlex.quote(unpacked(str(one)))}")
    return "".join(flags)


def _programs(field: str, value: Any) -> set[object]:
    """Return the values of a field in `CODE`; commands as their words, because a shell quotes them in several ways."""
    values = value if isinstance(value, tuple) else (value,)
    return {packed(one) if field in ("command", "cross") and one else one for one in values}


def _runs_code(field: str, value: Any) -> bool:
    """Return whether a recorded value of a field in `CODE` runs code that is not part of chcfuzz."""
    return bool(value) and not (field == "domain" and ":" not in value)


def _needs_word(field: str, value: str | Path | tuple[str, ...]) -> str:
    values = value if isinstance(value, tuple) else (value,)
    words = " ".join(f"--{field.replace('_', '-')} {shlex.quote(str(one))}" for one in values)
    return f"it was recorded with {words}, which runs code; to allow that, add this flag to your command line"
