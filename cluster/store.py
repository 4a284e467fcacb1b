"""The store that all workers share: packs by name, in a folder or another file system of fsspec."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath

import fsspec
from chcfuzz.execution.files import is_name, write_new
from chcfuzz.grammar.errors import ChcfuzzError
from fsspec import AbstractFileSystem
from fsspec.implementations.local import LocalFileSystem

_ENDING = ".pack"
_OF_LIBRARIES = {
    "botocore.exceptions": ("BotoCoreError", "ClientError"),
    "google.auth.exceptions": ("GoogleAuthError",),
    "gcsfs.retry": ("HttpError", "ChecksumError", "NonRetryableError"),
    "aiohttp.client_exceptions": ("ClientError",),
}


_LOGGERS = ("gcsfs",)  # that print a traceback of an error which they also raise, and warnings at each access


class StoreError(ChcfuzzError):
    """The store cannot be read or written."""

    def __init__(self, url: str, reason: object) -> None:
        super().__init__(f"cannot use the store {url!r}: {reason}; check its address, permissions and space")
        self._arguments = (url, str(reason))

    def __reduce__(self) -> tuple[type[StoreError], tuple[str, str]]:
        """Return the arguments, so that the error travels between processes."""
        return StoreError, self._arguments


class Store:
    """Packs below a URL of fsspec, such as `/shared/run` or `s3://bucket/run`. Methods raise `StoreError`.

    A pack is written once, completely or not at all, and never changed.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        try:
            self._files, path = fsspec.core.url_to_fs(url)
            self._root = str(path).rstrip("/")
            for name in _LOGGERS:  # after the import of the library, which sets the level itself
                logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        except (ImportError, ValueError, OSError) as error:
            raise StoreError(url, error) from error
        self._is_local = isinstance(self._files, LocalFileSystem)

    def names(self, folder: str) -> list[str]:
        """Return the names of the packs in a folder, sorted."""
        with self._reported():
            try:
                found = self._fresh.ls(f"{self._root}/{folder}", detail=False)
            except FileNotFoundError:
                return []
        names = (PurePosixPath(path).name for path in found)
        return sorted(name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING))

    def has(self, name: str) -> bool:
        """Return whether a pack exists."""
        with self._reported():
            return bool(self._fresh.exists(self._path(name)))

    def get(self, name: str) -> bytes:
        """Return the content of a pack."""
        with self._reported():
            return bytes(self._fresh.cat_file(self._path(name)))

    def put(self, name: str, content: bytes) -> bool:
        """Write a pack; return False, and leave the present one, if it exists."""
        with self._reported():
            if self._is_local:
                Path(self._path(name)).parent.mkdir(parents=True, exist_ok=True)
            elif self.has(name):
                return False
            try:
                if self._is_local:
                    write_new(Path(self._path(name)), content)
                else:
                    self._files.pipe_file(self._path(name), content, mode="create")
            except FileExistsError:
                return False
        return True

    def remove(self, name: str) -> None:
        """Delete a pack; it need not exist."""
        with self._reported(), suppress(FileNotFoundError):
            self._files.rm_file(self._path(name))

    @property
    def _fresh(self) -> AbstractFileSystem:
        """The file system without its cached lists of files: those that other machines have written are not in them."""
        self._files.invalidate_cache()
        return self._files

    @contextmanager
    def _reported(self) -> Iterator[None]:
        """Raise `StoreError` in the place of an error of the file system or of the library behind it."""
        try:
            yield
        except _errors() as error:
            raise StoreError(self.url, error) from error

    def _path(self, name: str) -> str:
        folder, _, file = name.rpartition("/")
        if not (is_name(folder) and is_name(file)):
            raise StoreError(self.url, f"{name!r} is not the name of a pack")
        return f"{self._root}/{folder}/{file}{_ENDING}"


def _errors() -> tuple[type[BaseException], ...]:
    """Return the errors of file systems: libraries for remote ones raise others than `OSError`."""
    loaded = ((sys.modules.get(module), names) for module, names in _OF_LIBRARIES.items())
    found = (getattr(module, name, OSError) for module, names in loaded if module is not None for name in names)
    return (OSError, *found)


def url_of(text: str) -> str:
    """Return the URL of a store that a user names; a path without a scheme becomes absolute."""
    return text if "://" in text or "::" in text else os.path.abspath(text)
