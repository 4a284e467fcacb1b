"""What findings of one cause have in common, as far as that can be told: so many of a cause are kept.

Not the text of the mutant, and not the set of parameters: those of a wrong answer are the first step of the chain at
which the answers part, the seed, and the settings that cure it.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Cause:
    """`seen` is what the solver answered; `parts_at` the row of the first step at which the answers part ("seed": they
    never agreed, "parameters": before any step). `cures`: names of settings under which it is right. `known`: why
    maintainers know it already. `detail` tells deaths and errors apart. `parameters` are the names of those it needs,
    where nothing tells more; `default`: it needs none.
    """

    kind: str
    default: bool
    seen: str = ""
    parts_at: str = ""
    seed: str = ""
    cures: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    known: str | None = None
    detail: str = ""

    @property
    def bucket(self) -> str:
        """The name that findings of this cause begin with: the kind, what is known or default, a hash of it all."""
        facts = json.dumps(asdict(self), sort_keys=True)
        words = [self.kind]
        words += ["known"] if self.known else []
        words += ["default"] if self.default else []
        return "-".join([*words, hashlib.sha256(facts.encode()).hexdigest()[:6]])

    def record(self) -> dict[str, Any]:
        """All of it, for a finding's record."""
        return {**asdict(self), "cures": list(self.cures), "parameters": list(self.parameters)}

    @classmethod
    def of(cls, record: dict[str, Any]) -> Cause:
        """What `record` gave."""
        return cls(**{**record, "cures": tuple(record["cures"]), "parameters": tuple(record["parameters"])})


def without_numbers(text: str) -> str:
    """An error's text with every number the same: it is the same error at another place."""
    return re.sub(r"\d+", "0", text)
