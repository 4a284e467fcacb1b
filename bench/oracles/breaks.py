"""Break the sources at sampled places, one at a time, and run the quick tests that cover the place.

python -m bench.oracles.breaks record                       # which test runs which line: minutes
python -m bench.oracles.breaks run --into breaks.jsonl      # hours; stop and start again at any time
python -m bench.oracles.breaks again --into breaks.jsonl    # those that were not killed, with the tests of now
python -m bench.oracles.breaks table --into breaks.jsonl    # the table of docs/measurements.md
python -m bench.oracles.breaks run --count 320 --sandbox "unshare --pid --fork --kill-child --mount-proc"

Run it in a clone with an environment of its own, since it breaks the sources in place. The places are in `ROOMS`, and
`broken_source.py` makes the breaks. The sample has the breaks with the smallest hashes, so a larger `--count` extends
it, and changes of the sources hardly change it. A break runs the tests that executed its line when the coverage was
recorded, in the test's process or in one that it started: those of its own room first, cheap ones first, until they
took `_BUDGET` seconds of processor time. For a line that runs at an import, these are all tests of the room and those
that executed any line of the file. A failed test kills the break; a limit of processor time ends it, so that the load
of the machine does not matter. `--sandbox` is a command that ends the processes which broken code leaves behind.

`data/breaks-judged.jsonl` has the reason for each survivor that was read and does not change the behaviour.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

import coverage
import msgspec

from bench.campaigns import ROOT, ResultFile, parser, print_table
from bench.oracles.breaks_plugin import CHOSEN, SECONDS, TEST
from bench.oracles.broken_source import Break, breaks

ROOMS = {
    "oracles": "oracles/*.py",
    "grammar": "grammar/evaluation/evaluate*.py",
    "triage/examine": "triage/examine/*.py",
    "mutators": "mutators/recipe*.py",
    "execution": "execution/*.py",
}
TESTS = ("oracles", "grammar", "mutators", "execution", "triage", "campaign/worker", "solvers", "domains", "formats")
JUDGED = ROOT / "bench" / "data" / "breaks-judged.jsonl"
_BUDGET = 40.0  # seconds of the recorded processor time of a break's tests
_LIMIT = 60  # seconds of processor time of one process
_WALL = 300.0  # seconds, for tests that wait
_MEMORY = 12 << 30  # bytes of address space
_NO_TESTS = 5  # pytest's exit code if no test has a name that was chosen: the break changes the names
_KILLED = (-signal.SIGXCPU, 128 + signal.SIGXCPU, -signal.SIGKILL, 128 + signal.SIGKILL)  # exit codes at a limit
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S.*?)(?: - (.*))?$", re.MULTILINE)
_PYTEST = ("-n", "0", "-q", "-p", "bench.oracles.breaks_plugin", "-p", "no:cacheprovider", "-rfE", "--tb=no")
_SETTINGS = """[run]
parallel = true
context = ${%s-}
include = %s
patch = _exit
disable_warnings = no-data-collected, module-not-imported, module-not-measured, couldnt-parse
"""
_RECORDING = ROOT / "build" / "breaks-recording.json"


Ended = Literal["killed", "survived", "limit"]


class Result(msgspec.Struct, frozen=True):
    """A break and its end. `by` is the test that failed, with its message; `tests` the number of tests chosen."""

    key: str
    line: int
    ended: Ended
    by: str
    message: str
    tests: int
    seconds: float


class Judgement(msgspec.Struct, frozen=True):
    """Why a break does not change the behaviour."""

    key: str
    reason: str


class Recording(msgspec.Struct):
    """The tests that run each line of each file ("": an import), and their processor time."""

    lines: dict[str, dict[int, list[str]]]
    seconds: dict[str, float]

    def tests(self, made: Break) -> list[str]:
        """Return the tests for a break, in the order in which they run."""
        room = _room(made)
        own = f"{room}test_{Path(made.file).stem}.py"

        def place(test: str) -> tuple[bool, bool, float, str]:
            return not test.startswith(own), not test.startswith(room), self.seconds[test], test

        chosen: list[str] = []
        spent = 0.0
        for test in sorted(self._covering(made), key=place):
            spent += self.seconds[test]
            if spent > _BUDGET and chosen:
                break
            chosen.append(test)
        return chosen

    def _covering(self, made: Break) -> set[str]:
        """Return the tests that run the last recorded line up to that of the break.

        At an import, these are all tests of the room, and those that run any line of the file.
        """
        lines = self.lines.get(made.file, {})
        line = max((number for number in lines if number <= made.line), default=0)
        found = lines.get(line, [""])
        if "" not in found:
            return set(found)
        room = {test for test in self.seconds if test.startswith(_room(made))}
        return room | {test for tests in lines.values() for test in tests if test}


def _room(made: Break) -> str:
    """Return the folder of the tests of the room."""
    return f"tests/{made.file.rpartition('/')[0]}/"


def sources() -> list[Path]:
    """Return the files that are broken."""
    return [file for pattern in ROOMS.values() for file in sorted(ROOT.glob(pattern))]


def sample(count: int) -> list[Break]:
    """Return the breaks with the smallest hashes."""
    made = [each for file in sources() for each in breaks(file, ROOT)]
    return sorted(made, key=lambda each: hashlib.sha256(each.key.encode()).digest())[:count]


def pytest_command(*arguments: str, sandbox: Sequence[str] = ()) -> list[str]:
    """Return the command that runs tests with the plugin."""
    return [*sandbox, sys.executable, "-m", "pytest", *_PYTEST, *arguments]


def environment(**added: str) -> dict[str, str]:
    """Return the environment of tests: broken code leaves no compiled modules behind."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **added}


def record(paths: Sequence[str]) -> None:
    """Run the tests with coverage, and store the recording; that of other tests is kept."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings, seconds = folder / "settings", folder / "seconds"
        settings.write_text(_SETTINGS % (TEST, ", ".join(map(str, sources()))))
        variables = {
            "COVERAGE_PROCESS_START": str(settings),
            "COVERAGE_FILE": str(folder / "data"),
            SECONDS: str(seconds),
        }
        subprocess.run(pytest_command(*paths), cwd=ROOT, env=environment(**variables), check=False)
        new = Recording(_lines(folder), dict(map(json.loads, seconds.read_text().splitlines())))
    old = read_recording() if _RECORDING.exists() else Recording({}, {})
    for file, lines in old.lines.items():
        for line, tests in lines.items():
            known = new.lines.setdefault(file, {}).setdefault(line, [])
            known += [test for test in tests if test not in new.seconds and test not in known]
    _RECORDING.parent.mkdir(exist_ok=True)
    _RECORDING.write_bytes(msgspec.json.encode(Recording(new.lines, old.seconds | new.seconds)))


def _lines(folder: Path) -> dict[str, dict[int, list[str]]]:
    """Return the tests of each line from the files that coverage has written."""
    whole = coverage.CoverageData(str(folder / "whole"))
    for file in sorted(folder.glob("data.*")):
        part = coverage.CoverageData(str(file))
        part.read()
        whole.update(part)
    files = sorted(whole.measured_files())
    return {str(Path(file).relative_to(ROOT)): whole.contexts_by_lineno(file) for file in files}


def read_recording() -> Recording:
    """Return the stored recording."""
    if not _RECORDING.exists():
        raise SystemExit(f"{_RECORDING} does not exist: run `breaks.py record` first")
    return msgspec.json.decode(_RECORDING.read_bytes(), type=Recording)


def try_break(made: Break, tests: Sequence[str], sandbox: Sequence[str]) -> Result:
    """Break the source, run tests until one fails, and restore the source with its time."""
    file = ROOT / made.file
    source, status = file.read_bytes(), file.stat()
    started = time.monotonic()
    try:
        file.write_bytes(made.apply(source))
        ended, output = run_tests(tests, sandbox)
    finally:
        file.write_bytes(source)
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    failed = _FAILED.search(output)
    last = output.strip().splitlines()[-1:]
    by, message = (failed[1], failed[2] or "") if failed else ("", "".join(last) if ended == "killed" else "")
    return Result(made.key, made.line, ended, by, message, len(tests), round(time.monotonic() - started, 1))


def run_tests(tests: Sequence[str], sandbox: Sequence[str]) -> tuple[Ended, str]:
    """Run tests until one fails; return the end and the output."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as chosen, tempfile.TemporaryFile("w+") as output:
        json.dump(tests, chosen)
        chosen.flush()
        files = sorted({test.partition("::")[0] for test in tests})
        command = pytest_command("-x", *files, sandbox=sandbox)
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment(**{CHOSEN: chosen.name}),
            stdout=output,
            stderr=output,
            preexec_fn=_limit,
            start_new_session=True,
        )
        try:
            code = process.wait(_WALL)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        output.seek(0)
        text = output.read()
    if code in (0, _NO_TESTS):
        return "survived", text
    return ("limit" if code is None or code in _KILLED else "killed"), text


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (_LIMIT, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def run(made: Sequence[Break], results: ResultFile[Result], sandbox: Sequence[str]) -> None:
    """Try breaks, and store and print each result; only one process at a time may break the sources."""
    recording = read_recording()
    lock = os.open(_RECORDING.parent, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SystemExit(f"another process breaks the sources in {ROOT}: wait for its end") from None
    folders = [str(file.relative_to(ROOT)) for file in sources()]
    if subprocess.run(["git", "diff", "--quiet", "HEAD", "--", *folders], cwd=ROOT, check=False).returncode:
        raise SystemExit(f"the sources in {ROOT} differ from the last commit: restore them with `git checkout`")
    for place, each in enumerate(made, 1):
        tests = recording.tests(each)
        result = (
            try_break(each, tests, sandbox) if tests else Result(each.key, each.line, "survived", "", "no test", 0, 0.0)
        )
        results.add(result)
        change = f"{each.old!r:.60} -> {each.new!r:.60}"
        print(f"{place}/{len(made)} {result.ended} {each.file}:{each.line} {change} {result.by}", flush=True)


def latest(results: ResultFile[Result]) -> dict[str, Result]:
    """Return the last result of each break."""
    return {result.key: result for result in results.read()}


def print_shares(made: Sequence[Break], results: ResultFile[Result]) -> None:
    """Print the shares of killed breaks, at first and with the tests of now, for each room and for all.

    A limit counts as killed. Equivalent survivors do not count.
    """
    equivalent = {judged.key for judged in ResultFile(JUDGED, Judgement).read()}
    first = {result.key: result.ended for result in reversed(results.read())}
    last = {key: result.ended for key, result in latest(results).items()}
    rows: list[list[object]] = [["room", "breaks", "equivalent", "killed at first", "killed now", "limit", "share"]]
    for room in (*ROOMS, ""):
        found = [each.key for each in made if each.key in last and each.file.startswith(room)]
        counted = [key for key in found if last[key] == "killed" or key not in equivalent]
        before, now = (sum(ended[key] != "survived" for key in counted) for ended in (first, last))
        limit = sum(last[key] == "limit" for key in counted)
        share = f"{now / len(counted):.0%}" if counted else ""
        rows.append([room or "all", len(found), len(found) - len(counted), before, now, limit, share])
    print_table(rows)


def main() -> None:
    """Run the command."""
    flags = parser(__doc__)
    flags.add_argument("action", choices=["record", "run", "again", "table"])
    flags.add_argument("paths", nargs="*", help="tests to record (default: those of TESTS)")
    flags.add_argument("--count", type=int, default=320, help="number of breaks (default: %(default)s)")
    flags.add_argument("--into", type=Path, default=ROOT / "bench" / "data" / "breaks.jsonl", metavar="FILE")
    flags.add_argument(
        "--sandbox", type=shlex.split, default=[], metavar="CMD", help="command that runs the tests of a break"
    )
    given = flags.parse_args()
    if given.action == "record":
        return record(given.paths or [f"tests/{folder}" for folder in TESTS])
    results, made = ResultFile(given.into, Result), sample(given.count)
    found = latest(results)
    if given.action == "run":
        run([each for each in made if each.key not in found], results, given.sandbox)
    elif given.action == "again":
        run([each for each in made if each.key in found and found[each.key].ended != "killed"], results, given.sandbox)
    print_shares(made, results)
    return None


if __name__ == "__main__":
    main()
