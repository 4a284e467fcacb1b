"""Candidate fixes of Z3 in our own words, as replacements of one text in one function; `diff` makes patches of them."""

import difflib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Replacement:
    """`number` occurrences of `old` after the first text `after` of a file become `new`."""

    file: str
    after: str
    old: str
    new: str
    number: int = 1

    def apply(self, text: str) -> str:
        place = text.index(self.after)
        assert text[place:].count(self.old) >= self.number, f"{self.file} has no {self.old!r} after {self.after!r}"
        return text[:place] + text[place:].replace(self.old, self.new, self.number)


_VALUE, _UNIQUE = "m.is_value(", "m.is_unique_value("

# Finding 1 of docs/z3-5.4.0.md. A chain of stores over a constant array is a value, and two different values of this
# form may be equal, so that they must not be arguments of a predicate: unification takes different values for unequal.
UNIQUE_VALUES = (
    Replacement(
        "src/muz/base/dl_rule.cpp", "m_args.reset();\n        for (unsigned i = 0; i < fml->get", _VALUE, _UNIQUE
    ),
    Replacement("src/muz/base/dl_rule.cpp", "!is_var(arg) && !", _VALUE, _UNIQUE),
    Replacement("src/muz/base/dl_rule.cpp", "rule_manager::is_fact(", _VALUE, _UNIQUE),
)


def diff(source: Path, changes: tuple[Replacement, ...]) -> str:
    """Return the patch that makes these replacements in the sources."""
    texts: dict[str, str] = {}
    for change in changes:
        texts[change.file] = change.apply(texts.get(change.file) or (source / change.file).read_text())
    lines: list[str] = []
    for file, text in texts.items():
        before = (source / file).read_text().splitlines(keepends=True)
        lines += difflib.unified_diff(before, text.splitlines(keepends=True), f"a/{file}", f"b/{file}")
    return "".join(lines)
