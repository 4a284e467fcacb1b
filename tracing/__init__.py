"""A solver's events, their trace, and the counters that libFuzzer reads. Independent of Z3's bindings."""
