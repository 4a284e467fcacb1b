"""The policy of a campaign, learned by all its processes together and kept over restarts.

Each worker adds to a table of its own in the session's folder, so nothing is lost or counted twice. After every 20
executions it adds the tables of all workers up, and its policy learns the difference. The state of the policy is
written to the session for workers that start later, and at the end by the supervisor to the state file::

    {"format": "chcfuzz-state 1", "policy": "bandit", "rows": {"boolean.swap-and": [tried, opened], ...},
     "known": {...}, "weights": {"boolean.swap-and": current probability, ...}}
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from chcfuzz.campaign.session.counters import worker_file
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.session.shared import mapped
from chcfuzz.execution.codec import CodecError, parsed
from chcfuzz.execution.files import read_plain, write_whole
from chcfuzz.execution.solving import UsageError
from chcfuzz.mutators.policy import OPENED, POLICIES, TRIED, Policy, Rows, Tallies, contexts
from chcfuzz.mutators.registry import Registry

FORMAT = "chcfuzz-state 1"
_FILE = "policy.json"
_LEARN_EVERY = 20  # executions of a worker


class Learning:
    """One worker's table, and the policy that learns from the tables of all workers."""

    def __init__(self, name: str, registry: Registry, session: Session) -> None:
        self._name = name
        self._session = session
        self._rows = Rows.of(registry)
        self._number = {row: index for index, row in enumerate(self._rows.ids)}
        self.policy: Policy = POLICIES[name](self._rows)
        # The tallies, followed by the number of runs.
        self._own = mapped(_table(session), np.int64, _size(self._rows))
        self._own_tallies = self._own[:-1].reshape(self._rows.empty().shape)
        self._own_runs = int(self._own[-1])  # not zero if an earlier worker had the same process id
        written = _read(session.folder / _FILE) or {"known": {}}
        self.policy.resume(written["known"])
        self._seen = _unpacked(written.get("seen", []), self._rows)
        self._seen_runs = written.get("runs", 0)
        if "ids" not in written:
            self._write_known()

    def credit(self, context: int, rows: tuple[str, ...], opened: bool) -> None:
        """Credit rows that were added in a context with an execution; ids of unknown rows are ignored.

        The policy learns from enough new runs of all processes together, since `-fork` children are short-lived.
        """
        for row in rows:
            number = self._number.get(row)
            if number is not None:
                self._own_tallies[context, number, TRIED] += 1
                self._own_tallies[context, number, OPENED] += opened
        self._own_runs += 1
        self._own[-1] = self._own_runs
        if self._own_runs % _LEARN_EVERY == 0:
            self._learn()

    def _learn(self) -> None:
        totals, runs = _totals(self._session, self._rows)
        if runs - self._seen_runs < self.policy.runs:
            return
        self.policy.learn(totals - self._seen)
        self._seen, self._seen_runs = totals, runs
        self._write_known()

    def _write_known(self) -> None:
        weights = self.policy.usual_weights(self._seen[:, :, TRIED].sum(axis=1))
        known = {"policy": self._name, "known": self.policy.state(), "ids": self._rows.ids, "weights": weights}
        _write(self._session.folder / _FILE, {**known, "seen": _packed(self._seen), "runs": self._seen_runs})


def begin(state: Path, policy: str, session: Session) -> dict[str, Any] | None:
    """Let the workers of a session start from a state file of the same policy; return the content of the file.

    Raises `UsageError` for a file that is damaged.
    """
    written = read_state(state)
    known = written["known"] if written is not None and written["policy"] == policy else {}
    _write(session.folder / _FILE, {"policy": policy, "known": known})
    return written


def finish(state: Path, session: Session) -> None:
    """Write the state of a session to the state file, and add the tallies of earlier campaigns."""
    keep(state, session, read_state(state))


def keep(state: Path, session: Session, earlier: dict[str, Any] | None) -> None:
    """Write the current state of a session, with the tallies of an `earlier` state added.

    This may be called repeatedly if no other campaign writes to the file.
    """
    learned = _read(session.folder / _FILE)
    if learned is None or "ids" not in learned:
        return
    rows = dict(earlier["rows"]) if earlier is not None else {}
    ids = learned["ids"]
    totals, _ = _totals(session, Rows(tuple(ids), np.zeros(len(ids), np.intp)))
    for row, (tried, opened) in zip(ids, totals.sum(axis=0).astype(int).tolist(), strict=True):
        if tried:
            before = rows.get(row, [0, 0])
            rows[row] = [before[0] + tried, before[1] + opened]
    now = {name: learned[name] for name in ("policy", "known", "weights")}
    write_state(state, {"format": FORMAT, "rows": rows, **now})


def read_state(path: Path) -> dict[str, Any] | None:
    """Return the content of a state file, or None if it does not exist. Raises `UsageError` for any other file."""
    written = _read(path)
    if written is None:
        return None
    whole = "policy" in written and all(isinstance(written.get(part), dict) for part in ("rows", "known"))
    if written.get("format") != FORMAT or not whole:
        raise UsageError(
            f"{str(path)!r} is not the state of a campaign ({FORMAT}); move it away, or name another with --state"
        )
    return written


def added(states: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the sum of several states, which does not depend on their order.

    The sum does not hold weights: a policy computes them when it learns. If the policies differ, or one of them does
    not keep tallies, the sum holds only the numbers of tried and opened runs.
    """
    rows: dict[str, list[int]] = {}
    tallies: dict[tuple[int, str], list[float]] = {}
    for state in states:
        for row, counted in state["rows"].items():
            rows[row] = [a + b for a, b in zip(rows.get(row, [0, 0]), counted, strict=True)]
        for context, row, *counted in state["known"].get("tallies", ()):
            before = tallies.get((context, row), [0.0, 0.0])
            tallies[context, row] = [round(a + b, 3) for a, b in zip(before, counted, strict=True)]
    policies = sorted({state["policy"] for state in states})
    alike = len(policies) == 1 and all("tallies" in state["known"] for state in states)
    known = {"tallies": [[*key, *tallies[key]] for key in sorted(tallies)]} if alike else {}
    ordered = {row: rows[row] for row in sorted(rows)}
    return {"format": FORMAT, "policy": policies[0], "rows": ordered, "known": known}


def write_state(path: Path, state: dict[str, Any]) -> None:
    """Write a state atomically. Raises `UsageError`."""
    _write(path, state, durable=True)


def _table(session: Session) -> Path:
    return worker_file(session.folder, os.getpid(), "rows")


def _size(rows: Rows) -> int:
    return rows.empty().size + 1


def _totals(session: Session, rows: Rows) -> tuple[Tallies, int]:
    """Return the tallies of all workers, and their number of runs."""
    total = session.counters.sum_of("rows", _size(rows))
    return total[:-1].reshape(rows.empty().shape).astype(float), int(total[-1])


def _packed(tallies: Tallies) -> list[list[float]]:
    return [[int(c), int(r), *tallies[c, r].tolist()] for c, r in np.argwhere(tallies[:, :, TRIED])]


def _unpacked(entries: list[list[float]], rows: Rows) -> Tallies:
    tallies = rows.empty()
    for context, row, tried, opened in entries:
        if context < len(contexts()) and row < len(rows.ids):
            tallies[int(context), int(row)] = tried, opened
    return tallies


def _read(path: Path) -> dict[str, Any] | None:
    if path.is_dir():
        raise UsageError(f"{str(path)!r} is a folder; name the file state.json of a campaign")
    try:
        written = parsed(read_plain(path))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(
            f"cannot read the state {str(path)!r}: {error.strerror}; move it away, or name another"
        ) from error
    except CodecError as error:
        raise UsageError(f"the state {str(path)!r} {error}; move it away, or name another") from error
    return written if isinstance(written, dict) else {}


def _write(path: Path, content: dict[str, Any], durable: bool = False) -> None:
    try:
        write_whole(path, json.dumps(content).encode(), durable=durable)
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}") from error
