"""Programs that work on corpora."""
