"""Names of tactics, simplifiers and options that questions may have, of Z3 5.4.1; older releases lack some.

Left out are names that print, that run in several threads, or that fail on purpose. `hi_div0=false` is not an option
here: it gives division by zero another meaning, as documented.
"""

from __future__ import annotations

from collections.abc import Mapping

_BOTH = ("true", "false")

_SWITCHES = (
    *("arith_ineq_lhs", "arith_lhs", "bit2bool", "blast_distinct", "blast_eq_value", "blast_select_store"),
    *("bv_extract_prop", "bv_ite2id", "bv_le2extract", "bv_le_extra", "bv_not_simpl", "bv_sort_ac", "cache_all"),
    *("elim_and", "elim_ite", "elim_rem", "elim_sign_ext", "elim_to_real", "enable_der", "eq2ineq"),
    *("expand_nested_stores", "expand_power", "expand_select_ite", "expand_select_store", "expand_store_eq"),
    *("flat", "flat_and_or", "gcd_rounding", "hoist_ite", "hoist_mul", "ite_extra_rules", "local_ctx"),
    *("mul2concat", "mul_to_power", "pull_cheap_ite", "push_ite_arith", "push_ite_bv", "push_to_real"),
    *("rewrite_patterns", "som", "sort_disjunctions", "sort_store", "sort_sums", "split_concat_eq"),
)
SIMPLIFY_OPTIONS: Mapping[str, tuple[str, ...]] = dict.fromkeys(_SWITCHES, _BOTH)

TACTIC_OPTIONS: Mapping[str, tuple[str, ...]] = {"core": _BOTH, **SIMPLIFY_OPTIONS}  # `core` is not one of Z3's own

TACTICS = (
    *("simplify", "solve-eqs", "propagate-values", "ctx-simplify", "ctx-solver-simplify", "elim-uncnstr"),
    *("elim-uncnstr2", "elim-predicates", "euf-completion", "smtfd", "bv1-blast", "bit-blast", "bvarray2uf"),
    *("add-bounds", "aig", "ackermannize_bv", "blast-term-ite", "bv-divrem-bounds", "bv-slice", "bv_bound_chk"),
    *("card2bv", "cofactor-term-ite", "degree-shift", "demodulator", "der", "diff-neq", "distribute-forall"),
    *("dom-simplify", "dt2bv", "elim-and", "elim-small-bv", "elim-term-ite", "eq2bv", "factor", "fix-dl-var", "fm"),
    *("fold-unfold", "injectivity", "lia2card", "lia2pb", "macro-finder", "max-bv-sharing", "nla2bv", "nnf"),
    *("normalize-bounds", "occf", "pb-preprocess", "pb2bv", "propagate-bv-bounds", "propagate-bv-bounds2"),
    *("propagate-ineqs", "propagate-values2", "purify-arith", "qe-light", "quasi-macros", "recover-01"),
    *("reduce-args", "reduce-args2", "reduce-bv-size", "sat-preprocess", "snf", "solver-subsumption"),
    *("special-relations", "split-clause", "symmetry-reduce", "tseitin-cnf", "tseitin-cnf-core", "ufbv-rewriter"),
    *("unit-subsume-simplify", "skip", "smt", "default", "sat", "qfbv", "qfaufbv", "qfauflia", "qflia", "qflra"),
    *("qfuf", "qfnra", "qfnia", "qfidl", "auflia", "auflira", "lia", "lra", "lira", "uflra", "nlsat", "qsat"),
)

SIMPLIFIERS = (
    *("simplify", "solve-eqs", "propagate-values", "elim-unconstrained", "elim-predicates", "euf-completion"),
    *("bit-blast", "bit2int", "blast-term-ite", "bv-divrem-bounds", "bv-slice", "bv1-blast", "bvarray2uf", "card2bv"),
    *("cheap-fourier-motzkin", "cofactor-term-ite", "demodulator", "der", "distribute-forall", "dom-simplify"),
    *("elim-term-ite", "factor", "fold-unfold", "injectivity", "max-bv-sharing", "ng-push-app-ite"),
    *("propagate-bv-bounds", "propagate-ineqs", "pull-nested-quantifiers", "push-app-ite", "qe-light"),
    *("reduce-args", "refine-injectivity", "special-relations", "randomizer", "recfun-finder"),
)

ELIMINATIONS = ("qe", "qe2", "qe_rec", "qe-light")
