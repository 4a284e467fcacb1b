"""The component of Spacer that made a wrong step, and the options that switch components.

Spacer's own output shows which lemmas it pushed, and which obligation each other one blocks. If that obligation has a
derived state, the query that blocked it is wrong; otherwise the lemma was generalized too much, by the learner of unsat
cores or by a later generalizer. Which one follows from runs without each of them (`worker`).
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass


class Component(enum.StrEnum):
    """A component; the text is part of the fault class of findings, so it never changes."""

    PROJECTION = "projection"  # an obligation is a projection of a model
    BLOCKING = "blocking query"  # a lemma, and the obligation that it blocks is reachable
    GENERALIZER = "generalizer"  # a lemma that excludes more than its obligation
    PROPAGATION = "propagation"  # a lemma of a lower level that was pushed
    REACH_FACT = "reach fact"
    SEARCH = "search"  # the answer sat, without a wrong step before it
    TRANSFORM = "transform"  # of rules, before the first step
    UNKNOWN = ""  # the source of steps does not show it


@dataclass(frozen=True)
class Switch:
    """A component of the making of lemmas: the option that is set to `off` to leave it out."""

    name: str
    option: str
    off: str


# In the order in which Spacer runs them (`spacer_context.cpp`, `is_reachable` and `init_lemma_generalizers`).
SWITCHES = (
    Switch("iuc_solver", "fp.spacer.use_iuc", "false"),
    Switch("lemma_quantifier_generalizer", "fp.spacer.q3.use_qgen", "false"),
    Switch("lemma_eq_generalizer", "fp.spacer.use_euf_gen", "false"),
    Switch("lemma_inductive_generalizer", "fp.spacer.use_inductive_generalizer", "false"),
    Switch("limit_num_generalizer", "fp.spacer.use_lim_num_gen", "false"),
    Switch("lemma_array_eq_generalizer", "fp.spacer.use_array_eq_generalizer", "false"),
    Switch("lemma_global_generalizer", "fp.spacer.global", "false"),
    Switch("lemma_expand_bnd_generalizer", "fp.spacer.expand_bnd", "false"),
)
SWITCHED = (Component.BLOCKING, Component.GENERALIZER)  # runs without switches show more about these


def switches_on(options: Mapping[str, str], defaults: Mapping[str, str]) -> Iterator[Switch]:
    """Yield the switches of the components that run under these options."""
    for switch in SWITCHES:
        value = options.get(switch.option, defaults.get(switch.option))
        if value not in (None, switch.off):
            yield switch
