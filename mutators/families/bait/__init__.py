"""Equal terms for projection and interpolation: factors, remainders, array cells, constructors and slices.

Spacer eliminates variables by model-based projection and learns lemmas from proofs, theory by theory; both depend on
how a formula is written. Each row replaces one term, anywhere in a clause, by an equal term. The two are equal under
every interpretation of the operations that SMT-LIB leaves partly open: divisors are nonzero numbers, and a selector is
applied to a term that its constructor made, or together with a test for that constructor.

There is a module for each theory, and `variable` for all; `rows` has the terms that they may replace. To add a row, add
it to the module of its theory, with a case in `tests/mutators/families/test_bait.py`. An equality that Z3's rewriter
undoes before Spacer begins does not serve: the trace stays the same.
"""

from __future__ import annotations

from chcfuzz.mutators.families.bait import arrays as bait_arrays
from chcfuzz.mutators.families.bait import datatypes as bait_datatypes
from chcfuzz.mutators.families.bait import numbers as bait_numbers
from chcfuzz.mutators.families.bait import variable as bait_variable
from chcfuzz.mutators.families.bait import vectors as bait_vectors

MUTATIONS = (
    *bait_numbers.MUTATIONS,
    *bait_arrays.MUTATIONS,
    *bait_datatypes.MUTATIONS,
    *bait_vectors.MUTATIONS,
    *bait_variable.MUTATIONS,
)
