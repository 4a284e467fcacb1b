"""The typed record of a finding, and the parts of its folder that other modules read.

`Finding.read` is the only reader of `record.json`. `reductions` holds the codec of the records of reductions, and
`location` that of `location.json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from chcfuzz.execution.codec import CodecError, from_json, to_json
from chcfuzz.execution.files import read_plain
from chcfuzz.execution.reports import RunReport, StepReport
from chcfuzz.execution.seed_answers import Ground
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.mutators.recipe import digest
from chcfuzz.solvers.solver_names import SOLVER, is_version
from chcfuzz.solvers.z3_program import NAME
from chcfuzz.triage.examine.conclusion import Reproduction
from chcfuzz.triage.examine.finding_scope import Standing
from chcfuzz.triage.examine.signature import Signature
from chcfuzz.triage.findings.compared_solvers import is_known
from chcfuzz.triage.findings.location import Location, read_location
from chcfuzz.triage.findings.reductions import Reduction, SystemFiles, reductions
from chcfuzz.triage.shrink.result import Mode
from msgspec import UNSET, Struct, UnsetType

FORMAT = "chcfuzz-finding 4"
RECORD, RECIPE = "record.json", "recipe"


@dataclass(frozen=True)
class FolderName:
    """Name of a finding's folder: the name of its signature, and the first 12 digits of its unit's digest."""

    signature: str
    unit: str

    @classmethod
    def of(cls, signature: Signature, unit: bytes) -> FolderName:
        """Return the name for a unit with this signature."""
        return cls(signature.name, short_digest(unit))

    @classmethod
    def parse(cls, name: str) -> FolderName:
        """Return the parts of a folder's name."""
        signature, _, unit = name.rpartition("-")
        return cls(signature, unit)

    @property
    def kind(self) -> str:
        """The kind of the finding: the signature's name without its hash and its marks."""
        kind, _, _ = self.signature.rpartition("-")
        return kind.removesuffix("-default").removesuffix("-known")

    def __str__(self) -> str:
        return f"{self.signature}-{self.unit}"


def short_digest(unit: bytes) -> str:
    """Return the digits that name a unit in folder names and messages."""
    return digest(unit)[:12]


@dataclass(frozen=True)
class SeedStatus:
    """The status of a seed, and the ground on which it is known."""

    status: str | None
    ground: Ground


@dataclass(frozen=True)
class Cvc5Answers:
    """Answers of cvc5 to `evidence.smt2`, and to each check of the witness."""

    evidence: str = ""
    witness: tuple[str, ...] = ()


class Record(Struct, frozen=True, kw_only=True, rename={"signature": "cause", "standing": "scope"}):
    """The content of `record.json`.

    `witness` describes the evidence against the solver, and `witness_for` the status that the witness supports.
    `solving` are the flags of chcfuzz that start the solver; `command` and `session` are the command lines that were
    run, empty for a solver in this process. `solvers` are the releases of the solvers by name, the accused one first,
    if several solved the problem. `seed` is the known status of the seed, `expected` the promised answer, and
    `answer` the answer of the solver ("death" if it died). `chain` holds the steps, `answers_along_the_chain` the
    answers to the chain's prefixes, and `tried` the answers of other configurations and solvers. `runs` holds the
    execution of the unit under the name "given". `execution` and `seconds` are the executions and the seconds of
    fuzzing of the session when the suspicion was seen; records of older versions, and of a user's own files, do not
    have them. `reproductions` are the runs of released solvers on mutant.smt2.
    """

    kind: str
    signature: Signature
    standing: Standing
    witness: str
    witness_for: str | None = None
    cvc5: Cvc5Answers = Cvc5Answers()
    chcfuzz: str = ""
    z3: str
    solvers: Mapping[str, str] | UnsetType = UNSET
    solving: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    session: tuple[str, ...] = ()
    expected: str | None = None
    seed: SeedStatus | None = None
    answer: str
    promise: str = ""
    parameters: Mapping[str, str] = {}
    chain: tuple[StepReport, ...] = ()
    answers_along_the_chain: tuple[str, ...] = ()
    tried: Mapping[str, str] = {}
    runs: Mapping[str, RunReport] = {}
    execution: int | UnsetType = UNSET
    seconds: float | UnsetType = UNSET
    reproductions: tuple[Reproduction, ...] = ()

    def to_json(self) -> bytes:
        """Return the content of `record.json`."""
        return to_json(self, FORMAT, indent=2)

    @property
    def releases(self) -> Mapping[str, str]:
        """The releases of the solvers by name, the accused one first; empty if only one solved the problem."""
        return {} if isinstance(self.solvers, UnsetType) else self.solvers

    @property
    def is_of_build(self) -> bool:
        """Whether the solver was a build of Z3 that a user named, which may differ from the release of its version."""
        return not (self.releases or self.command) and Solving.parsed(self.solving).z3_library is not None

    @property
    def front_end(self) -> str:
        """The name of the z3 program if the finding is about it and not about the library; else empty."""
        return NAME if self.parameters.get(SOLVER) == NAME else ""

    @property
    def given(self) -> RunReport | None:
        """The execution of the unit, None if the solver died of it."""
        return self.runs.get("given")

    @property
    def fault(self) -> str:
        """The class of the fault with its numbers; empty in records of older versions, whose `witness` has it."""
        if self.given is None:
            return self.signature.detail
        return next((verdict.fault for verdict in self.given.verdicts if verdict.kind == self.kind), "")


def _check(record: Record) -> None:
    """Raise `CodecError` for a solver or release that chcfuzz does not know: scripts install them."""
    releases = {f"z3-solver {record.z3}": not record.z3 or is_version(record.z3)}
    releases |= {f"{name} {one}": not one or is_known(name, one) for name, one in record.releases.items()}
    for name, is_fine in releases.items():
        if not is_fine:
            raise CodecError(f"names the solver {name!r}, which is not a release that chcfuzz knows")
    for word in (*record.command, *record.session, *record.releases):
        if not word.isprintable():
            raise CodecError(f"has a command with a control character: {word!r}")


@dataclass(frozen=True)
class Finding:
    """A finding: its folder and its record, and its other files, each of which is read once, when it is needed."""

    folder: Path
    record: Record

    @classmethod
    def read(cls, folder: Path) -> Finding:
        """Read the finding in a folder; raises `ChcfuzzError` if its record cannot be read."""
        path = folder / RECORD
        try:
            record = from_json(read_plain(path), Record, FORMAT)
            _check(record)
            return cls(folder, record)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise ChcfuzzError(
                f"{str(folder)!r} is not a finding: the file {RECORD!r} is missing; name another"
            ) from error
        except OSError as error:
            reason = f"cannot be read: {error.strerror}"
        except CodecError as error:
            reason = str(error)
        raise ChcfuzzError(f"{str(path)!r} {reason}; remove that finding's folder")

    @property
    def name(self) -> FolderName:
        """The parts of the folder's name."""
        return FolderName.parse(self.folder.name)

    @cached_property
    def unit(self) -> bytes:
        """The unit; raises `ChcfuzzError` if it cannot be read."""
        path = self.folder / RECIPE
        try:
            return read_plain(path)
        except OSError as error:
            reason = f"cannot read {str(path)!r}: {error.strerror}"
        raise ChcfuzzError(f"{reason}; remove that finding's folder")

    @cached_property
    def reductions(self) -> Mapping[Mode, SystemFiles]:
        """The reductions by mode; raises `ChcfuzzError` if one cannot be read."""
        return {found.reduction.mode: found for found in reductions(self.folder) if found.reduction is not None}

    @property
    def reduction(self) -> Reduction | None:
        """The reduction that keeps only the finding, None without one; raises `ChcfuzzError` if it cannot be read."""
        found = self.reductions.get(Mode.FINDING)
        return found.reduction if found else None

    @property
    def smallest(self) -> SystemFiles:
        """The smallest system: reduced in any way, else reduced to equivalent clauses, else the mutant.

        A reduced system whose text does not show the finding in a released solver does not count.
        """
        found = (self.reductions.get(mode) for mode in (Mode.FINDING, Mode.EQUIVALENT))
        shown = (each for each in found if each is not None and each.is_reproducible)
        return next(shown, SystemFiles(self.folder))

    @cached_property
    def location(self) -> Location | None:
        """The location, None without one; raises `LocationError` if it cannot be read."""
        return read_location(self.folder)
