"""No import runs upward: every import of every room is checked against the table in layers.toml."""

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-dir"]
TABLE = tomllib.loads(Path(__file__).with_name("layers.toml").read_text())
LAYERS: list[list[str]] = TABLE["layers"]
LEVELS = {name: level for level, names in enumerate(LAYERS) for name in names}
ARROW = " -> "


class Import(NamedTuple):
    """An import of one module by another; names of the project's modules omit the leading `chcfuzz.`."""

    importer: str
    imported: str

    def __str__(self) -> str:
        return f"{self.importer}{ARROW}{self.imported}"


@cache
def modules() -> dict[str, Path]:
    """Return the modules of the project by name."""
    found = {}
    for package, folder in PACKAGES.items():
        for file in sorted((ROOT / folder).glob("*.py")):
            name = package if file.stem == "__init__" else f"{package}.{file.stem}"
            found[name.removeprefix("chcfuzz.")] = file
    return found


@cache
def imports() -> tuple[Import, ...]:
    """Return every import of the project, also those inside of functions."""
    return tuple(
        Import(name, imported.removeprefix("chcfuzz."))
        for name, file in modules().items()
        for node in statements(name, ast.parse(file.read_text()))
        for imported in imported_by(node)
    )


def statements(module: str, tree: ast.Module) -> Iterator[ast.AST]:
    """Yield all statements of a module, without those for the type checker alone if the table allows them."""
    for statement in tree.body:
        is_for_types = isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING"
        if not (is_for_types and module in TABLE["types_alone"]):
            yield from ast.walk(statement)


def imported_by(node: ast.AST) -> Iterator[str]:
    """Yield the modules that a statement imports: `from package import module` imports the module."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        for alias in node.names:
            whole = f"{node.module}.{alias.name}"
            yield whole if whole.removeprefix("chcfuzz.") in modules() else node.module


def within(module: str, name: str) -> bool:
    """Determine whether a module is an entry of the table or below one."""
    return module == name or module.startswith(f"{name}.")


def entry_of(module: str) -> str:
    """Return the longest entry of the table that holds a module."""
    return max((name for name in LEVELS if within(module, name)), key=len, default="")


def is_allowed(found: Import) -> bool:
    importer, imported = entry_of(found.importer), entry_of(found.imported)
    return importer == imported or LEVELS[imported] < LEVELS[importer]


def inside() -> Iterator[Import]:
    """Yield the imports of the project's own modules."""
    return (found for found in imports() if found.imported in modules())


def test_every_module_has_a_layer_and_every_layer_exists() -> None:
    assert [module for module in modules() if not entry_of(module)] == [], "add their folder to layers.toml"
    existing = {*modules(), *(package.removeprefix("chcfuzz.") for package in PACKAGES)}
    assert LEVELS.keys() <= existing
    assert sum(map(len, LAYERS)) == len(LEVELS), "no entry has two layers"


def test_no_import_runs_upward() -> None:
    upward = {str(found) for found in inside() if not is_allowed(found)}
    assert upward - set(TABLE["exceptions"]) == set()
    assert set(TABLE["exceptions"]) - upward == set(), "remove these exceptions from layers.toml"


def test_modules_do_not_import_each_other_in_a_circle() -> None:
    exceptions = set(TABLE["exceptions"])
    graph: dict[str, set[str]] = {module: set() for module in modules()}
    for found in inside():
        if found.importer != found.imported and str(found) not in exceptions:
            graph[found.importer].add(found.imported)
    circle = []
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = error.args[1]
    assert circle == []


def test_libraries_are_imported_where_the_table_allows_it() -> None:
    libraries = TABLE["libraries"]
    wrong = [
        str(found)
        for found in imports()
        if (allowed := libraries.get(found.imported.partition(".")[0])) is not None
        and not any(within(found.importer, name) for name in allowed)
    ]
    assert wrong == []


def test_restricted_layers_are_used_by_the_allowed_modules_alone() -> None:
    for rule in TABLE["restricted"]:
        users = {
            found.importer
            for found in inside()
            if within(found.importer, rule["importer"]) and within(found.imported, rule["imported"])
        }
        assert users == set(rule["allowed"])
