"""Whole SMT problems from choices, as Alt-Ergo-Fuzz draws them (Ait El Hara, 2021, sections 4.1 and 4.2).

The sort of a term is chosen first, then an operator that gives it, with less fuel for each argument. Bound variables
are drawn like free ones, marked universal or existential; a quantifier is then put at the end of the longest common
path to all uses, cut to the last formula. The problem declares what its assertions use, and nothing else. Some goals
come before the last one: each is a check of its negation, under the assertions before it.

The sizes and weights follow those of public problems: medians of one to two assertions, 14 nodes and depth 4, and 12 %
formulas among the arguments of functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.definitions import DefinedFunction, defined
from chcfuzz.grammar.drawing.draw import Drawing, apply_as_read
from chcfuzz.grammar.drawing.draw_signature import DrawingSignature, draw_signature
from chcfuzz.grammar.drawing.drawing_limits import Limits
from chcfuzz.grammar.drawing.drawing_scope import DrawingScope
from chcfuzz.grammar.drawing.literals import FUEL
from chcfuzz.grammar.form import Checks, Event, Form
from chcfuzz.grammar.paths import Path, at, replace_at
from chcfuzz.grammar.printing.matches import has_cases
from chcfuzz.grammar.printing.printer import has_lets
from chcfuzz.grammar.problem import Assertion, Problem, sorts_in
from chcfuzz.grammar.reading.leniences import as_read
from chcfuzz.grammar.sort_kinds import is_first_class
from chcfuzz.grammar.sorts import BOOL, INT, Constructor, Datatype, Sort, with_declared_sorts
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.terms import Apply, Call, Function, Lambda, Quantifier, Term, Variable, free_variables, subterms
from chcfuzz.grammar.theories.element_sorts import element_of
from chcfuzz.grammar.theories.sequences import is_sequence
from chcfuzz.grammar.theory import Application
from chcfuzz.grammar.written_checks import ASSERT, CHECK, POP, PUSH, as_written

_ASSERTIONS = (1, 1, 1, 2, 2, 2, 3, 4, 6)
_FUEL = (2, 3, 4, 5, 6, 8, 10, 14)  # operators of an assertion
_GOALS = (0, 0, 0, 1, 2)  # before the last one
_TEXTS = frozenset(("String", "Seq"))  # on several levels, Z3 5.4.1 does not end for some of them, so without goals
_BOUND = (0, 0, 0, 0, 0, 1, 1, 2, 3)  # variables of an assertion that may be quantified
_BOUND_WITH_TEXTS = (0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2)  # solvers decide four of five of those with quantifiers
_USUAL = max(_BOUND)
_DEFINITIONS = (0, 1, 1, 2, 2)
_MOST_PARAMETERS = 3  # of a definition
_MOST_SHARED = 24  # nodes of a term that is used again

_OF_KINDS = {"operator": 14, "variable": 6, "literal": 2, "constant": 1, "own": 1, "call": 3}
_OF_FORMULAS = {"=": 12, "or": 6, "and": 6, "not": 4, "distinct": 3, "=>": 3, "xor": 2, "ite": 3}
_OF_NUMBERS = {"<": 3, "<=": 4, ">": 3, ">=": 3, "*": 6, "+": 6, "-": 4, "div": 2, "mod": 2, "/": 3}
_OF_VECTORS = {"bvadd": 3, "bvmul": 3, "extract": 3, "concat": 2, "zero_extend": 2, "sign_extend": 2, "bvult": 2}
_OF_OTHERS = {"select": 4, "store": 4, "constructor": 3, "selector": 2, "tester": 2, "to_real": 2, "to_int": 2}
_OF_FLOATS = {"fp.add": 6, "fp.sub": 3, "fp.mul": 3, "fp.div": 2, "fp.neg": 4, "fp.abs": 2, "fp.min": 2, "fp.max": 3,
              "fp.sqrt": 2, "fp.roundToIntegral": 2, "to_fp": 4, "to_fp_unsigned": 2, "fp.to_sbv": 2, "fp.lt": 4,
              "fp.leq": 4, "fp.eq": 3, "fp.geq": 2}  # fmt: skip
# By the frequency of operators in public regression tests of strings and sequences. `str.replace_re` and
# `str.replace_re_all` are rare: Z3 decides half of the problems with them.
_OF_STRINGS = {"str.indexof": 6, "str.substr": 14, "str.len": 6, "str.++": 14, "str.to_re": 6, "str.in_re": 6,
               "re.++": 4, "re.*": 4, "str.replace": 9, "re.union": 3, "re.range": 3, "str.at": 8, "str.contains": 4,
               "str.prefixof": 2, "str.suffixof": 2, "str.to_code": 2, "str.to_int": 2, "str.from_int": 4, "re.+": 2,
               "seq.unit": 6, "seq.++": 5, "seq.nth": 5, "seq.len": 5, "seq.extract": 4, "seq.contains": 3,
               "seq.indexof": 2, "seq.replace": 2, "str.replace_all": 3, "str.from_code": 3}  # fmt: skip
# By the frequency of operators in public regression tests of sets.
_OF_SETS = {"set.member": 12, "set.singleton": 5, "set.union": 3, "set.inter": 2, "set.minus": 2, "set.subset": 2,
            "set.insert": 2, "set.card": 3}  # fmt: skip
WEIGHTS: Mapping[str, int] = {**_OF_KINDS, **_OF_FORMULAS, **_OF_NUMBERS, **_OF_VECTORS, **_OF_OTHERS, **_OF_FLOATS,
                              **_OF_STRINGS, **_OF_SETS}  # fmt: skip
_COMPARISONS = {
    "Int": ("=", "<", "<=", ">", ">="),
    "Real": ("=", "<", "<=", ">", ">="),
    "BitVec": ("=", "bvult", "bvule", "bvslt", "bvsge"),
    "FloatingPoint": ("=", "fp.eq", "fp.lt", "fp.leq", "fp.geq"),
    "String": ("=", "str.contains", "str.prefixof", "str.suffixof", "str.<", "str.<="),
    "Seq": ("=", "seq.contains", "seq.prefixof", "seq.suffixof"),
    "Set": ("=", "set.subset"),
}
_RARELY = 8  # one of this number
_IN_FUNCTION = (1, 1, 2, 3)  # operators of a function over a sequence
_KINDS = (("plain", 12), ("shared", 6), ("match", 8), ("definition", 10), ("call", 2))


def draw_problem(choices: Choices, limits: Limits | None = None) -> Problem:
    """Draw a problem; its text reads back as itself."""
    limits = limits or Limits()
    signature = draw_signature(choices)
    definitions: list[DefinedFunction] = []
    for _ in range(choices.pick(_DEFINITIONS)):
        drawn = _definition(signature, definitions, choices, limits)
        if drawn is not None:
            definitions.append(drawn)
    goals = choices.pick(_GOALS)
    if _has_texts(signature):
        goals = 0
    formulas: list[Term] = []
    for _ in range(choices.pick(_ASSERTIONS) + goals):
        bound = _bound(signature, choices, limits.quantified)
        scope = DrawingScope(tuple(bound), tuple(formulas[-2:]), signature.functions, signature.constant_arrays)
        drawing = ProblemDrawing(scope, signature, definitions)
        formula = drawing.formula(choices, choices.pick(limits.sizes(_FUEL)))
        formulas.append(as_read(quantified(formula, bound)))
    asserted, checks = _with_goals(formulas, goals, choices)
    found = closed(formulas, signature.datatypes)
    found = found.with_assertions(tuple(map(Assertion, asserted)))
    return _written(replace(found, form=Form(tuple(definitions), checks)).in_its_form, choices)


def _with_goals(formulas: Sequence[Term], number: int, choices: Choices) -> tuple[Sequence[Term], Checks]:
    """Return the formulas that stay asserted, and checks of the negations of `number` others, each after some of them.

    A goal follows from the assertions before it if its negation contradicts them.
    """
    left = list(range(len(formulas) - 1))  # the last one stays
    goals = {left.pop(choices.index(len(left))) for _ in range(number)}
    asserted: list[Term] = []
    events: list[Event] = []
    for place, formula in enumerate(formulas):
        if place in goals:
            events += _goal(len(asserted), formula)
        else:
            asserted.append(formula)
    return asserted, as_written(events, 0)


def _goal(at: int, formula: Term) -> Sequence[Event]:
    negated = as_read(Apply("not", (formula,), BOOL))
    return Event(at, PUSH), Event(at, ASSERT, (negated,)), Event(at, CHECK), Event(at, POP)


def _written(problem: Problem, choices: Choices) -> Problem:
    """Return the problem, mostly with `match` for its case distinctions and with `let` for shared terms."""
    has_match = bool(choices.index(4)) and any(map(has_cases, problem.formulas))
    has_let = bool(choices.index(4)) and any(map(has_lets, problem.formulas))
    return replace(problem, form=replace(problem.form, has_match=has_match, has_let=has_let))


def _has_texts(signature: DrawingSignature) -> bool:
    return any(sort.name in _TEXTS for sort in signature.sorts)


def _bound(signature: DrawingSignature, choices: Choices, most: int) -> dict[Variable, str]:
    """Draw at most `most` variables with their quantifiers."""
    numbers = (*(_BOUND_WITH_TEXTS if _has_texts(signature) else _BOUND), *range(_USUAL + 1, most + 1))
    return {
        Variable(f"v{number}", choices.pick(signature.sorts)): choices.pick(("forall", "forall", "exists"))
        for number in range(min(most, choices.pick(numbers)))
    }


def _definition(
    signature: DrawingSignature, before: Sequence[DefinedFunction], choices: Choices, limits: Limits
) -> DefinedFunction | None:
    """Draw a function or a predicate with a body; it has the parameters that its body uses."""
    sorts = [choices.pick(signature.sorts) for _ in range(choices.integer(1, _MOST_PARAMETERS))]
    parameters = tuple(Variable(f"p{number}", sort) for number, sort in enumerate(sorts))
    has_constants = not choices.index(3)  # with them, half of the bodies lose all parameters
    functions = tuple(each for each in signature.functions if has_constants or each.parameters)
    scope = DrawingScope(parameters, (), functions, signature.constant_arrays)
    drawing = ProblemDrawing(scope, signature, before)
    wanted = choices.pick((BOOL, *signature.sorts))
    if not drawing.can_draw(wanted):
        return None
    body = as_read(drawing.term(wanted, choices, min(choices.integer(1, 4), *limits.sizes(_FUEL)[-1:])))
    return defined(f"d{len(before)}", parameters, body)


# Terms ---------------------------------------------------------------------------------------------


class ProblemDrawing(Drawing):
    """Draws terms, with `match` written out, definitions expanded, and terms that were drawn before."""

    def __init__(
        self, scope: DrawingScope, signature: DrawingSignature, definitions: Sequence[DefinedFunction]
    ) -> None:
        super().__init__(scope, WEIGHTS)
        self._signature = signature
        self._definitions = definitions
        self._shared: dict[Sort, list[Term]] = {}
        self._leaf_sorts = {leaf.sort for leaf in self._leaves}

    def formula(self, choices: Choices, fuel: int) -> Term:
        """Draw a formula that is not a leaf."""
        drawn = self.term(BOOL, choices, fuel)
        return drawn if drawn.children else self.condition(choices, max(1, fuel))

    def term(self, sort: Sort, choices: Choices, fuel: int = FUEL) -> Term:
        """Draw a term of the sort; see `Drawing.term`."""
        drawn = self._composed(sort, choices, fuel) if fuel > 1 else None
        if sort is BOOL and fuel <= 0 and choices.index(_RARELY):
            drawn = self._atom(choices)
        if drawn is None:
            drawn = super().term(sort, choices, fuel)
        if 1 < drawn.size <= _MOST_SHARED:
            self._shared.setdefault(sort, []).append(drawn)
        return drawn

    def _composed(self, sort: Sort, choices: Choices, fuel: int) -> Term | None:
        """Draw a term of another kind than those of `Drawing`; None to draw one of those."""
        may_be_folded = self._signature.functions_over_sequences and is_first_class(sort)
        if may_be_folded and not choices.index(_RARELY if sort is BOOL else 2):
            return self._over_sequence(sort, choices, fuel - 2)
        match _weighted(_KINDS, choices):
            case "shared":
                fitting = [term for term in self._shared.get(sort, ()) if term.size <= fuel]
                return choices.pick(fitting) if fitting else None
            case "match":
                return self._match(sort, choices, fuel)
            case "definition":
                usable = [each for each in self._definitions if each.body.sort is sort and self._fits(each, fuel)]
                return self._expanded(choices.pick(usable), choices, fuel - 1) if usable else None
            case "call":
                calls = self._calls.get(sort)
                return self.call(choices.pick(calls), choices, fuel - 1) if calls else None
        return None

    def _fits(self, definition: DefinedFunction, fuel: int) -> bool:
        """Return whether a definition is small enough, and something in scope makes a term for each parameter."""
        return definition.body.size <= fuel and all(self.can_draw(each.sort) for each in definition.parameters)

    def _use(self, uses: Sequence[Application], choices: Choices) -> Application:
        """Draw the sorts of arguments, nearly always some that have variables or constants."""
        known = [use for use in uses if self._leaf_sorts.issuperset(use[1])]
        return choices.pick(known if known and choices.index(_RARELY) else uses)

    def _atom(self, choices: Choices) -> Term | None:
        """Draw a Boolean leaf, or a comparison of another leaf; None without leaves."""
        leaf = choices.pick(self._leaves) if self._leaves else None
        if leaf is None or leaf.sort is BOOL:
            return leaf
        comparisons = _COMPARISONS.get(leaf.sort.name, ("=",))
        return apply_as_read(choices.pick(comparisons), [leaf, super().term(leaf.sort, choices, 0)])

    def _match(self, sort: Sort, choices: Choices, fuel: int) -> Term | None:
        """Draw a case for each constructor of a data type; half of them use a field of the matched value."""
        datatypes = [each for group in self._signature.datatypes for each in group if self.can_draw(each.sort)]
        if not (datatypes and is_first_class(sort)):  # cvc5 refuses case distinctions of languages
            return None
        datatype = choices.pick(datatypes)
        left = fuel - len(datatype.constructors)  # for the testers and cases
        if left < 0:
            return None
        matched = super().term(datatype.sort, choices, left // 3)
        share = left // (2 * len(datatype.constructors))
        cases = [self._case(constructor, matched, sort, choices, share) for constructor in datatype.constructors]
        result = cases[-1]
        for constructor, case in zip(datatype.constructors[-2::-1], cases[-2::-1], strict=True):
            result = Apply("ite", (Apply(constructor.tester, (matched,), BOOL), case, result))
        return result

    def _case(self, constructor: Constructor, matched: Term, sort: Sort, choices: Choices, fuel: int) -> Term:
        fields = [selector for selector in constructor.selectors if selector.sort is sort]
        if fields and choices.boolean():
            return Apply(choices.pick(fields).operator, (matched,), sort)
        return self.term(sort, choices, fuel)

    def _over_sequence(self, sort: Sort, choices: Choices, fuel: int) -> Term:
        """Draw `seq.map` or a fold over a sequence, perhaps with positions; its function is a `lambda`."""
        source = choices.pick([each for each in self._signature.sorts if is_sequence(each)])
        position = (Variable("at", INT),) if choices.boolean() else ()
        element = Variable("item", element_of(source))
        items, *first = self._arguments((source, *(each.sort for each in position)), choices, fuel // 2)
        if is_sequence(sort) and choices.boolean():
            function = self._function((*position, element), element_of(sort), choices)
            return Apply("seq.mapi" if position else "seq.map", (function, *first, items))
        function = self._function((*position, Variable("sum", sort), element), sort, choices)
        start = super().term(sort, choices, fuel // 2)
        return Apply("seq.foldli" if position else "seq.foldl", (function, *first, start, items))

    def _function(self, variables: Sequence[Variable], result: Sort, choices: Choices) -> Term:
        """Draw a `lambda` whose body has its own variables, sometimes constants, and no functions over sequences."""
        has_constants = not choices.index(4)
        functions = tuple(each for each in self._signature.functions if has_constants or each.parameters)
        scope = DrawingScope(tuple(variables), (), functions, self._scope.constant_arrays)
        signature = replace(self._signature, functions_over_sequences=False)
        drawing = ProblemDrawing(scope, signature, self._definitions)
        return Lambda(variables, as_read(drawing.term(result, choices, choices.pick(_IN_FUNCTION))))

    def _expanded(self, definition: DefinedFunction, choices: Choices, fuel: int) -> Term:
        share = (fuel - definition.body.size) // max(1, len(definition.parameters))
        terms: dict[Variable, Term] = {
            p: super(ProblemDrawing, self).term(p.sort, choices, share) for p in definition.parameters
        }
        return as_read(substitute(definition.body, terms))


def _weighted(kinds: Sequence[tuple[str, int]], choices: Choices) -> str:
    number = choices.index(sum(weight for _, weight in kinds))
    for name, weight in kinds:
        if number < weight:
            return name
        number -= weight
    return kinds[0][0]


# Quantifiers ---------------------------------------------------------------------------------------


def place_of(formula: Term, variable: Variable) -> Path:
    """Return the longest common path to all uses of a variable, cut to the last formula other than the variable."""
    path: list[int] = []
    last, here = 0, formula
    while True:
        if here.sort is BOOL and here is not variable:
            last = len(path)
        using = [number for number, child in enumerate(here.children) if variable in _variables(child)]
        if len(using) != 1:
            return tuple(path[:last])
        path.append(using[0])
        here = here.children[using[0]]


def _variables(term: Term) -> Sequence[Variable]:
    return (term,) if isinstance(term, Variable) else free_variables(term)


def quantified(formula: Term, kinds: Mapping[Variable, str]) -> Term:
    """Bind the free variables of a formula, each by its kind of quantifier and at its own place."""
    places: dict[Path, list[Variable]] = {}
    for variable in _variables(formula):
        places.setdefault(place_of(formula, variable), []).append(variable)
    for path in sorted(places, key=lambda path: (-len(path), path)):
        body = at(formula, path)
        for kind in ("exists", "forall"):
            bound = [variable for variable in places[path] if kinds[variable] == kind]
            body = Quantifier(kind, bound, body) if bound else body
        formula = replace_at(formula, path, body)
    return formula


# Declarations --------------------------------------------------------------------------------------


def closed(formulas: Sequence[Term], groups: Iterable[tuple[Datatype, ...]] = ()) -> Problem:
    """Return the problem that asserts these formulas and declares what they use: each sort and function once.

    `groups` are data types that others may use, in the order of their declarations.
    """
    functions: dict[Function, None] = {}
    sorts: dict[Sort, None] = {}
    for formula in formulas:
        sorts.update(dict.fromkeys(sorts_in(formula)))
        for term in subterms(formula):
            if isinstance(term, Call):
                functions[term.function] = None
    for function in functions:
        sorts.update(dict.fromkeys((*function.parameters, function.result)))
    used = with_declared_sorts(sorts)
    own = tuple(group for group in groups if any(datatype.sort in used for datatype in group))
    uninterpreted = sorted((sort for sort in used if sort.is_uninterpreted), key=lambda sort: sort.name)
    return Problem(own, tuple(uninterpreted), tuple(functions), tuple(map(Assertion, formulas)))
