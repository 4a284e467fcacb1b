"""Text to systems: lark reads the script (`smtlib.lark`), this module gives it sorts and sees that it is
Horn.

A script becomes a tree of tokens first and terms second, because only the second knows what is bound where.
`let` and `define-fun` are expanded into shared terms; a bound variable that hides another is renamed. Where
Z3 is lenient, the result is what Z3 understands: an Int in the place of a Real is converted, in constants
on the spot.

Everything here works without recursion over terms: benchmarks nest `let` thousands deep.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path as FilePath
from typing import Any, TypeVar

from chcfuzz.grammar.errors import GrammarError, SortError
from chcfuzz.grammar.horn import NotHornError
from chcfuzz.grammar.printer import print_term
from chcfuzz.grammar.sorts import (
    BOOL,
    INT,
    REAL,
    Constructor,
    Selector,
    Sort,
    array,
    bitvec,
    datatypes,
    has_finite_value,
)
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import Clause, Datatype, System
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
from chcfuzz.grammar.theory import OPERATORS, result_sort
from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken

MAX_SORT_DEPTH = 100
MAX_DIGITS = 4000
MAX_CLAUSE_SIZE = 1_000_000  # nodes, as a tree
_COERCED = frozenset(("+", "-", "*", "<", "<=", ">", ">=", "=", "distinct", "ite"))
_REALS = frozenset(("/", "to_int", "is_int"))
_NOTHING_ALONE = frozenset(("+", "*", "=>", "xor", "bvand", "bvor", "bvxor", "bvadd", "bvmul", "concat"))

# Other names for the same, Z3's own and those of newer and older releases.
_ALIASES = {
    "iff": "=",
    "implies": "=>",
    "if": "ite",
    "bv2int": "bv2nat",
    "ubv_to_int": "bv2nat",
    "int_to_bv": "int2bv",
    **{f"{name}_i": name for name in ("bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod")},
}

# What a script may not declare.
_WORDS = frozenset(("true", "false", "rem", *OPERATORS, *_ALIASES))

Node = Any  # a Token, or a _Tree
F = TypeVar("F")


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


def parse_term(
    text: str, variables: Sequence[Variable] = (), system: System | None = None, name: str = "<term>"
) -> Term:
    """The term that a text states over these free variables and the predicates and data types of a system."""
    script = _Script(name)
    if system is not None:
        script.adopt(system)
    return script.term(_tree(text, name, "term"), {variable.name: variable for variable in variables})


def parse_definitions(text: str, system: System | None = None, name: str = "<definitions>") -> dict[str, Definition]:
    """What the `define-fun`s of a text define, by name; raises `GrammarError`.

    They are over the data types of a system, not over its predicates, whose names they may have. Each may use those
    before it, and these are expanded.
    """
    script = _Script(name)
    if system is not None:
        script.adopt(system.with_predicates(()).with_clauses(()))
    for command in _tree(text, name, "start").children:
        script.run(command)
    return dict(script.macros)


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
class Definition:
    """A `define-fun`: its parameters, and the term over them that an application stands for."""

    parameters: tuple[Variable, ...]
    body: Term


@dataclass(frozen=True)
class _SortMacro:
    parameters: tuple[str, ...]
    body: Node


@dataclass
class _Script:
    """The state while the commands of a script run in order."""

    name: str
    info: list[tuple[str, str]] = field(default_factory=list)
    options: list[tuple[str, str]] = field(default_factory=list)
    datatypes: list[tuple[Datatype, ...]] = field(default_factory=list)
    predicates: dict[str, Predicate] = field(default_factory=dict)
    clauses: list[Clause] = field(default_factory=list)
    macros: dict[str, Definition] = field(default_factory=dict)
    sorts: dict[str, Sort | _SortMacro] = field(default_factory=lambda: {"Bool": BOOL, "Int": INT, "Real": REAL})
    rule_variables: dict[str, Variable] = field(default_factory=dict)
    signature: Mapping[str, tuple[tuple[tuple[Sort, ...], Sort], ...]] = field(default_factory=dict)
    symbols: set[str] = field(default_factory=lambda: set(_WORDS))

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
        self.signature = system.signature
        self.symbols.update(self.predicates, (s.strip("|") for s in self.signature))
        self.sorts |= {datatype.name: datatype.sort for group in system.datatypes for datatype in group}

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
        self._new_sort(name)
        self.sorts[_symbol(name)] = _SortMacro(tuple(map(_symbol, parameters.children)), definition)

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
            self._new_sort(name)

        def define(sorts: Sequence[Sort]) -> list[tuple[Constructor, ...]]:
            self.sorts |= zip(map(_symbol, names), sorts, strict=True)
            return [tuple(map(self._constructor, definition.children)) for definition in definitions]

        for definition in definitions:
            if definition.rule == "parametric":
                raise self.error(definition, "data types with parameters are not supported")
        group = datatypes(list(map(_symbol, names)), define)
        for name, datatype in zip(names, group, strict=True):
            self.sorts[datatype.name] = datatype.sort
            if not has_finite_value(datatype):
                raise self.error(name, "a data type without any finite value")
        self.datatypes.append(group)
        self.signature = System(tuple(self.datatypes), (), ()).signature

    def _new_sort(self, name: Token) -> None:
        if _symbol(name) in self.sorts or _symbol(name) in ("Array", "BitVec"):
            raise self.error(name, "a sort of this name exists already")

    def _constructor(self, node: Node) -> Constructor:
        name, *selectors = node.children if isinstance(node, _Tree) else [node]
        self.new_symbol(name)
        fields = tuple(Selector(_symbol(s.children[0]), self.sort(s.children[1])) for s in selectors)
        self.symbols.update(selector.name for selector in fields)  # which another data type may use again
        return Constructor(_symbol(name), fields)

    def _declare_fun(self, _command: _Tree, name: Token, domain: _Tree, result: Node) -> None:
        if self.sort(result) is not BOOL:
            raise self.error(name, "only predicates may be declared in a CHC system: the range must be Bool")
        self._add_predicate(name, domain)

    def _declare_const(self, command: _Tree, name: Token, result: Node) -> None:
        self._declare_fun(command, name, _Tree("sorts", []), result)

    def _declare_rel(self, _command: _Tree, name: Token, domain: _Tree) -> None:
        self._add_predicate(name, domain)

    def _add_predicate(self, name: Token, domain: _Tree) -> None:
        self.new_symbol(name)
        self.predicates[_symbol(name)] = Predicate(_symbol(name), tuple(map(self.sort, domain.children)))

    def new_symbol(self, name: Token) -> None:
        if _symbol(name) in self.symbols:
            raise self.error(name, "this name has a meaning already")
        self.symbols.add(_symbol(name))

    def _define_fun(self, _command: _Tree, name: Token, parameters: _Tree, result: Node, body: Node) -> None:
        self.new_symbol(name)
        variables = self.bound(parameters.children)
        wanted = self.sort(result)
        term = self.term(body, dict(variables))
        (term,) = _fitted([term], [wanted])
        if term.sort is not wanted:
            raise self.error(body, f"the definition has sort {term.sort}, not {wanted}")
        self.macros[_symbol(name)] = Definition(tuple(variables.values()), term)

    def _assertion(self, _command: _Tree, node: Node) -> None:
        name = None
        while isinstance(node, _Tree) and node.rule == "annotated":
            name = _named(node) or name
            node = node.children[0]
        if name is not None:
            self.new_symbol(name)
        self._add_clause(node, self.term(node, {}), name and _symbol(name))

    def _add_clause(self, node: Node, formula: Term, name: str | None) -> None:
        if formula.sort is not BOOL:
            raise self.error(node, f"a clause has sort Bool, not {formula.sort}")
        if formula.size > MAX_CLAUSE_SIZE:
            raise self.error(node, f"a clause of more than {MAX_CLAUSE_SIZE} nodes, its shared terms written out")
        clause = Clause(formula, name)
        try:
            _ = clause.reading
        except NotHornError as error:
            raise self.error(node, f"not a Horn clause: {error.what}", print_term(error.term)) from None
        self.clauses.append(clause)

    def _declare_var(self, _command: _Tree, name: Token, of: Node) -> None:
        self.new_symbol(name)
        self.rule_variables[_symbol(name)] = Variable(_symbol(name), self.sort(of))

    def _rule(self, _command: _Tree, node: Node, *name: Token) -> None:
        if name:
            self.new_symbol(name[0])
        self._close_rule(node, self._rule_term(node), _symbol(name[0]) if name else None)

    def _query(self, _command: _Tree, node: Node, *_options: Node) -> None:
        self._close_rule(node, implication(self._rule_term(node), FALSE), None)

    def _rule_term(self, node: Node) -> Term:
        term = self.term(node, dict(self.rule_variables))
        if term.sort is not BOOL:
            raise self.error(node, f"a rule has sort Bool, not {term.sort}")
        return term

    def _close_rule(self, node: Node, formula: Term, name: str | None) -> None:
        variables = free_variables(formula)
        self._add_clause(node, Quantifier("forall", variables, formula) if variables else formula, name)

    def checked(self, node: Node, make: Callable[[], F]) -> F:
        try:
            return make()
        except SortError as error:
            raise self.error(node, str(error)) from None

    def number(self, token: Token) -> int:
        """A numeral's value. Python refuses to convert longer ones, and so do we."""
        if len(token) > MAX_DIGITS:
            raise self.error(token, f"a number of more than {MAX_DIGITS} digits")
        return int(token)

    # Sorts

    def sort(self, node: Node, local: Mapping[str, Sort] | None = None, depth: int = 0) -> Sort:
        """The sort that a piece names; `local` are the parameters of the definition it stands in."""
        if depth > MAX_SORT_DEPTH:
            raise self.error(node, "sorts nested too deeply")
        if isinstance(node, _Tree) and node.rule == "indexed_sort":
            name, *indices = node.children
            if name != "BitVec" or len(indices) != 1:
                raise self.error(node, "unknown sort", f"(_ {_spelled(node)})")
            return self.checked(node, lambda: bitvec(self.number(indices[0])))
        head, *parameters = node.children if isinstance(node, _Tree) else [node]
        sorts = [self.sort(parameter, local, depth + 1) for parameter in parameters]
        name = _symbol(head)
        if name == "Array" and len(sorts) == 2:
            return array(*sorts)
        known = (local or {}).get(name) or self.sorts.get(name)
        if isinstance(known, _SortMacro) and len(known.parameters) == len(sorts):
            return self.sort(known.body, dict(zip(known.parameters, sorts, strict=True)), depth + 1)
        if not isinstance(known, Sort) or sorts:
            raise self.error(head, "unknown sort")
        return known

    def bound(self, nodes: Sequence[_Tree], around: Sequence[str] = ()) -> dict[str, Variable]:
        """The variables that a quantifier binds, by what the script calls them.

        They get other names where theirs are bound around, or stand for something in the script: what `let`
        carries below the quantifier would be caught.
        """
        found: dict[str, Variable] = {}
        taken = self.symbols.union(around)
        for node in nodes:
            name = _symbol(node.children[0])
            if name in found:
                raise self.error(node, "bound twice")
            found[name] = Variable(fresh_name(name, taken), self.sort(node.children[1]))
            taken.add(found[name].name)
        return found

    # Terms

    def term(self, root: Node, scope: dict[str, Term]) -> Term:
        """The term of a piece; `scope` maps names to what they stand for, and is as before afterwards."""
        return _Elaboration(self, scope).run(root)


def _named(node: _Tree) -> Token | None:
    """The name that an annotation gives, if it gives one."""
    for attribute in node.children[1:]:
        keyword, *value = attribute.children
        if keyword == ":named" and value and value[0].type in ("SYMBOL", "QUOTED"):
            token: Token = value[0]
            return token
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
        variables = self._script.bound(declared, self._bound)
        self._bound += [variable.name for variable in variables.values()]

        def build() -> None:
            del self._bound[-len(variables) :]
            self._check(node, lambda: self._quantified(str(kind), variables, self._done.pop()))

        self._steps.append(build)
        self._with_names(dict(variables))
        self._later(body)

    def _quantified(self, kind: str, variables: dict[str, Variable], body: Term) -> Term:
        """The quantifier, its variables under their own names again where these catch nothing in the body."""
        names = {variable.name for variable in (*free_variables(body), *variables.values())}
        own = {}
        for name, variable in variables.items():
            if name not in names and name not in self._script.symbols:
                own[variable] = Variable(name, variable.sort)
                names.add(name)
        bound = tuple(own.get(variable, variable) for variable in variables.values())
        return Quantifier(kind, bound, substitute(body, own))

    def _name(self, node: _Tree) -> None:
        name = _named(node)
        if name is not None:
            if free_variables(self._done[-1]):
                raise self._script.error(name, "only a closed term may be named")
            self._script.new_symbol(name)
            self._script.macros[_symbol(name)] = Definition((), self._done[-1])

    def _take(self, number: int) -> list[Term]:
        taken = self._done[len(self._done) - number :]
        del self._done[len(self._done) - number :]
        return taken

    def _check(self, node: Node, make: Callable[[], Term]) -> None:
        self._done.append(self._script.checked(node, make))

    def _leaf(self, token: Token) -> Term:
        kind = token.type
        if kind == "NUMERAL":
            return Value(self._script.number(token), INT)
        if kind == "DECIMAL":
            whole, point = token.split(".")
            return real(Fraction(self._script.number(token.update(value=whole + point)), 10 ** len(point)))
        if kind == "HEXADECIMAL":
            return self._vector(token, int(token[2:], 16), 4 * (len(token) - 2))
        if kind == "BINARY":
            return self._vector(token, int(token[2:], 2), len(token) - 2)
        name = _symbol(token)
        bound = self._scope.get(name)
        if bound is not None:
            return bound
        if name == "true":
            return TRUE
        if name == "false":
            return FALSE
        return self._script.checked(token, lambda: self._application(token, name, []))

    def _indexed(self, node: _Tree) -> Term:
        head, *indices = node.children
        if node.rule == "qualified":
            return self._script.checked(node, lambda: self._qualified(node, []))
        name = _symbol(head)
        if name.startswith("bv") and name[2:].isdecimal() and len(indices) == 1 and str(indices[0]).isdecimal():
            value = self._script.number(head.update(value=name[2:]))
            return self._vector(node, value, self._script.number(indices[0]))
        raise self._script.error(node, "unknown symbol", f"(_ {_spelled(node)})")

    def _vector(self, node: Node, value: int, width: int) -> Term:
        return self._script.checked(node, lambda: vector(value, width))

    def _qualified(self, node: _Tree, args: list[Term]) -> Term:
        """`(as const (Array I E))` applied to an element, or a constructor with its sort."""
        head, of = node.children
        name, wanted = _symbol(head), self._script.sort(of)
        if name == "const" and wanted.is_array and len(args) == 1:
            (element,) = _fitted(args, [wanted.element])
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
                if not all(index.type == "NUMERAL" for index in indices):
                    raise self._script.error(head, "unknown operator", f"(_ {_spelled(head)})")
                numbers = [self._script.number(index) for index in indices]
                self._check(node, lambda: _indexed(_symbol(name), numbers, args))

    def _application(self, node: Node, name: str, args: list[Term]) -> Term:
        script = self._script
        predicate = script.predicates.get(name)
        if predicate is not None:
            return Atom(predicate, _fitted(args, predicate.parameters))
        macro = script.macros.get(name)
        if macro is not None:
            return self._expanded(node, name, macro, args)
        operator = name if name.startswith("(_ is ") else quoted(name)
        overloads = script.signature.get(operator)
        if overloads is None and name.startswith("is-"):  # Z3's older spelling of testers
            operator = f"(_ is {quoted(name[3:])})"
            overloads = script.signature.get(operator)
        if overloads is None:
            if name in _WORDS and args:
                return _interpreted(_ALIASES.get(name, name), args)
            raise script.error(node, f"unknown {'operator' if args else 'symbol'}", name)
        for domain, result in overloads:
            fitted = _fitted(args, domain)
            if tuple(arg.sort for arg in fitted) == domain:
                return Apply(operator, fitted, result)
        raise script.error(node, f"{name} takes other arguments than ({_sorts(args)})")

    def _expanded(self, node: Node, name: str, macro: Definition, args: list[Term]) -> Term:
        wanted = [variable.sort for variable in macro.parameters]
        fitted = _fitted(args, wanted)
        if [arg.sort for arg in fitted] != wanted:
            raise self._script.error(node, f"{name} takes other arguments than ({_sorts(args)})")
        return substitute(macro.body, dict(zip(macro.parameters, fitted, strict=True)))


def _sorts(terms: Sequence[Term]) -> str:
    return " ".join(str(term.sort) for term in terms)


def _fitted(args: list[Term], sorts: Sequence[Sort]) -> list[Term]:
    """The arguments, with Ints converted where a Real is wanted."""
    if len(args) != len(sorts):
        return args
    return [_to_real(arg) if sort is REAL else arg for arg, sort in zip(args, sorts, strict=True)]


def _to_real(term: Term) -> Term:
    """The term, converted if it is an Int."""
    if term.sort is not INT:
        return term
    return real(Fraction(term.value)) if isinstance(term, Value) else Apply("to_real", (term,))


def _interpreted(name: str, args: list[Term]) -> Term:
    """An operator of the theories, the way that Z3, cvc5 and older releases of both agree on.

    Z3 takes an Int where a Real is wanted, and knows `rem`; most n-ary operators may have one argument there.
    """
    sorts = {arg.sort for arg in args}
    if INT in sorts and (name in _REALS or (name in _COERCED and REAL in sorts)):
        args = [_to_real(arg) for arg in args]
    elif name in ("select", "store") and args[0].sort.is_array:
        of = args[0].sort
        args = _fitted(args, (of, of.index, of.element)[: len(args)])
    if len(args) == 1 and name in _NOTHING_ALONE:
        result_sort(name, [args[0].sort] * 2)
        return args[0]
    if len(args) == 1 and name == "to_real" and args[0].sort.is_numeric:
        return _to_real(args[0])
    if name == "rem":
        remainder = Apply("mod", args)
        return Apply("ite", (Apply(">=", (args[1], Value(0, INT))), remainder, Apply("-", (remainder,))))
    if all(isinstance(arg, Value) and arg.sort.is_numeric for arg in args):
        values = [Fraction(arg.value) for arg in args if isinstance(arg, Value)]
        if name == "-" and len(args) == 1:
            return Value(-values[0] if args[0].sort is REAL else -int(values[0]), args[0].sort)
        whole = all(value.denominator == 1 for value in values)
        if name == "/" and len(args) == 2 and whole and values[1] != 0:  # the way that fractions are written
            return real(values[0] / values[1])
    return Apply(name, args)


def _indexed(name: str, indices: list[int], args: list[Term]) -> Term:
    """An operator with indices, applied."""
    name = _ALIASES.get(name, name)
    if name == "divisible" and len(indices) == 1:  # which Z3 5 does not read
        return Apply("=", (Apply("mod", (*args, Value(indices[0], INT))), Value(0, INT)))
    return Apply(f"(_ {name} {' '.join(map(str, indices))})", args)
