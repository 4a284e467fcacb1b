"""Golem's options that change its solving, from its source code, and its messages; a test compares them with Golem.

Golem reads linear arithmetic over Ints or Reals only: arrays end in `unknown` or an exception, and a quantifier below
the outermost ones aborts.
"""

from __future__ import annotations

import re
from functools import partial

from chcfuzz.domains.chc.solvers.derivation import derivation_in
from chcfuzz.solvers.command_options import ON, Option
from chcfuzz.solvers.dialect import Accepted, Dialect

_OPTIONS = "src/Options.cc"
_Option = partial(Option, form="--{name}={value}", on="--{name}")

OPTIONS = (
    _Option(
        "engine",
        "spacer",
        ("bmc", "dar", "imc", "kind", "lawi", "pa", "pdkind", "se", "split-tpa", "tpa", "trl"),
        "src/engine/EngineFactory.cc",
    ),
    _Option("proof-format", "legacy", ("intermediate", "alethe"), "src/Witnesses.cc"),
    _Option("validate", "off", (ON,), "src/Validator.cc"),
    _Option("force-ts", "off", (ON,), "src/engine/TPA.cc"),
    # Not listed by `golem -h`.
    _Option("simplify-nested", "off", (ON,), "src/engine/TPA.cc"),
    _Option("tpa.use-qe", "off", (ON,), "src/engine/TPA.h"),
    _Option("forced-covering", "off", (ON,), "src/engine/Lawi.cc"),
    _Option("lra-itp-algorithm", "0", ("2", "4", "5"), "src/engine/Lawi.cc"),
)

# Golem's other options, and the reasons why mutations do not vary them.
EXCLUDED = {
    "compute-witness": "`print-witness` does it",
    "flow": "nothing reads it",
    "help": "the help",
    "input": "the file",
    "logic": "the system contains it; another one would be wrong usage",
    "print-witness": "what is written out; always on",
    "termination-backend": "of termination problems",
    "verbose": "what is written out; always on",
    "version": "prints, and does not solve",
}

# OpenSMT lacks these operators or gives their names another meaning; wrong answers with them are not bugs of Golem.
REFUSED_OPERATORS = frozenset(("to_real", "to_int", "is_int", "abs"))

REFUSALS = re.compile(
    r"Encountered quantified constraint|Assertion is not a Horn clause|Unknown logic specified"
    r"|Unknown (type: |symbol `)|Error when parsing input file|Undefined sort in function"
    r"|in non-integral logic|non-?linear|Engine \w+ (does not|cannot)|not supported"
    r"|Error in resolveTerm",  # OpenSMT lacks this function, such as `xor` with three arguments
    re.IGNORECASE,
)

DIALECT = Dialect(
    "golem",
    programs=("golem",),
    website="https://github.com/usi-verification-and-security/golem",
    options=OPTIONS,
    witness=("--print-witness",),
    proof_in=derivation_in,
    log=("-v", "-v"),
    accepted=Accepted((frozenset(("LIA",)), frozenset(("LRA",))), REFUSED_OPERATORS, linear=True, flat=True),
    refusals=REFUSALS,
)
