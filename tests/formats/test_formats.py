"""Stored files of every format that was ever written can be read. Recipes: tests/mutators/test_recipe.py."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.campaign.runs import reached_functions, run_folder, run_statistics
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.campaign.worker import learned_policy
from chcfuzz.cluster import pack
from chcfuzz.execution.seed_answers import Ground
from chcfuzz.mutators.recipe import decode
from chcfuzz.triage.buckets import buckets
from chcfuzz.triage.examine import suspicion
from chcfuzz.triage.findings import fix, record, reductions, store, suspicions

from tests.targets import ROOT

SAMPLES = Path(__file__).with_name("samples")
CHCFUZZ = Path(sys.executable).parent / "chcfuzz"


def test_every_format_has_a_sample_and_is_in_contributing() -> None:
    stored = {path.name.removesuffix(".json").removesuffix(".pack") for path in SAMPLES.iterdir()}
    modules = (
        pack,
        learned_policy,
        record,
        reductions,
        suspicion,
        suspicions,
        buckets,
        run_folder,
        reached_functions,
        fix,
    )
    present = [module.FORMAT for module in modules]
    assert {form.removeprefix("chcfuzz-").replace(" ", "-") for form in present} <= stored
    text = (ROOT / "CONTRIBUTING.md").read_text()
    for form in present:
        assert f"`{form}`" in text


@pytest.mark.slow
def test_a_stored_finding_can_be_listed_and_shown(tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "finding-4", tmp_path / "findings" / "wrong-model-stored")
    (finding,) = store.findings_in(tmp_path / "findings")
    found, stored = finding.folder, finding.record
    assert (found.name, stored.kind, stored.z3) == ("wrong-model-stored", "wrong-model", "4.8.14.0")
    sample = json.loads((SAMPLES / "finding-4" / "record.json").read_text())
    # An older version wrote no session, and ran no released solver.
    assert json.loads(stored.to_json()) == {**sample, "session": [], "reproductions": []}
    listed = subprocess.run([CHCFUZZ, "findings"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "clause 1 is false under the model at n = #b000" in listed.stdout
    shown = subprocess.run([CHCFUZZ, "show", str(found)], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert re.search(r"\(loop n #b000\)", shown.stdout)


def test_a_stored_pack_is_read() -> None:
    found = pack.read((SAMPLES / "pack-1.pack").read_bytes(), "slices/1")
    assert [(unit.data, unit.trace) for unit in found.units] == [(b"(check-sat)", 1 << 63), (b"(exit)", None)]
    assert (found.build, found.files, found.numbers) == ("3f3d982f231ebee0", {"state.json": b"{}"}, {"executions": 7})
    assert found.merged == ("slices/00000-00000",)


def test_a_stored_suspicion_is_read() -> None:
    seen = suspicion.Suspicion.read((SAMPLES / "suspicion-1.json").read_bytes())
    assert seen is not None
    assert (seen.kind, seen.oracle, seen.seen, seen.expected) == ("wrong-sat", "answer", "sat", "unsat")
    assert seen.seed is not None
    assert (seen.seed.status, seen.seed.ground) == ("unsat", Ground.ANSWER)
    assert "loop" in decode(seen.unit).seed


def test_stored_counts_of_suspicions_are_read(tmp_path: Path) -> None:
    (tmp_path / suspicions.FOLDER).mkdir()
    shutil.copy(SAMPLES / "counted-1.json", tmp_path / suspicions.FOLDER / suspicions.COUNTED)
    counted = suspicions.Suspicions(tmp_path).counted()
    assert (counted.total, counted.most(1)) == (617, [("crash: it dies of signal 11 (Segmentation fault)", 601)])


def test_a_stored_state_is_read() -> None:
    state: dict[str, Any] | None = learned_policy.read_state(SAMPLES / "state-1.json")
    assert state is not None
    assert state["policy"] == "bandit"
    assert state["rows"]["bait.divide"] == [1, 1]


def test_a_stored_reduction_is_read(tmp_path: Path) -> None:
    (tmp_path / "reduced.json").write_bytes((SAMPLES / "reduced-1.json").read_bytes())
    record = reductions.read_reduction(tmp_path)
    assert record is not None
    assert record.after["clauses"] == 2


def test_a_stored_fix_is_read(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "fix-1.json", tmp_path / "fix.json")
    stored = fix.read_fix(tmp_path)
    assert stored is not None
    assert (stored.cured, len(stored.tested), stored.units) == (1, 1, 402)
    assert stored.findings[0].effect is fix.Effect.CURED


def test_stored_buckets_are_read() -> None:
    (member,) = buckets.read_buckets(SAMPLES / "buckets-1.json")
    assert member.bucket == "wrong-model-BV-f963be"


def test_stored_functions_are_read(tmp_path: Path) -> None:
    (tmp_path / "functions").mkdir()
    shutil.copy(SAMPLES / "functions-1.json", tmp_path / "functions" / "0123456789abcdef")
    found = reached_functions.read(tmp_path, "0123456789abcdef")
    assert found is not None
    assert (found.reached, found.edges, found.never) == ((4096, 4160), (4112, 4128), (4224,))


def test_a_stored_run_can_be_read_and_continued() -> None:
    run = RunFolder(SAMPLES / "run-1")
    program, words = run.begun_with()
    assert program == "spacer"
    assert words[-2:] == ["-runs=40", "-seed=1"]
    ((session,), damaged) = run_statistics.read(run.statistics)
    assert damaged == 0
    assert session.last is not None
    assert session.last["solved"] > 0
    assert session.end is not None
    assert run.seen(run_folder.TRACES, session.head["build"]).size == session.last["traces"]
    assert sum(number for name, number in run.tables().items() if name[0] == "outcome") == session.last["solved"]
