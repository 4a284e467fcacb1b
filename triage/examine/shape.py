"""The shape of a reduced problem: theories, kind of rules, classes of operators."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SystemShape:
    """The shape of a reduced problem: the properties that its cause determines.

    Attributes:
        theories: Its theories, sorted.
        linear: Whether no rule has two predicates in its body.
        recursive: Whether some predicate depends on itself.
        doubled: Whether a conjunction or disjunction repeats a member.
        operators: Classes of operators, sorted; "equality of Arrays" is one.
        horn: Whether it has rules at all.
        kind: Kind of a problem without rules, where there are several.
    """

    theories: tuple[str, ...]
    linear: bool
    recursive: bool
    doubled: bool
    operators: tuple[str, ...]
    horn: bool = True
    kind: str = ""

    @property
    def rules(self) -> str:
        """Kind of its rules as text, or `kind` of a problem without rules."""
        if not self.horn:
            return self.kind
        return f"{'linear' if self.linear else 'non-linear'}{', recursive' if self.recursive else ''}"

    def summary(self) -> str:
        """Return the shape on one line."""
        kind = ", ".join(filter(None, ("+".join(self.theories) or "Bool", self.rules)))
        return f"{kind}; {', '.join(self.operators) or 'no operators'}"
