"""The typed result of an examination, and of the runs on the text of a finding."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from chcfuzz.execution.seed_answers import SeedAnswer
from chcfuzz.mutators.recipe import Recipe, decode
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.solver_session import Request
from chcfuzz.triage.examine.signature import Signature
from chcfuzz.triage.examine.suspicion import Suspicion

ANSWERED = "wrong-answer.smt2"  # in a finding's folder, the text of `Conclusion.answered`


class End(enum.StrEnum):
    """Result of the examination of a suspicion."""

    CONFIRMED = "confirmed"  # the solver is wrong: a checked witness shows it
    CONTRADICTION = "contradiction"  # two answers, and no witness decides between them; a finding of its own kind
    SEED = "seed"  # the declared or earlier answer of the seed is wrong, so that nothing contradicts the answer
    BROKEN_PROMISE = "broken-promise"  # checked witnesses for both answers: a mutation or an oracle of chcfuzz is wrong
    ALIKE = "alike"  # enough findings have this signature, so no witness was searched for
    OTHERS = "others"  # another solver is wrong, not the one under test
    VANISHED = "vanished"  # the suspicious verdict does not occur in a fresh process


@dataclass(frozen=True)
class Witness:
    """A checked witness that a system has this status.

    `words` describe its origin. `text` is a model (`define-fun`s) or a refutation, and `script` the SMT-LIB that lets
    any solver check it. `cvc5` holds the answers of cvc5 to `script`.
    """

    status: Status
    words: str
    text: str
    script: str
    cvc5: tuple[str, ...] = ()


@dataclass(frozen=True)
class SessionReport:
    """A solver process that stays alive: the command that starts it and its requests, the mutant last.

    `server` is true for Eldarica's server, and false for SMT-LIB over a pipe.
    """

    start: tuple[str, ...]
    server: bool
    requests: tuple[Request, ...]


@dataclass(frozen=True)
class Conclusion:
    """The result of an examination, and everything that it found.

    `words` describe the evidence against the answer, or the reason for its absence. `unit` is the recipe without the
    parameters that it does not need. `witness` supports the right answer, `against` the answer of the solver.
    `evidence` is SMT-LIB that shows a wrong model or a wrong step, and `cvc5` the answer of cvc5 to it. `statuses` are
    the answers to the prefixes of the chain, the seed first. `tried` holds the answer of each other configuration and
    solver. `seed` is the status of the seed where its known answer is wrong. `session` is set for a
    finding that depends on the systems that the process solved before. `more` are suspicions that the examination
    raises: another fault of the same unit, or of its seed. `answered` is a script that the solver answers wrongly,
    which a wrong step led to.
    """

    end: End
    kind: str
    words: str
    unit: bytes
    signature: Signature
    witness: Witness | None = None
    against: Witness | None = None
    evidence: str = ""
    cvc5: str = ""
    statuses: tuple[str, ...] = ()
    tried: Mapping[str, str] = field(default_factory=dict)
    seed: SeedAnswer | None = None
    session: SessionReport | None = None
    more: tuple[Suspicion, ...] = ()
    answered: str = ""

    @cached_property
    def recipe(self) -> Recipe:
        """The decoded unit."""
        return decode(self.unit)


@dataclass(frozen=True)
class Reproduction:
    """One run: the `command` as typed in the finding's folder, and the whole `output`.

    `shows` is whether it shows the finding; None if a limit has ended it, or if it does not answer.
    """

    command: tuple[str, ...]
    output: str
    shows: bool | None


def first_showing(runs: Iterable[Reproduction]) -> Reproduction | None:
    """Return the first run that shows the finding; None if no run does."""
    return next((run for run in runs if run.shows), None)
