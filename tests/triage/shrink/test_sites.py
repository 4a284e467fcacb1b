"""Places of terms by number, and rewriting at places."""

import pytest
from chcfuzz.grammar.errors import SortError
from chcfuzz.grammar.occurrences import Occurrences
from chcfuzz.grammar.paths import at, replace_at
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.terms import FALSE, TRUE, Term, Variable, apply, integer, negation
from chcfuzz.triage.shrink.sites import edited, occurrences, rewritten, sites

TEXT = """(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (and (< x (+ x 1)) (p x)) (p (+ x 1)))))
(assert (p 0))"""


def test_numbers_count_nodes_each_before_its_children() -> None:
    system = parse(TEXT)
    found = list(occurrences(system.clauses[0].formula))
    assert [here.number for here in found] == list(range(system.clauses[0].formula.size))
    paths = Occurrences(system.clauses[0].formula, lambda _term: True)
    assert [here.term for here in found] == [at(system.clauses[0].formula, path) for path in paths]
    assert all(here.parent is None or here.term in here.parent.children for here in found)


def test_a_term_at_a_number_is_what_a_path_reaches() -> None:
    formula = parse(TEXT).clauses[0].formula
    for number, path in enumerate(Occurrences(formula, lambda term: term.sort is INT)):
        here = [occurrence for occurrence in occurrences(formula) if occurrence.term.sort is INT][number]
        assert rewritten(formula, {here.number: integer(9)}) is replace_at(formula, path, integer(9))


def test_members_go_and_one_member_stands_alone() -> None:
    system = parse("(declare-fun p () Bool)(assert (=> (and p p p) false))")
    members = [site for site in sites(system) if site.term.has_atoms and site.parent and len(site.parent.children) == 3]
    assert edited(system, [members[0].put(None)]) == parse("(declare-fun p () Bool)(assert (=> (and p p) false))")
    assert edited(system, [m.put(None) for m in members[1:]]) == parse("(declare-fun p () Bool)(assert (=> p false))")
    assert edited(system, [m.put(None) for m in members]) == parse("(declare-fun p () Bool)(assert false)")


def test_of_edits_inside_each_other_the_outer_one_counts_and_its_variables_alone() -> None:
    system = parse(TEXT)
    outer = next(site for site in sites(system) if site.term.size == 3)
    inner = next(site for site in sites(system) if site.number == outer.number + 1)
    fresh = Variable("y", INT)
    found = edited(system, [inner.put(fresh, fresh), outer.put(integer(5))])
    assert found == parse(TEXT.replace("(< x (+ x 1))", "(< x 5)"))
    first = edited(system, [outer.put(fresh, fresh), outer.put(integer(5))])
    assert first == parse(TEXT.replace("(< x (+ x 1))", "(< x y)").replace("((x Int))", "((x Int) (y Int))"))


def test_a_clause_without_quantifier_gets_one_for_new_variables() -> None:
    system = parse("(declare-fun p (Int) Bool)(assert (p 0))")
    zero = next(site for site in sites(system) if site.term is integer(0))
    fresh = Variable("y", INT)
    assert edited(system, [zero.put(fresh, fresh)]) == parse(
        "(declare-fun p (Int) Bool)(assert (forall ((y Int)) (p y)))"
    )


def test_terms_that_do_not_fit_give_no_system() -> None:
    system = parse(TEXT)
    for site in (site for site in sites(system) if site.term.sort is INT):
        assert edited(system, [site.put(TRUE)]) is None
    with pytest.raises(SortError):
        rewritten(negation(FALSE), {1: integer(1)})


@pytest.mark.slow
def test_deep_terms_are_rewritten() -> None:
    deep: Term = integer(0)
    for _ in range(20_000):
        deep = apply("+", deep, integer(1))
    last = [here for here in occurrences(deep) if here.term is integer(0)]
    new = rewritten(deep, {last[0].number: integer(7)})
    assert new is not None
    assert new.size == deep.size
    assert sum(here.term is integer(7) for here in occurrences(new)) == 1
