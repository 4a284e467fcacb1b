"""The words that libFuzzer gets."""

from collections.abc import Callable
from pathlib import Path

import pytest
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.supervisor.libfuzzer_arguments import libfuzzer_arguments, merge_arguments
from chcfuzz.execution.solving import UsageError

MakeOptions = Callable[..., Options]


@pytest.fixture
def corpora(tmp_path: Path) -> list[str]:
    """Two folders; a shell cuts the path of the first one."""
    folders = [tmp_path / "my corpus", tmp_path / "other"]
    for folder in folders:
        folder.mkdir()
    return list(map(str, folders))


def test_jobs_get_links_to_folders_whose_paths_a_shell_would_cut(
    options: MakeOptions, session: Session, corpora: list[str]
) -> None:
    spaced, plain = corpora
    *_, first, second = libfuzzer_arguments(options("-fork=1", spaced, plain), session)
    assert second == plain
    assert " " not in first
    assert Path(first).resolve() == Path(spaced)
    assert merge_arguments(options("-fork=1", spaced, plain), session, "units")[-2:] == [first, "units"]


def test_without_jobs_folders_are_named_as_they_are(options: MakeOptions, session: Session, corpora: list[str]) -> None:
    assert libfuzzer_arguments(options(*corpora), session)[-2:] == corpora


def test_a_temporary_folder_that_a_shell_would_cut_is_one_line(options: MakeOptions, tmp_path: Path) -> None:
    folder = tmp_path / "my files"
    folder.mkdir()
    with pytest.raises(UsageError, match=r"cannot pass '.*my files' on: .*another folder in TMPDIR"):
        libfuzzer_arguments(options("-fork=1", str(tmp_path)), Session(folder))
