"""Releases of interpolating solvers; a release of Z3 is one of Spacer."""

from __future__ import annotations

from chcfuzz.domains.interpolation.solvers import interpolating_engines
from chcfuzz.domains.interpolation.solvers.selection import BITWUZLA, CVC5, SPACER, selected
from chcfuzz.domains.smt.releases import Releases
from chcfuzz.domains.smt.solvers.selection import Z3

RELEASES = Releases(
    {SPACER: Z3, BITWUZLA: BITWUZLA, CVC5: CVC5}, interpolating_engines.names, interpolating_engines.running, selected
)
