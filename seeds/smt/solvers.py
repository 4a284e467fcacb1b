"""Answers of the three solvers to a script, each from its own package and with a limit that no clock decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import bitwuzla
import cvc5
import z3
from chcfuzz.domains.smt.solvers.lacking import in_our_words, in_own_words

RLIMIT = 3_000_000
CVC5_RLIMIT = "300000"
BITWUZLA_CALLS = 20_000  # of its terminator
REFUSED = "refused"


def z3_answer(text: str) -> str:
    """Return Z3's answer: sat, unsat, unknown, or that it refuses the script."""
    return _z3(text)[0]


def _z3(text: str) -> tuple[str, z3.Solver]:
    solver = z3.Solver(ctx=z3.Context())
    solver.set("rlimit", RLIMIT)
    try:
        solver.from_string(in_own_words(text, "z3"))
    except z3.Z3Exception:
        return REFUSED, solver
    return str(solver.check()), solver


def z3_model(text: str) -> str | None:
    """Return the model that Z3 prints, None without one."""
    answer, solver = _z3(text)
    return in_our_words(solver.model().sexpr(), "z3") if answer == "sat" else None


def cvc5_answer(text: str, **options: str) -> str:
    """Return cvc5's answer; in `options`, underscores stand for hyphens."""
    answers = [each.split()[0] for each in _cvc5(text, options) or () if each]
    return answers[-1] if answers else REFUSED


def cvc5_model(text: str) -> str | None:
    """Return the definitions of cvc5's model, None without one."""
    printed = _cvc5(text + "(get-model)\n", {"produce-models": "true"})
    return None if printed is None or "sat" not in (each.strip() for each in printed) else printed[-1].strip()[1:-1]


def _cvc5(text: str, options: Mapping[str, str]) -> list[str] | None:
    """Return what cvc5 prints for each command, None if it refuses one."""
    solver = cvc5.Solver(cvc5.TermManager()) if hasattr(cvc5, "TermManager") else cvc5.Solver()  # since 1.2
    arrays = {} if "set.card" in text else {"arrays-exp": "true"}  # with it, cvc5 leaves sizes of sets open
    for name, value in {"rlimit": CVC5_RLIMIT, **arrays, **options}.items():
        solver.setOption(name.replace("_", "-"), value)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "seed")
    printed: list[str] = []
    try:
        while (command := parser.nextCommand()) is not None and not command.isNull():
            printed.append(command.invoke(solver, parser.getSymbolManager()))
            if printed[-1].startswith("(error"):
                return None
    except RuntimeError:  # what the bindings raise for a script that cvc5 does not read
        return None
    return printed


class _Calls:
    """A terminator that ends a search after a number of calls."""

    def __init__(self) -> None:
        self._left = BITWUZLA_CALLS

    def __call__(self) -> bool:
        self._left -= 1
        return self._left < 0


def bitwuzla_answer(text: str) -> str:
    """Return Bitwuzla's answer."""
    options = bitwuzla.Options()
    manager = bitwuzla.TermManager()
    parser = bitwuzla.Parser(manager, options)
    try:
        parser.parse(text.replace("(check-sat)", ""), True, False)
    except bitwuzla.BitwuzlaException:
        return REFUSED
    solver = parser.bitwuzla()
    solver.configure_terminator(_Calls())
    return str(solver.check_sat()).split(".")[-1].lower()


SOLVERS: Mapping[str, Callable[[str], str]] = {"z3": z3_answer, "cvc5": cvc5_answer, "bitwuzla": bitwuzla_answer}
