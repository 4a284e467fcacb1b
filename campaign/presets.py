"""Presets: names for sets of flags of a campaign. Flags on the command line override those of a preset.

HornFuzz (Sukhanova and Sobol, EASE 2023), the configuration "full" of its table 2: the mutations of its table 1, Z3's
rewrites and Spacer's parameters, its weights of mutations, and its groups of seeds in the order of rare transitions.
Each mutant is the latest of its group with one more mutation. The others of table 2 are this preset with other flags:

    naive        --heuristic=given --kinds=own,rewrite
    transition   --kinds=own,rewrite
    parameter    --heuristic=given
    seeds        -runs=0
"""

from __future__ import annotations

from collections.abc import Mapping

_HORNFUZZ_ROWS = (
    "boolean.swap-and",
    "boolean.dup-and",
    "boolean.break-and",
    "boolean.swap-or",
    "quantifiers.mix-bound-vars",
    "arithmetic.add-ineq",
    "rules.add-lin-rule",
    "rules.add-nonlin-rule",
    "simplify.*",
    "parameter.fp.spacer.*",
    "parameter.fp.xform.*",
)
PRESETS: Mapping[str, tuple[str, ...]] = {
    "hornfuzz": (
        "--policy=hornfuzz",
        "--heuristic=transitions",
        "--kinds=own,rewrite,parameter",
        f"--rows={','.join(_HORNFUZZ_ROWS)}",
        "--limit-factor=0",
        "--prices=none",
        "--scope=all",
    ),
}
