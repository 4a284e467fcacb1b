"""Find a witness for the status of each seed and write it to seeds/witnesses/.

    python -m seeds.find_witnesses              for every file in corpus/
    python -m seeds.find_witnesses NAME...      only for these, e.g. lia/count-up-safe

Witnesses that begin with the line ``; by hand`` are not replaced.

tests/corpus checks every witness without Spacer. For a seed that is sat, `NAME.model` holds one `define-fun` for each
predicate. For a seed that is unsat, `NAME.derivation` holds a ground derivation of false, one step per line:

    0: clause 0, x = 0 |- (loop 0)
    1: clause 1, from 0, x = 0, y = 1 |- (loop 1)
    2: clause 2, from 1, x = 1 |- false

Step 1 instantiates the second assertion of the file with the given values. The atoms of its body are facts of the
steps after `from`, so the body holds, and therefore the fact on the right. Variables bound by `exists` in a body have
values as well (domains/chc/oracles/refutation.py).
"""

import argparse
import sys

import z3
from chcfuzz.domains.chc.oracles.derive import derive
from chcfuzz.domains.chc.oracles.refutation_text import print_refutation
from chcfuzz.domains.chc.solvers.hyper_resolution import TRANSFORMS_OFF
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Predicate
from chcfuzz.solvers.watchdog import Watchdog

from seeds.files import ROOT, Seed, seeds_of

WITNESSES = ROOT / "seeds" / "witnesses"

BY_HAND = "; by hand\n"
RLIMIT = 5_000_000
WATCHDOG = Watchdog(600)


def main() -> None:
    """Find the witnesses of the named seeds, or of all."""
    parser = argparse.ArgumentParser(description="Find a witness for the status of each seed.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a seed, such as lia/count-up-safe")
    names = set(parser.parse_args().names)
    for seed in seeds_of("corpus"):
        if not names or seed.name in names:
            _find(seed)


def _find(seed: Seed) -> None:
    kind = "model" if seed.status == "sat" else "derivation"
    path = WITNESSES / f"{seed.name}.{kind}"
    if path.is_file() and path.read_text(encoding="ascii").startswith(BY_HAND):
        return
    system = parse(seed.text, seed.name)
    witness = _model(seed.text, system) if kind == "model" else _derivation(system)
    if witness is None:
        sys.exit(f"{seed.name}: no {kind} was found within rlimit {RLIMIT}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(witness, encoding="ascii")


def _model(text: str, system: System) -> str | None:
    for options in (TRANSFORMS_OFF, {}):
        solver = z3.SolverFor("HORN", ctx=z3.Context())
        solver.set("rlimit", RLIMIT)
        for option, value in options.items():
            solver.set(f"fp.{option}", value)
        solver.from_string(text)
        if solver.check() == z3.sat:
            model = solver.model()
            known = {declaration.name() for declaration in model.decls()}
            # Z3 leaves out predicates that no clause needs.
            rest = [_unneeded(p) for p in system.predicates if p.name not in known]
            return "\n".join(filter(None, [model.sexpr().rstrip(), *rest])) + "\n"
    return None


def _unneeded(predicate: Predicate) -> str:
    """Return the definition of a predicate that is always false."""
    parameters = " ".join(f"(x!{index} {sort})" for index, sort in enumerate(predicate.parameters))
    return f"(define-fun {quoted(predicate.name)} ({parameters}) Bool false)"


def _derivation(system: System) -> str | None:
    refutation = derive(system, RLIMIT, WATCHDOG).refutation
    return None if refutation is None else print_refutation(system, refutation)


if __name__ == "__main__":
    main()
