"""A suspicion: a verdict that looks like a finding, stored at once, so that nothing that happens later can lose it.

The process that sees such a verdict (a worker, or the supervisor for a death) puts a suspicion into a folder beside the
findings, and continues.
"""

from __future__ import annotations

import hashlib
from collections import Counter as Tally
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from chcfuzz.execution.codec import CodecError, from_json, to_json
from chcfuzz.execution.seed_answers import SeedAnswer
from chcfuzz.mutators.recipe import Recipe, decode, digest
from chcfuzz.oracles.verdict import ANSWER, Subject, facts_of
from chcfuzz.solvers.solver_session import Request
from chcfuzz.triage.examine.old_messages import fault_in
from chcfuzz.triage.examine.signature import message_class

FORMAT = "chcfuzz-suspicion 1"
_DIGITS = 8  # of each of the four hashes in a file name


@dataclass(frozen=True)
class Suspicion:
    """`unit` led to a verdict of `kind` by `oracle`; the solver answered `seen` ("" if it died).

    `expected` is the promised answer, None without a promise. `seed` is the known answer of the seed at that time.
    `solving` are the flags that the solver was started with (`execution.solving`). `before` are the requests that the
    same process had answered earlier, set where the verdict depends on them. `solver` is the key of the solver
    (`identity.solver_key`): a rebuilt solver has another key, and suspicions of older versions do not have it.
    `theories` are those of the mutant, or of the seed where the mutant was not made. `fault` is the class of the fault
    (`Verdict.fault`), None in suspicions of older versions, whose `detail` has it. `execution` and `seconds` are the
    executions and the seconds of fuzzing of the session when it was seen, 0 if they are not known.
    """

    unit: bytes
    kind: str
    oracle: str = ""
    seen: str = ""
    expected: str | None = None
    detail: str = ""
    seed: SeedAnswer | None = None
    solving: tuple[str, ...] = ()
    before: tuple[Request, ...] = ()
    solver: str = ""
    theories: tuple[str, ...] = ()
    fault: str | None = None
    execution: int = 0
    seconds: float = 0.0

    @cached_property
    def recipe(self) -> Recipe:
        """The decoded unit; its domain is that of this process when it is first used."""
        return decode(self.unit)

    @property
    def rests_on_promise(self) -> bool:
        """Whether only the promise of the chain contradicts the answer, and so the status of the seed decides."""
        return self.oracle == ANSWER.name

    @property
    def symptom(self) -> str:
        """Key of suspicions that probably have the same cause, whatever the seed is: a hash of facts that cost nothing.

        The first half is a hash of the kind, the solver, and the class of the message, or the answers; the second half
        of the theories.
        """
        facts = (self.kind, self.oracle, self.solver, self.recipe.selection, self.message)
        return _hash(*facts) + _hash(*sorted(self.theories))

    @property
    def message(self) -> str:
        """The class of the message, or the answers: the facts about the verdict that do not depend on the problem."""
        subject = facts_of(self.kind).subject
        if subject is Subject.ANSWER:
            return f"answers {self.seen}" + (f", {self.expected} is expected" if self.expected else "")
        fault = fault_in(self.kind, self.detail) if self.fault is None else self.fault
        return fault if subject is Subject.OUTPUT else message_class(fault)

    @property
    def similarity(self) -> str:
        """Key of suspicions that probably have the same cause: a hash of kind, answers, seed and last step.

        A unit that libFuzzer mutates did not lead to the verdict before, so the answers often differ at the last step.
        A suspicion under default parameters is graver than any other, and has a key of its own. The first half of the
        key is a hash of kind and seed alone.
        """
        recipe = self.recipe
        last = recipe.steps[-1].mutation if recipe.steps else " ".join(name for name, _ in recipe.options)
        answers = (self.kind, self.oracle, self.seen, self.expected)
        solver = (self.solver,) if self.solver else ()
        facts = (*answers, recipe.seed, last, bool(recipe.options), self.solving, *recipe.selection, *solver)
        return _hash(self.kind, recipe.seed) + _hash(*facts)

    @property
    def name(self) -> str:
        """Name of its file; graver suspicions sort first."""
        key = self.similarity + self.symptom
        return f"{facts_of(self.kind).rank}-{key}-{self.kind}-{digest(self.unit)[:16]}.json"

    def written(self) -> bytes:
        """Return the content of its file."""
        return to_json(self, FORMAT, indent=1)

    @classmethod
    def read(cls, content: bytes) -> Suspicion | None:
        """Return the suspicion that `written` wrote; None for any other content."""
        try:
            return from_json(content, cls, FORMAT)
        except CodecError:
            return None


def similarity_of(name: str) -> str:
    """Return the similarity key of a suspicion by its file name."""
    return _keys(name)[: 2 * _DIGITS]


def seed_of(name: str) -> str:
    """Return the hash of kind and seed in the similarity key of a suspicion, by its file name."""
    return _keys(name)[:_DIGITS]


def symptom_of(name: str) -> str:
    """Return the symptom of a suspicion by its file name; empty for one of an older version."""
    return _keys(name)[2 * _DIGITS :]


def family_of(name: str) -> str:
    """Return the half of a symptom that does not depend on the theories, by the file name of a suspicion."""
    return symptom_of(name)[:_DIGITS]


def kinds_waiting(names: Sequence[str]) -> str:
    """Return the end of a sentence on waiting suspicions, by their file names: the number of each kind.

    It begins with a colon, and is empty without suspicions.
    """
    number = sum(is_gravest(name) for name in names)
    kinds = Tally(kind_of(name).replace("-", " ") for name in names if not is_gravest(name))
    first = [f"{number} contradict{'s' if number == 1 else ''} the expected answer"] if number else []
    parts = [*first, *(f"{count} {kind}" for kind, count in sorted(kinds.items()))]
    return f": {', '.join(parts)}" if parts else ""


def is_gravest(name: str) -> bool:
    """Return whether no suspicion is graver than one with this file name."""
    return name.startswith("0-")


def kind_of(name: str) -> str:
    """Return the kind of a suspicion by its file name."""
    return name.split("-", 2)[2].rpartition("-")[0]


def _keys(name: str) -> str:
    return name.split("-")[1]


def _hash(*facts: object) -> str:
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:_DIGITS]
