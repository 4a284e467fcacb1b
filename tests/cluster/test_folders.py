"""Each attempt has a folder of its own, on a local disk."""

import fcntl
import os
from pathlib import Path

import pytest
from chcfuzz.cluster import folders
from chcfuzz.cluster.folders import claimed, kind_of, scratch
from chcfuzz.execution.solving import UsageError


def test_two_attempts_never_share_a_folder(tmp_path: Path) -> None:
    with claimed(tmp_path) as one, claimed(tmp_path) as two:
        assert one.folder != two.folder
        (two.folder / "kept").touch()
    with claimed(tmp_path, 1) as again:
        assert again.folder == two.folder
        assert (again.folder / "kept").exists()
    with claimed(tmp_path, 7) as other:
        assert other.folder == one.folder, "a folder that exists is warm, a new one is not"


def test_a_folder_in_which_an_attempt_died_is_emptied(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), claimed(tmp_path) as claim:
        (claim.folder / "missing").read_bytes()
    with claimed(tmp_path) as again:
        assert again.folder == claim.folder
        assert again.is_new


def test_a_process_that_outlives_its_worker_keeps_the_folder(tmp_path: Path) -> None:
    with claimed(tmp_path) as claim:
        survivor = os.dup(claim.lock)  # as a child has it
    with claimed(tmp_path) as other:
        assert other.folder != claim.folder
    fcntl.flock(survivor, fcntl.LOCK_UN)
    os.close(survivor)
    with claimed(tmp_path) as again:
        assert again.folder == claim.folder


def test_attempts_are_never_on_a_file_system_of_several_machines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = [(Path("/"), "ext4"), (Path("/home"), "nfs4"), (Path("/home/local"), "xfs"), (Path("/home"), "nfs4")]
    assert kind_of(Path("/home/me"), mounts) == "nfs4"
    assert kind_of(Path("/home/local/me"), mounts) == "xfs"
    assert kind_of(Path("/homes"), mounts) == "ext4"
    monkeypatch.setattr(folders, "kind_of", lambda *_: "nfs4")
    with pytest.raises(UsageError, match=r"is on a file system that machines share \(nfs4\); name a local --scratch"):
        scratch(tmp_path, "job")
    monkeypatch.undo()
    assert scratch(tmp_path, "job").is_relative_to(tmp_path)


def test_folders_of_forgotten_jobs_are_deleted(tmp_path: Path) -> None:
    old, new = scratch(tmp_path, "old"), scratch(tmp_path, "new")
    (old / "0").mkdir()
    for folder in (old, new):
        os.utime(folder, (0, 0))
    assert scratch(tmp_path, "new") == new, "a job that goes on is not old"
    assert not old.exists()
    assert new.exists()
