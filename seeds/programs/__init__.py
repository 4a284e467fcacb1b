"""The programs, by theme; PROGRAMS holds the systems of all of them."""

from programs.arrays import ARRAYS
from programs.bitvectors import BITVECTORS
from programs.booleans import BOOLEANS
from programs.datatypes import DATATYPES
from programs.lia import LIA
from programs.mixtures import MIXTURES
from programs.nonlinear import NONLINEAR
from programs.protocols import PROTOCOLS
from programs.reals import REALS
from programs.shapes import SHAPED
from programs.wholes import WHOLES

PROGRAMS = [
    *LIA,
    *NONLINEAR,
    *PROTOCOLS,
    *ARRAYS,
    *REALS,
    *BITVECTORS,
    *BOOLEANS,
    *DATATYPES,
    *MIXTURES,
    *WHOLES,
    *SHAPED,
]
