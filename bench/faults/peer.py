"""Compare the mutants of HornGator (ASE 2025) and HornFuzz (EASE 2023) with ours, by the faults that they notice.

python -m bench.faults.peer --peer CHECKOUT --z3-library FOLDER --sorted faults --into DIR --jobs 2
python -m bench.faults.peer ... --seeds CHECKOUT/testfiles --seeds benchmarks  # other systems of CHC-COMP
python -m bench.faults.peer ... --hornfuzz CLONE --python PYTHON  # HornFuzz, too

As in `bench.faults.score`, campaigns run without a fault, and a sample of what they gave to Z3 then runs under each
fault that it reaches. All tools start from the same `SEEDS` systems, which a hash chooses among those that Z3 decides
within `RLIMIT`, and have the same processor time. CHECKOUT is your clone of HornGator (see `bench.power.horngator`).
Its systems without predicates, which are its checks of models, do not count. CLONE is your clone of HornFuzz (measured
at 8334f78), and PYTHON a program that has its packages and its Z3 with text traces (`_TRACE`; see its Dockerfile).
chcfuzz judges all tries, so the other tools are also credited with what they would not notice themselves. The seeds are
tried alone, too: they notice many faults. DIR/trials.jsonl has a line for each campaign. An interrupted run continues.
Takes 20 minutes of one processor for the campaigns of HornGator and chcfuzz with the same seeds.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import statistics
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.execution.flags import positive_float
from chcfuzz.execution.solving import UsageError
from chcfuzz.mutators.recipe import read

from bench.campaigns import SPACER, ResultFile, add_numbers, alone, check_settings, print_table, run_as_program
from bench.faults.recording import RECORD, Made
from bench.faults.score import SAMPLING, SEEDS, Scoring, Tries, hazard_ratio, order, ratio_cells, signed_rank
from bench.faults.sorting import RLIMIT, Bench, sorted_flags, units_of
from bench.power.horngator import OWN, PEER, Peer, check_clone, first_number, repeated, run_until

SEEDS_ALONE, HORNFUZZ = "seeds", "hornfuzz"
_MOST_BYTES = 100_000  # of a seed; larger ones are seldom decided
_RUNNER = Path(__file__).parent / "hornfuzz.py"
_ITS_SEEDS = "spacer-benchmarks"  # a folder that HornFuzz knows; it reads seeds from no other
_LEFT_OUT = "exclude_seed.json"  # seeds that HornFuzz skips
_GRACE = 60  # seconds of the clock in which chcfuzz ends
_RECORDER = """#!/bin/sh
for file; do :; done
run=$(mktemp -d {runs}/XXXXXXXX) || exit
cp "$file" "$run/system" && printf '%s\\n' "$@" > "$run/part" && mv "$run/part" "$run/words"
exec {program} "$@"
"""


class Trial(Tries, frozen=True, kw_only=True):
    """A campaign of a tool, or the seeds: it gave `made` different systems with their parameters to Z3."""

    tool: str
    seed: int
    processor_seconds: float
    made: int


@dataclass(frozen=True)
class Setting:
    """Everything that all trials share."""

    peer: Path
    scoring: Scoring
    into: Path
    seconds: float
    hornfuzz: Path | None = None  # its clone
    python: str = sys.executable  # with HornFuzz's packages

    def folder(self, tool: str, seed: int) -> Path:
        """Return the folder of a trial."""
        return self.into / f"{tool}-{seed:02}"

    def seeds(self, seed: int) -> Path:
        """Return the folder with the seeds of all tools."""
        return self.into / "seeds" / str(seed)


def decided_seeds(folders: Sequence[Path], seed: int, library: Path) -> list[Path]:
    """Return the systems from which the campaigns with this seed start. Raises `UsageError` if they are too few."""
    files = [file for folder in folders for file in folder.rglob("*.smt2") if file.stat().st_size <= _MOST_BYTES]
    files.sort(key=lambda file: order(f"{seed}:{file.parent.name}/{file.name}"))
    decided: list[Path] = []
    for first in range(0, len(files), SEEDS):
        bench = Bench(units_of(files[first : first + SEEDS]), library)
        bench.warm_up()
        runs = bench.runs(0, list(bench.units))
        decided += [Path(file) for file, seen, _ in runs if seen.status in ("sat", "unsat") and not seen.finding]
        if len(decided) >= SEEDS:
            return decided[:SEEDS]
    raise UsageError(
        f"Z3 decides {len(decided)} of these systems within {RLIMIT} units, and {SEEDS} are needed; add --seeds"
    )


def own_campaign(setting: Setting, seed: int) -> tuple[float, list[Made]]:
    """Run chcfuzz, and return its processor time and what it solved."""
    folder = setting.folder(OWN, seed)
    record = folder / "made.jsonl"
    own = [f"--run-dir={folder / 'run'}", f"-seed={seed}", "--quiet", *setting.scoring.words]
    words = ["env", f"{RECORD}={record}", sys.executable, str(SPACER), *own, str(setting.seeds(seed))]
    spent = run_until(words, setting.seconds, folder, grace=_GRACE)
    made = ResultFile(record, Made).read()
    if not made:
        raise UsageError(f"a campaign of chcfuzz has solved nothing; see {str(folder / 'output')!r}")
    return spent, made


def peer_campaign(setting: Setting, seed: int) -> tuple[float, list[Made]]:
    """Run HornGator, and return its processor time and what it gave to Z3."""
    folder = setting.folder(PEER, seed)
    runs, recorder = folder / "runs", folder / "recorder"
    runs.mkdir()
    recorder.write_text(recorder_of(str(setting.scoring.library / "bin" / "z3"), runs))
    recorder.chmod(0o755)
    spent, _ = Peer(setting.peer, setting.seeds(seed), recorder).run(folder, setting.seconds, first_number(seed))
    return spent, readable(recorded(runs))


def hornfuzz_campaign(setting: Setting, seed: int) -> tuple[float, list[Made]]:
    """Run HornFuzz, again if it dies, and return its processor time and what it gave to Z3."""
    assert setting.hornfuzz is not None
    folder = setting.folder(HORNFUZZ, seed)
    copy, record = folder / "hornfuzz", folder / "made.jsonl"
    shutil.copytree(setting.hornfuzz / "src", copy / "src")
    shutil.copyfile(setting.hornfuzz / _LEFT_OUT, copy / _LEFT_OUT)
    shutil.copytree(setting.seeds(seed), copy / _ITS_SEEDS)

    def command(start: int) -> list[str]:
        number = str(first_number(seed) + start)
        words = ["env", f"--chdir={copy}", "PYTHONHASHSEED=0", setting.python]
        return [*words, str(_RUNNER), str(record), number, _ITS_SEEDS]

    times = []
    for spent in repeated(command, setting.seconds, folder):
        times.append(spent)
        if not record.exists():
            raise UsageError(f"HornFuzz does not start; see {str(folder / 'output')!r}")
    return times[-1], readable(ResultFile(record, Made).read())


def recorder_of(program: str, runs: Path) -> str:
    """Return a script that runs a program of Z3, and keeps what each run gets in a folder of `runs`."""
    return _RECORDER.format(runs=shlex.quote(str(runs)), program=shlex.quote(program))


def recorded(runs: Path) -> Iterator[Made]:
    """Yield the systems of the folders of a recorder; those without predicates are checks of models."""
    for words in sorted(runs.glob("*/words")):
        pairs = (word.partition("=") for word in words.read_text().splitlines() if word.startswith("fp."))
        parameters = tuple(sorted((name, value) for name, _, value in pairs))
        run = Made((words.parent / "system").read_text(), parameters, ())
        if run.is_system:
            yield run


def readable(made: Iterable[Made]) -> list[Made]:
    """Return the systems that chcfuzz reads, and print how many are left out because it refuses them."""
    every = list(made)
    kept = [each for each in every if read(each.text.encode()).fault is None]
    if len(kept) < len(every):
        print(
            f"{len(every) - len(kept)} of {len(every)} systems are refused, and left out", file=sys.stderr, flush=True
        )
    return kept


def no_campaign(setting: Setting, seed: int) -> tuple[float, list[Made]]:
    """Return the seeds alone."""
    return 0.0, [Made(file.read_text(), (), ()) for file in sorted(setting.seeds(seed).iterdir())]


CAMPAIGNS = {SEEDS_ALONE: no_campaign, PEER: peer_campaign, OWN: own_campaign, HORNFUZZ: hornfuzz_campaign}


def measured(setting: Setting, folders: Sequence[Path], trials: int, results: ResultFile[Trial]) -> list[Trial]:
    """Run and score the campaigns without a result, the seeds and the tools in turn, and return the results of all."""
    known = {(each.tool, each.seed): each for each in results.read()}
    tools = [tool for tool in CAMPAIGNS if tool != HORNFUZZ or setting.hornfuzz]
    every = [(tool, seed) for seed in range(1, trials + 1) for tool in tools]
    for tool, seed in every:
        if (tool, seed) in known:
            continue
        if not setting.seeds(seed).exists():
            write_seeds(decided_seeds(folders, seed, setting.scoring.library), setting.seeds(seed))
        folder = setting.folder(tool, seed)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        spent, made = CAMPAIGNS[tool](setting, seed)
        tried, noticed = setting.scoring.tries(made)
        different = len({(each.text, each.parameters) for each in made})
        trial = Trial(
            tool=tool, seed=seed, processor_seconds=round(spent, 1), made=different, tried=tried, noticed=noticed
        )
        known[tool, seed] = trial
        results.add(trial)
        shutil.rmtree(folder)
        numbers = f"{different} systems, {len(noticed)} of {len(tried)} faults"
        print(f"{len(known)} of {len(every)}: {tool} {seed}: {numbers}", file=sys.stderr, flush=True)
    return [known[key] for key in every]


def write_seeds(files: Sequence[Path], into: Path) -> None:
    """Write the numbered seeds of a trial."""
    part = into.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    for number, file in enumerate(files):
        shutil.copyfile(file, part / f"{number:02}-{file.name}")
    part.rename(into)


def beyond_seeds(found: Sequence[Trial]) -> dict[tuple[str, int], set[int]]:
    """Return the faults that each campaign notices and its seeds do not, by tool and seed."""
    shown = {each.seed: each.noticed.keys() for each in found if each.tool == SEEDS_ALONE}
    return {(each.tool, each.seed): set(each.noticed) - shown[each.seed] for each in found}


def table(found: Sequence[Trial]) -> list[list[object]]:
    """Return the medians of each tool, and what its campaigns noticed together beyond their seeds."""
    head = ("seconds", "systems", "tried", "noticed", "beyond the seeds", "ever beyond")
    rows: list[list[object]] = [["medians", "campaigns", *head]]
    beyond = beyond_seeds(found)
    for tool in CAMPAIGNS:
        own = [each for each in found if each.tool == tool]
        if not own:
            continue
        numbers = [(e.processor_seconds, e.made, len(e.tried), len(e.noticed), len(beyond[tool, e.seed])) for e in own]
        ever = {fault for each in own for fault in beyond[tool, each.seed]}
        rows.append([tool, len(own), *map(statistics.median, zip(*numbers, strict=True)), len(ever)])
    return rows


def comparison(found: Sequence[Trial]) -> list[list[str]]:
    """Return the tests of chcfuzz beside each other tool, by pairs of campaigns with the same seeds."""
    beyond = beyond_seeds(found)
    head = ["faults noticed, ratio", "p", "beyond the seeds, ratio", "p", "share of tries that notice, ratio", "p"]
    rows = [["chcfuzz beside", *head]]
    own = [each for each in found if each.tool == OWN]
    for tool in (PEER, HORNFUZZ):
        sides = [[each for each in found if each.tool == tool], own]
        if not sides[0]:
            continue
        numbers = [[len(each.noticed) for each in side] for side in sides]
        new = [[len(beyond[each.tool, each.seed]) for each in side] for side in sides]
        cells = [tool]
        for before, after in (numbers, new):
            cells += [f"{sum(after) / max(sum(before), 1):.2f}", signed_rank(before, after)]
        hazards = [hazard_ratio(*pair) for pair in zip(*sides, strict=True)]
        rows.append([*cells, *ratio_cells(hazards)])
    return rows


def _given() -> argparse.Namespace:
    flags = sorted_flags(__doc__)
    flags.add_argument("--peer", type=Path, required=True, metavar="DIR", help="your clone of HornGator")
    flags.add_argument("--hornfuzz", type=Path, metavar="DIR", help="your clone of HornFuzz")
    flags.add_argument("--python", default=sys.executable, metavar="PROGRAM", help="with HornFuzz's packages and Z3")
    flags.add_argument("--seeds", type=Path, action="append", metavar="DIR", help="(default: its testfiles)")
    flags.add_argument("--apart", action="store_true", help="the faults that are kept apart")
    flags.add_argument(
        "--minutes", type=positive_float, default=5.0, metavar="N", help="of processor time (default: %(default)s)"
    )
    numbers = (
        ("--trials", 10, "campaigns of each tool"),
        *SAMPLING,
        ("--jobs", 1, "faults at a time"),
    )
    add_numbers(flags, numbers)
    return flags.parse_args()


def main() -> None:
    """Run the campaigns, score them, and print the tables."""
    given = _given()
    check_clone(given.peer)
    if given.hornfuzz:
        for name in ("src/main.py", _LEFT_OUT):
            if not (given.hornfuzz / name).is_file():
                raise UsageError(f"{str(given.hornfuzz)!r} is no clone of HornFuzz: it lacks {name}")
    python = shutil.which(given.python)
    if python is None:
        raise UsageError(f"--python {given.python}: no such program; name one that has HornFuzz's packages and Z3")
    with alone(given.into):
        into, hornfuzz = given.into.resolve(), given.hornfuzz and given.hornfuzz.resolve()
        results = ResultFile(into / "trials.jsonl", Trial)
        numbers = [f"--{name}={getattr(given, name)}" for name in ("minutes", "sample", "number", "tries")]
        flags = " ".join([*numbers, *(["--apart"] if given.apart else [])])
        check_settings(into, flags, has_results=bool(results.read()))
        setting = Setting(
            given.peer.resolve(), Scoring(given), into, given.minutes * 60, hornfuzz, os.path.abspath(python)
        )
        trials = measured(setting, given.seeds or [given.peer / "testfiles"], given.trials, results)
    print_table(table(trials))
    print()
    print_table(comparison(trials))


if __name__ == "__main__":
    run_as_program(main)
