"""What is known of solvers that run as commands, beyond SMT-LIB, as tables.

What they read, their options, how they are asked for witnesses and steps, and the words in which they refuse and
complain.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Apply, Quantifier, Term, Value, is_operator, kept, subterms
from chcfuzz.grammar.theory import split_operator
from chcfuzz.solvers import eldarica, golem, session
from chcfuzz.solvers.options import Option


@dataclass(frozen=True)
class Accepted:
    """What a solver reads, as far as a system shows it.

    A system's `theories` have to lie in one of these sets. `without` are operators that it refuses, `linear` says
    that it refuses products and quotients of terms without a value, `flat` that it refuses quantifiers below the
    outermost ones.
    """

    theories: tuple[frozenset[str], ...]
    without: frozenset[str] = frozenset()
    linear: bool = False
    flat: bool = False

    def refused(self, system: System) -> str:
        """What of a system lies outside, in words; empty if nothing does."""
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
    """What `Accepted` asks of a clause."""
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
    """A constant, or its negation, which is how SMT-LIB writes one below zero; or a quotient of two."""
    return isinstance(term, Value) or (
        is_operator(term, "-") and len(term.children) == 1 and _is_number(term.children[0])
    )


@dataclass(frozen=True)
class Dialect:
    """`programs` are the names by which a solver is known, `website` is where its project publishes it: solvers with a
    website are those that `--cross auto` and `chcfuzz doctor` search for on PATH.

    `get_model`: the script has to ask for a model. `resource_limit` is the option that sets a limit by the solver's own
    count, empty where it has none. `witness` are the words that make it print models, and derivations if it `derives`:
    of other solvers, lines that look like one are none. `log` are the words that make it tell its steps. `protocol` is
    how it can stay alive (`solvers.session`), `server` the program beside its own that does. `accepted` is what it
    reads, None where that is not known; `refusals` are its words for what it does not, where it gives no answer, and
    `complaints` those that it may answer after all the same. `clock` is what its log says where a clock of its own has
    decided how it goes on, `unordered` which lines of it may stand next to each other in any order.
    """

    name: str
    programs: tuple[str, ...] = ()
    website: str = ""
    options: tuple[Option, ...] = ()
    get_model: bool = False
    resource_limit: str = ""
    witness: tuple[str, ...] = ()
    derives: bool = False
    log: tuple[str, ...] = ()
    protocol: str = ""
    server: str = ""
    accepted: Accepted | None = None
    refusals: re.Pattern[str] | None = None
    complaints: re.Pattern[str] | None = None
    clock: re.Pattern[str] | None = None
    unordered: re.Pattern[str] | None = None

    def refused(self, system: System) -> str:
        """What of a system the solver does not read, in words; empty if that is not known of any."""
        return self.accepted.refused(system) if self.accepted else ""

    def knows(self, parameter: str) -> bool:
        """Whether a parameter's name is one of this solver's options."""
        return any(self.parameter(option) == parameter for option in self.options)

    def takes(self, parameter: str, value: str) -> bool:
        """Whether a parameter is an option of this solver and the value one of those in its row.

        Any bytes are a recipe: another value may be anything, a file to be written or no text at all.
        """
        return any(self.parameter(option) == parameter and value in option.values for option in self.options)

    def parameter(self, option: Option) -> str:
        """The name that an option has as a parameter of a recipe."""
        return f"{self.name}.{option.name}"

    def switches(self, parameters: Sequence[tuple[str, str]]) -> tuple[str, ...]:
        """Parameters as words of the command line, in the order of the options' table; others are left out."""
        values = {name: value for name, value in parameters if self.takes(name, value)}
        return tuple(
            option.switch(values[self.parameter(option)]) for option in self.options if self.parameter(option) in values
        )

    def limit(self, rlimit: int) -> tuple[str, ...]:
        """The words that set the solver's own resource limit; none for 0, or where it has none."""
        return (f"{self.resource_limit}{rlimit}",) if self.resource_limit and rlimit else ()


DIALECTS = {
    dialect.name: dialect
    for dialect in (
        Dialect("plain"),
        Dialect(
            "eldarica",
            programs=("eld", "eldarica"),
            website="https://github.com/uuverifiers/eldarica",
            options=eldarica.OPTIONS,
            witness=("-ssol", "-scex"),
            derives=True,
            log=("-log:3",),
            protocol=session.ELDARICA,
            server="eld-server",
            accepted=Accepted((frozenset(("LIA", "LRA", "Arrays", "BV", "ADT")),)),
            refusals=eldarica.REFUSALS,
            complaints=eldarica.COMPLAINTS,
            clock=eldarica.CLOCK,
            unordered=eldarica.UNORDERED,
        ),
        Dialect(
            "golem",
            programs=("golem",),
            website="https://github.com/usi-verification-and-security/golem",
            options=golem.OPTIONS,
            witness=("--print-witness",),
            derives=True,
            log=("-v", "-v"),
            accepted=Accepted(
                (frozenset(("LIA",)), frozenset(("LRA",))), golem.REFUSED_OPERATORS, linear=True, flat=True
            ),
            refusals=golem.REFUSALS,
        ),
        Dialect("z3", programs=("z3",), get_model=True, resource_limit="rlimit=", protocol=session.SMT_LIB),
    )
}


def is_dialect_option(parameter: str) -> bool:
    """Whether a parameter's name is an option of some command."""
    return any(dialect.knows(parameter) for dialect in DIALECTS.values())


def dialect_of(words: Sequence[str]) -> Dialect:
    """The dialect that a command's program has by its name; the plain one if that is not known."""
    program = Path(words[0]).name
    return next((dialect for dialect in DIALECTS.values() if program in dialect.programs), DIALECTS["plain"])


def on_path(dialect: Dialect) -> str | None:
    """Return the program of a solver that is on PATH; None if it is not there."""
    return next(filter(None, map(shutil.which, dialect.programs)), None)
