"""The programs, by theme; PROGRAMS holds the systems of all of them."""

from programs.lia import LIA
from programs.nonlinear import NONLINEAR

PROGRAMS = [*LIA, *NONLINEAR]
