"""Z3's descriptions of its parameters."""

import pytest
import z3
from chcfuzz.solvers.z3_parameters import Description, fixedpoint_parameters, simplify_parameters


def by_name(rows: tuple[Description, ...]) -> dict[str, Description]:
    return {row.name: row for row in rows}


def test_parameters_are_described_with_their_kind_and_default() -> None:
    found = by_name(fixedpoint_parameters())
    assert found["spacer.gpdr"] == Description("spacer.gpdr", "bool", "false")
    assert found["spacer.order_children"] == Description("spacer.order_children", "unsigned int", "0")
    assert found["engine"] == Description("engine", "symbol", "auto-config")
    assert found["spacer.trace_file"] == Description("spacer.trace_file", "symbol", "")
    assert found["spacer.dump_threshold"] == Description("spacer.dump_threshold", "double", "5.0")


def test_parameters_of_simplify_are_there_too() -> None:
    found = by_name(simplify_parameters())
    assert found["elim_and"] == Description("elim_and", "bool", "false")
    assert found["max_memory"].kind == "unsigned int"


@pytest.mark.parametrize("rows", [fixedpoint_parameters(), simplify_parameters()], ids=["fixedpoint", "simplify"])
def test_rows_are_sorted_and_of_known_kinds(rows: tuple[Description, ...]) -> None:
    names = [row.name for row in rows]
    assert names == sorted(set(names))
    assert {row.kind for row in rows} <= {"bool", "unsigned int", "symbol", "double", "string"}


def test_no_line_of_the_help_is_lost() -> None:
    context = z3.Context()
    text = z3.Z3_simplify_get_help(context.ref())
    assert len(simplify_parameters()) == sum(" (" in line for line in text.splitlines())


def test_z3_takes_every_parameter_at_its_default() -> None:
    """The name, the kind and the default are what they seem: set that way, Z3 refuses none."""
    solver = z3.SolverFor("HORN", ctx=z3.Context())
    for row in fixedpoint_parameters():
        if row.name in ("ctrl_c", "rlimit", "timeout"):  # not a solver's, see test_spacer
            continue
        if row.kind == "bool":
            solver.set(f"fp.{row.name}", row.default == "true")
        elif row.kind == "unsigned int":
            solver.set(f"fp.{row.name}", int(row.default))
        elif row.kind == "symbol" and row.default:
            solver.set(f"fp.{row.name}", row.default)
    solver.from_string("(declare-fun p () Bool)(assert p)(assert (=> p false))")
    assert solver.check() == z3.unsat
