"""The reductions of a finding: their records, and the names of their files.

Each mode has files of its own (`reduced.json`, `equivalent.json`), so no reduction replaces one of another mode.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from chcfuzz.execution.codec import CodecError, from_json, to_json
from chcfuzz.execution.files import read_plain
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.triage.examine.conclusion import Reproduction, first_showing
from chcfuzz.triage.shrink.explain import Replaceable
from chcfuzz.triage.shrink.result import Mode

FORMAT = "chcfuzz-reduced 1"
STEMS = {Mode.FINDING: "reduced", Mode.EQUIVALENT: "equivalent"}


@dataclass(frozen=True, kw_only=True)
class Reduction:
    """The record of a reduction.

    `mode` is the mode of the reduction. `minimal` is true if no single edit of that mode makes the system smaller.
    `before` and `after` are the numbers of `triage.shrink.size.Size` by name. `tests` counts the candidates, and `most`
    is their limit where it ended the reduction. `parameters`, `chain` (rows of mutations), `words` (evidence) and
    `command` are those of the reduced finding. `replaceable` are constants that do not matter; empty in records of
    earlier versions, as is `reproductions`, the runs of released solvers on the reduced system.
    """

    mode: Mode = Mode.FINDING
    minimal: bool
    before: Mapping[str, int] = field(default_factory=dict)
    after: Mapping[str, int] = field(default_factory=dict)
    tests: int = 0
    most: int | None = None
    seconds: float = 0.0
    parameters: Mapping[str, str]
    chain: tuple[str, ...]
    words: str
    command: tuple[str, ...] = ()
    replaceable: tuple[Replaceable, ...] = ()
    reproductions: tuple[Reproduction, ...] = ()

    def to_json(self) -> bytes:
        """Return the content of the record's file."""
        return to_json(self, FORMAT, indent=2)


@dataclass(frozen=True)
class SystemFiles:
    """The files of one system in a finding's folder: of its mutant, or of the result of a reduction.

    Their names begin with `stem`, which is empty for the mutant; so is `reduction` None.
    """

    folder: Path
    stem: str = ""
    reduction: Reduction | None = None

    @property
    def system(self) -> str:
        """Name of the file with the system."""
        return system_of(self.stem)

    @property
    def is_reproducible(self) -> bool:
        """Whether a run of a released solver shows the finding on the reduced system, or none was made."""
        runs = () if self.reduction is None else self.reduction.reproductions
        return not runs or first_showing(runs) is not None

    def path(self, name: str) -> Path:
        """Return the path of a file that belongs to the system; `name` is that of the mutant's file."""
        return self.folder / (prefix_of(self.stem) + name)


def system_of(stem: str) -> str:
    """Return the name of the file with a system."""
    return f"{stem or 'mutant'}.smt2"


def stem_of(system: str) -> str:
    """Return the stem of the files that belong to the system in a file."""
    return "" if system == system_of("") else system.removesuffix(".smt2")


def prefix_of(stem: str) -> str:
    """Return the beginning of the names of the other files that belong to a system."""
    return f"{stem}-" if stem else ""


def record_of(stem: str) -> str:
    """Return the name of the file with the record of a reduction."""
    return f"{stem}.json"


def reductions(folder: Path) -> Iterator[SystemFiles]:
    """Yield the reductions in a finding's folder; raises `ChcfuzzError` for a damaged record.

    The mode is that of the record: earlier versions wrote `reduced.json` in both modes.
    """
    for stem in STEMS.values():
        reduction = read_reduction(folder, stem)
        if reduction is not None:
            yield SystemFiles(folder, stem, reduction)


def read_reduction(folder: Path, stem: str = STEMS[Mode.FINDING]) -> Reduction | None:
    """Return the record of a reduction, None without one; raises `ChcfuzzError` for a damaged file."""
    path = folder / record_of(stem)
    try:
        found = from_json(read_plain(path), Reduction, FORMAT)
        if not all(map(str.isprintable, found.command)):
            raise CodecError("has a command with a control character")
        return found
    except FileNotFoundError:
        return None
    except OSError as error:
        reason = f"cannot be read: {error.strerror}"
    except CodecError as error:
        reason = str(error)
    raise ChcfuzzError(f"{str(path)!r} {reason}; remove it, and reduce the finding again")
