"""The records of a campaign in its run folder."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.runs.run_folder import SEEN, RunFolder, build_of
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.supervisor.recording import Recording


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
