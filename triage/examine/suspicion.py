"""A suspicion: a verdict that looks like a finding, stored at once, so that nothing that happens later can lose it.

The process that sees such a verdict (a worker, or the supervisor for a death) puts a suspicion into the spool, a folder
beside the findings, and continues. The suspicion is removed when its result is stored. The next campaign, or
`chcfuzz confirm`, examines the suspicions that a campaign leaves in the spool.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.execution.codec import CodecError, from_json, to_json
from chcfuzz.execution.files import read_plain, write_whole
from chcfuzz.execution.seed_answers import SeedAnswer
from chcfuzz.mutators.recipe import decode, digest
from chcfuzz.oracles.verdict import facts_of
from chcfuzz.solvers.session import Request

FORMAT = "chcfuzz-suspicion 1"
FOLDER = ".suspicions"
_DIGITS = 8  # of each half of a similarity key
MOST_ALIKE = 50  # suspicions with the same similarity key that wait: a frequent bug must not fill the disk


@dataclass(frozen=True)
class Suspicion:
    """`unit` led to a verdict of `kind` by `oracle`; the solver answered `seen` ("" if it died).

    `expected` is the promised answer, None without a promise. `seed` is the known answer of the seed at that time.
    `solving` are the flags that the solver was started with (`execution.solving`). `before` are the requests that the
    same process had answered earlier, set where the verdict depends on them. `solver` is the key of the solver
    (`identity.solver_key`): a rebuilt solver has another key, and suspicions of older versions do not have it.
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

    @property
    def similarity(self) -> str:
        """Key of suspicions that probably have the same cause: a hash of kind, answers, seed and last step.

        A unit that libFuzzer mutates did not lead to the verdict before, so the answers often differ at the last step.
        A suspicion under default parameters is graver than any other, and has a key of its own. The first half of the
        key is a hash of kind and seed alone.
        """
        recipe = decode(self.unit)
        last = recipe.steps[-1].mutation if recipe.steps else " ".join(name for name, _ in recipe.options)
        answers = (self.kind, self.oracle, self.seen, self.expected)
        solver = (self.solver,) if self.solver else ()
        facts = (*answers, recipe.seed, last, bool(recipe.options), self.solving, *recipe.selection, *solver)
        return _hash(self.kind, recipe.seed) + _hash(*facts)

    @property
    def name(self) -> str:
        """Name of its file; graver suspicions sort first."""
        return f"{facts_of(self.kind).rank}-{self.similarity}-{self.kind}-{digest(self.unit)[:16]}.json"

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


class Spool:
    """The suspicions that wait in a findings folder. Methods raise `OSError` if the folder cannot be written."""

    def __init__(self, findings: Path) -> None:
        self._folder = findings / FOLDER

    def put(self, suspicion: Suspicion) -> bool:
        """Store a suspicion; False if `MOST_ALIKE` suspicions with its similarity key wait already."""
        self._folder.mkdir(parents=True, exist_ok=True)
        target = self._folder / suspicion.name
        key = similarity_of(target.name)
        alike = [path for path in self._paths() if similarity_of(path.name) == key]
        if len(alike) >= MOST_ALIKE and target not in alike:
            return False
        write_whole(target, suspicion.written(), durable=True)
        return True

    def names(self) -> list[str]:
        """Return the file names of the suspicions, the gravest first."""
        return sorted(path.name for path in self._paths())

    def read(self, name: str) -> Suspicion | None:
        """Return a suspicion by its file name; None if the file is gone or damaged.

        A damaged file is renamed to `*.damaged`.
        """
        path = self._folder / name
        try:
            content = read_plain(path)
        except FileNotFoundError:
            return None
        found = Suspicion.read(content)
        if found is None:
            path.rename(self.aside(name))
        return found

    def aside(self, name: str) -> Path:
        """Return the path of a suspicion that was found damaged, by its file name."""
        return (self._folder / name).with_suffix(".damaged")

    def path(self, name: str) -> Path:
        """Return the path of a suspicion by its file name."""
        return self._folder / name

    def remove(self, name: str) -> None:
        """Remove a suspicion whose result is stored."""
        (self._folder / name).unlink(missing_ok=True)

    def _paths(self) -> Iterator[Path]:
        return self._folder.glob("[0-9]*.json")

    def __len__(self) -> int:
        return len(self.names())

    def __iter__(self) -> Iterator[Suspicion]:
        return (found for name in self.names() if (found := self.read(name)) is not None)


def similarity_of(name: str) -> str:
    """Return the similarity key of a suspicion by its file name."""
    return name.split("-")[1]


def seed_of(name: str) -> str:
    """Return the hash of kind and seed in the similarity key of a suspicion, by its file name."""
    return similarity_of(name)[:_DIGITS]


def is_gravest(name: str) -> bool:
    """Return whether no suspicion is graver than one with this file name."""
    return name.startswith("0-")


def _hash(*facts: object) -> str:
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:_DIGITS]
