"""Sets of parameters: as programs that use Spacer set them, and as features need that no single switch enables.

A row lists the parameters of its source, without the prefix `fp.`, for any version of Z3. Parameters that have their
default value in the Z3 of this process are left out; so are rows with a parameter that this Z3 does not have. Programs
that set one parameter (Korn's `-z3:q`: `spacer.q3.use_qgen`; Pharos: `spacer.use_euf_gen`) or none (RustHorn) are left
out too, since single switches cover them. Parameters that print, limit or name a file do not affect an answer and are
omitted.

A row is experimental if one of its parameters is (`parameters.EXPERIMENTAL`), regardless of who uses it.
"""

from __future__ import annotations

from collections.abc import Mapping

from chcfuzz.domains.chc.rows.parameters import scope_of
from chcfuzz.mutators.mutation import Configuration, Scope
from chcfuzz.solvers.z3_parameters import fixedpoint_parameters

_AS_WRITTEN = "xform.slice=false xform.inline_linear=false xform.inline_eager=false"

# Name, parameters, and the repository and file that set them.
USERS = (
    (
        "seahorn",
        f"engine=spacer {_AS_WRITTEN} xform.tail_simplifier_pve=false xform.subsumption_checker=true"
        " spacer.order_children=2 spacer.max_num_contexts=500 spacer.elim_aux=true spacer.reach_dnf=true"
        " spacer.use_bg_invs=true spacer.weak_abs=false spacer.mbqi=false spacer.iuc=1 spacer.iuc.arith=1"
        " spacer.keep_proxy=false spacer.ground_pobs=true spacer.use_euf_gen=true",
        "seahorn/seahorn, lib/seahorn/HornSolver.cc",
    ),
    (
        "solidity",
        "spacer.q3.use_qgen=true spacer.mbqi=false spacer.ground_pobs=false",
        "ethereum/solidity, libsolidity/interface/SMTSolverCommand.cpp",
    ),
    (
        "solidity-counterexample",
        f"spacer.q3.use_qgen=true spacer.mbqi=false spacer.ground_pobs=false {_AS_WRITTEN}",
        "ethereum/solidity, libsolidity/interface/SMTSolverCommand.cpp",
    ),
    (
        "jayhorn",
        f"engine=spacer {_AS_WRITTEN} xform.tail_simplifier_pve=false",
        "jayhorn/jayhorn, jayhorn/src/main/java/jayhorn/solver/spacer/SpacerProver.java",
    ),
    ("thrust", "spacer.global=true validate=true", "coord-e/thrust, src/chc/solver.rs"),
    (
        "catalia",
        f"{_AS_WRITTEN} xform.subsumption_checker=false xform.tail_simplifier_pve=false validate=true"
        " spacer.mbqi=false spacer.use_iuc=true spacer.global=true spacer.expand_bnd=true spacer.q3.use_qgen=true"
        " spacer.q3.instantiate=true spacer.q3=true spacer.ground_pobs=false",
        "hopv/catalia, src/absadt/chc_solver/spacer.rs",
    ),
    (
        "gspacer-lra",
        "engine=spacer xform.tail_simplifier_pve=false spacer.iuc=1 spacer.iuc.arith=1 validate=true"
        " spacer.mbqi=false spacer.ctp=true spacer.native_mbp=true spacer.use_iuc=true spacer.global=true"
        " spacer.gg.concretize=true spacer.gg.conjecture=true spacer.expand_bnd=true",
        "hgvk94/spacer-parallel, parallel-lra.cpp",
    ),
    (
        "gspacer-arrays",
        "engine=spacer xform.tail_simplifier_pve=false validate=true spacer.mbqi=false spacer.global=true"
        " spacer.expand_bnd=true spacer.ground_pobs=false spacer.q3.use_qgen=true",
        "hgvk94/spacer-parallel, parallel-arrays.cpp",
    ),
    (
        "quic3",
        "spacer.q3.use_qgen=true spacer.ground_pobs=false spacer.mbqi=false spacer.use_euf_gen=true",
        "cvick32/ConditionalHistory, src/transform_and_run.py",
    ),
    (
        "tutorial",
        f"engine=spacer spacer.order_children=2 spacer.global=true {_AS_WRITTEN}",
        "agurfinkel/spacer-on-jupyter, src/spacer_tutorial/solve.py",
    ),
    (
        "tutorial-quantified",
        "engine=spacer spacer.order_children=2 spacer.global=true spacer.ground_pobs=false spacer.q3.use_qgen=true",
        "agurfinkel/spacer-on-jupyter, src/spacer_tutorial/solve.py",
    ),
)

# Name, parameters, and the file of Z3 that reads them; after the colon, other conditions or details.
FEATURES = (
    (
        "guidance",
        "spacer.global=true spacer.expand_bnd=true xform.inline_linear=false xform.inline_eager=false",
        "muz/spacer/spacer_global_generalizer.cpp: lemmas of one predicate that differ in numbers alone",
    ),
    (
        "guidance-many-lemmas",
        "spacer.global=true spacer.use_inductive_generalizer=false",
        "muz/spacer/spacer_cluster.cpp: clusters of lemmas that nothing else has generalized",
    ),
    (
        "guidance-subsume",
        "spacer.global=true spacer.gg.conjecture=false spacer.gg.concretize=false",
        "muz/spacer/spacer_context.cpp",
    ),
    (
        "guidance-conjecture",
        "spacer.global=true spacer.gg.subsume=false spacer.gg.concretize=false",
        "muz/spacer/spacer_conjecture.cpp",
    ),
    (
        "guidance-concretize",
        "spacer.global=true spacer.gg.subsume=false spacer.gg.conjecture=false",
        "muz/spacer/spacer_concretize.cpp",
    ),
    (
        "guidance-quantified",
        "spacer.global=true spacer.ground_pobs=false spacer.use_inductive_generalizer=false",
        "muz/spacer/spacer_global_generalizer.cpp: skolemize_for_quic3",
    ),
    (
        "quantified",
        "spacer.q3.use_qgen=true spacer.ground_pobs=false",
        "muz/spacer/spacer_quant_generalizer.cpp: array reads at several indices",
    ),
    (
        "quantified-as-written",
        f"spacer.q3.use_qgen=true spacer.ground_pobs=false spacer.q3.qgen.normalize=false {_AS_WRITTEN}",
        "muz/spacer/spacer_quant_generalizer.cpp",
    ),
    (
        "quantified-lazy",
        "spacer.q3.use_qgen=true spacer.ground_pobs=false spacer.q3.instantiate=false",
        "muz/spacer/spacer_context.cpp",
    ),
    (
        "projection",
        "spacer.native_mbp=false spacer.reach_dnf=false xform.inline_eager=false",
        "muz/spacer/spacer_qe_project.cpp; Z3's own test of issue 3845 has it",
    ),
    (
        "projection-quantified",
        "spacer.native_mbp=false spacer.ground_pobs=false spacer.q3.use_qgen=true",
        "muz/spacer/spacer_util.cpp: qe_project_spacer, whose variables may stay",
    ),
    ("farkas", "spacer.iuc=0 spacer.iuc.split_farkas_literals=true", "muz/spacer/spacer_iuc_solver.cpp"),
    ("min-cut", "spacer.iuc=2 spacer.iuc.arith=2", "muz/spacer/spacer_unsat_core_plugin.cpp"),
    (
        "old-hypotheses",
        "spacer.iuc.old_hyp_reducer=true spacer.iuc.arith=3",
        "muz/spacer/spacer_proof_utils.cpp",
    ),
    ("gpdr", "spacer.gpdr=true spacer.gpdr.bfs=false", "muz/spacer/spacer_pdr.cpp"),
    (
        "validated",
        "validate=true spacer.validate_lemmas=true",
        "muz/spacer/spacer_context.cpp: checks that throw",
    ),
    (
        "restarts",
        "spacer.restarts=true spacer.restart_initial_threshold=2",
        "muz/spacer/spacer_context.cpp",
    ),
    (
        "pushing",
        "spacer.push_pob=true spacer.push_pob_max_depth=5 spacer.reset_pob_queue=false",
        "muz/spacer/spacer_context.cpp",
    ),
    (
        "lemmas-as-obligations",
        "spacer.use_lemma_as_cti=true spacer.simplify_pob=true",
        "muz/spacer/spacer_context.cpp",
    ),
    (
        "simplified-lemmas",
        "spacer.simplify_lemmas_pre=true spacer.simplify_lemmas_post=true",
        "muz/spacer/spacer_context.cpp",
    ),
    (
        "shared-lemmas",
        "spacer.p3.share_lemmas=true spacer.p3.share_invariants=true",
        "muz/spacer/spacer_context.cpp",
    ),
    ("one-context", "spacer.max_num_contexts=1 spacer.use_inc_clause=false", "muz/spacer/spacer_manager.cpp"),
    (
        "coalescing",
        f"xform.unfold_rules=1 xform.coalesce_rules=true {_AS_WRITTEN}",
        "muz/spacer/spacer_dl_interface.cpp: rules are coalesced only where some are unfolded",
    ),
    (
        "no-local-arrays",
        "xform.transform_arrays=true xform.array_blast=true xform.array_blast_full=true",
        "muz/transforms/dl_mk_array_blast.cpp",
    ),
    (
        "no-ite",
        "xform.elim_term_ite=true xform.elim_term_ite.inflation=10 spacer.blast_term_ite_inflation=0",
        "muz/transforms/dl_mk_elim_term_ite.cpp",
    ),
)


def configurations() -> tuple[Configuration, ...]:
    """Return the rows that the Z3 of this process accepts, in the order above and without duplicate settings."""
    defaults = {found.name: found.default for found in fixedpoint_parameters()}
    rows: dict[tuple[tuple[str, str], ...], Configuration] = {}
    for name, assignments, source in (*USERS, *FEATURES):
        settings = _settings(assignments, defaults)
        if settings:
            rows.setdefault(settings, Configuration(name, settings, _scope(settings), source))
    return tuple(rows.values())


def _settings(assignments: str, defaults: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the non-default settings among these assignments, sorted by name; empty if this Z3 lacks one."""
    pairs = sorted(tuple(assignment.split("=")) for assignment in assignments.split())
    if any(name not in defaults for name, _ in pairs):
        return ()
    return tuple((f"fp.{name}", value) for name, value in pairs if value != defaults[name])


def _scope(settings: tuple[tuple[str, str], ...]) -> Scope:
    experimental = any(scope_of(name) is Scope.EXPERIMENTAL for name, _ in settings)
    return Scope.EXPERIMENTAL if experimental else Scope.SINGLE_SWITCH
