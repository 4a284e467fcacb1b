"""The files in which the proofs of the statuses are kept."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

WITNESSES = Path(__file__).resolve().parent / "witnesses"
_UNSAT = WITNESSES / "unsat.toml"


def read_unsat() -> dict[str, list[str]]:
    """Return what shows that seeds are unsat, by their names."""
    return tomllib.loads(_UNSAT.read_text(encoding="ascii")) if _UNSAT.is_file() else {}


def write_unsat(shown: Mapping[str, Sequence[str]]) -> None:
    """Write what shows that seeds are unsat."""
    lines = [f'"{name}" = [{_listed(words)}]' for name, words in sorted(shown.items())]
    _UNSAT.parent.mkdir(parents=True, exist_ok=True)
    _UNSAT.write_text("# What shows that a seed is unsat; see find_witnesses.py.\n" + "\n".join(lines) + "\n")


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f'"{word}"' for word in words)
