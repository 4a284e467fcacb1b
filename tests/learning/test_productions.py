"""Sequences of productions: the inverse, normal names, and the words of the vocabulary."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw_problem import draw_problem
from chcfuzz.grammar.errors import LimitError
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.terms import Apply, Atom, Call, Quantifier, Term, Value, Variable
from chcfuzz.learning import vocabulary
from chcfuzz.learning.possible import of_class
from chcfuzz.learning.productions import Productions, sequence
from chcfuzz.learning.vocabulary import words

from tests.learning import inverse
from tests.targets import ROOT

EVERY = 4  # one file of this number: all of them are read by the tests of the parser


@cache
def corpus() -> dict[str, BaseProblem]:
    """Problems of both corpora, and drawn ones."""
    found: dict[str, BaseProblem] = {}
    for folder, read in (("corpus", parse.parse), ("corpus-smt", parse.problem)):
        for file in sorted((ROOT / folder).rglob("*.smt2"))[::EVERY]:
            found[str(file.relative_to(ROOT))] = read(file.read_text(), file.name)
    for number in range(100):
        found[f"drawn {number}"] = draw_problem(Choices(b"", f"sequence {number}".encode()))
    return found


def sequences() -> Iterator[tuple[str, BaseProblem, Productions]]:
    for name, problem in corpus().items():
        try:
            yield name, problem, sequence(problem)
        except LimitError:
            assert Path(name).suffix == ".smt2"  # drawn problems are small


def is_renamed(one: Term, other: Term, names: dict[object, object]) -> bool:
    """Whether two terms are equal up to an injective renaming, which `names` extends in both directions."""
    stack = [(one, other)]
    while stack:
        one, other = stack.pop()
        if type(one) is not type(other) or one.sort is not other.sort or len(one.children) != len(other.children):
            return False
        pairs = [*zip(symbols(one), symbols(other), strict=True)]
        if any(names.setdefault((1, a), b) != b or names.setdefault((2, b), a) != a for a, b in pairs):
            return False
        if plain(one) != plain(other):
            return False
        stack += zip(one.children, other.children, strict=True)
    return True


def symbols(term: Term) -> tuple[object, ...]:
    if isinstance(term, Quantifier):
        return term.variables
    if isinstance(term, Call):
        return (term.function,)
    return (term.predicate,) if isinstance(term, Atom) else (term,) if isinstance(term, Variable) else ()


def plain(term: Term) -> object:
    if isinstance(term, Apply):
        return term.operator
    return term.value if isinstance(term, Value) else term.kind if isinstance(term, Quantifier) else None


@pytest.mark.slow
def test_the_problem_of_a_sequence_is_the_problem_up_to_names() -> None:
    seen = 0
    for name, problem, found in sequences():
        names: dict[object, object] = {}
        formulas = inverse.formulas(found)
        assert len(formulas) == len(problem.formulas), name
        assert all(is_renamed(*pair, names) for pair in zip(formulas, problem.formulas, strict=True)), name
        seen += 1
    assert seen > 150


def test_the_sequence_of_a_problem_of_a_sequence_is_that_sequence() -> None:
    for name, problem, found in sequences():
        again = sequence(inverse.problem(found, problem.datatypes))
        assert again.nodes == found.nodes, name


def test_all_productions_are_words_of_the_vocabulary() -> None:
    found = {node.production for _, _, each in sequences() for node in each.nodes}
    assert found <= set(words())
    assert len(set(words())) == len(words()) < 512
    assert {vocabulary.sort_class(node.sort) for _, _, each in sequences() for node in each.nodes} <= set(
        vocabulary.SORTS
    )


def test_each_production_is_possible_for_the_class_of_its_sort() -> None:
    found = {(vocabulary.sort_class(node.sort), node.production) for _, _, each in sequences() for node in each.nodes}
    assert [(sort, production) for sort, production in sorted(found) if production not in of_class(sort)] == []
    empty = sequence(parse.problem("(declare-const a (Set Int))(assert (= a (as set.empty (Set Int))))")).nodes[-1]
    assert (vocabulary.sort_class(empty.sort), empty.production) == ("Array", "literal.0")
    assert "literal.0" in of_class("Array")


def test_other_names_give_the_same_sequence() -> None:
    texts = [
        f"(declare-const {a} Int)(declare-fun {f} (Int) Bool)(assert (forall (({x} Int)) (=> ({f} {x}) (< {x} {a}))))"
        for a, f, x in (("a", "f", "x"), ("int_1", "int_0", "bool_0"))
    ]
    one, other = (sequence(parse.problem(text)) for text in texts)
    assert one == other
    assert [node.production for node in one.nodes] == [
        "forall.1", "=>.2", "function.1", "variable.new", "<.2", "variable.last", "variable.new",
    ]  # fmt: skip


def test_constants_and_indices_are_in_classes() -> None:
    text = """(declare-const x Int)(declare-const b (_ BitVec 8))
    (assert (< 0 1 (- 1) 7 8 14 1024 100000 100001 x))
    (assert (= ((_ extract 3 0) b) ((_ extract 0 0) (concat #xff #x30)) ((_ zero_extend 3) #b1)))"""
    text = text.replace("((_ extract 0 0) (concat #xff #x30))", "((_ sign_extend 3) ((_ extract 0 0) (concat b #xff)))")
    found = [node.production.partition(".")[2] for node in sequence(parse.problem(text)).nodes]
    assert found[1:11] == ["0", "1", "-1", "small", "near", "near", "power", "large", "near", "new"]
    assert found[12:] == ["half", "new", "other", "bit", "2", "last", "-1", "other", "1"]


def test_terms_that_occur_again_are_written_out_only_if_that_at_most_doubles_the_sequence() -> None:
    def chain(length: int) -> BaseProblem:
        lets = "".join(f"(let ((v{n + 1} (and v{n} v{n}))) " for n in range(length))
        text = f"(declare-const v0 Bool)(assert {lets}v{length}{')' * length})"
        return parse.problem(text)

    few, many = sequence(chain(2)), sequence(chain(60))
    assert [node.production for node in few.nodes] == [*("and.2", "and.2"), *(["variable.new", "variable.last"]),
                                                       "and.2", "variable.last", "variable.last"]  # fmt: skip
    assert sum(node.production == "let" for node in many.nodes) == 59
    assert inverse.formulas(many) == tuple(inverse.problem(many, ()).formulas)
    assert inverse.formulas(many)[0].size > 1 << 60


@pytest.mark.slow
@pytest.mark.parametrize("depth", [2_000, 20_000])
def test_deep_terms_beyond_the_limit_are_refused(depth: int) -> None:
    deep = parse.problem(f"(declare-const p Bool)(assert {'(not ' * depth}p{')' * depth})")
    with pytest.raises(LimitError):
        sequence(deep)
    assert len(sequence(deep, most=depth + 1).nodes) == depth + 1
