"""A question as the child process gets it, and the reply: texts alone, so that sending one loads no solver."""

from __future__ import annotations

import msgspec

TextPairs = tuple[tuple[str, str], ...]


class PartQuery(msgspec.Struct, frozen=True):
    """A question: declarations, formulas and terms as SMT-LIB.

    `model` has terms such as `x` or `(f 0 0)` with their values, and `variables` are terms, too.
    """

    part: str
    declarations: str
    formulas: tuple[str, ...]
    subjects: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    sorts: tuple[str, ...] = ()  # of the variables
    model: TextPairs = ()
    options: TextPairs = ()
    rlimit: int = 0


class PartReply(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of a part as texts, or the way in which it ended; `death` if it ended its process."""

    status: str = ""
    reason: str = ""
    texts: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    cost: int = 0
    death: str = ""
    seconds: float = 0.0


class PartStart(msgspec.Struct, frozen=True):
    """The memory limit in bytes, the command `z3`, and the file of edges (`shared_edges`); empty without one."""

    memory: int
    command: str = ""
    edges: str = ""


class PartsReady(msgspec.Struct, frozen=True):
    """The release of Z3, once the process answers."""

    version: str = ""


PARETO_BOUND = 8  # of the absolute values of numbers that are objectives: without one, Z3 does not end
CORE_OPTION = "core"  # of a tactic: assertions are tracked


def soft_weights(number: int) -> tuple[int, int]:
    """Return the costs of violating a soft assertion, by its number, and its soft negation."""
    return 1 + number % 3, 1 + (number + 1) % 3


def quantified(query: PartQuery) -> str:
    """Return the formula of a question with its variables bound by an existential quantifier."""
    formula = query.formulas[0] if len(query.formulas) == 1 else f"(and {' '.join(query.formulas)} true)"
    bound = " ".join(f"({name} {sort})" for name, sort in zip(query.variables, query.sorts, strict=True))
    return f"(exists ({bound}) {formula})" if bound else formula


class CallError(Exception):
    """A part that ends without a result, in the way `status`."""

    def __init__(self, status: str, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = " ".join(reason.split())
