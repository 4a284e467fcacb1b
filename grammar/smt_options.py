"""Options that scripts set: those of SMT-LIB, which any solver has, and those of one solver, by their names.

Settings reach solvers in this process and the scripts of findings, so none may name a file, write or print.
"""

from __future__ import annotations

import re
from functools import lru_cache

Z3, CVC5, BITWUZLA = "z3", "cvc5", "bitwuzla"
_SOLVERS = (Z3, CVC5, BITWUZLA)
_NAME = re.compile(r"[A-Za-z]\w*(?:[.-]\w+)*", re.ASCII)
_VALUE = re.compile(r"true|false|[0-9]{1,10}|[0-9]{1,4}\.[0-9]{1,9}|[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
# Parts of the names of parameters that write files or print, whatever their value is, or that end the execution.
_OUTPUT = re.compile(
    r"file|console|dump|output|print|profile|trace|(?<!re)write|channel|verbos|display|debug|json|^aig|stats"
)
_OUTPUT_PARTS = frozenset(
    ("copyright", "ctrl", "err", "help", "in", "jobs", "log", "loglevel", "memory", "out", "plugin", "portfolio")
)
_LIMIT_PARTS = frozenset(("rlimit", "show", "timeout", "tlimit", "version"))
_SELF_CHECKS = re.compile(
    r"(dbg-|debug-)?check-(models?|proofs|unsat-cores?|interpolants?)|check-proof-steps|check-proofs-complete"
    r"|model_validate|smt\.(core|arith)\.validate"
)
# SMT-LIB's own options that change how a solver works; models are always produced.
STANDARD = ("produce-proofs", "produce-unsat-assumptions", "produce-unsat-cores", "random-seed")
_SWITCH, _SEED = re.compile("true|false"), re.compile("[0-9]{1,9}")
# Those that change no answer, because they are about what is printed, about declarations, or about models.
_WITHOUT_EFFECT = frozenset(
    """global-declarations incremental interactive-mode print-success produce-assertions produce-assignments
    produce-interpolants produce-models verbosity""".split()  # noqa: SIM905 - a list of them would not be easier to read
)
_OF_Z3 = re.compile(
    r"(ackermannization|algebraic|combined_solver|factor|fp|lp|model|model_evaluator|nlsat|nnf|opt|parallel|parser|pi|pp"
    r"|rcf|rewriter|sat|sls|smt|solver|tactic)[.].*|.*_.*|auto-config|model|model-validate|proof|type-check|unsat-core|well-sorted-check"
)
_OF_BITWUZLA = re.compile(
    "(abstraction|interpolants-|pp-|prop-|quant-ic).*|adc-sat-propagator|bv-cnf-scope|preprocess|rewrite-level"
)
_OF_BOTH_OTHERS = frozenset(("bv-solver", "sat-solver", "seed"))


@lru_cache(maxsize=4096)
def is_allowed(name: str, value: str) -> bool:
    """Return whether a parameter changes only how a problem is solved: a truth value, a number or a word."""
    if is_self_check(name):
        return value in ("true", "false")
    return _NAME.fullmatch(name) is not None and not (writes(name) or limits(name)) and bool(_VALUE.fullmatch(value))


def writes(name: str) -> bool:
    """Return whether an option may write a file, print, or run a program."""
    parts = _parts(name)
    return any(_OUTPUT.search(part) for part in parts) or not _OUTPUT_PARTS.isdisjoint(parts)


def limits(name: str) -> bool:
    """Return whether an option limits the solver, or ends it."""
    return not _LIMIT_PARTS.isdisjoint(_parts(name))


def _parts(name: str) -> list[str]:
    return re.split(r"[._-]", name.lower())


def is_self_check(name: str) -> bool:
    """Return whether a solver with this parameter checks its own results, and may abort the process."""
    written = name.lower()  # Z3 takes `-` for `_`, and capital letters
    return any(_SELF_CHECKS.fullmatch(each) for each in (written, written.replace("-", "_")))


def is_harmless(name: str, value: str) -> bool:
    """Return whether a parameter is allowed and cannot abort the process, as a failed self-check does."""
    return is_allowed(name, value) and not is_self_check(name)


def is_standard(name: str, value: str) -> bool:
    """Return whether this is one of the options of SMT-LIB that texts keep."""
    return name in STANDARD and (_SEED if name == "random-seed" else _SWITCH).fullmatch(value) is not None


def has_effect(name: str) -> bool:
    """Return whether an option may change how a problem is solved."""
    return name not in _WITHOUT_EFFECT


def owners(name: str) -> tuple[str, ...]:
    """Return the solvers whose option this may be, by the form of its name; it may begin with the name of one."""
    solver = name.partition(".")[0]
    if solver in _SOLVERS:
        return (solver,)
    if _OF_Z3.fullmatch(name):
        return (Z3,)
    if name in _OF_BOTH_OTHERS:
        return (CVC5, BITWUZLA)
    return (BITWUZLA,) if _OF_BITWUZLA.fullmatch(name) else (CVC5,)


def why_left_out(name: str, otherwise: str) -> str:
    """Return the reason for which solvers do not get an option of a script; `otherwise` if it is harmless."""
    if writes(name):
        return "it may write a file, print, or run a program"
    return "chcfuzz has limits of its own" if limits(name) else otherwise


def keyed(name: str, value: str) -> tuple[tuple[str, str], ...]:
    """Return an option of a script as recipes have it, with the names of the solvers that it belongs to."""
    own, solvers = name.partition(".")[2] if name.partition(".")[0] in _SOLVERS else name, owners(name)
    own = own.replace("-", "_") if solvers == (Z3,) else own
    return tuple((f"{solver}.{own}", value) for solver in solvers) if is_allowed(own, value) else ()
