"""Places in Z3's sources that a parameter switches: the transform, its class and its file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Transform:
    """A rule transform: its class in the namespace `datalog`, and its file below `src/muz/transforms/`."""

    name: str
    file: str

    def __str__(self) -> str:
        return f"`datalog::{self.name}` (src/muz/transforms/{self.file})"


_INLINER = Transform("mk_rule_inliner", "dl_mk_rule_inliner.cpp")
_ARRAYS = Transform("mk_array_instantiation", "dl_mk_array_instantiation.cpp")

# From `apply_default_transformation` (dl_transforms.cpp) and `dl_interface::query` (spacer_dl_interface.cpp) of 5.4.0.
TRANSFORMS = {
    "fp.xform.inline_eager": _INLINER,
    "fp.xform.inline_linear": _INLINER,
    "fp.xform.inline_linear_branch": _INLINER,
    "fp.xform.unfold_rules": Transform("mk_unfold", "dl_mk_unfold.cpp"),
    "fp.xform.coalesce_rules": Transform("mk_coalesce", "dl_mk_coalesce.cpp"),
    "fp.xform.slice": Transform("mk_slice", "dl_mk_slice.cpp"),
    "fp.xform.coi": Transform("mk_coi_filter", "dl_mk_coi_filter.cpp"),
    "fp.xform.array_blast": Transform("mk_array_blast", "dl_mk_array_blast.cpp"),
    "fp.xform.array_blast_full": Transform("mk_array_blast", "dl_mk_array_blast.cpp"),
    "fp.xform.bit_blast": Transform("mk_bit_blast", "dl_mk_bit_blast.cpp"),
    "fp.xform.scale": Transform("mk_scale", "dl_mk_scale.cpp"),
    "fp.xform.magic": Transform("mk_magic_symbolic", "dl_mk_magic_symbolic.cpp"),
    "fp.xform.quantify_arrays": Transform("mk_quantifier_abstraction", "dl_mk_quantifier_abstraction.cpp"),
    "fp.xform.instantiate_quantifiers": Transform("mk_quantifier_instantiation", "dl_mk_quantifier_instantiation.cpp"),
    "fp.xform.instantiate_arrays": _ARRAYS,
    "fp.xform.transform_arrays": Transform("mk_array_eq_rewrite", "dl_mk_array_eq_rewrite.cpp"),
    "fp.xform.elim_term_ite": Transform("mk_elim_term_ite", "dl_mk_elim_term_ite.cpp"),
    "fp.xform.tail_simplifier_pve": Transform("mk_interp_tail_simplifier", "dl_mk_interp_tail_simplifier.cpp"),
    "fp.xform.subsumption_checker": Transform("mk_subsumption_checker", "dl_mk_subsumption_checker.cpp"),
}
