"""Packs in a store: written once, completely or not at all; and a store that fails."""

import logging
import os
import sys
import types
import uuid
from pathlib import Path

import pytest
from chcfuzz.cluster.store import Store, StoreError, url_of
from fsspec.implementations.local import LocalFileSystem


def check(store: Store) -> None:
    """Write, read, list and remove packs."""
    assert store.names("slices") == []
    assert not store.has("slices/1")
    assert store.put("slices/1", b"first")
    assert not store.put("slices/1", b"second"), "the first attempt wins"
    assert store.put("slices/2", b"other")
    assert store.get("slices/1") == b"first"
    assert store.has("slices/1")
    assert store.names("slices") == ["1", "2"]
    store.remove("slices/1")
    store.remove("slices/1")
    assert store.names("slices") == ["2"]


@pytest.mark.parametrize("scheme", ["", "file://", "memory://"])
def test_a_pack_is_written_once(tmp_path: Path, scheme: str) -> None:
    check(Store(f"memory://{uuid.uuid4().hex}" if scheme == "memory://" else f"{scheme}{tmp_path}/store"))


@pytest.mark.slow
def test_a_pack_is_written_once_to_s3(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import s3fs

    check(Store(bucket))
    s3fs.S3FileSystem(skip_instance_cache=True).pipe_file("bucket/run/slices/3.pack", b"of another machine")
    assert Store(bucket).get("slices/3") == b"of another machine"
    second = Store(bucket)
    monkeypatch.setattr(second, "has", lambda _name: False)  # as for two attempts that end at the same time
    assert not second.put("slices/2", b"late")
    assert second.get("slices/2") == b"other"
    with pytest.raises(StoreError, match=r"cannot use the store 's3://none/run'.*bucket does not exist"):
        Store("s3://none/run").put("slices/1", b"")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    s3fs.S3FileSystem.clear_instance_cache()
    with pytest.raises(StoreError, match=r"cannot use the store 's3://bucket/run'.*credentials"):
        Store(bucket).put("slices/4", b"")


def test_a_store_that_fails_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = Store(str(tmp_path / "file"))
    for use in (lambda: store.put("slices/1", b""), lambda: store.get("slices/1"), lambda: store.names("slices")):
        with pytest.raises(StoreError, match=r"^cannot use the store '.*file': .*; check its address") as raised:
            use()
        assert "\n" not in str(raised.value)
    (tmp_path / "slices").touch()
    with pytest.raises(StoreError, match="File exists"):
        Store(str(tmp_path)).put("slices/1", b"")
    with pytest.raises(StoreError, match="nothing"):
        Store("nothing://bucket/run")
    with pytest.raises(StoreError, match="is not the name of a pack"):
        store.get("../secret/1")


@pytest.mark.parametrize("name", ["HttpError", "ChecksumError", "NonRetryableError"])
def test_an_error_of_the_library_for_google_is_one_line_without_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    errors = {each: type(each, (Exception,), {}) for each in ("HttpError", "ChecksumError", "NonRetryableError")}
    monkeypatch.setitem(sys.modules, "gcsfs.retry", types.ModuleType("gcsfs.retry"))
    for each, error in errors.items():
        monkeypatch.setattr(sys.modules["gcsfs.retry"], each, error, raising=False)
    store = Store(str(tmp_path))

    def fails(*_: object, **__: object) -> None:
        logging.getLogger("gcsfs").error("out of retries", exc_info=True)
        raise errors[name]("no answer")

    monkeypatch.setattr(LocalFileSystem, "exists", fails)
    with pytest.raises(StoreError, match=r"^cannot use the store '.*': no answer; check its address"):
        store.has("slices/1")
    assert caplog.records == []


def test_a_folder_of_the_user_has_an_absolute_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert url_of("store") == os.fspath(tmp_path / "store")
    assert url_of("gs://bucket/run") == "gs://bucket/run"
