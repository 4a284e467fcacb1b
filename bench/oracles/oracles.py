"""Measure the cost of each oracle, compared with solving, and the share of unsat answers with a checked refutation.

python -m bench.oracles.oracles                        # on corpus/
python -m bench.oracles.oracles imported benchmarks    # also on these folders
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from chcfuzz.execution.solving import DEFAULT_RLIMIT, DEFAULT_SECOND_OPINION, Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.triage.examine.confirm import confirm
from chcfuzz.triage.examine.suspicion import Suspicion

from bench.campaigns import CORPUS, parser, print_table, write_json

T = TypeVar("T")
WAYS = {"refutation, as in campaigns": True, "refutation, by bounded search alone": False}


@dataclass
class Measured:
    """Measurements of a folder. `costs`: by oracle, its calls, its seconds, and the solver's seconds there."""

    answers: Counter[str] = field(default_factory=Counter)
    solving: float = 0.0
    costs: dict[str, list[float]] = field(default_factory=dict)
    unsat: dict[str, Counter[str]] = field(default_factory=lambda: {"linear": Counter(), "non-linear": Counter()})
    reasons: Counter[str] = field(default_factory=Counter)

    def timed(self, oracle: str, solving: float, call: Callable[[], T]) -> T:
        """Call an oracle and add its time; the solver took `solving` seconds for the same system."""
        start = time.perf_counter()
        result = call()
        row = self.costs.setdefault(oracle, [0, 0.0, 0.0])
        row[0] += 1
        row[1] += time.perf_counter() - start
        row[2] += solving
        return result


def measured(folder: Path, solving: Solving, confirmations: int) -> Measured:
    """Solve every system in a folder and call every oracle."""
    from chcfuzz.execution.pipeline import Pipeline  # needs the Z3 that `main` has chosen

    found = Measured()
    pipeline = Pipeline(solving)
    files = sorted(folder.rglob("*.smt2"))
    confirmed = {files[place * len(files) // confirmations] for place in range(confirmations)} if files else set()
    for file in files:
        try:
            system = parse(file.read_text(errors="replace"), str(file))
        except ChcfuzzError:
            found.answers["refused"] += 1
            continue
        seconds = _call_oracles(system, pipeline, solving, found)
        if file in confirmed:
            suspicion = Suspicion(file.read_bytes(), "wrong-answer")
            found.timed("confirmation of a finding", seconds, partial(confirm, suspicion, solving))
    return found


def _call_oracles(system: System, pipeline: Any, solving: Solving, found: Measured) -> float:
    """Call every oracle on Spacer's answer for a system; return the seconds that Spacer took."""
    from chcfuzz.domains.chc.oracles import evidence, model
    from chcfuzz.oracles import answer, errors, resources, second_solver
    from chcfuzz.solvers.outcome import Status

    outcome = pipeline.solve(print_system(system), ())
    seconds = outcome.seconds
    found.answers[outcome.status.value] += 1
    found.solving += seconds
    found.timed(
        "errors, answer, resources",
        seconds,
        lambda: (errors.check(outcome), answer.check(system.status, outcome), resources.check(outcome, solving.rlimit)),
    )
    if outcome.model is not None:
        held = outcome.model
        found.timed("model, by Z3", seconds, lambda: model.check(system, outcome, pipeline.watchdog))
        found.timed("model, by cvc5", seconds, lambda: second_solver.answers(evidence.model_script(system, held)))
    if outcome.status is Status.UNSAT:
        _refute(system, solving, found, seconds)
    return float(seconds)


def _refute(system: System, solving: Solving, found: Measured, seconds: float) -> None:
    """Search for a refutation in both ways, and count successes and reasons of failure."""
    from chcfuzz.domains.chc.oracles.derive import derive
    from chcfuzz.solvers.watchdog import Watchdog

    watchdog = Watchdog(solving.wall_seconds)
    both = {
        way: found.timed(way, seconds, partial(derive, system, solving.rlimit, watchdog, along_proof))
        for way, along_proof in WAYS.items()
    }
    along, bounded = both.values()
    tally = found.unsat["linear" if all(clause.is_linear for clause in system.clauses) else "non-linear"]
    tally["answers"] += 1
    tally["checked"] += along.refutation is not None
    tally["along Spacer's proof"] += along.message.startswith("along") and along.refutation is not None
    tally["by bounded search"] += bounded.refutation is not None
    if along.refutation is None:
        found.reasons[_kind_of(along.message)] += 1


def _kind_of(reason: str) -> str:
    """Return the reason why there is not a refutation, without numbers and details of one system."""
    parts = (re.sub(r"\d+", "N", re.sub(r"\(.*\)", "(...)", part))[:90] for part in reason.split("; "))
    return "; ".join(parts)


def tables(name: str, found: Measured) -> None:
    """Print the measurements of a folder."""
    answers = ", ".join(f"{number} {answer}" for answer, number in found.answers.most_common())
    print(f"{name}: {answers}; {found.solving:.1f} seconds of solving")
    print(f"a campaign searches refutations and runs cvc5 for one answer in {DEFAULT_SECOND_OPINION} by default\n")
    rows: list[list[object]] = [["oracle", "calls", "seconds each", "share of solving these systems", "of all solving"]]
    for oracle, (calls, seconds, there) in found.costs.items():
        rows.append([oracle, calls, seconds / calls, seconds / there if there else 0.0, seconds / found.solving])
    print_table(rows)
    columns = ("answers", "checked", "along Spacer's proof", "by bounded search")
    rows = [["\nunsat answers", *columns, "share checked"]]
    for shape, tally in found.unsat.items():
        share = tally["checked"] / tally["answers"] if tally["answers"] else 0.0
        rows.append([shape, *(tally[column] for column in columns), share])
    print_table(rows)
    if found.reasons:
        print_table([["\nwithout a refutation, because", "answers"], *found.reasons.most_common()])
    print()


def main() -> None:
    """Measure corpus/ and the given folders."""
    flags = parser(__doc__)
    flags.add_argument("folders", nargs="*", type=Path, metavar="DIR", help="more folders of .smt2 files than corpus/")
    flags.add_argument("--rlimit", type=int, default=DEFAULT_RLIMIT, help="(default: %(default)s)")
    flags.add_argument(
        "--confirmations",
        type=int,
        default=10,
        metavar="N",
        help="findings to confirm in each folder (default: %(default)s)",
    )
    given = flags.parse_args()
    solving = Solving(rlimit=given.rlimit)
    solving.activate()
    written = {}
    for folder in (CORPUS, *given.folders):
        found = measured(folder, solving, given.confirmations)
        tables(folder.name, found)
        written[folder.name] = {
            "answers": found.answers,
            "solving_seconds": found.solving,
            "oracles": {
                oracle: {"asked": calls, "seconds": seconds, "share": seconds / there if there else 0.0}
                for oracle, (calls, seconds, there) in found.costs.items()
            },
            "unsat": found.unsat,
            "reasons": found.reasons,
        }
    write_json(given.json, written)


if __name__ == "__main__":
    main()
