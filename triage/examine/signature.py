"""The deduplication signature of a finding: findings with the same signature probably have the same cause.

A campaign keeps at most `--per-bucket` findings of each signature, and as many of other seeds (`findings.store`). Every
signature has the solver with the digest of its program or library, and the theories of the mutant, unless its words
name the cause (`faults.names_cause`). Neither the text of the mutant nor the set of its parameters is part of the
signature of a wrong answer, which has the first step of the chain at which the answers differ, and the configurations
under which the solver is right.

The seed is stored beside these facts and is not part of the name: with it, one bug that occurs on 100 seeds has 100
signatures, and a findings folder without a bound.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, replace

from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.faults import names_cause
from chcfuzz.solvers.z3_parameters import INLINING, SPOILING_TRANSFORMS

PLAIN, GIVEN_PLAIN = "transforms off", "given, transforms off"  # names of configurations
INLINING_OFF = "inlining off"  # the parameters of the unit, with inlining off alone
# Configurations with the parameters of the unit, but these switches off. Older records have the first one alone.
SWITCHED_OFF = {INLINING_OFF: INLINING, **{f"{name}=false": (name,) for name in SPOILING_TRANSFORMS}}
_WRONG_MODEL = VerdictKind.WRONG_MODEL.value


@dataclass(frozen=True)
class Signature:
    """The facts that distinguish findings; records hold them in the field `cause`.

    `seen` is the answer of the solver. `parts_at` is the row of the first step after which the answers differ ("seed":
    they never agreed; "parameters": they differ before any step). `cures` names the configurations under which the
    solver is right. `known` is the reason why maintainers know the finding already. `detail` distinguishes deaths and
    error messages. `parameters` names the parameters that the finding needs, where no other fact distinguishes more;
    `default` is true if it needs none. `solver` is the solver (`identity.solver_key`), and `theories` are those of the
    mutant; signatures of older versions have neither. `between` names the solvers of a contradiction that accuses none
    of them. `seed` does not distinguish signatures.
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
    solver: str = ""
    theories: tuple[str, ...] = ()
    between: tuple[str, ...] = ()

    @property
    def is_cured_by_transforms(self) -> bool:
        """Whether a model is right with the transforms off, which is evidence for their fault and not a proof."""
        return self.kind == _WRONG_MODEL and any(name in self.cures for name in (PLAIN, GIVEN_PLAIN))

    @property
    def is_cured_by_inlining(self) -> bool:
        """Whether a model is right with inlining off alone, as those of Z3 issue 7319 are."""
        return self.kind == _WRONG_MODEL and INLINING_OFF in self.cures

    @property
    def name(self) -> str:
        """Beginning of its findings' folder names: the kind, `known`, `default`, and a hash of all facts but `seed`."""
        named = asdict(replace(self, seed=""))
        named = {name: value for name, value in named.items() if value or name not in ("solver", "theories", "between")}
        facts = json.dumps(named, sort_keys=True)
        words = [self.kind]
        words += ["known"] if self.known else []
        words += ["default"] if self.default else []
        return "-".join([*words, hashlib.sha256(facts.encode()).hexdigest()[:6]])


def seed_digest(seed: str) -> str:
    """Return the digits that name a seed in signatures."""
    return hashlib.sha256(seed.encode()).hexdigest()[:8]


_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+|(?<===)\d+(?===)")  # an address; the process in messages of sanitizers
_NUMBER = re.compile(r"(?<!\bsignal )(?<!\bexit code )(?<!\d)\d+")


def without_addresses(text: str) -> str:
    """Return a message with 0 in place of addresses and process ids, which differ between two runs."""
    return _ADDRESS.sub("0", text)


def without_numbers(text: str) -> str:
    """Return an error message with each number and address replaced by 0, so that it is the same at other places.

    The number of a signal and an exit code stay, because they distinguish deaths, and so does Z3's name.
    """
    return _NUMBER.sub("0", without_addresses(text)).replace("Z0 raises", "Z3 raises")  # stored signatures may have Z0


_FOLDERS = re.compile(r"\S*/(?=[^\s/])")
_NAMES = re.compile(r"\|[^|]*\||'[^']*'|`[^`']*[`']|\"[^\"]*\"")


def message_class(text: str) -> str:
    """Return the part of a message that does not depend on the problem: without numbers, folders and quoted names.

    The condition of a failed check stays, and so do signals and exit codes.
    """
    text = _FOLDERS.sub("", text)
    return without_numbers(text if names_cause(text) else _NAMES.sub("<name>", text))
