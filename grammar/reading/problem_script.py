"""Scripts that state SMT problems: one at each check, with the assertions and declarations that count there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chcfuzz.grammar import queries
from chcfuzz.grammar.check_commands import released
from chcfuzz.grammar.definitions import DefinedFunction, defined
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.form import (
    ASSUME,
    CASES_INFO,
    CHECKS_INFO,
    LET,
    MATCH,
    ONCE,
    SHARING_INFO,
    WRITTEN,
    Checks,
    Event,
    Form,
    checks_of,
)
from chcfuzz.grammar.logics import beyond, contradiction, has_only_reals
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.reading.commands import BEHIND_A_CHECK, LeftOut, Script
from chcfuzz.grammar.reading.declarations import SMT_PROBLEMS, Declarations
from chcfuzz.grammar.reading.elaboration import term_of_value
from chcfuzz.grammar.reading.leniences import fitted
from chcfuzz.grammar.reading.syntax import spelled, spelled_all, symbol_of
from chcfuzz.grammar.reading.tree import Node, Tree
from chcfuzz.grammar.reading.written_commands import WrittenCommands, declared_at_once
from chcfuzz.grammar.recursion import RecursiveFunction
from chcfuzz.grammar.smt_options import STANDARD, has_effect, is_standard, keyed, owners, why_left_out
from chcfuzz.grammar.sorts import BOOL
from chcfuzz.grammar.substitution import with_other_names
from chcfuzz.grammar.terms import Function, Term
from chcfuzz.grammar.written_checks import MOST_EVENTS, MOST_NODES, as_written, is_literal, is_small
from lark import Token

MAX_LEVELS = 1000  # of push: each keeps the declarations before it
_CHECKS = frozenset(("check-sat", "check-sat-using", "check-sat-assuming"))
_IGNORED = frozenset("apply eval help help-tactic simplify".split())  # noqa: SIM905 - commands that print
_OBJECTIVES = frozenset(("assert-soft", "maximize", "minimize"))  # all answers that are right stay right without them


@dataclass(frozen=True)
class _Level:
    """The state before a `push`; `recursive` is the number of recursive functions."""

    declared: Declarations
    recursive: int


class ProblemScript(Script):
    """A script that states SMT problems."""

    def __init__(self, name: str) -> None:
        super().__init__(name, SMT_PROBLEMS)
        self._assertions: list[Assertion] = []
        self._recursive: list[RecursiveFunction] = []
        self._levels: list[_Level] = []
        self._assumptions: tuple[Assertion, ...] = ()
        self._declarations_stay = False  # when a level is popped
        self._is_checked = False  # and only queries have followed
        self._queries: list[Event] = []  # behind the last check
        self._checks = Checks()  # the form that the script declares
        self._written = WrittenCommands()
        self._has_match = self._has_let = False
        self._logic: Token | None = None
        self._standard: dict[str, str] = {}  # options of SMT-LIB
        self._has_checked = False  # anywhere before
        self._ignored |= _IGNORED | _CHECKS
        self._refused |= {
            "include": "a script is one file",
            "declare-codatatypes": "infinite values are not supported",
            "declare-codatatype": "infinite values are not supported",
        }
        self._commands["check_assuming"] = self._check_assuming

    def run(self, command: Tree) -> None:
        """Run the next command; raises `GrammarError`."""
        if self._is_checked and not is_query(command):
            self._is_checked = False
            assumed = [each.formula for each in self._assumptions]
            self._written.check(len(self._assertions), assumed, self._queries)
            self._assumptions = ()
            self._queries = []
            self._info = [(name, value) for name, value in self._info if name != "status"]
        super().run(command)
        self._is_checked = self._is_checked or is_check(command)
        self._has_checked |= self._is_checked

    def problem(self) -> Problem:
        """Return the problem that the script states at its last command, which may be a check."""
        declared = self.declared
        defined = tuple(Assertion(each.formula, is_definition=True) for each in self._recursive)
        assertions = (*self._assertions, *self._assumptions)
        functions = tuple(declared.functions.values())
        checks = self._checks
        if checks.kind == ASSUME:
            assertions, functions = released(self._assertions, self._assumptions, functions)
        elif checks.kind in (ONCE, WRITTEN):
            checks, functions = self._as_written(functions)
        assertions = tuple(
            replace(each, formula=with_other_names(each.formula, declared.late, declared.symbols))
            for each in (*defined, *assertions)
        )
        return self._in_its_logic(
            Problem(
                tuple(declared.datatypes),
                tuple(declared.uninterpreted),
                functions,
                assertions,
                tuple(self._info),
                tuple(self._options),
                Form(
                    self._definitions(),
                    checks,
                    self._has_match,
                    self._has_let,
                    self._logic_name,
                    frozenset(),
                    tuple(self._standard.items()),
                    tuple(self._queries),
                ),
            )
        ).in_its_form

    def all_left_out(self) -> tuple[LeftOut, ...]:
        """Return the commands so far that solvers do not get, each once."""
        if is_small(self._written.events):
            return super().all_left_out()
        reason = f"more than {MOST_EVENTS} of them, or {MOST_NODES} nodes in their formulas: the last check runs alone"
        return (*super().all_left_out(), LeftOut("(push ...), (pop ...), (check-sat ...)", reason))

    def _as_written(self, functions: tuple[Function, ...]) -> tuple[Checks, tuple[Function, ...]]:
        """Return the form of the checks, and the functions with those of closed levels."""
        events, declared = self._written.events, self.declared
        if not is_small(events):
            return Checks(), functions
        kept, functions = declared_at_once(events, functions, declared.symbols, declared.late)
        return as_written(kept, sum(is_literal(each.formula) for each in self._assumptions)), functions

    @property
    def _logic_name(self) -> str | None:
        return None if self._logic is None else symbol_of(self._logic)

    def _in_its_logic(self, problem: Problem) -> Problem:
        """Return a problem whose form names the features that its logic does not have; raises `GrammarError`."""
        theory = contradiction(self._logic_name, problem)
        if theory and self._logic is not None:
            advice = "write (set-logic ALL), or a logic that has them"
            raise self.declared.error(self._logic, f"this logic does not have {theory}; {advice}")
        extra = beyond(self._logic_name, problem)
        return replace(problem, form=replace(problem.form, beyond=extra)) if extra else problem

    def _definitions(self) -> tuple[DefinedFunction, ...]:
        found = []
        for name in self.declared.defined:
            macro = self.declared.macros[name]
            body = with_other_names(macro.body, self.declared.late, self.declared.symbols)
            found.append(defined(name, macro.parameters, body))
        return tuple(each for each in found if each is not None)

    def _other(self, command: Tree, word: Token, *parts: Node) -> None:
        if word in ("push", "pop"):
            number = self._number_of_levels(word, parts)
            if word == "push":
                self._push(word, number)
            else:
                self._pop(word, number)
        elif word == "reset-assertions":
            self._reset(with_declarations=not self._declarations_stay)
        elif word == "reset":
            self._reset(with_declarations=True)
            self._info, self._options, self._declarations_stay = [], [], False
            self._logic, self._standard, self._has_checked = None, {}, False
            self.declared.numerals_are_real = False
        elif word == "check-sat" and parts:
            raise self.declared.error(word, "write a check with assumptions as check-sat-assuming")
        elif word == "check-sat-using":
            self._note(command, "the tactic of a check is its solver's own; it is run as check-sat")
        elif word in queries.WORDS and self._is_checked:
            self._query(command, word, parts)
        elif word in _OBJECTIVES:
            self.left_out.append(LeftOut(f"({spelled_all((word, *parts))})", "no optimization is run"))
        elif reason := queries.why_left_out(word):
            self.left_out.append(LeftOut(f"({spelled_all((word, *parts))})", reason))
        else:
            super()._other(command, word, *parts)

    def _query(self, command: Tree, word: Token, parts: Sequence[Node]) -> None:
        """Keep a query behind a check, or note the reason why it is left out."""
        has_named = any(each.name for each in self._assertions)
        if word == queries.CORE and not (has_named or self._assumptions):
            self._note(command, "no assertion has a name, so a core has no members")
            return
        try:
            query = self._query_of(word, parts)
        except GrammarError as error:
            self.left_out.append(LeftOut(f"({spelled_all((word, *parts))})", f"it is not read: {error.what}", False))
            return
        if len(self._queries) < queries.MOST_QUERIES and is_small((query,)):
            self._queries.append(query)
        else:
            self._note(command, f"more than {queries.MOST_QUERIES} queries, or {MOST_NODES} nodes in their terms")

    def _query_of(self, word: Token, parts: Sequence[Node]) -> Event:
        """Return a query; raises `GrammarError`."""
        if word != queries.VALUE:
            return Event(0, spelled_all((word, *parts)))
        terms = parts[0].children if len(parts) == 1 and isinstance(parts[0], Tree) else ()
        if not terms:
            raise self.declared.error(word, "get-value takes a list of terms")
        declared = self.declared
        found = [term_of_value(declared, term, {}) for term in terms]
        return Event(0, str(word), tuple(with_other_names(term, declared.late, declared.symbols) for term in found))

    def _number_of_levels(self, word: Token, parts: Sequence[Node]) -> int:
        if not parts:
            return 1
        if len(parts) > 1 or not isinstance(parts[0], Token) or parts[0].type != "NUMERAL":
            raise self.declared.error(word, f"{word} takes a number of levels")
        return self.declared.index(parts[0])

    def _push(self, word: Token, number: int) -> None:
        if len(self._levels) + number > MAX_LEVELS:
            raise self.declared.error(word, f"more than {MAX_LEVELS} levels are open")
        self._levels += [_Level(self.declared, len(self._recursive))] * number
        for _ in range(number):
            self._written.push(len(self._assertions))
        if number:
            self.declared = self.declared.copy()

    def _pop(self, word: Token, number: int) -> None:
        if number > len(self._levels):
            raise self.declared.error(word, f"{len(self._levels)} levels are open")
        if number:
            level = self._levels[-number]
            del self._levels[-number:]
            for _ in range(number):
                del self._assertions[self._written.pop([each.formula for each in self._assertions]) :]
            if not self._declarations_stay:
                self.declared = level.declared.copy()  # several levels may share it
                del self._recursive[level.recursive :]

    def _reset(self, with_declarations: bool) -> None:
        self._levels.clear()
        self._assertions.clear()
        if self._written.events:
            self.left_out.append(
                LeftOut("(reset-assertions)", "levels and checks before it are left out", matters=False)
            )
        self._written.clear()
        if with_declarations:
            self._recursive.clear()
            are_real = self.declared.numerals_are_real
            self.declared = Declarations(self.declared.name, self.declared.language)
            self.declared.numerals_are_real = are_real

    def _set_logic(self, _command: Tree, logic: Token) -> None:
        if self._logic is not None:
            raise self.declared.error(logic, "a second logic; a script has one, which solvers read first")
        if self._has_checked:
            self.left_out.append(LeftOut(f"(set-logic {logic})", "it is behind a check; the logic is set before"))
            return
        self._logic = logic
        self.declared.numerals_are_real = has_only_reals(symbol_of(logic))

    def _set_info(self, command: Tree, keyword: Token, value: Node = "") -> None:
        checks = checks_of(str(value)) if keyword == f":{CHECKS_INFO}" else None
        if checks is not None:
            self._checks = checks
        elif keyword == f":{CASES_INFO}" and value == MATCH:
            self._has_match = True
        elif keyword == f":{SHARING_INFO}" and value == LET:
            self._has_let = True
        else:
            super()._set_info(command, keyword, value)

    def _set_option(self, _command: Tree, keyword: Token, value: Node = "") -> None:
        if keyword == ":global-declarations":
            self._declarations_stay = value == "true"
        name, setting = str(keyword[1:]), spelled(value).strip('"')
        pairs = keyed(name, setting) if has_effect(name) and name not in STANDARD else ()
        if self._has_checked:
            self._leave_out(name, setting, BEHIND_A_CHECK)
        elif is_standard(name, setting):
            self._standard[name] = setting
        elif pairs:
            self._options += pairs
            self._leave_out(name, setting, f"an option of {' and '.join(owners(name))}", matters=False)
        else:
            self._leave_out(name, setting, why_left_out(name, "only truth values, numbers and words are set"))

    def _declare_sort(self, _command: Tree, name: Token, *arity: Token) -> None:
        self.declared.declare_sort(name, self.declared.index(arity[0]) if arity else 0)

    def _declare_fun(self, _command: Tree, name: Token, domain: Tree, result: Node) -> None:
        self.declared.new_symbol(name)
        parameters = tuple(map(self.declared.sort, domain.children))
        function = Function(symbol_of(name), parameters, self.declared.sort(result))
        self.declared.functions[function.name] = function

    def _declare_const(self, command: Tree, name: Token, result: Node) -> None:
        self._declare_fun(command, name, Tree("sorts", []), result)

    def _define_fun(self, command: Tree, name: Token, parameters: Tree, result: Node, body: Node) -> None:
        super()._define_fun(command, name, parameters, result, body)
        self.declared.defined.append(symbol_of(name))

    def _define_recursive(self, command: Tree, *parts: Node) -> None:
        """Declare functions that are defined by each other, and state what they are equal to."""
        first, *_ = parts
        if isinstance(first, Tree):
            stated = [part.children for part in parts if isinstance(part, Tree) and part.rule == "fun_dec"]
            bodies: Sequence[Node] = parts[len(stated) :]
        else:
            stated, bodies = [list(parts[:-1])], parts[-1:]
        if len(stated) != len(bodies):
            raise self.declared.error(command, f"{len(stated)} functions declared, {len(bodies)} defined")
        functions = []
        for name, parameters, result in stated:
            sorts = Tree("sorts", [each.children[1] for each in parameters.children])
            self._declare_fun(command, name, sorts, result)
            functions.append(self.declared.functions[symbol_of(name)])
        for function, (_, parameters, _), body in zip(functions, stated, bodies, strict=True):
            variables = self.declared.bound(parameters.children)
            (term,) = fitted([self._term(body, variables)], [function.result])
            if term.sort is not function.result:
                raise self.declared.error(body, f"the definition has sort {term.sort}, not {function.result}")
            self._recursive.append(RecursiveFunction(function, tuple(variables.values()), term))

    def _check_assuming(self, command: Tree, _word: Token, *literals: Node) -> None:
        stated = [Assertion(self.formula(literal, self._term(literal, {}))) for literal in literals]
        self._assumptions = tuple(sorted(stated, key=lambda each: is_literal(each.formula)))  # assertions come first
        if not all(is_literal(each.formula) for each in self._assumptions):
            self._note(command, "an assumption is not a constant or its negation; it is asserted instead")

    def _note(self, command: Tree, reason: str) -> None:
        self.left_out.append(LeftOut(f"({command.children[0]}{' ...' * (len(command.children) > 1)})", reason))

    def _assert(self, node: Node, formula: Term, name: str | None) -> None:
        self._assertions.append(Assertion(self.formula(node, formula), name))

    def formula(self, node: Node, formula: Term) -> Term:
        """Return a formula; raises `GrammarError` at the piece for a term of another sort."""
        if formula.sort is not BOOL:
            raise self.declared.error(node, f"an assertion has sort Bool, not {formula.sort}")
        return formula


def is_query(command: Tree) -> bool:
    """Return whether a command only prints, and may be between a check and the queries about its answer."""
    return command.rule == "other" and str(command.children[0]).startswith((queries.GET, "echo"))


def problem_ends(commands: Sequence[Tree]) -> list[int]:
    """Return the numbers of commands after which a script states a problem: each check with its queries, or all."""
    ends = []
    for number, command in enumerate(commands, 1):
        if is_check(command):
            ends.append(number)
        elif ends and ends[-1] == number - 1 and is_query(command):
            ends[-1] = number
    return ends or [len(commands)]


def is_check(command: Tree) -> bool:
    """Return whether a command is a check of satisfiability."""
    return command.rule in ("other", "check_assuming") and command.children[0] in _CHECKS
