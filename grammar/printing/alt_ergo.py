"""Problems in the native language of Alt-Ergo, which proves goals: the last assertion becomes the negation of the goal.

The goal is valid if and only if the problem is unsatisfiable. The language lacks quoted names, constant arrays and most
operators on bit-vectors; names are replaced, constant arrays become functions with axioms (`constant_arrays`), and
other operators are an error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printing.constant_arrays import without_constant_arrays
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.sorts import BOOL, INT, Constructor, Datatype, Sort
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.terms import Apply, Call, Quantifier, Term, Value, Variable, is_operator, subterms
from chcfuzz.grammar.theory import alt_ergo_forms, split_operator

MAX_NODES = 100_000  # of an assertion as a tree
_KEYWORDS = frozenset(
    """ac and axiom bitv bool case_split check check_sat cut distinct else end exists extends false farray for forall
    function goal if in include int let logic match not of or predicate prop real rewriting then theory true type unit
    void with xor real_of_int int_floor real_of floor_of real_of_zero real_of_next real_of_order floor_of_whole
    floor_of_least""".split()  # noqa: SIM905 - a list of them would be no easier to read
)
# Version 2.4 does not have these conversions. Axioms that are true of them are enough: only an answer unsat counts.
_CONVERSIONS = """logic real_of : int -> real
logic floor_of : real -> int
axiom real_of_zero : real_of(0) = 0.0
axiom real_of_next : forall i : int. real_of(i + 1) = real_of(i) + 1.0
axiom real_of_order : forall i, j : int. i < j -> real_of(i) + 1.0 <= real_of(j)
axiom floor_of_whole : forall i : int. floor_of(real_of(i)) = i
axiom floor_of_least : forall r : real. real_of(floor_of(r)) <= r and r < real_of(floor_of(r)) + 1.0"""
_CONVERTING = frozenset(("to_real", "to_int", "is_int"))
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def print_alt_ergo(problem: Problem) -> str:
    """Return a problem as a goal of Alt-Ergo; raises `ChcfuzzError` if the language lacks an operator of it."""
    return _Writer(without_constant_arrays(problem)).text()


class _Writer:
    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._taken = set(_KEYWORDS)
        self._sorts: dict[Sort, str] = {}
        self._functions: dict[str, str] = {}
        self._constructors: dict[tuple[Sort, str], str] = {}
        self._selectors: dict[tuple[Sort, str], str] = {}

    def text(self) -> str:
        problem = self._problem
        for sort in problem.sorts:
            self._sorts[sort] = self._new(sort.name)
        for group in problem.datatypes:
            self._sorts |= {each.sort: self._new(each.name) for each in group}
        lines = [f"type {self._sorts[sort]}" for sort in problem.sorts]
        lines += [self._datatypes(group) for group in problem.datatypes]
        for function in problem.functions:
            name = self._functions[function.name] = self._new(function.name)
            domain = ", ".join(map(self._sort, function.parameters))
            lines.append(f"logic {name} : {domain} -> {self._sort(function.result)}".replace(":  ->", ":"))
        used = {here.operator for each in problem.formulas for here in subterms(each) if isinstance(here, Apply)}
        lines += [_CONVERSIONS] if used & _CONVERTING else []
        *axioms, last = problem.formulas or (Value(True, BOOL),)
        for number, axiom in enumerate(axioms):
            lines.append(f"axiom {self._new(f'axiom_{number}')} : {self._formula(axiom)}")
        goal = self._formula(last.children[0]) if is_operator(last, "not") else f"not {self._formula(last)}"
        lines.append(f"goal {self._new('goal_0')} : {goal}\n")
        return "\n".join(lines)

    def _new(self, name: str) -> str:
        """Return an identifier like a name, which nothing else has."""
        plain = name if _IDENTIFIER.fullmatch(name) else "n_" + re.sub(r"[^A-Za-z0-9_]", "_", name)
        found = fresh_name(plain, self._taken).replace("!", "_")
        while found in self._taken:
            found += "_"
        self._taken.add(found)
        return found

    def _datatypes(self, group: Sequence[Datatype]) -> str:
        return "type " + "\nand ".join(
            f"{self._sorts[each.sort]} = {' | '.join(self._constructor(each.sort, c) for c in each.constructors)}"
            for each in group
        )

    def _constructor(self, sort: Sort, constructor: Constructor) -> str:
        name = self._constructors[sort, constructor.operator] = self._new(constructor.name)
        fields = []
        for selector in constructor.selectors:
            field = self._selectors[sort, selector.operator] = self._new(selector.name)
            fields.append(f"{field} : {self._sort(selector.sort)}")
        return f"{name} of {{ {'; '.join(fields)} }}" if fields else name

    def _sort(self, sort: Sort) -> str:
        if sort.is_array:
            return f"({self._sort(sort.index)}, {self._sort(sort.element)}) farray"
        if sort.is_bitvector:
            return f"bitv[{sort.width}]"
        return self._sorts.get(sort) or sort.name.lower()  # Bool, Int, Real

    # Terms

    def _formula(self, formula: Term) -> str:
        if formula.size > MAX_NODES:
            raise ChcfuzzError(f"an assertion of {formula.size} nodes; Alt-Ergo's form is written up to {MAX_NODES}")
        variables = {here for here in subterms(formula) if isinstance(here, Variable)}
        variables |= {each for here in subterms(formula) if isinstance(here, Quantifier) for each in here.variables}
        before = set(self._taken)
        names = {
            variable: self._new(variable.name)
            for variable in sorted(variables, key=lambda each: (each.name, str(each.sort)))
        }
        text = self._text(formula, names)
        self._taken = before
        return text

    def _text(self, formula: Term, names: dict[Variable, str]) -> str:
        done: dict[Term, str] = {}
        stack: list[Term] = [formula]
        while stack:
            here = stack[-1]
            waiting = [child for child in here.children if child not in done]
            if waiting:
                stack += waiting
                continue
            done[stack.pop()] = self._node(here, [done[child] for child in here.children], names)
        return done[formula]

    def _node(self, here: Term, args: list[str], names: dict[Variable, str]) -> str:
        if isinstance(here, Variable):
            return names[here]
        if isinstance(here, Value):
            return _value(here)
        if isinstance(here, Quantifier):
            bound = ", ".join(f"{names[each]} : {self._sort(each.sort)}" for each in here.variables)
            return f"({here.kind} {bound}{self._triggers(here, names)}. {args[0]})"
        if isinstance(here, Call):
            return _called(self._functions[here.function.name], args)
        assert isinstance(here, Apply)
        return self._of_datatype(here, args) or _operator(here, args)

    def _triggers(self, here: Quantifier, names: dict[Variable, str]) -> str:
        patterns = (", ".join(self._text(term, names) for term in pattern) for pattern in here.patterns)
        return f" [{' | '.join(patterns)}]" if here.patterns else ""

    def _of_datatype(self, here: Apply, args: list[str]) -> str | None:
        made = self._constructors.get((here.sort, here.operator))
        if made is not None:
            return _called(made, args)
        if len(args) != 1:
            return None
        of = here.children[0].sort
        taken = self._selectors.get((of, here.operator))
        if taken is not None:
            return f"({args[0]}#{taken})"
        constructors = of.datatype.constructors if of.datatype else ()
        if any(constructor.tester == here.operator for constructor in constructors) and len(constructors) == 1:
            return "true"  # such a type is a record, which does not have testers
        for constructor in constructors:
            if constructor.tester == here.operator:
                return f"({args[0]} ? {self._constructors[of, constructor.operator]})"
        return None


def _called(name: str, args: Sequence[str]) -> str:
    return f"{name}({', '.join(args)})" if args else name


def _value(term: Value) -> str:
    if term.sort is BOOL:
        return "true" if term.value else "false"
    if term.sort.is_bitvector:
        return f"[|{int(term.value):0{term.sort.width}b}|]"
    number = Fraction(term.value)
    whole = f"{abs(number.numerator)}" if term.sort is INT else f"{abs(number.numerator)}.0"
    text = whole if number.denominator == 1 else f"({whole} / {number.denominator}.0)"
    return text if number >= 0 else f"(- {text})"


def _operator(here: Apply, args: list[str]) -> str:
    name, indices = split_operator(here.operator)
    form = alt_ergo_forms().get(name)
    if form is None:
        raise ChcfuzzError(f"{here.operator} is not an operator of Alt-Ergo's native language")
    return form(here.children[0].sort if here.children else BOOL, indices, args)
