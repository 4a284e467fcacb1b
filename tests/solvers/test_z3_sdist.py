"""Source distributions in the cache."""

import io
import tarfile
from pathlib import Path

import pytest
from chcfuzz.solvers.z3_release import ReleaseError
from chcfuzz.solvers.z3_sdist import sources_of

from tests.users import BecomeUser


@pytest.fixture
def downloads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, become_user: BecomeUser) -> Path:
    """The folder of downloads in an empty cache, in an environment in which pip does not use a network."""
    become_user(tmp_path)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    folder = tmp_path / "chcfuzz" / "z3-traced" / "download"
    folder.mkdir(parents=True)
    return folder


def an_archive(path: Path, **texts: str) -> None:
    with tarfile.open(path, "w:gz") as archive:
        for name, text in texts.items():
            member = tarfile.TarInfo(f"z3_solver-1/{name.replace('__', '/')}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))


def test_an_archive_is_unpacked_once(downloads: Path) -> None:
    an_archive(downloads / "z3_solver-4.9.0.0.tar.gz", core__src__muz="datalog", setup="python")
    folder = sources_of("4.9.0.0")
    assert (folder / "src" / "muz").read_text() == "datalog"
    assert not (folder / "setup").exists()
    assert folder.name.startswith("4.9.0.0-")
    assert sources_of("4.9.0.0") == folder
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_an_archive_without_sources_is_refused(downloads: Path) -> None:
    an_archive(downloads / "z3-solver-4.9.0.0.tar.gz", setup="python")
    with pytest.raises(ReleaseError, match="does not have the folder 'core'"):
        sources_of("4.9.0.0")
    assert not any((downloads.parent / "source").iterdir())


def test_half_an_archive_is_refused(downloads: Path) -> None:
    archive = downloads / "z3_solver-4.9.0.0.tar.gz"
    an_archive(archive, core__src__muz="".join(map(str, range(30_000))))
    archive.write_bytes(archive.read_bytes()[:-2000])
    with pytest.raises(ReleaseError, match="cannot unpack"):
        sources_of("4.9.0.0")


@pytest.mark.usefixtures("downloads")
def test_a_release_that_pip_does_not_find_is_reported_in_one_line() -> None:
    with pytest.raises(ReleaseError, match=r"^pip finds no source distribution of z3-solver '4.9.0.0': .*") as caught:
        sources_of("4.9.0.0")
    assert "\n" not in str(caught.value)


def test_a_name_that_is_not_a_version_is_refused() -> None:
    with pytest.raises(ReleaseError, match=r"'z3-4\.9' is neither a folder nor a version"):
        sources_of("z3-4.9")
