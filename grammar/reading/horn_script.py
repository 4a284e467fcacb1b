"""Scripts that state CHC systems, in SMT-LIB or in Z3's older commands for rules."""

from __future__ import annotations

from chcfuzz.grammar.horn import NotHornError
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.reading.commands import BEHIND_A_CHECK, Script
from chcfuzz.grammar.reading.declarations import Definition
from chcfuzz.grammar.reading.leniences import fitted
from chcfuzz.grammar.reading.syntax import spelled_all, symbol_of, without_labels
from chcfuzz.grammar.reading.tree import Node, Tree
from chcfuzz.grammar.sorts import BOOL
from chcfuzz.grammar.substitution import with_other_names
from chcfuzz.grammar.symbols import UNDECLARABLE
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import FALSE, Predicate, Quantifier, Term, Variable, free_variables, implication
from lark import Token

_CHECKS = frozenset(("check-sat", "check-sat-assuming", "query"))
_CHANGES_NOTHING = frozenset(("set_info", "set_option", "other", "check_assuming"))


class HornScript(Script):
    """A script that states a CHC system.

    The script states the assertions before its first check, because that is the question to the solver. A second check
    may follow only if nothing has changed.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name, "CHC systems")
        self._is_checked = False
        self._is_changed = False  # since the check
        once = "a script states one system: write each into a file of its own"
        self._refused |= {
            **dict.fromkeys(("push", "pop", "reset", "reset-assertions"), f"{once}, without push, pop and reset"),
            "check-sat-assuming": f"{once}, its assumptions asserted",
        }
        self._second_check = f"a second check, of other clauses; {once}"
        self._clauses: list[Clause] = []
        self._rule_variables: dict[str, Variable] = {}
        self._labels: dict[int, str] = {}  # by the number of the clause: names behind rules, which any symbol may have
        self._commands |= {
            "declare_rel": self._declare_rel,
            "declare_var": self._declare_var,
            "rule": self._rule,
            "query": self._query,
        }

    def run(self, command: Tree) -> None:
        """Run the next command; raises `GrammarError`."""
        word = str(command.children[0]) if command.rule in ("other", "check_assuming") else command.rule
        if not self._is_checked:
            super().run(command)
        elif word == "query" or (word in _CHECKS and self._is_changed):
            raise self.declared.error(command, self._second_check, word)
        else:
            self._is_changed |= command.rule not in _CHANGES_NOTHING or word in self._refused
            if command.rule == "set_option":
                self._leave_out(str(command.children[0][1:]), spelled_all(command.children[1:]), BEHIND_A_CHECK)
            elif word not in self._refused and command.rule == "other":
                self._other(command, *command.children)
        self._is_checked |= word in _CHECKS

    def system(self) -> System:
        """Return the system at the script's check, or at its end."""
        declared, labels = self.declared, self._new_labels()
        late, symbols = declared.late.union(labels.values()), declared.symbols.union(labels.values())
        clauses = [
            Clause(with_other_names(clause.formula, late, symbols), labels.get(number, clause.name))
            for number, clause in enumerate(self._clauses)
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
        for variable in free_variables(formula):
            raise self.declared.error(node, "only a rule may have variables of `declare-var`", variable.name)
        clause = Clause(formula, name)
        try:
            _ = clause.reading
        except NotHornError as error:
            raise self.declared.error(node, error.what, print_term(error.term)) from None
        self._clauses.append(clause)

    def _declare_var(self, _command: Tree, name: Token, of: Node) -> None:
        self.declared.new_symbol(name)
        variable = Variable(symbol_of(name), self.declared.sort(of))
        self._rule_variables[variable.name] = variable
        self.declared.rule_variables.add(variable)

    def _rule(self, _command: Tree, node: Node, *name: Token) -> None:
        plain, labels = without_labels(node)
        formula = self._rule_term(node)
        if name and not labels:
            self._labels[len(self._clauses)] = symbol_of(name[0])
        self._close_rule(plain, formula, symbol_of(labels[0]) if labels else None)

    def _new_labels(self) -> dict[int, str]:
        """Return the names behind rules that no other symbol or rule has, by the number of the clause."""
        numbers: dict[str, int] = {}
        for number, label in self._labels.items():
            if label not in self.declared.symbols and label not in UNDECLARABLE:
                numbers.setdefault(label, number)
        return {number: label for label, number in numbers.items()}

    def _query(self, _command: Tree, node: Node, *_options: Node) -> None:
        self._close_rule(node, implication(self._rule_term(node), FALSE), None)

    def _rule_term(self, node: Node) -> Term:
        term = self._term(node, self._rule_variables)
        if term.sort is not BOOL:
            raise self.declared.error(node, f"a rule has sort Bool, not {term.sort}")
        return term

    def _close_rule(self, node: Node, formula: Term, name: str | None) -> None:
        variables = free_variables(formula)
        closed = self.declared.checked(node, lambda: Quantifier("forall", variables, formula)) if variables else formula
        self._assert(node, closed, name)
