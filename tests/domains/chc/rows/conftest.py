"""The fixtures of the tests of mutations."""

from tests.mutators.conftest import _installed_z3, chains, rows, small_seeds, small_texts, texts  # noqa: F401
