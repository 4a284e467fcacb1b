"""The programs, by theme; PROGRAMS holds the systems of all of them."""

from programs.arrays import ARRAYS
from programs.lia import LIA
from programs.nonlinear import NONLINEAR
from programs.protocols import PROTOCOLS

PROGRAMS = [*LIA, *NONLINEAR, *PROTOCOLS, *ARRAYS]
