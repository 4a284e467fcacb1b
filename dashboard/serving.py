"""The page of running campaigns over HTTP, on this machine only, and the files of their findings as plain text."""

from __future__ import annotations

import datetime
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.dashboard import campaign_data, page, rendering
from chcfuzz.dashboard.page import Presentation
from chcfuzz.execution.console import print_error
from chcfuzz.execution.files import LinkError, below, read_plain
from chcfuzz.execution.solving import UsageError
from chcfuzz.grammar.errors import ChcfuzzError
from plotly.offline import get_plotlyjs

HOST = "127.0.0.1"
RELOAD = 30  # seconds after which a browser loads the page of a running campaign again
_FRESH = 5.0  # seconds for which a page is served again
_MOST_BYTES = 4 << 20  # of a file
_PATIENCE = 60.0  # seconds for the next bytes of a request
_SCRIPT = "text/javascript"  # of Plotly, which a browser may keep for a day
_HTTP = 80  # the port that a browser leaves out


class Pages:
    """The current page of some run folders, and their findings. `clock` returns seconds."""

    def __init__(
        self, folders: Sequence[Path], known: Sequence[Path], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._findings = {str(number): RunFolder(folder).findings for number, folder in enumerate(folders)}
        self._folders = folders
        self._known = known
        self._clock = clock
        self._made: tuple[float, str] | None = None

    def page(self) -> str:
        """Return the page, at most some seconds old; raises `ChcfuzzError`."""
        now = self._clock()
        if self._made is None or now - self._made[0] > _FRESH:
            made = datetime.datetime.now().astimezone().isoformat(" ", "seconds")
            shown = campaign_data.read(self._folders, self._known)
            self._made = now, page.html_of(shown, Presentation(made, self._link, RELOAD))
        return self._made[1]

    def reply(self, path: str) -> tuple[HTTPStatus, str, str]:
        """Return the status, the type and the content of what a browser requests: the page, its script, or a file."""
        if path == f"/{rendering.PLOTLY}":
            return HTTPStatus.OK, _SCRIPT, get_plotlyjs()
        try:
            if path == "/":
                return HTTPStatus.OK, "text/html", self.page()
            text = self.file(path)
        except ChcfuzzError as error:
            return HTTPStatus.INTERNAL_SERVER_ERROR, "text/plain", f"chcfuzz: {error}\n"
        if text is None:
            return HTTPStatus.NOT_FOUND, "text/plain", "not found\n"
        return HTTPStatus.OK, "text/plain", text

    def file(self, path: str) -> str | None:
        """Return a file of a finding, or the names of its files; None for any other path."""
        number, *names = unquote(path).strip("/").split("/")
        findings = self._findings.get(number)
        if findings is None or not names:
            return None
        try:
            target = below(findings, *names)
            if target.is_dir():
                return "".join(f"{entry.name}\n" for entry in sorted(target.iterdir()))
            return read_plain(target, _MOST_BYTES).decode("utf-8", "replace")
        except (OSError, LinkError):
            return None

    def _link(self, target: Path) -> str:
        for number, findings in self._findings.items():
            if findings == target.parent and target.is_dir():
                return f"/{number}/{quote(target.name)}"
        return ""


class _Server(ThreadingHTTPServer):
    """Threads that answer requests; an error in one of them is a line, and a browser that has gone is not an error."""

    @property
    def hosts(self) -> tuple[str, ...]:
        """The values of `Host` that are served: a page of another site can have a name that leads to this machine."""
        names, port = (HOST, "localhost"), self.server_address[1]
        return (*(names if port == _HTTP else ()), *(f"{name}:{port}" for name in names))

    def handle_error(self, *_: Any) -> None:
        """Print an internal error."""
        error = sys.exc_info()[1]
        if not isinstance(error, ConnectionError):
            print_error(f"chcfuzz: internal error, a request is not answered: {error!r}")


def server(pages: Pages, port: int) -> ThreadingHTTPServer:
    """Return a server on a port of this machine, 0 for any free one; raises `UsageError`."""

    class Handler(BaseHTTPRequestHandler):
        timeout = _PATIENCE
        server: _Server

        def do_GET(self) -> None:
            if self.headers.get_all("Host") not in [[host] for host in self.server.hosts]:
                self.send_error(HTTPStatus.BAD_REQUEST)
                return
            self._send(*pages.reply(self.path))

        def send_error(self, *_: Any) -> None:
            """Refuse a request that is not for this server, that cannot be parsed, or that has another method."""
            self.request_version = self.protocol_version  # of an answer with a status line
            self._send(HTTPStatus.BAD_REQUEST, "text/plain", "bad request\n")

        def _send(self, status: HTTPStatus, kind: str, text: str) -> None:
            content = rendering.encoded(text)
            self.send_response(status)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.send_header("Content-Length", str(len(content)))
            if kind == _SCRIPT:
                self.send_header("Cache-Control", "max-age=86400")
            with suppress(ConnectionError):  # the browser has closed the page, or loads it again
                self.end_headers()
                self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Print nothing for a request."""

    try:
        return _Server((HOST, port), Handler)
    except OverflowError as error:
        raise UsageError(f"{port} is not a port from 0 to 65535; name another one with --port") from error
    except OSError as error:
        raise UsageError(f"cannot serve on port {port}: {error.strerror}; name another one with --port") from error
