r"""Places in Z3's sources where a small fault can be planted, found by libclang, and the text that plants it.

A site is an expression or a statement of a function in a .cpp file. Its *schema* is the same code with a guard,
`chcfuzz_fault(N)`, which is true while fault N is on:

| operator | code | schema |
| --- | --- | --- |
| condition | `if (c)`, `while (c)`, `for (..; c; ..)` | `if (chcfuzz_fault(N) != static_cast<bool>(c))` |
| relation | `a < b` | `(chcfuzz_fault(N) ? a <= b : a < b)` |
| call | `v.push_back(x);` | `(chcfuzz_fault(N) ? (void)0 : (void)(v.push_back(x)));` |
| jump | `continue;`, `break;` | `if (!chcfuzz_fault(N)) continue;` |
| arguments | `f(a, b)`, both of one type | `(chcfuzz_fault(N) ? f(b, a) : f(a, b))` |
| constant | `1` | `(1 + static_cast<int>(chcfuzz_fault(N)))` |
| choice | `c ? a : b` | `(chcfuzz_fault(N) \\|\\| (c)) ? a : b` |
| return | `return e;` of a Boolean function | `return chcfuzz_fault(N) != static_cast<bool>(e);` |

Code that a macro expands is left alone, and assertions and traces of Z3 are macros; so are functions that only print or
count (`_SILENT`). `chcfuzz_fault` also stores that its site was reached. It adds no branch to conditions; elsewhere the
edge that it adds is taken together with the code that it guards, so libFuzzer learns nothing new from it.
Needs `pip install -e '.[yardstick]'`.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from clang.cindex import Cursor, CursorKind, Index, SourceRange, TranslationUnit, TypeKind

GUARD = "chcfuzz_fault"
OPERATORS = ("condition", "relation", "call", "jump", "arguments", "constant", "choice", "return")
_OFF_BY_ONE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_FUNCTIONS = (CursorKind.CXX_METHOD, CursorKind.FUNCTION_DECL, CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR)
_LOOPS = {CursorKind.IF_STMT: 0, CursorKind.WHILE_STMT: 0, CursorKind.DO_STMT: 1}  # place of the condition
_SILENT = re.compile(r"(::|^)(display|collect_stat|reset_stat|print|pp|to_string|operator<<|get_string|dump|~)")
_CHANGING = ("push_back", "insert", "add", "append", "erase", "pop_back", "reset", "remove", "set", "update", "push")


class Site(msgspec.Struct, frozen=True):
    """A place for a fault: file below src/, line, function, operator; `begin`, `end` are offsets in bytes."""

    file: str
    line: int
    function: str
    operator: str
    begin: int
    end: int
    pieces: tuple[tuple[int, int], ...] = ()
    word: str = ""

    @property
    def order(self) -> str:
        """A hash by which sites are drawn, and by which a third is kept apart: no other order reaches a result."""
        key = f"{self.file}:{self.begin}:{self.operator}"
        return hashlib.sha256(key.encode()).hexdigest()


def schema(site: Site, number: int, text: bytes) -> bytes:
    """Return the code of a site with the guard of fault `number`; `text` is the content of its file."""
    code = text[site.begin : site.end].decode()
    guard = f"{GUARD}({number})"
    pieces = [text[begin:end].decode() for begin, end in site.pieces]
    match site.operator:
        case "condition" | "return":
            return f"({guard} != static_cast<bool>({code}))".encode()
        case "relation":
            left, right = pieces
            return f"({guard} ? ({left}) {_OFF_BY_ONE[site.word]} ({right}) : ({code}))".encode()
        case "call":
            return f"({guard} ? (void)0 : (void)({code}))".encode()
        case "jump":
            return f"if (!{guard}) {code}".encode()
        case "arguments":
            first, second = site.pieces
            swapped = (
                text[site.begin : first[0]],
                text[second[0] : second[1]],
                text[first[1] : second[0]],
                text[first[0] : first[1]],
                text[second[1] : site.end],
            )
            return f"({guard} ? {b''.join(swapped).decode()} : {code})".encode()
        case "constant":
            return f"({code} + static_cast<int>({guard}))".encode()
        case "choice":
            return f"({guard} || static_cast<bool>({code}))".encode()
    raise ValueError(f"no operator {site.operator!r}")


def parsed(file: Path, arguments: Sequence[str], content: bytes | None = None) -> TranslationUnit:
    """Parse a file with the arguments of its compiler, or `content` in its place."""
    unsaved = None if content is None else [(str(file), content.decode())]
    options = TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
    return Index.create().parse(str(file), list(arguments), unsaved_files=unsaved, options=options)


def error_lines(unit: TranslationUnit) -> dict[int, str]:
    """Return the first error of each line of the main file; errors elsewhere are at line 0."""
    found: dict[int, str] = {}
    for diagnostic in unit.diagnostics:
        if diagnostic.severity >= diagnostic.Error:
            at = diagnostic.location
            is_here = at.file is not None and at.file.name == unit.spelling
            found.setdefault(at.line if is_here else 0, diagnostic.spelling)
    return found


def sites_of(unit: TranslationUnit, name: str) -> list[Site]:
    """Return the sites of a parsed file, named `name` below src/, in the order of the text."""
    found = _Finder(unit, name).sites()
    return sorted(found, key=lambda site: (site.begin, -site.end, site.operator))


@dataclass(frozen=True)
class _Place:
    """A cursor within a function: the function's name, and whether it returns a Boolean."""

    function: str
    is_boolean: bool


class _Finder:
    def __init__(self, unit: TranslationUnit, name: str) -> None:
        self._unit = unit
        self._name = name
        self._text = Path(unit.spelling).read_bytes()
        self._macros = [
            (cursor.extent.start.offset, cursor.extent.end.offset)
            for cursor in unit.cursor.get_children()
            if cursor.kind in (CursorKind.MACRO_INSTANTIATION,) and self._is_here(cursor)
        ]

    def sites(self) -> Iterator[Site]:
        stack = [cursor for cursor in self._unit.cursor.get_children() if self._is_here(cursor)]
        while stack:
            cursor = stack.pop()
            if cursor.kind in _FUNCTIONS and cursor.is_definition():
                boolean = cursor.result_type.get_canonical().kind is TypeKind.BOOL
                name = _qualified(cursor)
                if _SILENT.search(name) is None:
                    yield from self._within(cursor, _Place(name, boolean))
            elif cursor.kind in (CursorKind.NAMESPACE, CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL):
                stack += cursor.get_children()

    def _within(self, function: Cursor, place: _Place) -> Iterator[Site]:
        stack = [(child, place) for child in function.get_children() if child.kind is CursorKind.COMPOUND_STMT]
        while stack:
            cursor, at = stack.pop()
            for site in _SITES.get(cursor.kind, _nothing)(self, cursor, at):
                if site.begin < site.end and not self._touches_macro(site):
                    yield site
            if cursor.kind is CursorKind.LAMBDA_EXPR:  # its `return` is not that of the function
                at = _Place(at.function, is_boolean=False)
            if cursor.kind not in (CursorKind.CASE_STMT, CursorKind.STATIC_ASSERT):
                stack += [(child, at) for child in cursor.get_children()]
            else:
                stack += [(child, at) for child in list(cursor.get_children())[1:]]  # without a label's constant

    def _is_here(self, cursor: Cursor) -> bool:
        file = cursor.extent.start.file
        return file is not None and file.name == self._unit.spelling

    def _touches_macro(self, site: Site) -> bool:
        return any(begin < site.end and site.begin < end for begin, end in self._macros)

    def site(self, operator: str, place: _Place, extent: SourceRange, **more: object) -> Site:
        line, begin, end = extent.start.line, extent.start.offset, extent.end.offset
        return Site(self._name, line, place.function, operator, begin, end, **more)  # type: ignore[arg-type]

    def conditions(self, cursor: Cursor, place: _Place) -> Iterator[Site]:
        children = list(cursor.get_children())
        if cursor.kind is CursorKind.FOR_STMT:
            conditions = [child for child in children[:-1] if child.type.get_canonical().kind is TypeKind.BOOL]
        else:
            conditions = children[_LOOPS[cursor.kind] :][:1]
        for condition in conditions:
            if condition.kind.is_expression():
                yield self.site("condition", place, condition.extent)

    def relations(self, cursor: Cursor, place: _Place) -> Iterator[Site]:
        sides = list(cursor.get_children())
        if len(sides) != 2 or any(_is_template(side) for side in sides):
            return
        left, right = (side.extent for side in sides)
        word = self._text[left.end.offset : right.start.offset].strip().decode(errors="replace")
        if word in _OFF_BY_ONE and all(_is_number(side) for side in sides):
            pieces = tuple((extent.start.offset, extent.end.offset) for extent in (left, right))
            yield self.site("relation", place, cursor.extent, pieces=pieces, word=word)

    def calls(self, cursor: Cursor, place: _Place) -> Iterator[Site]:
        for child in cursor.get_children():
            is_call = child.kind is CursorKind.CALL_EXPR
            if is_call and (child.type.kind is TypeKind.VOID or child.spelling in _CHANGING):
                yield self.site("call", place, child.extent)

    def branches(self, cursor: Cursor, place: _Place) -> Iterator[Site]:
        yield from self.conditions(cursor, place)
        yield from self.calls_of_branches(cursor, place)

    def calls_of_branches(self, cursor: Cursor, place: _Place) -> Iterator[Site]:
        for child in list(cursor.get_children())[1:]:
            if child.kind is CursorKind.CALL_EXPR and child.type.kind is TypeKind.VOID:
                yield self.site("call", place, child.extent)

    def jumps(self, cursor: Cursor, place: _Place) -> Iterator[Site]:
        yield self.site("jump", place, cursor.extent)

    def arguments(self, cursor: Cursor, place: _Place) -> Iterator[Site]:
        given = [argument for argument in cursor.get_arguments() if argument is not None]
        for first, second in itertools.pairwise(given):
            one, two = (each.type.get_canonical().spelling for each in (first, second))
            extents = [(each.extent.start.offset, each.extent.end.offset) for each in (first, second)]
            if one == two and not _is_template(first) and all(begin < end for begin, end in extents):
                text = [self._text[begin:end] for begin, end in extents]
                if text[0] != text[1] and extents[0][1] <= extents[1][0]:
                    yield self.site("arguments", place, cursor.extent, pieces=tuple(extents))

    def constants(self, cursor: Cursor, place: _Place) -> Iterator[Site]:
        if self._text[cursor.extent.start.offset : cursor.extent.end.offset].isdigit():  # not one of a default argument
            yield self.site("constant", place, cursor.extent)

    def choices(self, cursor: Cursor, place: _Place) -> Iterator[Site]:
        condition = next(cursor.get_children(), None)
        if condition is not None:
            yield self.site("choice", place, condition.extent)

    def returns(self, cursor: Cursor, place: _Place) -> Iterator[Site]:
        value = next(cursor.get_children(), None)
        if place.is_boolean and value is not None:
            yield self.site("return", place, value.extent)


def _nothing(_finder: _Finder, _cursor: Cursor, _place: _Place) -> Iterable[Site]:
    return ()


_SITES: dict[CursorKind, Callable[[_Finder, Cursor, _Place], Iterable[Site]]] = {
    CursorKind.IF_STMT: _Finder.branches,
    CursorKind.WHILE_STMT: _Finder.conditions,
    CursorKind.DO_STMT: _Finder.conditions,
    CursorKind.FOR_STMT: _Finder.conditions,
    CursorKind.BINARY_OPERATOR: _Finder.relations,
    CursorKind.COMPOUND_STMT: _Finder.calls,
    CursorKind.CONTINUE_STMT: _Finder.jumps,
    CursorKind.BREAK_STMT: _Finder.jumps,
    CursorKind.CALL_EXPR: _Finder.arguments,
    CursorKind.INTEGER_LITERAL: _Finder.constants,
    CursorKind.CONDITIONAL_OPERATOR: _Finder.choices,
    CursorKind.RETURN_STMT: _Finder.returns,
}


def _qualified(cursor: Cursor) -> str:
    parts = [cursor.spelling]
    parent = cursor.semantic_parent
    while parent is not None and parent.kind is not CursorKind.TRANSLATION_UNIT:
        parts.append(parent.spelling)
        parent = parent.semantic_parent
    return "::".join(part for part in reversed(parts) if part)


def _is_number(cursor: Cursor) -> bool:
    kind = cursor.type.get_canonical().kind
    return TypeKind.BOOL.value < kind.value <= TypeKind.INT128.value  # type: ignore[no-any-return]


def _is_template(cursor: Cursor) -> bool:
    return bool(cursor.type.kind is TypeKind.DEPENDENT)
