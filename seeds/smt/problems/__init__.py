"""The problems, by theory; SEEDS holds all of them."""

from seeds.smt.notation import Seed
from seeds.smt.problems.alt_ergo import ALT_ERGO
from seeds.smt.problems.arithmetic import ARITHMETIC
from seeds.smt.problems.arrays import ARRAYS
from seeds.smt.problems.bitvectors import BITVECTORS
from seeds.smt.problems.booleans import BOOLEANS
from seeds.smt.problems.datatypes import DATATYPES
from seeds.smt.problems.functions import FUNCTIONS
from seeds.smt.problems.mixtures import MIXTURES
from seeds.smt.problems.quantifiers import QUANTIFIERS

SEEDS: list[Seed] = [
    *BOOLEANS,
    *ARITHMETIC,
    *BITVECTORS,
    *ARRAYS,
    *DATATYPES,
    *FUNCTIONS,
    *QUANTIFIERS,
    *MIXTURES,
    *ALT_ERGO,
]
