// Tests for src/test/spacer.cpp of Z3, one for each fix of the first pull request (ORDER.md). tst_spacer calls them:
//     tst_spacer_answers();
// Without the fixes, the answers are unsat, sat, a crash, a crash, sat and unknown, in this order.
#include "api/z3.h"
#include "util/debug.h"
#include <cstring>
#include <string>

// Let Z3 execute a script in a new context, and return its output.
static std::string output_of(std::string const& script) {
    Z3_global_param_reset_all();
    Z3_config cfg = Z3_mk_config();
    Z3_context ctx = Z3_mk_context(cfg);
    Z3_del_config(cfg);
    std::string output = Z3_eval_smtlib2_string(ctx, script.c_str());
    Z3_del_context(ctx);
    Z3_global_param_reset_all();
    return output;
}

static void tst_reads_of_one_array() {
    ENSURE(output_of(R"((set-logic HORN)
(declare-fun p (Bool) Bool)
(declare-fun q (Int Int Int) Bool)
(declare-fun r (Int) Bool)
(assert (p false))
(assert (forall ((x Bool))
    (=> (p x)
        (p true))))
(assert (forall ((x (Array Int Int)) (y Int))
    (=> (p true)
        (q y (select x 0) (select x y)))))
(assert (q 0 0 0))
(assert (forall ((x Int))
    (=> (q 0 x x)
        (r x))))
(assert (forall ((x Int))
    (=> (r 1)
        (r x))))
(assert (forall ((x Int))
    (=> (and (r 1) (q 0 x 0) (> x 0))
        false)))
(check-sat)
)") == "sat\n");
}

// The model of a satisfiable system satisfies its clauses.
static void tst_sliced_predicate() {
    std::string script = R"((set-logic HORN)
(declare-fun p (Bool) Bool)
(declare-fun q (Int) Bool)
(assert (forall ((x Int))
    (=> (q x)
        (>= x 0))))
(assert (forall ((x Bool) (y Int))
    (=> (q y)
        (p x))))
(assert (q 1))
(assert (q 0))
(check-sat)
)";
    std::string output = output_of(script + "(get-model)");
    ENSURE(output.rfind("sat\n(", 0) == 0);
    std::string model = output.substr(5, output.rfind(')') - 5);
    std::string clauses = script.substr(script.find("(assert"), script.find("(check-sat)") - script.find("(assert"));
    for (size_t at = 0; (at = clauses.find("(assert ", at)) != std::string::npos; )
        clauses.replace(at, strlen("(assert "), "(and ");
    ENSURE(output_of(model + "(assert (not (and " + clauses + ")))(check-sat)") == "unsat\n");
}

static void tst_quantifier_in_a_body() {
    ENSURE(output_of(R"((set-option :fp.xform.instantiate_quantifiers true)
(set-logic HORN)
(declare-fun p () Bool)
(assert (forall ((a (Array Bool Bool)))
    (=> (forall ((x Bool)) (= (select a x) x)) p)))
(assert (=> p false))
(check-sat)
)") == "unsat\n");
}

static void tst_unfolding() {
    ENSURE(output_of(R"((set-option :fp.xform.unfold_rules 2)
(set-logic HORN)
(declare-fun p (Bool) Bool)
(declare-fun q (Bool) Bool)
(assert (q false))
(assert (=> (or (q true) (p true)) (p false)))
(assert (forall ((x Bool)) (=> (and (p false) (q x)) (q true))))
(check-sat)
)") == "sat\n");
}

static void tst_equal_arrays() {
    ENSURE(output_of(R"((set-logic HORN)
(declare-fun p ((Array Int Bool)) Bool)
(assert (p (store ((as const (Array Int Bool)) false) 0 false)))
(assert (=> (p ((as const (Array Int Bool)) false)) false))
(check-sat)
)") == "unsat\n");
}

static void tst_lemma_that_is_a_conjunction() {
    ENSURE(output_of(R"((set-logic HORN)
(declare-fun p ((_ BitVec 2) (_ BitVec 2) Int) Bool)
(assert (p #b00 #b00 0))
(assert (=> (p #b00 #b01 0) (p #b01 #b00 0)))
(assert (forall ((x (_ BitVec 2)) (y (_ BitVec 2)) (z (_ BitVec 2)))
    (=> (and (p x y 0) (= z (bvxor x (bvlshr y #b01))) (distinct z #b00))
        false)))
(check-sat)
)") == "sat\n");
}

static void tst_spacer_answers() {
    tst_reads_of_one_array();
    tst_sliced_predicate();
    tst_quantifier_in_a_body();
    tst_unfolding();
    tst_equal_arrays();
    tst_lemma_that_is_a_conjunction();
}
