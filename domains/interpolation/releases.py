"""Releases of interpolating solvers; a release of Z3 is one of Spacer."""

from __future__ import annotations

from chcfuzz.domains.smt.releases import Releases
from chcfuzz.solvers.interpolating import engines
from chcfuzz.solvers.interpolating.selection import BITWUZLA, CVC5, SPACER, selected
from chcfuzz.solvers.smt.selection import Z3

RELEASES = Releases({SPACER: Z3, BITWUZLA: BITWUZLA, CVC5: CVC5}, engines.names, engines.running, selected)
