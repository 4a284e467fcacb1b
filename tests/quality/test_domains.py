"""The machine does not distinguish domains, nor solvers in this process from commands."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MACHINE = ("campaign", "commands", "corpus_tools", "dashboard", "execution", "mutators", "tracing", "triage")
IMPLEMENT = ("execution/solving.py",)  # the flags that name the domain and the command


def files() -> Iterator[Path]:
    for room in MACHINE:
        yield from sorted((ROOT / room).rglob("*.py"))


def problems(tree: ast.AST) -> Iterator[str]:
    """Yield the expressions that distinguish domains or commands."""
    for node in ast.walk(tree):
        text = ast.unparse(node) if isinstance(node, ast.Compare | ast.Call) else ""
        if isinstance(node, ast.Attribute) and node.attr.strip("_").startswith("is_command"):
            yield f"line {node.lineno}: {node.attr}"
        elif isinstance(node, ast.Compare):
            sides = [ast.unparse(side) for side in (node.left, *node.comparators)]
            if any(side.endswith(("domain", "domain.name", "solving.command", "pipeline.command")) for side in sides):
                yield f"line {node.lineno}: {text}"
        elif isinstance(node, ast.Call) and re.match(r"isinstance\(.*(Command|Spacer|OutputEvents)", text):
            yield f"line {node.lineno}: {text}"


def test_the_machine_asks_interfaces() -> None:
    found = {
        str(file.relative_to(ROOT)): list(problems(ast.parse(file.read_text())))
        for file in files()
        if str(file.relative_to(ROOT)) not in IMPLEMENT
    }
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "text",
    [
        "x = solver.is_command",
        "if domain.name == 'chc': pass",
        "if solving.domain is None: pass",
        "y = pipeline.command is None",
        "isinstance(source, OutputEvents)",
    ],
)
def test_a_question_about_the_kind_is_noticed(text: str) -> None:
    assert list(problems(ast.parse(text)))
