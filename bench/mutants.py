"""Mutants that benchmarks draw: the same on every machine, as long as the seeds and the rows are the same.

A mutant is a seed after one to six rows, each drawn uniformly, and in half of the mutants one parameter.
"""

from __future__ import annotations

import hashlib
import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from chcfuzz.execution.domain import load
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.mutators.chain import Chains
from chcfuzz.mutators.recipe import Recipe, Step

_MOST_STEPS = 6
_MOST_BYTES = 200_000  # of a file
Case = tuple[str, str, tuple[tuple[str, str], ...]]  # name, text and parameters


def files(folders: Sequence[Path], every: int, domain: str | None = None) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of one in `every` files that the domain's reader accepts, without header."""
    roots = load(domain).roots
    found = sorted(path for folder in folders for path in folder.rglob("*.smt2"))
    for path in itertools.islice(found, 0, None, every):
        text = path.read_text(errors="replace")
        if len(text) <= _MOST_BYTES:
            try:
                problem = roots.parse(text, str(path))
                yield f"{path.parent.name}/{path.name}", roots.print(problem.with_header((), ()))
            except ChcfuzzError:
                continue


def drawing(seeds: Sequence[tuple[str, str]], domain: str | None = None) -> str:
    """Return a key of the seeds, the rows and the parameters, from which mutants are drawn."""
    registry = load(domain).registry(Solving(domain=domain))
    options = [(row.name, row.values) for row in registry.parameters]
    facts = (seeds, [row.id for row in registry.mutations], options)
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:12]


def mutants(seeds: Sequence[tuple[str, str]], numbers: Iterable[int], domain: str | None = None) -> Iterator[Case]:
    """Yield the mutants with these numbers, with their parameters. Raises `UsageError` without seeds."""
    if not seeds:
        raise UsageError("no system to mutate: name folders with .smt2 files that chcfuzz reads")
    registry = load(domain).registry(Solving(domain=domain))
    chains = Chains(registry, roots=load(domain).roots)
    for each in numbers:
        chance = random.Random(each)
        name, text = chance.choice(seeds)
        rows = chance.choices(registry.mutations, k=chance.randint(1, _MOST_STEPS))
        steps = tuple(Step(row.id, chance.randbytes(8)) for row in rows)
        row = chance.choice(registry.parameters) if registry.parameters else None
        chosen = ((row.name, chance.choice(row.values)),) if row and chance.random() < 0.5 else ()
        mutant = chains.apply(Recipe(text, steps, chosen))
        yield f"{each} {name}", mutant.text, mutant.parameters
