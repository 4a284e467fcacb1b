"""Names, links and systems in the documents exist, and the short documents stay short."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from chcfuzz.grammar.reading.parse import parse

from tests.docs.documents import DOCUMENTS, Block, blocks, prose
from tests.sources import listed
from tests.targets import ROOT

LINES = {"README.md": 150, "ARCHITECTURE.md": 100}
_NAMED = re.compile(r"`([^`\s]+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def shown(file: Path) -> str:
    return str(file.relative_to(ROOT))


@cache
def tracked() -> frozenset[str]:
    """Return the files and folders of the project."""
    return frozenset(str(path) for file in listed() for path in (file, *file.parents))


@cache
def classes() -> frozenset[str]:
    """Return the names of all classes of the project."""
    sources = [(ROOT / file).read_text() for file in tracked() if file.endswith(".py")]
    nodes = (node for source in sources for node in ast.walk(ast.parse(source)))
    return frozenset(node.name for node in nodes if isinstance(node, ast.ClassDef))


@pytest.mark.parametrize("file", DOCUMENTS, ids=shown)
def test_every_path_in_a_document_exists(file: Path) -> None:
    folders = {path for path in tracked() if path != "." and "/" not in path and (ROOT / path).is_dir()}
    for name in _NAMED.findall(prose(file)):
        if name.partition("/")[0] in folders and "/" in name:
            assert name.rstrip("/") in tracked() or any(ROOT.glob(name)), f"{shown(file)} names {name}"


@pytest.mark.parametrize("file", DOCUMENTS, ids=shown)
def test_every_link_leads_somewhere(file: Path) -> None:
    for link in _LINK.findall(prose(file)):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = (file.parent / name).resolve() if name else file
        assert shown(target) in tracked(), f"{shown(file)} links to {link}"
        if anchor:
            headings = re.findall(r"^#+ (.*)$", prose(target), re.MULTILINE)
            assert anchor in map(_anchor, headings), f"{shown(file)} links to {link}"


def test_every_page_is_linked_from_another_one() -> None:
    links = {(file, file.parent / link.partition("#")[0]) for file in DOCUMENTS for link in _LINK.findall(prose(file))}
    linked = {target.resolve() for file, target in links if target.resolve() != file}
    assert not [shown(file) for file in (ROOT / "docs").glob("*.md") if file not in linked]


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("name", ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/internals.md"])
def test_every_class_and_test_that_is_named_exists(name: str) -> None:
    sources = "\n".join((ROOT / file).read_text() for file in tracked() if re.match(r"tests/.*\.py$", file))
    for word in _NAMED.findall(prose(ROOT / name)):
        if (named := re.fullmatch(r"([A-Z][a-z]\w*)(?:\.\w+)?", word)) and word != "None":
            assert named.group(1) in classes(), f"{name} names {word}"
        if re.fullmatch(r"test_\w+", word):
            assert f"def {word}(" in sources, f"{name} names {word}"


@pytest.mark.parametrize("block", blocks("smt2"), ids=str)
def test_every_system_in_a_document_is_read(block: Block) -> None:
    if "HORN" in block.text:
        parse(block.text)


@pytest.mark.parametrize("name", LINES)
def test_short_documents_stay_short(name: str) -> None:
    assert len((ROOT / name).read_text().splitlines()) <= LINES[name]
