"""The exchange: the coordinator merges the packs of all slices into packs of new units, which every slice reads."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable
from dataclasses import dataclass, field

from chcfuzz.cluster import pack
from chcfuzz.cluster.pack import Pack, PackedUnit
from chcfuzz.cluster.slices import SHARED, SLICES, shared_name
from chcfuzz.cluster.store import Store
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.mutators.recipe import digest


@dataclass
class KnownUnits:
    """Units that are known: by content, and by trace for each build, because another build has other traces."""

    digests: set[str] = field(default_factory=set)
    traces: set[tuple[str, int]] = field(default_factory=set)

    def take(self, build: str, units: Iterable[PackedUnit]) -> list[PackedUnit]:
        """Return the units that nothing known equals, the first of each trace, and know them from now on."""
        taken = []
        for unit in units:
            name, trace = digest(unit.data), None if unit.trace is None else (build, unit.trace)
            if name in self.digests or trace in self.traces:
                continue
            self.digests.add(name)
            if trace is not None:
                self.traces.add(trace)
            taken.append(unit)
        return taken


class Exchange:
    """The packs of the exchange in a store, which one coordinator at a time extends; raises `StoreError`.

    Each of them names the packs of slices that it sums up, so that a new coordinator continues where the last ended.
    """

    def __init__(self, store: Store) -> None:
        """Read the exchange, and merge the slices that have ended without a coordinator."""
        self._store = store
        self._known = KnownUnits()
        self._merged: set[str] = set()
        self._numbers: Tally[str] = Tally()
        self.size = 0
        for name in store.names(SHARED):
            self._add(pack.read(store.get(f"{SHARED}/{name}"), name))
        self.merge(f"{SLICES}/{name}" for name in store.names(SLICES))

    @property
    def numbers(self) -> dict[str, float]:
        """Sums of the counters of all slices that are merged, and the number of units of the exchange."""
        return {**self._numbers, "units": len(self._known.digests)}

    def merge(self, names: Iterable[str]) -> int:
        """Add the new units of slices, by the names of their packs; return the number of units.

        Slices that are merged already change nothing. Slices of several builds make a pack each.
        """
        new: dict[str, list[tuple[str, Pack]]] = {}
        for name in sorted(set(names) - self._merged):
            content = pack.read(self._store.get(name), name)
            new.setdefault(content.build, []).append((name, content))
        return sum(self._merge(build, new[build]) for build in sorted(new))

    def _merge(self, build: str, slices: list[tuple[str, Pack]]) -> int:
        numbers: Tally[str] = Tally()
        units: list[PackedUnit] = []
        for _, content in slices:
            numbers.update(content.numbers)
            units += self._known.take(build, content.units)
        merged = Pack(build=build, units=tuple(units), numbers=dict(numbers), merged=tuple(name for name, _ in slices))
        if not self._store.put(shared_name(self.size + 1), merged.written()):
            advice = "end one of them, and run the command again"
            raise ChcfuzzError(f"another coordinator uses the store {self._store.url!r}; {advice}")
        self._add(merged)
        return len(units)

    def _add(self, content: Pack) -> None:
        self.size += 1
        self._known.take(content.build, content.units)
        self._merged.update(content.merged)
        self._numbers.update(content.numbers)
