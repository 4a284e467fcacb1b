"""Try faults on questions to parts of Z3, to see what units that need an answer of Spacer cannot show.

chcfuzz import corpus --domain parts --into projected --reading projections
python -m bench.faults.units --domain parts --number 1500 drawn corpus-parts
python -m bench.faults.units --domain parts --number 1500 projections projected
python -m bench.faults.questions --z3-library FOLDER --sorted faults --into DIR corpus-parts drawn projections
python -m bench.faults.questions ... --state stubborn --state silent  # faults that the units leave in these states

`--sorted` is the folder that `bench.faults.sorting` wrote, and the states here mean the same (DIR/sorted.jsonl): a
question notices a fault if the part dies, does not end, or returns a result that breaks its contract. A fault is on
while the part runs, and a question is tried on the faults whose sites the part reaches. Takes half an hour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from chcfuzz.domains.parts.roots import as_question
from chcfuzz.domains.parts.solvers import command_calls, other_calls
from chcfuzz.execution.domain import load
from chcfuzz.execution.flags import positive
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.mutators import roots
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.solvers.outcome import Status

from bench.campaigns import alone, print_table, run_as_program
from bench.faults.run import sorted_faults
from bench.faults.sites import Site
from bench.faults.sorting import RLIMIT, Bench, Seen, Sorted, State, measured, read_units, sorted_flags

if TYPE_CHECKING:
    from chcfuzz.execution.pipeline import Execution

PARTS = "parts"


@dataclass(frozen=True)
class Questions(Bench):
    """Questions by name, as `Bench` has units."""

    def runner(self, fault: int) -> Callable[[Recipe], tuple[Execution, tuple[int, ...]]]:
        """Return a function that executes questions under a fault in this process, and returns the sites they reach."""
        from chcfuzz.execution.pipeline import Pipeline

        from bench.faults.solver import FaultyParts

        pipeline = Pipeline(self.solving(fault))
        pipeline.solver = parts = FaultyParts(self.solving(fault), fault)

        def run(unit: Recipe) -> tuple[Execution, tuple[int, ...]]:
            return pipeline.execute(pipeline.mutant(unit), second=False), parts.reached

        return run

    def is_usable(self, seen: Seen) -> bool:
        """Return whether a question has a result without a fault: one that reaches the clock has it with each fault."""
        return super().is_usable(seen) and seen.status == Status.RESULT.value

    def solving(self, _fault: int) -> Solving:
        """Return the flags of the questions."""
        return Solving(domain=PARTS, z3_library=self.library, rlimit=RLIMIT, second_opinion=0)


def about_library(units: Mapping[str, Recipe]) -> dict[str, Recipe]:
    """Return the questions to parts of Z3's library: the command `z3` for `mbp` is another process.

    Raises `UsageError` without any, and `GrammarError` for another unit.
    """
    own, others = load(PARTS).roots, {*other_calls.CALLS, *command_calls.CALLS}
    parts = {name: as_question(own.parse(unit.seed, name)).question.part for name, unit in units.items()}
    found = {name: units[name] for name, part in parts.items() if part not in others}
    if not found:
        raise UsageError("the folders have no question to a part of Z3's library; name corpus-parts, for example")
    return found


def table(found: Mapping[int, Sorted], before: Mapping[int, Sorted], faults: Sequence[Site]) -> list[list[object]]:
    """Return the states under questions, by the states under units and by folders."""
    rows: list[list[object]] = [["units", "folder", "faults", *State]]
    groups: dict[tuple[State, str], Counter[State]] = {}
    for fault, each in sorted(found.items()):
        for folder in ("all", faults[fault - 1].file.rpartition("/")[0]):
            groups.setdefault((before[fault].state, folder), Counter())[each.state] += 1
    for (state, folder), counts in sorted(groups.items()):
        rows.append([state, folder, counts.total(), *(counts[each] for each in State)])
    return rows


def main() -> None:
    """Measure what is missing, and print the table."""
    flags = sorted_flags(__doc__)
    flags.add_argument("corpora", nargs="+", type=Path, metavar="DIR", help="folders of questions")
    flags.add_argument("--state", type=State, action="append", choices=list(State), help="(default: stubborn)")
    flags.add_argument("--jobs", type=positive, default=1, metavar="N", help="faults at once (default: %(default)s)")
    given = flags.parse_args()
    found, faults = sorted_faults(given)
    before = {each.fault: each for each in found}
    states = dict.fromkeys(given.state or [State.STUBBORN])
    chosen = [fault for state in states for fault in sorted(before) if before[fault].state is state]
    roots.activate(load(PARTS).roots)
    bench = Questions(about_library(read_units(given.corpora)), given.z3_library)
    bench.warm_up()
    with alone(given.into):
        after = measured(bench, chosen, given.into, given.jobs)
    print_table(table({fault: after[fault] for fault in chosen}, before, faults))


if __name__ == "__main__":
    run_as_program(main)
