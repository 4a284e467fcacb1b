"""The queue that confirms suspicions, one at a time, each in a fresh process, while the campaign runs.

Suspicions whose symptom has had the fewest turns come first, then those whose seed and kind have had the fewest, then
those whose similarity key has, then graver ones, so that a frequent bug does not delay another one. Wrong answers are
one turn ahead. For a seed, a turn that confirms a finding counts as three, so that a seed whose first wrong answer is
not settled soon has another turn. In the end each suspicion is examined once, but for a signature that has enough
findings the examination ends early, and the suspicion is only counted.
"""

from __future__ import annotations

import threading
import time
from collections import Counter as Tally
from collections.abc import Callable
from functools import partial
from pathlib import Path

from chcfuzz.execution.child_process import ChildProcess
from chcfuzz.execution.identity import solver_key
from chcfuzz.execution.recorded_flags import trusted
from chcfuzz.execution.seed_answers import Ground, SeedAnswer, SeedAnswers
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.printable import shortened
from chcfuzz.mutators.recipe import decode
from chcfuzz.oracles.verdict import ANSWER
from chcfuzz.solvers.command import CommandError
from chcfuzz.solvers.limits import MachineLimitError, limits_named
from chcfuzz.solvers.z3_release import ReleaseError
from chcfuzz.triage.examine.conclusion import Conclusion, End, Witness
from chcfuzz.triage.examine.confirm import Confirmation, ConfirmError, confirm
from chcfuzz.triage.examine.signature import seed_digest
from chcfuzz.triage.examine.spool import Spool
from chcfuzz.triage.examine.suspicion import Suspicion, is_gravest, seed_of, similarity_of, symptom_of
from chcfuzz.triage.findings.announcements import Announcements
from chcfuzz.triage.findings.fallen_status import implied_contradictions, wrong_answer_to_seed
from chcfuzz.triage.findings.folder import headline
from chcfuzz.triage.findings.record import short_digest
from chcfuzz.triage.findings.results import Result, Results
from chcfuzz.triage.findings.store import SURPLUS, UNCONFIRMED, FindingsError, FindingStore

_NICENESS = 10  # added for a suspicion whose seed and kind have had a turn
_TURNS_OF_A_FINDING = 3
_INTERVAL = 0.2  # seconds between two reads of the spool

# Names of the counters in `tally`.
ALIKE, OTHERS, STATUSES, FAILED = "alike", "others", "wrong statuses", "failed"


class ConfirmationQueue:
    """Confirms the suspicions of a findings folder, and writes the findings.

    `mark` receives the kind and the folder name of each finding. `tally` counts the other results, and `vanished` the
    suspicions of each kind that did not occur again. `stopping` is set when the thread has to stop. `solving` returns
    the solver for a suspicion, by default the one that it was seen with, unless that runs code of the user's choice.
    """

    def __init__(
        self,
        store: FindingStore,
        answers: SeedAnswers,
        mark: Callable[[str, str], None],
        solving: Callable[[Suspicion], Solving] = lambda suspicion: trusted(suspicion.solving, Solving()),
    ) -> None:
        self.store = store
        self._solving = solving
        self._answers = answers
        self._mark = mark
        self.spool = Spool(store.folder)
        self._results = Results(store)
        self.announcements = Announcements()
        self.tally: Tally[str] = Tally()
        self.vanished: Tally[str] = Tally()
        self.error: FindingsError | MachineLimitError | None = None  # set when nothing can be confirmed any more
        self._turns: Tally[str] = Tally()  # by similarity key
        self._turns_of_seeds: Tally[str] = Tally()
        self._turns_of_symptoms: Tally[str] = Tally()
        self._failed: set[str] = set()
        self._thread: threading.Thread | None = None
        self.stopping = threading.Event()
        self._finishing = False
        self._process: ChildProcess | None = None

    # The thread beside a campaign

    def start(self) -> None:
        """Start to process the spool in a thread."""
        self._thread = threading.Thread(target=self._work, name="confirmation queue", daemon=True)
        self._thread.start()

    @property
    def has_first_turns(self) -> bool:
        """Whether `finish` would examine a suspicion, because one is being examined or its key has not had a turn."""
        names = (name for name in self.spool.names() if name not in self._failed)
        return self._process is not None or any(not self._turns[similarity_of(name)] for name in names)

    def add(self, suspicion: Suspicion) -> bool:
        """Store a suspicion; False if too many similar ones wait (`Spool.put`). Raises `FindingsError`.

        Nothing is written about one that is only counted, and this is noted as its result.
        """
        try:
            gone = self.spool.put(suspicion)
        except OSError as error:
            raise FindingsError(self.store.folder, error) from error
        if gone is not None:
            self.note_result(gone, Result())
        return gone != suspicion.name

    def finish(self, seconds: float, unless: Callable[[], bool] = lambda: False) -> None:
        """Give a first turn to each similarity key without one, and stop. The rest stays in the spool.

        It also stops after `seconds`, and as soon as `unless` returns true.
        """
        self._finishing = True
        until = time.monotonic() + seconds
        while self._thread is not None and self._thread.is_alive() and not unless() and time.monotonic() < until:
            self._thread.join(min(_INTERVAL, seconds))
        self.stop()

    def stop(self) -> None:
        """Stop at once; a suspicion that is being examined stays in the spool."""
        self.stopping.set()
        if self._thread is not None:
            while self._thread.is_alive():
                process = self._process
                if process is not None:
                    process.kill()
                self._thread.join(_INTERVAL)

    def _work(self) -> None:
        while not self.stopping.is_set():
            name = self.next()
            if name is not None:
                try:
                    with limits_named():
                        self.process(name)
                except (FindingsError, MachineLimitError) as error:
                    self.error = error
                    return
            elif self._finishing:
                return
            else:
                self.stopping.wait(_INTERVAL)

    def next(self) -> str | None:
        """Return the suspicion whose turn it is; while finishing, only one whose key has not had a turn."""
        names = [name for name in self.spool.names() if name not in self._failed]
        if self._finishing:
            names = [name for name in names if not self._turns[similarity_of(name)]]
        return min(names, key=self._order, default=None)

    def _order(self, name: str) -> tuple[int, int, int, str]:
        behind = not is_gravest(name)
        symptom = self._turns_of_symptoms[symptom_of(name)] + behind
        return symptom, self._turns_of_seeds[seed_of(name)] + behind, self._turns[similarity_of(name)], name

    # One suspicion

    def process(self, name: str) -> Path | None:
        """Confirm a suspicion of the spool; return the folder of its finding, if it is one.

        The suspicion stays in the spool if its examination fails or is stopped. Raises `FindingsError`.
        """
        suspicion = self.spool.read(name)
        if suspicion is None:
            if self.spool.aside(name).exists():
                text = "a suspicion is damaged or of another version, and is not examined"
                self.announcements.print_line(f"{text}: {self.spool.aside(name)}")
            return None
        if self._is_settled_by_seed(suspicion):
            self.tally[ALIKE] += 1
            self._settle(name, Result())
            return None
        existing = self.store.of_unit(suspicion.unit, suspicion.kind, self._solver_of(suspicion))
        if existing is not None:  # an earlier campaign found it
            self._mark(suspicion.kind, existing.name)
            self._settle(name, Result(existing.name))
            return existing
        turn = self._turns_of_seeds[seed_of(name)]
        self._turns_of_seeds[seed_of(name)] += 1
        self._turns[similarity_of(name)] += 1
        self._turns_of_symptoms[symptom_of(name)] += 1
        try:
            confirmation = self.confirm(suspicion, turn)
        except ConfirmError as error:
            if not self.stopping.is_set():
                self._failed.add(name)
                self.tally[FAILED] += 1
                unit = short_digest(suspicion.unit)
                self.announcements.print_line(
                    f"{suspicion.kind} of unit {unit} could not be confirmed, and stays in the spool: {error}"
                )
            return None
        if confirmation.conclusion.end is End.CONFIRMED:
            self._turns_of_seeds[seed_of(name)] += _TURNS_OF_A_FINDING - 1
        result = self.store_result(confirmation)
        self._settle(name, result)
        return result.folder

    def _settle(self, name: str, result: Result) -> None:
        self.note_result(name, result)
        self.spool.remove(name)

    def note_result(self, name: str, result: Result) -> None:
        """Note the place of the written result of the suspicion with this name; raises `FindingsError`."""
        try:
            self._results.add(name, result.place)
        except OSError as error:
            raise FindingsError(self.store.folder, error) from error

    def confirm(self, suspicion: Suspicion, turn: int = 0) -> Confirmation:
        """Examine a suspicion in a fresh process, at a lower priority after the first turn; raises `ConfirmError`."""
        try:
            solving = self._solving(suspicion)
        except UsageError as error:
            raise ConfirmError(str(error)) from error
        try:
            full = self.store.full(seed_digest(decode(suspicion.unit).seed))
            return confirm(suspicion, solving, partial(self._begun, turn), full)
        finally:
            self._process = None

    def _solver_of(self, suspicion: Suspicion) -> str:
        """Return the key of the solver for a suspicion; empty if it cannot be used, so that no finding has it."""
        try:
            return solver_key(self._solving(suspicion), decode(suspicion.unit).parameters)
        except (UsageError, ReleaseError, CommandError):
            return ""

    def _is_settled_by_seed(self, suspicion: Suspicion) -> bool:
        """Whether a witness has since shown that the seed has the other status, so that the answer was right."""
        if suspicion.oracle != ANSWER.name or suspicion.expected is None or suspicion.seed is None:
            return False
        known = self._answers.of(decode(suspicion.unit).seed)
        return known is not None and known.ground is Ground.WITNESS and known.status != suspicion.seed.status

    def _begun(self, turn: int, process: ChildProcess) -> None:
        self._process = process
        if turn:
            process.lower_priority(_NICENESS)
        if self.stopping.is_set():
            process.kill()

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
        more = (each for each in confirmation.conclusion.more if each.oracle != ANSWER.name)
        for found in (*confirmation.deaths, *more):
            self.add(found)

    def _keep(self, confirmation: Confirmation) -> Result:
        kind = confirmation.conclusion.kind
        is_new = self.store.of_unit(confirmation.unit, kind, confirmation.signature.solver) is None
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

    def _learn_of_seed(self, suspicion: Suspicion, witness: Witness, conclusion: Conclusion) -> None:
        """Note the proved status of a seed: its declaration was wrong, or the solver's own answer to the seed."""
        seed, before = decode(suspicion.unit).seed, suspicion.seed
        answer = SeedAnswer(witness.status.value, Ground.WITNESS, witness.text)
        known = self._answers.of(seed)
        if known is not None and known.ground is Ground.WITNESS:
            self.tally[ALIKE] += 1
            return
        self._answers.note(seed, answer)
        self._take_back(seed, answer)
        if before is not None and before.ground is Ground.ANSWER:
            self.add(wrong_answer_to_seed(suspicion, before, answer))
        else:
            self.tally[STATUSES] += 1
            self.announcements.print_line(
                f"a seed's declared status is wrong, and ignored from now on: {conclusion.words}"
            )
            for each in conclusion.more:  # the solver's own answer to the seed may be wrong in the same way
                if each.oracle == ANSWER.name:
                    self.add(each)

    def _take_back(self, seed: str, answer: SeedAnswer) -> None:
        """Take back the contradictions that another status of a seed implied; their units are examined again."""
        for name, suspicion in implied_contradictions(self.store.folder, seed, answer):
            aside = self.store.put_aside(suspicion)
            self.store.remove(name)
            self.announcements.print_line(f"{name} is taken back, because the status of its seed was wrong: {aside}")
