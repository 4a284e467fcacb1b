"""Models in what a command prints."""

import pytest
import z3
from chcfuzz.solvers.model_text import (
    members,
    model_in,
    name_of,
    pieces,
    results_in,
    signature_of,
    standard,
    symbols_of,
)

P = "(define-fun p ((x Int)) Bool (> x 0))"
Q = '(define-fun |q )(| () Bool (= "a)" "b|"))'


@pytest.mark.parametrize(
    "text",
    [
        f"{P}\n{Q}",
        f"(model\n{P}\n  {Q})",
        f"(\n{P}{Q}\n)",
        f"; a comment with ( in it\n{P} ; and ) here\n{Q}",
        f"{P}\nsome words ( and brackets )\n{Q}",
        f"(model (declare-fun r () Bool) {P} (declare-datatypes ((l 0)) ()) {Q})",
    ],
)
def test_definitions_are_found_in_every_dress(text: str) -> None:
    found = model_in(text)
    assert found is not None
    assert found.definitions == f"{P}\n{Q}"
    assert found.defined == {"p", "q )("}


@pytest.mark.parametrize(
    "text",
    [
        f"(model (declare-fun () U) {P})",
        f"(model (declare-fun x) {P})",
        "",
        "no model here",
        '(error "model is not available")',
        "((x 1) (y 2))",
        P[:-1],
        "sat",
        f"({P} (define-fun))",
        f"({P} (define-fun () Int 1))",
    ],
)
def test_where_there_is_no_model_there_is_none(text: str) -> None:
    assert model_in(text) is None


@pytest.mark.parametrize("text", ["(model)", "(model )", "()", "(\n)"])
def test_a_model_may_define_nothing(text: str) -> None:
    found = model_in(text)
    assert found is not None
    assert (found.definitions, found.defined) == ("", frozenset())


@pytest.mark.parametrize(
    "recursive", ["(define-fun-rec r ((x Int)) Bool (r x))", "(define-funs-rec ((r () Bool)) (true))"]
)
def test_a_model_with_a_definition_that_cannot_be_checked_is_none(recursive: str) -> None:
    assert model_in(f"(model {P} {recursive})") is None


@pytest.mark.parametrize("cut", [f"{P}\n{Q[:-5]}", f"(model {P}", f"{P}\n{Q[:15]}"])
def test_half_a_model_is_none(cut: str) -> None:
    assert model_in(cut) is None


def test_expressions_are_parted_at_the_outermost_brackets() -> None:
    assert pieces('(a (b)) x ) (|(| ")") ; (c)\n(d') == ["(a (b))", '(|(| ")")']


def test_comments_are_neither_names_nor_members() -> None:
    found = model_in('sat ; (\n(define-fun ; q (\n p ((x ; of\n Int)) Bool (= |a;b| "c;d"))')
    assert found is not None
    assert found.defined == {"p"}
    assert '|a;b| "c;d"' in found.definitions
    assert members("( ; one (\n true ; two )\n (> y ; three\n 3))") == ["true", "(> y ; three\n 3)"]
    assert signature_of("(define-fun p ((|x y| ; of\n (Array Int\tInt))) |Bool| true)") == ["(Array Int Int)", "Bool"]


def test_a_definition_names_what_it_defines_and_uses() -> None:
    assert name_of(Q) == "|q )(|"
    assert symbols_of(P) == ["define-fun", "p", "x", "Int", "Bool", ">", "x", "0"]


def test_a_model_has_one_context_of_its_own() -> None:
    one, other = model_in(P), model_in(P)
    assert one is not None
    assert other is not None
    assert one.context is one.context
    assert one.context is not other.context


def test_bits_as_booleans_are_written_as_equations_that_mean_the_same_to_z3() -> None:
    definition = """(define-fun p ((x!0 (_ BitVec 4)) (|((_ bit2bool 0) ;| (_ BitVec 4))) Bool
  (or (not ((_ bit2bool 3) (bvadd x!0 (ite ((_ bit2bool 0) x!0) #x1 |((_ bit2bool 0) ;|)))) (= x!0 #x2)))"""
    written = standard(definition)
    assert written.count("bit2bool") == 2  # as a symbol
    inner = "(ite (= ((_ extract 0 0) x!0) #b1) #x1 |((_ bit2bool 0) ;|)"
    assert f"(= ((_ extract 3 3) (bvadd x!0 {inner})) #b1)" in written
    names = "(declare-const x (_ BitVec 4)) (declare-const y (_ BitVec 4))"
    given, result = (z3.parse_smt2_string(f"{text} {names} (assert (p x y))")[0] for text in (definition, written))
    differ = z3.Solver()
    differ.add(given != result)
    assert differ.check() == z3.unsat, differ.reason_unknown()
    assert standard(written) == written
    assert standard(P) == P


@pytest.mark.parametrize(
    ("printed", "found"),
    [
        ('((x 1)\n (y "a)b"))\n(a |b c|)\n' + f"({P})", ('((x 1)\n (y "a)b"))', "(a |b c|)")),
        (f"unsupported\n((x 1)) ; a comment (\n({P})", ("unsupported", "((x 1))")),
        ('((x 1))\n(error "no core")', ("((x 1))", '(error "no core")')),
        ('(error "stops here")', ('(error "stops here")', "")),
        (f"((x ((_ bit2bool 0) #b1)))\n()\n({P})", ("((x (= ((_ extract 0 0) #b1) #b1)))", "()")),
        (f"((x 1))\n({P})", ()),  # one query printed nothing
        (f"a warning\n((x 1))\n(a)\n({P})", ()),
        (f"((x 1))\n(a)\n(b)\n({P})", ()),
        ("((x 1)", ()),
        ("", ()),
    ],
)
def test_results_are_read_if_their_number_is_that_of_the_queries(printed: str, found: tuple[str, ...]) -> None:
    assert results_in(printed, 2, has_model=True) == found
