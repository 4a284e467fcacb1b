"""The campaign: one supervisor, libFuzzer workers, and the state that they share."""
