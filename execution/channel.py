"""Typed messages between a process of chcfuzz and its child: lines of JSON over a socket of their own.

Standard streams are not used: a solver may print anything to them. The child finds the socket's descriptor in its
environment and removes it from there, so that no process that it starts can write to the socket.
"""

from __future__ import annotations

import os
import socket
import time
from typing import TypeVar

import msgspec

_VARIABLE = "CHCFUZZ_CHANNEL"
T = TypeVar("T")


class Channel:
    """One end of a socket between a process of chcfuzz and its child, for whole messages."""

    def __init__(self, end: socket.socket) -> None:
        self._socket = end
        self._reader = end.makefile("rb")

    @classmethod
    def inherited(cls) -> Channel:
        """Return the channel to the parent process."""
        descriptor = int(os.environ.pop(_VARIABLE))
        os.set_inheritable(descriptor, False)
        return cls(socket.socket(fileno=descriptor))

    def send(self, message: object) -> None:
        """Send a message; raises `OSError` if the other process has ended."""
        self._socket.sendall(msgspec.json.encode(message) + b"\n")

    def receive(self, kind: type[T]) -> T | None:
        """Wait for the next message; None if the other process has ended, maybe in the middle of a message."""
        try:
            line = self._reader.readline()
        except ConnectionResetError:
            return None
        return msgspec.json.decode(line, type=kind) if line.endswith(b"\n") else None

    def receive_all(self, kind: type[T], seconds: float) -> list[T]:
        """Return all messages until the other process ends; raises `TimeoutError` if it has not after `seconds`."""
        until = time.monotonic() + seconds
        messages: list[T] = []
        while True:
            self._socket.settimeout(max(0.001, until - time.monotonic()))
            message = self.receive(kind)
            if message is None:
                return messages
            messages.append(message)

    def close(self) -> None:
        """Close this end; the other process sees the end of its input."""
        self._reader.close()
        self._socket.close()


class NewChannel:
    """A channel to a child that is started next: it inherits `descriptor`, and gets `environment`."""

    def __init__(self) -> None:
        own, self._childs = socket.socketpair()
        self.channel = Channel(own)
        self.descriptor = self._childs.fileno()
        self.environment = {_VARIABLE: str(self.descriptor)}

    def started(self) -> Channel:
        """Return the channel after the child was started."""
        self._childs.close()
        return self.channel
