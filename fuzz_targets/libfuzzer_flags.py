"""The flags of the installed libFuzzer, which only warns of unknown ones: `-max_total_tim=5` would run forever.

The list is read once for each version of Atheris, and stored in the cache folder of the releases of Z3.
`python -m chcfuzz.fuzz_targets.libfuzzer_flags` is the process that prints it.
"""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

from chcfuzz.execution.files import write_whole
from chcfuzz.execution.solving import UsageError
from chcfuzz.solvers import python
from chcfuzz.solvers.process_group import run_program
from chcfuzz.solvers.z3_release import cache_folder

_LISTED = re.compile(r"^ (\w+)\s*\t", re.MULTILINE)
_SECONDS = 120.0  # to print them
_OF_ATHERIS = ("atheris_runs", "max_counters")  # read by Atheris, and in no list


def known() -> frozenset[str]:
    """Return the names of all flags, without a dash. Raises `UsageError` if libFuzzer does not list them."""
    kept = cache_folder() / f"libfuzzer-flags-{metadata.version('atheris')}.txt"
    names = _kept(kept)
    if not names:
        names = _LISTED.findall(_help())
        if "runs" not in names:
            raise UsageError("libFuzzer does not list its flags; reinstall atheris")
        _keep(kept, names)
    return frozenset((*names, *_OF_ATHERIS))


def _help() -> str:
    command = python.command("-m", "chcfuzz.fuzz_targets.libfuzzer_flags")
    done = run_program(command, _SECONDS, UsageError, python.environment())
    return done.out + done.err


def _kept(file: Path) -> list[str]:
    try:
        return file.read_text().split()
    except OSError:
        return []


def _keep(file: Path, names: list[str]) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, "\n".join(names).encode())
    except OSError:
        return  # the next campaign reads the list again


def main() -> None:
    """Print libFuzzer's help text."""
    import atheris

    atheris.Setup(["libfuzzer", "-help=1"], lambda _data: None)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
