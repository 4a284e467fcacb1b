"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write under a temporary name beside `path`, then rename. Raises `OSError`, and then leaves nothing behind."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".writing-", delete=False) as file:
        try:
            file.write(content)
            file.flush()
            os.rename(file.name, path)
        except OSError:
            os.unlink(file.name)
            raise
