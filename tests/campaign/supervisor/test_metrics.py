"""The metrics of a campaign: Prometheus' text format, replaced completely, or lines of CSV."""

import csv
import os
import re
from pathlib import Path

import pytest
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.supervisor import metrics
from chcfuzz.campaign.supervisor.metrics import INTERVAL, Metrics, prometheus
from chcfuzz.execution.solving import UsageError

from tests.campaign.supervisor.test_status import progress
from tests.targets import ROOT

SAMPLE = re.compile(r'chcfuzz_[a-z_]+(\{(kind|end)="[a-z-]+"\})? -?[0-9.e+]+')


def test_each_line_is_a_sample_or_a_comment() -> None:
    counts = {Counter.EXECUTIONS: 50, Counter.REPEATED: 6, Counter.SOLVER_TIME: 2_500_000_000}
    text = prometheus(progress(counts, findings={"crash": 1, "wrong-model": 2}, trace_age=3.14), 1e9)
    assert text.endswith("\n")
    for line in text.splitlines():
        assert SAMPLE.fullmatch(line) or re.fullmatch(r"# (HELP|TYPE) chcfuzz_[a-z_]+ .+", line), line
    assert 'chcfuzz_findings{kind="wrong-model"} 2\n' in text
    assert text.count("# TYPE chcfuzz_findings gauge") == 1
    assert "chcfuzz_solved_total 44\n" in text
    assert "chcfuzz_solver_seconds_total 2.5\n" in text
    assert "chcfuzz_last_new_trace_seconds 3.1\n" in text
    assert "last_new_signature" not in text, "there was none yet"


def test_the_file_is_replaced_from_time_to_time(tmp_path: Path) -> None:
    written = Metrics(tmp_path / "chcfuzz.prom")
    for now, executions in ((0.0, 1), (INTERVAL / 2, 2), (INTERVAL, 3)):
        written.update(now, progress({Counter.EXECUTIONS: executions}))
        text = (tmp_path / "chcfuzz.prom").read_text()
        assert f"chcfuzz_executions_total {3 if executions == 3 else 1}\n" in text
    written.update(INTERVAL, progress({Counter.EXECUTIONS: 4}), is_last=True)
    assert "chcfuzz_executions_total 4\n" in (tmp_path / "chcfuzz.prom").read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["chcfuzz.prom"]


def test_a_collector_that_reads_while_the_file_is_written_sees_the_old_one_or_the_new_one(tmp_path: Path) -> None:
    file, opened = tmp_path / "chcfuzz.prom", tmp_path / "opened"
    Metrics(file).update(0.0, progress({Counter.EXECUTIONS: 1}))
    os.link(file, opened)  # the file that a collector has opened before
    before = opened.read_text()
    Metrics(file).update(0.0, progress({Counter.EXECUTIONS: 2}))
    assert opened.read_text() == before
    assert "chcfuzz_executions_total 2\n" in file.read_text()


def test_csv_has_a_heading_once_and_continues_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "numbers.csv"
    for executions in (1, 2):
        Metrics(file).update(0.0, progress({Counter.EXECUTIONS: executions}, findings={"crash": 1, "hang": 1}))
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert [row["executions_total"] for row in rows] == ["1", "2"]
    assert rows[0]["findings"] == "2"
    assert rows[0]["last_new_trace_seconds"] == ""


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name another --metrics"):
        Metrics(tmp_path / "no" / "file").update(0.0, progress())


def test_every_panel_and_every_alert_uses_a_metric_that_is_written() -> None:
    named = set()
    for name in ("chcfuzz-alerts.yml", "chcfuzz-grafana.json"):
        named |= set(re.findall(r"\bchcfuzz_\w+", (ROOT / "docs" / name).read_text()))
    assert len(named) > 8
    assert named <= {f"chcfuzz_{name}" for name in metrics.NAMES}


def test_the_machine_and_the_ends_of_executions_are_metrics(tmp_path: Path) -> None:
    file = tmp_path / "chcfuzz.prom"
    (tmp_path / "unit").write_bytes(b"12345")
    Metrics(file, lambda: metrics.surroundings(tmp_path, tmp_path, [])).update(0.0, progress({Counter.SAT: 3}))
    text = file.read_text()
    assert 'chcfuzz_answers_total{end="sat"} 3' in text
    assert "chcfuzz_corpus_units 1" in text
    assert "chcfuzz_corpus_bytes 5" in text
    assert "chcfuzz_disk_free_bytes " in text
    assert f'chcfuzz_info{{findings="{tmp_path}",version="' in text
