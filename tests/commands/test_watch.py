"""`chcfuzz watch` and `chcfuzz dashboard` on a run folder, as a user starts them."""

import contextlib
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from chcfuzz.campaign.runs import history, run_statistics
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.campaign.runs.run_statistics import PROGRESS, SESSION, Statistics
from chcfuzz.commands import main, watch
from rich.console import Console

from tests.dashboard.made import SAMPLE, made_run


def text_of(run: RunFolder, width: int = 160) -> str:
    into = io.StringIO()
    Console(file=into, width=width).print(watch.shown(run, history.read(run), width))
    return into.getvalue()


def test_a_campaign_is_shown_as_it_stands(tmp_path: Path) -> None:
    run = made_run(tmp_path / "run", edges=True)
    told = text_of(run)
    for expected in ("session 2, ended (done), 0:40:00 in all", "36,000", "3,162", "26.3% of 41,000", "wrong-model 1"):
        assert expected in told
    assert "found wrong-model-default-000000-0123456789ab" in told


@pytest.mark.parametrize("width", [40, 80])
def test_a_curve_stays_beside_its_number_however_long_the_history(tmp_path: Path, width: int) -> None:
    run = made_run(tmp_path / "run", edges=True)
    rows = {line.split()[0]: line for line in text_of(run, width).splitlines() if line.strip()}
    for label in ("solved", "traces", "transitions"):
        assert "█" in rows[label]
        assert len(rows[label].rstrip()) <= width


def test_suspicions_that_were_only_counted_add_up_over_the_sessions(tmp_path: Path) -> None:
    run = RunFolder(tmp_path / "run")
    run.begin("spacer", [])
    counts = ("executions", "solved", "traces", "transitions", "crashes", "replaced", "units")
    nothing = {**dict.fromkeys((*counts, "corpus_bytes", "memory_bytes"), 0), "findings": {}, "counters": {}}
    for counted in (100, 64):
        written = Statistics(run.statistics)
        written.write(SESSION, 0.0)
        written.write(PROGRESS, 1.0, **nothing, waiting=50, counted=counted)
    assert "0   suspicions to confirm; 164 others were only counted" in text_of(run)


def test_the_lock_tells_a_running_campaign_from_a_killed_one(tmp_path: Path) -> None:
    run = made_run(tmp_path / "run", lines=3)
    assert "session 2, ended (done)" in text_of(run)
    Statistics(run.statistics).write(SESSION, 0.0, headline="again")
    assert "session 3, killed" in text_of(run)
    with run.locked():
        assert "session 3, running" in text_of(run)
    assert "session 3, killed" in text_of(run)


def test_a_campaign_that_ends_while_it_is_read_was_not_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = made_run(tmp_path / "run", lines=3)
    Statistics(run.statistics).write(SESSION, 0.0, headline="again")
    campaign, read = contextlib.ExitStack(), run_statistics.read

    def read_before_the_end(folder: Path) -> object:
        found = read(folder)
        campaign.close()
        return found

    campaign.enter_context(run.locked())
    monkeypatch.setattr(run_statistics, "read", read_before_the_end)
    assert "session 3, running" in text_of(run)
    assert "session 3, killed" in text_of(run)


def test_what_has_only_begun_says_so_and_a_name_is_no_markup(tmp_path: Path) -> None:
    run = RunFolder(tmp_path / "run")
    run.begin("spacer", [])
    assert "without statistics yet" in text_of(run)
    made = made_run(tmp_path / "other", lines=3)
    (part, *_) = sorted(made.statistics.iterdir())
    part.write_text(part.read_text().replace("wrong-model-default-000000-0123456789ab", "[bold]x[red]"))
    assert "[bold]x[red]" in text_of(made)


def test_into_a_pipe_it_looks_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = made_run(tmp_path / "run", lines=3)
    assert main.main(["watch", str(run.path)]) == 0
    assert "traces" in capsys.readouterr().out
    assert main.main(["watch", str(tmp_path)]) == 2
    assert "is not a run folder" in capsys.readouterr().err


def test_the_page_goes_into_the_folder_or_named_with_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = made_run(tmp_path / "run", lines=3)
    assert main.main(["dashboard", str(run.path)]) == 0
    assert capsys.readouterr().out.strip() == str(run.path / "dashboard.html")
    assert (run.path / "dashboard.html").read_text().startswith("<!doctype html>")
    assert main.main(["dashboard", str(run.path), str(run.path), "--out", str(tmp_path / "no" / "page.html")]) == 2
    assert "name another file with --out" in capsys.readouterr().err


def test_without_its_packages_the_page_says_how_to_get_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = made_run(tmp_path / "run", lines=3)
    for name in [name for name in sys.modules if name.partition(".")[0] == "jinja2" or "chcfuzz.dashboard" in name]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert main.main(["dashboard", str(run.path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "pip install '.[dashboard]'" in line


def test_findings_and_suspicions_on_disk_are_counted_and_bars_are_ascii_where_utf_8_is_not(tmp_path: Path) -> None:
    run = made_run(tmp_path / "run", lines=5)
    shutil.copytree(SAMPLE, run.findings / "crash-000000-0123456789ab")  # by `chcfuzz confirm`
    waiting = run.findings / ".suspicions"
    waiting.mkdir(exist_ok=True)
    for name in (f"0-{'a' * 32}-wrong-answer-{'0' * 16}.json", f"4-{'b' * 32}-wrong-model-{'0' * 16}.json"):
        (waiting / name).write_text("{}")
    command = [sys.executable, "-m", "chcfuzz.commands", "watch", str(run.path), "--once"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "crash 1, wrong-model 1" in done.stdout
    assert "suspicions to confirm: 1 contradicts the expected answer" in done.stdout
    assert done.stdout.isascii()
    assert "\\u" not in done.stdout
