"""The queue that confirms suspicions, one at a time, each in a fresh process, while the campaign runs.

Three parts do the work: `suspicions` has those that wait, `Turns` their order, and `examiner` examines one. In the end
each suspicion is examined once, but for a signature that has enough findings the examination ends early, and the
suspicion is only counted.
"""

from __future__ import annotations

import threading
import time
from collections import Counter as Tally
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from chcfuzz.execution.child_process import ChildProcess
from chcfuzz.execution.recorded_flags import trusted
from chcfuzz.execution.seed_answers import SeedAnswers
from chcfuzz.execution.solving import Solving
from chcfuzz.solvers.machine_limits import MachineLimitError, limits_named
from chcfuzz.triage.examine.conclusion import End
from chcfuzz.triage.examine.confirm import ConfirmError
from chcfuzz.triage.examine.suspicion import Suspicion, is_gravest, kind_of, seed_of, similarity_of, symptom_of
from chcfuzz.triage.findings.examiner import Examiner
from chcfuzz.triage.findings.store import FindingsError, FindingStore
from chcfuzz.triage.findings.suspicions import Result, Suspicions

_NICENESS = 10  # added for a suspicion whose seed and kind have had a turn
_INTERVAL = 0.2  # seconds between two reads of the spool
_TURNS_OF_A_FINDING = 3


class ConfirmationQueue:
    """Confirms the suspicions of a findings folder, and writes the findings.

    `mark` receives the kind and the folder name of each finding. `stopping` is set when the thread has to stop.
    `solving` returns the solver for a suspicion, by default the one that it was seen with, unless that runs code of the
    user's choice. `announce` is called before and after each examination: with True before the first one of a kind,
    else with False.
    """

    def __init__(
        self,
        store: FindingStore,
        answers: SeedAnswers,
        mark: Callable[[str, str], None],
        solving: Callable[[Suspicion], Solving] = lambda suspicion: trusted(suspicion.solving, Solving()),
        announce: Callable[[bool], None] = lambda _is_first: None,
    ) -> None:
        self.suspicions = Suspicions(store.folder)
        self.examiner = Examiner(store, self.suspicions, answers, mark, solving)
        self.turns = Turns()
        self._announce = announce
        self.error: FindingsError | MachineLimitError | None = None  # set when nothing can be confirmed any more
        self.stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._finishing = False
        self._process: ChildProcess | None = None

    def start(self) -> None:
        """Start to process the spool in a thread."""
        self._thread = threading.Thread(target=self._work, name="confirmation queue", daemon=True)
        self._thread.start()

    @property
    def has_first_turns(self) -> bool:
        """Whether `finish` would examine a suspicion, because one is being examined or its key has not had a turn."""
        return self._process is not None or self.turns.next(self.suspicions.names(), True) is not None

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
            name = self.turns.next(self.suspicions.names(), self._finishing)
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

    def process(self, name: str) -> Path | None:
        """Confirm a suspicion of the spool; return the folder of its finding, if it is one.

        The suspicion stays in the spool if its examination fails or is stopped. Raises `FindingsError`.
        """
        suspicion = self.examiner.read(name)
        if suspicion is None:
            return None
        result = self.examiner.known(suspicion) or self._examined(name, suspicion)
        if result is None:
            return None
        self.suspicions.settle(name, result)
        return result.folder

    def _examined(self, name: str, suspicion: Suspicion) -> Result | None:
        """Examine a suspicion, at a lower priority after the first turn of its seed; None without a result."""
        self._announce(self.turns.is_first(name))
        turn = self.turns.begin(name)
        try:
            confirmation = self.examiner.confirm(suspicion, partial(self._begun, turn))
        except ConfirmError as error:
            if not self.stopping.is_set():
                self.turns.failed(name)
                self.examiner.report_failure(suspicion, error)
            return None
        finally:
            self._process = None
            self._announce(False)
        if confirmation.end is End.CONFIRMED:
            self.turns.confirmed(name)
        return self.examiner.store_result(confirmation)

    def _begun(self, turn: int, process: ChildProcess) -> None:
        self._process = process
        if turn:
            process.lower_priority(_NICENESS)
        if self.stopping.is_set():
            process.kill()


class Turns:
    """The order of suspicions, which are given by the names of their files: counts turns, and chooses the next one.

    Suspicions whose symptom has had the fewest turns come first, then those whose seed and kind have had the fewest,
    then those whose similarity key has, then graver ones, so that a frequent bug does not delay another one. Wrong
    answers are one turn ahead. For a seed, a turn that confirms a finding counts as three, so that a seed whose first
    wrong answer is not settled soon has another turn.
    """

    def __init__(self) -> None:
        self._of_keys: Tally[str] = Tally()  # similarity keys
        self._of_seeds: Tally[str] = Tally()
        self._of_symptoms: Tally[str] = Tally()
        self._kinds: set[str] = set()  # that had a turn
        self._failed: set[str] = set()

    def next(self, names: Iterable[str], first_only: bool = False) -> str | None:
        """Return the suspicion whose turn it is; with `first_only`, only one whose key has not had a turn."""
        waiting = (name for name in names if name not in self._failed)
        return min(
            (name for name in waiting if not (first_only and self._of_keys[similarity_of(name)])),
            key=self._order,
            default=None,
        )

    def is_first(self, name: str) -> bool:
        """Return whether no suspicion of its kind has had a turn."""
        return kind_of(name) not in self._kinds

    def begin(self, name: str) -> int:
        """Count a turn; return the number of turns that the seed and kind had before."""
        turn = self._of_seeds[seed_of(name)]
        self._of_seeds[seed_of(name)] += 1
        self._of_keys[similarity_of(name)] += 1
        self._of_symptoms[symptom_of(name)] += 1
        self._kinds.add(kind_of(name))
        return turn

    def confirmed(self, name: str) -> None:
        """Note that the turn has confirmed a finding."""
        self._of_seeds[seed_of(name)] += _TURNS_OF_A_FINDING - 1

    def failed(self, name: str) -> None:
        """Note that the examination has failed, so that the suspicion does not get another turn."""
        self._failed.add(name)

    def _order(self, name: str) -> tuple[int, int, int, str]:
        behind = not is_gravest(name)
        symptom = self._of_symptoms[symptom_of(name)] + behind
        return symptom, self._of_seeds[seed_of(name)] + behind, self._of_keys[similarity_of(name)], name
