"""A verdict that looks like a finding, written down at once: nothing that happens afterwards can lose it.

Whoever sees one (a worker, or the supervisor for a death) puts it into the box, a folder beside the findings, and goes
on. It is taken out again when what became of it is written. What a campaign leaves in the box, the next one takes up,
or `chcfuzz confirm`.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from chcfuzz.execution.files import write_whole
from chcfuzz.execution.seed_answers import Ground, SeedAnswer
from chcfuzz.mutators.recipe import decode, digest
from chcfuzz.solvers.session import Request

FORMAT = "chcfuzz-suspicion 1"
FOLDER = ".suspicions"
MOST_ALIKE = 50  # that wait; a frequent bug must not fill the disk
# From grave to slight; the graver is looked at first.
_RANKS = ("wrong-answer", "crash", "contradiction", "disagreement", "wrong-model", "wrong-proof")


@dataclass(frozen=True)
class Suspicion:
    """`unit` showed a verdict of `kind` by `oracle`; the solver answered `seen` ("" where it died).

    `expected` is the answer that was promised, if one was; `seed` what was known of the seed's answer then; `solving`
    the flags that the solver was started with (`execution.solving`). `before` is what the process that answered had
    been asked by then, where that is what it is about.
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

    @property
    def alike(self) -> str:
        """A name for those that probably have one cause: by kind, answers, seed and what was done last.

        A unit that libFuzzer mutates did not show it before, so the last step is often the one at which answers part.
        What strikes under default parameters is graver than all else, and takes its turn by itself.
        """
        recipe = decode(self.unit)
        last = recipe.steps[-1].mutation if recipe.steps else " ".join(name for name, _ in recipe.parameters)
        answers = (self.kind, self.oracle, self.seen, self.expected)
        facts = (*answers, recipe.seed, last, bool(recipe.parameters), self.solving)
        return hashlib.sha256(repr(facts).encode()).hexdigest()[:8]

    @property
    def name(self) -> str:
        """The file that it is kept in; the graver sorts first."""
        rank = _RANKS.index(self.kind) if self.kind in _RANKS else len(_RANKS)
        return f"{rank}-{self.alike}-{self.kind}-{digest(self.unit)[:16]}.json"

    def written(self) -> bytes:
        """The content of its file."""
        fields = {**asdict(self), "unit": base64.b64encode(self.unit).decode()}
        return (json.dumps({"format": FORMAT, **fields}, indent=1) + "\n").encode()

    @classmethod
    def read(cls, content: bytes) -> Suspicion | None:
        """What `written` wrote; None for anything else."""
        try:
            fields: dict[str, Any] = json.loads(content)
            if fields.pop("format") != FORMAT:
                return None
            seed = fields.pop("seed")
            unit = base64.b64decode(fields.pop("unit"), validate=True)
            before = tuple((text, tuple(words)) for text, words in fields.pop("before", ()))
            made = cls(unit=unit, solving=tuple(fields.pop("solving")), before=before, **fields)
            return replace(made, seed=_answer(seed)) if seed else made
        except (ValueError, KeyError, TypeError, AttributeError):
            return None


def _answer(fields: dict[str, Any]) -> SeedAnswer:
    return SeedAnswer(fields["status"], Ground(fields["ground"]), fields["witness"])


class Box:
    """The suspicions that wait in a findings folder. Methods raise `OSError` where it cannot be written."""

    def __init__(self, findings: Path) -> None:
        self._folder = findings / FOLDER

    def put(self, suspicion: Suspicion) -> bool:
        """Write it down; False if so many alike wait already that it is only counted."""
        self._folder.mkdir(parents=True, exist_ok=True)
        target = self._folder / suspicion.name
        alike = list(self._folder.glob(f"{suspicion.name[:10]}-*"))
        if len(alike) >= MOST_ALIKE and target not in alike:
            return False
        write_whole(target, suspicion.written(), durable=True)
        return True

    def names(self) -> list[str]:
        """The files of those that wait, the gravest first."""
        return sorted(path.name for path in self._folder.glob("[0-9]*.json"))

    def read(self, name: str) -> Suspicion | None:
        """A suspicion by its file's name; None if it is gone, or damaged: a damaged one is put aside as `.damaged`."""
        path = self._folder / name
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            return None
        found = Suspicion.read(content)
        if found is None:
            path.rename(path.with_suffix(".damaged"))
        return found

    def path(self, name: str) -> Path:
        """Where a suspicion is."""
        return self._folder / name

    def remove(self, name: str) -> None:
        """Take one out: what became of it is written."""
        (self._folder / name).unlink(missing_ok=True)

    def __len__(self) -> int:
        return len(self.names())

    def __iter__(self) -> Iterator[Suspicion]:
        return (found for name in self.names() if (found := self.read(name)) is not None)


def alike_of(name: str) -> str:
    """Which suspicions one is alike to, by its file's name."""
    return name.split("-")[1]
