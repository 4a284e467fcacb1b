"""Measure how often `chcfuzz locate` names the function that Z3 has repaired, for wrong answers of older releases.

python -m bench.triage.repaired --into repaired                   # every wrong answer; stop and start again at any time
python -m bench.triage.repaired --into repaired array-as-index    # some repairs

`unrepaired.toml` lists repairs. Each is taken back in the sources of a traced build (`--base`), which needs its build
tree in the cache (`build_z3_traced.sh`): the right code of the release without a guard. Each trigger is a finding if
the build without the repair answers wrongly and the build with it does not. `chcfuzz locate` runs on it. Its rank is
the number of the first suspicious place in the repaired function; the component of the first wrong step is printed,
too. Chance is a list of functions in random order, of the folders of Z3 whose edges the build counts. Results are
appended to `results.jsonl`, and findings stay in the folder.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import msgspec

from bench.campaigns import ROOT, ResultFile

os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))

from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.recipe import Recipe, encode
from chcfuzz.solvers import z3_release
from chcfuzz.triage.examine.finding_scope import standing
from chcfuzz.triage.examine.signature import Signature
from chcfuzz.triage.findings.location import write_location
from chcfuzz.triage.findings.record import RECIPE, RECORD, Record
from chcfuzz.triage.fix.build import BuildTree, build_tree, patched_build
from chcfuzz.triage.fix.patch import read_patch
from chcfuzz.triage.locate.case import LocateError
from chcfuzz.triage.locate.locating import Locating
from chcfuzz.triage.locate.messages import Side
from chcfuzz.triage.locate.rerun import rerun
from chcfuzz.triage.reduce.condition import read_finding

from bench.triage.location import TOPS, number_of_functions, rank
from tests.quality.rediscovery.known import table

OPPOSITE = {"sat": "unsat", "unsat": "sat"}
RELEASE = "5.4.0.0"


class Change(msgspec.Struct, frozen=True):
    """The text `old` after the first text `after` of a file, and the text in its place."""

    file: str
    after: str
    old: str
    new: str


class Shown(msgspec.Struct, frozen=True):
    """A wrong answer of a release: the right answer, and the system if it is not the trigger's."""

    release: str
    answer: str
    text: str = ""


class Trigger(msgspec.Struct, frozen=True):
    """A system whose answer is wrong without a repair, and the right answer."""

    name: str
    answer: str
    text: str
    shown: Shown
    parameters: tuple[tuple[str, str], ...] = ()

    @property
    def recipe(self) -> Recipe:
        """Recipe that shows the wrong answer."""
        return Recipe(self.text, (), self.parameters)


class Repair(msgspec.Struct, frozen=True):
    """A row of `unrepaired.toml`, which describes its fields."""

    fix: str
    function: str
    change: tuple[Change, ...]
    inlined_into: str = ""
    triggers: tuple[str, ...] = ()
    system: tuple[Trigger, ...] = ()


class Result(msgspec.Struct, frozen=True):
    """Result for a trigger: `reason` is empty if it is a finding, and `places` are the suspicious places.

    `component` is the part of the solver that made the first wrong step, or empty; None in results of earlier
    versions.
    """

    repair: str
    trigger: str
    reason: str = ""
    places: tuple[str, ...] = ()
    component: str | None = None


class Wrong(Protocol):
    """A known wrong answer: a trigger, or a row of known.toml."""

    @property
    def name(self) -> str:
        """Name of the wrong answer."""

    @property
    def answer(self) -> str:
        """The right answer."""

    @property
    def recipe(self) -> Recipe:
        """Recipe that shows it."""


@dataclass(frozen=True)
class Bench:
    """The build with all repairs, and the folder of results."""

    base: BuildTree
    into: Path

    def run(self, name: str, repair: Repair, known: Wrong) -> Result:
        """Take a repair back, and locate the finding of one trigger."""
        patch = self.into / f"{name}.patch"
        patch.write_text(taken_back(repair, self.base.source))
        build = patched_build(self.base, read_patch(patch, self.base.source), 2, lambda line: print(line, flush=True))
        folder = write_finding(self.into / f"{name}-{known.name}", known)
        solving = Solving(z3_library=build)
        without, described = rerun(folder, solving)
        if without is not Side.FAILING:
            return Result(name, known.name, f"without the repair: {described}")
        repaired, described = rerun(folder, Solving(z3_library=self.base.result))
        if repaired is Side.FAILING:
            return Result(name, known.name, f"with the repair: {described}")
        locating = Locating(read_finding(folder), solving, 1, lambda *_: None)
        try:
            locating.run()
        except LocateError as error:
            return Result(name, known.name, str(error))
        location = locating.location
        write_location(folder, location)
        return Result(name, known.name, "", tuple(site.where for site in location.sites), location.component)


def all_repairs() -> dict[str, Repair]:
    """Return the rows of `unrepaired.toml` by their names."""
    return msgspec.convert(tomllib.loads(Path(__file__).with_name("unrepaired.toml").read_text()), dict[str, Repair])


def triggers_of(repair: Repair) -> list[Wrong]:
    """Return all wrong answers that may come back without a repair."""
    rows = {row.name: row for row in table()}
    return [*(rows[name] for name in repair.triggers), *repair.system]


def rank_of(places: Sequence[str], repair: Repair) -> int | None:
    """Return the place, from 1, of the first one in the repaired function, or in the one that it is inlined into.

    Places of events lack the class.
    """
    functions = {repair.function, repair.inlined_into or repair.function}
    file, name = Path(repair.change[0].file).name, repair.function.rpartition("::")[2]
    event = re.compile(rf"\b{re.escape(file)}:\d+ {re.escape(name)}\b")
    numbers = (n for n, place in enumerate(places, 1) if event.search(place) or rank([place], functions))
    return next(numbers, None)


def taken_back(repair: Repair, source: Path) -> str:
    """Return the patch that takes a repair back."""
    texts: dict[str, str] = {}
    for change in repair.change:
        text = texts.get(change.file) or (source / change.file).read_text()
        place = text.index(change.old, text.index(change.after))
        texts[change.file] = text[:place] + change.new + text[place + len(change.old) :]
    lines: list[str] = []
    for file, text in texts.items():
        before = (source / file).read_text().splitlines(keepends=True)
        lines += difflib.unified_diff(before, text.splitlines(keepends=True), f"a/{file}", f"b/{file}")
    return "".join(lines)


def write_finding(folder: Path, known: Wrong) -> Path:
    """Write the finding of a known wrong answer, as far as `locate` reads it."""
    folder.mkdir(exist_ok=True)
    recipe = known.recipe
    record = Record(
        kind="wrong-answer",
        signature=Signature("wrong-answer", default=not recipe.parameters),
        standing=standing("wrong-answer", (), None, None),
        witness=f"{known.answer} is right",
        witness_for=known.answer,
        z3=RELEASE,
        expected=known.answer,
        answer=OPPOSITE[known.answer],
        parameters=dict(recipe.parameters),
    )
    (folder / RECORD).write_bytes(record.to_json())
    (folder / RECIPE).write_bytes(encode(recipe))
    return folder


def print_summary(results: list[Result], repairs: Mapping[str, Repair], base: BuildTree) -> None:
    """Print the rank of each finding, and the shares of findings among the first places."""
    ranks = []
    for result in results:
        place = rank_of(result.places, repairs[result.repair])
        if not result.reason:
            ranks.append(place)
        maker = "not judged" if result.component is None else result.component or "none"
        shown = result.reason or f"rank {place}, first wrong step: {maker}"
        print(f"{result.repair}, {result.trigger}: {shown}")
    total = number_of_functions(base.source, base.result.name.rpartition("-")[2])
    for top in TOPS:
        hits = sum(place is not None and place <= top for place in ranks)
        print(f"top {top}: {hits} of {len(ranks)}, by chance {len(ranks) * top / total:.2f}")


def default_base() -> Path:
    """Return the traced build in the cache that counts the most edges."""
    located = z3_release.build_in_cache(RELEASE, "locate")
    return located or z3_release.cache_folder() / "z3-traced" / f"{RELEASE}-trace"


def main() -> None:
    """Run the triggers without a stored result, and print all results."""
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("repairs", nargs="*", help="names of repairs (default: all)")
    flags.add_argument("--into", type=Path, required=True, metavar="DIR")
    flags.add_argument("--base", type=Path, default=default_base(), help="a traced build (default: %(default)s)")
    given = flags.parse_args()
    repairs = all_repairs()
    given.into.mkdir(parents=True, exist_ok=True)
    file = ResultFile(given.into / "results.jsonl", Result)
    results = file.read()
    bench = Bench(build_tree(given.base), given.into)
    for name, repair in repairs.items():
        for trigger in triggers_of(repair) if not given.repairs or name in given.repairs else ():
            if not any((result.repair, result.trigger) == (name, trigger.name) for result in results):
                results.append(bench.run(name, repair, trigger))
                file.add(results[-1])
    print_summary(results, repairs, bench.base)


if __name__ == "__main__":
    main()
