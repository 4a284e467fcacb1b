"""A campaign finds a planted bug; the same campaign without it finds nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.quality.planted import repeats_a_member
from tests.targets import SAFETY_NET, WALL

ROOT = Path(__file__).resolve().parents[2]
SEEDS = {  # all sat: a model shows that an unsat is wrong
    "counter": """(set-logic HORN)
(set-info :status sat)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (inv x y))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (inv x y) (< x 5) (= z (+ x 1))) (inv z y))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (> y 3)) false)))
(check-sat)
""",
    "switch": """(set-logic HORN)
(set-info :status sat)
(declare-fun on (Bool Int) Bool)
(assert (forall ((b Bool) (n Int)) (=> (and b (> n 0)) (on b n))))
(assert (forall ((b Bool) (n Int)) (=> (and (on b n) (< n 100)) (on b (+ n 1)))))
(assert (forall ((b Bool) (n Int)) (=> (and (on b n) (or (not b) (< n 0))) false)))
(check-sat)
""",
}


def campaign(folder: Path, seed: int, executions: int, *flags: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Run a campaign on `SEEDS`; return its summary and the records of its findings."""
    corpus = folder / "seeds"
    corpus.mkdir()
    for name, text in SEEDS.items():
        (corpus / f"{name}.smt2").write_text(text)
    target = [
        sys.executable,
        str(ROOT / "fuzz_targets" / "spacer.py"),
        str(corpus),
        "--findings=found",
        WALL,
        "--rlimit=20000",  # the seeds take 2,000
        "--per-bucket=2",
        "--kinds=own,rewrite,parameter",  # the mutation that shows the bug is of one of these kinds
    ]
    done = subprocess.run(
        [*target, f"-runs={executions}", f"-seed={seed}", *flags],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), os.environ.get("PYTHONPATH", "")))},
        capture_output=True,
        text=True,
        errors="replace",
        timeout=SAFETY_NET,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout.splitlines()[-1].removeprefix("chcfuzz-summary: "))
    records = [json.loads(record.read_text()) for record in sorted((folder / "found").glob("*/record.json"))]
    return summary, records


EXECUTIONS = 1200


def test_no_seed_shows_the_bug() -> None:
    assert not any(repeats_a_member(text) for text in SEEDS.values())
    assert repeats_a_member(SEEDS["counter"].replace("(= y 0)", "(= x 0)"))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in (1, 2, 4)), 3])
def test_the_planted_bug_is_found_and_not_reported_without_it(tmp_path: Path, seed: int) -> None:
    # Only wrong answers are compared: Z3 itself has wrong models under some parameters.
    (tmp_path / "planted").mkdir()
    (tmp_path / "plain").mkdir()
    summary, records = campaign(
        tmp_path / "planted", seed, EXECUTIONS, "--solver", "tests.quality.planted:PlantedSpacer"
    )
    found = [record for record in records if record["kind"] == "wrong-answer"]
    assert summary["findings"].get("wrong-answer", 0) == len(found) > 0
    for record in found:
        answers = (record["expected"], record["runs"]["given"]["status"])
        assert answers in (("sat", "unsat"), ("unsat", "sat"))
        if answers == ("sat", "unsat"):
            assert record["witness_for"] == "sat"
        else:
            assert "refutation" in record["witness"]
    assert any(not record["parameters"] for record in found), "the bug needs no parameter"

    summary, records = campaign(tmp_path / "plain", seed, EXECUTIONS)
    assert "wrong-answer" not in summary["findings"]
    assert not list((tmp_path / "plain" / "found").glob("**/wrong-answer-*"))
