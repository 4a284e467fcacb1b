"""Commands on questions, whose answers are terms: a minimized corpus keeps them, and an import keeps faulty ones."""

import json
from pathlib import Path

import pytest

from tests.domains.smt.test_planted import CHCFUZZ, run

RIGHT = (
    """(set-info :chcfuzz-part "(core)")
(declare-const p Bool)(declare-const q Bool)
(assert (xor p q))
(assert (= p q))
(assert (or p q))
""",
    """(set-info :chcfuzz-part "(simplify () ((i 2) (j 2)))")
(declare-const i Int)(declare-const j Int)
(assert (not (< (* 2 (div j 2)) (mod (+ i (ite (<= j 0) 0 i)) 3))))
""",
    """(set-info :chcfuzz-part "(implicant () ((r 1.0) (i 2)))")
(declare-const r Real)(declare-const i Int)
(assert (or (< 2.0 r) (and (<= i 2) (= r 1.0))))
""",
)
LOST = """(set-info :chcfuzz-part "(implicant () ((i 1) (r 0.0) (s 2.0)))")
(declare-const i Int)(declare-const r Real)(declare-const s Real)
(assert (and (distinct 3 2 i) (distinct r s 1.0)))
"""


@pytest.mark.slow
def test_questions_are_imported_and_minimized(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "lost.smt2").write_text(LOST)
    for number, question in enumerate(RIGHT):
        (tmp_path / "corpus" / f"right{number}.smt2").write_text(question)
    printed = run(tmp_path, *CHCFUZZ, "import", "corpus", "--domain=parts", "--into=imported", "--json")
    assert json.loads(printed)["files"] == {"imported": len(RIGHT), "in doubt": 1}
    assert len(list((tmp_path / "imported").iterdir())) == len(RIGHT) + 1
    run(tmp_path, *CHCFUZZ, "minimize", "imported", "small", "--domain=parts")
    assert len(list((tmp_path / "small").iterdir())) == len(RIGHT) + 1
