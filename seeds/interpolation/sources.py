"""Interpolation seeds that come from elsewhere: paths of C programs, unrollings of CHC seeds, splits of SMT seeds."""

from __future__ import annotations

from collections.abc import Iterator

from chcfuzz.domains.interpolation.memory_families import FAMILIES, NEED_AXIOMS, family_path
from chcfuzz.domains.interpolation.memory_paths import path_problem
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.interpolation.group_text import printed
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.interpolation.splitting import split
from chcfuzz.grammar.interpolation.unrolling import from_system
from chcfuzz.grammar.reading.parse import parse, problem

from seeds.files import ROOT, Seed
from seeds.interpolation.chosen import SPLITS, UNROLLINGS

FOLDERS = ("paths", "unrollings", "splits")
PATHS = (("axioms", 2, False), ("axioms", 3, True), ("arrays", 4, False), ("arrays", 2, True), ("vectors", 3, False))
ALL_NEEDED = ("copies", "kept", "chain", "deep", "beside", "first-element")  # each step is needed for the contradiction


def derived() -> Iterator[Seed]:
    """Yield all of them."""
    yield from _paths()
    yield from _unrollings()
    yield from _splits()


def _seed(name: str, story: str, stated: Interpolation) -> Seed:
    return Seed(name, "unsat", f"; {story}\n{printed(stated)}")


def _paths() -> Iterator[Seed]:
    for family in FAMILIES:
        for encoding, size, steps in PATHS:
            if (encoding == "axioms" or family not in NEED_AXIOMS) and (family in ALL_NEEDED or not steps):
                name = f"paths/{family}-{encoding}-{size}{'-steps' if steps else ''}"
                story = f"the family {family} of paths, size {size}, memory as {encoding}"
                yield _seed(name, story, path_problem(family_path(family, size), encoding, steps))


def _unrollings() -> Iterator[Seed]:
    for name, depth in UNROLLINGS.items():
        system = parse((ROOT / "corpus" / f"{name}.smt2").read_text(encoding="ascii"), name)
        story = f"corpus/{name}, unrolled {depth} steps"
        yield _seed(f"unrollings/{name.replace('/', '-')}-{depth}", story, from_system(system, depth))


def _splits() -> Iterator[Seed]:
    for name, key in SPLITS.items():
        whole = problem((ROOT / "corpus-smt" / f"{name}.smt2").read_text(encoding="ascii"), name)
        found = split(whole, Choices(b"", key.encode()))
        assert found is not None, name
        yield _seed(f"splits/{name.replace('/', '-')}", f"corpus-smt/{name}, split", found)
