"""The environment of git and of builds."""

from __future__ import annotations

import os


def environment() -> dict[str, str]:
    """Return this process's environment without git's variables, such as GIT_DIR, which choose another repository."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {"LC_ALL": "C"}
