"""The options of transforms of rules, so that a run has one transform on, and all others off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from chcfuzz.solvers.z3_parameters import fixedpoint_parameters

# Each transform by its option, with the values for off and for on.
SWITCHES: Mapping[str, tuple[str, str]] = {
    "fp.xform.array_blast": ("false", "true"),
    "fp.xform.coalesce_rules": ("false", "true"),
    "fp.xform.coi": ("false", "true"),
    "fp.xform.compress_unbound": ("false", "true"),
    "fp.xform.elim_term_ite": ("false", "true"),
    "fp.xform.fix_unbound_vars": ("false", "true"),
    "fp.xform.inline_eager": ("false", "true"),
    "fp.xform.inline_linear": ("false", "true"),
    "fp.xform.instantiate_arrays": ("false", "true"),
    "fp.xform.instantiate_quantifiers": ("false", "true"),
    "fp.xform.magic": ("false", "true"),
    "fp.xform.quantify_arrays": ("false", "true"),
    "fp.xform.scale": ("false", "true"),
    "fp.xform.slice": ("false", "true"),
    "fp.xform.subsumption_checker": ("false", "true"),
    "fp.xform.tail_simplifier_pve": ("false", "true"),
    "fp.xform.transform_arrays": ("false", "true"),
    "fp.xform.unfold_rules": ("0", "1"),
}
# Transforms after which a predicate of the same name may have other facts, those that the query needs.
OTHER_FACTS = frozenset(("fp.xform.magic", "fp.xform.slice", "fp.xform.scale", "fp.xform.quantify_arrays"))

ALWAYS = "all transforms without an option"
_LEVELS = ("fp.spacer.max_level", "1")  # the rules are printed before the search, which is not needed


def all_off() -> tuple[tuple[str, str], ...]:
    """Return options with all transforms off."""
    return (*((name, off) for name, (off, _) in SWITCHES.items()), ("fp.engine", "spacer"))


def alone(name: str, options: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return options with one transform on, as in these options if it is on there, and all others off.

    All are off for the name `ALWAYS`.
    """
    if name == ALWAYS:
        return (*all_off(), _LEVELS)
    off, on = SWITCHES[name]
    value = options.get(name, off)
    return (*(dict(all_off()) | {name: on if value == off else value}).items(), _LEVELS)


def running(options: Mapping[str, str]) -> Iterator[str]:
    """Yield the transforms that run under these options, those without an option first."""
    yield ALWAYS
    defaults = {f"fp.{row.name}": row.default for row in fixedpoint_parameters()}
    for name, (off, _) in SWITCHES.items():
        if options.get(name, defaults.get(name, off)) != off:
            yield name
