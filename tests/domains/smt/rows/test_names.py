"""Names of functions: renamed everywhere, also where a bound variable has the new name."""

from chcfuzz.domains.smt.rows.names import MUTATIONS
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.reading.parse import problem
from chcfuzz.mutators.rewriting.symbols import taken_names

ROWS = {row.id: row for row in MUTATIONS}


def test_a_function_gets_another_name() -> None:
    given = problem("(declare-fun f (Int) Int)(assert (forall ((A Int)) (= (f A) (f (f 0)))))")
    found = ROWS["smt_names.rename-function"].rewrite(given, Choices(b""))
    assert found == problem("(declare-fun A!1 (Int) Int)(assert (forall ((A Int)) (= (A!1 A) (A!1 (A!1 0)))))")


def test_functions_exchange_their_names() -> None:
    given = problem("(declare-const x Int)(declare-fun f (Int) Int)(assert (= (f x) 0))")
    found = ROWS["smt_names.exchange-functions"].rewrite(given, Choices(b"\x01"))
    assert found == problem("(declare-const f Int)(declare-fun x (Int) Int)(assert (= (x f) 0))")


def test_a_bound_variable_gets_another_name() -> None:
    given = problem("(assert (forall ((x Int)) (= x x)))")
    found = ROWS["names.rename-variable"].rewrite(given, Choices(b""))
    assert found == problem("(assert (forall ((A Int)) (= A A)))")


def test_no_name_is_taken_twice() -> None:
    given = problem("(declare-sort A 0)(declare-fun f (A) A)(declare-const a A)(assert (= (f a) a))")
    for number in range(40):
        found = ROWS["smt_names.rename-function"].rewrite(given, Choices(b"", str(number).encode()))
        assert found is not None
        assert len(taken_names(found)) == len(taken_names(given))
