"""The solver options that a text or a stored recipe may set: those that change how a system is solved.

Options reach a solver in this process, scripts of findings and the commands that people run on them, so none may name a
file, and none may write or print. Z3's parameters of that kind take a symbol or a string as their value
(`fp.spacer.trace_file`, `fp.print_aig`), or are Boolean and have a descriptive name (`fp.spacer.dump_benchmarks`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from chcfuzz.grammar import smt_options

_NAME = re.compile(r"fp\.\w[\w.-]*", re.ASCII)
_OTHER_MODULES = ("smt.", "sat.", "rewriter.")
_VALUE = re.compile(r"true|false|[0-9]{1,10}")
# Parts of the names of parameters that write files or print, whatever their value is.
_OUTPUT = frozenset(("aig", "debug", "dump", "file", "json", "log", "output", "print", "profile", "trace"))
# The other parameters that take a word: scripts of this project set none of them.
_TAKE_WORDS = frozenset(
    f"fp.{name}"
    for name in (
        "datalog.check_relation",
        "datalog.default_relation",
        "datalog.default_table",
        "datalog.default_table_checker",
        "spacer.logic",
        "tab.selection",
        "xform.instantiate_arrays.slice_technique",
    )
)
# SMT-LIB's own options that name a file, which a solver then overwrites.
_CHANNELS = (":regular-output-channel", ":diagnostic-output-channel")
_FILES = frozenset(("channel", "dump", "file", "log", "output", "trace"))  # parts of the names of others
_TOKENS = re.compile(r';[^\n]*|\|[^|]*\||"(?:[^"]|"")*"|[()]|[^\s()|";]+')
_ENGINES = frozenset(("auto-config", "bmc", "clp", "datalog", "ddnf", "duality", "pdr", "qpdr", "spacer", "tab"))


@lru_cache(maxsize=4096)
def is_allowed(name: str, value: str) -> bool:
    """Return whether an option is a Boolean or a whole number that changes how a system is solved, or an engine.

    Those of the modules `smt`, `sat` and `rewriter`, which Spacer uses, may be fractions and words, too.
    """
    if name.startswith(_OTHER_MODULES):
        return smt_options.is_harmless(name, value)
    if name == "fp.engine":
        return value in _ENGINES
    parts = re.split(r"[._-]", name.lower())  # Z3 takes `-` for `_`, and capital letters
    is_setting = _NAME.fullmatch(name) is not None and name not in _TAKE_WORDS and _OUTPUT.isdisjoint(parts)
    return is_setting and _VALUE.fullmatch(value) is not None


def writing_option(script: str) -> str | None:
    """Return the name of an option with which a script may let its solver write a file; None without one.

    A script of somebody else is run only without such options.
    """
    channel = next((name for name in _CHANNELS if name in script), None)  # wherever, since readers differ on quotes
    named = (name for name, _ in _options(script))
    return channel or next((name for name in named if not _FILES.isdisjoint(re.split(r"[:._-]", name.lower()))), None)


def _options(script: str) -> Iterator[tuple[str, str]]:
    """Yield the names and values of the `set-option` commands of a script."""
    tokens = [token for token in _TOKENS.findall(script) if not token.startswith(";")]
    for word, name, value in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if word == "set-option":
            yield name, value
