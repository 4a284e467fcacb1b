"""A theory from outside is read, printed, typed, drawn, evaluated, reduced and learned."""

import re
import subprocess
import sys
from pathlib import Path

from tests.targets import ROOT


def test_a_theory_from_outside_works_in_every_part() -> None:
    """A process of its own registers the theory, since the tables of this one must stay those of the project."""
    checks = Path(__file__).with_name("check_counters.py")
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", str(checks)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_is_short() -> None:
    text = Path(__file__).with_name("counters.py").read_text()
    assert len(text.splitlines()) < 120


def test_the_page_shows_its_code() -> None:
    code = Path(__file__).with_name("counters.py").read_text()
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "adding-a-theory.md").read_text(), re.DOTALL)
    assert len(blocks) == 3
    assert [block for block in blocks if block not in code] == []
