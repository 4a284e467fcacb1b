"""The flag `--json` of commands that print results: one JSON value on standard output instead of text."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

STANDARD_OUTPUT = Path("-")


def add_flag(parser: argparse.ArgumentParser) -> None:
    """Add `--json` to a parser."""
    parser.add_argument("--json", action="store_true", help="print one line of JSON instead of text")


def show(content: Any) -> None:
    """Print a value."""
    print(json.dumps(content))
