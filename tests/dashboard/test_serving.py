"""The page is served on this machine, with the files of findings as plain text and nothing else."""

import json
import os
import socket
import struct
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.campaign.runs.run_statistics import SESSION, Statistics
from chcfuzz.dashboard import rendering
from chcfuzz.dashboard.serving import HOST, RELOAD, Pages, server
from chcfuzz.execution.files import LinkError
from chcfuzz.execution.solving import UsageError

from tests.dashboard.made import made_run
from tests.targets import comes_true

NAME = "wrong-model-default-000000-0123456789ab"


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return made_run(tmp_path / "run", lines=3)


@pytest.fixture
def address(run: RunFolder) -> Iterator[str]:
    with server(Pages([run.path], []), 0) as serving:
        threading.Thread(target=serving.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http://{HOST}:{serving.server_address[1]}"
        serving.shutdown()


def got(address: str) -> tuple[int, str, str]:
    """Status, type and content."""
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            return answer.status, answer.headers["Content-Type"], answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers["Content-Type"], error.read().decode()


def test_the_page_links_to_the_files_of_its_findings(address: str) -> None:
    status, kind, text = got(f"{address}/")
    assert (status, kind) == (200, "text/html; charset=utf-8")
    assert f'href="/0/{NAME}"' in text
    status, kind, text = got(f"{address}/0/{NAME}")
    assert (status, kind) == (200, "text/plain; charset=utf-8")
    assert "record.json\n" in text
    assert json.loads(got(f"{address}/0/{NAME}/record.json")[2])["format"].startswith("chcfuzz-finding")


def test_the_script_of_the_figures_is_served(address: str) -> None:
    status, kind, text = got(f"{address}/{rendering.PLOTLY}")
    assert (status, kind) == (200, "text/javascript; charset=utf-8")
    assert "plotly.js" in text[:200]


@pytest.mark.parametrize(
    "path", ["0", "0/", "1/x", f"0/{NAME}/../../run.json", "0/%2e%2e/run.json", "etc/passwd", "0/out"]
)
def test_nothing_else_is_served(address: str, run: RunFolder, path: str) -> None:
    (run.findings / "out").symlink_to(run.path / "run.json")
    assert got(f"{address}/{path}")[0] == 404


def status_of(address: str, request: bytes) -> int | None:
    """Return the status of the answer to a request; None without an answer."""
    with socket.create_connection((HOST, int(address.rpartition(":")[2])), timeout=60) as browser:
        browser.sendall(request)
        found = browser.makefile("rb").readline().split()
    return int(found[1]) if found else None


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost:1", "", "127.0.0.1.evil.example:{}", None])
def test_another_host_is_refused(address: str, host: str | None) -> None:
    """The name of another site can lead to this machine, and a page of that site would read the answer."""
    port = address.rpartition(":")[2]
    line = "" if host is None else f"Host: {host.format(port)}\r\n"
    assert status_of(address, f"GET / HTTP/1.1\r\n{line}\r\n".encode()) == 400
    assert status_of(address, f"GET / HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode()) == 200
    twice = f"Host: localhost:{port}\r\n" * 2
    assert status_of(address, f"GET / HTTP/1.1\r\n{twice}\r\n".encode()) == 400


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        ("GET /0/a%00b HTTP/1.1", 404),
        (f"GET /{'9' * 5000}/x HTTP/1.1", 404),
        (f"GET /0/{NAME}/pipe HTTP/1.1", 404),
        (f"GET /0/{NAME}/link HTTP/1.1", 404),
        (f"GET /0/{NAME}/folder/record.json HTTP/1.1", 404),
        (f"GET /0/{'x' * 5000} HTTP/1.1", 404),
        ("GET /0/%ff%fe/%80 HTTP/1.1", 404),
        ("GET /\u0661/x HTTP/1.1", 404),
        ("GET http://evil.example/ HTTP/1.1", 404),
        ("POST / HTTP/1.1", 400),
        ("HEAD / HTTP/1.1", 400),
        ("GET / HTTP/9.9", 400),
        ("GET", 400),
        (f"GET /{'x' * 70_000} HTTP/1.1", 400),
    ],
)
def test_odd_requests_are_refused_without_a_traceback(
    address: str, run: RunFolder, request_line: str, status: int, capfd: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(run.findings / NAME / "pipe")
    (run.findings / NAME / "link").symlink_to(run.findings / NAME / "record.json")
    (run.findings / NAME / "folder").symlink_to(run.findings / NAME)
    host = address.partition("//")[2]
    assert status_of(address, f"{request_line}\r\nHost: {host}\r\n\r\n".encode()) == status
    assert capfd.readouterr().err == ""


def test_a_browser_that_leaves_before_its_request_leaves_no_traceback(
    address: str, capfd: pytest.CaptureFixture[str]
) -> None:
    browser = socket.create_connection((HOST, int(address.rpartition(":")[2])))
    browser.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # the closed end is reset
    browser.close()
    assert got(f"{address}/")[0] == 200
    assert comes_true(lambda: not any("process_request" in thread.name for thread in threading.enumerate()))
    assert capfd.readouterr().err == ""


def test_links_in_a_run_folder_are_not_followed(run: RunFolder, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("SECRET-OF-THE-USER")
    evidence = run.findings / NAME / "evidence.smt2"
    evidence.unlink()
    evidence.symlink_to(tmp_path / "secret")
    page = Pages([run.path], []).page()
    assert "SECRET-OF-THE-USER" not in page
    assert "links are not followed" in page
    run.statistics.rename(tmp_path / "statistics")
    run.statistics.symlink_to(tmp_path / "statistics")
    with pytest.raises(LinkError):
        Pages([run.path], []).page()


def test_a_running_campaign_is_loaded_again(run: RunFolder) -> None:
    now = [0.0]
    pages = Pages([run.path], [], lambda: now[0])
    before = pages.page()
    reload = f'http-equiv="refresh" content="{RELOAD}"'
    assert reload not in before
    with run.locked():
        Statistics(run.statistics).write(SESSION, 0.0, headline="again")
        assert pages.page() is before, "it is still fresh"
        now[0] += 60
        assert reload in pages.page()


def test_a_port_that_is_taken_is_named(run: RunFolder) -> None:
    pages = Pages([run.path], [])
    with server(pages, 0) as taken:
        port = int(taken.server_address[1])
        with pytest.raises(UsageError, match=f"cannot serve on port {port}"):
            server(pages, port)


def test_a_port_that_does_not_exist_is_named(run: RunFolder) -> None:
    with pytest.raises(UsageError, match="99999 is not a port from 0 to 65535"):
        server(Pages([run.path], []), 99_999)


def test_a_browser_that_closes_a_page_leaves_no_traceback(
    address: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def page(_pages: Pages) -> str:
        browser.close()
        return "x" * (1 << 24)  # more than the kernel takes at once

    browser = socket.create_connection((HOST, int(address.rpartition(":")[2])))
    browser.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # the closed end is reset
    monkeypatch.setattr(Pages, "page", page)
    browser.sendall(f"GET / HTTP/1.0\r\nHost: {address.partition('//')[2]}\r\n\r\n".encode())
    assert comes_true(lambda: browser.fileno() == -1)
    assert comes_true(lambda: not any("process_request" in thread.name for thread in threading.enumerate()))
    assert capfd.readouterr().err == ""
