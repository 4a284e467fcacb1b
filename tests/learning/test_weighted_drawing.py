"""Drawing with a model: only possible productions, well-formed problems, one result for the same choices."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.drawing_limits import Limits
from chcfuzz.grammar.drawing.drawing_scope import DrawingScope
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.terms import Quantifier, Variable, free_variables, subterms
from chcfuzz.learning import active
from chcfuzz.learning.counts import Counts
from chcfuzz.learning.drawn_roots import NUMBERS, Bounds, draw_root
from chcfuzz.learning.formula_model import FormulaModel, Tempering
from chcfuzz.learning.model_file import ModelError
from chcfuzz.learning.weighted_drawing import ModelDrawing

from tests.learning.test_formula_model import counts

DRAWS = 120


def builtin() -> FormulaModel:
    found = active.load(active.BUILT_IN)
    assert found is not None
    return found


def drawn(model: FormulaModel, number: int, bounds: Bounds | None = None) -> Problem:
    return draw_root(model, Choices(b"", f"root {number}".encode()), bounds)


@pytest.fixture(scope="module")
def problems() -> list[Problem]:
    """Problems at several temperatures."""
    models = [builtin().tempered(Tempering(tenths, 1 << 12)) for tenths in (1, 5, 10, 20)]
    return [drawn(model, number) for model in models for number in range(DRAWS // len(models))]


def test_drawn_problems_read_back_and_are_closed(problems: list[Problem]) -> None:
    assert not [each for each in problems if parse.problem(print_problem(each)) != each]
    assert not [each for each in problems if any(map(free_variables, each.formulas))]
    found = {theory for each in problems for theory in each.theories}
    assert found - {"Seq", "Sets"} == {*NUMBERS, "FP", "Strings", "Arrays", "ADT", "UF"}


def test_a_model_without_counts_draws_all_kinds_of_terms() -> None:
    terms = {term for n in range(40) for term in subterms(*drawn(FormulaModel(Counts.none()), n).formulas)}
    assert any(isinstance(term, Quantifier) for term in terms)
    assert any(len(term.children) > 3 for term in terms)


def test_what_was_learned_is_drawn() -> None:
    model = FormulaModel(counts(*["(declare-const x Int)(declare-const y Int)(assert (= (mod x 3) (mod y 3)))"] * 100))
    bounds = Bounds(("LIA",))
    found = [drawn(model.tempered(Tempering(2)), number, bounds) for number in range(30)]
    assert sum("(mod " in print_problem(each) for each in found) > 20


def test_theories_bound_the_sorts() -> None:
    for theories in (("LIA",), ("BV", "Arrays"), ("LRA", "ADT"), ("LRA", "UF"), ("UF",)):
        for number in range(8):
            found = drawn(builtin(), number, Bounds(theories)).theories
            assert found <= set(theories) | (set(NUMBERS) if theories == ("UF",) else set())


def test_quantifiers_are_drawn_only_if_they_may_be() -> None:
    model = FormulaModel(Counts.none())
    assert not any(
        formula.depth for n in range(30) for formula in drawn(model, n, Bounds((), Limits(quantified=0))).formulas
    )
    assert any(formula.depth for n in range(30) for formula in drawn(model, n).formulas)


def test_fuel_bounds_terms() -> None:
    draw = ModelDrawing(DrawingScope((Variable("x", INT), Variable("y", INT)), (), ()), FormulaModel(Counts.none()))
    for fuel in (0, 1, 3, 9, 30):
        for number in range(30):
            term = draw.term(INT, Choices(b"", f"{fuel} {number}".encode()), fuel)
            assert sum(bool(each.children) for each in subterms(term)) <= 2 * fuel + 2


def test_the_same_choices_draw_the_same_in_every_process() -> None:
    code = (
        "from chcfuzz.learning import active; from chcfuzz.learning.drawn_roots import draw_root;"
        "from chcfuzz.grammar.choices import Choices; from chcfuzz.grammar.printing.printer import print_problem;"
        "m = active.load('builtin'); print([print_problem(draw_root(m, Choices(b'', bytes([n])))) for n in range(12)])"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1


@pytest.fixture
def activated() -> Iterator[None]:
    """Reset the model of the process."""
    yield
    active.activate(active.NONE)


@pytest.mark.usefixtures("activated")
def test_models_are_chosen_by_name() -> None:
    assert active.drawn(Choices(b"")) is None
    active.activate(active.BUILT_IN)
    assert active.is_active()
    assert active.drawn(Choices(b"")) is active.drawn(Choices(b""))
    assert active.drawn(Choices(b"some choices")) is not active.drawn(Choices(b""))
    with pytest.raises(ModelError, match="no model 'gone'; write none, builtin, or a file"):
        active.activate("gone")
