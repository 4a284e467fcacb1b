"""The unit and the system that are run to locate a finding, and the storage of its location."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from chcfuzz.domains.protocol import Roots
from chcfuzz.execution.files import read_plain
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.mutators.recipe import Recipe, decode
from chcfuzz.triage.findings import folder
from chcfuzz.triage.findings.location import Location, LocationError, joined, read_location, write_location
from chcfuzz.triage.findings.record import RECIPE
from chcfuzz.triage.reduce.condition import Condition, Reducible, read_model
from chcfuzz.triage.reduce.judge import MODEL


class LocateError(ChcfuzzError):
    """A finding that cannot be located; the message gives the reason in one line."""


@dataclass(frozen=True)
class Case:
    """The unit and the system that are run for a finding.

    Attributes:
        of: "reduced", "equivalent" or "mutant".
        chain: The unit, without the steps that a reduction has removed.
        system: The reduced system as a recipe without steps; None for a mutant.
        condition: The condition for showing the finding.
    """

    of: str
    chain: Recipe
    system: Recipe | None
    condition: Condition


def case_of(finding: Reducible, roots: Roots) -> Case:
    """Return the reduced system and chain of a finding, or its unit; raises `LocateError` if they are damaged."""
    where, smallest = finding.folder, finding.finding.smallest
    if smallest.reduction is None:
        return Case("mutant", finding.recipe, None, finding.condition)
    try:
        chain = decode(read_plain(smallest.path(RECIPE)))
        problem = roots.parse(read_plain(where / smallest.system).decode(), smallest.system)
        parameters = tuple(sorted(smallest.reduction.parameters.items()))
        recipe = Recipe(roots.print(problem.with_header((), ())), (), parameters, roots)
    except (OSError, ValueError, ChcfuzzError) as error:
        raise LocateError(f"cannot read the reduced system in {str(where)!r}: {error}; reduce it again") from error
    model = read_model(smallest.path(MODEL)) or finding.condition.model
    return Case(smallest.stem, chain, recipe, finding.condition.with_model(model))


def save(where: Path, location: Location) -> None:
    """Write a location to a finding's folder, with the results of earlier calls that are missing in it.

    Raises `LocationError`.
    """
    try:
        earlier = read_location(where)
    except LocationError:
        earlier = None  # damaged, so it is overwritten
    write_location(where, joined(location, earlier))
    try:
        folder.rewrite(where)
    except OSError as error:
        raise LocationError(f"cannot write to {str(where)!r}: {error.strerror}; free some space there") from error
