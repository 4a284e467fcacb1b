"""Tables of outcomes beside the findings: SQLite files in the folder `.outcomes`, whose rows are signed.

A folder may come from somebody else, and a row could claim that a wrong answer is right. So each row has a signature
with a secret of this user (`execution.own_secret`), and its key begins with the name of that secret: rows of other
users and machines are not found, and only cost the time to compute them again.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import time
from pathlib import Path
from time import monotonic

from chcfuzz.execution.files import ensure_no_link
from chcfuzz.execution.own_secret import signer

FOLDER = ".outcomes"
PATIENCE = 2.0  # seconds for another process that writes
_PAUSE = 0.005  # seconds between two tries to switch to a write-ahead log
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def path_of(findings: Path, file: str) -> Path:
    """Return the path of a table; raises `LinkError` if a link leads elsewhere."""
    path = findings / FOLDER / file
    ensure_no_link(path.parent, *(Path(f"{path}{end}") for end in ("", "-wal", "-shm", "-journal")))
    return path


def opened(findings: Path, file: str, patience: float = PATIENCE) -> sqlite3.Connection:
    """Open a table, and make its folder; raises `OSError`, `sqlite3.Error` and `LinkError`."""
    path = path_of(findings, file)
    path.parent.mkdir(parents=True, exist_ok=True)
    table = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
    try:
        _log_ahead(table, patience)
        table.execute("pragma synchronous=off")
    except sqlite3.Error:
        table.close()
        raise
    return table


def is_busy(error: Exception) -> bool:
    """Return whether SQLite raised an error because another process was using the table."""
    return isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode & 0xFF in _BUSY


def _log_ahead(table: sqlite3.Connection, patience: float) -> None:
    """Let a table use a write-ahead log, which many processes can do at the same moment.

    SQLite's own timeout does not hold for this switch: of two processes that switch a new table, one fails at once.
    """
    end = monotonic() + patience
    while True:
        try:
            table.execute("pragma journal_mode=wal")
            return
        except sqlite3.Error as error:
            if not is_busy(error) or monotonic() > end:
                raise
        time.sleep(_PAUSE)


def key_of(*configuration: object) -> str:
    """Return the first part of the key of a row: this user's secret, and a digest of the configuration."""
    text = " ".join(map(str, configuration))
    return f"{signer()}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def is_foreign(findings: Path, file: str, table: str) -> bool:
    """Return whether a table has rows, and none of them was written with this user's secret."""
    path = path_of(findings, file)
    if not path.exists():
        return False
    own = f"select exists (select 1 from {table} where setting > ? and setting < ?), exists (select 1 from {table})"
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=PATIENCE)) as opened_table:
            has_own, has_any = opened_table.execute(own, (f"{signer()}-", f"{signer()}.")).fetchone()
    except sqlite3.Error:  # damaged, or of an older version
        return False
    return bool(has_any and not has_own)
