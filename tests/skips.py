"""Every skipped test is printed with its reason; in continuous integration, an unknown reason is an error.

`KNOWN_SKIPS` names a file with the known reasons, one a line, in which `*` is any text.
"""

import fnmatch
import os
from pathlib import Path

import pytest

VARIABLE = "KNOWN_SKIPS"
_PREFIX = "Skipped: "


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Print the skipped tests of all processes, and let the session fail if a reason is unknown."""
    file, reporter = os.environ.get(VARIABLE), session.config.pluginmanager.get_plugin("terminalreporter")
    if not file or reporter is None or hasattr(session.config, "workerinput"):
        return
    known = [line for line in Path(file).read_text().splitlines() if line and not line.startswith("#")]
    unknown = 0
    reporter.section("skipped tests")
    for report in reporter.stats.get("skipped", []):
        reason = report.longrepr[2].removeprefix(_PREFIX)
        is_known = any(fnmatch.fnmatchcase(reason, pattern) for pattern in known)
        unknown += not is_known
        reporter.line(f"{'' if is_known else 'UNKNOWN REASON '}{report.nodeid}: {reason}", red=not is_known)
    if unknown:
        reporter.line(f"{unknown} tests are skipped for reasons that {file} does not list", red=True)
        session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED
