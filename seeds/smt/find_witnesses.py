"""Find a witness for the status of each seed and write it to seeds/smt/witnesses/.

    python -m seeds.smt.find_witnesses              for every file in corpus-smt/
    python -m seeds.smt.find_witnesses NAME...      only for these, e.g. lia/between-sat

A seed that is sat has `NAME.model`: a `define-fun` for each name, and a `declare-datatypes` with the elements of each
uninterpreted sort. It is right if the evaluator finds that every assertion holds, or, where that leaves one open, if
two solvers find that none can be false. Files that begin with the line ``; by hand`` are not replaced.

A seed that is unsat has a line in `unsat.toml` with what shows it: at least two solvers (`cvc5 OPTION` is cvc5 with
this option on), and `enumeration` if the evaluator finds none of all values of the constants to be a model.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence

from chcfuzz.grammar.errors import GrammarError

from seeds.expressions import expressions
from seeds.files import Seed, seeds_of
from seeds.smt.closing import closed, enumerated, negated, value_of
from seeds.smt.solvers import SOLVERS, cvc5_answer, cvc5_model, z3_model
from seeds.smt.statuses import WITNESSES, read_unsat, write_unsat

BY_HAND = "; by hand\n"
CVC5_OPTIONS = ("finite-model-find", "enum-inst", "mbqi")
_UNIVERSE = re.compile(r";; universe for (\S+):\s*\n;;\s+(.*)")


def main() -> None:
    """Find the witnesses of the named seeds, or of all."""
    parser = argparse.ArgumentParser(description="Find a witness for the status of each SMT seed.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a seed, such as lia/between-sat")
    names = set(parser.parse_args().names)
    refuted = {} if not names else dict(read_unsat())
    failed = 0
    for seed in (seed for seed in seeds_of("corpus-smt") if not names or seed.name in names):
        if seed.status == "unsat":
            refuted[seed.name] = list(_refutations(seed))
            missing = len({word.split()[0] for word in refuted[seed.name]} - {"enumeration"}) < 2
        else:
            missing = not _has_model(seed)
        if missing:
            print(f"{seed.name}: no witness for {seed.status} was found")
            failed += 1
    write_unsat(refuted)
    sys.exit(1 if failed else 0)


def _refutations(seed: Seed) -> Iterator[str]:
    for name, answer in SOLVERS.items():
        if answer(seed.text) == "unsat":
            yield name
        elif name == "cvc5":
            yield from [f"cvc5 {each}" for each in CVC5_OPTIONS if _cvc5_with(seed.text, each) == "unsat"][:1]
    if enumerated(seed.text) is False:
        yield "enumeration"


def _cvc5_with(text: str, option: str) -> str:
    return cvc5_answer(text, **{option: "true"})


def _has_model(seed: Seed) -> bool:
    path = WITNESSES / f"{seed.name}.model"
    if path.is_file() and path.read_text(encoding="ascii").startswith(BY_HAND):
        return True
    for model in (z3_model, cvc5_model):
        printed = model(seed.text)
        witness = None if printed is None else _witness(seed.text, printed)
        if witness is not None and _is_right(closed(seed.text, witness)):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(witness, encoding="ascii")
            return True
    return False


def _is_right(script: str) -> bool:
    try:
        right = value_of(script)
    except GrammarError:  # such as Z3's lambda for an array
        return False
    if right is None:
        return all(SOLVERS[name](negated(script)) == "unsat" for name in ("z3", "cvc5"))
    return right


def _witness(text: str, printed: str) -> str:
    """Return a printed model as a witness: sorts as enumerations, and functions, each after those that it uses."""
    sorts = [
        f"(declare-datatypes (({name} 0)) (({' '.join(f'({each})' for each in elements.split())})))"
        for name, elements in _UNIVERSE.findall(printed)
    ]
    functions = [each for each in expressions(printed) if each.startswith("(define-fun ") and not _is_theory(each)]
    names = [each.split(" ", 2)[1] for each in functions]
    functions += [_default(each) for each in expressions(text) if _is_missing(each, names)]
    names = [each.split(" ", 2)[1] for each in functions]
    return "\n".join([*sorts, *_ordered(dict(zip(names, functions, strict=True)))]) + "\n"


def _is_theory(definition: str) -> bool:
    """Determine whether a definition is Z3's for values that SMT-LIB leaves open."""
    name = definition.split(" ", 2)[1]
    return name in ("/0", "div0", "mod0") or name.startswith("fp.")


def _is_missing(command: str, names: Sequence[str]) -> bool:
    return command.startswith("(declare-fun ") and command.split(" ", 2)[1] not in names


def _default(declaration: str) -> str:
    """Return a definition of a name that a model leaves out."""
    name, parameters, sort = list(expressions(declaration[1:-1]))[1:]
    bound = " ".join(f"(x!{place} {each})" for place, each in enumerate(expressions(parameters[1:-1])))
    return f"(define-fun {name} ({bound}) {sort} {_default_value(sort)})"


def _default_value(sort: str) -> str:
    known = {"Bool": "false", "Int": "0", "Real": "0.0", "RoundingMode": "RNE"}
    if sort in known:
        return known[sort]
    if sort.startswith("(Set "):
        return f"(as set.empty {sort})"
    if sort.startswith("(_ FloatingPoint "):
        return sort.replace("FloatingPoint", "+zero")
    if sort.startswith("(_ BitVec "):
        return f"(_ bv0 {sort.split()[-1]}"
    if sort.startswith("(Array "):
        return f"((as const {sort}) {_default_value(list(expressions(sort[1:-1]))[-1])})"
    raise SystemExit(f"a model leaves out a value of {sort}: constrain it, or write the witness by hand")


def _ordered(functions: dict[str, str]) -> list[str]:
    done: dict[str, str] = {}
    while len(done) < len(functions):
        for name, definition in functions.items():
            used = set(re.findall(r"[^\s()]+", definition)) & set(functions)
            if name not in done and used - {name} <= set(done):
                done[name] = definition
    return list(done.values())


if __name__ == "__main__":
    main()
