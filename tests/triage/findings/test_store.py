"""The findings folder: whole or not there, and enough to show a finding with nothing but released solvers."""

import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.mutators.recipe import decode, digest
from chcfuzz.triage.examine.conclusion import End
from chcfuzz.triage.examine.confirm import Confirmation, confirm
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings import store as store_module
from chcfuzz.triage.findings.folder import headline
from chcfuzz.triage.findings.record import FORMAT, Finding
from chcfuzz.triage.findings.store import DROPPED, SURPLUS, FindingsError, FindingStore, drop

from tests.campaign.conftest import UNSAT, doubled
from tests.triage.examine.test_confirm import WRONG, solving
from tests.triage.examine.test_examination import SAT

Z3 = Path(sys.executable).parent / "z3"
ALWAYS = {"README.txt", "mutant.smt2", "seed.smt2", "show.sh", "ask_cvc5.py", "ask_z3.py", "recipe", "record.json"}


@pytest.fixture(scope="module")
def wrong_answer() -> Confirmation:
    """The confirmation of a planted bug."""
    return confirm(replace(WRONG, solving=("--rlimit=100000",)), solving("PlantedSpacer"))


@pytest.fixture(scope="module")
def wrong_model() -> Confirmation:
    """The confirmation of a planted wrong model."""
    return confirm(Suspicion(SAT.encode(), "wrong-model", "model", "sat", "sat"), solving("ForgetfulSpacer"))


@pytest.fixture
def store(tmp_path: Path) -> FindingStore:
    """A store that is ready."""
    store = FindingStore(tmp_path / "found", per_bucket=2)
    store.prepare()
    return store


def kept(store: FindingStore, confirmation: Confirmation) -> Path:
    folder = store.keep(confirmation)
    assert folder is not None
    return folder


def another(confirmation: Confirmation, number: int, **changed: Any) -> Confirmation:
    """The same conclusion about another unit."""
    unit = doubled(bytes([number]), seed=SAT)
    signature = replace(confirmation.signature, **changed)
    return replace(confirmation, conclusion=replace(confirmation.conclusion, unit=unit, signature=signature))


def left_behind(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_a_wrong_answer_is_kept_with_the_documented_files(store: FindingStore, wrong_answer: Confirmation) -> None:
    folder = kept(store, wrong_answer)
    assert folder.name == f"{wrong_answer.signature.name}-{digest(WRONG.unit)[:12]}"
    assert {file.name for file in folder.iterdir()} == ALWAYS | {"model.smt2"}
    assert (folder / "recipe").read_bytes() == WRONG.unit
    assert parse((folder / "seed.smt2").read_text(), "seed").clauses == parse(SAT, "seed").clauses
    assert parse((folder / "mutant.smt2").read_text(), "mutant").status == "sat"
    assert left_behind(store.folder) == sorted(
        [folder.name, *(f"{folder.name}/{file.name}" for file in folder.iterdir())]
    )  # nothing temporary


def test_its_readme_has_a_line_on_every_file(store: FindingStore, wrong_answer: Confirmation) -> None:
    folder = kept(store, wrong_answer)
    lines = (folder / "README.txt").read_text().splitlines()
    assert headline(wrong_answer) in lines[0]
    named = {line.split()[0] for line in lines[2:]}
    assert named == {file.name for file in folder.iterdir()} - {"README.txt"}


def test_only_its_record_holds_a_witness_of_many_values(store: FindingStore, wrong_model: Confirmation) -> None:
    words = "clause 1 is false under the model at " + ", ".join(f"x{number} = {number}" for number in range(150))
    wide = replace(wrong_model, conclusion=replace(wrong_model.conclusion, words=words))
    assert len(headline(wide)) < 320
    folder = kept(store, wide)
    assert Finding.read(folder).record.witness == words
    for name in ("README.txt", "show.sh"):
        assert max(map(len, (folder / name).read_text().splitlines())) < 400


def test_its_record_holds_answers_evidence_and_configurations(store: FindingStore, wrong_answer: Confirmation) -> None:
    record = json.loads((kept(store, wrong_answer) / "record.json").read_text())
    assert record["format"] == FORMAT
    assert (record["kind"], record["answer"], record["expected"]) == ("wrong-answer", "unsat", "sat")
    assert record["witness"] == "the model of the seed, carried along the chain, holds in every clause"
    assert record["witness_for"] == "sat"
    assert record["seed"] == {"status": "sat", "ground": "declared"}
    assert record["answers_along_the_chain"] == ["sat", "unsat"]
    assert record["cause"]["parts_at"] == "boolean.dup-and"
    assert record["tried"]["transforms off"] == "sat"
    assert record["solving"] == ["--rlimit=100000"]
    assert [step["mutation"] for step in record["chain"]] == ["boolean.dup-and"]
    assert record["parameters"] == {}


def shown(folder: Path) -> list[str]:
    done = subprocess.run(
        [str(folder / "show.sh")],
        cwd="/",
        env={**os.environ, "Z3": str(Z3), "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_its_script_reproduces_it_with_z3_and_cvc5_alone(store: FindingStore, wrong_answer: Confirmation) -> None:
    lines = shown(kept(store, wrong_answer))
    seen = ["mutant.smt2: unsat was seen here, sat is right:", "sat", "mutant.smt2, run as a library:", "sat"]
    assert lines[:4] == seen  # the bug is planted, not Z3's
    clauses = len(parse(SAT, "seed").clauses)
    assert [line for line in lines[4:] if line in ("sat", "unsat", "unknown")] == ["unsat"] * 2 * clauses
    assert lines[4] == "model.smt2: unsat for each clause, because the model holds (Z3):"
    assert "model.smt2 (cvc5):" in lines


def test_a_wrong_model_is_kept_with_its_evidence(store: FindingStore, wrong_model: Confirmation) -> None:
    folder = kept(store, wrong_model)
    assert {file.name for file in folder.iterdir()} == ALWAYS | {"evidence.smt2"}
    lines = shown(folder)
    assert lines[:2] == ["mutant.smt2: sat was seen here:", "sat"]
    after = lines.index("evidence.smt2: sat, because the model that the solver gave is wrong (Z3):")
    assert [line for line in lines[after:] if line in ("sat", "unsat")] == ["sat", "sat"]
    record = json.loads((folder / "record.json").read_text())
    assert record["scope"]["switches"] == "all options default"
    assert record["cvc5"]["evidence"] == "sat"
    assert "is false under the model" in record["witness"]


def test_a_contradiction_keeps_its_suspicion(store: FindingStore, wrong_answer: Confirmation) -> None:
    kind = "contradiction"
    facts: dict[str, Any] = {"end": End.CONTRADICTION, "kind": kind, "witness": None}
    signature = replace(wrong_answer.signature, kind=kind)
    conclusion = replace(wrong_answer.conclusion, signature=signature, **facts)
    folder = kept(store, replace(wrong_answer, conclusion=conclusion))
    assert {file.name for file in folder.iterdir()} == ALWAYS | {"suspicion.json"}
    assert Suspicion.read((folder / "suspicion.json").read_bytes()) == wrong_answer.suspicion


def test_a_full_signature_takes_no_room_from_another_one(store: FindingStore, wrong_answer: Confirmation) -> None:
    first = another(wrong_answer, 1)
    assert [store.keep(another(wrong_answer, number)) is not None for number in range(1, 4)] == [True, True, False]
    assert store.keep(first) is not None  # it is there
    assert not store.has_room(wrong_answer.signature)
    assert store.full(wrong_answer.signature.seed) == [wrong_answer.signature.name]
    changes: list[dict[str, Any]] = [{"cures": ()}, {"parts_at": "seed"}, {"theories": ("BV",)}, {"default": False}]
    for number, facts in enumerate(changes, 4):
        assert store.keep(another(wrong_answer, number, **facts)) is not None
    assert len(list(store.folder.iterdir())) == 6


def test_a_bug_on_many_seeds_has_few_findings_and_a_full_seed_takes_no_room_from_others(
    store: FindingStore, wrong_answer: Confirmation
) -> None:
    same_seed = [store.keep(another(wrong_answer, number)) is not None for number in range(1, 5)]
    assert same_seed == [True, True, False, False]
    assert store.full(wrong_answer.signature.seed) == [wrong_answer.signature.name]
    assert store.full("another") == []
    other_seeds = [store.keep(another(wrong_answer, number, seed=str(number))) is not None for number in range(5, 20)]
    assert other_seeds == [True, True, *[False] * 13]
    assert store.full("another") == [wrong_answer.signature.name]


def test_a_finding_of_another_release_does_not_hide_the_same_one(
    store: FindingStore, wrong_answer: Confirmation
) -> None:
    newer = replace(wrong_answer.signature, solver="Spacer 99.0.0.0")
    first = kept(store, wrong_answer)
    second = kept(store, replace(wrong_answer, conclusion=replace(wrong_answer.conclusion, signature=newer)))
    assert first != second


def test_a_unit_beyond_the_share_is_kept_until_there_is_room(
    store: FindingStore, wrong_answer: Confirmation, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in (1, 2):
        kept(store, another(wrong_answer, number))
    store.keep_unit(WRONG, wrong_answer.signature)
    monkeypatch.setattr(store_module, "MOST_ALIKE", 1)
    store.keep_unit(replace(WRONG, unit=doubled(b"\7", seed=UNSAT)), wrong_answer.signature)  # beyond MOST_ALIKE
    assert store.kept_units() == []
    (file,) = FindingStore(store.folder, 3).kept_units()
    assert Suspicion.read(file.read_bytes()) == WRONG


def test_the_kept_units_of_a_seed_take_no_room_from_those_of_other_seeds(
    store: FindingStore, wrong_answer: Confirmation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "MOST_OF_SEED", 2)
    for seed in (SAT, UNSAT):
        for number in range(4):
            store.keep_unit(replace(WRONG, unit=doubled(bytes([number]), seed=seed)), wrong_answer.signature)
    kept = [Suspicion.read(path.read_bytes()) for path in store.kept_units()]
    assert (
        sorted(decode(found.unit).seed == decode(WRONG.unit).seed for found in kept if found)
        == [False] * 2 + [True] * 2
    )


def test_two_stores_with_the_same_unit_keep_it_once(store: FindingStore, wrong_answer: Confirmation) -> None:
    folder = kept(store, wrong_answer)
    written = (folder / "record.json").stat().st_ino
    assert FindingStore(store.folder, 2).keep(wrong_answer) == folder
    assert (folder / "record.json").stat().st_ino == written
    assert list(store.folder.iterdir()) == [folder]


def test_an_unconfirmed_unit_is_stored_with_its_suspicion(store: FindingStore) -> None:
    aside = store.put_aside(WRONG)
    assert aside == store.folder / "unconfirmed" / f"wrong-answer-{digest(WRONG.unit)[:12]}"
    assert aside.read_bytes() == WRONG.unit
    assert Suspicion.read(aside.with_suffix(".json").read_bytes()) == WRONG


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


def test_a_read_only_disk_is_reported_before_the_campaign_begins(mounted: Callable[[str], Path]) -> None:
    folder = mounted("ro,size=64k")
    for findings in (folder, folder / "new"):
        with pytest.raises(FindingsError) as caught:
            FindingStore(findings, 5).prepare()
        one_line(caught.value, findings, os.strerror(errno.EROFS))


def test_a_full_disk_is_reported_and_no_partial_finding_is_left(
    mounted: Callable[[str], Path], wrong_answer: Confirmation
) -> None:
    folder = mounted("size=64k")
    store = FindingStore(folder, 5)
    store.prepare()
    disk = os.statvfs(folder)
    (folder / "filler").write_bytes(bytes(disk.f_bavail * disk.f_frsize))
    for write in (lambda: store.keep(wrong_answer), lambda: store.put_aside(WRONG)):
        with pytest.raises(FindingsError) as caught:
            write()
        one_line(caught.value, folder, os.strerror(errno.ENOSPC))
    assert [name for name in left_behind(folder) if name not in ("filler", "unconfirmed")] == []


def test_a_failed_rename_is_reported_and_leaves_nothing(
    store: FindingStore, wrong_answer: Confirmation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "rename", full)
    for write in (lambda: store.keep(wrong_answer), lambda: store.put_aside(WRONG)):
        with pytest.raises(FindingsError) as caught:
            write()
        one_line(caught.value, store.folder, os.strerror(errno.ENOSPC))
    assert [name for name in left_behind(store.folder) if name != "unconfirmed"] == []


def test_the_surplus_takes_as_many_findings_of_a_signature_again(tmp_path: Path, wrong_answer: Confirmation) -> None:
    store = FindingStore(tmp_path / "found", 2, surplus=True)
    where = [store.keep(another(wrong_answer, number)) for number in range(1, 6)]
    assert [path and path.parent.name for path in where] == ["found", "found", SURPLUS, SURPLUS, None]
    assert store.full(wrong_answer.signature.seed) == [wrong_answer.signature.name]
    shutil.rmtree(where[3] or tmp_path)
    assert store.full(wrong_answer.signature.seed) == []
    assert FindingStore(store.folder, 2).full(wrong_answer.signature.seed) == [wrong_answer.signature.name]


def test_a_dropped_finding_is_not_kept_again(store: FindingStore, wrong_answer: Confirmation) -> None:
    for number in (1, 2):
        drop(store.folder, kept(store, another(wrong_answer, number)))
    assert left_behind(store.folder) == [DROPPED]
    assert not store.has_room(wrong_answer.signature)
    assert store.keep(another(wrong_answer, 3)) is None
