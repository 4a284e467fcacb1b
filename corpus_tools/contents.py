"""The contents of a corpus: statistics, export of the mutants as plain scripts, and the difference to another corpus.

A unit counts as its mutant: a solver cannot distinguish two units with the same text and parameters.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from chcfuzz.campaign.corpus_folder import units_in
from chcfuzz.execution.files import write_whole
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.solving import UsageError
from chcfuzz.mutators.chain import Mutant
from chcfuzz.mutators.recipe import Recipe, canonical, digest, read


@dataclass(frozen=True)
class Unit:
    """A unit of a corpus with its recipe and its mutant."""

    path: Path
    recipe: Recipe
    mutant: Mutant

    @property
    def name(self) -> str:
        """Name of its script: its own name, or the one that libFuzzer would give it."""
        return self.path.stem if self.path.suffix == ".smt2" else digest(self.path.read_bytes())


def read_corpus(corpora: Sequence[Path], pipeline: Pipeline) -> tuple[list[Unit], list[str]]:
    """Read the units of corpora, each content once.

    The second result has a message for each file that is not a unit. Raises `UsageError`.
    """
    paths, refused = units_in(corpora)
    found = []
    for path in paths:
        recipe = canonical(read(path.read_bytes()).recipe)
        found.append(Unit(path, recipe, pipeline.mutant(recipe)))
    return found, refused


@dataclass(frozen=True)
class Statistics:
    """Statistics of a corpus; the lists have one number for each unit: steps, nodes and clauses."""

    units: int
    mutants: int
    seeds: int
    steps: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    clauses: list[int] = field(default_factory=list)
    expected: Tally[str] = field(default_factory=Tally)
    theories: Tally[str] = field(default_factory=Tally)
    rows: Tally[str] = field(default_factory=Tally)
    parameters: Tally[str] = field(default_factory=Tally)


def statistics(units: Sequence[Unit]) -> Statistics:
    """Return the statistics of the units."""
    found = Statistics(len(units), len({unit.mutant.key for unit in units}), len({unit.recipe.seed for unit in units}))
    for unit in units:
        problem = unit.mutant.problem
        found.steps.append(len(unit.recipe.steps))
        found.clauses.append(len(problem.formulas))
        found.sizes.append(problem.nodes)
        found.expected[unit.mutant.expected or "nothing"] += 1
        found.theories["+".join(sorted(problem.theories)) or "Bool"] += 1
        found.rows.update(step.mutation for step in unit.recipe.steps)
        found.parameters.update(name for name, _ in unit.recipe.parameters)
    return found


def export(units: Iterable[Unit], into: Path, for_z3: bool = False) -> int:
    """Write each mutant once as a plain script with its `:status`, and return the number of scripts.

    With `for_z3`, only mutants with a known answer are written, with the answer as `NAME.expected.out` next to each:
    the layout of Z3's regression suite (Z3Prover/z3test, regressions/smt2). Raises `UsageError`.
    """
    done: set[bytes] = set()
    try:
        into.mkdir(parents=True, exist_ok=True)
        for unit in units:
            expected = unit.mutant.expected
            if unit.mutant.key in done or (for_z3 and expected is None):
                continue
            done.add(unit.mutant.key)
            path = into / f"{unit.name}.smt2"
            if (
                path.exists() and path.read_text() != unit.mutant.script()
            ):  # a file from another folder with the same name
                path = into / f"{unit.name}-{unit.mutant.key.hex()[:8]}.smt2"
            write_whole(path, unit.mutant.script().encode())
            if for_z3:
                write_whole(path.with_suffix(".expected.out"), f"{expected}\n".encode())
    except OSError as error:
        raise UsageError(
            f"cannot write to {str(into)!r}: {error.strerror}; free some space, or name another folder"
        ) from error
    return len(done)


def difference(first: Sequence[Unit], second: Sequence[Unit]) -> tuple[list[Unit], list[Unit]]:
    """Return the units whose mutants only the first corpus has, and those that only the second one has."""
    mine, yours = ({unit.mutant.key for unit in units} for units in (first, second))
    return (
        [unit for unit in first if unit.mutant.key not in yours],
        [unit for unit in second if unit.mutant.key not in mine],
    )
