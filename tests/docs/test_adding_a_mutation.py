"""The example of docs/adding-a-mutation.md is complete: its row makes the mutant of its case, and declines another."""

import re
from typing import Any

from chcfuzz.grammar import terms
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.mutators.families import shapes

from tests.mutators.families import test_shapes
from tests.targets import ROOT


def test_the_example_makes_the_mutant_of_its_case_and_declines_the_other() -> None:
    page = (ROOT / "docs" / "adding-a-mutation.md").read_text()
    functions, rows, cases, declined, *_ = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {**vars(terms), **vars(shapes), **vars(test_shapes)}
    exec(functions, names)
    (row,) = eval(rows, names)
    ((name, choices, before, after),) = eval(cases, names)
    ((refused, text),) = eval(f"{{{declined}}}", names).items()
    assert row.id == f"shapes.{name}" == f"shapes.{refused}"
    system = parse(f"{test_shapes.DECLARED}{before}")
    assert row.applies(system)
    assert row.rewrite(system, Choices(choices)) == parse(f"{test_shapes.DECLARED}{after}")
    assert not row.applies(parse(f"{test_shapes.DECLARED}{text}"))
