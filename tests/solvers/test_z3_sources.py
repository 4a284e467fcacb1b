"""The table of transforms, compared with the parameters of the installed Z3 and with the sources of a traced build."""

from chcfuzz.solvers.z3_parameters import fixedpoint_parameters
from chcfuzz.solvers.z3_sources import TRANSFORMS
from chcfuzz.triage.fix.build import build_tree

from tests.traced import TRACED, needs_build_tree


def test_every_parameter_exists() -> None:
    assert {name.removeprefix("fp.") for name in TRANSFORMS} <= {row.name for row in fixedpoint_parameters()}


@needs_build_tree
def test_every_transform_is_in_its_file() -> None:
    source = build_tree(TRACED).source
    for transform in TRANSFORMS.values():
        file = source / "src" / "muz" / "transforms" / transform.file
        assert f"{transform.name}::operator()(" in file.read_text(), transform.name
