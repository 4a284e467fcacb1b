"""Text to systems: lark reads the script (`smtlib.lark`), this module gives it sorts and sees that it is Horn.

A script becomes a tree of tokens first and terms second, because only the second knows what is bound where. `let` and
`define-fun` are expanded into shared terms; a bound variable that hides another is renamed. Where Z3 is lenient, the
result is what Z3 understands: an Int in the place of a Real is converted, in constants on the spot.

Everything here works without recursion over terms: benchmarks nest `let` thousands deep.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path as FilePath
from typing import Any

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken

from chcfuzz.grammar.errors import GrammarError, SortError
from chcfuzz.grammar.horn import NotHornError
from chcfuzz.grammar.printer import print_term
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Sort, array, bitvec, sort
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import Clause, Constructor, Datatype, Selector, System
from chcfuzz.grammar.terms import (
    FALSE,
    TRUE,
    Apply,
    Atom,
    Predicate,
    Quantifier,
    Term,
    Value,
    Variable,
    free_variables,
    fresh_name,
    implication,
    real,
    substitute,
    vector,
)
from chcfuzz.grammar.theory import is_interpreted

MAX_QUANTIFIER_DEPTH = 100
_COERCED = frozenset(("+", "-", "*", "/", "<", "<=", ">", ">=", "=", "distinct", "ite"))

Node = Any  # a Token, or a _Tree


class _Tree:
    """A bracketed piece of the script: which rule it was, and its parts."""

    __slots__ = ("children", "rule")

    def __init__(self, rule: str, parts: list[Node]) -> None:
        self.rule = rule
        self.children = parts


class _Trees(Transformer[Token, _Tree]):
    """Makes `_Tree`s while lark parses, which spares its own, slower ones."""

    def __default__(self, data: str, children: list[Node], meta: Any) -> _Tree:
        return _Tree(data, children)


@cache
def _parsers() -> Lark:
    grammar = FilePath(__file__).with_name("smtlib.lark").read_text()
    return Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        start=["start", "term"],
        transformer=_Trees(),
        maybe_placeholders=False,
    )


def parse(text: str, name: str = "<text>") -> System:
    """The system that a script states; raises `GrammarError`, which names the place, for anything else."""
    script = _Script(name)
    for command in _tree(text, name, "start").children:
        script.run(command)
    if not script.clauses and not script.predicates:
        raise GrammarError(name, 1, 1, "no clause and no predicate: this is no CHC system", text[:60])
    return script.system()


def parse_term(text: str, variables: Sequence[Variable] = (), system: System | None = None, name: str = "<term>") -> Term:
    """The term that a text states over these free variables and the predicates and data types of a system."""
    script = _Script(name)
    if system is not None:
        script.adopt(system)
    return script.term(_tree(text, name, "term"), {variable.name: variable for variable in variables})


def _tree(text: str, name: str, start: str) -> _Tree:
    try:
        tree = _parsers().parse(text, start=start)
    except UnexpectedInput as error:
        raise _syntax_error(text, name, error) from None
    return tree  # type: ignore[return-value]


def _syntax_error(text: str, name: str, error: UnexpectedInput) -> GrammarError:
    line, column = max(error.line, 1), max(error.column, 1)
    if isinstance(error, UnexpectedCharacters):
        return GrammarError(name, line, column, "unexpected character", text[error.pos_in_stream or 0 :][:20])
    if isinstance(error, UnexpectedEOF) or (isinstance(error, UnexpectedToken) and error.token.type == "$END"):
        lines = text.splitlines() or [""]
        return GrammarError(name, len(lines), len(lines[-1]) + 1, "the text ends inside a bracket", lines[-1][-20:])
    if isinstance(error, UnexpectedToken):
        position = error.token.start_pos or 0
        return GrammarError(name, line, column, "unexpected here", text[position : position + 40])
    return GrammarError(name, line, column, "not understood", "")


def _first(node: Node) -> Token:
    """The first token of a piece, for error positions."""
    while isinstance(node, _Tree):
        if not node.children:
            return Token("NOTHING", "", line=1, column=1)
        node = node.children[0]
    assert isinstance(node, Token)
    return node


def _symbol(token: Token) -> str:
    return str(token[1:-1]) if token.type == "QUOTED" else str(token)


def _spelled(node: Node) -> str:
    """Source text of an attribute's value."""
    return str(node) if isinstance(node, Token) else " ".join(map(_spelled, node.children))


@dataclass(frozen=True)
class _Macro:
    parameters: tuple[Variable, ...]
    body: Term


@dataclass
class _Script:
    """The state while the commands of a script run in order."""

    name: str
    info: list[tuple[str, str]] = field(default_factory=list)
    options: list[tuple[str, str]] = field(default_factory=list)
    datatypes: list[tuple[Datatype, ...]] = field(default_factory=list)
    predicates: dict[str, Predicate] = field(default_factory=dict)
    clauses: list[Clause] = field(default_factory=list)
    macros: dict[str, _Macro] = field(default_factory=dict)
    sort_names: dict[str, tuple[tuple[str, ...], Node | None]] = field(default_factory=dict)
    rule_variables: dict[str, Variable] = field(default_factory=dict)
    signature: dict[str, list[tuple[tuple[Sort, ...], Sort]]] = field(default_factory=dict)

    def system(self) -> System:
        return System(
            tuple(self.datatypes),
            tuple(self.predicates.values()),
            tuple(self.clauses),
            tuple(self.info),
            tuple(self.options),
        )

    def adopt(self, system: System) -> None:
        self.datatypes = list(system.datatypes)
        self.predicates = {predicate.name: predicate for predicate in system.predicates}
        self.signature = {name: list(overloads) for name, overloads in system.signature.items()}
        for group in system.datatypes:
            self.sort_names.update({datatype.name: ((), None) for datatype in group})

    def error(self, node: Node, what: str, text: str | None = None) -> GrammarError:
        token = _first(node)
        return GrammarError(self.name, token.line or 1, token.column or 1, what, str(token) if text is None else text)

    # Commands

    def run(self, command: _Tree) -> None:
        getattr(self, f"_{command.rule}")(command, *command.children)

    def _ignored(self, _command: _Tree, *_parts: Node) -> None:
        pass

    def _set_logic(self, command: _Tree, logic: Token) -> None:
        if _symbol(logic) not in ("HORN", "ALL"):
            raise self.error(logic, "not a CHC logic; write (set-logic HORN)")

    def _set_info(self, _command: _Tree, keyword: Token, value: Node = "") -> None:
        self.info.append((str(keyword[1:]), _spelled(value) if value else ""))

    def _set_option(self, _command: _Tree, keyword: Token, value: Node = "") -> None:
        name = str(keyword[1:])
        if name.startswith(("fp.", "fp:")):  # others steer what is printed, not what is solved
            self.options.append((name, _spelled(value) if value else ""))

    def _declare_sort(self, _command: _Tree, name: Token, *_arity: Token) -> None:
        raise self.error(name, "uninterpreted sorts are no part of CHC systems")

    def _define_sort(self, _command: _Tree, name: Token, parameters: _Tree, definition: Node) -> None:
        self.sort_names[_symbol(name)] = (tuple(map(_symbol, parameters.children)), definition)

    def _declare_datatypes(self, _command: _Tree, declared: _Tree, defined: _Tree) -> None:
        if len(declared.children) != len(defined.children):
            raise self.error(declared, f"{len(declared.children)} data types declared, {len(defined.children)} defined")
        for declaration in declared.children:
            if str(declaration.children[1]) != "0":
                raise self.error(declaration, "data types with parameters are not supported")
        self._add_datatypes([d.children[0] for d in declared.children], defined.children)

    def _declare_datatype(self, _command: _Tree, name: Token, definition: _Tree) -> None:
        self._add_datatypes([name], [definition])

    def _add_datatypes(self, names: list[Token], definitions: list[_Tree]) -> None:
        for name in names:
            if _symbol(name) in self.sort_names or sort(_symbol(name)) in (BOOL, INT, REAL):
                raise self.error(name, "a sort of this name exists already")
            self.sort_names[_symbol(name)] = ((), None)
        group = []
        for name, definition in zip(names, definitions, strict=True):
            if definition.rule == "parametric":
                raise self.error(definition, "data types with parameters are not supported")
            group.append(Datatype(_symbol(name), tuple(map(self._constructor, definition.children))))
        self.datatypes.append(tuple(group))
        self.signature = {
            operator: list(overloads) for operator, overloads in System(tuple(self.datatypes), (), ()).signature.items()
        }

    def _constructor(self, node: _Tree) -> Constructor:
        name, *selectors = node.children
        return Constructor(
            _symbol(name), tuple(Selector(_symbol(s.children[0]), self.sort(s.children[1])) for s in selectors)
        )

    def _declare_fun(self, _command: _Tree, name: Token, domain: _Tree, result: Node) -> None:
        if self.sort(result) is not BOOL:
            raise self.error(name, "only predicates may be declared: functions and constants of other sorts than Bool are no part of CHC systems")
        self._add_predicate(name, domain)

    def _declare_const(self, command: _Tree, name: Token, result: Node) -> None:
        self._declare_fun(command, name, _Tree("sorts", []), result)

    def _declare_rel(self, _command: _Tree, name: Token, domain: _Tree) -> None:
        self._add_predicate(name, domain)

    def _add_predicate(self, name: Token, domain: _Tree) -> None:
        symbol = _symbol(name)
        if symbol in self.predicates or symbol in self.signature or is_interpreted(symbol):
            raise self.error(name, "declared already")
        self.predicates[symbol] = Predicate(symbol, tuple(map(self.sort, domain.children)))

    def _define_fun(self, _command: _Tree, name: Token, parameters: _Tree, result: Node, body: Node) -> None:
        variables = self._variables(parameters.children, frozenset())
        wanted = self.sort(result)
        term = self.term(body, dict(variables))
        if wanted is REAL and term.sort is INT:
            term = _to_real(term)
        if term.sort is not wanted:
            raise self.error(body, f"the definition has sort {term.sort}, not {wanted}")
        self.macros[_symbol(name)] = _Macro(tuple(variables.values()), term)

    def _assertion(self, command: _Tree, node: Node) -> None:
        name = None
        while isinstance(node, _Tree) and node.rule == "annotated":
            name = _named(node) or name
            node = node.children[0]
        self._add_clause(command, node, name, self.term(node, {}))

    def _add_clause(self, command: _Tree, node: Node, name: str | None, formula: Term) -> None:
        if formula.sort is not BOOL:
            raise self.error(node, f"a clause has sort Bool, not {formula.sort}")
        clause = Clause(formula, name)
        try:
            _ = clause.reading
        except NotHornError as error:
            raise self.error(node, f"not a Horn clause: {error.what}", print_term(error.term)) from None
        self.clauses.append(clause)

    def _declare_var(self, _command: _Tree, name: Token, of: Node) -> None:
        self.rule_variables[_symbol(name)] = Variable(_symbol(name), self.sort(of))

    def _rule(self, command: _Tree, node: Node, *name: Token) -> None:
        self._close_rule(command, node, self.term(node, dict(self.rule_variables)), _symbol(name[0]) if name else None)

    def _query(self, command: _Tree, node: Node, *_options: Node) -> None:
        self._close_rule(command, node, implication(self.term(node, dict(self.rule_variables)), FALSE), None)

    def _close_rule(self, command: _Tree, node: Node, formula: Term, name: str | None) -> None:
        variables = free_variables(formula)
        self._add_clause(command, node, name, Quantifier("forall", variables, formula) if variables else formula)

    # Sorts

    def sort(self, node: Node) -> Sort:
        if isinstance(node, Token):
            return self._named_sort(node, [])
        if node.rule == "indexed_sort":
            name, *indices = node.children
            if name != "BitVec" or len(indices) != 1 or int(indices[0]) < 1:
                raise self.error(node, "unknown sort", _spelled(node))
            return bitvec(int(indices[0]))
        head, *parameters = node.children
        sorts = [self.sort(parameter) for parameter in parameters]
        if head == "Array" and len(sorts) == 2:
            return array(*sorts)
        return self._named_sort(head, sorts)

    def _named_sort(self, token: Token, parameters: list[Sort]) -> Sort:
        name = _symbol(token)
        if name in ("Bool", "Int", "Real") and not parameters:
            return sort(name)
        names, definition = self.sort_names.get(name, (("?",), None))
        if len(names) != len(parameters):
            raise self.error(token, "unknown sort")
        if definition is None:
            return sort(name)
        inner = _Script(self.name, sort_names={**self.sort_names})
        for parameter, given in zip(names, parameters, strict=True):
            inner.sort_names[parameter] = ((), _sort_node(given, token))
        return inner.sort(definition)

    def _variables(self, nodes: Sequence[_Tree], taken: frozenset[str] | set[str]) -> dict[str, Variable]:
        found: dict[str, Variable] = {}
        for node in nodes:
            name = _symbol(node.children[0])
            if name in found:
                raise self.error(node, "bound twice")
            fresh = fresh_name(name, set(taken) | {v.name for v in found.values()}) if name in taken else name
            found[name] = Variable(fresh, self.sort(node.children[1]))
        return found

    # Terms

    def term(self, root: Node, scope: dict[str, Term]) -> Term:
        """Elaborate a piece of the script; `scope` maps names to what they stand for and is as before afterwards."""
        return _Elaboration(self, scope).run(root)


def _sort_node(of: Sort, token: Token) -> Node:
    """A sort as the node that would have been parsed for it."""

    def make(text: str) -> Token:
        return Token("SYMBOL", text, line=token.line, column=token.column)

    if of.is_bitvector:
        return _Tree("indexed_sort", [make("BitVec"), make(str(of.width))])
    if of.is_array:
        return _Tree("sort_application", [make("Array"), _sort_node(of.index, token), _sort_node(of.element, token)])
    return Token("QUOTED", f"|{of.name}|", line=token.line, column=token.column)


def _named(node: _Tree) -> str | None:
    for attribute in node.children[1:]:
        if attribute.children[0] == ":named" and len(attribute.children) == 2:
            return _symbol(attribute.children[1])
    return None


class _Elaboration:
    """One term from its tree: a stack of steps to do, and one of terms done."""

    def __init__(self, script: _Script, scope: dict[str, Term]) -> None:
        self._script = script
        self._scope = scope
        self._bound: list[str] = []  # names of the variables that quantifiers around bind
        self._steps: list[Callable[[], None]] = []
        self._done: list[Term] = []

    def run(self, root: Node) -> Term:
        self._bound.extend(term.name for term in self._scope.values() if isinstance(term, Variable))
        self._enter(root)
        while self._steps:
            self._steps.pop()()
        return self._done.pop()

    def _later(self, node: Node) -> None:
        self._steps.append(lambda: self._enter(node))

    def _enter(self, node: Node) -> None:
        if isinstance(node, Token):
            self._done.append(self._leaf(node))
            return
        rule, parts = node.rule, node.children
        if rule == "application":
            self._steps.append(lambda: self._apply(node, len(parts) - 1))
            for part in reversed(parts[1:]):
                self._later(part)
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
        else:
            self._done.append(self._indexed(node))

    def _bind(self, bindings: list[_Tree], body: Node) -> None:
        values = self._take(len(bindings))
        names = [_symbol(binding.children[0]) for binding in bindings]
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

    def _quantify(self, node: _Tree) -> None:
        kind, *declared, body = node.children
        variables = self._script._variables(declared, set(self._bound))
        if len(self._bound) > 100_000 or self._bound.count("") > MAX_QUANTIFIER_DEPTH:
            raise self._script.error(node, "quantifiers nested too deeply")
        self._bound += ["", *(variable.name for variable in variables.values())]

        def build() -> None:
            del self._bound[-len(variables) - 1 :]
            self._check(node, lambda: Quantifier(str(kind), tuple(variables.values()), self._done.pop()))

        self._steps.append(build)
        self._with_names(dict(variables))
        self._later(body)

    def _name(self, node: _Tree) -> None:
        name = _named(node)
        if name and not free_variables(self._done[-1]):
            self._script.macros[name] = _Macro((), self._done[-1])

    def _take(self, number: int) -> list[Term]:
        taken = self._done[len(self._done) - number :]
        del self._done[len(self._done) - number :]
        return taken

    def _check(self, node: Node, make: Callable[[], Term]) -> None:
        try:
            self._done.append(make())
        except SortError as error:
            raise self._script.error(node, str(error)) from None

    def _leaf(self, token: Token) -> Term:
        kind = token.type
        if kind == "NUMERAL":
            return Value(int(token), INT)
        if kind == "DECIMAL":
            return real(Fraction(str(token)))
        if kind == "HEXADECIMAL":
            return vector(int(token[2:], 16), 4 * (len(token) - 2))
        if kind == "BINARY":
            return vector(int(token[2:], 2), len(token) - 2)
        name = _symbol(token)
        bound = self._scope.get(name)
        if bound is not None:
            return bound
        if name == "true":
            return TRUE
        if name == "false":
            return FALSE
        return self._application(token, name, [])

    def _indexed(self, node: _Tree) -> Term:
        head, *indices = node.children
        if node.rule == "qualified":
            return self._qualified(node, [])
        name = _symbol(head)
        if name.startswith("bv") and name[2:].isdecimal() and len(indices) == 1 and str(indices[0]).isdecimal():
            return vector(int(name[2:]), int(indices[0]))
        raise self._script.error(node, "unknown symbol", f"(_ {_spelled(node)})")

    def _qualified(self, node: _Tree, args: list[Term]) -> Term:
        """`(as const (Array I E))` applied to an element, or a constructor with its sort."""
        head, of = node.children
        name, wanted = _symbol(head), self._script.sort(of)
        if name == "const" and wanted.is_array and len(args) == 1:
            element = _to_real(args[0]) if wanted.element is REAL and args[0].sort is INT else args[0]
            if element.sort is wanted.element:
                return Apply(f"(as const {wanted})", (element,), wanted)
        made = self._application(head, name, args)
        if made.sort is not wanted:
            raise self._script.error(node, f"has sort {made.sort}, not {wanted}")
        return made

    def _apply(self, node: _Tree, number: int) -> None:
        args = self._take(number)
        head = node.children[0]
        if isinstance(head, Token):
            self._check(node, lambda: self._application(head, _symbol(head), args))
        elif head.rule == "qualified":
            self._check(node, lambda: self._qualified(head, args))
        else:
            name, *indices = head.children
            if name == "is" and len(indices) == 1:
                self._check(node, lambda: self._application(head, f"(_ is {quoted(_symbol(indices[0]))})", args))
            else:
                operator = f"(_ {_symbol(name)} {' '.join(map(str, indices))})"
                if not all(str(index).isdecimal() for index in indices):
                    raise self._script.error(head, "unknown operator", operator)
                self._check(node, lambda: Apply(operator, args))

    def _application(self, node: Node, name: str, args: list[Term]) -> Term:
        script = self._script
        predicate = script.predicates.get(name)
        if predicate is not None:
            return Atom(predicate, _fitted(args, predicate.parameters))
        macro = script.macros.get(name)
        if macro is not None:
            args = _fitted(args, [variable.sort for variable in macro.parameters])
            if [arg.sort for arg in args] != [variable.sort for variable in macro.parameters]:
                raise script.error(node, f"{name} takes other arguments")
            return substitute(macro.body, dict(zip(macro.parameters, args, strict=True)))
        overloads = script.signature.get(name)
        if overloads is None and name.startswith("is-"):  # Z3's older spelling of testers
            name = f"(_ is {quoted(name[3:])})"
            overloads = script.signature.get(name)
        for domain, result in overloads or ():
            fitted = _fitted(args, domain)
            if tuple(arg.sort for arg in fitted) == domain:
                return Apply(name if name.startswith("(_ is ") else quoted(name), fitted, result)
        if overloads is None and is_interpreted(name) and args:
            return _interpreted(name, args)
        if overloads is None:
            raise script.error(node, f"unknown {'operator' if args else 'symbol'}", name)
        raise script.error(node, f"{name} takes other arguments than ({' '.join(str(arg.sort) for arg in args)})")


def _fitted(args: list[Term], sorts: Sequence[Sort]) -> list[Term]:
    """The arguments, with Ints converted where a Real is wanted."""
    if len(args) != len(sorts):
        return args
    return [_to_real(a) if s is REAL and a.sort is INT else a for a, s in zip(args, sorts, strict=True)]


def _to_real(term: Term) -> Term:
    if isinstance(term, Value):
        return real(Fraction(term.value))
    return Apply("to_real", (term,))


def _interpreted(name: str, args: list[Term]) -> Term:
    sorts = {arg.sort for arg in args}
    if name in _COERCED and INT in sorts and (REAL in sorts or name == "/"):
        args = [_to_real(arg) if arg.sort is INT else arg for arg in args]
    elif name == "select" and len(args) == 2 and args[0].sort.is_array:
        args = _fitted(args, [args[0].sort, args[0].sort.index])
    elif name == "store" and len(args) == 3 and args[0].sort.is_array:
        args = _fitted(args, [args[0].sort, args[0].sort.index, args[0].sort.element])
    if all(isinstance(arg, Value) and arg.sort.is_numeric for arg in args):
        values = [Fraction(arg.value) for arg in args if isinstance(arg, Value)]
        if name == "-" and len(args) == 1:
            return Value(-values[0] if args[0].sort is REAL else -int(values[0]), args[0].sort)
        if name == "/" and len(args) == 2 and values[1] != 0:
            return real(values[0] / values[1])
    return Apply(name, args)
