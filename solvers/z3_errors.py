"""Errors of Z3 and the memory that it holds, for every solver that runs it in this process."""

from __future__ import annotations

import z3

# Reasons of Z3 for an exhausted limit.
OUT_OF_RESOURCES = ("max. resource limit exceeded", "canceled", "push canceled", "out of memory")


def held_memory() -> int:
    """Return the bytes that Z3 holds in this process; between executions, the bytes that it has lost."""
    return int(z3.Z3_get_estimated_alloc_size())


def message(error: z3.Z3Exception) -> str:
    """Return the message of Z3 on one line."""
    value = error.value
    return " ".join((value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)).split())
