"""A corpus folder holds complete units, or the campaign reports that it does not."""

import errno
import os
from pathlib import Path

import pytest
from chcfuzz.campaign import corpus_folder
from chcfuzz.campaign.corpus_folder import UNSAVED, CorpusError, units_in
from chcfuzz.campaign.runs.run_folder import make_room
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.execution.files import write_whole
from chcfuzz.execution.solving import UsageError
from chcfuzz.mutators.recipe import Unit, digest

from tests.campaign.conftest import MORE_SAT

UNIT = b"a unit that opened a trace"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "grown"
    folder.mkdir()
    return folder


@pytest.fixture
def _full_corpus(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that takes no more in this folder, and does in others."""
    write = write_whole

    def full(path: Path, content: bytes) -> None:
        if path.parent == corpus:
            raise OSError(28, "No space left on device")
        write(path, content)

    monkeypatch.setattr(corpus_folder, "write_whole", full)


def test_a_folder_that_is_not_there_is_made(tmp_path: Path) -> None:
    corpus_folder.prepare(tmp_path / "new" / "grown")
    assert (tmp_path / "new" / "grown").is_dir()


@pytest.mark.parametrize("name", ["/proc/grown", __file__])
def test_a_folder_that_takes_no_file_is_one_line(name: str) -> None:
    with pytest.raises(UsageError, match=f"cannot write the corpus '{name}'"):
        corpus_folder.prepare(Path(name))


def test_a_folder_that_cannot_be_read_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "c" / "open").mkdir(parents=True)
    corpus_folder.ensure_readable([tmp_path / "c"])
    scan = os.scandir

    def refused(path: str) -> object:
        if str(path).endswith("open"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refused)
    with pytest.raises(UsageError, match=r"cannot read the corpus folder '.*/open': Permission denied"):
        corpus_folder.ensure_readable([tmp_path / "c"])


def test_a_file_that_cannot_be_read_is_not_a_unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("closed.smt2", "open.smt2"):
        (tmp_path / name).write_text(MORE_SAT.replace("even", name[0]))
    read = Path.read_bytes

    def read_bytes(path: Path) -> bytes:
        if path.name == "closed.smt2":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    assert units_in([tmp_path]) == (
        [tmp_path / "open.smt2"],
        [f"'{tmp_path}/closed.smt2' cannot be read: Permission denied"],
    )


def test_a_unit_that_is_whole_is_left_alone(corpus: Path, tmp_path: Path) -> None:
    (corpus / digest(UNIT)).write_bytes(UNIT)
    corpus_folder.ensure_kept(corpus, Unit(UNIT), tmp_path)
    corpus_folder.repair(corpus, 0, [], tmp_path)
    assert [path.read_bytes() for path in corpus.iterdir()] == [UNIT]


@pytest.mark.parametrize("content", [None, b"", UNIT[:5]])
def test_a_unit_that_is_missing_or_cut_is_written_again(corpus: Path, tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (corpus / digest(UNIT)).write_bytes(content)
    corpus_folder.ensure_kept(corpus, Unit(UNIT), tmp_path)
    assert (corpus / digest(UNIT)).read_bytes() == UNIT


def test_what_a_power_cut_has_left_empty_is_taken_out(corpus: Path) -> None:
    (corpus / digest(UNIT)).write_bytes(UNIT)
    (corpus / digest(b"another")).write_bytes(b"")
    (corpus / digest(b"more")).write_bytes(bytes(4))
    assert corpus_folder.delete_cut(corpus) == 2
    assert [path.name for path in corpus.iterdir()] == [digest(UNIT)]


@pytest.mark.usefixtures("_full_corpus")
def test_what_a_full_disk_does_not_take_is_beside_the_findings_and_nothing_cut_stays(
    corpus: Path, tmp_path: Path
) -> None:
    (corpus / digest(UNIT)).write_bytes(b"")
    with pytest.raises(CorpusError, match=f"No space left on device; the unit is in '.*/{UNSAVED}'"):
        corpus_folder.ensure_kept(corpus, Unit(UNIT), tmp_path)
    assert list(corpus.iterdir()) == []
    assert (tmp_path / UNSAVED / digest(UNIT)).read_bytes() == UNIT


@pytest.mark.usefixtures("_full_corpus")
def test_what_was_cut_behind_our_back_is_taken_out_and_kept_where_it_is_known(corpus: Path, tmp_path: Path) -> None:
    known = tmp_path / "opened" / digest(UNIT)
    known.parent.mkdir()
    known.write_bytes(UNIT)
    for name in (digest(UNIT), digest(b"unknown")):
        (corpus / name).write_bytes(b"")
    (corpus / "notes.txt").write_text("of the user")
    with pytest.raises(CorpusError):
        corpus_folder.repair(corpus, 0, [known], tmp_path)
    assert [path.name for path in corpus.iterdir()] == ["notes.txt"]
    assert (tmp_path / UNSAVED / digest(UNIT)).read_bytes() == UNIT


def test_what_is_known_is_mended_where_there_is_room(corpus: Path, tmp_path: Path) -> None:
    known = tmp_path / digest(UNIT)
    known.write_bytes(UNIT)
    (corpus / digest(UNIT)).write_bytes(UNIT[:3])
    corpus_folder.repair(corpus, 0, [known], tmp_path)
    assert (corpus / digest(UNIT)).read_bytes() == UNIT


def test_a_unit_that_libfuzzer_deletes_meanwhile_is_not_cut(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (corpus / digest(UNIT)).write_bytes(UNIT)
    listed = list(os.scandir(corpus))
    (corpus / digest(UNIT)).unlink()
    monkeypatch.setattr(os, "scandir", lambda _folder: listed)
    corpus_folder.repair(corpus, 0, [], tmp_path)


def test_a_folder_that_was_removed_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"cannot write the corpus '.*gone': No such file or directory"):
        corpus_folder.repair(tmp_path / "gone", 0, [], tmp_path)
    assert make_room(tmp_path / "gone", 1, 1) == 0


def test_files_that_were_there_before_are_the_users(corpus: Path, tmp_path: Path) -> None:
    old = corpus / digest(b"renamed by its user")
    old.write_bytes(b"something else")
    os.utime(old, (1, 1))
    corpus_folder.repair(corpus, 1000, [], tmp_path)
    assert old.exists()


def test_a_campaign_does_not_begin_with_units_that_only_another_domain_reads(tmp_path: Path) -> None:
    corpus_folder.ensure_of_domain([tmp_path])
    (tmp_path / "b.smt2").write_text("(set-logic QF_LIA)(declare-fun x () Int)(assert (> x 2))(check-sat)")
    (tmp_path / "c.smt2").write_text("(assert")
    with pytest.raises(UsageError, match=r"no CHC system in .*; add --domain=smt, which reads"):
        corpus_folder.ensure_of_domain([tmp_path])
    (tmp_path / "d.smt2").write_text(BUILT_IN[0])
    corpus_folder.ensure_of_domain([tmp_path])
    (tmp_path / "only").mkdir()
    (tmp_path / "only" / "c.smt2").write_text("(assert")
    corpus_folder.ensure_of_domain([tmp_path / "only"])
