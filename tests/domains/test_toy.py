"""The machine knows nothing of Horn clauses: a campaign on a toy domain finds a planted bug, reduces and reports it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from chcfuzz.grammar.reading import parse
from chcfuzz.mutators import roots

from tests.domains.toy import DOMAIN, SIMPLIFIER, difference, has_bug, models, simplified
from tests.targets import ROOT, SAFETY_NET

SEED = """(set-info :status sat)
(declare-const p Bool)
(declare-const q Bool)
(declare-const r Bool)
(assert (or p (and q (not r))))
(assert (xor p q))
(check-sat)
"""


def test_the_page_on_domains_ends_in_the_toy_domain() -> None:
    page = (ROOT / "docs" / "adding-a-domain.md").read_text()
    assert page.endswith(f"```python\n{(ROOT / 'tests' / 'domains' / 'toy.py').read_text()}```\n")


def run(folder: Path, *words: str) -> str:
    """Run a program in a folder; return its output."""
    path = os.pathsep.join((str(ROOT), os.environ.get("PYTHONPATH", "")))
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=SAFETY_NET,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_campaign_finds_the_planted_bug_and_triage_reduces_and_reports_it(tmp_path: Path) -> None:
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "seed.smt2").write_text(SEED)
    out = run(tmp_path, str(ROOT / "tests" / "domains" / "toy_target.py"), "seeds", "-runs=40", "-seed=1")
    summary = json.loads(out.splitlines()[-1].removeprefix("chcfuzz-summary: "))
    assert summary["findings"].keys() == {"wrong-answer"}
    assert (summary["own_errors"], summary["stability"]) in ((0, 1.0), (0, None))
    found = sorted((tmp_path / "findings").glob("wrong-answer-*"))[0]
    record = json.loads((found / "record.json").read_text())
    assert f"--domain={DOMAIN.name}" in record["solving"]
    assert (record["answer"], record["witness"]) == ("unsat", "the truth table decides")
    assert (found / "README.txt").read_text().startswith("toy: wrong answer (")
    assert not list(found.glob("ask_*.py"))

    chcfuzz = ("-c", "import sys; from chcfuzz.commands.main import main; sys.exit(main())")
    assert run(tmp_path, *chcfuzz, "reduce", str(found), f"--domain={DOMAIN.name}").startswith("reduced: ")
    reduced = parse.problem((found / "reduced.smt2").read_text())
    assert len(reduced.assertions) == 1
    assert has_bug(reduced)
    assert next(models(reduced), None) is not None

    run(tmp_path, *chcfuzz, "report", str(found), "--no-bisect", "--out", "report", f"--domain={DOMAIN.name}")
    report = (tmp_path / "report" / "report.md").read_text()
    assert report.startswith("# toy: unsat instead of sat (Bool, default options)")
    assert (found / "reduced.smt2").read_text().strip() in report


@pytest.mark.slow
def test_an_answer_that_is_a_term_is_judged_confirmed_and_reduced(tmp_path: Path) -> None:
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "seed.smt2").write_text(SEED)
    target = (str(ROOT / "fuzz_targets" / "campaign.py"), f"--domain={SIMPLIFIER.name}")
    out = run(tmp_path, *target, "seeds", "-runs=40", "-seed=1")
    summary = json.loads(out.splitlines()[-1].removeprefix("chcfuzz-summary: "))
    assert summary["findings"].keys() == {"wrong-result"}
    assert summary["own_errors"] == 0
    found = sorted((tmp_path / "findings").glob("wrong-result-*"))[0]
    record = json.loads((found / "record.json").read_text())
    assert record["answer"] == "result"
    assert "(assert (xor" in (found / "evidence.smt2").read_text()
    assert (found / "show.sh").read_text().count("chcfuzz replay mutant.smt2") == 1

    chcfuzz = ("-c", "import sys; from chcfuzz.commands.main import main; sys.exit(main())")
    assert run(tmp_path, *chcfuzz, "reduce", str(found), f"--domain={SIMPLIFIER.name}").startswith("reduced: ")
    reduced = parse.problem((found / "reduced.smt2").read_text())
    assert has_bug(reduced)
    assert difference(reduced, simplified(reduced)) is not None


def test_an_unknown_domain_is_an_error_in_one_line() -> None:
    with pytest.raises(roots.DomainError, match=r"no domain 'nothing': .*; write chc, smt, interpolation, parts, or "):
        roots.load("nothing")
    with pytest.raises(roots.DomainError, match=r"no domain 'tests\.domains\.toy:NOTHING'"):
        roots.load("tests.domains.toy:NOTHING")
