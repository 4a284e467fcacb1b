"""The parts that only the command `z3` offers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from chcfuzz.domains.parts.solvers.calls import CallError, PartQuery
from chcfuzz.domains.parts.solvers.kept_z3 import KeptZ3

_ERROR = "(error "


def mbp_script(query: PartQuery) -> str:
    """Return the script of a projection: equalities force the model that Z3 projects in."""
    formula = query.formulas[0] if len(query.formulas) == 1 else f"(and {' '.join(query.formulas) or 'true'})"
    equal = (f"(assert (= {term} {value}))" for term, value in query.model)
    lines = [query.declarations, *(f"(assert {each})" for each in query.formulas), *equal, "(check-sat)"]
    return "\n".join([*lines, f"(mbp {formula} ({' '.join(query.variables)}))"])


def _mbp(query: PartQuery, command: KeptZ3) -> tuple[str, ...]:
    printed = command.output(mbp_script(query), query.rlimit)
    answer, *rest = printed or [""]
    errors = [line for line in printed if line.startswith(_ERROR)]
    if errors:
        status = "unsupported" if answer.startswith(_ERROR) else "error"  # before its answer: the formula is not read
        raise CallError(status, errors[0].removeprefix(_ERROR).removesuffix(")").strip('"'))
    if answer != "sat":
        raise CallError("unknown", f"the check of the model answers {answer}")
    return ("\n".join(rest),)


CALLS: Mapping[str, Callable[[PartQuery, KeptZ3], tuple[str, ...]]] = {"mbp": _mbp}
