"""Groups of campaigns are compared at the same time, and a bucket that a campaign did not find is censored."""

import csv
import json
import re
import shutil
from pathlib import Path

import pytest
from chcfuzz.campaign.runs.history import read as read_history
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.campaign.runs.run_statistics import SESSION, Statistics
from chcfuzz.commands import main
from chcfuzz.execution.solving import UsageError
from chcfuzz.experiments.campaign_groups import read_groups
from chcfuzz.experiments.comparison import bands, common_end, rows
from chcfuzz.experiments.trials import FILE

from tests.dashboard.made import made_run


@pytest.fixture
def groups(tmp_path: Path) -> list[str]:
    """Two groups of three campaigns: the second opens twice as many traces, and one of its campaigns has a finding."""
    for number in range(3):
        made_run(tmp_path / f"a{number}", lines=10)
        made_run(tmp_path / f"b{number}", lines=20, scale=2.0 + number / 10, finding=number == 0)
    return [f"{name.upper()}={','.join(str(tmp_path / f'{name}{number}') for number in range(3))}" for name in "ab"]


@pytest.mark.slow
def test_measures_are_taken_at_the_end_of_the_shortest_campaign(groups: list[str]) -> None:
    read = read_groups(groups)
    end = common_end(read, "seconds")
    assert end == read[0].campaigns[0].history.points[-1].seconds
    found = {row.measure: row for row in rows(read, "seconds")}
    traces = found["unique traces"]
    first, second = traces.samples
    assert set(first.values) == {read[0].campaigns[0].history.points[-1].traces}
    assert max(second.values) < read[1].campaigns[0].history.points[-1].traces, "the longer campaigns are cut"
    assert traces.comparison.a12 == 0.0, "each campaign of the second group has opened more"


def test_by_executions_the_campaigns_have_executed_as_much(groups: list[str]) -> None:
    read = read_groups(groups)
    end = common_end(read, "executions")
    for group in read:
        for campaign in group.campaigns:
            point = campaign.at("executions", end)
            assert point is not None
            assert point.executions <= end


@pytest.mark.slow
def test_a_bucket_that_was_not_found_is_censored_at_the_end(groups: list[str]) -> None:
    read = read_groups(groups)
    (row,) = [row for row in rows(read, "seconds") if row.measure.startswith("seconds to ")]
    a, b = row.samples
    assert (a.events, b.events) == (3, 1)
    assert a.median < b.median == float("inf")
    assert set(b.values[1:]) == {common_end(read, "seconds")}


@pytest.mark.parametrize("by", ["seconds", "executions"])
def test_a_bucket_that_only_longer_campaigns_had_time_to_find_makes_no_difference(tmp_path: Path, by: str) -> None:
    short, long = ([tmp_path / f"{name}{number}" for number in range(2)] for name in ("short", "long"))
    for one, other in zip(short, long, strict=True):
        made_run(one, lines=2, finding=False)
        made_run(other, lines=15)
    read = read_groups([f"{name}={','.join(map(str, runs))}" for name, runs in (("A", short), ("B", long))])
    assert all(campaign.first_seen for campaign in read[1].campaigns)
    found = {row.measure: row for row in rows(read, by)}
    assert found["buckets"].samples[1].values == (0.0, 0.0)
    assert not [measure for measure in found if measure.startswith(f"{by} to ")]


def test_bands_hold_the_median(groups: list[str]) -> None:
    for band in bands(read_groups(groups), "seconds", "unique traces"):
        assert len(band.at) == len(band.median)
        assert list(band.median) == sorted(band.median)
        assert all(low <= middle <= high for low, middle, high in zip(band.low, band.median, band.high, strict=True))


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["A=x"], "two groups or more"),
        (["x", "B=y"], "'x' is not a group"),
        (["A=x", "A=y"], "two groups are named 'A'"),
    ],
)
def test_a_wrong_group_is_named(texts: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_groups(texts)


@pytest.mark.parametrize("text", ["A={0},{0}", "A={0},{0}/", "A={0},{1}/../{0.name}", "A={1},{2}"])
def test_a_campaign_that_is_named_twice_is_refused(tmp_path: Path, text: str) -> None:
    one, two = (made_run(tmp_path / name, lines=3).path for name in ("one", "two"))
    link = tmp_path / "link"
    link.symlink_to(two)
    for texts in ([text.format(one, two, link), f"B={two}"], [f"A={one}", f"B={two},{one}/."]):
        with pytest.raises(UsageError, match=r"^the campaign '.*' is named twice; name each campaign once$"):
            read_groups(texts)


def test_a_copy_of_a_campaign_is_refused(tmp_path: Path) -> None:
    one, two = (made_run(tmp_path / name, lines=3).path for name in ("one", "two"))
    copy = tmp_path / "copy"
    shutil.copytree(one, copy)
    message = f"{str(copy)!r} is a copy of the campaign {str(one)!r}; leave one of them out"
    with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
        read_groups([f"A={one}", f"B={two},{copy}"])
    Statistics(RunFolder(copy).statistics).write(SESSION, 0.0)  # it is continued
    with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
        read_groups([f"A={one}", f"B={two},{copy}"])


def test_campaigns_with_the_same_flags_that_begin_in_the_same_second_are_different(tmp_path: Path) -> None:
    one, other = (made_run(tmp_path / folder / "run", lines=3, scale=scale) for folder, scale in (("a", 1), ("b", 2)))
    heads = [read_history(run).sessions[0].head for run in (one, other)]
    assert heads[0] == heads[1]
    assert len(read_groups([f"A={one.path}", f"B={other.path}"])) == 2


def test_a_folder_of_trials_stands_for_its_trials(tmp_path: Path) -> None:
    for number in (1, 2):
        made_run(tmp_path / "trials" / f"trial-00{number}", lines=3)
    (tmp_path / "trials" / FILE).write_text("{}")
    made_run(tmp_path / "one", lines=3)
    first, second = read_groups([f"A={tmp_path / 'trials'}", f"B={tmp_path / 'one'}"])
    assert [campaign.path.name for campaign in first.campaigns] == ["trial-001", "trial-002"]
    assert len(second.campaigns) == 1


def test_a_trial_that_has_not_ended_does_not_shorten_the_comparison(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, whole = made_run(tmp_path / "one", lines=3), made_run(tmp_path / "trials" / "trial-001", lines=3)
    cut = RunFolder(tmp_path / "trials" / "trial-002")
    cut.begin("spacer", [])
    Statistics(cut.statistics).write(SESSION, 0.0)
    (tmp_path / "trials" / FILE).write_text("{}")
    assert main.main(["compare", f"A={tmp_path / 'trials'}", f"B={one.path}"]) == 0
    printed = capsys.readouterr()
    assert (
        printed.err
        == f"chcfuzz: the trial '{cut.path}' has not ended, and is left out; `chcfuzz trials` runs it again\n"
    )
    assert "campaigns: A 1, B 1; compared after 120 seconds" in printed.out
    shutil.rmtree(whole.path)
    assert main.main(["compare", f"A={tmp_path / 'trials'}", f"B={one.path}"]) == 2
    assert "no trial of the group 'A' has ended" in capsys.readouterr().err


@pytest.mark.slow
def test_the_command_prints_and_writes_the_same_table(
    groups: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    table, page = tmp_path / "table.csv", tmp_path / "page.html"
    assert main.main(["compare", *groups, "--csv", str(table), "--page", str(page)]) == 0
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines()[1:-2])) <= 80
    assert main.main(["compare", *groups, "--json"]) == 0
    stored = json.loads(capsys.readouterr().out)
    lines = list(csv.DictReader(table.read_text().splitlines()))
    assert [line["measure"] for line in lines] == [row["measure"] for row in stored["rows"]]
    assert float(lines[0]["median"]) == stored["rows"][0]["a"]["median"]
    assert stored["rows"][-1]["b"]["median"] is None
    html = page.read_text()
    assert html.startswith("<!doctype html>")
    assert "unique traces" in html
    assert 'data-figure="unique-traces"' in html
