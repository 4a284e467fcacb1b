"""The options that the examination of a wrong answer changes one by one, to distinguish causes.

All values of all options of Z3 are 437 runs. An option of a theory that the problem does not have cannot cure it, and
one other value of an option shows whether the option has to do with the cause.
"""

from __future__ import annotations

from collections.abc import Sequence

from chcfuzz.grammar.problem import Problem
from chcfuzz.mutators.mutation import Parameter

_NUMBERS = frozenset(("LIA", "LRA"))
# Beginnings of the names of options, without the name of the solver, and the theories that they concern.
_OF_THEORIES = (
    (("smt.arith.", "arith-", "nl-", "rewriter.arith"), _NUMBERS),
    (("smt.bv.", "bv-", "rewriter.bv", "rewriter.mul2concat"), frozenset(("BV",))),
    (("smt.array.", "arrays-"), frozenset(("Arrays",))),
)
_OF_QUANTIFIERS = (
    *("smt.qi.", "smt.mbqi", "smt.q.", "smt.ematching", "smt.macro_finder", "smt.pull_nested", "smt.restricted_quasi"),
    *("smt.distribute_forall", "cbqi", "cegqi", "e-matching", "enum-inst", "fmf-", "finite-model-find", "ieval"),
    *("inst-", "macros-quant", "mbqi", "multi-trigger", "quant-", "relevant-triggers", "sub-cbqi", "term-db-mode"),
    *("trigger-sel", "user-pat", "full-saturate-quant"),
)


def tried(parameter: Parameter, problem: Problem) -> Sequence[str]:
    """Return the values of an option to try on a problem: one, or none if the option concerns other theories."""
    return parameter.values[:1] if _is_about(parameter.name.partition(".")[2], problem) else ()


def _is_about(option: str, problem: Problem) -> bool:
    if option.startswith(_OF_QUANTIFIERS) or option.endswith("-quant"):
        return any(formula.depth for formula in problem.formulas)
    return all(theories & problem.theories for names, theories in _OF_THEORIES if option.startswith(names))
