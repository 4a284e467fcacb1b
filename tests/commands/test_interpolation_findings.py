"""Commands on findings and problems of interpolating solvers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from chcfuzz.domains.interpolation.roots import BUILT_IN

from tests.commands.test_chcfuzz import chcfuzz
from tests.targets import ROOT

SAMPLE = ROOT / "tests" / "formats" / "samples" / "finding-4"
PROBLEM = BUILT_IN[1]  # over bit-vectors


@pytest.mark.slow
def test_regress_of_a_finding_needs_no_domain(tmp_path: Path) -> None:
    finding = tmp_path / "findings" / "crash-default-ae45d9-17e53695dc4b"
    shutil.copytree(SAMPLE, finding)
    (finding / "recipe").write_text(PROBLEM)
    record = json.loads((finding / "record.json").read_text())
    record["solving"] = ["--domain=interpolation", "--solvers=bitwuzla"]
    (finding / "record.json").write_text(json.dumps(record))
    done = chcfuzz(tmp_path, "regress", finding, "--against=spacer")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "1 unit: 1 same"), done.stderr


@pytest.mark.slow
def test_a_release_that_cannot_be_fetched_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    (tmp_path / "pair.smt2").write_text(PROBLEM)
    flags = ("--domain=interpolation", "--solver=bitwuzla@0.99.0")
    done = chcfuzz(tmp_path, "replay", "pair.smt2", *flags)
    assert done.returncode == 2
    fetching, missing = done.stderr.splitlines()
    assert fetching.startswith("chcfuzz: fetching bitwuzla 0.99.0 into ")
    assert missing.startswith("chcfuzz: pip finds no wheel of bitwuzla '0.99.0'")
