"""Nested lists of tokens to the trees that lark makes by `smtlib.lark`, for texts that are right.

Reading a script this way takes a sixth of lark's time. A text that does not fit raises `UnusualTextError`; lark then
finds the place of the error, or reads the text after all. The lists become the children of the trees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from chcfuzz.grammar.reading.brackets import Parts, UnusualTextError, brackets
from chcfuzz.grammar.reading.tree import Node, Tree
from lark import Token

_SYMBOLS = frozenset(("SYMBOL", "QUOTED"))
_NUMERAL = frozenset(("NUMERAL",))
_INDICES = _SYMBOLS | _NUMERAL
_LEAVES = _SYMBOLS | {"NUMERAL", "DECIMAL", "HEXADECIMAL", "BINARY"}
_VALUES = _LEAVES | {"STRING"}
_SEXPRS = _VALUES | {"KEYWORD"}
_MOST_DEPTH = 90  # of sorts and of values in attributes


def script(text: str) -> Tree:
    """Return the tree of a script; raises `UnusualTextError`."""
    commands = brackets(text)
    if commands and commands[-1] == ["exit"]:
        commands.pop()
    return Tree("start", list(map(_command, commands)))


def single_term(text: str) -> Node:
    """Return the tree of a text that is one term; raises `UnusualTextError`."""
    parts = brackets(text)
    _expect(len(parts) == 1)
    _terms(parts, 0)
    return parts[0]


def _expect(fits: object) -> None:
    if not fits:
        raise UnusualTextError


def _token(part: Node, types: frozenset[str]) -> Token:
    if type(part) is list or part.type not in types:
        raise UnusualTextError
    return part  # type: ignore[no-any-return]


def _list(part: Node, least: int = 0, most: int | None = None) -> Parts:
    if type(part) is not list or len(part) < least or (most is not None and len(part) > most):
        raise UnusualTextError
    return part


def _of(part: Node, types: frozenset[str], least: int = 0) -> Parts:
    """Return a list of tokens of these types."""
    for each in _list(part, least):
        _token(each, types)
    return part  # type: ignore[no-any-return]


# Commands ------------------------------------------------------------------------------------------


def _command(part: Node) -> Tree:
    parts = _list(part, 1)
    word = _token(parts[0], _SYMBOLS)
    _expect(word.type == "SYMBOL")
    return _COMMANDS.get(word, _other)(parts)


def _other(parts: Parts) -> Tree:
    _sexprs(parts, 1)
    return Tree("other", parts)


def _refused(_parts: Parts) -> Tree:
    raise UnusualTextError


def _set_logic(parts: Parts) -> Tree:
    return Tree("set_logic", [_token(_list(parts, 2, 2)[1], _SYMBOLS)])


def _attribute(rule: str, parts: Parts) -> Tree:
    _list(parts, 2, 3)
    return Tree(rule, [_token(parts[1], frozenset(("KEYWORD",))), *map(_value, parts[2:])])


def _declare_sort(parts: Parts) -> Tree:
    _list(parts, 2, 3)
    return Tree("declare_sort", [_token(parts[1], _SYMBOLS), *(_token(each, _NUMERAL) for each in parts[2:])])


def _define_sort(parts: Parts) -> Tree:
    _, name, parameters, of = _list(parts, 4, 4)
    return Tree("define_sort", [_token(name, _SYMBOLS), Tree("symbols", _of(parameters, _SYMBOLS)), _sort(of)])


def _declare_fun(parts: Parts) -> Tree:
    _, name, domain, result = _list(parts, 4, 4)
    return Tree("declare_fun", [_token(name, _SYMBOLS), _sorts(domain), _sort(result)])


def _declare_rel(parts: Parts) -> Tree:
    _, name, domain = _list(parts, 3, 3)
    return Tree("declare_rel", [_token(name, _SYMBOLS), _sorts(domain)])


def _declared(rule: str, parts: Parts) -> Tree:
    _, name, of = _list(parts, 3, 3)
    return Tree(rule, [_token(name, _SYMBOLS), _sort(of)])


def _define_fun(parts: Parts) -> Tree:
    _, name, parameters, result, _body = _list(parts, 5, 5)
    variables = Tree("sorted_vars", list(map(_sorted_variable, _list(parameters))))
    _terms(parts, 4)
    return Tree("define_fun", [_token(name, _SYMBOLS), variables, _sort(result), parts[4]])


def _define_const(parts: Parts) -> Tree:
    _, name, result, _body = _list(parts, 4, 4)
    _terms(parts, 3)
    return Tree("define_const", [_token(name, _SYMBOLS), _sort(result), parts[3]])


def _assertion(parts: Parts) -> Tree:
    _list(parts, 2, 2)
    del parts[0]
    _terms(parts, 0)
    return Tree("assertion", parts)


def _check_assuming(parts: Parts) -> Tree:
    word, literals = _list(parts, 2, 2)
    _terms(_list(literals), 0)
    return Tree("check_assuming", [word.update(type="CHECK_ASSUMING"), *literals])


def _declare_datatype(parts: Parts) -> Tree:
    _, name, definition = _list(parts, 3, 3)
    return Tree("declare_datatype", [_token(name, _SYMBOLS), _datatype(definition)])


def _declare_datatypes(parts: Parts) -> Tree:
    _, declared, defined = _list(parts, 3, 3)
    _list(defined, 1)
    if not _list(declared) or type(declared[0]) is not list:
        old = [Tree("old_datatype", _constructors(each, 1)) for each in defined]
        return Tree("declare_old_datatypes", [Tree("symbols", _of(declared, _SYMBOLS)), *old])
    names = [Tree("sort_dec", [_token(name, _SYMBOLS), _token(number, _NUMERAL)]) for name, number in _pairs(declared)]
    definitions = list(map(_datatype, defined))
    return Tree("declare_datatypes", [Tree("sort_decs", names), Tree("datatype_decs", definitions)])


_COMMANDS: dict[str, Callable[[Parts], Tree]] = {
    "set-logic": _set_logic,
    "set-info": partial(_attribute, "set_info"),
    "set-option": partial(_attribute, "set_option"),
    "declare-sort": _declare_sort,
    "define-sort": _define_sort,
    "declare-datatypes": _declare_datatypes,
    "declare-datatype": _declare_datatype,
    "declare-fun": _declare_fun,
    "declare-const": partial(_declared, "declare_const"),
    "define-fun": _define_fun,
    "define-const": _define_const,
    "assert": _assertion,
    "declare-rel": _declare_rel,
    "declare-var": partial(_declared, "declare_var"),
    "rule": _refused,  # Z3's older commands are rare
    "query": _refused,
    "check-sat-assuming": _check_assuming,
    "exit": _refused,
}


# Data types, sorts, values -------------------------------------------------------------------------


def _pairs(part: Node) -> list[Parts]:
    return [_list(each, 2, 2) for each in _list(part, 1)]


def _datatype(part: Node) -> Tree:
    parts = _list(part, 1)
    if parts[0] != "par" or type(parts[0]) is list:
        return Tree("constructors", _constructors(parts, 0))
    _, parameters, constructors = _list(parts, 3, 3)
    symbols = Tree("symbols", _of(parameters, _SYMBOLS))
    return Tree("parametric", [symbols, *_constructors(constructors, 0)])


def _constructors(part: Node, start: int) -> Parts:
    """Return a list whose elements from `start` on are constructors, at least one; the ones before are symbols."""
    parts = _list(part, start + 1)
    _of(parts[:start], _SYMBOLS)
    parts[start:] = map(_constructor, parts[start:])
    return parts


def _constructor(part: Node) -> Tree:
    if type(part) is not list:
        return Tree("constructor", [_token(part, _SYMBOLS)])
    name, *selectors = _list(part, 1)
    fields = [
        Tree("selector", [_token(field, _SYMBOLS), _sort(of)]) for field, of in (_list(s, 2, 2) for s in selectors)
    ]
    return Tree("constructor", [_token(name, _SYMBOLS), *fields])


def _sorts(part: Node) -> Tree:
    return Tree("sorts", list(map(_sort, _list(part))))


def _sort(part: Node, depth: int = 0) -> Node:
    if type(part) is not list:
        return _token(part, _SYMBOLS)
    _expect(len(part) > 1 and depth < _MOST_DEPTH)
    name = _token(part[0], _SYMBOLS)
    if name == "_":
        _expect(len(part) > 2)
        _token(part[1], _SYMBOLS)
        return Tree("indexed_sort", [part[1], *_of(part[2:], _NUMERAL)])
    return Tree("sort_application", [name, *(_sort(each, depth + 1) for each in part[1:])])


def _sorted_variable(part: Node) -> Tree:
    name, of = _list(part, 2, 2)
    return Tree("sorted_var", [_token(name, _SYMBOLS), _sort(of)])


def _value(part: Node) -> Node:
    if type(part) is not list:
        return _token(part, _VALUES)
    _sexprs(part, 0)
    return Tree("list", part)


def _sexprs(parts: Parts, start: int, depth: int = 0) -> None:
    """Make trees of the elements from `start` on."""
    _expect(depth < _MOST_DEPTH)
    for place in range(start, len(parts)):
        part = parts[place]
        if type(part) is list:
            _sexprs(part, 0, depth + 1)
            parts[place] = Tree("list", part)
        else:
            _token(part, _SEXPRS)


# Terms ---------------------------------------------------------------------------------------------

Waiting = list[tuple[Parts, int, int]]  # lists, and the range of the elements that are terms


def _terms(parts: Parts, start: int) -> None:
    """Make trees of the elements from `start` on, which are terms."""
    waiting: Waiting = [(parts, start, len(parts))]
    leaves, special = _LEAVES, _SPECIAL
    while waiting:
        parts, start, end = waiting.pop()
        for place in range(start, end):
            part = parts[place]
            if type(part) is not list:
                if part.type not in leaves:
                    raise UnusualTextError
                continue
            if not part:
                raise UnusualTextError
            head = part[0]
            if type(head) is list:
                part[0] = _head(head)
            elif head.type not in _SYMBOLS:
                raise UnusualTextError
            elif head in special:
                parts[place] = special[head](part, waiting)
                continue
            if len(part) < 2:
                raise UnusualTextError
            waiting.append((part, 1, len(part)))
            parts[place] = Tree("application", part)


def _head(part: Parts) -> Tree:
    """Return the head of an application that is not a symbol."""
    word = _token(_list(part, 3)[0], _SYMBOLS)
    if word == "_":
        return _indexed(part)
    _expect(word == "as")
    return _qualified(part)


def _indexed(part: Parts, _waiting: Waiting | None = None) -> Tree:
    _expect(len(part) > 2)
    return Tree("indexed", [_token(part[1], _SYMBOLS), *_of(part[2:], _INDICES)])


def _qualified(part: Parts, _waiting: Waiting | None = None) -> Tree:
    _, name, of = _list(part, 3, 3)
    return Tree("qualified", [_token(name, _SYMBOLS), _sort(of)])


def _let(part: Parts, waiting: Waiting) -> Tree:
    _, bindings, body = _list(part, 3, 3)
    children: Parts = []
    for binding in _pairs(bindings):
        _token(binding[0], _SYMBOLS)
        waiting.append((binding, 1, 2))
        children.append(Tree("binding", binding))
    return _with_term("let", children, body, waiting)


def _with_term(rule: str, children: Parts, term: Node, waiting: Waiting) -> Tree:
    """Return a tree with a term behind other children."""
    children.append(term)
    waiting.append((children, len(children) - 1, len(children)))
    return Tree(rule, children)


def _quantified(part: Parts, waiting: Waiting) -> Tree:
    kind, variables, body = _list(part, 3, 3)
    found = [kind.update(type="QUANTIFIER"), *map(_sorted_variable, _list(variables, 1))]
    return _with_term("quantified", found, body, waiting)


def _match(part: Parts, waiting: Waiting) -> Tree:
    _, subject, cases = _list(part, 3, 3)
    children: Parts = [subject]
    waiting.append((children, 0, 1))
    for case in _pairs(cases):
        case[0] = _pattern(case[0])
        waiting.append((case, 1, 2))
        children.append(Tree("case", case))
    return Tree("match", children)


def _pattern(part: Node) -> Node:
    return Tree("pattern", _of(part, _SYMBOLS, least=2)) if type(part) is list else _token(part, _SYMBOLS)


def _annotated(part: Parts, waiting: Waiting) -> Tree:
    _list(part, 3)
    children: Parts = [part[1], *_attributes(part[2:])]
    waiting.append((children, 0, 1))
    return Tree("annotated", children)


def _attributes(parts: Sequence[Node]) -> list[Tree]:
    found: list[Tree] = []
    for part in parts:
        if type(part) is not list and part.type == "KEYWORD":
            found.append(Tree("attribute", [part]))
        else:
            _expect(found and len(found[-1].children) == 1)
            found[-1].children.append(_value(part))
    return found


_SPECIAL: dict[str, Callable[[Parts, Waiting], Tree]] = {
    "_": _indexed,
    "as": _qualified,
    "let": _let,
    "match": _match,
    "!": _annotated,
    **dict.fromkeys(("forall", "exists", "lambda", "choice"), _quantified),
}
