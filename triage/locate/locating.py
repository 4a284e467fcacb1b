"""Where a finding comes from: `chcfuzz locate`. One question after the other; what is known so far is always whole.

What is run is the reduced system, where `chcfuzz reduce` has left one, else the mutant. A traced build of the finding's
release is taken in its place where the cache has one in which the finding shows: the same code tells more there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import AnsweringError
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.parse import parse
from chcfuzz.grammar.printer import print_system
from chcfuzz.mutators.recipe import Recipe, decode
from chcfuzz.solvers import z3_release
from chcfuzz.triage.findings.location import Location, PartingStep
from chcfuzz.triage.locate.assertion import failed_assertion
from chcfuzz.triage.locate.events import by_function, parting_event, suspicious_edges, suspicious_sites
from chcfuzz.triage.locate.neighbours import edited, mutated
from chcfuzz.triage.locate.observer import Side
from chcfuzz.triage.locate.parameters import alone, single_changes
from chcfuzz.triage.locate.pool import LocatePanel, Neighbour, Observed
from chcfuzz.triage.locate.versions import BAD, GOOD, VersionSearch
from chcfuzz.triage.reduce.condition import WRONG_ANSWER, Condition, Finding, model_in
from chcfuzz.triage.reduce.judge import MODEL

_OPPOSITE = {"sat": "unsat", "unsat": "sat"}
_MOST_EDITED, _MOST_MUTATED = 30, 30  # neighbours
_MOST_SITES, _MOST_EDGES = 8, 500  # of each sort that are told; that are looked at for it

Told = Callable[[str, int, int], None]  # what is asked about, how many of it are done, of how many


class LocateError(ChcfuzzError):
    """A finding that cannot be located; the text says why, in one line."""


@dataclass(frozen=True)
class Case:
    """What is run of a finding: `system` has no steps. `chain` is the unit as far as it is needed. `of`: "reduced"?"""

    of: str
    chain: Recipe
    system: Recipe | None
    condition: Condition


def case_of(finding: Finding) -> Case:
    """The reduced system and chain of a finding, else its unit alone; raises `LocateError` for a damaged one."""
    where = finding.folder
    if not (where / "reduced.json").exists():
        return Case("mutant", finding.recipe, None, finding.condition)
    try:
        parameters = json.loads((where / "reduced.json").read_text())["parameters"]
        chain = decode((where / "reduced-recipe").read_bytes())
        system = parse((where / "reduced.smt2").read_text(), "reduced.smt2")
        recipe = Recipe(print_system(replace(system, info=(), options=())), (), tuple(sorted(parameters.items())))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise LocateError(f"cannot read what is reduced in {str(where)!r}: {error}; reduce it again") from error
    condition = replace(finding.condition, model=model_in(where / MODEL) or finding.condition.model)
    return Case("reduced", chain, recipe, condition)


class Locating:
    """One finding being located; `location` holds what is known so far."""

    def __init__(self, finding: Finding, solving: Solving, jobs: int, told: Told) -> None:
        self._case = case_of(finding)
        self._finding = finding
        self._solving = solving
        self._jobs = jobs
        self._told = told
        self._release = solving.z3 or str(finding.record["z3"])
        self._changed: list[Observed] = []  # runs under single changes of parameters
        self.location = Location(self._case.of)

    def run(self, debug_build: Path | None = None, bisect: bool = False) -> None:
        """Ask everything.

        Raises `LocateError` where the finding does not show, and `AnsweringError` where a process fails.
        """
        base = self._in_one_build()
        self.look_for_assertion(base.neighbour, debug_build)
        if bisect:
            self.bisect(base.neighbour)

    def _in_one_build(self) -> Observed:
        """All that one build can tell; the finding's run there."""
        why: list[str] = []
        for solving in self._builds():
            with LocatePanel(self._case.condition, solving, self._jobs) as panel:
                base, words = self._shown(panel)
                if base is None:
                    why.append(f"not in {_build_in_words(solving, self._release)}: {words}")
                    continue
                self._know(notes=tuple(why))
                self._parameters(panel, base)
                before = self._step(panel)
                self._event(base, before)
                self._sites(panel, base, solving)
                return base
        raise LocateError(f"{str(self._finding.folder)!r} does not show any more: {'; '.join(why)}")

    def _builds(self) -> Iterator[Solving]:
        """How the solver is started, the most telling way first."""
        if self._solving.z3_library is None and self._solving.command is None:
            traced = z3_release.build_in_cache(self._release, "trace")
            if traced is not None:
                yield self._in_build(traced)
        yield self._solving

    def _in_build(self, build: Path) -> Solving:
        return replace(self._solving, z3=None, z3_library=build)

    def _know(self, **facts: Any) -> None:
        self.location = replace(self.location, **facts)

    def _note(self, text: str) -> None:
        self._know(notes=(*self.location.notes, text))

    def _each(self, panel: LocatePanel, what: str, neighbours: Collection[Neighbour]) -> Iterator[Observed]:
        self._told(what, 0, len(neighbours))
        for number, seen in enumerate(panel.each(panel.run, neighbours), 1):
            self._told(what, number, len(neighbours))
            yield seen

    # In one build

    def _shown(self, panel: LocatePanel) -> tuple[Observed | None, str]:
        """The run of what is located, without steps; None, and why, where the finding does not show."""
        self._told("the finding itself", 0, 1)
        asked = Neighbour("the finding", self._case.system or self._case.chain)
        seen, judged = panel.judged(asked)
        if not judged.passes or seen.side is not Side.FAILING:
            return None, judged.words
        system = Recipe(seen.system, (), self._case.chain.parameters)
        return replace(seen, neighbour=Neighbour("the finding", self._case.system or system)), ""

    def _parameters(self, panel: LocatePanel, base: Observed) -> None:
        recipe = base.neighbour.recipe
        changes = single_changes(recipe, panel.parameters)
        for change, seen in zip(changes, self._each(panel, "single changes", changes.values()), strict=True):
            self._changed.append(seen)
            if seen.side is Side.PASSING:
                self._know(vanishes=(*self.location.vanishes, change))
        defaults = Neighbour("default parameters", replace(recipe, parameters=()))
        if not recipe.parameters or panel.run(defaults).side is Side.FAILING:
            self._note("it shows under default parameters")
            return
        changes = alone(recipe, panel.parameters)
        for change, seen in zip(changes, self._each(panel, "parameters alone", changes.values()), strict=True):
            if seen.side is Side.FAILING:
                self._know(appears=(*self.location.appears, change))

    def _step(self, panel: LocatePanel) -> tuple[Observed, Observed] | None:
        """Find the first prefix of the chain that shows the finding; its run and that of the prefix before it."""
        chain = self._case.chain
        last: Observed | None = None
        for number in range(len(chain.steps) + 1):
            self._told("steps of the chain", number, len(chain.steps) + 1)
            prefix = replace(chain, steps=chain.steps[:number])
            seen, judged = panel.judged(Neighbour(f"step {number}" if number else "the seed", prefix, is_known=False))
            if judged.passes:
                row = chain.steps[number - 1].mutation if number else "parameters" if chain.parameters else "seed"
                self._know(step=PartingStep(number, row, panel.promises.get(row, "")))
                return None if last is None else (seen, last)
            last = seen
        self._note("no prefix of the chain shows the finding")
        return None

    def _event(self, base: Observed, before: tuple[Observed, Observed] | None) -> None:
        passing = [seen for seen in self._changed if seen.side is Side.PASSING]
        if not passing and before is not None and before[1].side is Side.PASSING:
            base, passing = before[0], [before[1]]
        found = parting_event(base, passing)
        if isinstance(found, str):
            self._note(f"no parting event: {found}")
        else:
            self._know(event=found)

    def _sites(self, panel: LocatePanel, base: Observed, solving: Solving) -> None:
        recipe = base.neighbour.recipe
        answer = _OPPOSITE[self._case.condition.seen] if self._case.condition.kind == WRONG_ANSWER else "sat"
        near = [*mutated(recipe, answer, _MOST_MUTATED), *edited(recipe, _MOST_EDITED)]
        runs = [base, *self._changed]
        for seen in self._each(panel, "systems beside it", near):
            runs.append(seen)
        runs = [seen for seen in runs if len(seen.events.numbers) or len(seen.edges)]
        passing, failing = ([seen for seen in runs if seen.side is side] for side in (Side.PASSING, Side.FAILING))
        edges = suspicious_edges(failing, passing, _MOST_EDGES)
        of_edges = by_function(edges, panel.places([edge.site for edge in edges]), _MOST_SITES) if edges else ()
        if edges and not of_edges:
            self._note("edges of the traced build cannot be placed: ./build_z3_traced.sh --install-deps brings LLVM")
        sites = sorted((*suspicious_sites(failing, passing, _MOST_SITES), *of_edges), key=lambda site: -site.score)
        self._know(sites=tuple(sites), neighbours=(len(passing), len(failing)))
        if solving.z3_library is None and solving.command is None:
            self._note(f"sites are events of Spacer's log: no traced build of {self._release} is in the cache")

    # In other builds and releases

    def look_for_assertion(self, neighbour: Neighbour, folder: Path | None) -> None:
        """Run the finding in this debug build, or that of its release in the cache; raises `AnsweringError`."""
        if self._solving.command is not None:
            return
        build = folder or z3_release.build_in_cache(self._release, "debug")
        if build is None:
            self._note(f"no debug build of {self._release} is in the cache: no assertion was looked for")
            return
        self._told("a debug build", 0, 1)
        with LocatePanel(self._case.condition, self._in_build(build), fresh=True) as panel:
            seen = panel.run(neighbour)
            assertion = failed_assertion(panel.complaints)
        self._know(assertion=assertion)
        if assertion is None:
            self._note(f"no assertion fails in the debug build {build.name}: it answers {seen.words}")

    def bisect(self, neighbour: Neighbour) -> None:
        """Look for the releases that show the finding, of whose own system `neighbour` is a run; raises nothing."""
        cached = z3_release.in_cache()
        offered = z3_release.on_offer()
        if not offered:
            self._note("pip has no list of releases (no network?): only those in the cache were asked")
        search = VersionSearch({*cached, *offered}, self._release, lambda version: self._in_release(version, neighbour))
        try:
            search.run(cached, lambda done, most: self._told("releases", done, most))
        finally:
            self._know(versions=search.found())
        again = search.exceptions()
        if again:
            self._note(f"not monotone: {', '.join(again)} show it again on the far side of a good release")

    def _in_release(self, version: str, neighbour: Neighbour) -> str:
        try:
            z3_release.released(version)
            solving = replace(self._solving, z3=version, z3_library=None)
            with LocatePanel(self._case.condition, solving) as panel:
                seen = panel.run(neighbour)
        except (z3_release.ReleaseError, AnsweringError) as error:
            return str(error)
        return {Side.FAILING: BAD, Side.PASSING: GOOD}.get(seen.side, seen.words)


def _build_in_words(solving: Solving, release: str) -> str:
    return f"z3-solver {release}" if solving.z3_library is None else f"the build {solving.z3_library.name}"
