"""Units that killed a worker: denied to all workers, and reported as suspicions."""

from __future__ import annotations

from collections.abc import Iterable

from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.session import Session
from chcfuzz.execution.console import print_error
from chcfuzz.execution.domain import load, with_selection
from chcfuzz.execution.identity import solver_key
from chcfuzz.mutators.recipe import decode
from chcfuzz.mutators.seeds import theories_of_seed
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.confirmation_queue import ConfirmationQueue
from chcfuzz.triage.findings.record import short_digest

_MOST_PRINTED = 3  # dead workers


class CrashReports:
    """Reports the deaths of one campaign's workers. `number` counts crashes."""

    def __init__(self, session: Session, queue: ConfirmationQueue, options: Options) -> None:
        self._session = session
        self._denylist = session.denylist
        self._queue = queue
        self._solving = options.solving
        self._are_replaced = options.replaces_workers
        self._unprinted = 0 if options.quiet else _MOST_PRINTED
        self.number = 0
        self.has_any = False  # including units on which the solver ignored its limits

    def collect(self, units: Iterable[bytes]) -> None:
        """Deny these units and report them. Raises `FindingsError` if the findings folder cannot be written."""
        flags = self._solving.arguments
        for unit in units:
            self.has_any = True
            self._denylist.add(unit)
            self._print(unit)
            if self._denylist.was_stuck(unit):
                self._queue.examiner.store.put_aside(Suspicion(unit, "stuck", solving=flags))
            else:
                self.number += 1
                selection = load(self._solving.domain).inside(self._solving)
                killed, key = with_selection(unit, selection), solver_key(self._solving, selection)
                recipe = decode(unit)
                theories = theories_of_seed(recipe.seed, recipe.roots)
                crash = Suspicion(killed, "crash", solving=flags, solver=key, theories=theories)
                self._queue.suspicions.add(self._session.stamped(crash))

    def _print(self, unit: bytes) -> None:
        """Report the death of a worker, the first few times."""
        if self._unprinted:
            self._unprinted -= 1
            what = "did not stop at its limits" if self._denylist.was_stuck(unit) else "died"
            next_one = "; a new worker continues" if self._are_replaced else ""
            more = "" if self._unprinted else "; further ones are only counted"
            print_error(f"chcfuzz: the solver {what} in unit {short_digest(unit)}{next_one}{more}")
