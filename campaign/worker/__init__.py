"""The libFuzzer process that executes units."""
