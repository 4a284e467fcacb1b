"""Builds of commits that fail, with a script in the place of `build_z3_traced.sh`."""

from pathlib import Path

import pytest
from chcfuzz.triage.history import builds
from chcfuzz.triage.history.builds import BuildError, CommitBuilds
from chcfuzz.triage.history.commits import Checkout, HistoryError

from tests.triage.history.test_commits import Repository


@pytest.mark.parametrize(
    ("printed", "is_of_the_commit"),
    [
        ("a.cpp:3:1: error: unknown type name 'x'", True),
        ("ninja: build stopped: interrupted by user.", False),
        ("clang++: error: unable to execute command: Killed", False),
        ("error: unable to write a.o: 'No space left on device'", False),
    ],
)
def test_only_faults_of_a_commit_are_verdicts_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: str, is_of_the_commit: bool
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    script = tmp_path / "build.sh"
    script.write_text(f'#!/bin/sh\necho "{printed}"\nexit 1\n')
    script.chmod(0o755)
    monkeypatch.setattr(builds, "SCRIPT", script)
    repository = Repository(tmp_path / "z3")
    commit = repository.commit("one")
    commit_builds = CommitBuilds(Checkout(repository.folder))
    commit_builds.folder.mkdir(parents=True)
    with pytest.raises(HistoryError, match=r"does not build" if is_of_the_commit else r"was stopped") as raised:
        commit_builds.build(commit)
    assert isinstance(raised.value, BuildError) == is_of_the_commit
