"""From choices to mutants: recipes, chains, policies, the registry, libFuzzer's mutator; `families` has the rows."""

from chcfuzz.mutators.horn_rows import registry
from chcfuzz.mutators.registry import Registry

__all__ = ["Registry", "registry"]
