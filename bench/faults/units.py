"""Write drawn mutants as units. Faults are sorted on the seeds and on them.

python -m bench.faults.units --number 2000 units corpus
python -m bench.faults.units --number 2000 --domain parts drawn corpus-parts  # for bench.faults.questions

writes units/00000 to units/01999, the same on every machine, so that the states of `bench.faults.sorting` and the
trials of `bench.faults.run` can continue on another one. Takes a minute for two thousand units.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from chcfuzz.execution.files import write_whole
from chcfuzz.execution.flags import positive
from chcfuzz.mutators.recipe import Recipe, encode
from chcfuzz.mutators.roots import DOMAINS
from chcfuzz.solvers.z3_release import activate

from bench.campaigns import CORPUS, run_as_program
from bench.mutants import drawing, files, mutants


def main() -> None:
    """Write the units, and print the key of their drawing."""
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("into", type=Path, metavar="DIR", help="folder of the units")
    flags.add_argument("folders", type=Path, nargs="*", default=[CORPUS], metavar="FOLDER", help="(default: corpus/)")
    flags.add_argument("--domain", choices=DOMAINS, help="of the seeds (default: CHC systems)")
    flags.add_argument("--number", type=positive, default=2000, metavar="N", help="units (default: %(default)s)")
    given = flags.parse_args()
    activate()
    seeds = list(files(given.folders, 1, given.domain))
    given.into.mkdir(parents=True, exist_ok=True)
    for number, (_, text, parameters) in enumerate(mutants(seeds, range(given.number), given.domain)):
        write_whole(given.into / f"{number:05}", encode(Recipe(text, (), parameters)))
    print(f"{given.number} units of drawing {drawing(seeds, given.domain)}")


if __name__ == "__main__":
    run_as_program(main)
