"""Every single change of a parameter, and every one alone."""

from chcfuzz.mutators.recipe import Recipe
from chcfuzz.triage.locate.messages import ParameterRow
from chcfuzz.triage.locate.parameters import alone, single_changes
from chcfuzz.triage.locate.pool import Neighbour

ROWS = (
    ParameterRow("a", "true", ("false",)),
    ParameterRow("b", "3", ("0", "5")),
    ParameterRow("c", "false", ("true",)),
)
RECIPE = Recipe("seed", (), (("b", "5"), ("z", "1")))


def parameters(found: dict[tuple[str, str], Neighbour]) -> dict[tuple[str, str], dict[str, str]]:
    return {change: dict(neighbour.recipe.parameters) for change, neighbour in found.items()}


def test_each_parameter_is_changed_by_itself_and_all_others_stay() -> None:
    assert parameters(single_changes(RECIPE, ROWS)) == {
        ("b", "3"): {"z": "1"},
        ("z", "default"): {"b": "5"},
        ("a", "false"): {"a": "false", "b": "5", "z": "1"},
        ("b", "0"): {"b": "0", "z": "1"},
        ("c", "true"): {"b": "5", "c": "true", "z": "1"},
    }


def test_each_parameter_alone_has_its_values_and_those_of_the_finding() -> None:
    pairs = [("b", "5"), ("z", "1"), ("a", "false"), ("b", "0"), ("c", "true")]
    assert parameters(alone(RECIPE, ROWS)) == {(name, value): {name: value} for name, value in pairs}


def test_the_system_stays_and_its_answer_is_known() -> None:
    for neighbour in (*single_changes(RECIPE, ROWS).values(), *alone(RECIPE, ROWS).values()):
        assert (neighbour.recipe.seed, neighbour.recipe.steps, neighbour.is_known) == ("seed", (), True)
