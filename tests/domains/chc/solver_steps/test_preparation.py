"""Processes that fork a child for each run load all that it needs before."""

import subprocess
import sys

from tests.targets import ROOT

SEED = ROOT / "corpus/lia/bank-transfer-unsafe.smt2"
PROGRAM = f"""
import sys
from pathlib import Path
from chcfuzz.domains.chc.solver_steps import judge_worker, worker
from chcfuzz.execution.solving import Solving
from chcfuzz.solvers.z3_release import activate

activate()
worker.load(Solving())
judge_worker.load()
before = set(sys.modules)
text = Path({str(SEED)!r}).read_text()
run = worker.StepsObserver(Solving()).with_facts(worker.StepsQuery(text, ()))
assert judge_worker.reply_to(run).steps
print(*(name for name in sys.modules.keys() - before if name.startswith("chcfuzz.")))
"""


def test_a_run_and_a_judgement_import_nothing_more() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
