"""Choices to mutants: recipes and their bytes, families of mutations, the registry, libFuzzer's mutator."""

from chcfuzz.mutators.registry import Registry, registry

__all__ = ["Registry", "registry"]
