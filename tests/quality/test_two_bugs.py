"""Two bugs under the same parameters: the frequent one does not hide the rare one."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from chcfuzz.mutators.recipe import Recipe, Step, encode

from tests.quality.test_planted_bug import SEEDS
from tests.targets import Run

TWICE_WRONG = "--solver=tests.quality.planted:TwiceWrongSpacer"
SEED = SEEDS["counter"]


@pytest.mark.slow
def test_the_frequent_one_comes_first_and_both_are_in_the_folder(run: Run, tmp_path: Path) -> None:
    corpus = tmp_path / "units"
    corpus.mkdir()
    frequent = [
        Recipe(SEED, (Step("boolean.dup-and", bytes([place, member])),)) for place in (0, 1) for member in (0, 1)
    ]
    rare = Recipe(SEED, (Step("rules.add-lin-rule", bytes([1, 0])),))
    for number, recipe in enumerate([*frequent, rare]):
        (corpus / str(number)).write_bytes(encode(recipe))
    done = run(TWICE_WRONG, "--per-bucket=1", "--finish-seconds=3600", "-runs=6", corpus)
    assert done.code == 0, done.err
    assert done.summary["suspicions"]["seen"] >= 3
    records = [json.loads(file.read_text()) for file in sorted(tmp_path.glob("findings/*/record.json"))]
    causes = {(record["kind"], record["cause"]["parts_at"]): record["cause"]["cures"] for record in records}
    assert set(causes) == {("wrong-answer", "boolean.dup-and"), ("wrong-answer", "rules.add-lin-rule")}
    assert all(record["parameters"] == {} for record in records)
    (of_frequent, of_rare) = (causes["wrong-answer", row] for row in ("boolean.dup-and", "rules.add-lin-rule"))
    assert "fp.xform.slice=false" in of_frequent
    assert "fp.xform.slice=false" not in of_rare
    assert "fp.xform.inline_eager=false" in of_rare
    assert "fp.xform.inline_eager=false" not in of_frequent


@pytest.mark.slow
def test_a_suspicion_that_waits_at_the_end_can_be_confirmed_by_a_command(run: Run, tmp_path: Path) -> None:
    """Both suspicions come from the same mutation, so the campaign treats them as alike."""
    corpus = tmp_path / "units"
    corpus.mkdir()
    steps = (Step("boolean.dup-and", b"\0\0"), Step("rules.add-lin-rule", bytes([1, 0])))
    for number, chain in enumerate((steps, steps[1:])):
        (corpus / str(number)).write_bytes(encode(Recipe(SEED, chain)))
    done = run(TWICE_WRONG, "--per-bucket=1", "--finish-seconds=3600", "-runs=3", corpus)
    assert done.code == 0, done.err
    command = [str(Path(sys.executable).parent / "chcfuzz"), "confirm", "findings", "--per-bucket=1", TWICE_WRONG]
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False)
    assert again.returncode == 0, again.stderr
    assert again.stdout.splitlines()[-1] == "0 suspicions wait"
    rows = [json.loads(file.read_text())["cause"]["parts_at"] for file in tmp_path.glob("findings/*/record.json")]
    assert sorted(rows) == ["boolean.dup-and", "rules.add-lin-rule"]


@pytest.mark.slow
def test_with_triage_each_has_its_bucket_and_the_folder_keeps_the_limit_per_bucket(run: Run, tmp_path: Path) -> None:
    corpus = tmp_path / "units"
    corpus.mkdir()
    chains = [(Step("boolean.dup-and", bytes([place, member])),) for place in (0, 1) for member in (0, 1)]
    chains.append((Step("rules.add-lin-rule", bytes([1, 0])),))
    for name, seed in SEEDS.items():
        for number, chain in enumerate(chains):
            (corpus / f"{name}-{number}").write_bytes(encode(Recipe(seed, chain)))
    flags = ("--triage", "--triage-tests=60", "--per-bucket=1", "--finish-seconds=3600")
    executed = len(list(corpus.iterdir())) + 1  # libFuzzer's empty unit; no mutant
    done = run(TWICE_WRONG, *flags, f"-runs={executed}", corpus)
    assert done.code == 0, done.err
    assert done.err.count(" is new: ") == 2
    assert "chcfuzz: 2 buckets of " in done.err
    records = [json.loads(file.read_text()) for file in sorted(tmp_path.glob("findings/*/record.json"))]
    assert sorted(record["cause"]["parts_at"] for record in records) == ["boolean.dup-and", "rules.add-lin-rule"]
    other = tmp_path / "other"
    other.mkdir()
    for name, seed in SEEDS.items():
        (other / name).write_bytes(encode(Recipe(seed, (Step("order.shuffle-clauses", b"\1\2\3"), *chains[0]))))
    again = run(TWICE_WRONG, *flags, "--stop-on-finding", "-runs=3", other)
    assert again.code == 0, again.err  # both are known
