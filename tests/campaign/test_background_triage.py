"""The process beside a campaign that buckets its findings: it ends with the campaign, and nothing stays."""

from pathlib import Path

import pytest
from chcfuzz.campaign.background_triage import BackgroundTriage
from chcfuzz.triage.buckets.buckets import bucketed, read_buckets

from tests.targets import ends, lives
from tests.triage.buckets.test_background import OF_INT, finding


@pytest.mark.slow
def test_it_finishes_what_is_there_and_tells_what_buckets_there_are(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    finding(tmp_path, "wrong-answer-111111-a")
    finding(tmp_path, "wrong-answer-222222-b", OF_INT)
    triaging = BackgroundTriage(tmp_path, 5, 5)
    triaging.start()
    triaging.finish(600)
    assert len(bucketed(read_buckets(tmp_path / "buckets.json"))) == 2
    said = capfd.readouterr().err
    assert said.count("is new") == 2
    assert said.splitlines()[-1].startswith("chcfuzz: 2 buckets of 2 findings in ")


def test_it_is_gone_when_stopped(tmp_path: Path) -> None:
    triaging = BackgroundTriage(tmp_path, 5, 5)
    triaging.start()
    pid = triaging.pid
    assert pid is not None
    triaging.stop()
    assert not lives(pid)
    triaging.stop()  # again changes nothing


def test_it_ends_when_the_campaign_is_killed(tmp_path: Path) -> None:
    triaging = BackgroundTriage(tmp_path, 5, 5)
    triaging.start()
    pid = triaging.pid
    assert pid is not None
    assert triaging.channel is not None
    triaging.channel.close()  # as the kernel does when the supervisor dies
    assert ends(pid)
    triaging.stop()


def test_it_goes_at_once_where_nobody_wants_to_wait(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "my findings"
    finding(folder, "wrong-answer-111111-a")
    triaging = BackgroundTriage(folder, 5, 5)
    triaging.start()
    triaging.finish(600, lambda: True)
    assert triaging.pid is None
    assert f"`chcfuzz triage '{folder}'` continues" in capfd.readouterr().err, "quoted as for a shell"


@pytest.mark.slow
def test_a_bucket_is_known_from_its_second_finding_on(tmp_path: Path) -> None:
    triaging = BackgroundTriage(tmp_path, 5, 5)
    assert not triaging.is_known(finding(tmp_path, "wrong-answer-111111-a"))
    assert triaging.is_known(finding(tmp_path, "wrong-answer-222222-b"))
    assert not triaging.is_known(tmp_path / "none")
