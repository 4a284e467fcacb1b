import pytest
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import TRUE, Predicate

TEXT = """(set-logic HORN)
(set-info :status sat)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(check-sat)"""


def test_systems_of_the_same_text_are_equal() -> None:
    assert parse(TEXT) == parse(TEXT)
    assert hash(parse(TEXT)) == hash(parse(TEXT))
    assert parse(TEXT) != parse(TEXT.replace("(p 0)", "(p 1)"))


def test_a_changed_copy_shares_the_other_clauses() -> None:
    system = parse(TEXT)
    p = system.predicates[0]
    changed = system.with_formula(0, TRUE)
    assert changed.clauses[0] == Clause(TRUE)
    assert changed.clauses[1] is system.clauses[1]
    assert system.with_clauses(changed.clauses) == changed
    assert system.with_predicates((p, Predicate("q", (INT,)))).predicates[1].name == "q"


@pytest.mark.parametrize(("info", "status"), [("sat", "sat"), ("unsat", "unsat"), ("unknown", None), ("42", None)])
def test_the_status_is_that_of_the_script(info: str, status: str | None) -> None:
    assert parse(TEXT.replace(":status sat", f":status {info}")).status == status
    assert parse(TEXT).with_header((), ()).status is None


@pytest.mark.parametrize(
    ("sort", "theories"),
    [
        ("Bool", set()),
        ("Int", {"LIA"}),
        ("Real", {"LRA"}),
        ("(_ BitVec 8)", {"BV"}),
        ("(Array Int Real)", {"Arrays", "LIA", "LRA"}),
        ("C", {"ADT"}),
    ],
)
def test_theories_are_those_of_the_sorts_in_use(sort: str, theories: set[str]) -> None:
    datatype = "(declare-datatype C ((c)))" if sort == "C" else ""
    system = parse(f"{datatype}(declare-fun p ({sort}) Bool)(assert (forall ((x {sort})) (p x)))")
    assert system.theories == theories


def test_the_signature_has_the_sorts_of_data_type_operators() -> None:
    system = parse("(declare-datatype L ((nil) (|my cons| (head Int) (tail L))))(declare-fun p (L) Bool)")
    of = system.datatypes[0][0].sort
    assert system.signature["|my cons|"] == (((INT, of), of),)
    assert system.signature["(_ is |my cons|)"][0][0] == (of,)
    assert system.signature["head"] == (((of,), INT),)


def test_a_clause_in_two_systems_is_read_once() -> None:
    first, second = parse(TEXT), parse(TEXT)
    assert first.clauses[1].formula is second.clauses[1].formula
    assert first.clauses[1].reading is second.clauses[1].reading
    assert print_term(first.clauses[1].head) == "(p (+ x 1))"


def test_an_empty_system_is_possible_to_build() -> None:
    assert System((), (), ()).theories == set()
