"""The contents of a corpus: statistics, export of the mutants as plain scripts, and the difference to another corpus.

A unit counts as its mutant: a solver cannot distinguish two units with the same text and parameters.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from chcfuzz.campaign.corpus_folder import units_in
from chcfuzz.corpus_tools import suites
from chcfuzz.domains.protocol import Domain
from chcfuzz.execution.files import write_whole
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.seed_answers import SeedAnswers, declared
from chcfuzz.execution.solving import UsageError
from chcfuzz.mutators.chain import Mutant, with_status
from chcfuzz.mutators.recipe import Recipe, canonical, digest, read

NEW_TESTS = "NEW_TESTS"  # the file with the lines for the list of a suite


@dataclass(frozen=True)
class CorpusUnit:
    """A unit of a corpus with its recipe and its mutant."""

    path: Path
    recipe: Recipe
    mutant: Mutant

    @property
    def name(self) -> str:
        """Name of its script: its own name, or the one that libFuzzer would give it."""
        return self.path.stem if self.path.suffix == ".smt2" else digest(self.path.read_bytes())


def read_corpus(corpora: Sequence[Path], pipeline: Pipeline) -> tuple[list[CorpusUnit], list[str]]:
    """Read the units of corpora, each content once.

    The second result has a message for each file that is not a unit. Raises `UsageError`.
    """
    paths, refused = units_in(corpora)
    found = []
    for path in paths:
        recipe = canonical(read(path.read_bytes()).recipe)
        found.append(CorpusUnit(path, recipe, pipeline.mutant(recipe)))
    return found, refused


@dataclass(frozen=True)
class CorpusStatistics:
    """Statistics of a corpus; the lists have one number for each unit: steps, nodes and clauses.

    `corrected` is the number of seeds whose status a witness has shown to be another one than the declared one.
    """

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
    corrected: int = 0


def statistics(units: Sequence[CorpusUnit], answers: SeedAnswers) -> CorpusStatistics:
    """Return the statistics of the units; `answers` has the statuses of their seeds."""
    seeds = sorted({unit.recipe.seed for unit in units})
    corrected = sum(_is_corrected(seed, answers) for seed in seeds)
    found = CorpusStatistics(len(units), len({unit.mutant.key for unit in units}), len(seeds), corrected=corrected)
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


def _is_corrected(seed: str, answers: SeedAnswers) -> bool:
    stated, known = declared(seed), answers.of(seed)
    return stated is not None and known is not None and stated.status != known.status


def export(units: Iterable[CorpusUnit], into: Path, domain: Domain, suite: str | None = None) -> int:
    """Write each mutant once as a plain script, with its `:status` if that has a ground; return their number.

    With `suite`, only mutants are written that have a known answer and that its solver can read, in the layout of its
    regression suite (`suites`); `NEW_TESTS` has the lines for the list of the suite. Raises `UsageError`.
    """
    done: set[bytes] = set()
    names: list[str] = []
    try:
        into.mkdir(parents=True, exist_ok=True)
        for unit in units:
            is_for = suite is None or (unit.mutant.ground != "" and domain.is_for(suite, unit.mutant.problem))
            if unit.mutant.key in done or not is_for:
                continue
            done.add(unit.mutant.key)
            files = _files(unit.mutant, domain, suite)
            script = into / f"{unit.name}.smt2"
            name = unit.name
            if script.exists() and script.read_bytes() != files[".smt2"].encode():  # of a folder with the same name
                name = f"{unit.name}-{unit.mutant.key.hex()[:8]}"
            names.append(name)
            for end, content in files.items():
                write_whole(into / f"{name}{end}", content.encode())
        listed = "" if suite is None else suites.entries(suite, names)
        if listed:
            write_whole(into / NEW_TESTS, f"# for {suites.LISTS[suite or '']}\n{listed}".encode())
    except OSError as error:
        raise UsageError(
            f"cannot write to {str(into)!r}: {error.strerror}; free some space, or name another folder"
        ) from error
    return len(done)


def _files(mutant: Mutant, domain: Domain, suite: str | None) -> Mapping[str, str]:
    """Return the files of a mutant by the ends of their names."""
    if suite is None or mutant.expected is None:
        return {".smt2": mutant.script(with_declared=True)}
    known = domain.roots
    if suite not in domain.suites:
        named = ", ".join(domain.suites)
        raise UsageError(f"--for {suite!r}: its suite has no problem like a {known.noun}; name one of {named}")
    options = domain.options_for(suite, mutant.parameters)
    problem = mutant.problem.with_header((), ())
    body = known.print_for(problem, suite) if known.readers else mutant.script(with_declared=True)
    if known.readers:
        body = with_status(body, mutant.expected, mutant.ground)
    head = "".join(f"(set-option :{name} {value})\n" for name, value in options) if known.readers else ""
    return suites.SUITES[suite](head + body, mutant.expected)


def difference(first: Sequence[CorpusUnit], second: Sequence[CorpusUnit]) -> tuple[list[CorpusUnit], list[CorpusUnit]]:
    """Return the units whose mutants only the first corpus has, and those that only the second one has."""
    mine, yours = ({unit.mutant.key for unit in units} for units in (first, second))
    return (
        [unit for unit in first if unit.mutant.key not in yours],
        [unit for unit in second if unit.mutant.key not in mine],
    )
