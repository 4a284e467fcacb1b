"""Candidate fixes of Z3 in our own words, as replacements of one text in one function; `diff` makes patches of them."""

import difflib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Replacement:
    """`number` occurrences of `old` after the first text `after` of a file become `new`, or one up to `until`."""

    file: str
    after: str
    old: str
    new: str
    number: int = 1
    until: str = ""

    def apply(self, text: str) -> str:
        place = text.index(self.after)
        if self.until:
            first = text.index(self.old, place)
            return text[:first] + self.new + text[text.index(self.until, first) :]
        assert text[place:].count(self.old) >= self.number, f"{self.file} has no {self.old!r} after {self.after!r}"
        return text[:place] + text[place:].replace(self.old, self.new, self.number)


_VALUE, _UNIQUE = "m.is_value(", "m.is_unique_value("

# Finding 1 of docs/z3-5.4.0.md. A chain of stores over a constant array is a value, and two different values of this
# form may be equal, so that they must not be arguments of a predicate: unification takes different values for unequal.
UNIQUE_VALUES = (
    Replacement(
        "src/muz/base/dl_rule.cpp", "m_args.reset();\n        for (unsigned i = 0; i < fml->get", _VALUE, _UNIQUE
    ),
    Replacement("src/muz/base/dl_rule.cpp", "!is_var(arg) && !", _VALUE, _UNIQUE),
    Replacement("src/muz/base/dl_rule.cpp", "rule_manager::is_fact(", _VALUE, _UNIQUE),
)

# The same values come into arguments by equations, where the tail simplifier eliminates a variable.
UNIQUE_VALUES_OF_VARIABLES = (
    Replacement("src/muz/transforms/dl_mk_interp_tail_simplifier.cpp", "#define IS_FLEX(", _VALUE, _UNIQUE),
)

_UNFOLD = "src/muz/transforms/dl_mk_unfold.cpp"

# Findings 2 and 3: unfolding replaces each rule by its resolvents. A model of the resolvents need not be a model of
# the rules, and a model converter is missing. The rules themselves are kept here, which the resolvents follow from.
KEPT_RULES = (
    Replacement(
        _UNFOLD,
        "mk_unfold::operator()",
        "expand_tail(*r, 0, source, *rules);",
        "expand_tail(*r, 0, source, *rules);\n"
        "            if (r->get_uninterpreted_tail_size() > 0)\n"
        "                rules->add_rule(r);",
    ),
)

# Findings 4 and 6: the resolvent has fewer atoms than the next index, because equal atoms of its body are merged.
END_OF_TAIL = (
    Replacement(
        _UNFOLD,
        "SASSERT(tail_idx",
        "if (tail_idx == r.get_uninterpreted_tail_size())",
        "if (tail_idx >= r.get_uninterpreted_tail_size())",
    ),
)

# Finding 5: an array that is an argument of a predicate keeps its elements, so variables must not replace its selects.
NO_OTHER_USE_OF_ARRAYS = (
    Replacement(
        "src/muz/transforms/dl_mk_array_blast.cpp",
        "mk_array_blast::ackermanize",
        "                expr* arg;\n",
        "                expr* arg;\n"
        "                if (!a.is_select(ap) && is_var(ap->get_arg(i)) && a.is_array(ap->get_arg(i)->get_sort()))\n"
        "                    return false;\n",
    ),
    Replacement(
        "src/muz/transforms/dl_mk_array_blast.cpp",
        "mk_array_blast::ackermanize",
        "if (!is_var(arg) && !m.is_value(arg)) return false;",
        "if ((!is_var(arg) && !m.is_value(arg)) || (is_var(arg) && a.is_array(arg->get_sort()))) return false;",
    ),
)

_INLINER = "src/muz/transforms/dl_mk_rule_inliner.cpp"

# Findings 7 and 8: eager inlining deletes a rule if no rule of a predicate in its body unifies, and inlines the only
# one that does. If it is a query, a model of the other rules may violate it, and no model converter restricts the
# predicate. It is kept where a model is wanted.
RULES_WITHOUT_PARTNERS = (
    Replacement(
        _INLINER,
        "mk_rule_inliner::do_eager_inlining",
        "            if (inlining_candidate == nullptr) {\n                // nothing",
        "            // If rules of pred are kept, nothing but r keeps their model from making the tail atom true.\n"
        "            if (m_mc)\n"
        "                goto process_next_tail;\n"
        "            if (inlining_candidate == nullptr) {\n                // nothing",
    ),
)

_MBP = "src/qe/qe_mbp.cpp"

# Finding 9: the projection replaces the value of a constant array by its value in the model, although the formula may
# not imply that value. The equality is added, and only values with a variable that is eliminated are replaced.
SIDE_CONDITIONS = (
    Replacement(
        _MBP,
        "struct app_const_arr_rewriter",
        "        expr_ref val;\n",
        "        app_ref_vector const& m_vars;\n        expr_ref val;\n        expr_ref_vector m_sc;\n",
    ),
    Replacement(
        _MBP,
        "struct app_const_arr_rewriter",
        "(ast_manager& man, model& mdl): m(man), m_arr(m), m_dt_util(m), m_eval(mdl), val(m) {",
        "(ast_manager& man, model& mdl, app_ref_vector const& vars):\n"
        "            m(man), m_arr(m), m_dt_util(m), m_eval(mdl), m_vars(vars), val(m), m_sc(m) {",
    ),
    Replacement(
        _MBP,
        "struct app_const_arr_rewriter",
        "            if (m_arr.is_const(f) && !m.is_value(args[0])) {",
        "            if (m_arr.is_const(f) && !m.is_value(args[0]) &&\n"
        "                any_of(m_vars, [&](app* v) { return occurs(v, args[0]); })) {",
    ),
    Replacement(
        _MBP,
        "struct app_const_arr_rewriter",
        "                SASSERT(m.is_value(val));\n",
        "                SASSERT(m.is_value(val));\n                m_sc.push_back(m.mk_eq(args[0], val));\n",
    ),
    Replacement(
        _MBP,
        "rewrite_as_const_arr(",
        "(expr* in, model& mdl, expr_ref& out) {",
        "(expr* in, model& mdl, app_ref_vector const& vars, expr_ref& out) {",
    ),
    Replacement(_MBP, "void rewrite_as_const_arr(", "cfg(out.m(), mdl);", "cfg(out.m(), mdl, vars);"),
    Replacement(
        _MBP,
        "void rewrite_as_const_arr(",
        "    rw(in, out);\n",
        "    rw(in, out);\n"
        "    if (!cfg.m_sc.empty()) {\n"
        "        cfg.m_sc.push_back(out);\n"
        "        out = mk_and(cfg.m_sc);\n"
        "    }\n",
    ),
    Replacement(_MBP, "//rewrite as_const_arr", "arr(fml, model, fml);", "arr(fml, model, vars, fml);"),
    Replacement(_MBP, "void spacer_qel", "arr(fml, mdl, fml);", "arr(fml, mdl, orig_vars, fml);"),
)

# Finding 10: the reads of an array that is projected away are compared in pairs. The second array is that of the second
# read, not the read itself, so without the repair no pair is ever found.
READS_OF_ONE_ARRAY = (
    Replacement("src/qe/mbp/mbp_arrays_tg.cpp", "rdTerms.size(); ++j", "a1 == e2)", "a1 == e2->get_arg(0))"),
)

_FRAMES = "src/muz/spacer/spacer_context.cpp"

# Finding 11: the goal splits a lemma that is a conjunction, so its parts are not found among the lemmas. All lemmas of
# such a level are kept.
LEMMAS_THAT_ARE_SPLIT = (
    Replacement(
        _FRAMES,
        "frames::simplify_formulas",
        "        // no simplification happened",
        "        bool is_split = false;\n"
        "        for (unsigned n = begin; n < end; ++n) {\n"
        "            expr *f = m_lemmas[n]->get_expr(), *e = nullptr;\n"
        "            is_split |= m.is_and(f) || (m.is_not(f, e) && m.is_or(e));\n"
        "        }\n"
        "        // no simplification happened",
    ),
    Replacement(_FRAMES, "frames::simplify_formulas", "if (r->size () == sz) {", "if (is_split || r->size () == sz) {"),
)

_REDUCER, _IUC = "src/muz/spacer/spacer_proof_utils.cpp", "src/muz/spacer/spacer_iuc_solver.cpp"

# Findings 12 and 19, the guard: a proof that is reduced to another formula than false, or has open hypotheses, gives no
# interpolant. The unsatisfiable core of the solver is used instead.
REFUTATIONS = (
    Replacement(
        _REDUCER,
        "hypothesis_reducer::reduce(proof* pr)",
        "        SASSERT(res);\n        reset();\n",
        "        reset();\n",
    ),
    Replacement(
        _REDUCER,
        "hypothesis_reducer::reduce(proof* pr)",
        "SASSERT(pc.check(res, side));",
        "SASSERT(!res || pc.check(res, side));",
    ),
    Replacement(
        _REDUCER,
        "hypothesis_reducer::reduce_core(",
        "        SASSERT(m.is_false(m.get_fact(pf)));\n",
        "        if (!m.is_false(m.get_fact(pf)))\n            return nullptr;\n",
    ),
    Replacement(
        _REDUCER,
        "// sub-proof of false (the reduced root)",
        "return the reduced root instead of reading past\n        // the end of todo (which is a use-after-free).\n"
        "        return res;",
        "return null: the reduced root proves something\n        // else.\n        return nullptr;",
    ),
    Replacement(
        _IUC,
        "pr2 = hyp_reducer.reduce(pr1);",
        "                    }\n",
        "                    }\n\n"
        "                    // -- not a refutation: a core without interpolation\n"
        "                    if (!pr2) {\n"
        "                        get_unsat_core(core);\n"
        "                        undo_proxies(core);\n"
        "                        return;\n"
        "                    }\n",
    ),
)

_PROOFS = "src/ast/proofs/proof_utils.h"

# Finding 12: a premise that is true resolves the literal false of a theory lemma, so it must not be dropped.
PREMISES_THAT_ARE_TRUE = (
    Replacement(
        _PROOFS,
        "m.is_unit_resolution(p)",
        "                for (unsigned i = 0, sz",
        "                expr *clause = m.get_fact(to_app(args.get(0)));\n"
        "                bool has_false =\n"
        "                    m.is_or(clause) && any_of(*to_app(clause), [&](expr *e) { return m.is_false(e); });\n"
        "                for (unsigned i = 0, sz",
    ),
    Replacement(_PROOFS, "m.is_unit_resolution(p)", "if (!m.is_true(", "if (has_false || !m.is_true("),
)

_ARRAYS = "src/qe/mbp/mbp_arrays.cpp"

# Finding 13: the term that replaces an array reads another array at that array, so that the array stays in the result.
# Such reads become fresh variables, too.
READS_AT_THE_ARRAY = (
    Replacement(_ARRAYS, '#include "ast/', '#include "ast/', '#include "ast/occurs.h"\n#include "ast/'),
    Replacement(
        _ARRAYS,
        "void factor_selects (app_ref& fml)",
        "(args.get (0) == m_v || m_has_stores_v.is_marked (args.get (0)))) {\n"
        "                    sort* val_sort = get_array_range (m_v->get_sort());",
        "(args.get (0) == m_v || m_has_stores_v.is_marked (args.get (0)) || occurs(m_v, a_new))) {\n"
        "                    sort* val_sort = a->get_sort();",
    ),
)

# Finding 14: the function determines that a formula is a quantifier, and does not return it.
QUANTIFIER_THAT_IS_RETURNED = (
    Replacement(
        "src/muz/base/dl_rule.cpp",
        "bool rule_manager::is_forall(",
        "return ::is_forall(e);",
        "if (!::is_forall(e)) return false;\n        q = to_quantifier(e);\n        return true;",
    ),
)

# Finding 15: the variables that a quantifier binds are renumbered with those of its rule, and become free. They get an
# offset of their own here, by which nothing is renumbered.
_SUBSTITUTION = "src/ast/substitution/substitution.cpp"
BOUND_VARIABLES = (
    Replacement(
        _SUBSTITUTION,
        "case AST_QUANTIFIER: {",
        "subst.reserve(m_subst.offsets_capacity(), m_subst.vars_capacity() + num_vars);",
        "unsigned_vector deltas1(num_actual_offsets, deltas);\n"
        "            deltas1.push_back(0);\n"
        "            unsigned offsets = std::max(m_subst.offsets_capacity(), num_actual_offsets + 1);\n"
        "            subst.reserve(offsets, m_subst.vars_capacity() + num_vars);\n"
        "            for (unsigned i = 0; i < num_vars; ++i) {\n"
        "                var * v = m_manager.mk_var(i, q->get_decl_sort(num_vars - i - 1));\n"
        "                subst.insert(i, off, expr_offset(v, num_actual_offsets));\n"
        "            }",
    ),
    Replacement(
        _SUBSTITUTION,
        "case AST_QUANTIFIER: {",
        "subst.apply(num_actual_offsets, deltas, ",
        "subst.apply(num_actual_offsets + 1, deltas1.data(), ",
        3,
    ),
)

# Finding 16: an equality has the array to eliminate inside of an element, and not at the end of its stores.
EQUALITIES_OF_STORES = (
    Replacement(
        _ARRAYS,
        "unsigned get_nesting_depth(",
        "                return 0;\n",
        "                for (expr* e : { lhs, rhs }) {\n"
        "                    while (m_arr_u.is_store(e))\n"
        "                        e = to_app(e)->get_arg(0);\n"
        "                    if (e != m_v)\n"
        "                        return UINT_MAX;\n"
        "                }\n"
        "                return 0;\n",
    ),
    Replacement(
        _ARRAYS,
        "m_false_sub_v.insert (eq, m.mk_false());",
        "else {",
        "else if (get_nesting_depth(eq) != UINT_MAX) {",
    ),
)

# Finding 17: two values of an array can be equal and look different, so that indices are compared by the model.
EQUAL_INDICES = (
    Replacement(
        _ARRAYS,
        "void find_subst_term (app* eq)",
        "if (is_eq(vals, vals1)) {",
        "if (is_eq(vals, vals1) || m_mev->is_true(idx_eq)) {",
    ),
    Replacement(
        _ARRAYS,
        "bool is_equals (expr *e1, expr *e2) {",
        "(*m_mev)(e1) == (*m_mev)(e2);",
        "(*m_mev)(e1) == (*m_mev)(e2) || m_mev->is_true(m.mk_eq(e1, e2));",
    ),
    Replacement(
        _ARRAYS,
        "void ackermann (",
        "if (!is_eq(m_idxs[j].val, vals)) continue;",
        "if (!is_eq(m_idxs[j].val, vals) && !m_mev->is_true(mk_eq(idxs, m_idxs[j].idx))) continue;",
    ),
)

# Finding 18: the value of a predicate is not registered if slicing removes all of its arguments.
SLICED_TO_A_CONSTANT = (
    Replacement(
        "src/muz/transforms/dl_mk_slice.cpp",
        "if (new_p->get_arity() == 0) {",
        "old_fi->set_else(md->get_const_interp(new_p));",
        "expr* value = md->get_const_interp(new_p);\n"
        "                    if (!value) {\n"
        "                        dealloc(old_fi);\n"
        "                        continue;\n"
        "                    }\n"
        "                    old_fi->set_else(value);\n"
        "                    old_model->register_decl(old_p, old_fi);",
    ),
)

# Finding 19: a literal of the lowest level without a justification becomes a hypothesis in a proof of SMT, and no lemma
# discharges it, because lemmas leave out such literals.
LITERALS_OF_THE_BASE = (
    Replacement(
        "src/smt/smt_conflict_resolution.cpp",
        "// So, the test",
        "proof * pr = m.mk_hypothesis(l_expr.get());",
        "bool is_base = !m_ctx.is_marked(l.var()) &&\n"
        "                           m_ctx.get_assign_level(l.var()) <= m_ctx.get_base_level();\n"
        "            proof * pr = is_base ? m.mk_def_axiom(l_expr.get()) : m.mk_hypothesis(l_expr.get());",
    ),
)

# Z3 issue 7319: a body atom that unifies with one rule alone is replaced by that rule, but the predicate stays, and a
# model may make it true for the atom. Where a model is wanted, such atoms stay.
ATOMS_WITH_ONE_RULE = (
    Replacement(
        _INLINER,
        "rule_set * mk_rule_inliner::operator()",
        "if (do_eager_inlining(res)) {",
        "if (!m_mc && do_eager_inlining(res)) {",
    ),
    Replacement(
        _INLINER,
        "rule_set * mk_rule_inliner::operator()",
        "xform_inline_linear() && inline_linear(res)",
        "xform_inline_linear() && !m_mc && inline_linear(res)",
    ),
)

# Behind these: the model keeps values of terms that it evaluated before the next predicate got its value.
VALUES_OF_BEFORE = (
    Replacement(
        "src/ast/converters/horn_subsume_model_converter.cpp",
        "for (unsigned i = m_funcs.size(); i-- > 0; ) {",
        "body = (*mr)(body);",
        "mr->reset_eval_cache();\n        body = (*mr)(body);",
    ),
)

# The wrong model of docs/smt.md: an array without reads is completed by any value, and may become equal to a fresh one.
FUNCTIONS_WITHOUT_ENTRIES = (
    Replacement(
        "src/smt/proto_model/proto_model.cpp",
        "proto_model::complete_partial_func(",
        "if (use_fresh)",
        "if (use_fresh || fi->num_entries() == 0)",
    ),
)


_TERM_GRAPH, _QEL = "src/qe/mbp/mbp_term_graph", "src/qe/mbp/mbp_qel.cpp"

# Finding 20: a class of equal terms is represented by a term with an array that is eliminated, although it has others,
# and literals with such terms are left out. Terms without these arrays are chosen first, and are not replaced by one
# with them; a variable that replaces a read may be such a term, and is eliminated later.
REPRESENTATIVES = (
    Replacement(
        f"{_TERM_GRAPH}.h",
        "class term_graph {",
        "bool                    m_repick_repr = false;",
        "bool                    m_repick_repr = false;\n"
        "    std::function<bool(expr *)> *m_non_core = nullptr; // terms that are left out of the result",
    ),
    Replacement(
        f"{_TERM_GRAPH}.cpp",
        "void term_graph::pick_repr()",
        "    for (term *t : m_terms) {\n        if (t->get_repr())",
        "    // terms without constants that are left out come first\n"
        "    for (term *t : m_terms)\n"
        "        if (m_non_core && !t->get_repr() && t->deg() == 0 && !(*m_non_core)(t->get_expr()))\n"
        "            todo.push_back(t);\n"
        "    pick_repr_percolate_up(todo);\n\n"
        "    for (term *t : m_terms) {\n        if (t->get_repr())",
    ),
    Replacement(
        f"{_TERM_GRAPH}.cpp",
        "bool term_graph::makes_cycle(",
        "    term &r = t->get_root();",
        "    if (m_non_core && (*m_non_core)(t->get_expr()))\n        return true;\n    term &r = t->get_root();",
    ),
    Replacement(
        f"{_TERM_GRAPH}.cpp",
        "bool term_graph::makes_cycle(",
        "        if (it->get_root().get_id() == r.get_id())\n            return true;",
        "        if (it->get_root().get_id() == r.get_id())\n            return true;\n"
        "        if (m_non_core && (*m_non_core)(it->get_expr()))\n            return true;",
    ),
    Replacement(
        f"{_TERM_GRAPH}.cpp",
        "void term_graph::qel(",
        "pick_repr();\n    refine_repr();",
        "m_non_core = non_core;\n    pick_repr();\n    refine_repr();\n    m_non_core = nullptr;",
    ),
    Replacement(
        _QEL,
        "void saturate(",
        "if (p->apply()) {\n"
        "                    progress = true;\n"
        "                    add_vars(p, vars);\n"
        "                }",
        "if (p->apply())\n                    progress = true;\n                add_vars(p, vars);",
    ),
    Replacement(
        _QEL,
        "// Step 1.\n",
        "m_tg.qel(vars, fml);",
        "app_ref_vector vars1(vars);\n        m_tg.qel(vars1, fml);",
    ),
    Replacement(
        _QEL,
        "// Step 3.",
        "m_tg.qel(vars, fml, &non_core);",
        "app_ref_vector vars3(vars);\n        m_tg.qel(vars3, fml, &non_core);",
    ),
    Replacement(_QEL, "add v = mdl(v)", "for (auto v : vars) {", "for (auto v : vars3) {"),
)

_ARRAYS_TG = "src/qe/mbp/mbp_arrays_tg.cpp"

# Findings 21 and 23: an equality of arrays with an ite or the read of a store on one side counts as done although the
# condition was never added. The term that it equals in the model replaces that side. A store may have such a term
# inside, too. And reads of stores get a variable only when they are done: before, each round gave them another one, for
# arrays of arrays without end.
CONDITIONS_OF_ARRAYS = (
    Replacement(_ARRAYS_TG, "bool has_stores(", "is_store(e) && is_var(", "is_store(e) && has_var("),
    Replacement(
        _ARRAYS_TG,
        "// rewrite select(store(a, i, k), j) into either",
        "void elimrdwr(app *term) {",
        "expr* elimrdwr(app *term) {",
    ),
    Replacement(
        _ARRAYS_TG,
        "elimrdwr(app *term) {",
        "        m_tg.add_eq(term, v);        \n",
        "        m_tg.add_eq(term, v);\n        return v;\n",
    ),
    Replacement(
        _ARRAYS_TG,
        "elimrdwr(app *term) {",
        "    // iterate through all terms",
        "    bool is_split(expr *t) { return m.is_ite(t) || is_rd_wr(t); }\n\n"
        "    // return the term that t equals in the model, and add the condition\n"
        "    expr* split(expr *t) {\n"
        "        expr *c, *th, *el;\n"
        "        while (is_split(t)) {\n"
        "            if (!m.is_ite(t, c, th, el)) {\n"
        "                t = elimrdwr(to_app(t));\n"
        "                continue;\n"
        "            }\n"
        "            bool is_true = m_mdl.is_true(c);\n"
        "            m_tg.add_lit(is_true ? c : mk_not(m, c));\n"
        "            t = is_true ? th : el;\n"
        "        }\n"
        "        return t;\n"
        "    }\n\n"
        "    // iterate through all terms",
    ),
    Replacement(
        _ARRAYS_TG,
        "bool apply() {",
        "peq p(to_app(nt), m);",
        "peq p(to_app(nt), m);\n"
        "                if (is_split(p.lhs()) || is_split(p.rhs())) {\n"
        "                    if (!m_use_mdl)\n"
        "                        continue;\n"
        "                    vector<expr_ref_vector> diff;\n"
        "                    p.get_diff_indices(diff);\n"
        "                    e = mk_wr_peq(split(p.lhs()), split(p.rhs()), diff).mk_peq();\n"
        "                    mark_seen(nt);\n"
        "                    mark_seen(term);\n"
        "                    progress = true;\n"
        "                    m_tg.add_eq(nt, e);\n"
        "                    if (is_neg)\n"
        "                        e = m.mk_not(e);\n"
        "                    m_tg.add_lit(e);\n"
        "                    continue;\n"
        "                }",
    ),
    Replacement(
        _ARRAYS_TG,
        "// irrespective of whether they have been marked or not",
        "                add_rdVar(term);\n"
        "                // select-store axioms are only introduced during m_use_mdl\n"
        "                // so don't mark select-store terms if m_use_mdl is false\n"
        "                if (m_use_mdl || !m_array_util.is_store(to_app(term)->get_arg(0)))\n"
        "                    mark_seen(term);\n",
        "                // select-store axioms are only introduced during m_use_mdl\n"
        "                if (!m_use_mdl && m_array_util.is_store(to_app(term)->get_arg(0)))\n"
        "                    continue;\n"
        "                add_rdVar(term);\n"
        "                mark_seen(term);\n",
    ),
)

_FARKAS = "src/muz/spacer/spacer_unsat_core_plugin"

# Finding 34, Z3 issue 7417: the coefficients of a Farkas lemma need not add up to a contradiction, and the sum of its
# other premises then has variables that do not cancel. Such a step is left to the plugin for lemmas.
FARKAS_COEFFICIENTS = (
    Replacement(
        f"{_FARKAS}.h",
        "class unsat_core_plugin_farkas_lemma ",
        "        expr_ref compute_linear_combination(",
        "        bool is_contradiction(proof* step);\n        expr_ref compute_linear_combination(",
    ),
    Replacement(
        f"{_FARKAS}.cpp",
        "unsat_core_plugin_farkas_lemma::compute_partial_core(proof* step)",
        "            coeff_lits_t coeff_lits;\n",
        "            if (!is_contradiction(step))\n                return;\n\n            coeff_lits_t coeff_lits;\n",
    ),
    Replacement(
        f"{_FARKAS}.cpp",
        "     * FARKAS\n",
        "     */\n",
        "     */\n\n"
        "    // do the premises and the negated conclusion add up to a contradiction?\n"
        "    bool unsat_core_plugin_farkas_lemma::is_contradiction(proof* step) {\n"
        "        expr_ref_vector lits(m);\n"
        "        for (proof* p : m.get_parents(step))\n"
        "            lits.push_back(m.get_fact(p));\n"
        "        if (!m.is_false(m.get_fact(step))) {\n"
        "            expr_ref_vector conclusion(m);\n"
        "            flatten_or(m.get_fact(step), conclusion);\n"
        "            for (expr* lit : conclusion)\n"
        "                lits.push_back(mk_not(m, lit));\n"
        "        }\n"
        "        func_decl* d = step->get_decl();\n"
        "        smt::farkas_util util(m);\n"
        "        for (unsigned i = 0; i < lits.size() && i + 2 < d->get_num_parameters(); ++i)\n"
        "            if (!util.add(abs(d->get_parameter(i + 2).get_rational()), to_app(lits.get(i))))\n"
        "                return false;\n"
        "        return m.is_true(util.get());\n"
        "    }\n",
    ),
)

_MATRIX = "src/muz/spacer/spacer_matrix.cpp"

# Finding 47. Each Farkas lemma gives a linear combination of inequalities. Both plugins replace these combinations by
# others, from which they must follow; with a negative weight, they do not.
WEIGHTS_OF_COMBINATIONS = (
    Replacement(
        f"{_FARKAS}.cpp",
        "unsat_core_plugin_farkas_lemma_optimized::finalize()",
        "        // 4. extract",
        "        // a negative weight turns an inequality around: keep the combinations as they are\n"
        "        for (unsigned k = 0; k < i; ++k) {\n"
        "            for (unsigned l = 0; l < matrix.num_cols(); ++l) {\n"
        "                if (matrix.get(k, l).is_neg()) {\n"
        "                    for (const auto& linear_combination : m_linear_combinations)\n"
        "                        m_ctx.add_lemma_to_core(compute_linear_combination(linear_combination));\n"
        "                    return;\n"
        "                }\n"
        "            }\n"
        "        }\n\n"
        "        // 4. extract",
    ),
    Replacement(
        f"{_FARKAS}.cpp",
        "unsat_core_plugin_farkas_lemma_bounded::finalize()",
        "                    s->assert_expr(ub);\n                }\n",
        "                    s->assert_expr(ub);\n                }\n"
        "                // a negative weight turns an inequality around, and no weight above the entries is needed\n"
        "                for (unsigned i = 0; i < matrix.num_rows(); ++i) {\n"
        "                    rational max(0);\n"
        "                    for (unsigned j = 0; j < matrix.num_cols(); ++j)\n"
        "                        if (max < matrix.get(i, j))\n"
        "                            max = matrix.get(i, j);\n"
        "                    s->assert_expr(util.mk_le(util.mk_int(0), coeffs[i].get(l)));\n"
        "                    s->assert_expr(util.mk_le(coeffs[i].get(l), util.mk_numeral(max, true)));\n"
        "                }\n",
    ),
    Replacement(
        _MATRIX,
        "spacer_matrix::perform_gaussian_elimination()",
        "            if (max < m_matrix[k][j]) {\n",
        "            if (abs(max) < abs(m_matrix[k][j])) {\n",
    ),
    Replacement(
        _MATRIX,
        "// reorder rows if necessary",
        "            vector<rational> tmp = m_matrix[i];\n"
        "            m_matrix[i] = m_matrix[max_index];\n"
        "            m_matrix[max_index] = m_matrix[i];\n",
        "            if (i != max_index)\n                std::swap(m_matrix[i], m_matrix[max_index]);\n",
    ),
    Replacement(_MATRIX, "// subtract row from all other rows", "unsigned k = 1;", "unsigned k = 0;"),
)

ROUNDING_MODES_OF_BIT_VECTORS = (
    Replacement(
        "src/ast/rewriter/fpa_rewriter.cpp",
        "fpa_rewriter::mk_bvwrap(",
        "expr_ref & result) {\n",
        "expr_ref & result) {\n"
        "    // bv2rm(bvwrap(x)) is x: without this, each conversion of f(x) nests another pair around x\n"
        "    if (m_util.is_bv2rm(arg) && m_util.is_bvwrap(to_app(arg)->get_arg(0))) {\n"
        "        result = to_app(arg)->get_arg(0);\n"
        "        return BR_DONE;\n"
        "    }\n",
    ),
)

HEADS_OF_KEPT_PREDICATES = (
    Replacement(
        "src/muz/transforms/dl_mk_rule_inliner.cpp",
        "mk_rule_inliner::inline_linear(",
        "                rule* r2 = acc.get(j);\n\n",
        "                rule* r2 = acc.get(j);\n\n"
        "                // If other rules keep the predicate, nothing but r keeps "
        "its model from making the tail of r true.\n"
        "                bool is_kept = false;\n"
        "                for (unsigned k = 0; m_mc && k < sz && !is_kept; ++k)\n"
        "                    is_kept = k != j && valid.get(k) && acc.get(k)->get_decl() == r2->get_decl();\n"
        "                if (is_kept)\n"
        "                    break;\n\n",
    ),
)

_SIZES = "src/smt/theory_finite_set_size.cpp"

# Finding 48: an element may be in any of several parts, so each of them may be empty.
PARTS_WITHOUT_LEAST_NUMBER = (
    Replacement(
        _SIZES,
        "m_solver->get_model(mdl);",
        "            // Determine whether this propositional model",
        "",
        until="            expr_ref slack(",
    ),
    Replacement(_SIZES, "expr_ref slack(", "            int slack_lb = has_definite_member ? 1 : 0;\n", ""),
    Replacement(_SIZES, "expr_ref slack(", "a.mk_int(slack_lb)", "a.mk_int(0)"),
)

# Finding 49: a set that is not relevant lacks a Boolean.
SIZES_OF_RELEVANT_SETS = (
    Replacement(
        _SIZES,
        "                for (auto f : m_set_size_decls) {\n                    for (auto n : ctx.enodes_of(f)) {\n"
        "                        expr_ref eq",
        "                        expr_ref eq",
        "                        if (!n2b.contains(n->get_arg(0)))\n                            continue;\n"
        "                        expr_ref eq",
    ),
    Replacement(
        _SIZES,
        "                    auto b = n2b[arg];\n",
        "                    auto b = n2b[arg];\n",
        "                    if (!n2b.contains(arg))\n                        continue;\n"
        "                    auto b = n2b[arg];\n",
    ),
)

# Finding 53: the empty set has a part in no Venn diagram.
EMPTY_SETS_WITHOUT_PARTS = (
    Replacement(
        _SIZES,
        "add_def_axioms(enode_vector const& ns) {",
        "m.mk_iff(n2b[n], m.mk_and(a, not_b)));\n            }\n",
        "m.mk_iff(n2b[n], m.mk_and(a, not_b)));\n            }\n"
        "            else if (u.is_empty(e))\n"
        "                m_solver->assert_expr(m.mk_not(n2b[n]));\n",
    ),
)

# Finding 54: the theory watches literals of clauses, and the context reports only relevant ones to it.
RELEVANT_LITERALS_OF_CLAUSES = (
    Replacement(
        "src/smt/theory_finite_set.cpp",
        "theory_finite_set::activate_clause(",
        "        auto &clause = ax->clause;\n",
        "        auto &clause = ax->clause;\n"
        "        // assign_eh is called for relevant atoms only\n"
        "        for (auto e : clause)\n"
        "            mk_literal(e);\n",
    ),
)

# Finding 55: the data of a class are at the root of the theory's own union-find.
ROOTS_OF_THE_THEORY = tuple(
    Replacement(
        "src/smt/theory_finite_set.cpp",
        "theory_finite_set::mk_var(",
        f"auto v = {node}->get_root()->get_th_var(get_id());\n{indent}SASSERT(v != null_theory_var);\n",
        f"auto v = {node}->get_root()->get_th_var(get_id());\n{indent}SASSERT(v != null_theory_var);\n"
        f"{indent}v = find(v);\n",
    )
    for node, indent in (("set", " " * 12), ("arg", " " * 16))
)

# Finding 56: planning inlines rules, too, and so may find a quantifier.
PLAN_IN_THE_HANDLER = (
    Replacement(
        "src/muz/transforms/dl_mk_rule_inliner.cpp",
        "rule_set * mk_rule_inliner::operator()(",
        f"{' ' * 12}plan_inlining(source);\n{' ' * 12}try {{\n",
        f"{' ' * 12}try {{\n{' ' * 16}plan_inlining(source);\n",
    ),
)

_SIZES_HEADER = "src/smt/theory_finite_set_size.h"

# Finding 50: an axiom vanishes with the scope in which it was made, and the solver does not run again.
AXIOMS_OF_EACH_SCOPE = (
    Replacement(
        _SIZES_HEADER,
        "bool m_solver_ran",
        "m_solver_ran = false;\n",
        "m_solver_ran = false;\n        vector<expr_ref_vector> m_axioms;\n        bool m_axioms_asserted = false;\n",
    ),
    Replacement(_SIZES_HEADER, "lbool run_solver", "run_solver();\n", "run_solver();\n        void assert_axioms();\n"),
    Replacement(
        _SIZES, "void undo()", "m_solver_ran = false;\n", "m_solver_ran = false;\n                s.m_axioms.reset();\n"
    ),
    Replacement(
        _SIZES,
        "::run_solver()",
        "m_slack_members.reset();\n",
        "m_slack_members.reset();\n        m_axioms.reset();\n",
    ),
    Replacement(_SIZES, "unsat_core();", "literal_vector lits;", "expr_ref_vector lits(m);"),
    Replacement(
        _SIZES,
        "holds_alternative<eq>",
        "expr_ref eq(m.mk_eq(th.get_expr(a), th.get_expr(b)), m);\n"
        "                        lits.push_back(~th.mk_literal(eq));",
        "lits.push_back(m.mk_not(m.mk_eq(th.get_expr(a), th.get_expr(b))));",
    ),
    Replacement(
        _SIZES,
        "holds_alternative<diseq>",
        "expr_ref eq(m.mk_eq(th.get_expr(a), th.get_expr(b)), m);\n"
        "                        lits.push_back(th.mk_literal(eq));",
        "lits.push_back(m.mk_eq(th.get_expr(a), th.get_expr(b)));",
    ),
    Replacement(
        _SIZES,
        "holds_alternative<in>",
        "auto lit = th.mk_literal(n->get_expr());\n                        lits.push_back(is_pos ? ~lit : lit);",
        "lits.push_back(is_pos ? m.mk_not(n->get_expr()) : n->get_expr());",
    ),
    Replacement(
        _SIZES,
        "holds_alternative<in>",
        "                        expr_ref eq(m.mk_eq(n->get_expr(), slack_sums",
        "                        m_axioms.push_back(lits);\n"
        "                        m_axioms.back().push_back(m.mk_eq(n->get_expr(), slack_sums[n->get_expr()]));\n",
        until="                    }\n                }\n                TRACE",
    ),
    Replacement(
        _SIZES,
        'ctx.display(tout << "Core',
        "m_solver_ran = true;\n",
        "m_solver_ran = true;\n                assert_axioms();\n",
    ),
    Replacement(
        _SIZES,
        "int slack_lb",
        "            ctx.mk_th_axiom(th.get_id(), th.mk_literal(a.mk_ge(slack, a.mk_int(slack_lb))));\n",
        "            m_axioms.push_back(expr_ref_vector(m));\n"
        "            m_axioms.back().push_back(a.mk_ge(slack, a.mk_int(slack_lb)));\n",
    ),
    Replacement(
        _SIZES,
        "return l_undef;",
        "    lbool theory_finite_set_size::final_check() {",
        "    // Axioms vanish with the scope in which they are asserted; the solver belongs to an outer one.\n"
        "    void theory_finite_set_size::assert_axioms() {\n"
        "        ctx.push_trail(value_trail<bool>(m_axioms_asserted));\n"
        "        m_axioms_asserted = true;\n"
        "        for (auto const& axiom : m_axioms) {\n"
        "            literal_vector lits;\n"
        "            for (auto e : axiom)\n"
        "                lits.push_back(th.mk_literal(e));\n"
        "            ctx.mk_th_axiom(th.get_id(), lits);\n"
        "        }\n"
        "    }\n\n"
        "    lbool theory_finite_set_size::final_check() {",
    ),
    Replacement(
        _SIZES,
        "::final_check() {",
        "return run_solver();\n",
        "return run_solver();\n"
        "        if (!m_axioms_asserted) {\n"
        "            assert_axioms();\n"
        "            return l_false;\n"
        "        }\n",
    ),
)

# Finding 57: the run of the inner solver assumes the literals of its initialization, and more may follow. The slack of
# a part of the Venn diagram is the same in each run, or the runs do not end. Needs the fix of finding 50.
SLACKS_OF_PARTS = (
    Replacement(_SIZES_HEADER, "#include", "#include", "#include <map>\n#include"),
    Replacement(
        _SIZES_HEADER,
        "vector<ptr_vector<expr>> m_slack_members;",
        "\n",
        "\n        std::map<std::vector<std::pair<unsigned, bool>>, app *> m_part2slack;\n"
        "        expr_ref_vector m_parts;\n"
        "        unsigned m_num_literals = 0;\n",
    ),
    Replacement(
        _SIZES_HEADER,
        "void initialize_solver();",
        "\n",
        "\n        void reset_solver();\n"
        "        unsigned num_literals() const;\n"
        "        app *slack_of_part(model &mdl);\n",
    ),
    Replacement(_SIZES, "theory_finite_set_size(theory_finite_set& th)", "m_pinned(m)", "m_parts(m), m_pinned(m)"),
    Replacement(
        _SIZES,
        "void theory_finite_set_size::add_set_size(",
        "    void theory_finite_set_size::initialize_solver() {",
        "    void theory_finite_set_size::reset_solver() {\n"
        "        m_solver = nullptr;\n"
        "        m_solver_ran = false;\n"
        "        m_axioms.reset();\n"
        "        n2b.reset();\n"
        "        m_assumptions.reset();\n"
        "        bs.reset();\n"
        "        m_slacks.reset();\n"
        "        m_slack_members.reset();\n"
        "        m_pinned.reset();\n"
        "        m_unique_values.reset();\n"
        "    }\n\n"
        "    // The number of the literals that the inner solver depends on; it does not fall within a scope.\n"
        "    unsigned theory_finite_set_size::num_literals() const {\n"
        "        unsigned num = th.m_eqs.size() + th.m_diseqs.size();\n"
        "        for (enode *n : ctx.enodes())\n"
        "            if (ctx.is_relevant(n) && (u.is_size(n->get_expr()) || \n"
        "                                       (u.is_in(n->get_expr()) && ctx.get_assignment(n) != l_undef)))\n"
        "                ++num;\n"
        "        return num;\n"
        "    }\n\n"
        "    void theory_finite_set_size::initialize_solver() {",
    ),
    Replacement(
        _SIZES,
        "void undo() override {",
        "                s.m_solver = nullptr;\n",
        "                s.reset_solver();\n",
        until="            }\n        };",
    ),
    Replacement(
        _SIZES,
        "ctx.push_trail(clear_solver(*this));",
        "\n",
        "\n        ctx.push_trail(value_trail<unsigned>(m_num_literals));\n"
        "        ctx.push_trail(value_trail<bool>(m_axioms_asserted));\n"
        "        reset_solver();\n"
        "        m_num_literals = num_literals();\n"
        "        m_axioms_asserted = false;\n",
    ),
    Replacement(
        _SIZES,
        "m_solver->get_model(mdl);",
        'expr_ref slack(m.mk_fresh_const(symbol("slack"), a.mk_int()), m);',
        "expr_ref slack(slack_of_part(*mdl), m);",
    ),
    Replacement(
        _SIZES,
        "void theory_finite_set_size::initialize_solver() {",
        "    // Axioms vanish with the scope",
        "    // A part of the Venn diagram of the sets that have a size has the same slack in each run.\n"
        "    app *theory_finite_set_size::slack_of_part(model &mdl) {\n"
        "        std::vector<std::pair<unsigned, bool>> part;\n"
        "        for (auto f : m_set_size_decls) {\n"
        "            for (auto n : ctx.enodes_of(f)) {\n"
        "                auto arg = n->get_arg(0);\n"
        "                if (n2b.contains(arg))\n"
        "                    part.push_back({ arg->get_expr_id(), mdl.is_true(n2b[arg]) });\n"
        "            }\n"
        "        }\n"
        "        auto &slack = m_part2slack[part];\n"
        "        if (!slack) {\n"
        '            slack = m.mk_fresh_const("slack", arith_util(m).mk_int());\n'
        "            m_parts.push_back(slack);\n"
        "            for (auto f : m_set_size_decls)\n"
        "                for (auto n : ctx.enodes_of(f))\n"
        "                    m_parts.push_back(n->get_arg(0)->get_expr());\n"
        "        }\n"
        "        return slack;\n"
        "    }\n\n"
        "    // Axioms vanish with the scope",
    ),
    Replacement(
        _SIZES,
        "::final_check() {",
        "        if (!m_solver_ran)\n",
        "        if (m_num_literals != num_literals()) {\n"
        "            initialize_solver();\n"
        "            return l_false;\n"
        "        }\n"
        "        if (!m_solver_ran)\n",
    ),
)

# Finding 62: the bits of a term that is relevant need not be, and then nothing depends on its value.
BITS_THAT_ARE_RELEVANT = (
    Replacement(
        "src/smt/theory_fpa.cpp",
        "model_value_proc * theory_fpa::mk_value(",
        "else if (ctx.e_internalized(wrapped)) {",
        "else if (ctx.e_internalized(wrapped) && ctx.is_relevant(wrapped.get())) {",
    ),
    Replacement(
        "src/smt/theory_fpa.cpp",
        "else if (ctx.e_internalized(wrapped)",
        "        else {\n            unsigned ebits",
        "        else if (m_fpa_util.is_rm(owner)) {\n"
        "            return alloc(expr_wrapper_proc, m_fpa_util.mk_round_nearest_ties_to_even());\n"
        "        }\n"
        "        else {\n            unsigned ebits",
    ),
)

# Finding 52: an application of a function is a set like a constant.
SIZES_OF_APPLICATIONS = (Replacement(_SIZES, "ptr_vector<expr> members;", "is_uninterp_const(e)", "is_uninterp(e)"),)

# Finding 58: the model needs a value for the root of a class, and a constant of the class has it.
VALUES_OF_MEMBERS = (
    Replacement(
        "src/smt/theory_finite_set.cpp",
        "theory_finite_set::mk_value(",
        "        app *value = m_cardinality_solver.get_unique_value(n->get_expr());\n        if (value)\n"
        "            return alloc(finite_set_value_proc, *this, value);\n",
        "        for (auto member : *n)\n"
        "            if (app *value = m_cardinality_solver.get_unique_value(member->get_expr()))\n"
        "                return alloc(finite_set_value_proc, *this, value);\n",
    ),
)

_BIT_BLASTER = "src/ast/rewriter/bit_blaster/bit_blaster_rewriter"

# Finding 59: an operator that is not supported ends the rewriting when some formulas are already over bits.
ALL_FORMULAS_OR_NONE = (
    Replacement(
        "src/ast/simplifiers/bit_blaster.cpp",
        "::reduce()",
        "    bool change = false;\n    for (unsigned idx : indices()) {\n",
        "    vector<std::pair<unsigned, dependent_expr>> changes;\n"
        "    try {\n"
        "        for (unsigned idx : indices()) {\n"
        "            auto [curr, p, d] = m_fmls[idx]();\n"
        "            m_rewriter(curr, new_curr, new_pr);\n"
        "            if (curr != new_curr) {\n"
        "                m_num_steps += m_rewriter.get_num_steps();\n"
        "                changes.push_back({ idx, dependent_expr(m, new_curr, mp(p, new_pr), d) });\n"
        '                TRACE(bit_blaster, tout << mk_pp(curr, m) << " -> " << new_curr << "\\n";);\n'
        "            }\n"
        "        }\n"
        "    }\n"
        "    catch (rewriter_exception &) {\n"
        "        m_rewriter.undo_rewrite();\n"
        "        m_rewriter.cleanup();\n"
        "        throw;\n"
        "    }\n"
        "    for (auto const& [idx, fml] : changes)\n"
        "        m_fmls.update(idx, fml);\n    \n",
        until="    if (change) {",
    ),
    Replacement("src/ast/simplifiers/bit_blaster.cpp", "::reduce()", "if (change) {", "if (!changes.empty()) {"),
    Replacement(f"{_BIT_BLASTER}.h", "void start_rewrite();\n", "\n", "\n    void undo_rewrite();\n"),
    Replacement(
        f"{_BIT_BLASTER}.cpp",
        "m_keypos = m_keys.size();",
        "    }\n",
        "    }\n\n"
        "    void undo_rewrite() {\n"
        "        for (unsigned i = m_keys.size(); i > m_keypos; ) {\n"
        "            --i;\n"
        "            m_const2bits.remove(m_keys[i].get());\n"
        "        }\n"
        "        m_keys.resize(m_keypos);\n"
        "        m_values.resize(m_keypos);\n"
        "    }\n",
    ),
    Replacement(
        f"{_BIT_BLASTER}.cpp",
        "void start_rewrite() { m_cfg",
        "}\n",
        "}\n    void undo_rewrite() { m_cfg.undo_rewrite(); }\n",
    ),
    Replacement(
        f"{_BIT_BLASTER}.cpp",
        "bit_blaster_rewriter::start_rewrite() {",
        "}\n",
        "}\n\nvoid bit_blaster_rewriter::undo_rewrite() {\n    m_imp->undo_rewrite();\n}\n",
    ),
)

_QE_DATATYPES = "src/qe/qe_datatype_plugin.cpp"

# Finding 60: infinitely many values differ from some terms, but a constructor like `nil` has one value.
VALUES_OF_LEAVES = (
    Replacement(
        _QE_DATATYPES,
        "bool has_recognizer(",
        "        bool get_num_branches_rec(",
        "        // A constructor whose arguments are not recursive may have finitely many values.\n"
        "        bool is_leaf(func_decl* c) {\n"
        "            for (sort* s : *c)\n"
        "                if (m_datatype_util.is_datatype(s) && m_datatype_util.is_recursive(s))\n"
        "                    return false;\n"
        "            return true;\n"
        "        }\n\n"
        "        bool get_num_branches_rec(",
    ),
    Replacement(
        _QE_DATATYPES,
        "        bool get_num_branches_rec(",
        "if (has_selector(x, fml, c))",
        "if (is_leaf(c) || has_selector(x, fml, c))",
    ),
    *(
        Replacement(
            _QE_DATATYPES,
            f"void {name}_rec(contains_app& contains_x",
            "if (has_selector(contains_x, fml, c))",
            "if (is_leaf(c) || has_selector(contains_x, fml, c))",
        )
        for name in ("assign", "subst")
    ),
)

_MBP_DATATYPES = "src/qe/mbp/mbp_dt_tg.cpp"

# Finding 33: a recognizer does not give its variable a term that could replace it.
CONSTRUCTORS_OF_RECOGNIZERS = (
    Replacement(
        _MBP_DATATYPES,
        "applying rm_accessor on",
        "        expr_ref sel(m);\n",
        "        add_constructor(v, m_dt_util.get_accessor_constructor(to_app(term)->get_decl()));\n"
        "    }\n\n"
        "    // make v equal to a constructor of its accessors, which are constants\n"
        "    void add_constructor(expr *v, func_decl *cons) {\n"
        "        expr_ref sel(m);\n",
    ),
    Replacement(
        _MBP_DATATYPES,
        "void add_constructor(",
        "        func_decl *cons =\n            m_dt_util.get_accessor_constructor(to_app(term)->get_decl());\n",
        "",
    ),
    Replacement(
        _MBP_DATATYPES,
        "bool apply() {",
        "            if (is_constructor_app(term, cons, rhs)) {\n",
        "            // a recognizer: the variable has this or another constructor in the model\n"
        "            if (m_use_mdl && is_app(term) &&\n"
        "                m_dt_util.is_recognizer(to_app(term)->get_decl()) &&\n"
        "                is_var(to_app(term)->get_arg(0))) {\n"
        "                expr *v = to_app(term)->get_arg(0);\n"
        "                mark_seen(term);\n"
        "                progress = true;\n"
        "                for (func_decl *c : *m_dt_util.get_datatype_constructors(v->get_sort())) {\n"
        "                    expr_ref is_c(m.mk_app(m_dt_util.get_constructor_is(c), v), m);\n"
        "                    if (m_mdl.is_true(is_c)) {\n"
        "                        add_constructor(v, c);\n"
        "                        break;\n"
        "                    }\n"
        "                }\n"
        "                continue;\n"
        "            }\n"
        "            if (is_constructor_app(term, cons, rhs)) {\n",
    ),
)

# Finding 32: the second projection begins with the first one, which has failed.
SECOND_PROJECTION_ALONE = (
    Replacement(
        "src/qe/qe_mbp.cpp",
        "void spacer_qe_lite(",
        "(*this)(false, other_vars, mdl, fmls);",
        "mbp(false, other_vars, mdl, fmls, nullptr);",
    ),
)

# Finding 70: cons(head(x), tail(x)) is not x where x is nil.
RECORDS_OF_THEIR_FIELDS = (
    Replacement(
        "src/qe/qe_mbp.cpp",
        "// cons(head(x), tail(x)) --> x",
        "                if (num >= 1 && is_app(args[0])",
        "                if (num >= 1 && m_dt_util.get_datatype_num_constructors(f->get_range()) == 1 &&\n"
        "                    is_app(args[0])",
    ),
)

_SPACER_UTIL = "src/muz/spacer/spacer_util.cpp"

# Finding 22: a model does not decide each literal, `distinct` of three arrays for example, and Spacer left out those.
# Quantified lemmas stay out: they do not describe a state.
LITERALS_WITHOUT_A_VALUE = (
    Replacement(
        _SPACER_UTIL,
        "bool pick_implicant(",
        "if (is_true || m_model.is_true(e)) { pick_literals(e, out); }",
        "if (is_true || m_model.is_true(e)) { pick_literals(e, out); }\n"
        "            else if (is_app(e) && !m_model.is_false(e)) { out.push_back(e); } // without a value",
    ),
)


# Finding 30: numbers of terms are used again if the terms of an earlier conjunct are gone.
TERMS_OF_ALL_CONJUNCTS = (
    Replacement(
        _SPACER_UTIL,
        "class implicant_picker {",
        "    expr_mark m_visited;\n",
        "    expr_mark m_visited;\n    // the terms that are marked: otherwise, new terms may get their ids\n"
        "    expr_ref_vector m_pinned;\n",
    ),
    Replacement(
        _SPACER_UTIL,
        "void pick_literals(",
        "        // -- keep track of all created expressions to\n"
        "        // -- make sure that expression ids are stable\n"
        "        expr_ref_vector pinned(m);\n\n",
        "",
    ),
    *(
        Replacement(_SPACER_UTIL, "void pick_literals(", f"{before}pinned.{after}", f"{before}m_pinned.{after}")
        for before, after in (
            ("            ", "push_back(m_todo.back());"),
            ("is_app(", "back()))"),
            ("to_app(", "back());"),
        )
    ),
    Replacement(
        _SPACER_UTIL,
        "bool pick_implicant(",
        "        m_visited.reset();\n        return is_true;",
        "        m_visited.reset();\n        m_pinned.reset();\n        return is_true;",
    ),
    Replacement(_SPACER_UTIL, "implicant_picker(model &mdl)", "m_todo(m) {}", "m_todo(m), m_pinned(m) {}"),
)

# Finding 37: the refutation ends with a modus ponens.
REFUTATION_BEFORE_ITS_END = (
    Replacement(
        "src/muz/spacer/spacer_context.cpp",
        "expr_ref context::get_ground_sat_answer()",
        "    proof_ref pf = get_ground_refutation();\n",
        "    proof_ref pf = get_ground_refutation();\n"
        "    // the last step concludes false from the fact of the query\n"
        "    if (m.is_modus_ponens(pf))\n"
        "        pf = m.get_parent(pf, 0);\n",
    ),
)

# Finding 44: only remainders by positive numbers are defined.
REMAINDERS_BY_POSITIVE_NUMBERS = (
    Replacement(
        "src/qe/mbp/mbp_arith.cpp",
        "auto is_pure",
        "a.is_mod(e, x, y) && a.is_numeral(y))",
        "a.is_mod(e, x, y) && a.is_numeral(y, r) && r > 0)",
    ),
)

# Finding 46: the projection itself makes constants, and one may stay.
CONSTANTS_OF_THE_PROJECTION = (
    Replacement(
        "src/qe/qe_mbp.cpp",
        "Recover variables that were reported",
        "        // project reals, ints and other variables.\n",
        "        // The same for constants that the projection has made.\n"
        "        expr_mark is_old;\n"
        "        for (expr* e : subterms::all(orig_fml))\n"
        "            is_old.mark(e);\n"
        "        for (expr* e : subterms::all(fml))\n"
        "            if (is_uninterp_const(e) && !is_old.is_marked(e) && !other_vars.contains(to_app(e)))\n"
        "                other_vars.push_back(to_app(e));\n\n"
        "        // project reals, ints and other variables.\n",
    ),
)

# Finding 28: the bits of a sum are extracts of it, as those of a function are.
BITS_OF_OTHER_OPERATORS = (
    Replacement(
        "src/ast/simplifiers/bv1_blaster.cpp",
        "case OP_BXOR:",
        "        default:\n            return BR_FAILED;\n",
        "        default:\n            break;\n",
    ),
)

# Finding 42: an array that occurs outside of reads gets its value.
VALUES_OF_OTHER_ARRAYS = (
    Replacement(
        "src/muz/spacer/spacer_qe_project.cpp",
        "class array_project_selects_util",
        "        // assume all arr_vars are of array sort\n        // and they only appear in select terms\n",
        "        // arrays that appear elsewhere get their values\n"
        "        expr_safe_replace values(m);\n"
        "        for (expr *e : subterms::all(fml))\n"
        "            if (is_app(e))\n"
        "                for (unsigned i = m_arr_u.is_select(e) ? 1 : 0; i < to_app(e)->get_num_args(); ++i) {\n"
        "                    expr *arg = to_app(e)->get_arg(i);\n"
        "                    if (is_app(arg) && arr_vars.contains(to_app(arg))) values.insert(arg, mdl(arg));\n"
        "                }\n"
        "        values(fml);\n\n"
        "        // all arr_vars are of array sort\n        // and they only appear in select terms\n",
    ),
)

# Finding 45: an argument of a function is not redundant.
ARGUMENTS_OF_FUNCTIONS = (
    Replacement(
        "src/qe/mbp/mbp_qel_util.cpp",
        "if (m_array_util.is_store(n)) {",
        "        }\n    }\n};\n",
        "        }\n"
        "        else if (is_uninterp(n)) {\n"
        "            for (expr* arg : *n)\n"
        "                collect_uninterp_consts(arg, m_vars);\n"
        "        }\n    }\n};\n",
    ),
)

# Finding 71: nor is the element of a constant array.
ELEMENTS_OF_CONSTANT_ARRAYS = (
    Replacement(
        "src/qe/mbp/mbp_qel_util.cpp",
        "if (m_array_util.is_select(n)) {",
        "        else if (m_array_util.is_store(n)) {\n",
        "        else if (m_array_util.is_const(n))\n"
        "            collect_uninterp_consts(n->get_arg(0), m_vars);\n"
        "        else if (m_array_util.is_store(n)) {\n",
    ),
)

_ARRAY_DIFFERENCE = """\
    namespace {
        // A literal that holds in the model, and implies that two arrays differ at an index.
        class array_difference {
            ast_manager&            m;
            array_util              m_arr_u;
            model&                  M;
            model_evaluator         m_mev;
            app*                    m_v;    // array var to eliminate
            contains_app            m_contains_v;
            vector<expr_ref_vector> m_indices;

            // Whether e is m_v at all indices but those of its stores.
            bool is_store_of_v(expr* e) {
                while (m_arr_u.is_store(e)) e = to_app(e)->get_arg(0);
                return e == m_v;
            }

            bool has_infinite_domain(sort* s) {
                for (unsigned i = 0; i < get_array_arity(s); ++i) {
                    sort* d = get_array_domain(s, i);
                    if (d->get_info() && d->get_num_elements().is_infinite()) return true;
                }
                return false;
            }

            expr_ref mk_select(expr* arr, expr_ref_vector const& idx) {
                ptr_vector<expr> args;
                args.push_back(arr);
                args.append(idx.size(), idx.data());
                return expr_ref(m_arr_u.mk_select(args), m);
            }

            void add_indices(expr* e) {
                expr* c = nullptr, *th = nullptr, *el = nullptr;
                while (true) {
                    if (m_arr_u.is_store(e)) {
                        expr_ref_vector idx(m);
                        idx.append(to_app(e)->get_num_args() - 2, to_app(e)->get_args() + 1);
                        m_indices.push_back(idx);
                        e = to_app(e)->get_arg(0);
                    }
                    else if (m.is_ite(e, c, th, el))
                        e = m_mev.is_true(c) ? th : el;
                    else
                        return;
                }
            }

            bool differ_at(expr* a, expr* b, expr_ref_vector const& idx) {
                expr_ref eq(m.mk_eq(mk_select(a, idx), mk_select(b, idx)), m);
                return m_mev.is_false(eq);
            }

            bool mk_fresh(sort* s, unsigned i, expr_ref& val) {
                if (m.is_bool(s))
                    val = m.mk_bool_val(i % 2 == 0);
                else if (M.has_uninterpreted_sort(s))
                    val = M.get_universe(s).get(i % M.get_universe(s).size());
                else
                    val = m.is_uninterp(s) ? nullptr : M.get_fresh_value(s);
                return val;
            }

            bool find_index(expr* a, expr* b, expr_ref_vector& idx) {
                expr_ref va = m_mev(a), vb = m_mev(b);
                add_indices(a);
                add_indices(b);
                add_indices(va);
                add_indices(vb);
                for (auto const& known : m_indices) {
                    idx.reset();
                    idx.append(known);
                    if (differ_at(a, b, idx)) return true;
                }
                for (unsigned i = 0; i < m_indices.size() + 2; ++i) {
                    idx.reset();
                    expr_ref val(m);
                    for (unsigned j = 0; j < get_array_arity(a->get_sort()); ++j) {
                        if (!mk_fresh(get_array_domain(a->get_sort(), j), i, val)) return false;
                        idx.push_back(val);
                    }
                    if (differ_at(a, b, idx)) return true;
                }
                return false;
            }

            expr_ref read(expr* arr, expr_ref_vector const& idx, expr_ref_vector& lits) {
                expr* c = nullptr, *th = nullptr, *el = nullptr;
                while (true) {
                    if (m.is_ite(arr, c, th, el)) {
                        bool is_true = m_mev.is_true(c);
                        lits.push_back(is_true ? c : m.mk_not(c));
                        arr = is_true ? th : el;
                    }
                    else if (m_arr_u.is_store(arr)) {
                        app* st = to_app(arr);
                        expr_ref_vector at(m);
                        at.append(st->get_num_args() - 2, st->get_args() + 1);
                        expr_ref eq = mk_eq(at, idx);
                        if (m_mev.is_true(eq)) {
                            lits.push_back(eq);
                            return expr_ref(st->get_arg(st->get_num_args() - 1), m);
                        }
                        lits.push_back(m.mk_not(eq));
                        arr = st->get_arg(0);
                    }
                    else
                        return mk_select(arr, idx);
                }
            }

        public:
            array_difference(ast_manager& m, model& mdl, app* v):
                m(m), m_arr_u(m), M(mdl), m_mev(mdl), m_v(v), m_contains_v(m, v) {
                m_mev.set_model_completion(true);
            }

            void operator()(app* eq, expr_ref_vector& lits) {
                expr* a = eq->get_arg(0), *b = eq->get_arg(1);
                // Some value of m_v at an index that is not mentioned makes them differ.
                if (has_infinite_domain(a->get_sort()) &&
                    ((is_store_of_v(a) && !m_contains_v(b)) || (is_store_of_v(b) && !m_contains_v(a))))
                    return;
                expr_ref_vector idx(m);
                m_indices.reset();
                if (!find_index(a, b, idx)) return;
                expr_ref x = read(a, idx, lits), y = read(b, idx, lits);
                lits.push_back(m.mk_not(m.mk_eq(x, y)));
            }
        };
    }

    void mk_array_differences(model& mdl, app* v, app_ref_vector const& eqs, expr_ref_vector& lits) {
        array_difference add(lits.get_manager(), mdl, v);
        for (app* eq : eqs) add(eq, lits);
    }

"""
_MBP_ARRAYS = "src/qe/mbp/mbp_arrays.cpp"
_QE_PROJECT = "src/muz/spacer/spacer_qe_project.cpp"

# Finding 38: an equality of arrays that is false in the model must be false for a value of the eliminated array, too.
DIFFERENCES_OF_ARRAYS = (
    Replacement(
        _MBP_ARRAYS,
        "static expr_ref mk_eq",
        "    /**\n     *  1. Extract",
        f"{_ARRAY_DIFFERENCE}    /**\n     *  1. Extract",
    ),
    Replacement(
        _MBP_ARRAYS,
        "class array_project_eqs_util",
        "        app_ref_vector              m_aux_vars;\n",
        "        app_ref_vector              m_aux_vars;\n        app_ref_vector              m_false_eqs_v;\n",
    ),
    Replacement(
        _MBP_ARRAYS,
        "class array_project_eqs_util",
        "            m_idx_lits_v.reset ();\n",
        "            m_idx_lits_v.reset ();\n            m_false_eqs_v.reset ();\n",
    ),
    Replacement(
        _MBP_ARRAYS,
        "// evaluate eqs in M",
        "                    m_false_sub_v.insert (eq, m.mk_false());\n",
        "                    m_false_sub_v.insert (eq, m.mk_false());\n"
        "                    m_false_eqs_v.push_back (eq);\n",
    ),
    Replacement(
        _MBP_ARRAYS,
        "m_true_sub_v.insert (m_v, m_subst_term_v);",
        "                m_false_sub_v (fml);\n",
        "                m_false_sub_v (fml);\n"
        "                lits.reset ();\n"
        "                lits.push_back (fml);\n"
        "                mk_array_differences (*M, m_v, m_false_eqs_v, lits);\n"
        "                fml = mk_and (lits);\n",
    ),
    Replacement(
        _MBP_ARRAYS,
        "array_project_eqs_util (ast_manager",
        "m_aux_vars (m)\n",
        "m_aux_vars (m),\n            m_false_eqs_v (m)\n",
    ),
    Replacement(
        "src/qe/mbp/mbp_arrays.h",
        "namespace mbp {",
        "\n\n",
        "\n\n"
        "    // Add literals that hold in the model, and that make equalities about v false for some v.\n"
        "    void mk_array_differences(model& mdl, app* v, app_ref_vector const& eqs, expr_ref_vector& lits);\n\n",
    ),
    Replacement(
        _QE_PROJECT,
        '#include "model/model_pp.h"',
        '#include "qe/qe.h"\n',
        '#include "qe/mbp/mbp_arrays.h"\n#include "qe/qe.h"\n',
    ),
    Replacement(
        _QE_PROJECT,
        "class array_project_eqs_util",
        "    app_ref_vector m_aux_vars;\n",
        "    app_ref_vector m_aux_vars;\n    app_ref_vector m_false_eqs_v;\n",
    ),
    Replacement(
        _QE_PROJECT,
        "class array_project_eqs_util",
        "        m_idx_lits_v.reset();\n",
        "        m_idx_lits_v.reset();\n        m_false_eqs_v.reset();\n",
    ),
    Replacement(
        _QE_PROJECT,
        "// evaluate eq in M",
        "                m_false_sub_v.insert(eq, m.mk_false());\n",
        "                m_false_sub_v.insert(eq, m.mk_false());\n                m_false_eqs_v.push_back(a);\n",
    ),
    Replacement(
        _QE_PROJECT,
        "m_true_sub_v.insert(m_v, m_subst_term_v);",
        "            m_false_sub_v(fml);\n",
        "            m_false_sub_v(fml);\n"
        "            lits.reset();\n"
        "            lits.push_back(fml);\n"
        "            mbp::mk_array_differences(*M, m_v, m_false_eqs_v, lits);\n"
        "            fml = m.mk_and(lits);\n",
    ),
    Replacement(
        _QE_PROJECT,
        "array_project_eqs_util(ast_manager &m)",
        "          m_mev(m) {}\n",
        "          m_false_eqs_v(m), m_mev(m) {}\n",
    ),
)

# Finding 61: as 42, in the projection that Spacer uses for an array inside of an index.
VALUES_OF_OTHER_ARRAYS_IN_MBP = (
    Replacement(
        "src/qe/mbp/mbp_arrays.cpp",
        "class array_project_selects_util",
        "            // assume all arr_vars are of array sort\n            // and they only appear in select terms\n",
        "            // arrays that appear elsewhere get their values\n"
        "            expr_safe_replace values(m);\n"
        "            for (expr* e : subterms::all(fml)) {\n"
        "                if (!is_app(e))\n"
        "                    continue;\n"
        "                for (unsigned i = m_arr_u.is_select(e) ? 1 : 0; i < to_app(e)->get_num_args(); ++i) {\n"
        "                    expr* arg = to_app(e)->get_arg(i);\n"
        "                    if (is_app(arg) && arr_vars.contains(to_app(arg)))\n"
        "                        values.insert(arg, mev(arg));\n"
        "                }\n"
        "            }\n"
        "            values(fml);\n\n"
        "            // all arr_vars are of array sort\n            // and they only appear in select terms\n",
    ),
)

_TERM_GRAPH = "src/qe/mbp/mbp_term_graph.cpp"

# Finding 25: an equality of the user may equal another one; only those that stand for literals are printed elsewhere.
EQUALITIES_OF_LITERALS = (
    Replacement(
        _TERM_GRAPH,
        "// caches whether m_expr is a partial equality",
        "    unsigned m_is_peq : 1;\n",
        "    unsigned m_is_peq : 1;\n    // the term of a literal (m_explicit_eq)\n    unsigned m_is_literal : 1;\n",
    ),
    Replacement(
        _TERM_GRAPH,
        "term(expr_ref const &v",
        "m_is_peq(false),\n",
        "m_is_peq(false), m_is_literal(false),\n",
    ),
    Replacement(
        _TERM_GRAPH,
        "bool is_eq_or_peq() const",
        "    bool is_neq() const",
        "    bool is_literal() const { return m_is_literal; }\n    void set_literal() { m_is_literal = true; }\n"
        "    bool is_neq() const",
    ),
    Replacement(
        _TERM_GRAPH, "term_graph::internalize_eq(", "        mk_term(eq);\n", "        mk_term(eq)->set_literal();\n"
    ),
    Replacement(
        _TERM_GRAPH,
        "term_graph::internalize_distinct(",
        "if (!t) mk_term(d);",
        "if (!t) mk_term(d)->set_literal();",
    ),
    Replacement(
        _TERM_GRAPH,
        "term_graph::internalize_deq(",
        "    term *eq_term = mk_term(eq);\n",
        "    bool is_new = !get_term(eq);\n    term *eq_term = mk_term(eq);\n    if (is_new)\n"
        "        eq_term->set_literal();\n",
    ),
    Replacement(
        _TERM_GRAPH, "term_graph::internalize_deq(", "        mk_term(deq);\n", "        mk_term(deq)->set_literal();\n"
    ),
    *(
        Replacement(
            _TERM_GRAPH,
            f"void term_graph::{name}(",
            "if (t->is_eq_or_neq()) continue;",
            "if (t->is_literal()) continue;",
        )
        for name in ("to_lits", "to_lits_qe_lite")
    ),
)


_BIT_BLAST = "src/muz/transforms/dl_mk_bit_blast.cpp"

# Finding 64: the model of the new predicates is hidden before those of the old ones are made from it, and the copy
# that then replaces it deletes it while it is in use.
HIDDEN_AFTER_USE = (
    Replacement(_BIT_BLAST, "SASSERT(f);", "                model->register_decl(p, f->copy());\n", ""),
    Replacement(_BIT_BLAST, "bvmc->insert(", "concat(bvmc, fmc)", "concat(fmc, bvmc)"),
)


_QEL = "src/qe/mbp/mbp_qel.cpp"

# Finding 65: a variable of a datatype or an array is left out as redundant, although its sort may have fewer values
# than the terms from which it differs. Only variables of sorts with infinitely or very many values are.
SORTS_OF_FEW_VALUES = (
    Replacement(
        _QEL,
        "std::function<bool(app *)> is_red",
        "            return !core_vars.contains(v);\n",
        "            // of few values, perhaps none makes all disequalities true\n"
        "            if (v->get_sort()->get_num_elements().is_finite())\n"
        "                return false;\n"
        "            return !core_vars.contains(v);\n",
    ),
)

_BASIC = "src/qe/mbp/mbp_basic_tg.cpp"

# Finding 66: the term graph lacks the value of a formula that is an argument of another term, as of a constructor, so a
# literal on it is left out with the variables of the formula, as redundant. Such formulas get their value in the model.
# Rules that are right for literals alone are not applied to formulas that are false in the model.
FORMULAS_AS_ARGUMENTS = (
    Replacement(
        _BASIC,
        "#include",
        '#include "qe/mbp/mbp_basic_tg.h"\n',
        '#include "qe/mbp/mbp_basic_tg.h"\n#include "qe/mbp/mbp_qel_util.h"\n',
    ),
    Replacement(
        _BASIC,
        "bool is_seen(expr *t)",
        "    // Split on all ite terms, irrespective of whether\n",
        "    bool is_connective(expr *t) {\n"
        "        return m.is_not(t) || m.is_and(t) || m.is_or(t) || m.is_implies(t) || m.is_ite(t);\n"
        "    }\n"
        "\n"
        "    // Formulas that are arguments of another term get their value in the model,\n"
        "    // because a literal on them is dropped with the variables that they contain.\n"
        "    bool split_arguments(app *t) {\n"
        "        bool progress = false;\n"
        "        for (expr *arg : *t) {\n"
        "            if (!m.is_bool(arg) || m_tg.has_val_in_class(arg) || !contains_vars(arg, m_vars_set, m))\n"
        "                continue;\n"
        "            bool is_true = m_mdl.is_true(arg);\n"
        "            m_tg.add_lit(expr_ref(is_true ? arg : m.mk_not(arg), m));\n"
        "            m_tg.add_eq(arg, m.mk_bool_val(is_true));\n"
        "            progress = true;\n"
        "        }\n"
        "        return progress;\n"
        "    }\n"
        "\n"
        "    // Split on all ite terms, irrespective of whether\n",
    ),
    Replacement(
        _BASIC,
        "m_tg.get_terms(terms, false);",
        "            if (is_seen(term)) continue;\n",
        "            if (m_use_mdl && is_app(term) && !is_connective(term) && split_arguments(to_app(term)))\n"
        "                progress = true;\n"
        "            if (is_seen(term)) continue;\n",
    ),
    Replacement(
        "src/qe/mbp/mbp_arrays_tg.cpp",
        "m_tg.get_terms(terms, false);",
        "            if (is_implicit_peq(term, a, b) || is_neg_peq(term, a, b)) {\n",
        "            if ((is_implicit_peq(term, a, b) || is_neg_peq(term, a, b)) && !m_mdl.is_false(term)) {\n",
    ),
    Replacement(
        "src/qe/mbp/mbp_dt_tg.cpp",
        "m_tg.get_terms(terms, false);",
        "            if (is_constructor_app(term, cons, rhs)) {\n",
        "            if (is_constructor_app(term, cons, rhs) && !m_mdl.is_false(term)) {\n",
    ),
    Replacement(
        "src/qe/mbp/mbp_dt_tg.cpp",
        "m_tg.get_terms(terms, false);",
        "            if (m_use_mdl && m.is_not(term, f) &&\n                is_constructor_app(f, cons, rhs)) {\n",
        "            if (m_use_mdl && m.is_not(term, f) &&\n"
        "                is_constructor_app(f, cons, rhs) && !m_mdl.is_false(term)) {\n",
    ),
)


_SETS = "src/smt/theory_finite_set.cpp"

# Finding 67: a set may change between two elements of a range that are known.
SUCCESSORS_OF_ELEMENTS = (
    Replacement(
        _SETS,
        "theory_finite_set::is_fully_solved()",
        "        if (has_range && has_size)\n",
        "        if (has_range && has_filter)\n"
        "            return false; // a filter may change between two elements of a range that are known\n"
        "        if (has_range && has_size)\n",
    ),
    Replacement(
        _SETS,
        "theory_finite_set::activate_range_local_axioms() {",
        "func_decl_ref range_fn(u.mk_range_decl(), m);\n",
        "func_decl_ref range_fn(u.mk_range_decl(), m);\n"
        "        if (ctx.get_num_enodes_of(range_fn.get()) == 0)\n"
        "            return false;\n"
        "        // A set has no change between two known elements, so the successor of the element\n"
        "        // of each singleton has to be known.\n"
        "        arith_util a(m);\n"
        "        for (unsigned v = 0; v < get_num_vars(); ++v) {\n"
        "            expr *set = get_enode(v)->get_expr(), *elem = nullptr;\n"
        "            if (!ctx.is_relevant(set) || !u.is_singleton(set, elem) || !a.is_int(elem))\n"
        "                continue;\n"
        "            expr_ref next(a.mk_add(elem, a.mk_int(1)), m);\n"
        "            m_rw(next);\n"
        "            if (!is_new_axiom(next, set))\n"
        "                continue;\n"
        "            m_axioms.in_singleton_axiom(next, set);\n"
        "            new_axiom = true;\n"
        "        }\n",
    ),
)

# Finding 68: an interval of a model ends before the next known element, and elements have the model's values.
INTERVALS_OF_VALUES = (
    Replacement(
        _SETS,
        "void get_dependencies(",
        "                if (b)\n                    result",
        "                if (b || use_range())\n                    result",
    ),
    Replacement(
        _SETS,
        "app *mk_range_value(",
        "            arith_value av(th.m);\n            av.init(&th.ctx);\n",
        "            arith_util a(th.m);\n            unsigned i = 0;\n",
    ),
    Replacement(
        _SETS,
        "app *mk_range_value(",
        "                av.get_value(n->get_expr(), r);               \n",
        "                if (!a.is_numeral(values.get(i++), r))\n"
        "                    continue; // with sizes, the answer is unknown\n",
    ),
    Replacement(
        _SETS,
        "app *mk_range_value(",
        "            app *range = nullptr;\n            arith_util a(th.m);\n",
        "            app *range = nullptr;\n",
    ),
    Replacement(
        _SETS,
        "app *mk_range_value(",
        "                    hi = std::get<0>(elems[j + 1]);\n                    ++j;\n",
        "                    ++j;\n"
        "                    hi = std::get<0>(elems[j]);\n"
        "                    if (j + 1 < elems.size())\n"
        "                        hi = std::get<0>(elems[j + 1]) - rational(1);\n",
    ),
)

# Finding 69: what a comparison with the empty string is rewritten to is rewritten as well.
COMPARISONS_WITH_THE_EMPTY_STRING = (
    Replacement(
        "src/ast/rewriter/seq_rewriter.cpp",
        "br_status seq_rewriter::mk_str_lt(",
        "m().mk_not(m().mk_eq(a, b));\n        return BR_REWRITE1;\n",
        "m().mk_not(m().mk_eq(a, b));\n        return BR_REWRITE2;\n",
    ),
)


# Finding 73: definitions of removed predicates are evaluated one after the other, and added to the model. The evaluator
# of the model remembers the value of an atom from before its predicate has its definition.
VALUES_OF_EARLIER_DEFINITIONS = (
    Replacement(
        "src/ast/converters/horn_subsume_model_converter.cpp",
        "horn_subsume_model_converter::operator()",
        "        body = (*mr)(body);\n",
        "        // The definition before this one has changed the model.\n"
        "        mr->reset_eval_cache();\n"
        "        body = (*mr)(body);\n",
    ),
)


def diff(source: Path, changes: tuple[Replacement, ...]) -> str:
    """Return the patch that makes these replacements in the sources."""
    texts: dict[str, str] = {}
    for change in changes:
        texts[change.file] = change.apply(texts.get(change.file) or (source / change.file).read_text())
    lines: list[str] = []
    for file, text in texts.items():
        before = (source / file).read_text().splitlines(keepends=True)
        lines += difflib.unified_diff(before, text.splitlines(keepends=True), f"a/{file}", f"b/{file}")
    return "".join(lines)
