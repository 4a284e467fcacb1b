"""Queries for values of variables."""

import z3
from chcfuzz.domains.chc.oracles.query import Query
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.terms import Variable, apply, integer

from tests.domains.chc.oracles.test_derive import COUNTER, RLIMIT, WATCHDOG


def test_a_query_costs_what_it_takes_itself_not_what_others_in_its_context_took() -> None:
    x = Variable("x", INT)
    context = z3.Context()
    queries = [Query(parse(COUNTER.format(9)), context, RLIMIT, WATCHDOG) for _ in range(10)]
    for query in queries:
        assert query.values([x], [apply("=", apply("+", x, integer(1)), integer(8))]) == {x: 7}
    spent = [query.spent for query in queries]
    assert 0 < max(spent) < 3 * min(spent)
    assert not any(query.exhausted for query in queries)


def test_a_query_that_was_never_made_or_has_values_does_not_show_that_there_are_none() -> None:
    x = Variable("x", INT)
    query = Query(parse(COUNTER.format(9)), z3.Context(), RLIMIT, WATCHDOG)
    assert query.spent == 0
    seen = [query.has_none]
    positive, negative = apply(">", x, integer(0)), apply("<", x, integer(0))
    for assertions in ([positive, negative], [positive]):
        values = query.values([x], assertions)
        seen += [values is None, query.has_none]
    assert seen == [False, True, True, False, False]


def test_a_query_beyond_the_limit_decides_nothing_and_uses_it_up() -> None:
    x, y = Variable("x", INT), Variable("y", INT)
    query = Query(parse(COUNTER.format(9)), z3.Context(), 200, WATCHDOG)
    hard = apply("=", apply("+", apply("*", x, x, x), apply("*", y, y, y)), integer(1_000_003))
    assert query.values([x, y], [hard]) is None
    assert not query.has_none
    assert query.exhausted
