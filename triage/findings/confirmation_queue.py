"""The desk where suspicions are looked into, one at a time, in processes of their own, while the campaign goes on.

Those come first that had no turn yet of all that look alike, then the graver: however often one cause strikes, another
gets its turn. Each gets one look in the end, but those of a cause that has its share are only counted.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections import Counter as Tally
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from chcfuzz.execution.seed_answers import Ground, SeedAnswer, SeedAnswers
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.recipe import Recipe, decode, digest, encode
from chcfuzz.triage.examine.confirm import Confirmation, ConfirmError, confirm, end
from chcfuzz.triage.examine.suspicion import Box, Suspicion, alike_of
from chcfuzz.triage.findings.folder import headline
from chcfuzz.triage.findings.store import SURPLUS, FindingsError, FindingStore

_POLITE = 10  # added to the niceness of a look at what had a turn already
_EVERY = 0.2  # seconds between looks into the box

# What becomes of suspicions, as the desk counts it.
ALIKE, OTHERS, STATUSES, FAILED = "alike", "others", "wrong statuses", "failed"


class Desk:
    """`mark` is told kind and folder name of each finding. `tally` counts what else became of suspicions,
    `vanished` by kind those that did not come again.

    `solving` says how the solver is to be started for a suspicion: as it was when it was seen.
    """

    def __init__(
        self,
        store: FindingStore,
        answers: SeedAnswers,
        mark: Callable[[str, str], None],
        solving: Callable[[Suspicion], Solving] = lambda suspicion: Solving.parsed(suspicion.solving),
    ) -> None:
        self.store = store
        self._solving = solving
        self._answers = answers
        self._mark = mark
        self.box = Box(store.folder)
        self.tally: Tally[str] = Tally()
        self.vanished: Tally[str] = Tally()
        self.error: FindingsError | None = None  # the folder cannot be written any more
        self._turns: Tally[str] = Tally()
        self._failed: set[str] = set()
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._finishing = False
        self._process: subprocess.Popen[str] | None = None

    # Beside a campaign

    def start(self) -> None:
        """Begin to look into what waits, in a thread."""
        self._thread = threading.Thread(target=self._work, name="desk", daemon=True)
        self._thread.start()

    def suspect(self, suspicion: Suspicion) -> bool:
        """Write a suspicion down; False where so many alike wait that it is only counted. Raises `FindingsError`."""
        try:
            return self.box.put(suspicion)
        except OSError as error:
            raise FindingsError(self.store.folder, error) from error

    def finish(self, seconds: float, unless: Callable[[], bool] = lambda: False) -> None:
        """Let everything have a first turn that has had none, and stop: the rest waits in its box.

        That is after so many seconds, or where it comes true that nobody wants to wait.
        """
        self._finishing = True
        until = time.monotonic() + seconds
        while self._thread is not None and self._thread.is_alive() and not unless() and time.monotonic() < until:
            self._thread.join(min(_EVERY, seconds))
        self.stop()

    def stop(self) -> None:
        """Stop at once; what was looked into waits again."""
        self._stopping.set()
        if self._thread is not None:
            while self._thread.is_alive():
                process = self._process
                if process is not None:
                    end(process)
                self._thread.join(_EVERY)

    def _work(self) -> None:
        while not self._stopping.is_set():
            name = self._next()
            if name is not None:
                try:
                    self.look(name)
                except FindingsError as error:
                    self.error = error
                    return
            elif self._finishing:
                return
            else:
                self._stopping.wait(_EVERY)

    def _next(self) -> str | None:
        """The suspicion whose turn it is; while finishing, only one of those of which none had a turn."""
        names = [name for name in self.box.names() if name not in self._failed]
        if self._finishing:
            names = [name for name in names if not self._turns[alike_of(name)]]
        return min(names, key=lambda name: (self._turns[alike_of(name)], name), default=None)

    # One suspicion

    def look(self, name: str) -> Path | None:
        """Look into a suspicion that waits; the folder of its finding, if one came of it.

        It waits on where the examination fails or is stopped. Raises `FindingsError`.
        """
        suspicion = self.box.read(name)
        if suspicion is None:
            return None
        if self._is_settled_by_seed(suspicion):
            self.tally[ALIKE] += 1
            self.box.remove(name)
            return None
        here = self.store.of_unit(suspicion.unit, suspicion.kind)
        if here is not None:  # an earlier campaign found it
            self._mark(suspicion.kind, here.name)
            self.box.remove(name)
            return here
        turn = self._turns[alike_of(name)]
        self._turns[alike_of(name)] += 1
        try:
            confirmation = self.examined(suspicion, turn)
        except ConfirmError as error:
            if not self._stopping.is_set():
                self._failed.add(name)
                self.tally[FAILED] += 1
                unit = digest(suspicion.unit)[:12]
                self.say(f"{suspicion.kind} of unit {unit} could not be looked into, and waits: {error}")
            return None
        folder = self.settle(confirmation)
        self.box.remove(name)
        return folder

    def examined(self, suspicion: Suspicion, turn: int = 0) -> Confirmation:
        """What a fresh process finds out; raises `ConfirmError`. All but the first of a kind have time."""
        try:
            begun = partial(self._begun, turn)
            return confirm(suspicion, self._solving(suspicion), begun, self.store.full())
        finally:
            self._process = None

    def _is_settled_by_seed(self, suspicion: Suspicion) -> bool:
        """Whether a witness has since shown that the seed has the other status: then the answer was right."""
        if suspicion.expected is None or suspicion.seed is None:
            return False
        known = self._answers.look_again(decode(suspicion.unit).seed)
        return known is not None and known.ground is Ground.WITNESS and known.status != suspicion.seed.status

    def _begun(self, turn: int, process: subprocess.Popen[str]) -> None:
        self._process = process
        if turn:
            with suppress(ProcessLookupError):
                os.setpriority(os.PRIO_PROCESS, process.pid, _POLITE)
        if self._stopping.is_set():
            end(process)

    def settle(self, confirmation: Confirmation) -> Path | None:
        """Write down and tell what became of a suspicion; the folder of its finding, if it is one."""
        for death in confirmation.deaths:
            self.suspect(death)
        suspicion, kind = confirmation.suspicion, str(confirmation.conclusion["kind"])
        match confirmation.end:
            case "confirmed" | "contradiction" | "ours":
                return self._kept(confirmation, kind)
            case "vanished":
                self.vanished[kind] += 1
                aside = self.store.put_aside(suspicion)
                seen = f" ({suspicion.detail})" if suspicion.detail else ""
                self.say(f"{kind}{seen}: {confirmation.conclusion['words']}: {aside}")
            case "alike":
                self.tally[ALIKE] += 1
            case "others":
                self.tally[OTHERS] += 1
            case "seed":
                self._learn_of_seed(confirmation)
        return None

    def _kept(self, confirmation: Confirmation, kind: str) -> Path | None:
        new = self.store.of_unit(confirmation.unit, kind) is None
        folder = self.store.keep(confirmation)
        if folder is None:
            self.tally[ALIKE] += 1
            return None
        if folder.parent.name == SURPLUS:
            self.tally[ALIKE] += 1
            return folder
        self._mark(kind, folder.name)
        if new:
            self.say(f"{headline(confirmation)}: {folder}")
        return folder

    def _learn_of_seed(self, confirmation: Confirmation) -> None:
        """The seed's answer is another one than was taken for it: a wrong declaration, or the solver's own mistake."""
        suspicion, witness = confirmation.suspicion, confirmation.conclusion["seed"]
        seed = decode(suspicion.unit).seed
        before = suspicion.seed
        answer = SeedAnswer(witness["status"], Ground.WITNESS, witness["text"])
        known = self._answers.look_again(seed)
        if known is not None and known.ground is Ground.WITNESS:
            self.tally[ALIKE] += 1
            return
        self._answers.note(seed, answer)
        if before is not None and before.ground is Ground.ANSWER:
            unit = encode(Recipe(seed))
            detail = f"answers {before.status}, but {answer.status} is shown by a witness"
            seen = Suspicion(unit, "wrong-answer", "answer", str(before.status), answer.status, detail, answer)
            self.suspect(replace(seen, solving=suspicion.solving))
        else:
            self.tally[STATUSES] += 1
            self.say(
                f"a seed's declared status is wrong, and not believed any more: {confirmation.conclusion['words']}"
            )

    @staticmethod
    def say(text: str) -> None:
        """A line for people."""
        print(f"chcfuzz: {text}", file=sys.stderr, flush=True)
