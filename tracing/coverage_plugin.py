"""A plugin of coverage.py that reports the sources of a solver (`solver_coverage` writes what it needs)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from coverage import CoveragePlugin, FileReporter


class SolverPlugin(CoveragePlugin):
    """Gives coverage.py the measured lines of C++ files, which it cannot find out itself."""

    def __init__(self, options: dict[str, Any]) -> None:
        """Read the measured lines from the file that the options name."""
        path = options.get("lines")
        self._lines: dict[str, list[int]] = json.loads(Path(str(path)).read_text()) if path else {}

    def file_reporter(self, filename: str) -> FileReporter:
        """Return the measured lines of a file; coverage.py calls this for each file in its data."""
        return _SourceReporter(filename, set(self._lines.get(filename, ())))

    def sys_info(self) -> Iterable[tuple[str, Any]]:
        """Return the entries of `coverage debug sys`."""
        return [("files", len(self._lines))]


class _SourceReporter(FileReporter):
    """The reporter of a source file; a file that no longer exists is shown as empty lines."""

    def __init__(self, filename: str, lines: set[int]) -> None:
        super().__init__(filename)
        self._lines = lines

    def lines(self) -> set[int]:
        return self._lines

    def source(self) -> str:
        try:
            return Path(self.filename).read_text(errors="replace")
        except OSError:
            return "\n" * max(self._lines, default=0)

    def relative_filename(self) -> str:
        """Return the path below Z3's `src`."""
        _, found, after = self.filename.rpartition("/src/")
        return f"z3/src/{after}" if found else self.filename


def coverage_init(registry: Any, options: dict[str, Any]) -> None:
    """Register the plugin; coverage.py calls this."""
    registry.add_file_tracer(SolverPlugin(options))
