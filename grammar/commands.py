"""The commands of a script, run in order: declarations, definitions and the assertions that its one check is about."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace

from chcfuzz.grammar.declarations import DatatypeText, Declarations, Definition
from chcfuzz.grammar.elaboration import Elaboration
from chcfuzz.grammar.horn import NotHornError
from chcfuzz.grammar.leniences import fitted
from chcfuzz.grammar.printer import print_term
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.solver_options import is_allowed
from chcfuzz.grammar.sorts import BOOL
from chcfuzz.grammar.syntax import Node, Tree, label_of, spelled, symbol_of
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    FALSE,
    Function,
    Predicate,
    Quantifier,
    Term,
    Variable,
    free_variables,
    implication,
    with_other_names,
)
from lark import Token

_IGNORED = frozenset(("echo", "labels", "display"))
_CHECKS = frozenset(("check-sat", "check-sat-assuming", "query"))
_CHANGES_NOTHING = frozenset(("set_info", "set_option", "other"))


class Script(ABC):
    """The state while the commands of a script run in order.

    The script states the assertions before its first check, because that is the question to the solver. A second check
    may follow only if nothing has changed.
    """

    _one = "system"  # the words for what a script states, in messages
    _many = "CHC systems"

    def __init__(self, name: str) -> None:
        self.declared = Declarations(name, self._many)
        self._info: list[tuple[str, str]] = []
        self._options: list[tuple[str, str]] = []
        self._is_checked = False
        self._is_changed = False  # since the check
        once = f"a script states one {self._one}: write each into a file of its own"
        # Commands without an entry in the grammar that state something; others only query or print.
        self._refused = {
            **dict.fromkeys(("push", "pop", "reset", "reset-assertions"), f"{once}, without push, pop and reset"),
            "check-sat-assuming": f"{once}, its assumptions asserted",
            **dict.fromkeys(("define-fun-rec", "define-funs-rec"), f"a recursive function is no part of {self._many}"),
        }
        self._second_check = f"a second check, of other clauses; {once}"
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
            "assertion": self._assertion,
            "other": self._other,
        }

    def run(self, command: Tree) -> None:
        """Run the next command; raises `GrammarError`."""
        word = str(command.children[0]) if command.rule == "other" else command.rule
        if self._is_checked:
            if word == "query" or (word in _CHECKS and self._is_changed):
                raise self.declared.error(command, self._second_check, word)
            self._is_changed |= command.rule not in _CHANGES_NOTHING or word in self._refused
        else:
            run = self._commands.get(command.rule)
            if run is None:
                words = f"Z3's commands for Horn rules are no part of {self._many}"
                raise self.declared.error(command, words, command.rule)
            run(command, *command.children)
        self._is_checked |= word in _CHECKS

    def _other(self, _command: Tree, word: Token, *_parts: Node) -> None:
        if word in self._refused:
            raise self.declared.error(word, self._refused[word])
        if not (word in _CHECKS or word in _IGNORED or word.startswith("get-")):
            raise self.declared.error(word, "no command that is known here")

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

    # Assertions

    def _assertion(self, _command: Tree, node: Node) -> None:
        label = None
        while isinstance(node, Tree) and node.rule == "annotated":
            label = label_of(node) or label
            node = node.children[0]
        if self._is_definition(node):
            return
        formula = self._term(node, {})
        if label is not None:
            self.declared.new_symbol(label)
            self.declared.macros[symbol_of(label)] = Definition((), formula)
        self._assert(node, formula, label and symbol_of(label))

    def _is_definition(self, _node: Node) -> bool:
        """Return whether an assertion only gives a constant its value; then remember the value."""
        return False

    @abstractmethod
    def _assert(self, node: Node, formula: Term, name: str | None) -> None: ...

    def _term(self, node: Node, variables: dict[str, Variable]) -> Term:
        return Elaboration(self.declared, variables).run(node)


class HornScript(Script):
    """A script that states a CHC system."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._clauses: list[Clause] = []
        self._rule_variables: dict[str, Variable] = {}
        self._commands |= {
            "declare_rel": self._declare_rel,
            "declare_var": self._declare_var,
            "rule": self._rule,
            "query": self._query,
        }

    def system(self) -> System:
        """Return the system at the script's check, or at its end."""
        declared = self.declared
        clauses = [
            replace(clause, formula=with_other_names(clause.formula, declared.late, declared.symbols))
            for clause in self._clauses
        ]
        return System(
            tuple(declared.datatypes),
            tuple(declared.predicates.values()),
            tuple(clauses),
            tuple(self._info),
            tuple(self._options),
        )

    def _set_logic(self, _command: Tree, logic: Token) -> None:
        if symbol_of(logic) not in ("HORN", "ALL"):
            raise self.declared.error(logic, "not a CHC logic; write (set-logic HORN)")

    def _declare_sort(self, _command: Tree, name: Token, *_arity: Token) -> None:
        raise self.declared.error(name, "uninterpreted sorts are no part of CHC systems")

    def _declare_fun(self, command: Tree, name: Token, domain: Tree, result: Node) -> None:
        if domain.children and self.declared.sort(result) is not BOOL:
            raise self.declared.error(name, "only predicates may be declared in a CHC system: the range must be Bool")
        if domain.children:
            self._add_predicate(name, domain)
        else:
            self._declare_const(command, name, result)

    def _declare_const(self, _command: Tree, name: Token, result: Node) -> None:
        sort = self.declared.sort(result)
        if sort is BOOL:
            self._add_predicate(name, Tree("sorts", []))
        else:
            self.declared.new_symbol(name)
            self.declared.constants[symbol_of(name)] = sort

    def _declare_rel(self, _command: Tree, name: Token, domain: Tree) -> None:
        self._add_predicate(name, domain)

    def _add_predicate(self, name: Token, domain: Tree) -> None:
        self.declared.new_symbol(name)
        sorts = tuple(map(self.declared.sort, domain.children))
        self.declared.predicates[symbol_of(name)] = Predicate(symbol_of(name), sorts)

    def _is_definition(self, node: Node) -> bool:
        """Return whether an assertion only gives a free constant its value, before any use; then remember the value.

        Other uses of free constants are rejected, because Horn clauses cannot express that they are existential.
        """
        if not (isinstance(node, Tree) and node.rule == "application" and len(node.children) == 3):
            return False
        head, *sides = node.children
        for constant, value in (sides, reversed(sides)):
            if head == "=" and isinstance(constant, Token) and symbol_of(constant) in self.declared.constants:
                name = symbol_of(constant)
                sort = self.declared.constants[name]
                (term,) = fitted([self._term(value, {})], [sort])
                if term.sort is sort:
                    del self.declared.constants[name]
                    self.declared.macros[name] = Definition((), term)
                    return True
        return False

    def _assert(self, node: Node, formula: Term, name: str | None) -> None:
        if formula.sort is not BOOL:
            raise self.declared.error(node, f"a clause has sort Bool, not {formula.sort}")
        clause = Clause(formula, name)
        try:
            _ = clause.reading
        except NotHornError as error:
            raise self.declared.error(node, f"not a Horn clause: {error.what}", print_term(error.term)) from None
        self._clauses.append(clause)

    def _declare_var(self, _command: Tree, name: Token, of: Node) -> None:
        self.declared.new_symbol(name)
        self._rule_variables[symbol_of(name)] = Variable(symbol_of(name), self.declared.sort(of))

    def _rule(self, _command: Tree, node: Node, *name: Token) -> None:
        if name:
            self.declared.new_symbol(name[0])
        self._close_rule(node, self._rule_term(node), symbol_of(name[0]) if name else None)

    def _query(self, _command: Tree, node: Node, *_options: Node) -> None:
        self._close_rule(node, implication(self._rule_term(node), FALSE), None)

    def _rule_term(self, node: Node) -> Term:
        term = self._term(node, self._rule_variables)
        if term.sort is not BOOL:
            raise self.declared.error(node, f"a rule has sort Bool, not {term.sort}")
        return term

    def _close_rule(self, node: Node, formula: Term, name: str | None) -> None:
        variables = free_variables(formula)
        self._assert(node, Quantifier("forall", variables, formula) if variables else formula, name)


class ProblemScript(Script):
    """A script that states an SMT problem."""

    _one = "problem"
    _many = "SMT problems"

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._assertions: list[Assertion] = []

    def problem(self) -> Problem:
        """Return the problem at the script's check, or at its end."""
        declared = self.declared
        assertions = [
            replace(each, formula=with_other_names(each.formula, declared.late, declared.symbols))
            for each in self._assertions
        ]
        return Problem(
            tuple(declared.datatypes),
            tuple(declared.uninterpreted),
            tuple(declared.functions.values()),
            tuple(assertions),
            tuple(self._info),
            tuple(self._options),
        )

    def _set_logic(self, _command: Tree, logic: Token) -> None:
        """Accept any logic: the sorts and operators decide what is read."""

    def _declare_sort(self, _command: Tree, name: Token, *arity: Token) -> None:
        if arity and self.declared.index(arity[0]):
            raise self.declared.error(name, "uninterpreted sorts with parameters are not supported")
        self.declared.declare_sort(name)

    def _declare_fun(self, _command: Tree, name: Token, domain: Tree, result: Node) -> None:
        self.declared.new_symbol(name)
        parameters = tuple(map(self.declared.sort, domain.children))
        function = Function(symbol_of(name), parameters, self.declared.sort(result))
        self.declared.functions[function.name] = function

    def _declare_const(self, command: Tree, name: Token, result: Node) -> None:
        self._declare_fun(command, name, Tree("sorts", []), result)

    def _assert(self, node: Node, formula: Term, name: str | None) -> None:
        if formula.sort is not BOOL:
            raise self.declared.error(node, f"an assertion has sort Bool, not {formula.sort}")
        self._assertions.append(Assertion(formula, name))


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
