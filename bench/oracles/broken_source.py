"""Small breaks of Python sources: a negated condition, another operator or constant, a statement that is left out.

`breaks(file, root)` lists those of a file. Texts, annotations and statements that only declare are never broken.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

_OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_FUNCTIONS = {"any": "all", "all": "any", "min": "max", "max": "min", "sorted": "list", "set": "list"}
_SKIPPED = (ast.Import, ast.ImportFrom, ast.JoinedStr, ast.Global, ast.Nonlocal)


class Break(msgspec.Struct, frozen=True):
    """A replacement of one node. `nth` counts equal replacements in the same function."""

    file: str
    scope: str
    line: int
    old: str
    new: str
    nth: int
    start: int  # bytes of the file, like `end`
    end: int

    @property
    def key(self) -> str:
        """Name that stays the same when other lines of the file change."""
        return "|".join((self.file, self.scope, self.old, self.new, str(self.nth)))

    def apply(self, source: bytes) -> bytes:
        """Return the source with this replacement."""
        return source[: self.start] + self.new.encode() + source[self.end :]


def breaks(file: Path, root: Path) -> list[Break]:
    """Return the breaks of a file, in the order of its lines."""
    source = file.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    seen: Counter[tuple[str, str, str]] = Counter()
    found = []
    for scope, nodes, new in _replacements(ast.parse(source), ""):
        start = starts[nodes[0].lineno - 1] + nodes[0].col_offset
        last = nodes[-1]
        assert last.end_lineno is not None
        assert last.end_col_offset is not None
        end = starts[last.end_lineno - 1] + last.end_col_offset
        old = source[start:end].decode()
        if old == new:
            continue
        seen[scope, old, new] += 1
        name = file.relative_to(root).as_posix()
        found.append(Break(name, scope, nodes[0].lineno, old, new, seen[scope, old, new], start, end))
    return found


_Located = ast.stmt | ast.expr
_Replacement = tuple[str, Sequence[_Located], str]


def _replacements(node: ast.AST, scope: str) -> Iterator[_Replacement]:
    """Yield the replacements below a node: the function or class, the replaced nodes, and the new text."""
    if isinstance(node, _SKIPPED):
        return
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        scope = f"{scope}.{node.name}".lstrip(".")
    if isinstance(node, ast.stmt):
        yield from ((scope, [node], new) for new in _statements(node))
    elif isinstance(node, ast.expr):
        yield from ((scope, [node], f"({ast.unparse(new)})") for new in _expressions(node, scope))
    elif isinstance(node, ast.ExceptHandler) and not isinstance(node.body[0], ast.Raise):
        yield scope, node.body, "raise"
    yield from ((scope, [test], f"(not ({ast.unparse(test)}))") for test in _conditions(node))
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list", "keywords") or isinstance(node, ast.Call):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _replacements(child, scope)


def _conditions(node: ast.AST) -> list[ast.expr]:
    """Return the conditions of a node that no change of an operator negates."""
    if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
        tests = [node.test]
    else:
        tests = node.ifs if isinstance(node, ast.comprehension) else []
    return [
        test
        for test in tests
        if not isinstance(test, ast.Compare | ast.UnaryOp) and "TYPE_CHECKING" not in ast.unparse(test)
    ]


def _statements(node: ast.stmt) -> Iterator[str]:
    """Yield the texts that can replace a statement."""
    match node:
        case ast.Expr(ast.Yield() | ast.YieldFrom()):
            yield "yield from ()"
        case ast.Expr(ast.Constant()) | ast.Return(None | ast.Constant()) | ast.Assign([ast.Name() | ast.Tuple()]):
            return
        case ast.Expr() | ast.Raise() | ast.AugAssign() | ast.Delete() | ast.Assign():
            yield "pass"
        case ast.Return():
            yield "return None"
        case ast.Break():
            yield "continue"
        case ast.Continue():
            yield "break"


def _expressions(node: ast.expr, scope: str) -> Iterator[ast.expr]:
    """Yield the expressions that can replace one."""
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            changed = [*node.ops]
            changed[place] = _other(operator)
            yield ast.Compare(node.left, changed, node.comparators)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(_other(node.op), node.values)
    elif isinstance(node, ast.BinOp) and type(node.op) in _OTHER and scope and not _is_text(node.left):
        yield ast.BinOp(node.left, _other(node.op), node.right)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node.operand
    elif isinstance(node, ast.Constant):
        yield from _constants(node.value)
    elif isinstance(node, ast.Call):
        yield from _calls(node)


def _other(operator: ast.AST) -> Any:
    return _OTHER[type(operator)]()


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def _constants(value: object) -> Iterator[ast.expr]:
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int | float):
        yield ast.Constant(value + 1)


def _calls(node: ast.Call) -> Iterator[ast.expr]:
    """Yield a call of another function, and calls without one of the keywords."""
    if isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS:
        other = _FUNCTIONS[node.func.id]
        yield ast.Call(ast.Name(other), node.args, [] if other == "list" else node.keywords)
    for left_out in node.keywords:
        if left_out.arg is not None:
            yield ast.Call(node.func, node.args, [each for each in node.keywords if each is not left_out])
