"""Well-typed terms from choices, over every theory: what a mutation puts into a system that was not there.

The typing table is read backwards (`theory.applications`), so an operator that is added there is drawn from then on. A
drawn term is one of six kinds with these `weights`: "variable" (or a free constant), "constant" (one of the system's or
a neighbour: n - 1, n + 1, -n, 2n), "literal", "own" (a term of the system over variables in scope), "operator" and
"call" (of a function in scope); below that, the names of operators ("store", "bvadd"), "constructor", "selector",
"tester" and CONSTANT. The default weight is 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.drawing_scope import DrawingScope, constants, own_terms
from chcfuzz.grammar.drawing.literals import FUEL, has_arrays, literal
from chcfuzz.grammar.drawing.weights import NOWHERE, Fixed, Weights
from chcfuzz.grammar.errors import LimitError
from chcfuzz.grammar.problem import sorts_in
from chcfuzz.grammar.reading.leniences import applied
from chcfuzz.grammar.sort_kinds import has_literals, kind_of
from chcfuzz.grammar.sorts import BOOL, Sort
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.terms import Apply, Call, Function, Term, Variable, free_variables
from chcfuzz.grammar.theories.arrays import CONSTANT
from chcfuzz.grammar.theory import Application, applications, derived, operators, split_operator

UNIFORM: Mapping[str, int] = {}

_MOST_SORTS = 14  # that operators are looked up for


def related(sorts: Sequence[Sort]) -> tuple[Sort, ...]:
    """Return a bounded number of sorts that terms of these are made with: Bool, them, parts, half of a bit-vector."""
    found: dict[Sort, None] = {BOOL: None}
    todo = list(sorts)
    while todo and len(found) < _MOST_SORTS:
        sort = todo.pop(0)
        if sort in found:
            continue
        found[sort] = None
        todo += kind_of(sort).related(sort)
    return tuple(found)


class Drawing:
    """Draws terms in a scope. Terms of every sort can be drawn, of sorts that occur nowhere in the scope, too."""

    def __init__(self, scope: DrawingScope, weights: Mapping[str, int] = UNIFORM) -> None:
        self._scope = scope
        self._weights: Weights = Fixed(weights)
        constants = [Call(each) for each in scope.functions or () if not each.parameters]
        self._leaves: tuple[Term, ...] = (*scope.variables, *constants)
        seen = [leaf.sort for leaf in self._leaves]
        for formula in scope.formulas:
            seen += sorts_in(formula)
        for function in scope.functions or ():
            seen += (*function.parameters, function.result)
        self._seen = related(seen)
        self.sorts = self._inhabited(self._seen)
        self._calls: dict[Sort, list[Function]] = {}
        for function in scope.functions or ():
            if function.parameters and all(map(self.can_draw, function.parameters)):
                self._calls.setdefault(function.result, []).append(function)

    def can_draw(self, sort: Sort) -> bool:
        """Return whether there are terms of the sort: a literal, or what variables and functions in scope make."""
        return self.has_literals(sort) or sort in self._ground

    def has_literals(self, sort: Sort) -> bool:
        """Return whether `literal` draws values of the sort that may be used in the scope."""
        return has_literals(sort) and (self._scope.constant_arrays or not has_arrays(sort))

    def _inhabited(self, sorts: tuple[Sort, ...]) -> tuple[Sort, ...]:
        if all(map(self.has_literals, sorts)):
            return sorts
        return tuple(sort for sort in sorts if self.can_draw(sort))

    @cached_property
    def _ground(self) -> Mapping[Sort, Term]:
        """A smallest term of each sort that needs the variables and functions in scope."""
        found: dict[Sort, Term] = {}
        for leaf in self._leaves:
            found.setdefault(leaf.sort, leaf)
        nothing = Choices(b"")

        def smallest(sort: Sort) -> Term | None:
            return found.get(sort) or (literal(sort, nothing, 0) if self.has_literals(sort) else None)

        before = -1
        while len(found) > before:
            before = len(found)
            for function in self._scope.functions or ():
                args = [smallest(sort) for sort in function.parameters]
                if function.result not in found and None not in args:
                    found[function.result] = Call(function, [arg for arg in args if arg is not None])
            for sort, term in list(found.items()):
                index = smallest(sort.index) if sort.is_array else None
                if index is not None and sort.element not in found:
                    found[sort.element] = Apply("select", (term, index))
            for sort in self._seen:
                for constructor in sort.datatype.constructors if sort.datatype else ():
                    fields = [smallest(selector.sort) for selector in constructor.selectors]
                    if sort not in found and None not in fields:
                        found[sort] = Apply(constructor.operator, [field for field in fields if field], sort)
        return found

    def _least(self, sort: Sort, choices: Choices, fuel: int) -> Term:
        if self.has_literals(sort):
            return literal(sort, choices, fuel)
        if sort not in self._ground:
            raise LimitError(f"nothing in scope makes a term of sort {sort}")
        return self._ground[sort]

    def term(self, sort: Sort, choices: Choices, fuel: int = FUEL) -> Term:
        """Draw a term of the sort with at most `fuel` operators, unless its leaves are data types or arrays.

        Raises `LimitError` for a sort whose terms cannot be drawn (`can_draw`).
        It reads back as itself. Bytes that have run out give the first variable, or the first literal.
        """
        variables = [leaf for leaf in self._leaves if leaf.sort is sort]
        near = constants(self._scope.formulas, sort)
        own = self._own_terms(sort, fuel)
        made = self._productions(sort) if fuel > 0 else {}
        calls = self._calls.get(sort) if fuel > 0 else None
        kinds = [name for name, there in (("variable", variables), ("constant", near)) if there]
        kinds += ["literal"] if self.has_literals(sort) or not variables else []
        kinds += [name for name, there in (("own", own), ("operator", made), ("call", calls)) if there]
        match self._weighted(kinds, choices):
            case "variable":
                return choices.pick(variables)
            case "constant":
                return choices.pick(near)
            case "own":
                return self._in_scope(choices.pick(own), choices)
            case "operator":
                name = self._weighted(tuple(made), choices)
                return self._applied(name, self._use(made[name], choices), sort, choices, fuel - 1)
            case "call":
                return self.call(choices.pick(calls or ()), choices, fuel - 1)
        return self._least(sort, choices, fuel)

    def call(self, function: Function, choices: Choices, fuel: int) -> Term:
        """Draw the arguments of a function."""
        return Call(function, self._arguments(function.parameters, choices, fuel))

    def _arguments(self, sorts: Sequence[Sort], choices: Choices, fuel: int) -> list[Term]:
        args: list[Term] = []
        for place, wanted in enumerate(sorts):
            share = fuel // (len(sorts) - place)
            args.append(self.term(wanted, choices, share))
            fuel -= share
        return args

    def around(self, term: Term, choices: Choices, fuel: int = FUEL) -> Term | None:
        """Draw an application of the term's sort that has the term as an argument; None if no operator fits."""
        sort = term.sort
        uses: dict[str, list[tuple[Application, int]]] = {}
        for name, made in self._productions(sort).items():
            places = [(use, at) for use in made for at in _places_of(name, use, sort)]
            if places and name != CONSTANT:
                uses[name] = places
        calls = [(f, at) for f in self._calls.get(sort, ()) for at, wanted in enumerate(f.parameters) if wanted is sort]
        names = (*uses, *(("call",) if calls else ()))
        if not names:
            return None
        name = self._weighted(names, choices)
        if name == "call":
            function, at = choices.pick(calls)
            drawn = self.call(function, choices, fuel)
        else:
            use, at = choices.pick(uses[name])
            drawn = self._applied(name, use, sort, choices, fuel)
        return drawn.rebuild((*drawn.children[:at], term, *drawn.children[at + 1 :]))

    def condition(self, choices: Choices, fuel: int = FUEL) -> Term:
        """Draw a comparison or a test over the sorts of the variables in scope, if there are any."""
        rows = operators()
        tests = {
            name: uses
            for name, uses in self._productions(BOOL).items()
            if name not in rows or not rows[name].is_connective
        }
        there = {leaf.sort for leaf in self._leaves}
        about = {name: [use for use in uses if not there.isdisjoint(use[1])] for name, uses in tests.items()}
        fitting: Mapping[str, Sequence[Application]] = {name: uses for name, uses in about.items() if uses} or tests
        name = self._weighted(tuple(fitting), choices)
        return self._applied(name, self._use(fitting[name], choices), BOOL, choices, fuel - 1)

    def _own_terms(self, sort: Sort, fuel: int) -> list[Term]:
        return [t for formula in self._scope.formulas for t in own_terms(formula).get(sort, ()) if 1 < t.size <= fuel]

    def _in_scope(self, term: Term, choices: Choices) -> Term:
        """Return the term over variables of the scope; unknown variables are replaced by others of their sorts."""
        there = self._scope.variables
        taken: dict[Variable, Term] = {}
        for variable in free_variables(term):
            if variable not in there:
                same = [other for other in self._leaves if other.sort is variable.sort]
                if not same:
                    return self._least(term.sort, choices, 0)
                taken[variable] = choices.pick(same)
        return substitute(term, taken)

    def _productions(self, sort: Sort) -> Mapping[str, tuple[Application, ...]]:
        sorts = self.sorts if sort in self.sorts else self._inhabited(related((sort, *self.sorts)))
        made = productions(sorts, self._scope.is_smt).get(sort, {})
        if self._scope.constant_arrays or CONSTANT not in made:
            return made
        return {name: uses for name, uses in made.items() if name != CONSTANT}

    def _use(self, uses: Sequence[Application], choices: Choices) -> Application:
        """Draw the sorts and indices that an operator is used with."""
        return choices.pick(uses)

    def _weighted(self, names: Sequence[str], choices: Choices) -> str:
        return self._weights.pick(names, NOWHERE, choices)

    def _applied(self, name: str, application: Application, sort: Sort, choices: Choices, fuel: int) -> Term:
        operator, domain = application
        if name == CONSTANT:
            return kind_of(sort).draw_plain(sort, choices)
        any_terms = domain[: _constants_from(name)]
        args = self._arguments(any_terms, choices, fuel)
        args += [self._nonzero(wanted, choices) for wanted in domain[len(any_terms) :]]
        if name in ("constructor", "selector", "tester"):
            return Apply(operator, args, sort)
        return apply_as_read(operator, args)

    def _nonzero(self, sort: Sort, choices: Choices) -> Term:
        numbers = [value for value in constants(self._scope.formulas, sort) if value.value]
        if numbers and choices.boolean():
            return choices.pick(numbers)
        return kind_of(sort).number(choices.pick((2, 3, -1, -2, 5, 16)), sort)


def _places_of(name: str, use: Application, sort: Sort) -> list[int]:
    """Return the arguments of this sort that may be any terms."""
    return [at for at, wanted in enumerate(use[1][: _constants_from(name)]) if wanted is sort]


def _constants_from(name: str) -> int | None:
    operator = operators().get(name)
    return operator.constants_from if operator else None


@derived
def productions(
    sorts: tuple[Sort, ...], with_smt_operators: bool = False
) -> Mapping[Sort, Mapping[str, tuple[Application, ...]]]:
    """Return the applications that make terms of these sorts from such terms, by result sort and operator."""
    made: dict[Sort, dict[str, tuple[Application, ...]]] = {}
    rows = operators()
    for sort, by_name in applications(sorts, with_smt_operators).items():
        made[sort] = {
            name: tuple(use for use in uses if len(use[1]) >= rows[name].least_drawn) for name, uses in by_name.items()
        }

    for sort in sorts:
        for name, result, (operator, domain) in kind_of(sort).productions(sort):
            if result in sorts and all(each in sorts for each in domain):
                made[result][name] = (*made[result].get(name, ()), (operator, domain))
    return made


def apply_as_read(operator: str, args: Sequence[Term]) -> Term:
    """Apply an operator of the theories, in the form that its text parses to: (- 1) is a constant."""
    return Apply(operator, args) if split_operator(operator)[1] else applied(operator, list(args))
