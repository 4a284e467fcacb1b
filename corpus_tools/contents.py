"""What lies in a corpus: numbers about it, its mutants as plain scripts, what another corpus has besides.

A unit is looked at as the mutant that it makes: two units with the same text and parameters are one to a solver.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

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
        """What its script is called: its own name, or that which libFuzzer would give it."""
        return self.path.stem if self.path.suffix == ".smt2" else digest(self.path.read_bytes())


def read_corpus(corpora: Sequence[Path], pipeline: Pipeline) -> tuple[list[Unit], list[str]]:
    """The units of corpora, each content once, and a line for each file that is none; raises `UsageError`."""
    paths, refused = units_in(corpora)
    found = []
    for path in paths:
        recipe = canonical(read(path.read_bytes()).recipe)
        found.append(Unit(path, recipe, pipeline.mutant(recipe)))
    return found, refused


@dataclass(frozen=True)
class Statistics:
    """Numbers about a corpus; the lists hold one a unit: steps of its chain, nodes and clauses of its mutant."""

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

    def lines(self) -> list[str]:
        """For people, a line each."""

        def spread(numbers: list[int]) -> str:
            return f"{min(numbers)} to {max(numbers)}, median {median(numbers):g}"

        def most(tally: Tally[str], number: int = 8) -> str:
            ordered = sorted(tally.items(), key=lambda item: (-item[1], item[0]))
            told = [f"{name} {times}" for name, times in ordered[:number]]
            return (
                ", ".join([*told, *([f"and {len(ordered) - number} more"] if len(ordered) > number else [])]) or "none"
            )

        return [
            f"units       {self.units}, {self.mutants} different mutants of {self.seeds} seeds",
            f"steps       {spread(self.steps)}",
            f"clauses     {spread(self.clauses)}",
            f"nodes       {spread(self.sizes)}",
            f"expected    {most(self.expected)}",
            f"theories    {most(self.theories)}",
            f"rows        {most(self.rows)}",
            f"parameters  {most(self.parameters)}",
        ]


def statistics(units: Sequence[Unit]) -> Statistics:
    """Count what the units are made of."""
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
    """Write each mutant once as a plain script with its `:status`; how many were written. Raises `UsageError`.

    With `for_z3`, only mutants whose answer is known, each beside the answer as `NAME.expected.out`: the layout of Z3's
    regression suite (Z3Prover/z3test, regressions/smt2).
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
            if path.exists() and path.read_text() != unit.mutant.script():  # another folder's, by the same name
                path = into / f"{unit.name}-{unit.mutant.key.hex()[:8]}.smt2"
            write_whole(path, unit.mutant.script().encode())
            if for_z3:
                write_whole(path.with_suffix(".expected.out"), f"{expected}\n".encode())
    except OSError as error:
        raise UsageError(f"cannot write to {str(into)!r}: {error.strerror}; make room, or name another") from error
    return len(done)


def difference(first: Sequence[Unit], second: Sequence[Unit]) -> tuple[list[Unit], list[Unit]]:
    """The units whose mutants only the first corpus has, and those that only the second has, in their order."""
    mine, yours = ({unit.mutant.key for unit in units} for units in (first, second))
    return (
        [unit for unit in first if unit.mutant.key not in yours],
        [unit for unit in second if unit.mutant.key not in mine],
    )
