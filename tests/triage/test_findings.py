"""The findings folder: whole or not there, and enough to show a finding with nothing but Z3."""

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session import Session
from chcfuzz.grammar.parse import parse
from chcfuzz.mutators.recipe import Recipe, decode, digest, encode
from chcfuzz.solvers.z3_parameters import with_transforms_off
from chcfuzz.triage.findings import FindingsError, FindingStore

from tests.campaign.conftest import FORGETFUL, MORE_SAT, PLANTED, SAT, doubled
from tests.fuzz_targets.solvers import MARK

Z3 = Path(sys.executable).parent / "z3"
MakeOptions = Callable[..., Options]


@pytest.fixture
def kept(options: MakeOptions, session: Session) -> Path:
    """The folder of a confirmed wrong answer."""
    store = FindingStore(options(PLANTED), session)
    store.prepare()
    folder = store.keep(doubled(), "wrong-answer")
    assert folder is not None
    return folder


def left_behind(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_a_wrong_answer_is_kept_with_the_documented_files(kept: Path, session: Session) -> None:
    assert kept.name == f"wrong-answer-default-{digest(doubled())[:12]}"
    assert {file.name for file in kept.iterdir()} == {"mutant.smt2", "seed.smt2", "recipe", "show.sh", "record.json"}
    assert (kept / "recipe").read_bytes() == doubled()
    assert parse((kept / "seed.smt2").read_text(), "seed").clauses == parse(SAT, "built in").clauses
    assert parse((kept / "mutant.smt2").read_text(), "mutant").status == "sat"
    assert session.findings() == ["wrong-answer"]
    assert left_behind(kept.parent) == sorted(
        [kept.name, *(f"{kept.name}/{file.name}" for file in kept.iterdir())]
    )  # nothing temporary


@pytest.mark.parametrize(
    ("solver", "seed", "needed"),
    [
        ("PlainDyingSpacer", SAT, with_transforms_off()),  # dies of the three, under any others
        ("DyingSpacer", SAT.replace("inv", MARK), ()),
    ],
)
def test_a_crash_is_kept_with_the_parameters_that_it_needs(
    options: MakeOptions, session: Session, solver: str, seed: str, needed: tuple[tuple[str, str], ...]
) -> None:
    store = FindingStore(options(f"--solver=tests.fuzz_targets.solvers:{solver}"), session)
    given = (("fp.spacer.ctp", "false"), *with_transforms_off(), ("fp.spacer.q3", "false"))
    store.prepare()
    folder = store.keep(encode(Recipe(seed, (), given)), "crash")
    assert folder is not None
    record = json.loads((folder / "record.json").read_text())
    assert record["parameters"] == dict(needed)
    assert record["witness"] == "it dies of signal 11"
    assert decode((folder / "recipe").read_bytes()) == Recipe(seed, (), needed)
    assert not (folder.parent / "unconfirmed").exists()


def test_its_record_says_what_was_seen_and_what_speaks_against_it(kept: Path) -> None:
    record = json.loads((kept / "record.json").read_text())
    assert set(record) == {
        "format",
        "kind",
        "scope",
        "witness",
        "cvc5",
        "second",
        "chcfuzz",
        "z3",
        "solving",
        "command",
        "expected",
        "promise",
        "parameters",
        "chain",
        "runs",
    }
    assert record["format"] == "chcfuzz-finding 3"
    assert (record["kind"], record["expected"], record["parameters"]) == ("wrong-answer", "sat", {})
    assert record["witness"] == "with inlining and slicing off it answers sat, with a model that holds in every clause"
    assert [step["mutation"] for step in record["chain"]] == ["boolean.dup-and"]
    assert {run: said["status"] for run, said in record["runs"].items()} == {
        "given": "unsat",
        "default": "unsat",
        "plain": "sat",
        "given-plain": "sat",
    }
    assert all({"status", "verdicts", "trace_hash", "cost"} <= set(said) for said in record["runs"].values())


def shown(folder: Path) -> str:
    return subprocess.run(
        [str(folder / "show.sh")],
        cwd="/",
        env={**os.environ, "Z3": str(Z3)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.mark.skipif(not Z3.exists(), reason="needs the z3 command beside the interpreter")
def test_its_script_shows_it_with_nothing_but_z3(kept: Path) -> None:
    assert shown(kept).splitlines() == ["unsat was seen here, sat is right:", "sat"]  # the bug is planted, not Z3's


@pytest.mark.skipif(not Z3.exists(), reason="needs the z3 command beside the interpreter")
def test_a_wrong_model_is_kept_with_its_evidence(options: MakeOptions, session: Session) -> None:
    store = FindingStore(options(FORGETFUL), session)
    store.prepare()
    folder = store.keep(SAT.encode(), "wrong-model")
    assert folder is not None
    assert "(assert (not (inv x y)))" in (folder / "evidence.smt2").read_text()
    lines = shown(folder).splitlines()
    assert lines[:4] == ["sat was seen here, sat is right:", "sat", "satisfiable because the model is wrong:", "sat"]
    record = json.loads((folder / "record.json").read_text())
    assert record["scope"]["switches"] == "all options default"
    assert record["cvc5"]["evidence"] == "sat"
    assert "clause 1 is false under the model" in record["witness"]


def test_what_is_not_confirmed_is_put_aside(options: MakeOptions, session: Session) -> None:
    store = FindingStore(options(), session)  # no bug planted
    store.prepare()
    assert store.keep(doubled(), "wrong-answer") is None
    aside = options().findings / "unconfirmed" / f"wrong-answer-{digest(doubled())[:12]}"
    assert aside.read_bytes() == doubled()
    assert left_behind(options().findings) == ["unconfirmed", f"unconfirmed/{aside.name}"]
    assert session.findings() == []


def test_a_full_bucket_takes_no_more_and_another_one_does(options: MakeOptions, session: Session) -> None:
    store = FindingStore(options(PLANTED, "--per-bucket=1"), session)
    store.prepare()
    assert store.has_room("wrong-answer", ())
    assert store.keep(doubled(), "wrong-answer") is not None
    assert not store.has_room("wrong-answer", ())
    assert store.keep(doubled(seed=MORE_SAT), "wrong-answer") is None
    assert store.keep(doubled(parameters=(("fp.spacer.ctp", "false"),)), "wrong-answer") is not None
    assert len(list(options().findings.iterdir())) == 2


def test_two_stores_with_the_same_unit_keep_it_once(options: MakeOptions, session: Session) -> None:
    first, second = (FindingStore(options(PLANTED), session) for _ in range(2))
    first.prepare()
    kept = first.keep(doubled(), "wrong-answer")
    assert kept is not None
    written = (kept / "record.json").stat().st_ino
    assert second.keep(doubled(), "wrong-answer") == kept
    assert (kept / "record.json").stat().st_ino == written
    assert list(options().findings.iterdir()) == [kept]
    assert session.findings() == ["wrong-answer"]


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Mount a tiny disk with these options."""
    folder = tmp_path / "disk"
    folder.mkdir()

    def mount(how: str) -> Path:
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", how, "tmpfs", str(folder)], capture_output=True, check=False
        )
        if done.returncode != 0:
            pytest.skip("needs the right to mount a tmpfs")
        return folder

    try:
        yield mount
    finally:
        if folder.is_mount():
            subprocess.run(["umount", str(folder)], check=True)


def one_line(error: FindingsError, folder: Path, reason: str) -> None:
    assert "\n" not in str(error)
    assert str(folder) in str(error)
    assert reason in str(error)


def test_a_read_only_disk_is_told_before_the_campaign_begins(
    options: MakeOptions, session: Session, mounted: Callable[[str], Path]
) -> None:
    folder = mounted("ro,size=64k")
    for findings in (folder, folder / "new"):
        with pytest.raises(FindingsError) as caught:
            FindingStore(options(f"--findings={findings}"), session).prepare()
        one_line(caught.value, findings, os.strerror(errno.EROFS))


@pytest.mark.parametrize("flag", [PLANTED, ""], ids=["confirmed", "unconfirmed"])
def test_a_full_disk_is_told_and_nothing_half_written(
    options: MakeOptions, session: Session, mounted: Callable[[str], Path], flag: str
) -> None:
    folder = mounted("size=64k")
    store = FindingStore(options(f"--findings={folder}", *filter(None, [flag])), session)
    store.prepare()
    disk = os.statvfs(folder)
    (folder / "filler").write_bytes(bytes(disk.f_bavail * disk.f_frsize))
    with pytest.raises(FindingsError) as caught:
        store.keep(doubled(), "wrong-answer")
    one_line(caught.value, folder, os.strerror(errno.ENOSPC))
    assert [name for name in left_behind(folder) if name not in ("filler", "unconfirmed")] == []
    assert session.findings() == []


@pytest.mark.parametrize("flag", [PLANTED, ""], ids=["confirmed", "unconfirmed"])
def test_a_rename_that_fails_is_told_and_leaves_nothing(
    options: MakeOptions, session: Session, monkeypatch: pytest.MonkeyPatch, flag: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    store = FindingStore(options(*filter(None, [flag])), session)
    store.prepare()
    monkeypatch.setattr(os, "rename", full)
    with pytest.raises(FindingsError) as caught:
        store.keep(doubled(), "wrong-answer")
    one_line(caught.value, options().findings, os.strerror(errno.ENOSPC))
    assert [name for name in left_behind(options().findings) if name != "unconfirmed"] == []
    assert session.findings() == []


def test_what_is_known_already_takes_no_room_from_what_is_not(options: MakeOptions, session: Session) -> None:
    store = FindingStore(options(FORGETFUL, "--per-bucket=1"), session)
    store.prepare()
    assert store.keep(SAT.encode(), "wrong-model") is not None  # wrong with the transforms off too
    assert not store.has_room("wrong-model", (), known=False)
    assert store.has_room("wrong-model", (), known=True)
