"""Spacer's Boolean and integer parameters, as listed by the installed Z3: HornFuzz's tenth kind; and `fp.engine`.

Each has a scope, because Spacer's maintainers do not want findings under every switch (Z3 issues 3781, 3842, 3892,
4121): a campaign sets the experimental ones only on request. `fp.engine=spacer` is not a switch, since it selects the
engine under test: Z3 itself selects Spacer for all systems except small ones over bit-vectors, programs that use Spacer
set it (`configurations`), and maintainers repaired bugs that were reported under it (Z3 issues 9552, 10726).
"""

from __future__ import annotations

from collections.abc import Mapping

from chcfuzz.grammar.sorts import BOOL
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Term, Variable, subterms
from chcfuzz.mutators.mutation import Parameter, Scope
from chcfuzz.solvers.command_options import Option
from chcfuzz.solvers.dialect import Dialect
from chcfuzz.solvers.dialects import DIALECTS
from chcfuzz.solvers.z3_parameters import ENGINE, Description, fixedpoint_parameters

_REFUSED = "the HORN tactic refuses it (muz/fp/horn_tactic.cpp): no answer would be decided"

# A key that ends in a dot or an underscore is a prefix, any other a name.
EXCLUDED = {
    "bmc.": "another engine",
    "ctrl_c": "controls how Z3 is interrupted",
    "datalog.": "another engine",
    "generate_proof_trace": "affects only the output",
    "print_": "affects only the output",
    "rlimit": "the fuzzer's own limit",
    "spacer.dump_": "writes files",
    "spacer.iuc.debug_proof": "affects only the output",
    "spacer.iuc.print_farkas_stats": "affects only the output",
    "spacer.max_level": "makes answers unknown",
    "tab.": "another engine",
    "timeout": "wall-clock limit; the fuzzer has its own limits",
    "xform.instantiate_arrays": _REFUSED,
    "xform.instantiate_arrays.": _REFUSED,
    "xform.magic": _REFUSED,
    "xform.quantify_arrays": _REFUSED,
    "xform.scale": _REFUSED,
}

EXPERIMENTAL = {
    "spacer.arith.solver": "other arithmetic solvers are unsupported (Z3 issue 3779)",
    "spacer.gpdr": "experimental (Z3 issue 3892)",
    "spacer.iuc": "internal to lemma generalization; `iuc.arith=2` is broken by its own description",
    "spacer.keep_proxy": "internal, according to its description",
    "spacer.mbqi": "experimental (Z3 issue 3892)",
    "spacer.native_mbp": "for debugging (Z3 issue 4121)",
    "spacer.use_iuc": "internal to lemma generalization",
    "spacer.validate_lemmas": "for debugging",
    "spacer.weak_abs": "known to be unsound (Z3 issue 5419)",
    "validate": "for debugging",
    "xform.bit_blast": "bit-vectors are blasted on request only",
    "xform.fix_unbound_vars": "unsupported in combinations (Z3 issue 3781)",
}

# Parameters of other modules, which only texts of users set.
EXPERIMENTAL_ELSEWHERE = {
    "rewriter": "other values are unsupported",
    "smt.arith.solver": "other arithmetic solvers are unsupported (Z3 issue 3779)",
    "smt.ematching": "false is unsupported",
}

# Parameters that change nothing without another parameter or condition, by the source of Spacer (`spacer_context.cpp`,
# `dl_mk_elim_term_ite.cpp`). Prefixes are written as in EXCLUDED.
NEEDS = {
    "spacer.expand_bnd": "spacer.global",
    "spacer.gg.": "spacer.global",
    "spacer.p3.": "a client that receives lemmas",
    "spacer.push_pob_max_depth": "spacer.push_pob",
    "spacer.q3": "quantified lemmas, as spacer.q3.use_qgen makes them",
    "spacer.q3.instantiate": "quantified lemmas, as spacer.q3.use_qgen makes them",
    "spacer.q3.qgen.normalize": "spacer.q3.use_qgen",
    "spacer.restart_initial_threshold": "spacer.restarts",
    "spacer.use_bg_invs": "invariants that a client adds",
    "xform.elim_term_ite.inflation": "xform.elim_term_ite",
}

# Values to try; a numeric parameter without an entry is tried at 0, 1, 2 and twice its default.
NUMBERS = {
    "spacer.arith.solver": ("2", "6"),
    "spacer.blast_term_ite_inflation": ("0", "1", "10"),
    "spacer.iuc": ("0", "2"),
    "spacer.iuc.arith": ("1", "2", "3"),
    "spacer.max_num_contexts": ("1", "5"),
    "spacer.min_level": ("1", "2", "5"),
    "spacer.order_children": ("1", "2"),
    "spacer.push_pob_max_depth": ("0", "1", "5"),
    "spacer.random_seed": ("1", "2", "48", "4711"),
    "spacer.restart_initial_threshold": ("1", "2", "50"),
    "xform.elim_term_ite.inflation": ("0", "1", "10"),
    "xform.unfold_rules": ("1", "2"),
}
_NO_LIMIT = 2**32 - 1
_MOST_BITS = 24  # of a bit-vector, or of the arguments of a term, that Z3 leaves to its Datalog engine


def parameters() -> tuple[Parameter, ...]:
    """Return a row for the engine, and for each Boolean and integer parameter that is not excluded, by name."""
    return tuple(_row(found) for found in fixedpoint_parameters() if _is_wanted(found))


def goes_to_datalog(system: System) -> bool:
    """Return whether Z3 gives a system to its Datalog engine under default parameters (`muz/base/dl_context.cpp`).

    These are systems over Bools and narrow bit-vectors without Boolean variables.
    """
    if system.theories - {"BV"}:
        return False
    return not any(map(_is_for_spacer, subterms(*(clause.formula for clause in system.clauses))))


def _is_for_spacer(term: Term) -> bool:
    if isinstance(term, Variable) and term.sort is BOOL:
        return True
    own = term.sort.width if term.sort.is_bitvector else 0
    return max(own, sum(child.sort.width for child in term.children if child.sort.is_bitvector)) > _MOST_BITS


def of_dialect(dialect: Dialect) -> tuple[Parameter, ...]:
    """Return a row for each option of a solver that runs as a command, in the order of its table."""
    return tuple(
        Parameter(
            name=dialect.parameter(option),
            default=option.default,
            values=option.values,
            scope=_scope_of_option(option),
            source=option.experimental or option.source,
        )
        for option in dialect.options
    )


def _scope_of_option(option: Option) -> Scope:
    return Scope.EXPERIMENTAL if option.experimental else Scope.SINGLE_SWITCH


def _is_wanted(found: Description) -> bool:
    is_kind = found.kind in ("bool", "unsigned int") or f"fp.{found.name}" == ENGINE[0]
    return is_kind and _found_in(EXCLUDED, found.name) is None


def _found_in(table: Mapping[str, str], name: str) -> str | None:
    """Return the text of the first key that is this name, or a prefix of it that ends in a dot or an underscore."""
    fits = (text for key, text in table.items() if (name.startswith(key) if key[-1] in "._" else name == key))
    return next(fits, None)


def _row(found: Description) -> Parameter:
    if f"fp.{found.name}" == ENGINE[0]:
        name, value = ENGINE
        source = "muz/base/dl_context.cpp"
        needs = "a system that Z3 gives to its Datalog engine"
        return Parameter(name, found.default, (value,), scope_of(name), source, needs, goes_to_datalog)
    return Parameter(
        name=f"fp.{found.name}",
        default=found.default,
        values=_values(found),
        scope=scope_of(f"fp.{found.name}"),
        source=_experimental(found.name) or "HornFuzz 10",
        needs=_found_in(NEEDS, found.name) or "",
    )


def scope_of(name: str) -> Scope:
    """Return the scope that maintainers assign to findings under a parameter: `fp.*`, or an option of a command."""
    if name == ENGINE[0]:
        return Scope.DEFAULT
    for dialect in DIALECTS.values():
        for option in dialect.options:
            if name == dialect.parameter(option):
                return _scope_of_option(option)
    return Scope.SINGLE_SWITCH if _experimental(name.removeprefix("fp.")) is None else Scope.EXPERIMENTAL


def _experimental(name: str) -> str | None:
    for prefix, reason in (EXPERIMENTAL | EXPERIMENTAL_ELSEWHERE).items():
        if name == prefix or name.startswith(prefix + "."):
            return reason
    return None


def _values(found: Description) -> tuple[str, ...]:
    if found.kind == "bool":
        return ("false",) if found.default == "true" else ("true",)
    default = int(found.default or 0)
    usual = [0, 1, 2] if default in (0, _NO_LIMIT) else [0, 1, 2, 2 * default]
    values = NUMBERS.get(found.name) or tuple(map(str, usual))
    return tuple(value for value in values if value != found.default)
