"""Commands on questions, whose answers are terms: a minimized corpus keeps them, and an import keeps faulty ones."""

import json
import shutil
from pathlib import Path

import pytest

from tests.domains.smt.test_planted import CHCFUZZ, run
from tests.targets import ROOT

NAMES = ("core-truths", "simplify-integers", "implicant-reals")
LOST = """(set-info :chcfuzz-part "(implicant () ((i 1) (r 0.0) (s 2.0)))")
(declare-const i Int)(declare-const r Real)(declare-const s Real)
(assert (and (distinct 3 2 i) (distinct r s 1.0)))
"""


@pytest.mark.slow
def test_questions_are_imported_and_minimized(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "lost.smt2").write_text(LOST)
    for name in NAMES:
        shutil.copy(ROOT / "corpus-parts" / "drawn" / f"{name}.smt2", tmp_path / "corpus")
    printed = run(tmp_path, *CHCFUZZ, "import", "corpus", "--domain=parts", "--into=imported", "--json")
    assert json.loads(printed)["files"] == {"imported": len(NAMES), "in doubt": 1}
    assert len(list((tmp_path / "imported").iterdir())) == len(NAMES) + 1
    run(tmp_path, *CHCFUZZ, "minimize", "imported", "small", "--domain=parts")
    assert len(list((tmp_path / "small").iterdir())) == len(NAMES) + 1
