"""SMT problems split into groups."""

from __future__ import annotations

from collections import Counter

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.interpolation.group_text import printed, read
from chcfuzz.grammar.interpolation.splitting import divided, members, split
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.reading.parse import problem
from chcfuzz.grammar.terms import subterms

TEXT = """(declare-fun a () Int)(declare-fun b () Int)(declare-fun c () Bool)
(assert (! (and (< a b) (not (or c (> a 3)))) :named first))
(assert (not (=> (= a b) c (< b 0))))
(assert (! (not (not (> b a))) :named last))
"""


def test_conjuncts_are_members_of_their_own() -> None:
    stated = problem(TEXT)
    assert [print_term(each) for each in divided(stated).formulas] == [
        "(< a b)",
        "(not c)",
        "(not (> a 3))",
        "(= a b)",
        "c",
        "(not (< b 0))",
        "(not (not (> b a)))",
    ]
    assert [each.name for each in divided(stated).assertions] == [None] * 6 + ["last"]
    assert list(members(stated.formulas[0])) == list(divided(stated).formulas[:3])


def test_every_split_has_all_conjuncts_and_no_empty_group() -> None:
    stated = problem(TEXT)
    numbers: Counter[int] = Counter()
    labels = set()
    for key in range(200):
        found = split(stated, Choices(b"", bytes([key])))
        assert found is not None
        assert found.formulas == divided(stated).formulas
        assert found.axioms == ()
        numbers[len(found.groups)] += 1
        labels.add(found.labels)
    assert set(numbers) == {2, 3, 4}
    assert numbers[2] > 80
    assert len(labels) > 60
    assert any(list(each) == sorted(each) for each in labels)


def test_one_conjunct_cannot_be_split() -> None:
    assert split(problem("(declare-const p Bool)(assert (not (not p)))"), Choices(b"", b"k")) is None


def test_a_problem_with_too_many_conjuncts_keeps_its_assertions() -> None:
    large = problem(f"(declare-const p Bool)(assert (and {'p ' * 500}))(assert p)")
    assert divided(large) is large
    assert len(list(subterms(*large.formulas))) == 2


def test_a_split_of_a_script_with_several_checks_has_one_check_and_reads_back() -> None:
    script = "(push 1)(assert (< x 0))(check-sat)(pop 1)(push 1)(assert (< x 0))(check-sat)"
    stated = problem(f"(set-info :chcfuzz-checks again-1)(declare-const x Int)(assert (> x 0)){script}")
    found = split(stated, Choices(b""))
    assert found is not None
    assert read(printed(found)) == found
