"""Fixtures for tests of mutations: the installed Z3, every row of the registry, seeds from the corpus."""

from pathlib import Path

import pytest
from chcfuzz.domains.chc.rows.registry import registry
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.mutators.chain import Chains
from chcfuzz.mutators.registry import Registry
from chcfuzz.solvers import z3_release

CORPUS = Path(__file__).resolve().parents[2] / "corpus"
_FEW = 3  # of a folder


@pytest.fixture(scope="session", autouse=True)
def _installed_z3() -> None:
    z3_release.activate()


@pytest.fixture(scope="session")
def rows() -> Registry:
    """Every row, as the installed Z3 has them."""
    return registry()


@pytest.fixture
def chains(rows: Registry) -> Chains:
    """Chains with an empty cache."""
    return Chains(rows)


@pytest.fixture(scope="session")
def texts() -> dict[str, str]:
    """Every seed of the corpus by its path below it, in order."""
    return {str(path.relative_to(CORPUS)): path.read_text() for path in sorted(CORPUS.glob("*/*.smt2"))}


@pytest.fixture(scope="session")
def small_texts(texts: dict[str, str]) -> dict[str, str]:
    """The shortest few seeds of every folder."""
    chosen = []
    for folder in sorted({name.partition("/")[0] for name in texts}):
        inside = [name for name in texts if name.startswith(f"{folder}/")]
        chosen += sorted(inside, key=lambda name: (len(texts[name]), name))[:_FEW]
    return {name: texts[name] for name in chosen}


@pytest.fixture(scope="session")
def small_seeds(small_texts: dict[str, str]) -> dict[str, System]:
    """The same seeds, parsed."""
    return {name: parse(text, name) for name, text in small_texts.items()}
