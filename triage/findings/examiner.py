"""The examination of one suspicion of a findings folder, and the writing and printing of its result.

A result is a finding, a suspicion that is kept because its signature has enough findings, a unit that is put aside, or
knowledge about a seed. Suspicions that the examination raised are added to those that wait.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from chcfuzz.execution.console import print_error
from chcfuzz.execution.identity import solver_key
from chcfuzz.execution.seed_answers import Ground, SeedAnswer, SeedAnswers
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.printable import printable, shortened
from chcfuzz.solvers.command import CommandError
from chcfuzz.solvers.z3_release import ReleaseError
from chcfuzz.triage.examine.conclusion import Conclusion, End
from chcfuzz.triage.examine.confirm import Confirmation, ConfirmError, Register, confirm
from chcfuzz.triage.examine.signature import seed_digest
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.fallen_status import implied_contradictions, wrong_answer_to_seed
from chcfuzz.triage.findings.folder import headline
from chcfuzz.triage.findings.record import short_digest
from chcfuzz.triage.findings.reproducing import reproduced
from chcfuzz.triage.findings.store import SURPLUS, UNCONFIRMED, FindingStore
from chcfuzz.triage.findings.suspicions import Result, Suspicions

# Names of the counters in `tally`.
ALIKE, OTHERS, STATUSES, FAILED = "alike", "others", "wrong statuses", "failed"
_MOST_PRINTED = 3  # results with the same kind and parameters


class Examiner:
    """Examines suspicions. Every method raises `FindingsError` if the folder cannot be written.

    `mark` receives the kind and the folder name of each finding. `tally` counts the other results, and `vanished` the
    suspicions of each kind that did not occur again. `solving` returns the solver for a suspicion.
    """

    def __init__(
        self,
        store: FindingStore,
        suspicions: Suspicions,
        answers: SeedAnswers,
        mark: Callable[[str, str], None],
        solving: Callable[[Suspicion], Solving],
    ) -> None:
        self.store = store
        self._suspicions = suspicions
        self._answers = answers
        self._mark = mark
        self._solving = solving
        self.announcements = Announcements()
        self.tally: Tally[str] = Tally()
        self.vanished: Tally[str] = Tally()

    def read(self, name: str) -> Suspicion | None:
        """Return a suspicion that waits; None, with a line if it is damaged, for one that cannot be read."""
        suspicion, aside = self._suspicions.read(name), self._suspicions.aside(name)
        if suspicion is None and aside.exists():
            text = "a suspicion is damaged or of another version, and is not examined"
            self.announcements.print_line(f"{text}: {aside}")
        return suspicion

    def known(self, suspicion: Suspicion) -> Result | None:
        """Return the result of a suspicion that needs no examination, because of its seed or an earlier finding."""
        if self._is_settled_by_seed(suspicion):
            self.tally[ALIKE] += 1
            return Result()
        existing = self.store.of_unit(suspicion.unit, suspicion.kind, self._solver_of(suspicion))
        if existing is None:
            return None
        self._mark(suspicion.kind, existing.name)
        return Result(existing.name, existing)

    def confirm(self, suspicion: Suspicion, register: Register | None = None) -> Confirmation:
        """Examine a suspicion in fresh processes, which `register` receives; raises `ConfirmError`."""
        try:
            solving = self._solving(suspicion)
        except UsageError as error:
            raise ConfirmError(str(error)) from error
        return confirm(suspicion, solving, register, self.store.full(seed_digest(suspicion.recipe.seed)))

    def report_failure(self, suspicion: Suspicion, error: ConfirmError) -> None:
        """Count and print an examination that failed."""
        self.tally[FAILED] += 1
        unit = short_digest(suspicion.unit)
        self.announcements.print_line(
            f"{suspicion.kind} of unit {unit} could not be confirmed, and stays in the spool: {error}"
        )

    def _solver_of(self, suspicion: Suspicion) -> str:
        """Return the key of the solver for a suspicion; empty if it cannot be used, so that no finding has it."""
        try:
            return solver_key(self._solving(suspicion), suspicion.recipe.parameters)
        except (UsageError, ReleaseError, CommandError):
            return ""

    def _is_settled_by_seed(self, suspicion: Suspicion) -> bool:
        """Whether the other status of the seed is known since on a better ground, so that the answer is right."""
        if not suspicion.rests_on_promise or suspicion.expected is None or suspicion.seed is None:
            return False
        known = self._answers.of(suspicion.recipe.seed)
        return known is not None and known.has_better_ground(suspicion.seed) and known.status != suspicion.seed.status

    def store_result(self, confirmation: Confirmation) -> Result:
        """Write and report the result for a suspicion, and store those that its examination raised."""
        self.add_raised(confirmation)
        match (conclusion := confirmation.conclusion).end:
            case End.CONFIRMED | End.CONTRADICTION | End.BROKEN_PROMISE:
                return self._keep(confirmation)
            case End.VANISHED:
                return Result(f"{UNCONFIRMED}/{self._put_aside(confirmation).name}")
            case End.ALIKE:
                return self._keep_unit(confirmation)
            case End.OTHERS:
                self.tally[OTHERS] += 1
            case End.SEED:
                assert conclusion.seed is not None
                self._learn_of_seed(confirmation.suspicion, conclusion.seed, conclusion)
        return Result()

    def add_raised(self, confirmation: Confirmation) -> None:
        """Store the suspicions that an examination raised, but for those of a wrong answer to the seed."""
        more = (each for each in confirmation.conclusion.more if not each.rests_on_promise)
        for found in (*confirmation.deaths, *more):
            self._add(found, confirmation.suspicion)

    def _add(self, found: Suspicion, examined: Suspicion) -> None:
        """Store a suspicion that an examination raised; it was seen when the examined one was."""
        self._suspicions.add(replace(found, execution=examined.execution, seconds=examined.seconds))

    def _keep(self, confirmation: Confirmation) -> Result:
        kind = confirmation.conclusion.kind
        is_new = self.store.of_unit(confirmation.unit, kind, confirmation.signature.solver) is None
        if is_new:
            confirmation = reproduced(confirmation)
            if confirmation.end is End.VANISHED:
                return Result(f"{UNCONFIRMED}/{self._put_aside(confirmation).name}")
        folder = self.store.keep(confirmation)
        if folder is None:
            return self._keep_unit(confirmation)
        if folder.parent.name == SURPLUS:  # from which it is removed if its bucket has enough
            self.tally[ALIKE] += 1
            return Result(confirmation.signature.name, folder)
        self._mark(kind, folder.name)
        if is_new:
            parameters = tuple(sorted(confirmation.description.parameters))
            self.announcements.print_result(
                confirmation.signature.name, (kind, *map(str, parameters)), headline(confirmation), folder
            )
        return Result(folder.name, folder)

    def _keep_unit(self, confirmation: Confirmation) -> Result:
        self.store.keep_unit(confirmation.suspicion, confirmation.signature)
        self.tally[ALIKE] += 1
        return Result(confirmation.signature.name)

    def _put_aside(self, confirmation: Confirmation) -> Path:
        conclusion, suspicion = confirmation.conclusion, confirmation.suspicion
        self.vanished[conclusion.kind] += 1
        aside = self.store.put_aside(suspicion)
        detail = f" ({shortened(suspicion.detail)})" if suspicion.detail else ""
        self.announcements.print_result(
            aside.name,
            (UNCONFIRMED, conclusion.kind),
            f"{conclusion.kind}{detail}: {shortened(conclusion.words)}",
            aside,
        )
        return aside

    def _learn_of_seed(self, suspicion: Suspicion, answer: SeedAnswer, conclusion: Conclusion) -> None:
        """Note the status of a seed: its declaration was wrong, or the solver's own answer to the seed."""
        seed, before = suspicion.recipe.seed, suspicion.seed
        known = self._answers.of(seed)
        if known is not None and not answer.has_better_ground(known):
            self.tally[ALIKE] += 1
            return
        self._answers.note(seed, answer)
        self._take_back(seed, answer)
        if before is not None and before.ground is Ground.ANSWER:
            self._add(wrong_answer_to_seed(suspicion, before, answer), suspicion)
        else:
            self.tally[STATUSES] += 1
            self.announcements.print_line(
                f"a seed's declared status is wrong, and ignored from now on: {conclusion.words}"
            )
            for each in conclusion.more:  # the solver's own answer to the seed may be wrong in the same way
                if each.rests_on_promise:
                    self._add(each, suspicion)

    def _take_back(self, seed: str, answer: SeedAnswer) -> None:
        """Take back the contradictions that another status of a seed implied; their units are examined again."""
        for name, suspicion in implied_contradictions(self.store.folder, seed, answer):
            aside = self.store.put_aside(suspicion)
            self.store.remove(name)
            self.announcements.print_line(f"{name} is taken back, because the status of its seed was wrong: {aside}")


class Announcements:
    """Prints a line on each result; while `is_brief`, only the first of a signature and some of a probable cause."""

    def __init__(self) -> None:
        self.is_brief = False
        self._printed: set[str] = set()  # signatures
        self._causes: Tally[tuple[str, ...]] = Tally()

    def print_result(self, signature: str, cause: tuple[str, ...], text: str, place: Path) -> None:
        """Print a line on a result in `place`, unless it is like those that were printed."""
        if self.is_brief and (signature in self._printed or self._causes[cause] >= _MOST_PRINTED):
            return
        self._printed.add(signature)
        self._causes[cause] += 1
        last = self.is_brief and self._causes[cause] == _MOST_PRINTED
        self.print_line(f"{text}: {place}{'; further ones like it are only counted' if last else ''}")

    @staticmethod
    def print_line(text: str) -> None:
        """Print a line to the standard error."""
        print_error(f"chcfuzz: {printable(text)}")
