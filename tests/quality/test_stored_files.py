"""Files in findings and run folders are read by `read_plain`, stored formats are decoded by `execution/codec.py`."""

import ast
from collections.abc import Iterator

from tests.targets import ROOT

READERS = ("campaign", "commands", "corpus_tools", "dashboard", "domains", "execution", "experiments", "triage")
OPENING = ("open", "read_bytes", "read_text")

# Files and folders whose other ways to open a file are right, each with the reason.
OPENED = {
    "campaign/corpus_folder.py": "corpora are inputs, in which libFuzzer follows links, too",
    "campaign/session": "a private folder of this campaign, which only this user can write",
    "campaign/supervisor/corpus_keeper.py": "units of this campaign's own jobs",
    "campaign/supervisor/metrics.py": "a file that the user names",
    "campaign/worker/online_counts.py": "a file of this campaign's own session",
    "campaign/worker/reading_turns.py": "units of this campaign's own jobs",
    "campaign/worker/rejections.py": "corpora are inputs",
    "campaign/runs/run_folder.py": "the description of a traced build",
    "commands/cluster.py": "corpora are inputs",
    "commands/compare.py": "a file that the user names",
    "corpus_tools": "corpora are inputs",
    "dashboard/rendering.py": "files of this package",
    "execution/console.py": "the log that a variable names",
    "execution/files.py": "`open_plain` itself, and files that are written",
    "execution/identity.py": "files of installed packages",
    "triage/buckets/known_issues.py": "files of this package, or files that the user names",
    "domains/interpolation/ask_itp.py": "a program in the folder of a finding, which runs without chcfuzz",
    "domains/interpolation/finding_script.py": "a file of this package",
    "domains/chc/solvers/verbose_output.py": "the output of this process's own Z3",
    "domains/interpolation/solvers/jars.py": "archives in the cache",
    "domains/parts/solvers/child.py": "its own limits in /proc",
    "domains/parts/solvers/shared_edges.py": "memory of the parent process, in /proc",
    "domains/smt/solvers/alt_ergo.py": "the text of this process's own execution",
    "domains/smt/solvers/child.py": "a pipe of this process",
    "domains/smt/solvers/parameters.py": "a file of this package",
    "triage/fix": "patches that the user names, and builds in the cache",
    "triage/history": "builds in the cache, and sources",
    "triage/locate/neighbours.py": "corpora are inputs",
    "triage/locate/source_lines.py": "sources of a build",
    "triage/locate/changed_sources.py": "sources of a release",
}
DECODED = {
    "campaign/session": "lines of this campaign's own processes",
    "commands/minimize.py": "a text that was just made",
    "execution/channel.py": "messages of this process's own helpers",
    "execution/child_process.py": "results of this process's own children",
    "execution/codec.py": "the codec",
    "oracles/second_solver.py": "messages of this process's own helper",
    "tracing/coverage_plugin.py": "a file that the parent process writes",
    "tracing/solver_coverage.py": "the output of a program",
}


def calls(rooms: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the file and the called name, with its last qualifier, of each call in some rooms."""
    for room in rooms:
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call):
                    yield str(path.relative_to(ROOT)), ast.unparse(node.func)


def unlisted(found: Iterator[tuple[str, str]], listed: dict[str, str]) -> tuple[set[str], set[str]]:
    """Return the files that a table does not have, and the rows of the table that no file needs."""
    files = {file for file, _ in found}
    rows = {row for file in files for row in listed if file == row or file.startswith(f"{row}/")}
    others = {file for file in files if not any(file == row or file.startswith(f"{row}/") for row in listed)}
    return others, listed.keys() - rows


def is_opening(name: str) -> bool:
    first, _, last = name.rpartition(".")
    return last in OPENING and first not in ("os", "tarfile", "gzip")


def test_files_in_findings_and_run_folders_are_read_without_following_links() -> None:
    found = ((file, name) for file, name in calls(list(READERS)) if is_opening(name))
    assert unlisted(found, OPENED) == (set(), set()), "use execution.files.read_plain or open_plain"


def test_every_stored_format_is_decoded_by_the_codec() -> None:
    others = ("bench", "tests")
    rooms = sorted(path.parent.name for path in ROOT.glob("*/__init__.py") if path.parent.name not in others)
    decoding = ("json.loads", "json.load", "msgspec.json.decode", "msgspec.json.Decoder")
    found = ((file, name) for file, name in calls(rooms) if name in decoding)
    assert unlisted(found, DECODED) == (set(), set()), "use execution.codec: it refuses data that is nested too deeply"
