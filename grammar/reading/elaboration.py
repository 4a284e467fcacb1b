"""From trees of tokens to terms: scopes, sorts, and the meaning of names.

`let` and definitions are expanded into shared terms; a bound variable that hides another is renamed. Works without
recursion over terms: benchmarks nest `let` thousands deep.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from chcfuzz.grammar.errors import GrammarError, Refusal, SortError
from chcfuzz.grammar.reading.declarations import SMT_PROBLEMS, Declarations, Definition, Overload
from chcfuzz.grammar.reading.leniences import applied, fitted, indexed, words
from chcfuzz.grammar.reading.syntax import labels_of, spelled, symbol_of, tree_of, values_of
from chcfuzz.grammar.reading.tree import Node, Tree
from chcfuzz.grammar.sorts import BOOL, Constructor, Sort
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.terms import (
    MAX_DEPTH,
    TOO_DEEP,
    TRUE,
    Apply,
    Atom,
    Call,
    Lambda,
    Patterns,
    Quantifier,
    Term,
    Variable,
    free_variables,
)
from chcfuzz.grammar.theory import constants, literal, qualified, takers_of_functions
from lark import Token

LAMBDA = Lambda.kind


class Elaboration:
    """One term from its tree: a stack of steps to do, and one of terms done."""

    def __init__(self, declared: Declarations, scope: Mapping[str, Term]) -> None:
        """`scope` holds the meanings of further names, which are not declared."""
        self._declared = declared
        self._scope = dict(scope)
        self._bound: list[str] = []  # names of the variables that quantifiers around bind
        self._depth = 0  # number of these quantifiers
        self._has_lambda = False
        # Pieces to enter, applications whose arguments are done, and what else to do after pieces.
        self._steps: list[Node | tuple[Tree] | Callable[[], None]] = []
        self._done: list[Term] = []

    def run(self, root: Node) -> Term:
        """Return the term of a piece; raises `GrammarError`."""
        self._bound.extend(term.name for term in self._scope.values() if isinstance(term, Variable))
        steps, done = self._steps, self._done
        steps.append(root)
        while steps:
            step = steps.pop()
            if isinstance(step, Token):
                done.append(self._leaf(step))
            elif isinstance(step, tuple):
                self._apply(step[0])
            elif isinstance(step, Tree):
                self._enter(step)
            else:
                step()
        return done.pop()

    def _later(self, node: Node) -> None:
        self._steps.append(node)

    def _enter(self, node: Tree) -> None:
        rule, parts = node.rule, node.children
        if rule == "application":
            self._steps.append((node,))
            self._steps += parts[:0:-1]
        elif rule == "let":
            *bindings, body = parts
            self._steps.append(lambda: self._bind(bindings, body))
            for binding in reversed(bindings):
                self._later(binding.children[1])
        elif rule == "quantified":
            self._quantify(node)
        elif rule == "annotated":
            self._steps.append(lambda: self._name(node))
            self._later(parts[0])
        elif rule == "match":
            self._steps.append(lambda: self._match(node, parts[1:]))
            self._later(parts[0])
        else:
            self._done.append(self._indexed(node))

    def _bind(self, bindings: list[Tree], body: Node) -> None:
        values = self._take(len(bindings))
        names = [symbol_of(binding.children[0]) for binding in bindings]
        self._with_names(dict(zip(names, values, strict=True)))
        self._later(body)

    def _with_names(self, names: dict[str, Term]) -> None:
        """Let names stand for terms until the steps pushed from now on are done."""
        scope = self._scope
        before = {name: scope.get(name) for name in names}
        scope.update(names)

        def restore() -> None:
            for name, term in before.items():
                if term is None:
                    del scope[name]
                else:
                    scope[name] = term

        self._steps.append(restore)

    def _quantify(self, node: Tree) -> None:
        kind, *declared, body = node.children
        if kind not in ("forall", "exists") and not (kind == LAMBDA and self._declared.language == SMT_PROBLEMS):
            raise self._declared.error(kind, f"no part of {self._declared.language}")
        self._has_lambda = self._has_lambda or kind == LAMBDA
        if self._depth == MAX_DEPTH:  # else the names of ever more variables would take quadratic time
            raise self._declared.error(kind, TOO_DEEP)
        self._depth += 1
        variables = self._declared.bound(declared, self._bound)
        patterns = self._patterns(body, variables)
        self._bound += [variable.name for variable in variables.values()]

        def build() -> None:
            self._depth -= 1
            del self._bound[-len(variables) :]
            self._check(node, lambda: self._quantified(str(kind), variables, self._done.pop(), patterns))

        self._steps.append(build)
        self._with_names(dict(variables))
        self._later(body)

    def _patterns(self, body: Node, variables: dict[str, Variable]) -> Patterns:
        """Return the patterns that annotate a body; raises `GrammarError` for one that is not a list of terms.

        They are empty in CHC systems, which Z3 solves without patterns.
        """
        scope = {**self._scope, **variables}
        for attribute, value in values_of(body, ":no-pattern"):
            self._term_of_value(attribute if value is None else value, scope)
        found = [
            tuple(self._term_of_value(part, scope) for part in self._parts_of_pattern(attribute, value, scope))
            for attribute, value in values_of(body, ":pattern")
        ]
        return tuple(found) if self._declared.language == SMT_PROBLEMS else ()

    def _parts_of_pattern(self, attribute: Tree, value: Node | None, scope: Mapping[str, Term]) -> Sequence[Node]:
        """Return the terms of a pattern. As in Z3, `(f x)` is the application and not a list of two terms."""
        if not isinstance(value, Tree):
            raise self._declared.error(attribute if value is None else value, "a pattern is a list of terms")
        head = value.children[0] if len(value.children) > 1 else None
        is_application = isinstance(head, Token) and self._takes_arguments(symbol_of(head), scope)
        return [value] if is_application else value.children

    def _takes_arguments(self, name: str, scope: Mapping[str, Term]) -> bool:
        declared = self._declared
        symbol = declared.functions.get(name) or declared.predicates.get(name)
        return name not in scope and (bool(symbol.parameters) if symbol else name in words())

    def _term_of_value(self, value: Node, scope: Mapping[str, Term]) -> Term:
        return term_of_value(self._declared, value, scope)

    def _quantified(self, kind: str, variables: dict[str, Variable], body: Term, patterns: Patterns) -> Term:
        """Return the binder, with the original names of its variables if they capture nothing in the body."""
        names = {variable.name for variable in (*free_variables(body), *variables.values())}
        own = {}
        for name, variable in variables.items():
            if name not in names and name not in self._declared.symbols:
                own[variable] = Variable(name, variable.sort)
                names.add(name)
        bound = tuple(own.get(variable, variable) for variable in variables.values())
        if kind == LAMBDA:
            return Lambda(bound, substitute(body, own))
        renamed = tuple(tuple(substitute(term, own) for term in pattern) for pattern in patterns)
        return Quantifier(kind, bound, substitute(body, own), renamed)

    def _match(self, node: Tree, cases: Sequence[Tree]) -> None:
        """Translate the cases to nested `ite`; the last case is the default."""
        subject = self._done.pop()
        patterns = [self._pattern(case.children[0], subject) for case in cases]
        made = {constructor for constructor, _ in patterns}
        if None not in made and subject.sort.datatype and made != set(subject.sort.datatype.constructors):
            raise self._declared.error(node, "not every constructor has a case")

        def build() -> None:
            *bodies, term = self._take(len(cases))
            for (constructor, _), body in zip(reversed(patterns[:-1]), reversed(bodies), strict=True):
                is_made = TRUE if constructor is None else Apply(constructor.tester, (subject,), BOOL)
                term = applied("ite", [is_made, body, term])
            self._done.append(term)

        self._steps.append(lambda: self._declared.checked(node, build))
        for (_, names), case in reversed(list(zip(patterns, cases, strict=True))):
            self._steps.append(partial(self._case, names, case.children[1]))

    def _case(self, names: dict[str, Term], body: Node) -> None:
        self._with_names(names)
        self._later(body)

    def _pattern(self, pattern: Node, subject: Term) -> tuple[Constructor | None, dict[str, Term]]:
        """Which constructor a pattern is of, None if it takes all, and what its variables stand for."""
        head, *variables = pattern.children if isinstance(pattern, Tree) else [pattern]
        operators = {overload.operator for overload in self._declared.overloads(symbol_of(head))}
        datatype = subject.sort.datatype
        if datatype is None:
            raise self._declared.error(head, f"match takes a data type apart, not {subject.sort}")
        constructor = next((found for found in datatype.constructors if found.operator in operators), None)
        if constructor is None and isinstance(pattern, Token):
            return None, {symbol_of(pattern): subject}
        if constructor is None or len(constructor.selectors) != len(variables):
            raise self._declared.error(head, f"no pattern of {subject.sort}")
        names: dict[str, Term] = {}
        for variable, selector in zip(variables, constructor.selectors, strict=True):
            if symbol_of(variable) in names and variable != "_":
                raise self._declared.error(variable, "bound twice")
            names[symbol_of(variable)] = Apply(selector.operator, (subject,), selector.sort)
        return constructor, names

    def _name(self, node: Tree) -> None:
        for name in labels_of(node):
            if not self._declared.rule_variables.issuperset(free_variables(self._done[-1])):
                raise self._declared.error(name, "only a closed term may be named")
            self._declared.new_symbol(name)
            self._declared.macros[symbol_of(name)] = Definition((), self._done[-1])

    def _take(self, number: int) -> list[Term]:
        taken = self._done[len(self._done) - number :]
        del self._done[len(self._done) - number :]
        return taken

    def _check(self, node: Node, make: Callable[[], Term]) -> None:
        self._done.append(self._declared.checked(node, make))

    def _leaf(self, token: Token) -> Term:
        make = constants().get(token.type)
        if make is None:
            return self._symbol(token, symbol_of(token))
        return self._declared.constant(token, make)

    def _known(self, name: str) -> Term | None:
        return self._scope.get(name) or self._declared.leaves.get(name)

    def _symbol(self, token: Token, name: str) -> Term:
        known = self._known(name)
        if known is not None:
            return known
        function = self._declared.functions.get(name)
        if function is not None and not function.parameters:
            return self._declared.leaves.setdefault(name, Call(function))
        try:
            return self._application(token, name, [])
        except SortError as error:
            raise self._declared.error(token, error) from None

    def _indexed(self, node: Tree) -> Term:
        head, *indices = node.children
        if node.rule == "qualified":
            return self._declared.checked(node, lambda: self._qualified(node, []))
        if all(index.type == "HEXADECIMAL" or str(index).isdecimal() for index in indices):
            numbers = tuple(map(self._declared.index, indices))
            found: Term | None = self._declared.checked(node, lambda: literal(symbol_of(head), numbers))
            if found is not None:
                return found
        raise self._declared.unknown(node, "symbol", f"(_ {spelled(node)})")

    def _qualified(self, node: Tree, args: list[Term]) -> Term:
        """`(as const (Array I E))` applied to an element, or a variable, function or constructor with its sort."""
        head, of = node.children
        name, wanted = symbol_of(head), self._declared.sort(of)
        if name == "const" and wanted.is_array and len(args) == 1:
            (element,) = fitted(args, [wanted.element])
            if element.sort is wanted.element:
                return Apply(f"(as const {wanted})", (element,), wanted)
        if name in qualified() and not args:
            return qualified()[name](wanted)  # type: ignore[no-any-return]
        made = (None if args else self._known(name)) or self._application(head, name, args, wanted)
        if made.sort is not wanted:
            raise self._declared.error(node, f"has sort {made.sort}, not {wanted}")
        return made

    def _apply(self, node: Tree) -> None:
        args = self._take(len(node.children) - 1)
        head = node.children[0]
        if self._has_lambda and not (isinstance(head, Token) and symbol_of(head) in takers_of_functions()):
            self._refuse_functions(node, head, args)
        if isinstance(head, Token):
            try:
                self._done.append(self._application(head, symbol_of(head), args))
            except SortError as error:
                raise self._declared.error(node, error) from None
        elif head.rule == "qualified":
            self._check(node, lambda: self._qualified(head, args))
        else:
            name, *indices = head.children
            if symbol_of(name) == "is" and len(indices) == 1:
                self._check(node, lambda: self._tester(head, indices[0], args))
            else:
                is_one_word = symbol_of(name).split() == [symbol_of(name)]  # as in all operators, and not in |a b|
                if not (is_one_word and all(index.type == "NUMERAL" for index in indices)):
                    raise self._declared.unknown(head, "operator", f"(_ {spelled(head)})")
                numbers = [self._declared.index(index) for index in indices]
                self._check(node, lambda: indexed(symbol_of(name), numbers, args))

    def _refuse_functions(self, node: Tree, head: Node, args: Sequence[Term]) -> None:
        if any(isinstance(each, Lambda) for each in args):
            names = ", ".join(takers_of_functions())
            error = self._declared.error(node, f"lambda is read as an argument of {names} alone")
            is_known = not isinstance(head, Token) or symbol_of(head) in words()
            raise error if is_known else error.because(Refusal.UNKNOWN)

    def _tester(self, node: Node, constructor: Token, args: list[Term]) -> Term:
        overloads = list(self._declared.testers(symbol_of(constructor)))
        if not overloads:
            raise self._declared.unknown(node, "operator", f"(_ is {spelled(constructor)})")
        return self._chosen(node, f"(_ is {spelled(constructor)})", overloads, args)

    def _application(self, node: Node, name: str, args: list[Term], wanted: Sort | None = None) -> Term:
        """Apply the meaning of a name; `wanted` selects among the meanings for several data types."""
        declared = self._declared
        if args and name in declared.words:
            return applied(name, args)
        predicate = declared.predicates.get(name)
        if predicate is not None:
            return Atom(predicate, fitted(args, predicate.parameters))
        function = declared.functions.get(name)
        if function is not None:
            return Call(function, fitted(args, function.parameters))
        macro = declared.macros.get(name)
        if macro is not None:
            return self._expanded(node, name, macro, args)
        overloads = list(declared.overloads(name))
        if not overloads and name.startswith("is-"):  # Z3's older spelling of testers
            overloads = list(declared.testers(name[3:]))
        if overloads:
            chosen = [overload for overload in overloads if overload.result is wanted] or overloads
            return self._chosen(node, name, chosen, args)
        if args and name in words():  # in CHC systems, a symbol that the script declares hides such an operator
            return applied(name, args)
        if name in declared.constants:
            what = (
                "a free constant, which no Horn clause can state; bind it with forall, or assert first what it equals"
            )
            raise declared.error(node, what, name)
        raise declared.unknown(node, "operator" if args else "symbol", name)

    def _chosen(self, node: Node, name: str, overloads: Sequence[Overload], args: list[Term]) -> Term:
        """Return the meaning that takes these arguments."""
        found = []
        for overload in overloads:
            fit = fitted(args, overload.domain)
            if tuple(arg.sort for arg in fit) == overload.domain:
                found.append(Apply(overload.operator, fit, overload.result))
        if not found:
            raise self._declared.error(node, f"{name} takes other arguments than ({_sorts(args)})")
        if len(found) > 1:
            sorts = ", ".join(str(term.sort) for term in found)
            raise self._declared.error(node, f"may be of sort {sorts}; say which, with (as {name} SORT)")
        return found[0]

    def _expanded(self, node: Node, name: str, macro: Definition, args: list[Term]) -> Term:
        wanted = [variable.sort for variable in macro.parameters]
        fit = fitted(args, wanted)
        if [arg.sort for arg in fit] != wanted:
            raise self._declared.error(node, f"{name} takes other arguments than ({_sorts(args)})")
        return substitute(macro.body, dict(zip(macro.parameters, fit, strict=True)))


def term_of_value(declared: Declarations, value: Node, scope: Mapping[str, Term]) -> Term:
    """Return the term that a piece outside of terms states, such as an attribute's value; raises `GrammarError`."""
    try:
        return Elaboration(declared, scope).run(tree_of(spelled(value), declared.name, "term"))
    except GrammarError as error:  # its place is in the piece
        raise declared.error(value, error.what, error.text).because(error.refusal) from None


def _sorts(terms: Sequence[Term]) -> str:
    return " ".join(str(term.sort) for term in terms)
