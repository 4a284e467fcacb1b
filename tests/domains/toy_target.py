"""The fuzz target of the toy domain."""

import sys
from dataclasses import replace
from pathlib import Path

from chcfuzz.campaign.options import Options
from chcfuzz.fuzz_targets import program


def prepare(options: Options) -> Options:
    return replace(options, solving=replace(options.solving, domain="tests.domains.toy:DOMAIN"))


if __name__ == "__main__":
    sys.exit(program.run(Path(__file__).resolve(), sys.argv[1:], prepare, lambda *_: "a toy solver"))
