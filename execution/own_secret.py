"""A secret of this user, which shows that a text or a row of a table was written here.

A corpus or a findings folder may come from somebody else, and everything in it can be forged, the digests of solvers
and code included. So outcomes are signed with this secret: those that an import stores in a text, and those in the
tables of a findings folder. It is a file in the cache, which a user may copy to another machine of his.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from chcfuzz.execution.files import LinkError, open_plain, write_new
from chcfuzz.solvers.z3_release import cache_folder

FILE = "secret"
_BYTES, _DIGITS = 32, 32
_ROW_BYTES, _NAME_DIGITS = 16, 8


def signature(text: str) -> str:
    """Return the signature of a text; only processes that read the same secret compute the same one."""
    return hmac.new(secret(), text.encode("utf-8", "surrogateescape"), hashlib.sha256).hexdigest()[:_DIGITS]


def signature_of_row(*values: object) -> bytes:
    """Return the signature of the values in a row of a table, which are bytes, texts, numbers and None."""
    content = b"".join(map(_framed, values))
    return hmac.digest(secret(), b"row " + content, "sha256")[:_ROW_BYTES]


def is_signature_of_row(signature: object, *values: object) -> bool:
    """Return whether a row with these values was signed with the secret of this user."""
    return isinstance(signature, bytes) and hmac.compare_digest(signature, signature_of_row(*values))


def _framed(value: object) -> bytes:
    """Return a value as bytes that do not continue in the next value."""
    kind, data = (b"b", value) if isinstance(value, bytes) else (b"v", repr(value).encode("utf-8", "surrogateescape"))
    return b"%b%d:%b" % (kind, len(data), data)


def signer() -> str:
    """Return the name of the secret, which does not reveal it."""
    return signature("the name of this secret")[:_NAME_DIGITS]


@functools.cache
def secret() -> bytes:
    """Return the secret, and create it if necessary.

    It is in the cache, or in the folder for temporary files; without a folder that can be written, only this process
    has it.
    """
    fresh = os.urandom(_BYTES)
    for path in (cache_folder() / FILE, Path(tempfile.gettempdir()) / f"chcfuzz-{FILE}-{os.getuid()}"):
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_new(path, fresh)
        with suppress(OSError, LinkError):
            found = _own(path)
            if found is not None:
                return found
    return fresh


def _own(path: Path) -> bytes | None:
    """Return the secret in a file, None if it is cut or of another user."""
    with open_plain(path) as file:
        found = file.read()
        is_own = os.fstat(file.fileno()).st_uid == os.getuid()
    return found if is_own and len(found) == _BYTES else None
