"""Tools that work on corpora: import, generate, minimize, compare, measure."""
