"""The model of this process. There is at most one, as there is one Z3 and one domain; it is chosen by name."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.weights import Weights
from chcfuzz.learning.counts import Counts
from chcfuzz.learning.formula_model import FormulaModel, Tempering
from chcfuzz.learning.model_file import ModelError, read
from chcfuzz.learning.tempering import ROWS, Temperings

NONE, BUILT_IN = "none", "builtin"
PATH = Path(__file__).with_name("builtin.model")
_active: list[FormulaModel] = []  # at most one
temperings = Temperings()


@lru_cache(maxsize=4)
def load(name: str) -> FormulaModel | None:
    """Return the model of this name: `none`, `builtin`, or a file; raises `ModelError`."""
    if name == NONE:
        return None
    if name != BUILT_IN and not Path(name).exists():
        raise ModelError(f"no model {name!r}; write {NONE}, {BUILT_IN}, or a file of `chcfuzz learn`")
    return FormulaModel(read(PATH if name == BUILT_IN else Path(name)).counts)


def activate(name: str, learns: bool = False) -> None:
    """Make this the model of the process; raises `ModelError`. If the process `learns`, `none` is an empty model."""
    model = load(name)
    if model is None and learns:
        model = FormulaModel(Counts.none())
    _active[:] = [] if model is None else [model]


def counts() -> Counts:
    """Return the counts of the model of this process; none without a model."""
    return _active[0].counts if _active else Counts.none()


def replace(counts: Counts) -> None:
    """Give the model of this process other counts, if it has a model."""
    _active[:] = [FormulaModel(counts) for _ in _active]


def is_active() -> bool:
    """Return whether the process has a model."""
    return bool(_active)


def drawn(choices: Choices) -> Weights | None:
    """Return the model with a drawn temperature and a drawn share of uniform weights; None without a model."""
    if not _active:
        return None
    return _tempered(_active[0], temperings.choose(choices))


@lru_cache(maxsize=ROWS**2)
def _tempered(model: FormulaModel, tempering: Tempering) -> FormulaModel:
    return model.tempered(tempering)
