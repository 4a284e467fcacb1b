"""Choices to mutants: recipes, chains, policies, the registry, libFuzzer's mutator; the rows are in `families`."""

from chcfuzz.mutators.registry import Registry, registry

__all__ = ["Registry", "registry"]
