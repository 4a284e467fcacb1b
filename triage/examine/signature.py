"""The deduplication signature of a finding: findings with the same signature probably have the same cause.

A campaign keeps at most `--per-bucket` findings of each signature. Neither the text of the mutant nor the set of its
parameters is part of the signature of a wrong answer. Its parts are the first step of the chain at which the answers
differ, the seed, and the configurations under which the solver is right.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Signature:
    """The facts that distinguish findings; records hold them in the field `cause`.

    `seen` is the answer of the solver. `parts_at` is the row of the first step after which the answers differ ("seed":
    they never agreed; "parameters": they differ before any step). `cures` names the configurations under which the
    solver is right. `known` is the reason why maintainers know the finding already. `detail` distinguishes deaths and
    error messages. `parameters` names the parameters that the finding needs, where no other fact distinguishes more;
    `default` is true if it needs none.
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
    def name(self) -> str:
        """Beginning of the folder names of its findings: the kind, `known`, `default`, and a hash of all facts."""
        facts = json.dumps(asdict(self), sort_keys=True)
        words = [self.kind]
        words += ["known"] if self.known else []
        words += ["default"] if self.default else []
        return "-".join([*words, hashlib.sha256(facts.encode()).hexdigest()[:6]])


def without_numbers(text: str) -> str:
    """Return an error message with each number replaced by 0, so that it is the same at other places."""
    return re.sub(r"\d+", "0", text)
