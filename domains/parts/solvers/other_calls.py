"""The parts of cvc5 and Bitwuzla; each solver is imported at its first question, and again by each new worker."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from chcfuzz.domains.parts.solvers.calls import CallError, PartQuery, quantified
from chcfuzz.domains.smt.solvers.engine import one_line

_UNSUPPORTED = ("support", "logic", "unimplemented", "cannot", "expected")


def _cvc5_term(query: PartQuery, formula: str, assertions: bool = False) -> tuple[Any, Any]:
    """Return a solver of cvc5 that has read the declarations, and a formula; raises `CallError`."""
    try:
        import cvc5
        from chcfuzz.domains.smt.solvers.cvc5 import fresh_solver
    except ImportError as error:
        raise CallError("unsupported", "cvc5 is not installed") from error
    solver = fresh_solver()
    for name, value in (("arrays-exp", "true"), ("rlimit-per", str(query.rlimit)), ("incremental", "true")):
        solver.setOption(name, value)
    parser = cvc5.InputParser(solver)
    asserted = "".join(f"(assert {each})\n" for each in query.formulas if assertions)
    try:
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, query.declarations + asserted, "declarations")
        symbols = parser.getSymbolManager()
        while (command := parser.nextCommand()) is not None and not command.isNull():
            printed = str(command.invoke(solver, symbols)).strip()
            if printed.startswith("(error"):
                raise CallError("unsupported", printed)
        terms = cvc5.InputParser(solver, symbols)
        terms.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, formula, "formula")
        return solver, terms.nextTerm()
    except RuntimeError as error:
        raise CallError("unsupported", one_line(error)) from error


def _conjunction(query: PartQuery) -> str:
    return query.formulas[0] if len(query.formulas) == 1 else f"(and {' '.join(query.formulas)} true)"


def _called_cvc5(call: Callable[[], Any]) -> tuple[str, ...]:
    try:
        return (str(call()),)
    except RuntimeError as error:
        reason = one_line(error)
        is_limit = any(word in reason.lower() for word in _UNSUPPORTED)
        raise CallError("unsupported" if is_limit else "error", reason) from error


def _cvc5_simplify(query: PartQuery) -> tuple[str, ...]:
    is_applied = dict(query.options).get("substitutions") == "true"
    solver, formula = _cvc5_term(query, _conjunction(query))
    return _called_cvc5(lambda: solver.simplify(formula, is_applied))


def _cvc5_eliminate(query: PartQuery) -> tuple[str, ...]:
    solver, formula = _cvc5_term(query, quantified(query))
    return _called_cvc5(lambda: solver.getQuantifierElimination(formula))


def _cvc5_disjunct(query: PartQuery) -> tuple[str, ...]:
    solver, formula = _cvc5_term(query, quantified(query))
    return _called_cvc5(lambda: solver.getQuantifierEliminationDisjunct(formula))


def _bitwuzla(query: PartQuery) -> Any:
    """Return a parser of Bitwuzla that has read the declarations; raises `CallError`."""
    try:
        import bitwuzla
    except ImportError as error:
        raise CallError("unsupported", "bitwuzla is not installed") from error
    parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
    return _called_bitwuzla("unsupported", lambda: parser.parse(query.declarations, True, False) or parser)


def _called_bitwuzla(status: str, call: Callable[[], Any]) -> Any:
    """Return the result of a call of Bitwuzla; raises `CallError` with a status for its exceptions."""
    import bitwuzla

    try:
        return call()
    except bitwuzla.BitwuzlaException as error:
        raise CallError(status, one_line(error)) from error


def _bitwuzla_simplify(query: PartQuery) -> tuple[str, ...]:
    parser = _bitwuzla(query)
    formula = _called_bitwuzla("unsupported", lambda: parser.parse_term(_conjunction(query)))
    return (str(_called_bitwuzla("error", lambda: parser.bitwuzla().simplify_term(formula))),)


def _bitwuzla_check(query: PartQuery) -> tuple[str, ...]:
    """Return the answer after Bitwuzla has simplified the assertions, one part of them before it reads the others."""
    parser = _bitwuzla(query)
    solver = parser.bitwuzla()
    for formula in query.formulas:
        solver.assert_formula(_called_bitwuzla("unsupported", partial(parser.parse_term, formula)))
        _called_bitwuzla("error", solver.simplify)
    return (str(_called_bitwuzla("error", solver.check_sat)).rpartition(".")[2].lower(),)


CALLS: Mapping[str, Callable[[PartQuery], tuple[str, ...]]] = {
    "cvc5-simplify": _cvc5_simplify,
    "cvc5-eliminate": _cvc5_eliminate,
    "cvc5-disjunct": _cvc5_disjunct,
    "bitwuzla-simplify": _bitwuzla_simplify,
    "bitwuzla-check": _bitwuzla_check,
}
