"""Queries for values of variables."""

import z3
from chcfuzz.grammar.parse import parse
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.terms import Variable, apply, integer
from chcfuzz.oracles.query import Query

from tests.oracles.test_derive import COUNTER, RLIMIT, WATCHDOG


def test_a_query_costs_what_it_takes_itself_not_what_others_in_its_context_took() -> None:
    x = Variable("x", INT)
    context = z3.Context()
    queries = [Query(parse(COUNTER.format(9)), context, RLIMIT, WATCHDOG) for _ in range(10)]
    for query in queries:
        assert query.values([x], [apply("=", apply("+", x, integer(1)), integer(8))]) == {x: 7}
    spent = [query.spent for query in queries]
    assert 0 < max(spent) < 3 * min(spent)
    assert not any(query.exhausted for query in queries)
