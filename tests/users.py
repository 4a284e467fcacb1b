"""Users of this machine, each with a cache and a secret of his own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from chcfuzz.execution import own_secret

BecomeUser = Callable[[Path], None]


@pytest.fixture
def become_user(monkeypatch: pytest.MonkeyPatch) -> Iterator[BecomeUser]:
    """Function that gives this process and all that it starts the cache in a folder, and the secret in that cache."""

    def become(cache: Path) -> None:
        monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
        own_secret.secret.cache_clear()

    yield become
    own_secret.secret.cache_clear()
