"""Z3's simplify: every parameter is a row or excluded; text before, text after, and what is left as it was."""

import pytest
from chcfuzz.domains.chc.rows import rewrites
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_system, print_term
from chcfuzz.grammar.reading.parse import parse, parse_term
from chcfuzz.grammar.system import System
from chcfuzz.mutators.mutation import Kind, Promise
from chcfuzz.mutators.registry import Registry
from chcfuzz.solvers.z3_parameters import Description, simplify_parameters

# HornFuzz's ninth kind.
HORNFUZZ = """
    arith_ineq_lhs arith_lhs blast_distinct blast_select_store elim_and elim_rem elim_to_real eq2ineq expand_power
    expand_select_ite expand_select_store expand_store_eq expand_tan gcd_rounding hoist_ite hoist_mul ite_extra_rules
    local_ctx mul2concat mul_to_power pull_cheap_ite push_ite_arith rewrite_patterns som sort_store sort_sums
    split_concat_eq algebraic_number_evaluator elim_ite elim_sign_ext flat push_to_real ignore_patterns_on_ground_qbody
"""
DECLARATIONS = "(set-logic HORN)(declare-fun p (Int) Bool)(declare-fun q (Bool Bool) Bool)"

CASES = [
    # row, clause before, clause after
    ("simplify.plain", "(forall ((x Int)) (p (+ 1 x 2)))", "(forall ((x Int)) (p (+ 3 x)))"),
    ("simplify.plain", "(forall ((x Int)) (=> (and (p x) true) (p (+ x 0))))", "true"),
    (
        "simplify.plain",
        "(forall ((a Bool)) (=> (q a true) (q true (and a a))))",
        "(forall ((a Bool)) (or (not (q a true)) (q true a)))",
    ),
    ("simplify.plain", "(forall ((x Int) (y Int)) (=> (p x) (= x y) (p y)))", "true"),
    (
        "simplify.enable_der",
        "(forall ((x Int) (y Int)) (=> (p x) (= x y) (p y)))",
        "(forall ((x Int) (y Int)) (or (p y) (not (= x y)) (not (p x))))",
    ),
    (
        "simplify.elim_and",
        "(forall ((x Int)) (=> (and (p x) (p (+ x 1))) (p 7)))",
        "(forall ((x Int)) (or (p 7) (not (p x)) (not (p (+ 1 x)))))",
    ),
    (
        "simplify.som",
        "(forall ((x Int) (y Int)) (=> (p x) (= 0 (* (+ x 1) (+ y 1))) (p y)))",
        "(forall ((x Int) (y Int)) (or (p y) (not (= (- 1) (+ x y (* y x)))) (not (p x))))",
    ),
]
DECLINED = [
    ("simplify.plain", "(p 0)"),
    ("simplify.plain", "(forall ((x Int)) (p x))"),
    ("simplify.arith_lhs", "(forall ((x Int)) (p (+ 1 x)))"),
]


def system(*clauses: str) -> System:
    return parse(DECLARATIONS + "".join(f"(assert {clause})" for clause in clauses))


@pytest.fixture(scope="module")
def installed() -> dict[str, Description]:
    return {found.name: found for found in simplify_parameters()}


@pytest.fixture(scope="module")
def ids(rows: Registry) -> set[str]:
    return {row.id for row in rows.of_kind(Kind.REWRITE)}


def test_every_parameter_is_a_row_or_excluded(installed: dict[str, Description], ids: set[str]) -> None:
    wanted = {f"simplify.{name}" for name in installed if name not in rewrites.EXCLUDED}
    assert ids == wanted | {"simplify.plain"}
    assert len(ids) > 40


def test_every_name_here_is_one_of_z3s(installed: dict[str, Description]) -> None:
    assert [name for name in rewrites.EXCLUDED if name not in installed] == []
    for name, alternatives in rewrites.NUMBERS.items():
        assert installed[name].kind == "unsigned int"
        for settings in alternatives:
            assert name in settings
            assert set(settings) <= set(installed)
            assert str(settings[name]) != installed[name].default


def test_what_hornfuzz_had_is_there(installed: dict[str, Description], ids: set[str]) -> None:
    still = [name for name in HORNFUZZ.split() if name in installed]
    assert len(still) > len(HORNFUZZ.split()) - 3
    assert [name for name in still if f"simplify.{name}" not in ids] == []


def test_rows_name_their_settings(rows: Registry) -> None:
    result = {row.id: row.summary for row in rows.of_kind(Kind.REWRITE)}
    assert result["simplify.plain"] == "Z3's simplify"
    assert result["simplify.elim_and"] == "Z3's simplify with elim_and=true"
    assert result["simplify.flat"] == "Z3's simplify with flat=false"
    assert result["simplify.som_blowup"] == "Z3's simplify with som=true, som_blowup=1 or som=true, som_blowup=1000"
    assert {row.promise for row in rows.of_kind(Kind.REWRITE)} == {Promise.EQUIVALENT}


@pytest.mark.parametrize(("row", "before", "after"), CASES)
def test_each_row_makes_this_of_that(rows: Registry, row: str, before: str, after: str) -> None:
    found = rows.get(row)
    assert found is not None
    assert found.applies(system(before))
    assert found.rewrite(system(before), Choices(b"")) == system(after)


@pytest.mark.parametrize(("row", "before"), DECLINED)
def test_what_is_simple_already_is_declined(rows: Registry, row: str, before: str) -> None:
    found = rows.get(row)
    assert found is not None
    assert found.rewrite(system(before), Choices(b"")) is None


def test_a_system_without_clauses_is_declined_by_every_row(rows: Registry) -> None:
    for row in rows.of_kind(Kind.REWRITE):
        assert row.rewrite(system(), Choices(b"\x01")) is None


def test_every_clause_is_simplified_or_one(rows: Registry) -> None:
    plain = rows.get("simplify.plain")
    assert plain is not None
    before = system("(p (+ 1 1))", "(p (+ 2 2))", "(p (+ 3 3))")
    assert plain.rewrite(before, Choices(b"\x00")) == system("(p 2)", "(p 4)", "(p 6)")
    assert plain.rewrite(before, Choices(b"\x01\x00")) == system("(p 2)", "(p (+ 2 2))", "(p (+ 3 3))")
    assert plain.rewrite(before, Choices(b"\x01\x02")) == system("(p (+ 1 1))", "(p (+ 2 2))", "(p 6)")


def test_names_of_clauses_stay(rows: Registry) -> None:
    plain = rows.get("simplify.plain")
    assert plain is not None
    after = plain.rewrite(system("(! (p (+ 1 1)) :named first)"), Choices(b""))
    assert after == system("(! (p 2) :named first)")


def test_what_costs_too_many_steps_is_left_as_it_was(rows: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = rows.get("simplify.plain")
    assert plain is not None
    monkeypatch.setattr(rewrites, "MAX_STEPS", 2)
    assert plain.rewrite(system("(p (+ 1 (+ 4711 (+ 4712 (+ 4713 4714)))))"), Choices(b"")) is None


def test_what_is_no_horn_clause_any_more_is_left_as_it_was(rows: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    import z3

    plain = rows.get("simplify.plain")
    assert plain is not None
    monkeypatch.setattr(z3, "simplify", lambda term, **_settings: z3.Not(term))
    assert plain.rewrite(system("(=> (p 4711) (p (+ 4711 1)))"), Choices(b"")) is None


def test_data_types_and_quoted_names_come_back(rows: Registry) -> None:
    plain = rows.get("simplify.plain")
    assert plain is not None
    text = """(set-logic HORN)(declare-datatypes ((list 0)) (((nil) (|co ns| (head Int) (tail list)))))
        (declare-fun |r s| (list) Bool)(assert (forall ((|x y| Int) (l list)) (=> (|r s| l) (|r s| %s))))"""
    before, after = (
        parse(text % list_) for list_ in ("(|co ns| (+ |x y| 0) (tail (|co ns| 1 l)))", "(|co ns| |x y| l)")
    )
    found = plain.rewrite(before, Choices(b""))
    assert found is not None
    assert parse(print_system(found)) == found
    assert found == plain.rewrite(after, Choices(b""))


# Z3's output for the last clause names shared terms `a!1` and `a!2`.
SHARING = """(set-logic HORN)(declare-datatypes ((Flag 0)) (((%(constructor)s) (other))))
    (declare-fun %(predicate)s () Bool)(declare-fun inv (Int Int Flag) Bool)
    (assert (forall ((%(variable)s Int) (b Int))
        (=> (and (inv %(variable)s b %(constructor)s) (not (= (+ %(variable)s (* 2 b)) (* 3 (- b %(variable)s))))
                 (> (+ %(variable)s b) 5) (< (- %(variable)s b) 3)) %(predicate)s)))"""
PLAIN_NAMES = {"constructor": "on", "predicate": "fail", "variable": "x"}


@pytest.mark.parametrize("role", PLAIN_NAMES)
@pytest.mark.parametrize("name", ["a!1", "a!2", "x!1", "plain"])
def test_no_name_of_a_system_is_taken_for_one_of_z3s(rows: Registry, role: str, name: str) -> None:
    import z3

    plain = rows.get("simplify.plain")
    assert plain is not None
    before = parse(SHARING % {**PLAIN_NAMES, role: name})
    after = plain.rewrite(before, Choices(b""))
    if role == "constructor" and name.startswith("a!"):
        assert after is None  # Z3's answer cannot be read
        return
    assert after is not None
    assert after.predicates == before.predicates
    declarations = print_system(before.with_clauses(())).replace("(set-logic HORN)", "").replace("(check-sat)", "")
    pair = " ".join(print_term(system.clauses[0].formula) for system in (before, after))
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(f"{declarations}(assert (distinct {pair}))")
    assert solver.check() == z3.unsat


def test_an_answer_that_is_read_as_another_term_changes_nothing(
    rows: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = rows.get("simplify.plain")
    assert plain is not None
    before = system("(p (+ 1 1))", "(p (+ 2 2))")
    right = parse_term
    monkeypatch.setattr(rewrites, "parse_term", lambda text, *rest: right(text.replace("2", "3"), *rest))
    assert plain.rewrite(before, Choices(b"")) == system("(p (+ 1 1))", "(p 4)")


def test_z3_reads_fractions_as_divisions_and_they_come_back(rows: Registry) -> None:
    """The answer's text is not what Z3 reads then: it has to be simplified once more to be seen as the same."""
    plain = rows.get("simplify.plain")
    assert plain is not None
    head = "(cups (+ (* (/ 1.0 4.0) a) (* (/ 3.0 4.0) b)) (+ (* (/ 1.0 4.0) b) (* (/ 3.0 4.0) a)))"
    clause = f"(assert (forall ((a Real) (b Real)) (=> (cups a b) {head})))"
    assert (
        plain.rewrite(parse(f"(set-logic HORN)(declare-fun cups (Real Real) Bool){clause}"), Choices(b"")) is not None
    )
