"""`chcfuzz init-solver`."""

from __future__ import annotations

import argparse
import pkgutil
import re
from pathlib import Path

from chcfuzz.commands import json_output
from chcfuzz.commands.subcommand import Uses
from chcfuzz.execution.files import write_new
from chcfuzz.execution.solving import UsageError
from chcfuzz.solvers.dialects import DIALECTS

NAME, HELP, USES = "init-solver", "write a dialect, a test and a page for another CHC solver, ready to edit", Uses.NONE
EXAMPLES = (
    "chcfuzz init-solver mysolver",
    "chcfuzz init-solver mysolver --into ~/chcfuzz",
)
_PLACES = {
    "dialect.py": "domains/chc/solvers/{name}.py",
    "test.py": "tests/domains/chc/solvers/test_{name}.py",
    "page.md": "docs/{name}.md",
}
_LAST = "add 'chcfuzz.domains.chc.solvers.{name}' to _MODULES in solvers/dialects.py"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("name", metavar="NAME", help="the name of the solver's program")
    parser.add_argument(
        "--into",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="a clone of chcfuzz, or any other folder (default: the current one)",
    )


def run(given: argparse.Namespace) -> int:
    """Write new files, and print their paths and the line that the user has to add; raises `UsageError`."""
    name = given.name
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or name in DIALECTS:
        reason = "has a dialect already" if name in DIALECTS else "is not a name of a Python module"
        raise UsageError(f"{name!r} {reason}; name another solver, in small letters, digits and _")
    texts = {given.into / place.format(name=name): _text(template, name) for template, place in _PLACES.items()}
    existing = next((path for path in texts if path.exists()), None)
    if existing is not None:
        raise UsageError(f"{str(existing)!r} exists; remove it, or name another folder with --into")
    for path, text in texts.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_new(path, text.encode())
            path.chmod(0o644)
        except OSError as error:
            raise UsageError(
                f"cannot write {str(path)!r}: {error.strerror}; name another folder with --into"
            ) from error
    if given.json:
        json_output.show({"files": [*map(str, texts)], "next": _LAST.format(name=name)})
        return 0
    print("\n".join([*map(str, texts), _LAST.format(name=name)]))
    return 0


def _text(template: str, name: str) -> str:
    text = pkgutil.get_data("chcfuzz.commands", f"solver_templates/{template}.txt")
    assert text is not None  # it is part of the package
    return text.decode().replace("NAME", name).replace("TITLE", name.capitalize())
