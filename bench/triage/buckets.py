"""Compare buckets with causes: findings with known causes, sorted into buckets as `chcfuzz triage` does.

python -m bench.triage.buckets                             # both populations, four findings of each cause
python -m bench.triage.buckets --findings 8 --keep kept    # keep the findings in a folder, and reuse them next time
python -m bench.triage.buckets --cause select-of-store --cause slice-solved-by-a-choice

There are two populations. *Released* are the wrong answers of tests/quality/rediscovery/known.toml. The fuzzer's
mutator changes the unit that shows each of them; units that the release still answers wrongly are confirmed and
reduced. A finding has the known cause if the release with the repair answers the reduced system correctly; other
findings are counted and left out. *Planted* are the bugs of tests/quality/planted.py on seeds from different groups of
corpus/, all as if they were bugs of one solver.

Purity is the share of findings that have the most frequent cause of their bucket. One bucket per finding would have
purity 1, so the table also shows the number of buckets for each cause. For comparison, it shows buckets by the
parameters that a finding needs (as in HornFuzz), and by the properties that a campaign knows before reduction
(`triage/examine/signature.py`).
"""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections import Counter as Tally
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bench.campaigns import CORPUS, ROOT, parser, print_table, write_json

os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))

from chcfuzz.execution.seed_answers import Ground, SeedAnswer, SeedAnswers
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.mutators.recipe import Recipe, Step, canonical, decode, encode
from chcfuzz.solvers import z3_release
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.confirmation_queue import ConfirmationQueue
from chcfuzz.triage.findings.store import FindingStore, findings_in

from tests.quality.rediscovery.known import table

if TYPE_CHECKING:
    from chcfuzz.triage.buckets.traits import Traits

ANSWERING = ROOT / "tests" / "quality" / "rediscovery" / "answering.py"
OPPOSITE = {"sat": "unsat", "unsat": "sat"}
TRIES, MOST_CHANGES = 120, 4
GROUPS = ("lia", "arrays", "bv", "adt", "lra", "bool", "protocols", "many-predicates")  # of corpus/
DOUBLED = (Step("boolean.dup-and", b"\0\0\0\0"),)
PLAINLY_FALSE = (Step("rules.add-lin-rule", bytes([1, 0])),)


@dataclass(frozen=True)
class Case:
    """A known cause: `recipes` are tried for a verdict of `kind`, and the first one is mutated if `mutated`.

    `answer` is the correct answer; `repaired` is the first release that gives it.
    """

    name: str
    population: str
    solving: Solving
    recipes: tuple[Recipe, ...]
    answer: str = "sat"
    kind: str = "wrong-answer"
    mutated: bool = False
    repaired: str | None = None


def cases() -> Iterator[Case]:
    """Yield the cases of both populations."""
    for row in table():
        recipes = (canonical(row.recipe),)
        solving = Solving(z3=row.release, front_end=row.front_end)
        yield Case(row.name, "released", solving, recipes, row.answer, mutated=True, repaired=row.first_good)
    model = "wrong-model"
    yield planted("doubled, by slicing", "TwiceWrongSpacer", DOUBLED)
    yield planted("plainly false, by inlining", "TwiceWrongSpacer", PLAINLY_FALSE)
    yield planted("doubled, whatever the setting", "StubbornSpacer", DOUBLED)
    yield planted("models, by the transforms", "TransformedSpacer", (), kind=model)
    yield planted("models, without them too", "TransformedSpacer", (), (("fp.spacer.ctp", "false"),), kind=model)


def planted(
    name: str,
    cls: str,
    steps: tuple[Step, ...],
    parameters: tuple[tuple[str, str], ...] = (),
    kind: str = "wrong-answer",
) -> Case:
    """Return a case with a bug of tests/quality/planted.py and the smallest satisfiable seed of each group."""
    recipes = tuple(canonical(Recipe(text, steps, parameters)) for text in _seeds())
    return Case(name, "planted", Solving(solver=f"tests.quality.planted:{cls}", rlimit=100_000), recipes, kind=kind)


def _seeds() -> list[str]:
    found = []
    for group in GROUPS:
        texts = sorted((file.read_text() for file in (CORPUS / group).glob("*.smt2")), key=len)
        found.append(next(text for text in texts if parse(text).status == "sat" and "distinct" not in text))
    return found


def units(case: Case, number: int) -> list[bytes]:
    """Return at most `number` units that show a case; search for them in a new process."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_units, (case, number))


def _units(case: Case, number: int) -> list[bytes]:
    case.solving.activate()
    from chcfuzz.execution.pipeline import Pipeline
    from chcfuzz.mutators.chain import Chains
    from chcfuzz.mutators.custom import Mutator
    from chcfuzz.mutators.mutation import Kind, Scope
    from chcfuzz.mutators.policy import POLICIES, Rows
    from chcfuzz.mutators.recently_used import RecentlyUsed

    pipeline = Pipeline(case.solving)
    chains = Chains(pipeline.chains.registry.limited((Kind.OWN, Kind.PARAMETER), (Scope.EXPERIMENTAL,)))
    mutator = Mutator(
        chains, POLICIES["equal"](Rows.of(chains.registry)), set(), RecentlyUsed(1, [case.recipes[0].seed])
    )
    found: dict[bytes, bytes] = {}

    def tried(recipe: Recipe) -> None:
        pipeline.answers.note(recipe.seed, SeedAnswer(case.answer, Ground.DECLARED))
        mutant = pipeline.mutant(recipe)
        if mutant.key not in found and mutant.expected == case.answer:
            execution = pipeline.execute(mutant, second=False)
            if execution.finding is not None and execution.finding.kind.value == case.kind:
                found[mutant.key] = encode(recipe)

    for recipe in case.recipes:
        tried(recipe)
    for seed in range(TRIES if case.mutated else 0):
        if len(found) >= number:
            break
        unit = encode(case.recipes[0])
        for change in range(1 + seed % MOST_CHANGES):
            unit = mutator.mutate(unit, 1 << 20, seed * MOST_CHANGES + change)
        if decode(unit).seed == case.recipes[0].seed:
            tried(decode(unit))
    return [*found.values()][:number]


def made(case: Case, number: int, folder: Path) -> None:
    """Write findings of a case to a folder, confirmed as in a campaign."""
    store = FindingStore(folder, number)
    store.prepare()
    queue = ConfirmationQueue(store, SeedAnswers(folder), lambda _kind, _name: None)
    wrong_answer = case.kind == "wrong-answer"
    seen, oracle = (OPPOSITE[case.answer], "answer") if wrong_answer else (case.answer, "model")
    seed = SeedAnswer(case.answer, Ground.DECLARED)
    for unit in units(case, number):
        suspicion = Suspicion(unit, case.kind, oracle, seen, case.answer, "", seed, case.solving.arguments)
        queue.suspicions.add(suspicion)
        queue.process(suspicion.name)


def is_of(case: Case, finding: Path) -> bool:
    """Determine whether a finding has the case's cause: the release with the repair gives the correct answer."""
    from chcfuzz.triage.findings.reductions import read_reduction

    record = read_reduction(finding)
    if case.repaired is None or record is None:
        return True
    line = json.dumps([(finding / "reduced.smt2").read_text(), sorted(record.parameters.items())]) + "\n"
    command = [sys.executable, str(ANSWERING), case.repaired]
    return subprocess.run(command, input=line, capture_output=True, text=True, check=True).stdout.strip() == case.answer


@dataclass(frozen=True)
class Measured:
    """Quality of a bucketing method: how well it separates causes."""

    purity: float
    buckets: Mapping[str, int]  # by cause


def measured(names: Sequence[Hashable], causes: Sequence[str]) -> Measured:
    """Measure a method, given the bucket and the cause of each finding."""
    both = Tally(zip(names, causes, strict=True))
    best = sum(max(number for (other, _), number in both.items() if other == name) for name in set(names))
    return Measured(best / len(names), Tally(cause for _, cause in both))


def ways(traits: Sequence[Traits]) -> dict[str, list[Hashable]]:
    """Return the bucket of each finding, by bucketing method."""
    from chcfuzz.triage.buckets.buckets import Member, bucketed

    ours = {member.traits.id: bucket.name for bucket in bucketed(map(Member, traits)) for member in bucket.members}
    return {
        "ours": [ours[one.id] for one in traits],
        "by parameters": [(one.kind, one.parameters) for one in traits],
        "before reduction": [one.cause for one in traits],
    }


def report(population: str, findings: Sequence[tuple[Traits, str]], others: int) -> dict[str, object]:
    """Print the table of a population, and return its numbers."""
    traits, causes = [one for one, _ in findings], [cause for _, cause in findings]
    found = {way: measured(names, causes) for way, names in ways(traits).items()}
    print(f"{population}: {len(findings)} findings of {len(set(causes))} causes, {others} more have another cause")
    rows: list[list[object]] = [["cause", "findings", *found]]
    for cause in dict.fromkeys(causes):
        rows.append([cause, causes.count(cause), *(one.buckets[cause] for one in found.values())])
    means = (sum(one.buckets.values()) / len(one.buckets) for one in found.values())
    rows.append(["buckets of a cause, mean", "", *means])
    rows.append(["purity", "", *(one.purity for one in found.values())])
    print_table(rows)
    return {way: {"purity": one.purity, "buckets": dict(one.buckets)} for way, one in found.items()}


def main() -> None:
    """Make the findings that do not exist yet, and measure."""
    everything = list(cases())
    flags = parser(__doc__)
    flags.add_argument(
        "--cause", action="append", choices=[case.name for case in everything], help="only this cause; may be repeated"
    )
    flags.add_argument(
        "--findings", type=int, default=4, metavar="N", help="findings for each cause (default: %(default)s)"
    )
    flags.add_argument(
        "--tests", type=int, default=600, metavar="N", help="tests for each reduction (default: %(default)s)"
    )
    flags.add_argument("--keep", type=Path, metavar="DIR", help="keep findings in DIR, and reuse those in it")
    given = flags.parse_args()
    z3_release.activate()
    from chcfuzz.triage.buckets.traits import read_traits
    from chcfuzz.triage.reduce.reduction import try_to_reduce

    found: dict[str, list[tuple[Traits, str]]] = {}
    others: Tally[str] = Tally()
    with tempfile.TemporaryDirectory(prefix="chcfuzz-bench-") as temporary:
        for case in everything:
            if given.cause and case.name not in given.cause:
                continue
            folder = (given.keep or Path(temporary)) / case.name.replace(" ", "-").replace(",", "")
            if not folder.is_dir():
                made(case, given.findings, folder)
            for read in findings_in(folder):
                finding = read.folder
                summary = try_to_reduce(finding, partial(Solving.parsed, read.record.solving), given.tests)
                if summary is not None:
                    print(f"{finding.name} {summary}", file=sys.stderr, flush=True)
                if is_of(case, finding):
                    found.setdefault(case.population, []).append((read_traits(finding), case.name))
                else:
                    others[case.population] += 1
    write_json(given.json, {name: report(name, findings, others[name]) for name, findings in found.items()})


if __name__ == "__main__":
    main()
