"""SMT-LIB symbols (SMT-LIB 2.6, section 3.1)."""

from __future__ import annotations

import re
from functools import lru_cache

PART = r"[A-Za-z0-9~!@$%^&*_+=<>.?/-]"  # a character of a symbol without bars
_SIMPLE = re.compile(rf"(?!-?[0-9]){PART}+")  # -1 is a number to Z3

# Words that Z3 reserves even between bars, at the head of a term (src/parsers/smt2/smt2parser.cpp).
UNDECLARABLE = frozenset("! _ as choice exists forall lambda let match root-obj".split())  # noqa: SIM905

# Words that stand for something else where a term or a command is expected. Bitwuzla takes no command as a name.
RESERVED = frozenset(
    """! _ as BINARY choice DECIMAL exists forall HEXADECIMAL lambda let match NUMERAL par STRING assert check-sat
    check-sat-assuming declare-const declare-datatype declare-datatypes declare-fun declare-sort define-const
    define-fun define-fun-rec define-funs-rec define-sort echo exit get-assertions get-assignment get-info get-model
    get-option get-proof get-unsat-assumptions get-unsat-core get-value pop push reset reset-assertions set-info
    set-logic set-option""".split()  # noqa: SIM905 - a list of them would be no easier to read
)


@lru_cache(maxsize=1 << 16)
def quoted(name: str) -> str:
    """Return the symbol as text: bare if SMT-LIB allows it, else between bars."""
    return name if _SIMPLE.fullmatch(name) and name not in RESERVED else f"|{name}|"
