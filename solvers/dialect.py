"""The properties of a command-line solver beyond SMT-LIB.

They are the input that a solver accepts, its options, the flags that make it print witnesses and logs, and the messages
with which it refuses input or warns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Apply, Quantifier, Term, Value, is_operator, kept, subterms
from chcfuzz.grammar.theory import split_operator
from chcfuzz.solvers.command_options import Option
from chcfuzz.solvers.outcome import Extra


@dataclass(frozen=True)
class Accepted:
    """Systems that a solver accepts.

    One of the sets in `theories` must contain all theories of the system. The solver refuses the operators `without`;
    if `linear`, products and quotients of non-constant terms; if `flat`, quantifiers below the outermost ones.
    """

    theories: tuple[frozenset[str], ...]
    without: frozenset[str] = frozenset()
    linear: bool = False
    flat: bool = False

    def refused(self, system: System) -> str:
        """Return why the solver does not accept a system; empty if it does."""
        if not any(system.theories <= together for together in self.theories):
            return f"theories {', '.join(sorted(system.theories))}"
        for clause in system.clauses:
            found = kept(clause.formula, "traits of dialects", lambda formula=clause.formula: _traits(formula))  # type: ignore[misc]
            unread = found.operators & self.without
            if unread:
                return f"operator {min(unread)}"
            if self.linear and found.product:
                return "a product or quotient of variables"
            if self.flat and found.quantifier:
                return "a quantifier inside of a clause"
        return ""


@dataclass(frozen=True)
class _Traits:
    operators: frozenset[str]
    product: bool
    quantifier: bool


def _traits(formula: Term) -> _Traits:
    """Return the properties of a clause that `Accepted` tests."""
    inner = formula
    while isinstance(inner, Quantifier) and inner.kind == "forall":
        inner = inner.body
    operators = set()
    product = quantifier = False
    for term in subterms(inner):
        quantifier |= isinstance(term, Quantifier)
        if isinstance(term, Apply):
            operators.add(split_operator(term.operator)[0])
            product |= term.operator == "*" and sum(not _is_number(child) for child in term.children) > 1
            product |= term.operator in _QUOTIENTS and not all(map(_is_number, term.children[1:]))
    return _Traits(frozenset(operators), product, quantifier)


_QUOTIENTS = ("div", "mod", "/")


def _is_number(term: Term) -> bool:
    """Determine whether a term is a constant, or the negation of one, which is how SMT-LIB writes negative numbers."""
    return isinstance(term, Value) or (
        is_operator(term, "-") and len(term.children) == 1 and _is_number(term.children[0])
    )


@dataclass(frozen=True)
class Dialect:
    """Properties of a solver that runs as a command; the solver is recognised by the names in `programs`.

    `website` is the page of the solver's project: `--cross auto` and `chcfuzz doctor` search PATH for solvers with a
    website. With `get_model`, the script must contain `(get-model)`. `resource_limit` is the option for a limit in the
    solver's own units, empty without such an option. The flags `witness` make it print models, and what `proof_in`
    reads after `unsat`; the flags `log` make it log its steps. `protocol` is the protocol of a live process
    (`solvers.session`), `server` the program beside the solver's own that implements it. `accepted` is the accepted
    input, None if unknown. `refusals` are messages with which it refuses input instead of answering, `complaints` those
    that may precede an answer. `clock` matches log lines that show that a timeout of the solver changed its search,
    `unordered` those whose order may vary between runs. `answers` are parts of lines that state `sat` or `unsat` in
    other words.
    """

    name: str
    programs: tuple[str, ...] = ()
    website: str = ""
    options: tuple[Option, ...] = ()
    get_model: bool = False
    resource_limit: str = ""
    witness: tuple[str, ...] = ()
    proof_in: Callable[[str], Extra | None] | None = None
    log: tuple[str, ...] = ()
    protocol: str = ""
    server: str = ""
    accepted: Accepted | None = None
    refusals: re.Pattern[str] | None = None
    complaints: re.Pattern[str] | None = None
    clock: re.Pattern[str] | None = None
    unordered: re.Pattern[str] | None = None
    answers: tuple[tuple[str, str], ...] = ()

    def in_plain_words(self, out: str) -> str:
        """Return an output with `sat` and `unsat` in place of the lines that state them in the solver's own words."""
        if not self.answers:
            return out
        lines = out.splitlines()
        stated = [next((word for part, word in self.answers if part in line), line) for line in lines]
        return "\n".join(stated)

    def refused(self, system: System) -> str:
        """Return why the solver does not accept a system; empty if it does, or if that is unknown."""
        return self.accepted.refused(system) if self.accepted else ""

    def knows(self, parameter: str) -> bool:
        """Return whether a parameter's name is one of this solver's options."""
        return any(self.parameter(option) == parameter for option in self.options)

    def takes(self, parameter: str, value: str) -> bool:
        """Return whether a parameter is an option of this solver and the value one of those in its row.

        Recipes can be decoded from arbitrary bytes, so other values may be anything, such as a file to write.
        """
        return any(self.parameter(option) == parameter and value in option.values for option in self.options)

    def parameter(self, option: Option) -> str:
        """Return the name of an option as a parameter of a recipe."""
        return f"{self.name}.{option.name}"

    def switches(self, parameters: Sequence[tuple[str, str]]) -> tuple[str, ...]:
        """Return the arguments for these parameters, in the order of the table of options; omit unknown parameters."""
        values = {name: value for name, value in parameters if self.takes(name, value)}
        return tuple(
            option.switch(values[self.parameter(option)]) for option in self.options if self.parameter(option) in values
        )

    def limit(self, rlimit: int) -> tuple[str, ...]:
        """Return the arguments that set the solver's own resource limit; empty for 0, or without such an option."""
        return (f"{self.resource_limit}{rlimit}",) if self.resource_limit and rlimit else ()
