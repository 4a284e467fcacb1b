"""Sequences of productions to problems: the inverse of `productions.sequence` up to names."""

from chcfuzz.grammar.drawing.draw_problem import closed
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.sorts import Datatype
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Apply, Atom, Call, Function, Predicate, Quantifier, Term, Value, Variable
from chcfuzz.learning.productions import Node, Productions
from chcfuzz.learning.vocabulary import LET


def formulas(productions: Productions) -> tuple[Term, ...]:
    """Return the formulas of a sequence, with normal names."""
    found: list[Term] = []
    built: dict[int, Term] = {}
    open_ones: list[tuple[int, Node, list[Term]]] = []
    for number, node in enumerate(productions.nodes):
        open_ones.append((number, node, []))
        while open_ones and len(open_ones[-1][2]) == open_ones[-1][1].arity:
            at, done, args = open_ones.pop()
            built[at] = term = _term(done, args, built)
            (open_ones[-1][2] if open_ones else found).append(term)
    return tuple(found)


def _term(node: Node, args: list[Term], built: dict[int, Term]) -> Term:
    detail, kind = node.detail, node.production.partition(".")[0]
    if kind == LET:
        assert isinstance(detail, int)
        return built[detail]
    if kind == "literal":
        return Value(detail, node.sort)
    if isinstance(detail, Function):
        return Call(detail, args)
    if isinstance(detail, Predicate):
        return Atom(detail, args)
    if isinstance(detail, Variable):
        return detail
    if isinstance(detail, tuple):
        return Quantifier(kind, detail, args[0])
    assert isinstance(detail, str)
    return Apply(detail, args, node.sort)


def problem(productions: Productions, datatypes: tuple[tuple[Datatype, ...], ...]) -> BaseProblem:
    """Return the problem of a sequence, with normal names; it declares these data types and what its formulas use."""
    stated = formulas(productions)
    if not productions.is_horn:
        return closed(stated, datatypes)
    predicates = dict.fromkeys(node.detail for node in productions.nodes if isinstance(node.detail, Predicate))
    return System(datatypes, tuple(predicates), tuple(map(Clause, stated)))
