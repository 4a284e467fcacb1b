"""Terms drawn with weights by place: each node is one choice among the productions that are possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw import Drawing, related
from chcfuzz.grammar.drawing.drawing_scope import DrawingScope, constants
from chcfuzz.grammar.drawing.literals import FUEL
from chcfuzz.grammar.drawing.weights import TermPlace, Weights
from chcfuzz.grammar.sort_kinds import is_first_class, kind_of
from chcfuzz.grammar.sorts import BOOL, Sort
from chcfuzz.grammar.terms import Quantifier, Term, Value, Variable, free_variables
from chcfuzz.grammar.theory import Application
from chcfuzz.learning.possible import applications, literals
from chcfuzz.learning.productions import SequenceHistory
from chcfuzz.learning.vocabulary import EVERYWHERE, LET, QUANTIFIED, QUANTIFIERS, START, VARIABLES, arity, sort_class

_MOST_BOUND = 4  # variables at a place, after which no quantifier binds more
_MOST_SHARED, _MOST_SIZE = 16, 24  # terms of a sort that may be used again, and nodes of each
_RARELY = 8  # one application of this number takes sorts without variables
_FRACTIONS = (Fraction(1, 2), Fraction(-1, 2), Fraction(1, 3), Fraction(-3, 2), Fraction(7, 10), Fraction(1, 1000))
_BITS = 66  # of large numbers
*_USED, _NEW = VARIABLES


class ModelDrawing(Drawing):
    """Draws terms in a scope with weights by place; `quantifiers` may bind new variables."""

    def __init__(self, scope: DrawingScope, weights: Weights, quantifiers: bool = False) -> None:
        super().__init__(scope)
        self._weights = weights
        self._quantifiers = quantifiers
        self._history = SequenceHistory()
        self._bound: list[Variable] = []
        self._names = 0  # of bound variables
        self._shared: dict[Sort, list[Term]] = {}
        self._above: list[str] = []  # productions from the root to the parent
        self._argument, self._sibling = 0, START
        self._operators = 0  # drawn so far
        self._by_sort: dict[Sort, list[Term]] = {}
        for leaf in self._leaves:
            self._by_sort.setdefault(leaf.sort, []).append(leaf)
        self._cached: dict[tuple[Sort, bool], Sequence[str]] = {}

    def at(self, above: Sequence[str], argument: int, sibling: str) -> None:
        """Set the place of the next terms: the productions above it, and the argument that it is."""
        self._above, self._argument, self._sibling = list(above), argument, sibling

    def formula(self, choices: Choices, fuel: int) -> Term:
        """Draw a formula that is not a leaf."""
        words = [word for word in self._possible(BOOL, max(1, fuel)) if not _is_leaf(word)]
        return self._drawn(BOOL, words, choices, max(1, fuel))

    def term(self, sort: Sort, choices: Choices, fuel: int = FUEL) -> Term:
        """Draw a term of the sort; see `Drawing.term`."""
        words = self._possible(sort, fuel)
        return self._drawn(sort, words, choices, fuel) if words else self._least(sort, choices, fuel)

    def _drawn(self, sort: Sort, words: Sequence[str], choices: Choices, fuel: int) -> Term:
        above = self._above
        parents = (*above[:-4:-1], START, START, START)
        place = TermPlace(sort_class(sort), parents[0], self._argument, parents[1], self._sibling, parents[2])
        word = self._weights.pick(words, place, choices)
        if _is_leaf(word):
            term = self._leaf(word, sort, choices, fuel)
        else:
            before = self._argument, self._sibling
            above.append(word)
            self._operators += 1
            term = self._composed(word, sort, choices, fuel - 1)
            above.pop()
            self._argument, self._sibling = before
        self._share(term)
        self._sibling = word
        return term

    # Possible productions --------------------------------------------------------------------------

    def _possible(self, sort: Sort, fuel: int) -> list[str]:
        words = self._ages(sort)
        words += literals(sort)
        if sort is not BOOL and "literal.near" in words and not self._known(sort):
            words.remove("literal.near")
        if self._terms_again(sort, fuel):
            words.append(LET)
        if fuel > 0:
            words += self._composing(sort)
        return words

    def _composing(self, sort: Sort) -> Sequence[str]:
        """Return the productions with arguments."""
        free = sort is BOOL and self._quantifiers and len(self._bound) < _MOST_BOUND
        key = (sort, free)
        if key not in self._cached:
            calls = dict.fromkeys(f"function.{arity(len(each.parameters))}" for each in self._calls.get(sort, ()))
            self._cached[key] = (*(QUANTIFIED if free else ()), *calls, *self._applications(sort))
        return self._cached[key]

    def _applications(self, sort: Sort) -> Mapping[str, tuple[Application, ...]]:
        sorts = self.sorts if sort in self.sorts else self._inhabited(related((sort, *self.sorts)))
        made = applications(sorts, self._scope.is_smt).get(sort, {})
        if self._scope.constant_arrays or EVERYWHERE not in made:
            return made
        return {word: uses for word, uses in made.items() if word != EVERYWHERE}

    def _ages(self, sort: Sort) -> list[str]:
        """Return the productions of variables: by recency of those that were used, and new if others are left."""
        there = self._variables(sort)
        if not there:
            return []
        used = len(self._used(there, sort))
        return [*_USED[:used], _NEW] if used < len(there) else _USED[:used]

    def _variables(self, sort: Sort) -> list[Term]:
        leaves = self._by_sort.get(sort, [])
        return [*leaves, *(each for each in self._bound if each.sort is sort)] if self._bound else leaves

    def _used(self, there: Sequence[Term], sort: Sort) -> list[Term]:
        """Return these variables as far as they were used, last ones first."""
        return [leaf for leaf in self._history.used[sort] if isinstance(leaf, Term) and leaf in there]

    def _known(self, sort: Sort) -> Sequence[int | Fraction]:
        drawn = self._history.constants[sort]
        return drawn or [kind_of(sort).as_number(each.value, sort) for each in constants(self._scope.formulas, sort)]

    def _terms_again(self, sort: Sort, fuel: int) -> list[Term]:
        shared = self._shared.get(sort)
        if not shared:
            return []
        there = {*self._scope.variables, *self._bound}
        most = 2 * max(1, fuel) + 1
        return [term for term in shared if term.size <= most and there.issuperset(free_variables(term))]

    def _share(self, term: Term) -> None:
        if 1 < term.size <= _MOST_SIZE:
            same = self._shared.setdefault(term.sort, [])
            same.append(term)
            del same[:-_MOST_SHARED]

    # Terms of a production -------------------------------------------------------------------------

    def _leaf(self, word: str, sort: Sort, choices: Choices, fuel: int) -> Term:
        kind, _, which = word.partition(".")
        if kind == LET:
            return choices.pick(self._terms_again(sort, fuel))
        if kind == "literal":
            value = Value(which == "true", BOOL) if sort is BOOL else self._number(which, sort, choices)
            self._history.literal(value.value, sort)
            return value
        there = self._variables(sort)
        used = self._used(there, sort)
        match which:
            case "last":
                found = used[0]
            case "second":
                found = used[1]
            case "older":
                found = choices.pick(used[2:])
            case _:
                found = choices.pick([leaf for leaf in there if leaf not in used])
        self._history.variable(found, sort)
        return found

    def _number(self, which: str, sort: Sort, choices: Choices) -> Value:
        """Draw a number of a class of literals."""
        match which:
            case "0" | "1" | "-1":
                number: int | Fraction = int(which)
            case "small":
                number = choices.integer(2, 16) * (1 if sort.is_bitvector or choices.index(4) else -1)
            case "power":
                number = 1 << choices.index(sort.width if sort.is_bitvector else _BITS)
            case "near":
                near = choices.pick(self._known(sort))
                number = choices.pick((near, near - 1, near + 1, -near, 2 * near))
            case "fraction":
                number = choices.pick(_FRACTIONS)
            case _:
                number = choices.index(1 << choices.integer(5, _BITS)) * (1 if choices.index(4) else -1)
        return kind_of(sort).number(number, sort)

    def _composed(self, word: str, sort: Sort, choices: Choices, fuel: int) -> Term:
        name, _, which = word.rpartition(".") if "." in word else (word, "", "")
        if name in QUANTIFIERS:
            return self._quantified(name, which, choices, fuel)
        if name == "function":
            fitting = [each for each in self._calls[sort] if arity(len(each.parameters)) == which]
            return self.call(choices.pick(fitting), choices, fuel)
        uses = self._applications(sort)[word]
        known = [use for use in uses if self._by_sort.keys() >= set(use[1])]
        use = choices.pick(known if known and choices.index(_RARELY) else uses)
        return self._applied(name, use, sort, choices, fuel)

    def _quantified(self, kind: str, which: str, choices: Choices, fuel: int) -> Term:
        """Draw variables of sorts that the scope has, and a formula over them."""
        number = min(int(which) if which.isdigit() else _MOST_BOUND, _MOST_BOUND)
        sorts = tuple(self._by_sort) or tuple(filter(is_first_class, self.sorts))
        before = len(self._bound)
        for _ in range(number):
            self._bound.append(Variable(f"v{self._names}", choices.pick(sorts)))
            self._names += 1
        bound = self._bound[before:]
        body = self._arguments((BOOL,), choices, fuel)[0]
        del self._bound[before:]
        return Quantifier(kind, bound, body)

    def _arguments(self, sorts: Sequence[Sort], choices: Choices, fuel: int) -> list[Term]:
        """Draw arguments: each may use three quarters of the fuel that is left, and the last one all of it."""
        self._sibling = START
        until = self._operators + fuel
        args: list[Term] = []
        for place, wanted in enumerate(sorts):
            left = max(0, until - self._operators)
            self._argument = place
            args.append(self.term(wanted, choices, left if place == len(sorts) - 1 else left * 3 // 4))
        return args


def _is_leaf(word: str) -> bool:
    return word == LET or word.startswith(("variable.", "literal."))
