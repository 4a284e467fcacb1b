"""The commands that scripts of all kinds share, run in order: declarations, definitions and assertions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple

from chcfuzz.grammar.reading.declarations import DatatypeText, Declarations, Definition
from chcfuzz.grammar.reading.elaboration import Elaboration
from chcfuzz.grammar.reading.leniences import fitted
from chcfuzz.grammar.reading.syntax import spelled, spelled_all, symbol_of, without_labels
from chcfuzz.grammar.reading.tree import Node, Tree
from chcfuzz.grammar.smt_options import has_effect, why_left_out
from chcfuzz.grammar.solver_options import is_allowed
from chcfuzz.grammar.terms import (
    Term,
    Variable,
)
from lark import Token

BEHIND_A_CHECK = "it is behind a check; options are those before the first one"
_ONLY_Z3 = "solvers of CHC systems get truth values and numbers for options of fp, smt, sat and rewriter"


class LeftOut(NamedTuple):
    """A command of a script that solvers do not get, on one line, and the reason.

    `matters` if answers may depend on it. An option of one solver, which others do not get, does not matter.
    """

    command: str
    reason: str
    matters: bool = True


class Script(ABC):
    """The state while the commands of a script run in order."""

    def __init__(self, name: str, language: str) -> None:
        """`language` names in messages what the script states."""
        self.declared = Declarations(name, language)
        self._info: list[tuple[str, str]] = []
        self._options: list[tuple[str, str]] = []
        self.left_out: list[LeftOut] = []
        # Commands without an entry in the grammar that state something, by the reason why they are refused.
        self._refused: dict[str, str] = {}
        self._ignored = frozenset(("echo", "labels", "display"))
        self._commands: dict[str, Callable[..., None]] = {
            "set_logic": self._set_logic,
            "set_info": self._set_info,
            "set_option": self._set_option,
            "declare_sort": self._declare_sort,
            "define_sort": self._define_sort,
            "declare_datatypes": self._declare_datatypes,
            "declare_old_datatypes": self._declare_old_datatypes,
            "declare_datatype": self._declare_datatype,
            "declare_fun": self._declare_fun,
            "declare_const": self._declare_const,
            "define_fun": self._define_fun,
            "define_const": self._define_const,
            "define_fun_rec": self._define_recursive,
            "define_funs_rec": self._define_recursive,
            "assertion": self._assertion,
            "other": self._other,
            "check_assuming": self._other,
        }

    def all_left_out(self) -> tuple[LeftOut, ...]:
        """Return the commands so far that solvers do not get, each once."""
        return tuple(dict.fromkeys(self.left_out))

    def run(self, command: Tree) -> None:
        """Run the next command; raises `GrammarError`."""
        run = self._commands.get(command.rule)
        if run is None:
            words = f"Z3's commands for Horn rules are no part of {self.declared.language}"
            raise self.declared.error(command, words, command.rule)
        run(command, *command.children)

    def _other(self, _command: Tree, word: Token, *parts: Node) -> None:
        if word in self._refused:
            raise self.declared.error(word, self._refused[word])
        if word == "check-sat":
            return
        if not (word in self._ignored or word.startswith("get-")):
            raise self.declared.error(word, "no command that is known here")
        self.left_out.append(
            LeftOut(f"({spelled_all((word, *parts))})", "it prints, and states nothing", matters=False)
        )

    @abstractmethod
    def _set_logic(self, _command: Tree, logic: Token) -> None: ...

    def _set_info(self, _command: Tree, keyword: Token, value: Node = "") -> None:
        text = spelled(value)
        if isinstance(value, Tree):  # Z3 reads no list there, but a string
            text = '"' + text.replace('"', '""') + '"'
        self._info.append((str(keyword[1:]), text))

    def _set_option(self, _command: Tree, keyword: Token, value: Node = "") -> None:
        name = str(keyword[1:])
        if name.startswith(("fp.", "fp:")) and isinstance(value, Tree):
            raise self.declared.error(value, "a parameter's value is one word", spelled(value))
        if is_allowed(name, str(value)):
            self._options.append((name, str(value)))
        else:
            self._leave_out(name, spelled(value), why_left_out(name, _ONLY_Z3))

    def _leave_out(self, name: str, value: str, reason: str, matters: bool = True) -> None:
        """Note an option that solvers do not get, or not all of them."""
        has_no_effect = "it changes no answer" if not has_effect(name) else ""
        line = f"(set-option :{name} {value})" if value else f"(set-option :{name})"
        self.left_out.append(LeftOut(line, has_no_effect or reason, matters and not has_no_effect))

    # Sorts and data types

    @abstractmethod
    def _declare_sort(self, _command: Tree, name: Token, *arity: Token) -> None: ...

    def _define_sort(self, _command: Tree, name: Token, parameters: Tree, definition: Node) -> None:
        self.declared.define_sort(name, list(map(symbol_of, parameters.children)), definition)

    def _declare_datatypes(self, _command: Tree, declared: Tree, defined: Tree) -> None:
        names, definitions = declared.children, defined.children
        if len(names) != len(definitions):
            what = f"{len(names)} data types declared, {len(definitions)} defined"
            raise self.declared.error(declared, what)
        texts = [_datatype(name.children[0], text) for name, text in zip(names, definitions, strict=True)]
        for name, text in zip(names, texts, strict=True):
            if self.declared.index(name.children[1]) != len(text.parameters):
                what = f"declared with {name.children[1]} parameters, defined with {len(text.parameters)}"
                raise self.declared.error(name, what)
        self.declared.add_datatypes(texts)

    def _declare_old_datatypes(self, _command: Tree, parameters: Tree, *declared: Tree) -> None:
        """Z3's form before SMT-LIB 2.6: all share the parameters, and a name alone is one with them."""
        shared = tuple(map(symbol_of, parameters.children))
        names = {symbol_of(each.children[0]) for each in declared} if shared else set()
        texts = []
        for each in declared:
            name, *constructors = each.children
            filled = (
                _with_parameters(c, names, parameters.children) if isinstance(c, Tree) else c for c in constructors
            )
            texts.append(DatatypeText(name, shared, tuple(filled)))
        self.declared.add_datatypes(texts)

    def _declare_datatype(self, _command: Tree, name: Token, definition: Tree) -> None:
        self.declared.add_datatypes([_datatype(name, definition)])

    # Functions and definitions

    @abstractmethod
    def _declare_fun(self, _command: Tree, name: Token, domain: Tree, result: Node) -> None: ...

    @abstractmethod
    def _declare_const(self, _command: Tree, name: Token, result: Node) -> None: ...

    def _define_fun(self, _command: Tree, name: Token, parameters: Tree, result: Node, body: Node) -> None:
        self.declared.new_symbol(name)
        variables = self.declared.bound(parameters.children)
        wanted = self.declared.sort(result)
        term = self._term(body, variables)
        (term,) = fitted([term], [wanted])
        if term.sort is not wanted:
            raise self.declared.error(body, f"the definition has sort {term.sort}, not {wanted}")
        self.declared.macros[symbol_of(name)] = Definition(tuple(variables.values()), term)

    def _define_const(self, command: Tree, name: Token, result: Node, body: Node) -> None:
        self._define_fun(command, name, Tree("sorted_vars", []), result, body)

    def _define_recursive(self, command: Tree, *_parts: Node) -> None:
        raise self.declared.error(command, f"a recursive function is no part of {self.declared.language}")

    # Assertions

    def _assertion(self, _command: Tree, node: Node) -> None:
        node, labels = without_labels(node)
        if self._is_definition(node):
            return
        formula = self._term(node, {})
        for label in labels:
            self.declared.new_symbol(label)
            self.declared.macros[symbol_of(label)] = Definition((), formula)
        self._assert(node, formula, symbol_of(labels[0]) if labels else None)

    def _is_definition(self, _node: Node) -> bool:
        """Return whether an assertion only gives a constant its value; then remember the value."""
        return False

    @abstractmethod
    def _assert(self, node: Node, formula: Term, name: str | None) -> None: ...

    def _term(self, node: Node, variables: dict[str, Variable]) -> Term:
        return Elaboration(self.declared, variables).run(node)


def _datatype(name: Token, definition: Tree) -> DatatypeText:
    if definition.rule == "parametric":
        parameters, *constructors = definition.children
        return DatatypeText(name, tuple(map(symbol_of, parameters.children)), tuple(constructors))
    return DatatypeText(name, (), tuple(definition.children))


def _with_parameters(node: Node, names: set[str], parameters: list[Node]) -> Node:
    """Return a part of a constructor in which the sorts of these names are applied to the parameters."""
    if isinstance(node, Token):
        return Tree("sort_application", [node, *parameters]) if symbol_of(node) in names else node
    head, *rest = node.children
    return Tree(node.rule, [head, *(_with_parameters(part, names, parameters) for part in rest)])
