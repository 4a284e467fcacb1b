"""What a solver did: events, their trace, and how libFuzzer gets to see them. Independent of Z3's bindings."""
