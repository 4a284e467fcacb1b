"""Locate a bug: run a finding under single changes, find the first bad step of the chain, compare events and code.

The reduced system is run if `chcfuzz reduce` has written one, else the mutant. If the cache has a traced build of the
finding's release that shows the finding, it is used instead of the release, because it has more events and edges.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from chcfuzz.execution.domain import load
from chcfuzz.execution.solver_steps import first_wrong
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.oracles.verdict import Subject
from chcfuzz.solvers import z3_release
from chcfuzz.solvers.command import Command
from chcfuzz.triage.findings.location import Location, PartingStep, read_location
from chcfuzz.triage.locate.assertion import failed_assertion, stack
from chcfuzz.triage.locate.case import LocateError, case_of
from chcfuzz.triage.locate.changed_sources import changed_files, executed_lines, source_folders
from chcfuzz.triage.locate.events import parting_event
from chcfuzz.triage.locate.finding_variants import variants
from chcfuzz.triage.locate.first_difference import parting_values
from chcfuzz.triage.locate.messages import Side
from chcfuzz.triage.locate.neighbours import answered, edited, mutated
from chcfuzz.triage.locate.parameters import alone, single_changes
from chcfuzz.triage.locate.pool import Neighbour, Observed, RunPool
from chcfuzz.triage.locate.ranking import suspicious_places, switched_files
from chcfuzz.triage.locate.source_lines import lines_of, sources_of
from chcfuzz.triage.locate.tested_releases import NamedRelease, commands, published
from chcfuzz.triage.locate.versions import VersionSearch
from chcfuzz.triage.reduce.condition import Reducible

_OPPOSITE = {"sat": "unsat", "unsat": "sat"}
_MAX_EDITED, _MAX_MUTATED, _MAX_SEEDS = 30, 30, 60  # neighbours
_TRIED = 20  # edges that show whether places are known
_PROFILES = ("locate", "trace")  # traced builds, the one that counts the most edges first
_MAX_CHANGED = 20  # reported files that differ between two releases

Progress = Callable[[str, int, int], None]  # the stage, number of completed runs, number of all runs


class Locating:
    """The search for the location of one finding; `location` holds the results so far, and is always complete."""

    def __init__(self, finding: Reducible, solving: Solving, jobs: int, on_progress: Progress) -> None:
        """Prepare to locate a finding; `on_progress` is called after each run."""
        self._domain = load(solving.domain)
        self._case = case_of(finding, self._domain.roots)
        self._finding = finding
        self._solving = solving
        self._jobs = jobs
        self._on_progress = on_progress
        self._release = solving.z3 or finding.finding.record.z3
        self._selection = finding.recipe.selection
        self._changed: list[Observed] = []  # runs under single changes of parameters
        self._executed: dict[str, list[int]] = {}  # lines that the finding's run executes, by file name
        self.location = Location(self._case.of)

    def run(
        self,
        debug_build: Path | None = None,
        bisect: bool = False,
        named: Sequence[NamedRelease] = (),
        sources: tuple[str, ...] | None = None,
        debug_command: Command | None = None,
    ) -> None:
        """Run all stages; `named` are releases of a command to bisect.

        `sources` are folders or versions of a good and of a bad release, or () for a bisection's. Raises `LocateError`
        if the finding cannot be reproduced, and `HelperError` if a process fails.
        """
        base = self._run_in_one_build(sources is not None)
        if debug_command is not None:
            self.find_assertion_of_command(base, debug_command)
        else:
            self.find_assertion(base.neighbour, debug_build)
        if bisect or named:
            self.bisect(base.neighbour, named)
        if sources is not None:
            self._compare_sources(sources)

    def run_in_releases(self) -> None:
        """Reproduce the finding, and search the releases that show it; raises `LocateError` and `HelperError`."""
        with RunPool(self._case.condition, self._solving) as pool:
            base, reason = self._reproduce(pool)
        if base is None:
            raise LocateError(f"{str(self._finding.folder)!r} cannot be reproduced: {reason}")
        self.bisect(base.neighbour)

    def _run_in_one_build(self, needs_lines: bool) -> Observed:
        """Run all stages that need one build, in the first build that shows the finding; return the finding's run."""
        reasons: list[str] = []
        for solving in self._builds():
            with RunPool(self._case.condition, solving, self._jobs) as pool:
                base, reason = self._reproduce(pool)
                if base is None:
                    reasons.append(f"not in {_build_name(solving, self._release)}: {reason}")
                    continue
                self.location = replace(self.location, notes=tuple(reasons))
                self._change_parameters(pool, base)
                before = self._find_step(pool)
                self._compare_events(base, before)
                self._compare_logs(pool, base)
                self._find_solver_step(base, solving)
                self._find_sites(pool, base, solving)
                self._find_lines(solving)
                if needs_lines and len(base.edges):
                    self._executed = executed_lines(pool.places([int(edge) for edge in base.edges]))
                return base
        raise LocateError(f"{str(self._finding.folder)!r} cannot be reproduced: {'; '.join(reasons)}")

    def _builds(self) -> Iterator[Solving]:
        """Yield the builds to try, the most informative one first."""
        if self._solving.uses_release and self._is_in_this_process:
            builds = (z3_release.build_in_cache(self._release, profile) for profile in _PROFILES)
            yield from (self._in_build(build) for build in builds if build is not None)
        yield self._solving

    def _in_build(self, build: Path) -> Solving:
        return replace(self._solving, z3=None, z3_library=build)

    @property
    def _is_in_this_process(self) -> bool:
        """Whether the solver under test is the Z3 that processes of chcfuzz load."""
        return self._selection == self._domain.inside(self._solving)

    def _add_note(self, text: str) -> None:
        self.location = replace(self.location, notes=(*self.location.notes, text))

    def _each(self, pool: RunPool, stage: str, neighbours: Collection[Neighbour]) -> Iterator[Observed]:
        self._on_progress(stage, 0, len(neighbours))
        for number, observed in enumerate(pool.each(pool.run, neighbours), 1):
            self._on_progress(stage, number, len(neighbours))
            yield observed

    # In one build

    def _reproduce(self, pool: RunPool) -> tuple[Observed | None, str]:
        """Return the run of the finding without steps, or None and the reason why it does not show."""
        self._on_progress("the finding", 0, 1)
        observed, judgement = pool.judge(Neighbour("the finding", self._case.system or self._case.chain))
        if not judgement.passes or observed.side is not Side.FAILING:
            return None, judgement.message
        system = self._case.system or replace(self._case.chain, seed=observed.system, steps=())
        return replace(observed, neighbour=Neighbour("the finding", system)), ""

    def _change_parameters(self, pool: RunPool, base: Observed) -> None:
        recipe = base.neighbour.recipe
        rows = [row for row in pool.parameters if self._domain.concerns(recipe.selection, row.name)]
        changes = single_changes(recipe, rows)
        for change, observed in zip(changes, self._each(pool, "single changes", changes.values()), strict=True):
            self._changed.append(observed)
            if observed.side is Side.PASSING:
                self.location = replace(self.location, vanishes=(*self.location.vanishes, change))
        defaults = Neighbour("default parameters", replace(recipe, parameters=recipe.selection))
        if not recipe.options or pool.run(defaults).side is Side.FAILING:
            self._add_note("it shows under default parameters")
            return
        changes = alone(recipe, rows)
        for change, observed in zip(changes, self._each(pool, "single parameters", changes.values()), strict=True):
            if observed.side is Side.FAILING:
                self.location = replace(self.location, appears=(*self.location.appears, change))

    def _find_step(self, pool: RunPool) -> tuple[Observed, Observed] | None:
        """Find the first prefix of the chain that shows the finding; return its run and that of the prefix before."""
        chain = self._case.chain
        last: Observed | None = None
        for number in range(len(chain.steps) + 1):
            self._on_progress("steps of the chain", number, len(chain.steps) + 1)
            prefix = replace(chain, steps=chain.steps[:number])
            neighbour = Neighbour(f"step {number}" if number else "the seed", prefix, is_known=False)
            observed, judgement = pool.judge(neighbour)
            if judgement.passes:
                row = chain.steps[number - 1].mutation if number else "parameters" if chain.options else "seed"
                self.location = replace(self.location, step=PartingStep(number, row, pool.promises.get(row, "")))
                return None if last is None else (observed, last)
            last = observed
        self._add_note("no prefix of the chain shows the finding")
        return None

    def _compare_events(self, base: Observed, before: tuple[Observed, Observed] | None) -> None:
        passing = [observed for observed in self._changed if observed.side is Side.PASSING]
        if not passing and before is not None and before[1].side is Side.PASSING:
            base, passing = before[0], [before[1]]
        found = parting_event(base, passing)
        if isinstance(found, str):
            self._add_note(f"no diverging event: {found}")
        else:
            self.location = replace(self.location, event=found)

    def _compare_logs(self, pool: RunPool, base: Observed) -> None:
        """Show the solver's formulas where its log differs from those of passing runs, if it has one."""
        if not (self._is_in_this_process and len(base.events.numbers)):
            return
        runs = [run.neighbour for run in self._changed if run.side is Side.PASSING]
        passing = [(neighbour.name, pool.log(neighbour)) for neighbour in runs]
        self.location = replace(self.location, values=parting_values(pool.log(base.neighbour), passing))

    def _find_solver_step(self, base: Observed, solving: Solving) -> None:
        """Judge the steps of the solver in the finding's run, if they can be judged."""
        if not (self._is_in_this_process and self._domain.judges_solver_steps):
            return
        self._on_progress("steps of the solver", 0, 1)
        try:
            parameters = base.neighbour.recipe.parameters
            wrong = first_wrong(self._domain.solver_steps(solving, base.system, parameters, None))
        except ChcfuzzError as error:
            self._add_note(f"steps of the solver were not judged: {error}")
            return
        if wrong is None:
            self._add_note("no step of the solver is wrong, as far as they can be judged")
            return
        self.location = replace(self.location, solver_step=wrong.line, component=wrong.maker)

    def _find_sites(self, pool: RunPool, base: Observed, solving: Solving) -> None:
        recipe = base.neighbour.recipe
        answer = _OPPOSITE[self._case.condition.answer] if self._case.condition.subject is Subject.ANSWER else "sat"
        rows = self._domain.registry(Solving(domain=solving.domain))
        neighbours = [*mutated(rows, recipe, answer, _MAX_MUTATED), *edited(self._domain, recipe, _MAX_EDITED)]
        right = self._answered_right(pool, recipe)
        runs = [base, *self._changed, *self._each(pool, "similar systems", neighbours), *right]
        runs = [run for run in runs if len(run.events.numbers) or len(run.edges)]
        passing, failing = ([run for run in runs if run.side is side] for side in (Side.PASSING, Side.FAILING))
        files = switched_files(recipe.parameters, self.location.vanishes)
        sites = suspicious_places(failing, passing, pool.places, files)
        if len(base.edges) and not any(pool.places([int(edge) for edge in base.edges[:_TRIED]])):
            self._add_note(
                "no source places for edges of the traced build: install LLVM with ./build_z3_traced.sh --install-deps"
            )
        self.location = replace(self.location, sites=sites, neighbours=(len(passing), len(failing)))
        if not self._is_in_this_process:
            self._add_note("no sites: events and edges are those of Z3, which is not the solver under test")
        elif solving.uses_release:
            self._add_note(
                f"sites are events of Spacer's log: a traced build is missing in the cache for {self._release}"
            )

    def _answered_right(self, pool: RunPool, recipe: Recipe) -> Iterator[Observed]:
        """Yield runs of seeds for which the finding's answer is right.

        Without them, the most suspicious functions are those that every run with this answer executes.
        """
        wrong = self._case.condition.answer if self._case.condition.subject is Subject.ANSWER else "sat"
        seeds = answered(self._domain.seeds, recipe, wrong, _MAX_SEEDS)
        for observed in self._each(pool, "systems with this answer", seeds):
            if observed.description == wrong:
                side = Side.PASSING if self._case.condition.subject is Subject.ANSWER else observed.side
                yield replace(observed, side=side)

    def _find_lines(self, solving: Solving) -> None:
        """Find the source lines of the places, if the sources of the traced build are there."""
        sources = None if solving.z3_library is None else sources_of(solving.z3_library)
        if sources is None:
            return
        lines, context = lines_of(self.location, sources)
        self.location = replace(self.location, lines=lines, around=context)

    def _compare_sources(self, sources: tuple[str, ...]) -> None:
        """Compare the sources of two releases, and rank the files by the executed lines of the finding's run."""
        if not self._executed:
            self._add_note("changed sources are not ranked: edges need a traced build, for example with --z3-library")
        releases = sources or self._neighbouring_releases()
        if not releases:
            advice = "add --bisect, or name both with --sources GOOD BAD"
            self._add_note(f"sources were not compared: no good release before the first bad one is known; {advice}")
            return
        found = changed_files(*source_folders(releases), self._executed)
        self.location = replace(self.location, changes=tuple(map(str, found[:_MAX_CHANGED])))

    def _neighbouring_releases(self) -> tuple[str, ...]:
        """Return the last good and the first bad release of this call or an earlier one; empty if they are unknown."""
        earlier = read_location(self._finding.folder)
        versions = self.location.versions or (earlier.versions if earlier else None)
        return (versions and versions.bracket) or ()

    # In other builds and releases

    def find_assertion_of_command(self, observed: Observed, command: Command) -> None:
        """Run the finding with a command that is a debug build; raises `CommandError`."""
        self._on_progress("debug build", 0, 1)
        printed = command.printed(observed.system, observed.neighbour.recipe.parameters)
        self._show_assertion(printed, f"the debug build {command.name}")

    def find_assertion(self, neighbour: Neighbour, folder: Path | None) -> None:
        """Run the finding in a debug build, by default the one in the cache; raises `HelperError`.

        Without one, a failed check that the finding reports is read from the output of the solver under test.
        """
        if not self._solving.uses_z3:
            self._add_note("no diagnosis by assertions: name a debug build of the command with --debug-build COMMAND")
            return
        if not self._is_in_this_process:
            return
        build = folder or z3_release.build_in_cache(self._release, "debug")
        if build is None and self._case.condition.subject is not Subject.MESSAGE:
            missing = f"a debug build is missing in the cache for {self._release}"
            self._add_note(f"assertions were not checked, because {missing}")
            return
        self._on_progress("debug build", 0, 1)
        solving = self._solving if build is None else self._in_build(build)
        with RunPool(self._case.condition, solving, fresh=True) as pool:
            observed = pool.run(neighbour)
        where = f"z3-solver {self._release}" if build is None else f"the debug build {build.name}"
        self._show_assertion(pool.output, f"{where}; result: {observed.description}")

    def _show_assertion(self, printed: str, where: str) -> None:
        """Show the assertion that a build printed."""
        assertion = failed_assertion(printed)
        self.location = replace(self.location, assertion=assertion, stack=stack(printed) if assertion else ())
        if assertion is None:
            self._add_note(f"no assertion fails in {where}")

    def bisect(self, neighbour: Neighbour, named: Sequence[NamedRelease] = ()) -> None:
        """Search for the releases that show the finding, whose system `neighbour` runs, or a variant of it.

        `named` are releases of a command.
        """
        record = self._finding.finding.record
        own = next(iter(record.releases.values()), self._release)
        releases = (
            commands(self._solving, named) if named else published(self._domain, self._solving, self._selection, own)
        )
        for note in releases.notes:
            self._add_note(note)
        others = variants(self._domain, self._solving, neighbour.recipe)
        shown_by: dict[str, str] = {}

        def test(name: str) -> str:
            found = releases.test(name, (neighbour, *others), self._case.condition)
            if found.variant:
                shown_by[name] = found.variant
            return found.result

        search = VersionSearch(releases.names, releases.own, test)
        try:
            search.run(releases.at_hand, lambda done, total: self._on_progress("releases", done, total))
        finally:
            names = tuple(each.name for each in others)
            shown = tuple((name, shown_by[name]) for name in releases.names if name in shown_by)
            self.location = replace(self.location, versions=replace(search.found(), variants=names, shown_by=shown))
        exceptions = search.exceptions()
        if exceptions:
            self._add_note(f"not monotone: {', '.join(exceptions)} show it again beyond a good release")


def _build_name(solving: Solving, release: str) -> str:
    return f"z3-solver {release}" if solving.z3_library is None else f"the build {solving.z3_library.name}"
