"""The fuzz target of the toy domain."""

import sys
from pathlib import Path

from chcfuzz.fuzz_targets import program

if __name__ == "__main__":
    sys.exit(program.run(Path(__file__).resolve(), sys.argv[1:], "tests.domains.toy:DOMAIN"))
