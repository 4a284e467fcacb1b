"""The domain of SMT problems."""
