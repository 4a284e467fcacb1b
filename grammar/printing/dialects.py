"""The text of a problem for one reader: SMT-LIB as a solver reads it, or the native language of Alt-Ergo.

The canonical text of `printer` is what the newest Z3, cvc5 and Bitwuzla read, except for the few forms that this module
replaces. All texts of a problem have the same answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import reduce

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printing.alt_ergo import print_alt_ergo
from chcfuzz.grammar.printing.constant_arrays import is_value, without_constant_arrays
from chcfuzz.grammar.printing.fragments import MATHSAT, YICES, Fragment, lacking
from chcfuzz.grammar.printing.matches import with_matches
from chcfuzz.grammar.printing.printer import print_problem, print_term
from chcfuzz.grammar.problem import Problem, sorts_in
from chcfuzz.grammar.sort_kinds import built_in_kinds, kinds_of_some_readers
from chcfuzz.grammar.sorts import with_declared_sorts
from chcfuzz.grammar.terms import Apply, Term, postorder
from chcfuzz.grammar.theory import joined, operators, split_operator


@dataclass(frozen=True)
class Reader:
    """The forms of SMT-LIB that a reader does not read; the theories have the operators that it lacks.

    `array_values`: a constant array is read only if its element is a value. `has_match`: case distinctions are printed
    as `match`. `has_recursion`: recursive functions are printed as such, and not as assertions. `programs` are the
    names of the solver's commands, and `fragment` is the part of SMT-LIB that it reads, if that is much less than all.
    """

    name: str
    array_values: bool = False
    has_match: bool = False
    has_recursion: bool = True
    programs: tuple[str, ...] = ()
    fragment: Fragment | None = None


_SMTLIB = {
    each.name: each
    for each in (
        Reader("smtlib", array_values=True),
        Reader("z3", has_match=True),
        Reader("cvc5", array_values=True, has_match=True),
        Reader("bitwuzla", has_recursion=False),
        Reader("princess"),
        Reader("yices", has_recursion=False, programs=("yices-smt2", "yices_smt2", "yices-smt2-mt"), fragment=YICES),
        Reader("mathsat", has_recursion=False, programs=("mathsat",), fragment=MATHSAT),
    )
}
READERS = (*_SMTLIB, "alt-ergo")
QUOTED = r'"(?:[^"]|"")*"|\|[^|]*\|'  # strings and symbols


def reader_of_program(program: str) -> str:
    """Return the reader whose texts a program gets by its name; empty for one that gets the canonical text."""
    return next((name for name, reader in _SMTLIB.items() if program in reader.programs), "")


def print_for(problem: Problem, reader: str) -> str:
    """Return the text of a problem for a reader, one of `READERS`; raises `ChcfuzzError` if it cannot be written."""
    if kinds_of_some_readers():
        _check_sorts(problem, reader)
    if reader == "alt-ergo":
        return print_alt_ergo(problem)
    if reader not in _SMTLIB:
        raise ChcfuzzError(f"{reader} is not a reader of problems; name one of {', '.join(READERS)}")
    found = _SMTLIB[reader]
    plain = without_constant_arrays(problem, is_value) if found.array_values else problem
    translated = _translated(plain, reader)
    if found.fragment is not None and (missing := lacking(translated, found.fragment)):
        raise ChcfuzzError(f"{reader} does not have {missing}")
    if not found.has_recursion:
        stated = [replace(each, is_definition=False) for each in translated.assertions]
        translated = translated.with_assertions(stated)
    plain_form = replace(translated, form=replace(translated.form, has_match=False, has_let=False))
    return _with_sorts(print_problem(_with_matches(plain_form) if found.has_match else plain_form), reader)


def _with_sorts(text: str, reader: str) -> str:
    """Return a text with the reader's names for sorts."""
    names = {f"({kind.name} ": f"({kind.names[reader]} " for kind in built_in_kinds().values() if reader in kind.names}
    if not any(name in text for name in names):
        return text
    return re.sub(rf"{QUOTED}|{'|'.join(map(re.escape, names))}", lambda found: names.get(found[0], found[0]), text)


def _check_sorts(problem: Problem, reader: str) -> None:
    there = with_declared_sorts({sort for formula in problem.formulas for sort in sorts_in(formula)})
    names = {sort.name for sort in there}
    for name, readers in kinds_of_some_readers().items():
        if name in names and reader not in readers:
            raise ChcfuzzError(f"{reader} does not have the sort {name}; its readers are {', '.join(sorted(readers))}")


def _with_matches(problem: Problem) -> Problem:
    taken = set(problem.names)
    return problem.with_assertions(
        [replace(each, formula=with_matches(each.formula, taken, print_term)) for each in problem.assertions]
    )


def _translated(problem: Problem, reader: str) -> Problem:
    def rewritten(formula: Term) -> Term:
        return _rewritten(formula, reader)

    assertions = [replace(each, formula=rewritten(each.formula)) for each in problem.assertions]
    definitions = tuple(replace(each, body=rewritten(each.body)) for each in problem.form.definitions)
    form = replace(problem.form.restated(rewritten), definitions=definitions)
    return replace(problem.with_assertions(assertions), form=form)


def _rewritten(formula: Term, reader: str) -> Term:
    done: dict[Term, Term] = {}
    for here in postorder(formula):
        done[here] = _rewritten_node(here, [done[child] for child in here.children], reader)
    return done[formula]


def _rewritten_node(here: Term, children: list[Term], reader: str) -> Term:
    if not isinstance(here, Apply):
        return here.rebuild(children)
    name, indices = split_operator(here.operator)
    row = operators().get(name)
    if row is None:
        return Apply(here.operator, children, here.sort)
    if row.readers is not None and reader not in row.readers:
        raise ChcfuzzError(f"{reader} does not have {name}; its readers are {', '.join(sorted(row.readers))}")
    if reader in row.lacking and row.written_out and row.lacking_on in (None, here.sort):
        return row.written_out(*children)  # type: ignore[no-any-return]
    if len(children) < row.least_drawn:  # read by Z3 and cvc5 alone
        return children[0]
    other = row.names.get(reader)
    operator = joined(other, indices) if other else here.operator
    if reader in row.binary:
        return reduce(lambda a, b: Apply(operator, (a, b), here.sort), children)
    return Apply(operator, children, here.sort)
