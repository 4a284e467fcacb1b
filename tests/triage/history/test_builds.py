"""Builds of commits that fail, with a script in the place of `build_z3_traced.sh`."""

from pathlib import Path

import pytest
from chcfuzz.triage.history import builds
from chcfuzz.triage.history.builds import BuildError, CommitBuilds
from chcfuzz.triage.history.commits import Checkout, HistoryError

from tests.triage.history.test_commits import Repository
from tests.users import BecomeUser


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
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: str, is_of_the_commit: bool, become_user: BecomeUser
) -> None:
    become_user(tmp_path / "cache")
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


@pytest.mark.parametrize("name", ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"])
def test_variables_of_git_choose_neither_the_sources_nor_the_repository_of_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, become_user: BecomeUser
) -> None:
    """A hook or an editor that git starts has them, and its repository is another one."""
    become_user(tmp_path / "cache")
    script = tmp_path / "build.sh"
    script.write_text(f'#!/bin/sh\nenv | grep ^GIT_ > {tmp_path}/variables\ncp "$2/file.cpp" {tmp_path}/built\n')
    script.chmod(0o755)
    monkeypatch.setattr(builds, "SCRIPT", script)
    repository, other = Repository(tmp_path / "z3"), Repository(tmp_path / "other")
    commit = repository.commit("one")
    other.commit("two")
    monkeypatch.setenv(name, str(other.folder / (".git" if name == "GIT_DIR" else "elsewhere")))
    checkout = Checkout(repository.folder)
    assert checkout.commit("HEAD") == commit
    commit_builds = CommitBuilds(checkout)
    commit_builds.folder.mkdir(parents=True)
    commit_builds.build(commit)
    assert (tmp_path / "built").read_text() == "one\n"
    assert (tmp_path / "variables").read_text() == ""
