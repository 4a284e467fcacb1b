"""Systems to text: canonical, stable, and what Z3, cvc5 and `parse` read back as the same system.

A term is printed as a tree. Only where sharing would make that much longer than the term, or where the form of the
problem wants it, `let` names what is shared. The text of a clause is kept with its formula, which a mutant shares with
its seed: printing a mutant costs what changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

from chcfuzz.grammar import definitions
from chcfuzz.grammar.check_commands import asserted, commands
from chcfuzz.grammar.definitions import DefinedFunction
from chcfuzz.grammar.form import CASES_INFO, CHECKS_INFO, LET, MATCH, ONCE, PLAIN, SHARING_INFO, WRITTEN, Form
from chcfuzz.grammar.logics import stated_logic
from chcfuzz.grammar.printing.matches import LET_HEAD, with_matches
from chcfuzz.grammar.problem import Assertion, BaseProblem, Problem
from chcfuzz.grammar.queries import needed_options, stated_queries, written_query
from chcfuzz.grammar.recursion import RecursiveFunction, in_groups
from chcfuzz.grammar.solver_options import is_allowed
from chcfuzz.grammar.sort_kinds import kind_of
from chcfuzz.grammar.sorts import BOOL, Datatype, Sort
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import (
    Apply,
    Atom,
    Binder,
    Call,
    Quantifier,
    Term,
    Value,
    Variable,
    is_operator,
    kept,
    subterms,
)
from chcfuzz.grammar.written_checks import written

# A term is printed with `let` if its tree has more nodes than this for each node of the shared term.
_SHARED_ENOUGH = 2
_SHORT = 50  # a term of so few nodes never is
_WORTH_A_NAME = 4  # nodes of a shared subterm, and
_WORTH_A_NAME_IN_LET = 2  # if the form of the problem has `let`
_THEORIES_IN_HORN = frozenset(("LIA", "LRA", "Arrays", "BV", "ADT", "UF"))


def print_system(system: System) -> str:
    """Return the script of a system, with `check-sat` at its end; `parse` of it is the same system.

    In the logic HORN, Z3 does not know the sorts of all theories; it does without a logic.
    """
    declarations = [_declaration(predicate.name, predicate.parameters, BOOL) for predicate in system.predicates]
    logic = "HORN" if system.theories <= _THEORIES_IN_HORN else None
    return _script(system, logic, (), declarations, system.clauses)


def print_problem(problem: Problem) -> str:
    """Return the script of a problem, with a check at its end.

    `parse.problem` of it is the same problem, `in_its_form`.
    """
    sorts = [f"(declare-sort {sort} 0)" for sort in problem.sorts]
    recursive = problem.recursive
    defined = {each.function for each in recursive.values()}
    declarations = [
        _declaration(each.name, each.parameters, each.result) for each in problem.functions if each not in defined
    ]
    own = problem.in_its_form.form.definitions
    if recursive:
        declarations += map(print_recursive, in_groups(list(recursive.values())))
        left = [each for number, each in enumerate(problem.assertions) if number not in recursive]
        problem = replace(problem, functions=problem.functions, assertions=tuple(left))
    assertions = problem.assertions
    if own:
        text = definitions.written(own, problem.formulas)
        declarations += map(print_definition, text.definitions)
        assertions = tuple(
            replace(each, formula=formula) for each, formula in zip(assertions, text.formulas, strict=True)
        )
    if problem.form.has_match:
        taken = {*problem.names, *(each.name for each in own)}
        assertions = tuple(replace(each, formula=with_matches(each.formula, taken, print_term)) for each in assertions)
    queries = _queries(problem) if problem.form.queries else ""
    if problem.form.checks.kind == ONCE:
        return _script(problem, stated_logic(problem), sorts, declarations, assertions) + queries
    declared = (*sorts, *map(print_datatypes, problem.datatypes), *declarations)
    return _script_with_checks(problem, declared, assertions) + queries


def _queries(problem: Problem) -> str:
    stated = stated_queries(problem.form.queries, problem.declares)
    return "".join(f"{written_query(each, print_term)}\n" for each in stated)


def _script_with_checks(problem: Problem, declarations: Sequence[str], assertions: Sequence[Assertion]) -> str:
    checks = problem.form.checks
    taken = problem.names | {each.name for each in problem.form.definitions}
    lines = [*_options(problem), *_logic(stated_logic(problem)), f"(set-info :{CHECKS_INFO} {checks})", *declarations]
    if checks.kind == WRITTEN:
        return "\n".join((*lines, *written(problem, assertions, _info(problem), _text_of(problem)), ""))
    texts = [_text_of(problem)(each.formula) for each in assertions]
    return "\n".join((*lines, *commands(assertions, texts, checks, _info(problem), taken), ""))


def print_recursive(group: Sequence[RecursiveFunction]) -> str:
    """Return functions that are defined by each other as `define-fun-rec`, or several as `define-funs-rec`."""
    heads = [
        f"{quoted(each.function.name)} ({' '.join(f'({quoted(v.name)} {v.sort})' for v in each.parameters)}) "
        f"{each.function.result}"
        for each in group
    ]
    bodies = [print_term(each.body) for each in group]
    if len(group) == 1:
        return f"(define-fun-rec {heads[0]} {bodies[0]})"
    return f"(define-funs-rec ({' '.join(f'({head})' for head in heads)}) ({' '.join(bodies)}))"


def print_definition(definition: DefinedFunction) -> str:
    """Return a definition as `define-fun`."""
    parameters = " ".join(f"({quoted(each.name)} {each.sort})" for each in definition.parameters)
    body = print_term(definition.body)
    return f"(define-fun {quoted(definition.name)} ({parameters}) {definition.body.sort} {body})"


def _script(
    problem: BaseProblem,
    logic: str | None,
    sorts: Sequence[str],
    declarations: Sequence[str],
    assertions: Sequence[Assertion],
) -> str:
    lines = [*_options(problem), *_logic(logic), *_info(problem), *sorts]
    lines += [print_datatypes(group) for group in problem.datatypes]
    lines += declarations
    text = _text_of(problem)
    lines += [asserted(each.annotations, text(each.formula)) for each in assertions]
    lines.append("(check-sat)\n")
    return "\n".join(lines)


def _options(problem: BaseProblem) -> list[str]:
    form: Form = getattr(problem, "form", PLAIN)
    if not (problem.options or form.options or form.queries or form.checks.events):
        return []
    queries = (*form.queries, *form.checks.events)
    own = (*form.options, *needed_options(queries)) if queries else form.options
    allowed = [pair for pair in problem.options if is_allowed(*pair)]
    return [f"(set-option :{name} {value})" for name, value in (*own, *allowed)]


def _logic(logic: str | None) -> list[str]:
    return [] if logic is None else [f"(set-logic {logic})"]


def _info(problem: BaseProblem) -> list[str]:
    found = [f"(set-info :{name} {value})" if value else f"(set-info :{name})" for name, value in problem.info]
    form: Form = getattr(problem, "form", PLAIN)
    found += [f"(set-info :{CASES_INFO} {MATCH})"] if form.has_match else []
    return [*found, f"(set-info :{SHARING_INFO} {LET})"] if form.has_let else found


def print_clause(clause: Assertion) -> str:
    """Return the clause, or another assertion, as an `assert`."""
    return asserted(clause.annotations, _formula_text(clause.formula))


def _text_of(problem: BaseProblem) -> Callable[[Term], str]:
    return _text_with_lets if getattr(problem, "form", PLAIN).has_let else _formula_text


def _formula_text(formula: Term) -> str:
    return kept(formula, "text", lambda: laid_out(formula))


def _text_with_lets(formula: Term) -> str:
    """Return the text of a formula with names for shared terms; a `match` is printed as a tree (`matches`)."""
    if any(is_operator(term, MATCH) for term in subterms(formula)):
        return _formula_text(formula)
    return kept(formula, "text with let", lambda: laid_out(formula, has_let=True))


def has_lets(formula: Term) -> bool:
    """Return whether terms of the formula get names if the form of its problem has `let`."""
    return kept(formula, "has lets", lambda: LET_HEAD in _text_with_lets(formula))


def print_term(term: Term) -> str:
    """Return the term as SMT-LIB on one line."""
    return _Printer(term).scope(term)


def print_value(value: Value) -> str:
    """Return a constant as SMT-LIB."""
    return kind_of(value.sort).text(value.value, value.sort)


def laid_out(formula: Term, *, has_let: bool = False) -> str:
    """Return a clause over several lines; with `has_let`, all terms with several places get names."""
    printer = _Printer(formula, has_let)
    if not isinstance(formula, Quantifier):
        return printer.scope(formula)
    body = formula.body
    if is_operator(body, "=>") and len(body.children) == 2 and not printer.shares(body):
        before, after = (printer.scope(child) for child in body.children)
        inner = f"(=> {before}\n        {after})"
    else:
        inner = printer.scope(body)
    inner = printer.annotated(formula, inner)
    return f"({formula.kind} {_bindings(formula)}\n    {inner})"


def _leaf(term: Term) -> str:
    if isinstance(term, Variable):
        return quoted(term.name)
    return print_value(term) if isinstance(term, Value) else _head(term)


def _head(term: Term) -> str:
    if isinstance(term, Apply):
        return term.operator
    if isinstance(term, Atom):
        return quoted(term.predicate.name)
    assert isinstance(term, Call)
    return quoted(term.function.name)


def _bindings(binder: Binder) -> str:
    return "(" + " ".join(f"({quoted(v.name)} {v.sort})" for v in binder.variables) + ")"


def _declaration(name: str, parameters: Sequence[Sort], result: Sort) -> str:
    return f"(declare-fun {quoted(name)} ({' '.join(map(str, parameters))}) {result})"


def print_datatypes(group: tuple[Datatype, ...]) -> str:
    """Return data types that refer to each other as one `declare-datatypes`."""
    names = " ".join(f"({quoted(datatype.name)} 0)" for datatype in group)
    definitions = " ".join(
        "("
        + " ".join(
            "(" + " ".join([quoted(c.name), *(f"({quoted(s.name)} {s.sort})" for s in c.selectors)]) + ")"
            for c in datatype.constructors
        )
        + ")"
        for datatype in group
    )
    return f"(declare-datatypes ({names}) ({definitions}))"


class _Printer:
    """Prints parts of one term; the names of shared subterms are those that nothing in the term has."""

    def __init__(self, root: Term, has_let: bool = False) -> None:
        self._root = root
        self._has_let = has_let
        self._shared = 0

    @cached_property
    def _names(self) -> set[str]:
        names = set()
        for here in subterms(self._root):
            if isinstance(here, Variable):
                names.add(here.name)
            elif isinstance(here, Binder):
                names.update(variable.name for variable in here.variables)
            elif isinstance(here, Atom):
                names.add(here.predicate.name)
            elif isinstance(here, Call):
                names.add(here.function.name)
            elif isinstance(here, Apply):
                names.add(here.operator)
        return names

    def shares(self, term: Term) -> bool:
        """Return whether the term is printed with `let`."""
        if self._has_let:
            return True
        if term.size <= _SHORT:
            return False
        nodes = sum(1 for _ in subterms(term))
        return term.size > _SHARED_ENOUGH * nodes + _SHORT

    def scope(self, term: Term) -> str:
        """Return the text of a whole: a clause, or what a quantifier binds over."""
        if not self.shares(term):
            return self._tree(term, {})
        named: dict[Term, str] = {}
        worth = _WORTH_A_NAME_IN_LET if self._has_let else _WORTH_A_NAME
        levels: list[list[str]] = []
        level_of: dict[Term, int] = {}
        for here, parents in self._parents(term):
            below = max((level_of[child] for child in here.children if not isinstance(here, Binder)), default=0)
            if parents > 1 and here is not term and here.size >= worth:
                text = self._tree(here, named)
                self._shared += 1
                name = quoted(fresh_name(f"a!{self._shared}", self._names))
                while len(levels) <= below:
                    levels.append([])
                levels[below].append(f"({name} {text})")
                named[here] = name
                below += 1
            level_of[here] = below
        lets = "".join(f"{LET_HEAD}{' '.join(level)}) " for level in levels)
        return lets + self._tree(term, named) + ")" * len(levels)

    def annotated(self, quantifier: Binder, body: str) -> str:
        """Return the text of a body with the patterns of its quantifier."""
        if not isinstance(quantifier, Quantifier) or not quantifier.patterns:
            return body
        groups = (" ".join(self._tree(term, {}) for term in pattern) for pattern in quantifier.patterns)
        return f"(! {body} {' '.join(f':pattern ({group})' for group in groups)})"

    def _parents(self, term: Term) -> list[tuple[Term, int]]:
        """Each distinct subterm outside inner quantifiers, children first, with the number of its places."""
        count: dict[Term, int] = {term: 0}
        order: list[Term] = []
        done: set[Term] = set()
        stack = [(term, False)]
        while stack:
            here, expanded = stack.pop()
            if expanded:
                order.append(here)
                continue
            if here in done:
                continue
            done.add(here)
            stack.append((here, True))
            if isinstance(here, Binder):
                continue
            for child in reversed(here.children):
                count[child] = count.get(child, 0) + 1
                stack.append((child, False))
        return [(here, count[here]) for here in order]

    def _tree(self, term: Term, named: dict[Term, str]) -> str:
        pieces: list[str] = []
        stack: list[Term | str] = [term]
        append: Callable[[str], None] = pieces.append
        while stack:
            here = stack.pop()
            if isinstance(here, str):
                append(here)
            elif named and here in named:
                append(named[here])
            elif not here.children:
                append(_leaf(here))
            elif isinstance(here, Binder):
                append(f"({here.kind} {_bindings(here)} {self.annotated(here, self.scope(here.body))})")
            else:
                append(f"({_head(here)}")
                stack.append(")")
                for child in reversed(here.children):
                    if child.children:
                        stack += (child, " ")
                    else:  # in one step: half of all nodes are leaves
                        stack.append(f" {_leaf(child)}")
        return "".join(pieces)
