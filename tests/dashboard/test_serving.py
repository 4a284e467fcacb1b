"""The page is served on this machine, with the files of findings as plain text and nothing else."""

import json
import socket
import struct
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.campaign.runs.statistics import SESSION, Statistics
from chcfuzz.dashboard.serving import HOST, RELOAD, Pages, server
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


@pytest.mark.parametrize(
    "path", ["0", "0/", "1/x", f"0/{NAME}/../../run.json", "0/%2e%2e/run.json", "etc/passwd", "0/out"]
)
def test_nothing_else_is_served(address: str, run: RunFolder, path: str) -> None:
    (run.findings / "out").symlink_to(run.path / "run.json")
    assert got(f"{address}/{path}")[0] == 404


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
    browser.sendall(b"GET / HTTP/1.0\r\n\r\n")
    assert comes_true(lambda: browser.fileno() == -1)
    assert comes_true(lambda: not any("process_request" in thread.name for thread in threading.enumerate()))
    assert capfd.readouterr().err == ""
