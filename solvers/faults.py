"""Classes of faults: values by which signatures, reductions and locations distinguish findings.

A message is for people and may be reworded. A class is an identifier: signatures of stored findings (format 4) and
names of buckets have it, so its text never changes; a test compares all classes with a stored sample. `{}` is the
solver's own part: its message, an answer, or a symbol that it made.
"""

from __future__ import annotations

import enum
import re


class FaultClass(enum.StrEnum):
    """Class of a fault; `of` inserts the solver's own parts."""

    # Deaths: the reason of an outcome with the status CRASH
    SIGNAL = "dies of signal {}"
    DIVISION_BY_ZERO = "dies of a division by zero"
    STACK_OVERFLOW = "dies of a stack overflow"
    ASSERTION = "dies of an assertion: {}"
    UNCAUGHT = "dies of an uncaught exception: {}"
    END = "ends the process{}"
    EXIT_CODE = "ends the process with exit code {}"
    DEATH = "it {}"  # any of these, in a verdict

    # Errors and resources
    Z3_RAISES = "Z3 raises: {}"
    RAISES = "it raises: {}"
    REPORTS = "it says: {}"
    MEMORY = "takes all its memory at 0 resource units"
    LIMIT = "counts 0 resource units under a limit of 0"
    COST = "costs 0 resource units, its seed 0"
    CARRY_OVER = "{} by itself, {} after other systems"
    COMPLAINING = "{}; it complains: {}"  # one of these, and a message beside the answer

    # Models and derivations
    OTHER_SORTS = "with other sorts than declared"
    INSTANCE = "the instance still has"
    NO_CLAUSE = "follows from no clause"
    CIRCLE = "follows from itself"
    NO_STEP = "there is no step"
    STEP = "a step at its values"
    ALETHE_STEP = "step 0 ({}) does not follow from what it names"
    ALETHE_NAME = "step 0 ({}) names {}, which nothing declares"
    ALETHE_ORDER = "step 0 follows from 0, which is not before it"

    # Results of queries
    WRONG_VALUE = "a value is another one in the model"
    SATISFIABLE_CORE = "the core is satisfiable"
    UNKNOWN_MEMBER = "the core has a member that is no formula of the script"

    # Interpolants
    NUMBER = "interpolants instead of"
    NOT_IMPLIED = "it is not implied"
    NOT_CONTRADICTING = "it does not contradict"
    ONE_SIDED = "the interpolant has a symbol of one side"
    OWN_SYMBOL = "the interpolant has a symbol of the solver's own, `{}`"
    WRONG_SORT = "the interpolant has sort {}"
    ILL_SORTED = "the interpolant is not read: it is ill-sorted"
    UNREAD = "the interpolant is not read: {} `{}`"

    def of(self, *own: object) -> str:
        """Return the class with the solver's own parts."""
        return self.value.format(*own)


_OWN_SYMBOL = FaultClass.OWN_SYMBOL.partition("{")[0]
# The message of a check that names its condition; other messages, such as a signal, do not name a cause.
_FAILED_CHECK = re.compile(r"[Aa]ssertion ['`]|Failed to verify: |Check failure|panicked at ")


def names_cause(fault: str) -> bool:
    """Return whether a class, or the message of a failed check in it, names the cause whatever the problem is."""
    is_class = fault == FaultClass.ILL_SORTED or fault.startswith(_OWN_SYMBOL)
    return is_class or _FAILED_CHECK.search(fault) is not None
