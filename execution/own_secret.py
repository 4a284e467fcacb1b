"""A secret of this user, which shows that a text was written here.

A corpus may come from somebody else, and everything in it can be forged, the digests of solvers and code included. An
import therefore signs what it stores in a text with this secret.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
import os
from contextlib import suppress

from chcfuzz.execution.files import read_plain, write_new
from chcfuzz.solvers.z3_release import cache_folder

FILE = "secret"
_BYTES, _DIGITS = 32, 32


def signature(text: str) -> str:
    """Return the signature of a text; only processes that read the same secret compute the same one."""
    return hmac.new(secret(), text.encode("utf-8", "surrogateescape"), hashlib.sha256).hexdigest()[:_DIGITS]


@functools.cache
def secret() -> bytes:
    """Return the secret, and create it if necessary; without a folder for it, one that only this process has."""
    path, fresh = cache_folder() / FILE, os.urandom(_BYTES)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_new(path, fresh)
    with suppress(OSError):
        found = read_plain(path)
        if len(found) == _BYTES:
            return found
    return fresh
