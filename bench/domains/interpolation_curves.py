"""Curves of `interpolation.py --curves`: time and size of the interpolant by the size of paths of C programs."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from chcfuzz.domains.interpolation.memory_families import FAMILIES, NEED_AXIOMS, family_path
from chcfuzz.domains.interpolation.memory_paths import ENCODINGS, path_problem
from chcfuzz.domains.smt.solvers.engine import Engine
from chcfuzz.grammar.interpolation.group_text import printed
from chcfuzz.solvers.outcome import Status, texts_of

SIZES = (1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 175, 256)
_FAILURES = 5  # in a row, after which a curve ends, as in the paper
_SECONDS = 10.0  # after a slower answer, too

Point = dict[str, float | str]


def curve(engine: Engine, family: str, encoding: str, rlimit: int) -> Iterator[Point]:
    """Yield the answer, seconds and characters of the interpolant for each size, until the curve ends."""
    failures = 0
    for size in SIZES:
        text = printed(path_problem(family_path(family, size), encoding))
        start = time.perf_counter()
        outcome = engine.solve(text, (), rlimit)
        seconds = time.perf_counter() - start
        failures = 0 if outcome.status is Status.UNSAT else failures + 1
        characters = sum(map(len, texts_of(outcome)))
        yield {"n": size, "answer": outcome.status.value, "seconds": round(seconds, 3), "characters": characters}
        if failures == _FAILURES or seconds > _SECONDS:
            return


def curves(
    engines: Sequence[Engine], rlimit: int, families: Sequence[str] = (), encodings: Sequence[str] = ()
) -> dict[str, dict[str, list[Point]]]:
    """Print and return the curve of each solver for each family and encoding of memory."""
    found: dict[str, dict[str, list[Point]]] = {}
    for family in families or FAMILIES:
        for encoding in encodings or ENCODINGS:
            if encoding == "axioms" or family not in NEED_AXIOMS:
                name = f"{family} {encoding}"
                found[name] = {engine.name: list(curve(engine, family, encoding, rlimit)) for engine in engines}
                for solver, points in found[name].items():
                    print(f"{name:24}{solver:14}{_line(points)}", flush=True)
    return found


def _line(points: Sequence[Point]) -> str:
    """Return the largest solved size, its seconds, and the lengths of two interpolants: of size 4, and of that size."""
    solved = [point for point in points if point["answer"] == Status.UNSAT.value]
    if not solved:
        return f"none solved ({points[-1]['answer']})"
    last = solved[-1]
    small = next((point for point in solved if point["n"] == 4), solved[0])
    return (
        f"n = {last['n']:>3} in {last['seconds']:>6} s, interpolant of {last['characters']} characters, "
        f"{small['characters']} at n = {small['n']}"
    )
