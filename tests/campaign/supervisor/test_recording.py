"""The records of a campaign in its run folder."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.runs.run_folder import SEEN, RunFolder, build_of
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.supervisor.recording import Recording
from chcfuzz.campaign.worker.hung_units import HungUnits
from chcfuzz.mutators.recipe import Unit

from tests.campaign.supervisor.test_status import progress


def test_a_session_begins_with_what_earlier_ones_have_seen_under_the_build(tmp_path: Path) -> None:
    run = RunFolder(tmp_path / "run")
    run.begin("spacer", [])
    options = replace(Options(), run_dir=run.path, findings=run.findings)
    for number, kind in enumerate(SEEN, 2):
        run.add_seen(kind, build_of(options.solving), np.arange(1, number, dtype=np.uint64))
        run.add_seen(kind, "another build", np.arange(100, 200, dtype=np.uint64))
    (tmp_path / "session").mkdir()
    session = Session(tmp_path / "session")
    Recording(run, options, session)
    assert (len(session.traces), len(session.transitions)) == (1, 2)


def test_the_numbers_for_aflpp_count_the_hung_units_that_are_kept(tmp_path: Path) -> None:
    run = RunFolder(tmp_path / "run")
    run.begin("spacer", [])
    for content in (b"one", b"two"):
        HungUnits(run.findings).keep(Unit(content))
    (tmp_path / "session").mkdir()
    session = Session(tmp_path / "session")
    recording = Recording(run, replace(Options(), run_dir=run.path, findings=run.findings), session)
    recording.finish(progress({Counter.HANG: 5}), "a test")
    lines = dict(line.split(":", 1) for line in (run.path / "fuzzer_stats").read_text().splitlines())
    assert int(lines["saved_hangs       "]) == 2
