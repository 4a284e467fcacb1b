"""Answers of Spacer to systems over sorts that the logic HORN does not have."""

from typing import Any

import z3
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading import parse


def answer_to(text: str) -> Any:
    """Return Spacer's answer to the printed text of a system, which reads back and sets no logic."""
    system = parse.parse(text)
    printed = print_system(system)
    assert parse.parse(printed) == system
    assert "set-logic" not in printed
    solver = z3.SolverFor("HORN", ctx=z3.Context())
    solver.from_string(printed)
    return solver.check()
