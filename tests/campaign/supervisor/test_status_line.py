"""The status line fits the terminal, and is printed only where it cannot be redrawn."""

import pytest
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.supervisor.news import News, describe_age
from chcfuzz.campaign.supervisor.status_line import StatusLine, can_redraw, fitted
from chcfuzz.execution.console import REDRAWS

from tests.campaign.supervisor.test_status import progress


def told(width: int) -> str:
    counts = {Counter.EXECUTIONS: 12_345, Counter.SOLVER_TIME: 3, Counter.WALL_TIME: 4, Counter.OWN_ERRORS: 1}
    news = {"trace_age": 3.9, "bucket_age": 641.0, "signatures": ["a", "b", "a"]}
    return fitted(progress(counts, seconds=61.0, findings={"crash": 3}, waiting=2, **news), width)


def test_a_wide_terminal_has_all_facts_in_words() -> None:
    assert told(200) == (
        "chcfuzz 1:01 | 12,345 solved, 202.4/s, solver 75% | 7 traces, the last new one 3 s ago | "
        "3 findings, 2 different, the last new one 10:41 ago | 2 to confirm | internal errors 1"
    )


@pytest.mark.parametrize("width", [200, 120, 80, 79, 40, 10])
def test_it_fits(width: int) -> None:
    assert len(told(width)) <= width


def test_eighty_columns_have_the_ages_and_what_waits() -> None:
    assert told(79).startswith("1:01 | 202.4/s | 7 traces (3 s) | 2 found (10:41) | 2 to confirm")


def test_without_a_terminal_a_line_is_due_soon_and_then_every_half_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(REDRAWS, raising=False)
    line = StatusLine(None)
    assert [second for second in range(70) if line.is_due(second)] == [5, 35, 65]
    line = StatusLine(10.0)
    assert [second for second in range(30) if line.is_due(second)] == [5, 15, 25]


def test_on_a_terminal_it_is_redrawn_in_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(REDRAWS, "1")
    line = StatusLine(None)
    assert [second for second in range(4) if line.is_due(second)] == [0, 1, 2, 3]
    line.show(progress())
    line.erase()
    shown = capsys.readouterr().err
    assert shown.startswith("\r\x1b[K")
    assert shown.endswith("\r\x1b[K")
    assert "\n" not in shown


def test_a_file_is_not_redrawn() -> None:
    assert not can_redraw()


def test_news_have_an_age_once_there_are_any() -> None:
    news = News()
    news.update(0, 5.0)
    assert news.age(6.0) is None
    news.update(2, 7.0)
    news.update(2, 9.0)
    assert news.age(10.0) == 3.0
    resumed = News(9)
    resumed.update(9, 1.0)
    assert resumed.age(5.0) is None, "traces of earlier sessions are not new"


def test_ages_are_short() -> None:
    assert [describe_age(age) for age in (None, 0.4, 59.9, 60.0, 3601.0)] == ["", "0 s", "59 s", "1:00", "60:01"]
